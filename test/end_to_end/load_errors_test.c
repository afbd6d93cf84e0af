// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are no plugins: each is refused with its name and the reason.

#include "run.h"

#include <stdlib.h>
#include <string.h>

/// Makes the bad files in a fresh directory.
static char *bad_plugins(void) {
  char *directory = directory_create();
  struct command_result made = command_shell(
      MLIRPLUG_SOURCE_DIRECTORY "/test/plugins/make_bad_plugins.sh %s",
      directory);
  expect_exit(&made, 0);
  command_release(&made);
  return directory;
}

static void expect_refused(const char *name, const char *const *reasons) {
  char *directory = bad_plugins();
  const char *path = path_in(directory, name);
  struct command_result result =
      mlirplug_run("opt", "--load-pass-plugin", path, TWICE);
  expect_refusal(&result, 1);
  expect_contains(result.errors, path);
  for (; *reasons; ++reasons)
    expect_contains(result.errors, *reasons);
  command_release(&result);
  free(directory);
}

#define REASONS(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(a_bad_plugin, that_is_missing) {
  expect_refused("missing.so", REASONS("No such file"));
}

Test(a_bad_plugin, that_is_text) { expect_refused("text.so", REASONS("ELF")); }

Test(a_bad_plugin, that_is_empty) {
  expect_refused("empty.so", REASONS("empty"));
}

Test(a_bad_plugin, that_is_a_directory) {
  expect_refused("dir.so", REASONS("a directory"));
}

Test(a_bad_plugin, without_a_descriptor) {
  expect_refused("noentry.so", REASONS("mlirplug_plugin"));
}

Test(a_bad_plugin, with_an_undefined_symbol) {
  // It has no descriptor either, which is what can be seen without loading it.
  expect_refused("undef.so", REASONS("mlirplug_plugin"));
}

Test(a_bad_plugin, that_is_cut_off) {
  expect_refused("truncated.so", REASONS("shorter"));
}

Test(a_bad_plugin, for_another_machine) {
  expect_refused("wrongarch.so", REASONS("RISC-V"));
}

Test(bad_plugins, are_all_named) {
  char *directory = bad_plugins();
  struct command_result result =
      mlirplug_run("opt", "--load-pass-plugin", path_in(directory, "text.so"),
                   "--load-pass-plugin", path_in(directory, "empty.so"), TWICE);
  expect_exit(&result, 1);
  expect_text(result.output, "");
  cr_expect(line_count(result.errors) == 2, "found:\n%s", result.errors);
  expect_contains(result.errors, "text.so");
  expect_contains(result.errors, "empty.so");
  command_release(&result);
  free(directory);
}

Test(bad_plugins, are_refused_by_list_and_info_too) {
  char *directory = bad_plugins();
  const char *path = path_in(directory, "truncated.so");
  struct command_result list = mlirplug_run("list", path);
  expect_refusal(&list, 1);
  struct command_result info = mlirplug_run("info", path);
  expect_refusal(&info, 1);
  expect_contains(info.errors, "truncated.so");
  command_release(&list);
  command_release(&info);
  free(directory);
}

static const char needs_a_symbol[] =
    "#include <mlirplug/plugin.h>\n"
    "extern int missing_in_host_xyz(void);\n"
    "static mlirplug_status run(const mlirplug_run *run, MlirOperation op) {\n"
    "  (void)run; (void)op;\n"
    "  return missing_in_host_xyz();\n"
    "}\n"
    "static const mlirplug_pass pass = {MLIRPLUG_PASS(\"p\", \"\"),\n"
    "                                   .run = run};\n"
    "MLIRPLUG_PLUGIN(\"test.symbol\", \"1\", &pass);\n";

static const char needs_a_function[] =
    "#include <mlirplug/plugin.h>\n"
    "MLIRPLUG_FUNCTION(int32_t, mlirNobodyHasThis, (void), ())\n"
    "static mlirplug_status run(const mlirplug_run *run, MlirOperation op) {\n"
    "  (void)run; (void)op;\n"
    "  return mlirNobodyHasThis();\n"
    "}\n"
    "static const mlirplug_pass pass = {MLIRPLUG_PASS(\"p\", \"\"),\n"
    "                                   .run = run};\n"
    "MLIRPLUG_PLUGIN(\"test.function\", \"1\", &pass);\n";

/// Compiles `source` to p.so in a fresh directory and runs its pass `p`.
static struct command_result compile_and_run(const char *source) {
  char *directory = directory_create();
  file_write(path_in(directory, "p.c"), source, strlen(source));
  struct command_result result = mlirplug_shell(
      "cd %s && cc -shared -fPIC -fvisibility=hidden "
      "-I" MLIRPLUG_SOURCE_DIRECTORY "/sdk/include p.c -o p.so && "
      "$MLIRPLUG opt --load-pass-plugin=p.so --p " TWICE,
      directory);
  free(directory);
  return result;
}

Test(a_plugin, that_needs_a_symbol_nobody_has) {
  struct command_result result = compile_and_run(needs_a_symbol);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "p.so");
  expect_contains(result.errors, "missing_in_host_xyz");
  command_release(&result);
}

Test(a_plugin, that_needs_a_function_mlir_does_not_have) {
  struct command_result result = compile_and_run(needs_a_function);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "p.so");
  expect_contains(result.errors, "mlirNobodyHasThis");
  expect_contains(result.errors, "22");
  command_release(&result);
}
