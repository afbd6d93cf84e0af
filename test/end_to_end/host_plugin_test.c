// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that a host plugin brings as plugins: those of
// test/plugins/pass/host.c.

#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HOST LOAD(MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/host.so")

static char *directory;

static void made(void) { directory = directory_create(); }
static void gone(void) { free(directory); }

static const char *words_write(const char *name, const char *text) {
  const char *path = path_in(directory, name);
  file_write(path, text, strlen(text));
  return path;
}

/// A line of words which tells that the file was opened.
static const char *marked(const char *text) {
  static char line[4096];
  snprintf(line, sizeof line, "#%s\n%s", directory, text);
  return line;
}

static bool was_opened(void) {
  return file_exists(path_in(directory, "opened"));
}

TestSuite(a_file_of_another_language, .init = made, .fini = gone);

Test(a_file_of_another_language, has_passes_like_any_plugin) {
  const char *path = words_write("two.words", "dog\ncat\n");
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt " HOST " --load-pass-plugin=%s --cat --dog " TWICE
      " -o /dev/null",
      path);
  expect_exit(&result, 0);
  const char *cat = strstr(result.errors, "remark: I am cat");
  cr_assert(cat && strstr(cat, "remark: I am dog"), "%s", result.errors);
  command_release(&result);
}

Test(a_file_of_another_language, is_listed_with_its_passes_when_it_is_named) {
  const char *path = words_write("two.wds", "dog\ncat\n");
  struct command_result result =
      mlirplug_shell("$MLIRPLUG list " HOST " %s", path);
  expect_silent_success(&result);
  expect_contains(result.output,
                  "(brings Words files as plugins: .words,.wds)");
  expect_contains(result.output, "org.example.words (none)");
  expect_contains(result.output, "dog                       Says its name");
  command_release(&result);
}

Test(a_file_of_another_language, is_not_opened_when_it_is_only_found) {
  words_write("two.words", marked("dog\n"));
  struct command_result result =
      mlirplug_shell("$MLIRPLUG list " HOST " --plugin-dir=%s", directory);
  expect_silent_success(&result);
  expect_contains(result.output, "two.words (none)");
  expect_contains(result.output,
                  "(Words; its passes are known once it is named)");
  cr_assert(!was_opened());
  command_release(&result);
  result = mlirplug_shell("$MLIRPLUG list --json " HOST " --plugin-dir=%s",
                          directory);
  expect_contains(result.output, "\"language\": \"Words\"");
  expect_contains(result.output, "\"opened\": false");
  cr_assert(!was_opened());
  command_release(&result);
}

Test(a_file_of_another_language, is_found_where_a_cache_knows_the_directory,
     .timeout = 60) {
  words_write("two.words", "dog\n");
  struct command_result result = command_shell(
      "cd %s && for i in $(seq 20); do cp " EXAMPLE(
          "totals") " $i.so; done && "
                    "touch -d '1 hour ago' *.so *.words . && sleep 3",
      directory);
  expect_exit(&result, 0);
  for (int i = 0; i < 2; ++i) {
    command_release(&result);
    result = mlirplug_shell("XDG_CACHE_HOME=%s/cache $MLIRPLUG list " HOST
                            " --plugin-dir=%s",
                            directory, directory);
    expect_contains(result.output,
                    "(Words; its passes are known once it is named)");
  }
  command_release(&result);
  result = mlirplug_shell("ls %s/cache/mlirplug", directory);
  expect_contains(result.output, ".cache");
  command_release(&result);
  result = mlirplug_shell("XDG_CACHE_HOME=%s/cache $MLIRPLUG opt " HOST
                          " --plugin-dir=%s --dog " TWICE " -o /dev/null",
                          directory, directory);
  expect_contains(result.errors, "remark: I am dog");
  command_release(&result);
}

Test(a_file_of_another_language, is_opened_when_its_pass_is_asked_for) {
  words_write("two.words", marked("dog\n"));
  words_write("other.words", "!this must not be opened\n");
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt " HOST
      " --plugin-dir=%s --pass-pipeline='builtin.module(dog)' " TWICE
      " -o /dev/null",
      directory);
  expect_exit(&result, 0);
  expect_contains(result.errors, "remark: I am dog");
  expect_lacks(result.errors, "other.words");
  cr_assert(was_opened());
  command_release(&result);
}

Test(a_file_of_another_language, is_not_opened_for_passes_of_others) {
  words_write("two.words", marked("dog\n"));
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt " HOST
      " --plugin-dir=%s --pass-pipeline='builtin.module(cse)' " TWICE
      " -o /dev/null",
      directory);
  expect_silent_success(&result);
  cr_assert(!was_opened());
  command_release(&result);
}

Test(a_file_of_another_language, is_refused_by_its_host_plugin) {
  const char *path = words_write("bad.words", "!it has no words\n");
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt " HOST " --load-pass-plugin=%s " TWICE, path);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "bad.words': it has no words; expected words; "
                                 "write some");
  command_release(&result);
}

Test(a_file_of_another_language, is_refused_without_a_word) {
  const char *path = words_write("bad.words", "?\n");
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt " HOST " --load-pass-plugin=%s " TWICE, path);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "its host plugin does not say why");
  command_release(&result);
}

Test(a_file_of_another_language, is_checked_like_any_plugin) {
  const char *path = words_write("bad.words", "a dog\n");
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt " HOST " --load-pass-plugin=%s " TWICE, path);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "the name of pass 0 ('a dog')");
  command_release(&result);
}

Test(a_file_of_another_language, is_no_plugin_without_its_host_plugin) {
  const char *path = words_write("two.words", "dog\n");
  struct command_result result =
      mlirplug_shell("$MLIRPLUG opt --load-pass-plugin=%s " TWICE, path);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "not a shared library");
  command_release(&result);
}

Test(a_file_of_another_language, that_fails_when_found_is_warned_of) {
  words_write("bad.words", "!it has no words, not even dog\n");
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt " HOST
      " --plugin-dir=%s --pass-pipeline='builtin.module(dog)' " TWICE,
      directory);
  expect_exit(&result, 1);
  expect_contains(result.errors, "warning: cannot open the plugin");
  expect_contains(result.errors, "or it is in what was refused");
  command_release(&result);
}

Test(a_file_of_another_language, must_be_trusted) {
  const char *path = words_write("two.words", marked("dog\n"));
  cr_assert(chmod(path, 0666) == 0);
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt " HOST " --load-pass-plugin=%s " TWICE, path);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "chmod");
  cr_assert(!was_opened());
  command_release(&result);
  result = mlirplug_shell(
      "$MLIRPLUG opt " HOST
      " --plugin-dir=%s --pass-pipeline='builtin.module(dog)' " TWICE,
      directory);
  expect_exit(&result, 1);
  expect_contains(result.errors, "chmod");
  cr_assert(!was_opened());
  command_release(&result);
}

Test(a_file_of_another_language, with_the_pass_of_another_plugin_is_refused) {
  words_write("one.words", "dog\n");
  const char *path = words_write("two.words", "dog\n");
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt " HOST
      " --load-pass-plugin=%s/one.words --load-pass-plugin=%s " TWICE,
      directory, path);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "its pass 'dog' is already there");
  command_release(&result);
}
