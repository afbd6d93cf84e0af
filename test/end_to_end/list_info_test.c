// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug list and mlirplug info: what plugins say of themselves.

#include "run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *plugins_read(const char *text) {
  json_error_t error;
  json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &error);
  cr_assert(object, "no JSON: %s in\n%s", error.text, text);
  json_t *plugins = json_object_get(object, "plugins");
  cr_assert(json_is_array(plugins), "no array of plugins in\n%s", text);
  json_incref(plugins);
  json_decref(object);
  return plugins;
}

static void expect_string(const json_t *object, const char *key,
                          const char *value) {
  const char *found = json_string_value(json_object_get(object, key));
  cr_assert(found, "no string '%s'", key);
  expect_text(found, value);
}

static bool has_text(const json_t *array, const char *text) {
  size_t index;
  const json_t *item;
  json_array_foreach(array, index, item) {
    if (json_is_string(item) && strcmp(json_string_value(item), text) == 0)
      return true;
  }
  return false;
}

Test(list, shows_the_plugins_that_are_installed) {
  struct command_result result =
      command_shell("%s list", COMMAND_WITH_DEFAULTS);
  expect_exit(&result, 0);
  expect_contains(result.output, "linalg-survey");
  expect_contains(result.output, "op-histogram");
  expect_contains(result.output, SHIPPED("op-histogram"));
  command_release(&result);
}

Test(list, shows_the_plugins_that_are_named) {
  struct command_result result = mlirplug_run(
      "list", EXAMPLE("forbid"), "--load-pass-plugin", EXAMPLE("op-count"));
  expect_silent_success(&result);
  expect_contains(result.output, "org.example.forbid 1.0.0");
  expect_contains(result.output, "attribute=<string>");
  expect_contains(result.output, "on func.func");
  expect_lacks(result.output, "op-histogram");
  command_release(&result);
}

Test(list, shows_what_is_right_beside_what_is_wrong) {
  struct command_result result =
      mlirplug_run("list", "/nowhere/x.so", EXAMPLE("forbid"));
  expect_exit(&result, 1);
  expect_contains(result.errors, "/nowhere/x.so");
  expect_contains(result.output, "org.example.forbid");
  command_release(&result);
}

Test(list, is_complete_or_fails_however_few_files_may_be_open) {
  for (int limit = 5; limit < 16; ++limit) {
    struct command_result result = command_shell(
        "ulimit -n %d; exec '%s/bin/mlirplug' list --no-default-plugins "
        "--plugin-dir='%s/test/plugins/pass'",
        limit, MLIRPLUG_BUILD_DIRECTORY, MLIRPLUG_BUILD_DIRECTORY);
    if (result.exit_code == 0)
      expect_contains(result.output, "version-2.so");
    else
      expect_contains(result.errors, "Too many open files");
    command_release(&result);
  }
}

Test(list, prints_json) {
  struct command_result result =
      mlirplug_run("list", "--json", SHIPPED("op-histogram"));
  expect_silent_success(&result);
  json_t *plugins = plugins_read(result.output);
  cr_assert(json_array_size(plugins) == 1);
  const json_t *plugin = json_array_get(plugins, 0);
  expect_string(plugin, "path", SHIPPED("op-histogram"));
  expect_string(plugin, "id", "org.mlirplug.op-histogram");
  expect_string(plugin, "version", "1.0.0");
  const json_t *pass = json_array_get(json_object_get(plugin, "passes"), 0);
  expect_string(pass, "name", "op-histogram");
  cr_expect(json_array_size(json_object_get(pass, "anchors")) == 0);
  const json_t *options = json_object_get(pass, "options");
  cr_assert(json_array_size(options) == 2);
  const json_t *top = json_array_get(options, 0);
  expect_string(top, "name", "top");
  expect_string(top, "kind", "int");
  cr_expect(json_is_false(json_object_get(top, "list")));
  cr_expect(json_is_integer(json_object_get(top, "default")));
  cr_expect(json_integer_value(json_object_get(top, "minimum")) == 0);
  const json_t *out = json_array_get(options, 1);
  expect_string(out, "kind", "string");
  expect_string(out, "default", "stderr");
  json_decref(plugins);
  command_release(&result);
}

Test(info, shows_everything_in_the_descriptor) {
  struct command_result result = mlirplug_run("info", EXAMPLE("op-count"));
  expect_silent_success(&result);
  expect_contains(result.output, EXAMPLE("op-count"));
  expect_contains(result.output, "org.example.op-count");
  expect_contains(result.output, "ABI         1.");
  expect_contains(result.output, "pass op-count");
  expect_contains(result.output, "func.func");
  expect_contains(result.output, "mlirOperationWalk");
  expect_contains(result.output, "mlirplug_diagnose");
  command_release(&result);
}

Test(info, prints_json) {
  struct command_result result =
      mlirplug_run("info", "--json", EXAMPLE("add-to-mul"), EXAMPLE("forbid"));
  expect_silent_success(&result);
  json_t *plugins = plugins_read(result.output);
  cr_assert(json_array_size(plugins) == 2);
  const json_t *plugin = json_array_get(plugins, 0);
  expect_string(plugin, "abi", "1.0");
  cr_expect(
      has_text(json_object_get(plugin, "imports"), "mlirOperationCreate"));
  const json_t *pass = json_array_get(json_object_get(plugin, "passes"), 0);
  cr_expect(has_text(json_object_get(pass, "dialects"), "arith"));
  cr_expect(has_text(json_object_get(pass, "names"), "arith.addi"));
  json_decref(plugins);
  command_release(&result);
}

Test(info, shows_what_is_right_beside_what_is_wrong) {
  struct command_result result =
      mlirplug_run("info", "/nowhere/x.so", EXAMPLE("forbid"));
  expect_exit(&result, 1);
  expect_contains(result.errors, "/nowhere/x.so");
  expect_contains(result.output, "org.example.forbid");
  command_release(&result);
}

/// A plugin whose constructor ends the process: it is read, never loaded.
static const char deadly[] =
    "#include <mlirplug/plugin.h>\n"
    "#include <stdlib.h>\n"
    "__attribute__((constructor)) static void die(void) { _Exit(77); }\n"
    "static mlirplug_status run(const mlirplug_run *run, MlirOperation op) {\n"
    "  (void)run; (void)op;\n"
    "  return MLIRPLUG_OK;\n"
    "}\n"
    "static const mlirplug_pass pass = {MLIRPLUG_PASS(\"deadly\", \"\"),\n"
    "                                   .run = run};\n"
    "MLIRPLUG_PLUGIN(\"test.deadly\", \"1\", &pass);\n";

Test(a_plugin, is_described_without_being_loaded) {
  char *directory = directory_create();
  file_write(path_in(directory, "d.c"), deadly, strlen(deadly));
  struct command_result result = mlirplug_shell(
      "cd %s && cc -shared -fPIC -fvisibility=hidden "
      "-I" MLIRPLUG_SOURCE_DIRECTORY "/sdk/include d.c -o d.so && "
      "for command in 'list d.so' 'info d.so' 'list --json d.so' "
      "'opt --list-passes --load-pass-plugin=d.so' "
      "'opt --help --load-pass-plugin=d.so'; do "
      "$MLIRPLUG $command | grep -q deadly || echo \"$command\"; done",
      directory);
  expect_silent_success(&result);
  expect_text(result.output, "");
  command_release(&result);
  free(directory);
}

Test(a_plugin, that_no_pipeline_names_is_not_loaded) {
  char *directory = directory_create();
  file_write(path_in(directory, "d.c"), deadly, strlen(deadly));
  struct command_result result = mlirplug_shell(
      "cd %s && cc -shared -fPIC -fvisibility=hidden "
      "-I" MLIRPLUG_SOURCE_DIRECTORY "/sdk/include d.c -o d.so && "
      "$MLIRPLUG opt --load-pass-plugin=d.so --cse " TWICE,
      directory);
  expect_silent_success(&result);
  expect_contains(result.output, "@twice");
  command_release(&result);
  free(directory);
}
