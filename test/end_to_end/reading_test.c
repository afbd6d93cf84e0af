// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How inputs are read and IR is printed, on inputs that were made for it: the
// same output, errors and exit status as of mlir-opt-22.

#include "run.h"

#include <stdlib.h>
#include <string.h>

/// Three parts that are right, two that are not, and something like a marker.
static const char parts[] = "func.func @a() { return }\n"
                            "// -----\n"
                            "func.func @b() -> i32 { return }\n"
                            "// -----\n"
                            "\n"
                            "module @c {}\n"
                            "// ----\n"
                            "// -----\n"
                            "\"foo.bar\"() : () -> ()\n"
                            "// -----\n"
                            "module @d {} loc(\"elsewhere\":1:2)\n";

static const char expecting[] =
    "func.func @a(%a: i32) { return }\n"
    "// expected-note @-1 {{see existing}}\n"
    "// expected-error @below {{redefinition of symbol}}\n"
    "func.func @a(%a: i32) { return }\n"
    "// -----\n"
    "// expected-error-re @+1 {{op has {{[0-9]+}} operands, but}}\n"
    "func.func @d() -> i32 { return }\n"
    "// -----\n"
    "func.func @e() { return }\n";

static const char unexpected[] =
    "func.func @e() -> i32 { return } // expected-warning {{op has 0}}\n"
    "// -----\n"
    "func.func @f() -> i32 { return }\n"
    "// -----\n"
    "func.func @g() { return } // expected-error {{never}}\n";

static const char values[] =
    "#arg = loc(\"arg\")\n"
    "module @m {\n"
    "  func.func @f(%a: tensor<8xf32> loc(\"aa\"), %b: i32)\n"
    "      -> (tensor<8xf32>, i32) {\n"
    "    %0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>\n"
    "        : tensor<8xf32> loc(\"xx\"(#arg))\n"
    "    %1 = arith.addf %a, %0 : tensor<8xf32>\n"
    "    %c = arith.addi %b, %b : i32\n"
    "    %r = arith.constant dense_resource<blob1> : tensor<3xi64>\n"
    "    return %1, %c : tensor<8xf32>, i32\n"
    "  }\n"
    "}\n"
    "{-#\n"
    "  dialect_resources: {builtin: {blob1: \"0x0800000001000000000000000200000"
    "0000000000300000000000000\"}},\n"
    "  external_resources: {mine: {b: true, c: \"text\"}}\n"
    "#-}\n";

static const char dialect[] = "irdl.dialect @cmath {\n"
                              "  irdl.type @complex {\n"
                              "    %0 = irdl.is f32\n"
                              "    irdl.parameters(elem: %0)\n"
                              "  }\n"
                              "}\n";

static const char of_dialect[] = "func.func private @f(!cmath.complex<f32>)\n";

static const char broken[] = "func.func @f() -> i32 { return }\n";

struct files {
  char *directory;
};

static void files_write(struct files *files) {
  static const struct {
    const char *name;
    const char *text;
  } all[] = {{"parts", parts},           {"expecting", expecting},
             {"unexpected", unexpected}, {"values", values},
             {"dialect", dialect},       {"of_dialect", of_dialect},
             {"broken", broken}};
  files->directory = directory_create();
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    char path[500];
    snprintf(path, sizeof path, "%s/%s.mlir", files->directory, all[i].name);
    file_write(path, all[i].text, strlen(all[i].text));
  }
}

/// One run of `program` in the directory. Carets have no tails: mlir-opt puts
/// some under the text of an expectation.
static struct command_result run(const struct files *files, const char *program,
                                 const char *line) {
  return command_shell("cd %s && %s %s >output 2>errors; status=$?; "
                       "od -c output; sed 's/\\^~*/^/' errors >&2; "
                       "exit $status",
                       files->directory, program, line);
}

static void expect_same(const struct files *files, const char *line) {
  struct command_result theirs = run(files, "mlir-opt-22", line);
  struct command_result ours =
      run(files, COMMAND_MLIRPLUG " opt --no-config", line);
  cr_expect(theirs.exit_code == ours.exit_code,
            "%s: exit status %d, mlir-opt has %d\n%s", line, ours.exit_code,
            theirs.exit_code, ours.errors);
  cr_expect(strcmp(theirs.output, ours.output) == 0,
            "%s: output\n%s\nmlir-opt has\n%s", line, ours.output,
            theirs.output);
  cr_expect(strcmp(theirs.errors, ours.errors) == 0,
            "%s: errors\n%s\nmlir-opt has\n%s", line, ours.errors,
            theirs.errors);
  command_release(&theirs);
  command_release(&ours);
}

static void expect_all_same(const char *const *lines) {
  struct files files;
  files_write(&files);
  for (; *lines; ++lines)
    expect_same(&files, *lines);
  free(files.directory);
}

#define EXPECT_SAME(...)                                                       \
  expect_all_same((const char *const[]){__VA_ARGS__, NULL})

Test(reading, cuts_inputs_as_mlir_opt_does) {
  EXPECT_SAME("--split-input-file parts.mlir",
              "--split-input-file --mlir-print-debuginfo parts.mlir",
              "--split-input-file --cse --output-split-marker=//// parts.mlir",
              "--split-input-file --output-split-marker= parts.mlir",
              "--split-input-file='// ----' parts.mlir",
              "--split-input-file= parts.mlir",
              "--split-input-file --no-implicit-module parts.mlir",
              "--split-input-file --no-implicit-module --cse parts.mlir",
              "--split-input-file - <parts.mlir", "parts.mlir");
}

Test(reading, verifies_diagnostics_as_mlir_opt_does) {
  EXPECT_SAME("--verify-diagnostics --split-input-file expecting.mlir",
              "--verify-diagnostics expecting.mlir",
              "--verify-diagnostics --split-input-file unexpected.mlir",
              "--verify-diagnostics=all --split-input-file unexpected.mlir",
              "--verify-diagnostics=only-expected --split-input-file "
              "unexpected.mlir",
              "--verify-diagnostics --split-input-file - <unexpected.mlir",
              "--verify-diagnostics --split-input-file parts.mlir");
}

Test(reading, verifies_what_it_wrote) {
  EXPECT_SAME("--verify-roundtrip values.mlir",
              "--verify-roundtrip --split-input-file parts.mlir");
}

Test(reading, need_not_verify) {
  EXPECT_SAME("broken.mlir",
              "--mlir-very-unsafe-disable-verifier-on-parsing broken.mlir",
              "--mlir-very-unsafe-disable-verifier-on-parsing --cse "
              "broken.mlir",
              "--mlir-print-op-on-diagnostic=false broken.mlir");
}

Test(reading, takes_dialects_from_irdl) {
  EXPECT_SAME("of_dialect.mlir", "--irdl-file=dialect.mlir of_dialect.mlir",
              "--irdl-file=dialect.mlir --verify-roundtrip of_dialect.mlir",
              "--irdl-file=broken.mlir of_dialect.mlir");
}

Test(reading, prints_as_mlir_opt_does) {
  EXPECT_SAME("values.mlir",
              "--mlir-elide-elementsattrs-if-larger=4 values.mlir",
              "--mlir-elide-resource-strings-if-larger=4 values.mlir",
              "--mlir-print-elementsattrs-with-hex-if-larger=4 values.mlir",
              "--mlir-print-debuginfo --mlir-print-local-scope values.mlir",
              "--mlir-print-debuginfo --mlir-pretty-debuginfo values.mlir",
              "--mlir-print-value-users values.mlir",
              "--mlir-print-unique-ssa-ids values.mlir",
              "--mlir-print-skip-regions values.mlir",
              "--mlir-use-nameloc-as-prefix values.mlir",
              "--mlir-print-assume-verified values.mlir",
              "--mlir-print-value-users=false values.mlir",
              "--emit-bytecode values.mlir",
              "--emit-bytecode --elide-resource-data-from-bytecode values.mlir",
              "--emit-bytecode --emit-bytecode-version=3 values.mlir");
}

Test(reading, prints_so_between_passes_too) {
  EXPECT_SAME("--mlir-print-ir-after-all --cse "
              "--mlir-elide-elementsattrs-if-larger=4 values.mlir",
              "--mlir-print-ir-after-all --cse --mlir-print-debuginfo "
              "values.mlir",
              "--mlir-print-ir-after-all --cse --mlir-print-op-generic "
              "values.mlir");
}

Test(reading, hides_what_is_not_wanted) {
  struct command_result result =
      mlirplug_shell("printf '%%s' '%s' | $MLIRPLUG opt --no-config "
                     "--mlir-disable-diagnostic-notes "
                     "--mlir-diagnostic-verbosity-level=errors",
                     broken);
  expect_exit(&result, 1);
  expect_contains(result.errors, "error: 'func.return' op has 0 operands");
  expect_lacks(result.errors, "note:");
  command_release(&result);
}

Test(reading, lists_dialects) {
  struct command_result result = mlirplug_run("opt", "--show-dialects");
  expect_silent_success(&result);
  expect_contains(result.output, "Available Dialects: acc,affine,");
  expect_contains(result.output, ",xevm\n");
  command_release(&result);
}

#define GUEST                                                                  \
  "--load-dialect-plugin=" MLIRPLUG_BUILD_DIRECTORY                            \
  "/test/plugins/cxx/dialect.so"

Test(reading, takes_dialects_of_plugins_where_mlir_is_a_library) {
  const char *input = "\"guest.any\"() : () -> ()";
  struct command_result result = mlirplug_run_with(
      input, (const char *const[]){"opt", "--no-config", "--provider=shared",
                                   GUEST, NULL});
  expect_silent_success(&result);
  expect_contains(result.output, "\"guest.any\"() : () -> ()");
  command_release(&result);
  result = mlirplug_run_with(
      input, (const char *const[]){"opt", "--no-config", GUEST, NULL});
  expect_refusal(&result, 1);
  expect_contains(result.errors, "use --provider=shared");
  command_release(&result);
}

Test(reading, refuses_values_that_make_no_sense) {
  static const struct {
    const char *flag;
    const char *said;
    int exit_code;
  } wrong[] = {
      {"--verify-diagnostics=some", "expected all or only-expected", 2},
      {"--mlir-elide-elementsattrs-if-larger=few", "takes a number", 2},
      {"--mlir-print-value-users=some", "is on or off", 2},
      {"--mlir-diagnostic-verbosity-level=2", "errors, warnings or remarks", 2},
      {"--remark-format=xml", "expected emitRemark, yaml or bitstream", 2},
      {"--emit-bytecode-version=3", "give --emit-bytecode, too", 1},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    struct command_result result = mlirplug_run_with(
        "module {}",
        (const char *const[]){"opt", "--no-config", wrong[i].flag, NULL});
    expect_refusal(&result, wrong[i].exit_code);
    expect_contains(result.errors, wrong[i].said);
    command_release(&result);
  }
}

Test(reading, writes_remarks_to_a_file) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && printf 'module {}' | $MLIRPLUG opt --no-config "
      "--remarks-filter='.*' --remark-format=yaml --cse && test -e "
      "mlir-remarks.yaml",
      directory);
  expect_silent_success(&result);
  command_release(&result);
  free(directory);
}
