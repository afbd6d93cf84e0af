// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How plugins use MLIR: by the names of its C API, whichever headers declared
// them, and optionally.

#include "sdk/build.h"

#include <stdlib.h>

Test(code_for_the_headers_of_mlir, compiles_into_a_plugin) {
  char *directory = directory_create();
  // It really is code for those headers.
  free(build_shell("gcc -Wall -Wextra -Werror -I$(llvm-config-22 --includedir) "
                   "-c upstream.c -o %s/upstream.o",
                   directory));
  free(build_shell("gcc -O2 " SDK_FLAGS " -I" SDK_COMPAT
                   " upstream.c upstream_plugin.c -o %s/upstream.so",
                   directory));
  char *printed = build_shell(
      "printf '%%s\\n' 'func.func @f(%%x: i32) {' "
      "'%%0 = arith.addi %%x, %%x : i32' '%%1 = arith.muli %%0, %%x : i32' "
      "'return' '}' | " COMMAND_MLIRPLUG
      " opt --load-pass-plugin=%s/upstream.so "
      "--pass-pipeline='builtin.module(func.func(upstream))'",
      directory);
  build_expect(printed, "attributes {erased = 1 : i64}");
  free(printed);
  free(directory);
}

/// Compiles a file that includes both kinds of headers, in this order.
#define BOTH_HEADERS(first, second)                                            \
  "printf '#include <%%s>\\n' " first " " second                               \
  " | gcc -fsyntax-only -I" SDK_INCLUDE                                        \
  " -I$(llvm-config-22 --includedir) -xc -"

Test(the_headers_of_mlir, may_not_come_first) {
  char *said = build_refusal(BOTH_HEADERS("mlir-c/IR.h", "mlirplug/plugin.h"));
  build_expect(said, "include <mlirplug/plugin.h> before <mlir-c/");
  free(said);
}

Test(the_headers_of_mlir, do_no_harm_when_they_come_last) {
  free(build_shell(BOTH_HEADERS("mlirplug/plugin.h", "mlir-c/IR.h")));
}

Test(the_headers_of_mlir, come_before_the_host_header_with_pass_among_them) {
  free(build_shell(BOTH_HEADERS(
      "mlir-c/Pass.h", "mlirplug/host.h") " -I" MLIRPLUG_SOURCE_DIRECTORY
                                          "/core/include"));
  char *said = build_refusal(BOTH_HEADERS(
      "mlir-c/IR.h", "mlirplug/host.h") " -I" MLIRPLUG_SOURCE_DIRECTORY
                                        "/core/include");
  build_expect(said, "include <mlir-c/Pass.h> too, before <mlirplug/host.h>");
  free(said);
}

Test(a_program_that_embeds_it, runs_a_pass_and_prints_the_module) {
  char *printed = build_shell(
      MLIRPLUG_BUILD_DIRECTORY
      "/examples/embed " MLIRPLUG_BUILD_DIRECTORY "/examples/op-count.so "
      "'builtin.module(func.func(op-count))' " MLIRPLUG_SOURCE_DIRECTORY
      "/examples/op-count/input.mlir 2>&1");
  build_expect(printed, "6 operations\n2 operations\nmodule {\n");
  build_expect(printed, "func.func @square(%arg0: index) -> index {");
  free(printed);
}

Test(a_program_that_embeds_it, is_told_what_is_wrong) {
  char *said = build_refusal(
      MLIRPLUG_BUILD_DIRECTORY
      "/examples/embed " MLIRPLUG_BUILD_DIRECTORY "/examples/op-count.so "
      "'builtin.module(op-count)' " MLIRPLUG_SOURCE_DIRECTORY
      "/examples/op-count/input.mlir");
  build_expect(said, "embed: ");
  build_expect(said, "func.func");
  free(said);
}

Test(a_function_asked_for, is_optional) {
  char *directory = directory_create();
  char *path = build_path(directory, "optional.so");
  free(build_shell("gcc -O2 " SDK_FLAGS " optional.c -o %s", path));
  mlirplug_plugin_description *plugin = build_read(path);
  cr_assert(plugin->optional_import_count == 1);
  cr_expect_str_eq(plugin->optional_imports[0], "mlirLocationIsAUnknown");
  for (size_t i = 0; i < plugin->import_count; ++i)
    cr_expect_str_neq(plugin->imports[i], "mlirLocationIsAUnknown");
  mlirplug_plugin_description_destroy(plugin);
  char *entries =
      build_shell("strings %s | grep -x '.*mlirLocationIsAUnknown'", path);
  build_expect(entries, "?mlirLocationIsAUnknown\n");
  free(entries);
  char *said =
      build_shell(COMMAND_MLIRPLUG " opt --load-pass-plugin=%s --optional %s "
                                   "-o /dev/null 2>&1",
                  path, COMMAND_CASES "/01-plugin-load-errors/input.mlir");
  build_expect(said, "remark: as far as is known");
  free(said);
  free(path);
  free(directory);
}
