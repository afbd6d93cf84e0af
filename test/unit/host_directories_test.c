// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/text.h"
#include "support/command.h"
#include "support/mlir.h"
#include "support/system.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static mlirplug_host *host;
static mlirplug_error *error;
static char *directory;
static struct text warnings, decisions;

static void line_collect(struct text *text, const char *line) {
  text_add(text, line);
  text_add(text, "\n");
}

static void log_collect(const char *line, void *user_data) {
  (void)user_data;
  line_collect(&decisions, line);
}

static void warning_collect(const char *line, void *user_data) {
  (void)user_data;
  line_collect(&warnings, line);
}

static void create_with(bool trust_any) {
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .log = log_collect,
                                               .warn = warning_collect,
                                               .trust_any = trust_any};
  cr_assert_eq(mlirplug_host_create(&configuration, &host, &error),
               MLIRPLUG_OK);
}

static void create(void) {
  directory = directory_create();
  create_with(false);
}

static void release(void) {
  mlirplug_host_destroy(host);
  mlirplug_error_destroy(error);
  free(directory);
  text_release(&warnings);
  text_release(&decisions);
}

static const char *in_directory(const char *name) {
  static char paths[8][4096];
  static size_t next;
  char *path = paths[next++ % 8];
  (void)snprintf(path, sizeof paths[0], "%s/%s", directory, name);
  return path;
}

static void shell(const char *line) {
  struct command_result result =
      command_shell("cd '%s' && %s", directory, line);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
}

#define COPY(plugin, name) "cp " MLIR_PLUGIN(plugin) " " name

static void search(void) {
  cr_assert_eq(mlirplug_host_add_directory(host, directory, &error),
               MLIRPLUG_OK, "%s", error ? error->message : "");
}

static void search_in_vain(void) {
  cr_assert_eq(mlirplug_host_add_directory(host, directory, &error),
               MLIRPLUG_FAILED);
}

static void expect_in(const char *text, const char *part) {
  cr_assert_not_null(text, "nothing where \"%s\" should be", part);
  cr_expect_not_null(strstr(text, part), "no \"%s\" in: %s", part, text);
}

static void expect_refused(size_t index, const char *name, const char *found) {
  const mlirplug_refusal *refusal = mlirplug_host_refusal(host, index);
  cr_assert_not_null(refusal, "%s is not refused", name);
  cr_expect_str_eq(refusal->path, in_directory(name));
  expect_in(refusal->error->message, in_directory(name));
  expect_in(refusal->error->found, found);
}

static void expect_plugin(size_t index, const char *name) {
  const mlirplug_plugin_description *plugin = mlirplug_host_plugin(host, index);
  cr_assert_not_null(plugin, "%s is not there", name);
  cr_expect_str_eq(plugin->path, in_directory(name));
}

//===----------------------------------------------------------------------===//
// What is found
//===----------------------------------------------------------------------===//

TestSuite(found_plugins, .init = create, .fini = release);

Test(found_plugins, come_in_byte_order_and_know_their_directory) {
  shell(COPY("record", "b.so") " && " COPY("anchor", "B.so"));
  search();
  cr_assert_eq(mlirplug_host_plugin_count(host), 2);
  expect_plugin(0, "B.so");
  expect_plugin(1, "b.so");
  const mlirplug_directory *from = mlirplug_host_plugin_directory(host, 1);
  cr_assert_not_null(from);
  cr_expect_eq(from, mlirplug_host_directory(host, 0));
  cr_expect_eq(mlirplug_host_directory_count(host), 1);
  cr_expect_str_eq(from->path, directory);
  cr_expect_str_eq(from->origin, "named directory");
  cr_expect(from->exists);
  cr_expect_null(from->error);
  cr_expect_null(mlirplug_host_plugin_directory(host, 2));
  cr_expect_null(mlirplug_host_directory(host, 1));
  cr_expect_null(warnings.bytes);
}

Test(found_plugins, are_there_beside_those_that_fail) {
  shell("echo text > a.so && ln -s nowhere b.so && mkdir c.so && "
        ": > d.so && " COPY("record", "e.so"));
  search();
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
  expect_plugin(0, "e.so");
  cr_assert_eq(mlirplug_host_refusal_count(host), 4);
  expect_refused(0, "a.so", "text");
  expect_refused(1, "b.so", "No such file or directory");
  expect_refused(2, "c.so", "a directory");
  expect_refused(3, "d.so", "empty");
  cr_expect_null(mlirplug_host_refusal(host, 4));
  for (size_t i = 0; i < 4; ++i)
    expect_in(warnings.bytes, mlirplug_host_refusal(host, i)->error->message);
}

Test(found_plugins, count_once_by_two_names_in_two_directories) {
  shell(COPY("record", "a.so") " && ln -s a.so b.so && mkdir sub && "
                               "ln a.so sub/c.so");
  search();
  cr_assert_eq(mlirplug_host_add_directory(host, in_directory("sub"), &error),
               MLIRPLUG_OK);
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
  cr_expect_null(warnings.bytes);
  expect_in(decisions.bytes, "/b.so is already there, as ");
  expect_in(decisions.bytes, "/c.so is already there, as ");
}

Test(found_plugins, of_one_pass_stay_both_and_the_first_has_the_name) {
  shell(COPY("record", "a.so") " && " COPY("record", "b.so"));
  search();
  cr_expect_eq(mlirplug_host_plugin_count(host), 2);
  const mlirplug_plugin_description *first = NULL;
  cr_assert_not_null(mlirplug_host_find_pass(host, "record-name", &first));
  cr_expect_str_eq(first->path, in_directory("a.so"));
  expect_in(warnings.bytes, "'record-");
  expect_in(warnings.bytes, in_directory("a.so"));
  expect_in(warnings.bytes, in_directory("b.so"));
  cr_expect_eq(mlirplug_host_refusal_count(host), 0);
}

Test(found_plugins, of_one_pass_are_refused_in_a_pipeline) {
  shell(COPY("record", "a.so") " && " COPY("record", "b.so"));
  search();
  mlirplug_pipeline *pipeline = NULL;
  cr_assert_eq(mlirplug_pipeline_parse(host, "builtin.module(record-name)",
                                       &pipeline, &error),
               MLIRPLUG_FAILED);
  cr_expect_null(pipeline);
  expect_in(error->found, "at character 16: two plugins have a pass");
  expect_in(error->found, in_directory("a.so"));
  expect_in(error->found, in_directory("b.so"));
  expect_in(error->remedy, "remove");
}

Test(found_plugins, that_are_rebuilt_take_their_own_place) {
  shell(COPY("version-1", "a.so"));
  search();
  shell(COPY("version-2", "new") " && mv new a.so");
  search();
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
  cr_expect_str_eq(mlirplug_host_plugin(host, 0)->version, "2.0.0");
  cr_expect_null(warnings.bytes);
}

Test(found_plugins, with_a_line_break_in_the_name_are_warned_of_in_a_line) {
  shell("echo text > \"$(printf 'a\\nb.so')\"");
  search();
  cr_assert_not_null(warnings.bytes);
  cr_expect_eq(strchr(warnings.bytes, '\n'),
               warnings.bytes + warnings.length - 1);
  cr_expect_str_eq(mlirplug_host_refusal(host, 0)->path,
                   in_directory("a\nb.so"));
}

static void *search_on_thread(void *unused) {
  (void)unused;
  for (int i = 0; i < 20; ++i)
    if (mlirplug_host_add_directory(host, directory, NULL) != MLIRPLUG_OK ||
        !mlirplug_host_find_pass(host, "several", NULL) ||
        !mlirplug_host_refusal(host, 0))
      return &host;
  return NULL;
}

Test(found_plugins, are_the_same_on_many_threads) {
  shell(COPY("record", "a.so") " && " COPY("anchor", "b.so") " && : > c.so");
  pthread_t threads[8];
  for (size_t i = 0; i < 8; ++i)
    cr_assert_eq(pthread_create(&threads[i], NULL, search_on_thread, NULL), 0);
  for (size_t i = 0; i < 8; ++i) {
    void *failed = NULL;
    cr_assert_eq(pthread_join(threads[i], &failed), 0);
    cr_expect_null(failed);
  }
  cr_expect_eq(mlirplug_host_plugin_count(host), 2);
  cr_expect_null(strstr(warnings.bytes, "two plugins"));
}

//===----------------------------------------------------------------------===//
// Found and named
//===----------------------------------------------------------------------===//

TestSuite(named_and_found, .init = create, .fini = release);

Test(named_and_found, file_is_one_plugin_and_stays_named) {
  shell(COPY("record", "a.so"));
  cr_assert_eq(
      mlirplug_host_add_plugin(host, in_directory("a.so"), NULL, &error),
      MLIRPLUG_OK);
  search();
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
  cr_expect_null(mlirplug_host_plugin_directory(host, 0));
}

Test(named_and_found, other_file_of_a_named_ones_pass_is_an_error) {
  shell(COPY("record", "b.so") " && " COPY("anchor", "c.so"));
  cr_assert_eq(
      mlirplug_host_add_plugin(host, MLIR_PLUGIN("record"), NULL, &error),
      MLIRPLUG_OK);
  search_in_vain();
  expect_in(error->subject, in_directory("b.so"));
  expect_in(error->found, "'record-");
  expect_in(error->found, MLIR_PLUGIN("record"));
  expect_in(error->remedy, "remove");
  // The others are added all the same.
  cr_expect_not_null(mlirplug_host_find_pass(host, "several", NULL));
  cr_expect_eq(mlirplug_host_plugin_count(host), 2);
  expect_refused(0, "b.so", MLIR_PLUGIN("record"));
}

Test(named_and_found, named_file_of_a_found_ones_pass_is_an_error) {
  shell(COPY("record", "b.so"));
  search();
  cr_assert_eq(
      mlirplug_host_add_plugin(host, MLIR_PLUGIN("record"), NULL, &error),
      MLIRPLUG_FAILED);
  expect_in(error->message, in_directory("b.so"));
  expect_in(error->message, MLIR_PLUGIN("record"));
  expect_in(error->remedy, "remove");
}

Test(named_and_found, file_that_was_found_counts_as_named_from_then_on) {
  shell(COPY("record", "a.so") " && mkdir sub && " COPY("record", "sub/b.so"));
  search();
  const mlirplug_plugin_description *found = mlirplug_host_plugin(host, 0);
  shell("ln -s a.so link");
  cr_assert_eq(
      mlirplug_host_add_plugin(host, in_directory("link"), NULL, &error),
      MLIRPLUG_OK);
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
  cr_expect_null(mlirplug_host_plugin_directory(host, 0));
  cr_expect_str_eq(found->path, in_directory("a.so"));
  cr_expect_eq(mlirplug_host_add_directory(host, in_directory("sub"), &error),
               MLIRPLUG_FAILED);
  expect_in(error->message, in_directory("link"));
}

//===----------------------------------------------------------------------===//
// Directories
//===----------------------------------------------------------------------===//

TestSuite(directories, .init = create, .fini = release);

static void expect_failure(const char *path, const char *found) {
  cr_assert_eq(mlirplug_host_add_directory(host, path, &error),
               MLIRPLUG_FAILED);
  expect_in(error->found, found);
  cr_expect_not_null(error->remedy);
  mlirplug_error_destroy(error);
  error = NULL;
}

Test(directories, that_are_named_must_be_there) {
  shell("echo > file");
  expect_failure(in_directory("missing"), "No such file or directory");
  expect_failure(in_directory("file"), "Not a directory");
  expect_failure("", "empty");
  cr_expect_eq(mlirplug_host_directory_count(host), 0);
  cr_expect_eq(mlirplug_host_add_directory(host, "/nowhere", NULL),
               MLIRPLUG_FAILED);
}

Test(directories, that_are_named_and_empty_are_warned_of) {
  search();
  expect_in(warnings.bytes, directory);
  cr_expect_eq(mlirplug_host_plugin_count(host), 0);
}

Test(directories, may_be_relative) {
  shell("mkdir sub && " COPY("record", "sub/a.so"));
  cr_assert_eq(chdir(directory), 0);
  cr_assert_eq(mlirplug_host_add_directory(host, "./sub//", &error),
               MLIRPLUG_OK);
  cr_expect_str_eq(mlirplug_host_directory(host, 0)->path, in_directory("sub"));
  expect_plugin(0, "sub/a.so");
}

static size_t directory_find(const char *path) {
  size_t i = 0;
  while (i < mlirplug_host_directory_count(host) &&
         strcmp(mlirplug_host_directory(host, i)->path, path) != 0)
    ++i;
  return i;
}

Test(directories, by_default_are_those_of_the_environment_and_more) {
  shell("mkdir one && " COPY("record", "one/a.so") " && echo > two");
  char path[8192];
  (void)snprintf(path, sizeof path, "%s/one:%s/two:/nowhere/plugins", directory,
                 directory);
  setenv("MLIRPLUG_PATH", path, 1);
  cr_assert_eq(mlirplug_host_add_default_directories(host, &error),
               MLIRPLUG_OK);
  const mlirplug_directory *one = mlirplug_host_directory(host, 0);
  cr_expect_str_eq(one->path, in_directory("one"));
  cr_expect_str_eq(one->origin, "MLIRPLUG_PATH");
  expect_plugin(0, "one/a.so");
  // A file is no directory: warned of, and kept with the reason.
  const mlirplug_directory *two = mlirplug_host_directory(host, 1);
  cr_assert_not_null(two->error);
  cr_expect_eq(two->error, mlirplug_host_refusal(host, 0)->error);
  expect_in(two->error->found, "Not a directory");
  expect_in(warnings.bytes, in_directory("two"));
  const mlirplug_directory *missing = mlirplug_host_directory(host, 2);
  cr_expect_not(missing->exists);
  cr_expect_null(missing->error);
  cr_expect_eq(directory_find("/nowhere/mlirplug/plugins"), 3);
  cr_expect_lt(directory_find("/usr/lib/mlirplug/plugins"),
               mlirplug_host_directory_count(host));
}

Test(directories, by_default_are_not_searched_twice) {
  shell(COPY("record", "a.so") " && echo text > b.so");
  search();
  setenv("MLIRPLUG_PATH", directory, 1);
  cr_assert_eq(mlirplug_host_add_default_directories(host, &error),
               MLIRPLUG_OK);
  cr_expect_str_eq(mlirplug_host_plugin_directory(host, 0)->origin,
                   "named directory");
  for (size_t i = 0; i < mlirplug_host_refusal_count(host); ++i)
    cr_expect(i == 0 || strncmp(mlirplug_host_refusal(host, i)->path, directory,
                                strlen(directory)) != 0);
  for (size_t i = 1; i < mlirplug_host_directory_count(host); ++i)
    cr_expect_str_neq(mlirplug_host_directory(host, i)->path, directory);
}

Test(directories, by_default_fail_when_the_environment_is_wrong) {
  setenv("MLIRPLUG_PATH", "relative", 1);
  cr_assert_eq(mlirplug_host_add_default_directories(host, &error),
               MLIRPLUG_FAILED);
  expect_in(error->message, "'relative'");
  cr_expect_eq(mlirplug_host_directory_count(host), 0);
}

//===----------------------------------------------------------------------===//
// Trust
//===----------------------------------------------------------------------===//

enum { somebody = 4711 };

TestSuite(trust_of_a_host, .init = create, .fini = release);

Test(trust_of_a_host, in_found_files_is_each_files_own) {
  shell(COPY("record", "a.so") " && " COPY("anchor", "b.so"));
  system_set_owner(in_directory("a.so"), somebody, somebody);
  search();
  expect_refused(0, "a.so", "belongs to another user");
  cr_expect(mlirplug_host_refusal(host, 0)->error->untrusted);
  expect_in(warnings.bytes, in_directory("a.so"));
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
  expect_plugin(0, "b.so");
}

Test(trust_of_a_host, in_named_files_does_not_look_at_directories) {
  shell(COPY("record", "a.so"));
  system_set_owner(directory, somebody, somebody);
  search_in_vain();
  expect_in(error->message, "belongs to another user");
  cr_expect(error->untrusted);
  mlirplug_error_destroy(error);
  error = NULL;
  cr_assert_eq(
      mlirplug_host_add_plugin(host, in_directory("a.so"), NULL, &error),
      MLIRPLUG_OK);
}

Test(trust_of_a_host, in_named_files_wants_them_to_be_ones_own) {
  shell(COPY("record", "a.so"));
  system_set_owner(in_directory("a.so"), somebody, somebody);
  cr_assert_eq(
      mlirplug_host_add_plugin(host, in_directory("a.so"), NULL, &error),
      MLIRPLUG_FAILED);
  expect_in(error->message, "belongs to another user");
  cr_expect(error->untrusted);
  cr_expect_eq(mlirplug_host_plugin_count(host), 0);
}

Test(trust_of_a_host, in_a_default_directory_is_warned_of) {
  shell(COPY("record", "a.so"));
  system_set_mode(directory, 0777);
  setenv("MLIRPLUG_PATH", directory, 1);
  cr_assert_eq(mlirplug_host_add_default_directories(host, &error),
               MLIRPLUG_OK);
  cr_expect_str_eq(mlirplug_host_refusal(host, 0)->path, directory);
  cr_expect(mlirplug_host_directory(host, 0)->error->untrusted);
  expect_in(warnings.bytes, "everybody may write");
  cr_expect_null(mlirplug_host_find_pass(host, "record-name", NULL));
}

Test(trust_of_a_host, that_is_off_warns_instead) {
  mlirplug_host_destroy(host);
  create_with(true);
  shell(COPY("record", "a.so") " && echo text > b.so");
  system_set_owner(directory, somebody, somebody);
  system_set_mode(in_directory("a.so"), 0666);
  search();
  expect_plugin(0, "a.so");
  expect_in(warnings.bytes,
            "trust is off: cannot trust the plugin directory '");
  expect_in(warnings.bytes, "trust is off: cannot trust the plugin '");
  // What is no plugin does not become one.
  expect_refused(0, "b.so", "text");
  cr_expect_eq(mlirplug_host_refusal_count(host), 1);
}
