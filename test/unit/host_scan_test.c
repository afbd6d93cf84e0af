// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directories with so many plugins that what was read there is kept.

#include "base/text.h"
#include "catalog/cache.h"
#include "host/scan.h"
#include "support/command.h"
#include "support/mlir.h"
#include "support/system.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { file_count = 20 };

static char *directory, *home;
static struct text decisions, warnings;
static mlirplug_error *error;

static void log_collect(const char *line, void *user_data) {
  (void)user_data;
  text_add(&decisions, line);
  text_add(&decisions, "\n");
}

static void warning_collect(const char *line, void *user_data) {
  (void)user_data;
  text_add(&warnings, line);
  text_add(&warnings, "\n");
}

static void shell(const char *line) {
  struct command_result result =
      command_shell("cd '%s' && %s", directory, line);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
}

static void create(void) {
  directory = directory_create();
  home = directory_create();
  cr_assert_eq(setenv("XDG_CACHE_HOME", home, 1), 0);
  shell("for i in $(seq -w 20); do cp " MLIR_PLUGIN("record") " $i.so; done");
  system_wait(10);
}

static void release(void) {
  mlirplug_error_destroy(error);
  text_release(&decisions);
  text_release(&warnings);
  free(directory);
  free(home);
}

static mlirplug_host *host_of(bool no_cache) {
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .log = log_collect,
                                               .warn = warning_collect,
                                               .no_cache = no_cache};
  mlirplug_host *host;
  cr_assert_eq(mlirplug_host_create(&configuration, &host, &error),
               MLIRPLUG_OK);
  return host;
}

static void search(mlirplug_host *host) {
  text_release(&decisions);
  cr_assert_eq(mlirplug_host_add_directory(host, directory, &error),
               MLIRPLUG_OK, "%s", error ? error->message : "");
}

static size_t count_of(const char *part) {
  size_t count = 0;
  for (const char *at = decisions.bytes; at && (at = strstr(at, part)); ++at)
    ++count;
  return count;
}

/// Searches with a new host, of which `read` files were read.
static mlirplug_host *expect_read(size_t read) {
  mlirplug_host *host = host_of(false);
  search(host);
  cr_expect_eq(mlirplug_host_plugin_count(host), file_count);
  cr_expect_eq(count_of("read /"), read, "%s", decisions.bytes);
  cr_expect_eq(count_of("is as it was in the cache"), file_count - read);
  return host;
}

static void expect_reads(size_t read) {
  mlirplug_host_destroy(expect_read(read));
}

TestSuite(scan, .init = create, .fini = release);

Test(scan, reads_each_file_once) {
  expect_reads(file_count);
  cr_expect_eq(count_of("wrote the cache"), 1);
  expect_reads(0);
  cr_expect_eq(count_of("wrote the cache"), 0);
}

Test(scan, says_the_same_from_the_cache) {
  mlirplug_host *first = expect_read(file_count), *second = expect_read(0);
  for (size_t i = 0; i < file_count; ++i) {
    const mlirplug_plugin_description *before = mlirplug_host_plugin(first, i);
    const mlirplug_plugin_description *after = mlirplug_host_plugin(second, i);
    cr_assert_not_null(after);
    cr_expect_str_eq(before->path, after->path);
    cr_expect_str_eq(before->id, after->id);
    cr_expect_eq(before->pass_count, after->pass_count);
    cr_expect_eq(mlirplug_host_plugin(second, i), after);
  }
  const char *name = mlirplug_host_plugin(first, 0)->passes[0]->name;
  const mlirplug_plugin_description *plugin = NULL;
  cr_assert_not_null(mlirplug_host_find_pass(second, name, &plugin));
  cr_expect_eq(plugin, mlirplug_host_plugin(second, 0));
  mlirplug_host_destroy(first);
  mlirplug_host_destroy(second);
}

Test(scan, sees_a_rebuilt_file_at_once) {
  expect_reads(file_count);
  shell("cp " MLIR_PLUGIN("version-2") " new && mv new 07.so");
  mlirplug_host *host = expect_read(1);
  cr_expect_str_eq(mlirplug_host_plugin(host, 6)->version, "2.0.0");
  mlirplug_host_destroy(host);
}

Test(scan, sees_a_file_that_was_written_over_with_its_old_date) {
  expect_reads(file_count);
  shell("touch -r 07.so date && cat 07.so > 07.copy && cat 07.copy > 07.so && "
        "touch -r date 07.so");
  expect_reads(1);
}

Test(scan, sees_files_that_came_and_went) {
  expect_reads(file_count);
  shell("mv 03.so 035.so && rm 05.so && cp 06.so 99.so");
  expect_reads(2);
}

Test(scan, writes_small_changes_only_after_a_while) {
  expect_reads(file_count);
  shell("cp 06.so 99.so && rm 05.so");
  expect_reads(1);
  cr_expect_eq(count_of("wrote the cache"), 0);
  system_wait(100);
  expect_reads(1);
  cr_expect_eq(count_of("wrote the cache"), 1);
  expect_reads(0);
}

Test(scan, sees_a_new_file_when_the_names_were_kept) {
  expect_reads(file_count);
  expect_reads(0);
  shell("mv 20.so 20.txt");
  mlirplug_host *host = host_of(false);
  search(host);
  cr_expect_eq(mlirplug_host_plugin_count(host), file_count - 1);
  mlirplug_host_destroy(host);
  shell("mv 20.txt 21.so");
  expect_reads(1);
}

Test(scan, looks_each_time_at_files_that_were_refused) {
  shell("echo text > 99.so");
  for (int i = 0; i < 2; ++i) {
    mlirplug_host_destroy(expect_read(i ? 0 : file_count));
    cr_expect_not_null(strstr(warnings.bytes, "99.so': not a shared library"));
    text_release(&warnings);
  }
  shell("cp 01.so 99.so && rm 01.so");
  expect_reads(1);
}

Test(scan, refuses_a_cached_file_that_others_may_write_to_now) {
  expect_reads(file_count);
  shell("chmod o+w 11.so");
  mlirplug_host *host = host_of(false);
  search(host);
  cr_expect_eq(mlirplug_host_plugin_count(host), file_count - 1);
  cr_assert_eq(mlirplug_host_refusal_count(host), 1);
  cr_expect(mlirplug_host_refusal(host, 0)->error->untrusted);
  mlirplug_host_destroy(host);
}

Test(scan, says_the_same_warnings_from_the_cache) {
  shell("cp " MLIR_PLUGIN("state") " 12.so");
  expect_reads(file_count);
  char *first = text_take(&warnings);
  cr_expect_not_null(strstr(first, "12.so': it exports more"), "%s", first);
  expect_reads(0);
  cr_expect_str_eq(warnings.bytes, first);
  free(first);
}

Test(scan, does_not_keep_what_was_changed_just_now) {
  system_wait(-10);
  expect_reads(file_count);
  cr_expect_eq(count_of("wrote the cache"), 0);
}

Test(scan, does_not_use_the_cache_when_told_so) {
  mlirplug_host *host = host_of(true);
  search(host);
  cr_expect_eq(count_of("wrote the cache"), 0);
  mlirplug_host_destroy(host);
  expect_reads(file_count);
  host = host_of(true);
  search(host);
  cr_expect_eq(count_of("read /"), file_count);
  mlirplug_host_destroy(host);
}

Test(scan, of_few_files_keeps_nothing) {
  shell("rm 1*.so");
  mlirplug_host *host = host_of(false);
  search(host);
  cr_expect_eq(count_of("wrote the cache"), 0);
  mlirplug_host_destroy(host);
}

Test(scan, works_without_a_place_for_the_cache) {
  cr_assert_eq(setenv("XDG_CACHE_HOME", "/dev/null/none", 1), 0);
  expect_reads(file_count);
  cr_expect_eq(count_of("cannot write a cache"), 1);
  expect_reads(file_count);
}

Test(scan, follows_links_every_time) {
  shell("mv 04.so target && ln -s target 04.so");
  expect_reads(file_count);
  expect_reads(1);
}

/// Where the cache is.
static char *cache_of_directory(void) {
  char *path = cache_path(directory);
  cr_assert_not_null(path);
  return path;
}

Test(scan, reads_the_files_again_if_the_cache_was_damaged) {
  expect_reads(file_count);
  char *path = cache_of_directory();
  cr_assert_eq(truncate(path, 200), 0);
  expect_reads(file_count);
  free(path);
}

Test(scan, reads_a_file_whose_description_was_damaged) {
  expect_reads(file_count);
  mlirplug_host *host = expect_read(0);
  char *path = cache_of_directory();
  struct stat status;
  cr_assert_eq(stat(path, &status), 0);
  // The index is in memory by now.
  cr_assert_eq(truncate(path, status.st_size / 3), 0);
  for (size_t i = 0; i < file_count; ++i)
    cr_expect_not_null(mlirplug_host_plugin(host, i));
  mlirplug_host_destroy(host);
  free(path);
}

Test(scan, says_what_is_wrong_when_neither_cache_nor_file_can_be_read) {
  expect_reads(file_count);
  mlirplug_host *host = expect_read(0);
  char *path = cache_of_directory();
  cr_assert_eq(truncate(path, 0), 0);
  shell("touch 01.so");
  cr_expect_null(mlirplug_host_plugin(host, 0));
  cr_expect_not_null(mlirplug_host_plugin(host, 1));
  mlirplug_host_destroy(host);
  free(path);
}

Test(scan, of_one_file_twice_counts_it_once) {
  shell("ln 02.so 025.so");
  expect_reads(file_count);
  expect_reads(0);
}

Test(scan, makes_a_plugin_that_is_named_later_a_named_one) {
  expect_reads(file_count);
  mlirplug_host *host = expect_read(0);
  char *path;
  cr_assert_gt(asprintf(&path, "%s/01.so", directory), 0);
  const mlirplug_plugin_description *description;
  // The other files have the same passes.
  cr_expect_eq(mlirplug_host_add_plugin(host, path, &description, &error),
               MLIRPLUG_FAILED);
  shell("rm 0[2-9].so 1*.so 20.so");
  mlirplug_host_destroy(host);
  host = host_of(false);
  search(host);
  mlirplug_error_destroy(error);
  error = NULL;
  cr_expect_eq(mlirplug_host_add_plugin(host, path, &description, &error),
               MLIRPLUG_OK);
  cr_expect_null(mlirplug_host_plugin_directory(host, 0));
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
  mlirplug_host_destroy(host);
  free(path);
}

static void *describe_all(void *host) {
  for (size_t i = 0; i < file_count; ++i)
    if (!mlirplug_host_plugin(host, i))
      return host;
  return NULL;
}

Test(scan, gives_all_threads_one_description) {
  expect_reads(file_count);
  mlirplug_host *host = expect_read(0);
  pthread_t threads[8];
  for (size_t i = 0; i < 8; ++i)
    cr_assert_eq(pthread_create(&threads[i], NULL, describe_all, host), 0);
  for (size_t i = 0; i < 8; ++i) {
    void *failed;
    pthread_join(threads[i], &failed);
    cr_expect_null(failed);
  }
  mlirplug_host_destroy(host);
}

/// Opens `path`, does `meanwhile` in the directory, and scans.
static void scan_around(mlirplug_host *host, const char *path,
                        const char *meanwhile, int seconds) {
  struct scan_source source;
  const mlirplug_directory scanned = {.path = path, .exists = true};
  text_release(&decisions);
  cr_assert_eq(scan_source_open(host, path, true, &source, &error),
               MLIRPLUG_OK);
  shell(meanwhile);
  system_wait(seconds);
  cr_assert_eq(host_scan(host, &scanned, &source, &error), MLIRPLUG_OK);
  scan_source_close(&source);
}

Test(scan, of_a_link_that_is_flipped_mixes_no_directories) {
  // Other files by the same names.
  shell("mkdir a b && mv *.so a && cp a/*.so b && ln -s a link");
  system_wait(10);
  char *path;
  cr_assert_gt(asprintf(&path, "%s/link", directory), 0);
  mlirplug_host *host = host_of(false);
  scan_around(host, path, "rm link && ln -s b link", 0);
  // None of them was what the first directory had.
  cr_expect_eq(count_of("wrote the cache"), 0, "%s", decisions.bytes);
  mlirplug_host_destroy(host);
  free(path);
}

Test(scan, does_not_keep_a_list_that_may_have_changed_since_it_was_made) {
  mlirplug_host *host = host_of(false);
  system_wait(-10); // the last ten, which have made all look old
  // By the end of a long scan all is old; but it was not when it began.
  scan_around(host, directory, "true", 10);
  cr_expect_eq(count_of("wrote the cache"), 0);
  mlirplug_host_destroy(host);
}

/// Searches with room for `room` more descriptors.
static bool search_with(mlirplug_host *host, int room) {
  struct rlimit all, few;
  int next = dup(0);
  cr_assert_geq(next, 0);
  close(next);
  cr_assert_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
  few = all;
  few.rlim_cur = (rlim_t)next + (rlim_t)room;
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
  mlirplug_status status = mlirplug_host_add_directory(host, directory, &error);
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
  return status == MLIRPLUG_OK;
}

Test(scan, is_complete_or_fails_however_few_files_may_be_open) {
  bool was_complete = false;
  for (int room = 0; room < 10; ++room) {
    mlirplug_host *host = host_of(true);
    if (search_with(host, room)) {
      was_complete = true;
      cr_expect_eq(mlirplug_host_plugin_count(host), file_count, "room: %d",
                   room);
    } else {
      cr_expect(error->is_exhausted, "%s", error->message);
      cr_expect_not_null(strstr(error->message, "Too many open files"), "%s",
                         error->message);
      mlirplug_error_destroy(error);
      error = NULL;
    }
    cr_expect_eq(mlirplug_host_refusal_count(host), 0, "room: %d", room);
    mlirplug_host_destroy(host);
  }
  cr_expect(was_complete);
}

Test(scan, fails_if_memory_runs_out_while_a_file_is_read) {
  mlirplug_host *host = host_of(true);
  system_exhaust_elf();
  cr_expect_eq(mlirplug_host_add_directory(host, directory, &error),
               MLIRPLUG_FAILED);
  cr_expect_str_eq(error->message, "cannot go on: out of memory");
  cr_expect_eq(mlirplug_host_refusal_count(host), 0);
  mlirplug_host_destroy(host);
}
