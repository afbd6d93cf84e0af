// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins that nobody names: where they are looked for, whose are trusted, and
// the list of it all.

#include "directory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

//===----------------------------------------------------------------------===//
// What is searched
//===----------------------------------------------------------------------===//

TestSuite(searching, .init = two_make, .fini = directory_forget);

Test(searching, loads_only_the_plugin_that_the_pipeline_names) {
  struct command_result result =
      mlirplug_shell("$MLIRPLUG opt --plugin-dir=%s" RUN("cse"), directory);
  expect_silent_success(&result);
  expect_loaded("dir-one", false);
  expect_loaded("dir-two", false);
  command_release(&result);
  result =
      mlirplug_shell("$MLIRPLUG opt --plugin-dir=%s" RUN("dir-two"), directory);
  expect_exit(&result, 0);
  expect_contains(result.errors, "remark: dir-two ran");
  expect_loaded("dir-one", false);
  expect_loaded("dir-two", true);
  command_release(&result);
}

Test(searching, finds_the_users_directory) {
  struct command_result result = mlirplug_shell(
      "mkdir -p %s/.local/share/mlirplug && "
      "ln -s %s %s/.local/share/mlirplug/plugins && unset XDG_DATA_HOME && "
      "HOME=%s " COMMAND_WITH_DEFAULTS " opt" RUN("dir-one"),
      marks, directory, marks, marks);
  expect_exit(&result, 0);
  expect_contains(result.errors, "dir-one ran");
  command_release(&result);
}

Test(searching, can_be_switched_off) {
  struct command_result result = mlirplug_shell(
      "MLIRPLUG_PATH=%s " COMMAND_WITH_DEFAULTS " list --no-default-plugins",
      directory);
  expect_silent_success(&result);
  expect_text(result.output, "No plugins.\n");
  command_release(&result);
}

Test(searching, takes_a_directory_once_and_by_its_flag_first) {
  struct command_result result = mlirplug_shell(
      "MLIRPLUG_PATH=%s " COMMAND_WITH_DEFAULTS " list --plugin-dir=%s/",
      directory, directory);
  expect_exit(&result, 0);
  expect_contains(result.output, in_directory("one.so  (named directory)"));
  expect_lacks(result.output, "MLIRPLUG_PATH");
  command_release(&result);
}

Test(searching, refuses_a_relative_directory_of_the_environment) {
  struct command_result result = mlirplug_shell(
      "MLIRPLUG_PATH=plugins " COMMAND_WITH_DEFAULTS " opt " TWICE);
  expect_exit(&result, 1);
  expect_text(result.output, "");
  expect_line(result.errors, LINE("MLIRPLUG_PATH", "'plugins'", "absolute"));
  command_release(&result);
}

Test(searching, does_not_happen_when_list_is_given_files) {
  struct command_result result = mlirplug_shell(
      "MLIRPLUG_PATH=%s " COMMAND_WITH_DEFAULTS " list " EXAMPLE("forbid"),
      directory);
  expect_silent_success(&result);
  expect_lacks(result.output, "dir-one");
  expect_lacks(result.output, "Searched");
  command_release(&result);
}

Test(searching, adds_its_passes_to_help_and_lists) {
  static const char *const forms[] = {"--help", "--list-passes"};
  for (size_t i = 0; i < 2; ++i) {
    struct command_result result =
        mlirplug_run("opt", "--plugin-dir", directory, forms[i]);
    expect_silent_success(&result);
    expect_contains(result.output, "dir-one");
    expect_contains(result.output, "dir-two");
    command_release(&result);
  }
  expect_loaded("dir-one", false);
}

Test(searching, that_refused_files_says_so_to_who_misses_a_pass) {
  struct command_result result =
      mlirplug_shell("for i in a b c d; do echo text > %s/$i.so; done; "
                     "$MLIRPLUG opt --plugin-dir=%s --missing " TWICE,
                     directory, directory);
  expect_exit(&result, 2);
  expect_line(result.errors, LINE("note", in_directory("a.so"), "text"));
  expect_line(result.errors, LINE("note", "others", "(1)"));
  command_release(&result);
  result = mlirplug_shell("$MLIRPLUG opt --plugin-dir=%s "
                          "--pass-pipeline='builtin.module(missing)' " TWICE,
                          directory);
  expect_exit(&result, 1);
  expect_line(result.errors,
              LINE("'missing' does not refer to a registered pass",
                   in_directory("a.so"), "text", "and 1 more"));
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Trust
//===----------------------------------------------------------------------===//

TestSuite(trust, .init = two_make, .fini = directory_forget);

static void set_mode(const char *path, mode_t mode) {
  cr_assert_eq(chmod(path, mode), 0);
}

Test(trust, not_in_a_file_that_everybody_may_write_to_but_in_the_others) {
  set_mode(in_directory("one.so"), 0666);
  struct command_result result =
      mlirplug_shell("$MLIRPLUG opt --plugin-dir=%s" RUN("dir-two"), directory);
  expect_exit(&result, 0);
  expect_line(result.errors,
              LINE("warning: cannot trust", in_directory("one.so"), "chmod"));
  expect_line(result.errors, LINE("note", "--trust=any"));
  expect_contains(result.errors, "dir-two ran");
  command_release(&result);
  result =
      mlirplug_shell("$MLIRPLUG opt --plugin-dir=%s" RUN("dir-one"), directory);
  expect_exit(&result, 2);
  expect_line(result.errors, LINE("note: it may be in", in_directory("one.so"),
                                  "everybody may write"));
  expect_loaded("dir-one", false);
  command_release(&result);
}

Test(trust, not_in_a_named_file_that_everybody_may_write_to) {
  set_mode(in_directory("one.so"), 0666);
  struct command_result result = mlirplug_run(
      "opt", "--load-pass-plugin", in_directory("one.so"), "--dir-one", TWICE);
  expect_refusal(&result, 1);
  expect_line(result.errors, LINE("cannot trust", in_directory("one.so"),
                                  "chmod", "--trust=any"));
  command_release(&result);
  result = mlirplug_run("opt", "--load-pass-plugin", in_directory("one.so"),
                        "--trust=any", "--dir-one", "-o", "/dev/null", TWICE);
  expect_exit(&result, 0);
  expect_line(result.errors,
              LINE("warning: trust is off", in_directory("one.so")));
  expect_contains(result.errors, "dir-one ran");
  command_release(&result);
}

Test(trust, not_in_a_directory_that_everybody_may_write_to) {
  set_mode(directory, 0777);
  struct command_result result =
      mlirplug_run("opt", "--plugin-dir", directory, TWICE);
  expect_refusal(&result, 1);
  expect_line(result.errors, LINE("cannot trust the plugin directory",
                                  directory, "chmod", "--trust=any"));
  command_release(&result);
  result = mlirplug_shell(
      "MLIRPLUG_PATH=%s " COMMAND_WITH_DEFAULTS " opt" RUN("cse"), directory);
  expect_exit(&result, 0);
  expect_line(result.errors,
              LINE("warning: cannot trust the plugin directory", directory));
  command_release(&result);
}

Test(trust, in_a_named_file_wherever_it_lies) {
  set_mode(directory, 0777);
  struct command_result result =
      mlirplug_run("opt", "--load-pass-plugin", in_directory("one.so"),
                   "--dir-one", "-o", "/dev/null", TWICE);
  expect_exit(&result, 0);
  expect_contains(result.errors, "dir-one ran");
  command_release(&result);
}

Test(trust, of_any_kind_is_loud) {
  set_mode(directory, 0777);
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt --trust=any --plugin-dir=%s" RUN("dir-one"), directory);
  expect_exit(&result, 0);
  expect_line(result.errors, LINE("warning: trust is off", directory));
  expect_line(result.errors,
              LINE("warning: trust is off", in_directory("one.so")));
  expect_contains(result.errors, "dir-one ran");
  expect_loaded("dir-two", false);
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

TestSuite(the_list, .init = tree_make, .fini = directory_forget);

Test(the_list, shows_what_was_refused_and_where_plugins_are_looked_for) {
  set_mode(in_directory("10-two.so"), 0666);
  struct command_result result = mlirplug_run(
      "list", "--plugin-dir", directory, "--plugin-dir", in_directory("empty"));
  expect_exit(&result, 0);
  expect_contains(result.output, in_directory("20-one.so  (named directory)"));
  const char *refused = strstr(result.output, "\nRefused:\n");
  const char *searched = strstr(result.output, "\nSearched:\n");
  cr_assert(refused && searched && refused < searched);
  expect_line(refused, LINE(in_directory("10-two.so"), "everybody may write"));
  expect_line(refused, LINE(in_directory("50-broken.so"), "text"));
  expect_line(refused, LINE(in_directory("60-dangling.so"), "No such file"));
  expect_order(searched, directory, in_directory("empty  (named directory)"));
  command_release(&result);
}

static const json_t *entry_find(const json_t *array, const char *path) {
  size_t index;
  const json_t *entry;
  json_array_foreach(array, index, entry) {
    if (strcmp(json_string_value(json_object_get(entry, "path")), path) == 0)
      return entry;
  }
  cr_assert_fail("no entry has the path %s", path);
  return NULL;
}

static void expect_field(const json_t *entry, const char *key,
                         const char *part) {
  const char *value = json_string_value(json_object_get(entry, key));
  cr_assert(value, "no string '%s'", key);
  expect_contains(value, part);
}

Test(the_list, is_all_there_as_json) {
  set_mode(in_directory("10-two.so"), 0666);
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG list --json --load-pass-plugin=%s/20-one.so --plugin-dir=%s; "
      "rm %s/40-copy.so; MLIRPLUG_PATH=%s:/nowhere " COMMAND_WITH_DEFAULTS
      " list --json",
      directory, directory, directory, directory);
  // The copy clashes with a plugin that was named.
  json_t *first = json_loads(result.output, JSON_DISABLE_EOF_CHECK, NULL);
  cr_assert(first);
  expect_field(
      entry_find(json_object_get(first, "plugins"), in_directory("20-one.so")),
      "origin", "named");
  expect_field(
      entry_find(json_object_get(first, "refused"), in_directory("40-copy.so")),
      "found", in_directory("20-one.so"));
  json_decref(first);

  json_t *list = json_loads(strstr(result.output, "\n}\n") + 3, 0, NULL);
  cr_assert(list);
  expect_field(
      entry_find(json_object_get(list, "plugins"), in_directory("20-one.so")),
      "origin", "MLIRPLUG_PATH");
  const json_t *refused = json_object_get(list, "refused");
  const json_t *two = entry_find(refused, in_directory("10-two.so"));
  expect_field(two, "message", "everybody may write");
  expect_field(two, "remedy", "chmod");
  cr_expect(json_is_true(json_object_get(two, "untrusted")));
  const json_t *broken = entry_find(refused, in_directory("50-broken.so"));
  expect_field(broken, "expected", "ELF");
  cr_expect(json_is_false(json_object_get(broken, "untrusted")));
  const json_t *directories = json_object_get(list, "directories");
  const json_t *found = entry_find(directories, directory);
  expect_field(found, "origin", "MLIRPLUG_PATH");
  cr_expect(json_is_true(json_object_get(found, "exists")));
  cr_expect(json_is_false(json_object_get(found, "refused")));
  cr_expect(json_is_false(
      json_object_get(entry_find(directories, "/nowhere"), "exists")));
  json_decref(list);
  command_release(&result);
}
