// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same command line with built-in passes only, given to `mlirplug opt` and
// to mlir-opt-22, over kernels of test/kernels: the same bytes on standard
// output and the same exit status. The kernels are taken in turn, so that all
// of them take part.

#include "run.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS_FOR_EACH = 2 };

#define PIPELINE "--pass-pipeline="
#define LOWER                                                                  \
  "--linalg-generalize-named-ops --empty-tensor-to-alloc-tensor "              \
  "--one-shot-bufferize=bufferize-function-boundaries "

/// Words are separated by spaces.
static const char *const lines[] = {
    // What is printed.
    "",
    "--mlir-print-op-generic",
    "--mlir-print-debuginfo",
    "--mlir-print-debuginfo --mlir-pretty-debuginfo",
    "--mlir-print-debuginfo --mlir-print-local-scope",
    "--mlir-print-local-scope",
    "--mlir-print-value-users",
    "--mlir-print-unique-ssa-ids",
    "--mlir-print-skip-regions",
    "--mlir-print-assume-verified",
    "--mlir-use-nameloc-as-prefix",
    "--mlir-elide-elementsattrs-if-larger=1",
    "--mlir-elide-elementsattrs-if-larger 2 --canonicalize",
    "--mlir-elide-resource-strings-if-larger=1",
    "--mlir-print-elementsattrs-with-hex-if-larger=1",
    "--mlir-print-elementsattrs-with-hex-if-larger=-1",
    "--emit-bytecode",
    "--emit-bytecode --cse",
    "--emit-bytecode --emit-bytecode-version=3",
    "--emit-bytecode --elide-resource-data-from-bytecode",
    // How it is read.
    "--allow-unregistered-dialect",
    "--no-implicit-module",
    "--no-implicit-module --cse",
    "--split-input-file",
    "--split-input-file --canonicalize --output-split-marker=//",
    "--split-input-file=func.func",
    "--split-input-file=func.func --output-split-marker=",
    "--verify-roundtrip",
    "--verify-roundtrip --allow-unregistered-dialect",
    "--verify-diagnostics",
    "--verify-diagnostics=only-expected",
    "--split-input-file=return --verify-diagnostics",
    "--mlir-very-unsafe-disable-verifier-on-parsing",
    // Passes as flags.
    "--cse",
    "--canonicalize",
    "-canonicalize -cse",
    "--canonicalize=top-down=false",
    "--canonicalize --cse --symbol-dce --inline",
    "--inline --sccp --canonicalize",
    "--inline=default-pipeline=cse",
    "--symbol-privatize --symbol-dce",
    "--strip-debuginfo --mlir-print-debuginfo",
    "--loop-invariant-code-motion",
    "--linalg-generalize-named-ops",
    "--linalg-generalize-named-ops --linalg-fuse-elementwise-ops",
    "--linalg-fuse-elementwise-ops --canonicalize --cse",
    "--linalg-fold-unit-extent-dims",
    "--linalg-specialize-generic-ops",
    "--linalg-morph-ops=named-to-generic",
    "--convert-elementwise-to-linalg",
    "--convert-math-to-libm",
    "--convert-arith-to-llvm",
    "--arith-expand --math-expand-ops",
    "--empty-tensor-to-alloc-tensor",
    "--eliminate-empty-tensors",
    "--one-shot-bufferize",
    LOWER,
    LOWER "--canonicalize --cse --mlir-print-local-scope",
    LOWER "--convert-linalg-to-loops",
    LOWER "--convert-linalg-to-affine-loops --affine-loop-fusion",
    LOWER "--convert-linalg-to-loops --convert-scf-to-cf --expand-strided-"
          "metadata --finalize-memref-to-llvm",
    LOWER "--convert-linalg-to-parallel-loops --scf-parallel-loop-fusion",
    LOWER "--buffer-deallocation-pipeline",
    "--mlir-disable-threading --canonicalize",
    "--verify-each=false --canonicalize",
    "--tosa-to-linalg-pipeline",
    // Pipelines.
    PIPELINE "builtin.module(cse)",
    PIPELINE "builtin.module(canonicalize{top-down=false},cse)",
    PIPELINE "builtin.module(func.func(cse,canonicalize))",
    PIPELINE "builtin.module(func.func(linalg-generalize-named-ops),cse)",
    PIPELINE "builtin.module(any(cse))",
    PIPELINE "any(cse)",
    PIPELINE "builtin.module(one-shot-bufferize{bufferize-function-boundaries="
             "true},func.func(convert-linalg-to-loops))",
    PIPELINE "builtin.module(inline{default-pipeline=canonicalize})",
    PIPELINE "builtin.module(composite-fixed-point-pass{pipeline=cse})",
    // What fails.
    PIPELINE "builtin.module(no-such-pass)",
    PIPELINE "builtin.module(canonicalize{no-such-option=1})",
    PIPELINE "builtin.module(canonicalize{max-iterations=many})",
    PIPELINE "builtin.module(cse",
    PIPELINE "func.func(cse)",
    PIPELINE "builtin.module(llvm.func(cse)",
    PIPELINE "builtin.module(convert-linalg-to-loops)",
    "--no-implicit-module --pass-pipeline=func.func(cse)",
    "--emit-bytecode --emit-bytecode-version=99",
    "--emit-bytecode-version=3",
    "--irdl-file=/does/not/exist",
    "--mlir-print-ir-before=no-such-pass",
    "--mlir-print-ir-after=cse",
    "--mlir-print-ir-after=cse --no-implicit-module",
    "--convert-func-to-llvm --reconcile-unrealized-casts",
    "--finalize-memref-to-llvm --convert-func-to-llvm "
    "--reconcile-unrealized-casts",
    "--test-no-such-thing-at-all=1 --pass-pipeline=builtin.module(cse)",
    "--run-reproducer",
};

enum { LINE_COUNT = sizeof lines / sizeof *lines };

/// mlir-opt has 1 for a wrong command line and for a failure; mlirplug has 2
/// for the first.
static int status_of(int exit_code) { return exit_code == 2 ? 1 : exit_code; }

/// Runs `program` on `line` and `kernel`. Bytecode has NULs, so that standard
/// output goes through a file.
static struct command_result run(const char *program, const char *line,
                                 const char *kernel, const char *output) {
  return command_shell("set -f; %s %s %s >%s", program, line, kernel, output);
}

/// For the shell, to be freed.
static char *line_quote(const char *line) {
  char *quoted = calloc(2, strlen(line) + 1), *out = quoted;
  for (; *line; ++line) {
    if (strchr("(){}", *line))
      *out++ = '\\';
    *out++ = *line;
  }
  return quoted;
}

static void expect_same(const char *line, const char *kernel, const char *ours,
                        const char *theirs) {
  char *quoted = line_quote(line);
  struct command_result expected = run("mlir-opt-22", quoted, kernel, theirs);
  struct command_result found =
      run(COMMAND_MLIRPLUG " opt --no-config", quoted, kernel, ours);
  cr_expect(status_of(found.exit_code) == expected.exit_code,
            "'%s' on %s: exit status %d, mlir-opt has %d\n%s", line, kernel,
            found.exit_code, expected.exit_code, found.errors);
  struct command_result compared = command_shell("cmp %s %s", theirs, ours);
  cr_expect(compared.exit_code == 0, "'%s' on %s: %s", line, kernel,
            compared.output);
  command_release(&compared);
  command_release(&expected);
  command_release(&found);
  free(quoted);
}

/// Every fourth line, from the `first`, so that the tests share the work.
static void lines_compare(size_t first) {
  glob_t kernels;
  cr_assert(glob(KERNELS "/*.mlir", 0, NULL, &kernels) == 0);
  char *directory = directory_create();
  const char *ours = path_in(directory, "ours");
  const char *theirs = path_in(directory, "theirs");
  for (size_t i = first; i < LINE_COUNT; i += 4)
    for (size_t j = 0; j < KERNELS_FOR_EACH; ++j) {
      size_t kernel = (i * KERNELS_FOR_EACH + j) % kernels.gl_pathc;
      expect_same(lines[i], kernels.gl_pathv[kernel], ours, theirs);
    }
  free(directory);
  globfree(&kernels);
}

Test(same_as_mlir_opt, lines_0_4_and_so_on) { lines_compare(0); }
Test(same_as_mlir_opt, lines_1_5_and_so_on) { lines_compare(1); }
Test(same_as_mlir_opt, lines_2_6_and_so_on) { lines_compare(2); }
Test(same_as_mlir_opt, lines_3_7_and_so_on) { lines_compare(3); }
