// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --emit-object: kernels of test/kernels as object files in C programs.

#include "run.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL MLIRPLUG_SOURCE_DIRECTORY "/test/kernels/saxpy.mlir"

static const char program[] =
    "#include \"kernel.h\"\n"
    "#include <stdio.h>\n"
    "int main(void) {\n"
    "  float a = 2, x[128], y[128];\n"
    "  for (int i = 0; i < 128; ++i) x[i] = (float)i, y[i] = 1;\n"
    "  memref_0_f32 A = {&a, &a, 0};\n"
    "  memref_1_f32 X = {x, x, 0, {128}, {1}}, Y = {y, y, 0, {128}, {1}}, R;\n"
    "  main_(&R, &A, &X, &Y);\n"
    "  for (int i = 0; i < 10; ++i) printf(\"%g \", R.aligned[i]);\n"
    "}\n";

static char *directory;

static void directory_begin(void) {
  directory = directory_create();
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/program.c", directory);
  file_write(path, program, strlen(program));
}

static void directory_end(void) { free(directory); }

TestSuite(object_files, .init = directory_begin, .fini = directory_end);

/// Runs `format` as a line of shell in the directory.
#define SHELL(...) command_shell("cd '%s' && " __VA_ARGS__)

static void expect_refused(const char *arguments, int status,
                           const char *reason) {
  struct command_result result =
      SHELL(COMMAND_MLIRPLUG " opt %s", directory, arguments);
  cr_expect_eq(result.exit_code, status, "%s", arguments);
  cr_expect_not_null(strstr(result.errors, reason), "%s: %s", arguments,
                     result.errors);
  cr_expect_str_eq(result.output, "");
  command_release(&result);
}

static void expect_runs(const char *flags, const char *compiler,
                        const char *run) {
  struct command_result result =
      SHELL(COMMAND_MLIRPLUG " opt " KERNEL " --emit-object -o kernel.o "
                             "--object-header=kernel.h %s && %s -Wall -Wextra "
                             "-Werror program.c kernel.o -lm -o program && "
                             "%s ./program",
            directory, flags, compiler, run);
  cr_expect_eq(result.exit_code, 0, "%s", result.errors);
  cr_expect_str_eq(result.output, "1 3 5 7 9 11 13 15 17 19 ");
  command_release(&result);
}

Test(object_files, run_in_c_programs) {
  expect_runs("", "cc", "");
  expect_runs("--target=x86_64-linux-gnu --object-level=O1", "cc", "");
  expect_runs("--target=aarch64-linux-gnu --cpu=cortex-a72",
              "aarch64-linux-gnu-gcc -static", "qemu-aarch64");
}

Test(object_files, are_made_of_every_kernel, .timeout = 300) {
  struct command_result result =
      SHELL(COMMAND_MLIRPLUG
            " opt " MLIRPLUG_SOURCE_DIRECTORY "/test/kernels --emit-object "
            "--object-level=O0 -o objects/; ls objects | wc -l",
            directory);
  // All but those with operations of a dialect that MLIR does not have.
  cr_expect_str_eq(result.output, "147\n", "%s", result.errors);
  command_release(&result);
}

Test(object_files, have_what_passes_before_them_made) {
  struct command_result result =
      SHELL("printf '%%s' 'func.func @f(%%a: i32) -> i32 { %%b = arith.addi "
            "%%a, %%a : i32 return %%b : i32 }' | " COMMAND_MLIRPLUG
            " opt --load-pass-plugin=" MLIRPLUG_BUILD_DIRECTORY
            "/examples/add-to-mul.so --add-to-mul --emit-assembly "
            "--target=x86_64-linux-gnu",
            directory);
  cr_expect_not_null(strstr(result.output, "imul"), "%s%s", result.output,
                     result.errors);
  command_release(&result);
}

Test(object_files, are_refused_where_they_make_no_sense) {
  expect_refused(KERNEL " --cpu=cortex-a72", 2, "'--cpu' says what an object");
  expect_refused(KERNEL " --emit-object --emit-bytecode", 2,
                 "make different things");
  expect_refused(KERNEL " " KERNEL " --emit-object", 2,
                 "cannot be put into one file");
  expect_refused(KERNEL " " KERNEL " --emit-object --object-header=h.h -o .", 2,
                 "names one file");
  expect_refused(KERNEL " --emit-object -o k.o --target=sparc-linux-gnu", 1,
                 "cannot compile for 'sparc-unknown-linux-gnu'");
  expect_refused(KERNEL " --emit-object -o k.o --cpu=z80", 1,
                 "LLVM knows no processor 'z80'");
  expect_refused(KERNEL " --emit-object -o k.o --object-header=no/k.h", 1,
                 "no/k.h");
  expect_refused(KERNEL " --emit-object -o k.o --object-level=O9", 2, "O9");
}
