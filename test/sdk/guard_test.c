// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/abi/guard.py: what was released stays, and it notices when it does not.

#include "sdk/build.h"

#include <stdlib.h>

#define GUARD MLIRPLUG_SOURCE_DIRECTORY "/test/abi/guard.py"
#define LIBRARY MLIRPLUG_BUILD_DIRECTORY "/lib/libmlirplug.so.1"

#define HOST "core/include/mlirplug/host.h"
#define PLUGIN "sdk/include/mlirplug/plugin.h"
#define OPTION "sdk/include/mlirplug/option.h"
#define IMPORT "sdk/include/mlirplug/import.h"
#define TYPES "sdk/include/mlirplug/ir/Types.h"

/// The golden files are about x86-64, whose DWARF they were made from.
static void skip_elsewhere(void) {
#ifndef __x86_64__
  cr_skip_test("not for this machine: test/golden/*.abi are of x86-64");
#endif
}

/// What the guard says of the headers after `script`, of sed, has changed
/// `file`.
static struct command_result guard_variant(const char *file,
                                           const char *script) {
  skip_elsewhere();
  char *tree = directory_create();
  free(build_shell("mkdir %s/sdk %s/core && cp -r " MLIRPLUG_SOURCE_DIRECTORY
                   "/sdk/include %s/sdk && cp -r " MLIRPLUG_SOURCE_DIRECTORY
                   "/core/include %s/core && sed -i -E '%s' %s/%s && ! cmp -s "
                   "%s/%s " MLIRPLUG_SOURCE_DIRECTORY "/%s",
                   tree, tree, tree, tree, script, tree, file, tree, file,
                   file));
  struct command_result result = command_shell(GUARD " check --tree %s", tree);
  free(tree);
  return result;
}

static void expect_accepted(const char *file, const char *script) {
  struct command_result result = guard_variant(file, script);
  cr_expect(result.exit_code == 0, "%s", result.errors);
  command_release(&result);
}

/// Refused by the guard, which says `part` and `more`.
static void expect_refused(const char *file, const char *script,
                           const char *part, const char *more) {
  struct command_result result = guard_variant(file, script);
  cr_expect(result.exit_code == 1, "exit code %d: %s", result.exit_code,
            result.errors);
  build_expect(result.errors, part);
  build_expect(result.errors, more);
  command_release(&result);
}

Test(the_abi, of_the_headers_is_what_was_released) {
  skip_elsewhere();
  free(build_shell(GUARD " check"));
}

Test(the_abi, of_the_library_is_what_was_released) {
  skip_elsewhere();
  struct command_result debug =
      command_shell("readelf -W -S " LIBRARY " | grep -q debug_info");
  int without = debug.exit_code;
  command_release(&debug);
  if (without)
    cr_skip_test("not for this build: the library has no debug information");
  free(build_shell(GUARD " check --library " LIBRARY));
}

//===----------------------------------------------------------------------===//
// What breaks programs and plugins
//===----------------------------------------------------------------------===//

Test(the_abi_guard, refuses_a_function_of_the_library_that_went) {
  expect_refused(HOST, "/mlirplug_error_destroy/d", "(abidiff: 12)",
                 "mlirplug_error_destroy");
}

Test(the_abi_guard, refuses_a_parameter_that_changed) {
  expect_refused(HOST, "s/mlirplug_host_destroy\\(mlirplug_host /&*/",
                 "(abidiff: 4)", "mlirplug_host_destroy");
}

Test(the_abi_guard, refuses_fields_that_changed_places) {
  expect_refused(HOST,
                 "s/^  const char \\*id;/  const char *later;/;"
                 "s/^  const char \\*version; .*/  const char *id;/;"
                 "s/ \\*later;/ *version;/",
                 "'struct mlirplug_plugin_description' changed",
                 "'const char* id' offset changed");
}

Test(the_abi_guard, refuses_a_field_in_the_middle) {
  expect_refused(PLUGIN, "s/^  void \\(\\*merge\\)/  void *more;\\n&/",
                 "'struct mlirplug_pass' changed", "merge' offset changed");
}

Test(the_abi_guard, refuses_a_new_field_beside_one_that_moved) {
  expect_refused(PLUGIN,
                 "s/^  const char \\*name;  .*/  const char *later;/;"
                 "s/^  const char \\*summary;  .*/  const char *name;/;"
                 "s/ \\*later;/ *summary;/;"
                 "s/^  void \\(\\*reset\\).*/&\\n  void *more;/",
                 "1 data member insertion",
                 "'const char* name' offset changed");
}

Test(the_abi_guard, refuses_a_field_in_the_padding_which_no_size_tells_of) {
  expect_refused(HOST, "s/^  bool trust_any;/&\\n  bool more;/",
                 "'struct mlirplug_host_configuration' changed",
                 "type size hasn't changed");
}

Test(the_abi_guard, refuses_a_field_of_another_type) {
  expect_refused(OPTION, "s/int64_t default_integer;/u&/",
                 "'struct mlirplug_option' changed", "default_integer");
}

Test(the_abi_guard, refuses_a_longer_structure_that_cannot_grow) {
  expect_refused(IMPORT,
                 "s/^  void \\(\\*volatile function.*/&\\n  void *more;/",
                 "'struct mlirplug_import' changed", "from 128 to 192");
}

Test(the_abi_guard, refuses_a_callback_of_a_pass_that_changed) {
  expect_refused(PLUGIN,
                 "s/\\(\\*finish\\)\\(const mlirplug_run/(*finish)(void/",
                 "'struct mlirplug_pass' changed", "mlirplug_pass::finish");
}

Test(the_abi_guard, refuses_a_callback_of_the_walk_that_changed) {
  expect_refused(TYPES,
                 "/MlirOperationWalkCallback/,/;/s/MlirOperation,/MlirBlock,/",
                 "(abidiff: 4)", "MlirOperationWalkCallback");
}

Test(the_abi_guard, refuses_a_constant_that_changed) {
  expect_refused(TYPES, "s/MlirWalkPostOrder = 1/MlirWalkPostOrder = 2/",
                 "'enum MlirWalkOrder' changed", "from value '1' to '2'");
}

Test(the_abi_guard, refuses_an_import_that_went) {
  expect_refused(PLUGIN, "s/mlirplug_statistic_add,/mlirplug_statistic_sum,/",
                 "imports: gone or changed: mlirplug_statistic_add\t", "");
}

Test(the_abi_guard, refuses_an_import_with_another_parameter) {
  expect_refused(PLUGIN, "s/uint64_t amount\\)/uint32_t amount)/",
                 "imports: gone or changed: mlirplug_statistic_add\tvoid\t"
                 "(const mlirplug_run *, uint64_t, uint64_t)",
                 "");
}

//===----------------------------------------------------------------------===//
// What does not
//===----------------------------------------------------------------------===//

Test(the_abi_guard, accepts_a_new_function_of_the_library) {
  expect_accepted(HOST, "s/^MLIRPLUG_API const char \\*mlirplug_version.*/&\\n"
                        "MLIRPLUG_API int mlirplug_new(void);/");
}

Test(the_abi_guard, accepts_new_fields_behind_the_others) {
  expect_accepted(HOST,
                  "s/^  bool examine_only;/&\\n  void *more, *yet_more;/");
  expect_accepted(HOST, "s/^  bool is_exhausted;/&\\n  void *more;/");
  expect_accepted(PLUGIN, "s/^  void \\(\\*reset\\).*/&\\n  void *more;/");
}

Test(the_abi_guard, accepts_a_new_constant) {
  expect_accepted(TYPES, "s/^  MlirWalkPostOrder = 1,/&\\n  MlirWalkNew = 2,/");
}

Test(the_abi_guard, accepts_a_new_import) {
  expect_accepted(PLUGIN,
                  "s/^MLIRPLUG_FUNCTION\\(bool, mlirplug_is_cancelled.*/&\\n"
                  "MLIRPLUG_FUNCTION(int, mlirplug_new, (int number), "
                  "(number))/");
}

Test(the_abi_guard, accepts_other_names_of_parameters) {
  expect_accepted(PLUGIN, "s/\\bamount\\b/number/g");
}
