// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every input in test/fuzz/corpus goes through its fuzz target once: what
// crashed it in the past does not do so again. FUZZ_TARGETS is made from the
// list in test/fuzz/targets.cmake.

#include "support/command.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CORPUS MLIRPLUG_SOURCE_DIRECTORY "/test/fuzz/corpus"

#define FUZZ(name) int fuzz_##name(const uint8_t *data, size_t size);
FUZZ_TARGETS
#undef FUZZ

static const struct {
  const char *name;
  int (*run)(const uint8_t *data, size_t size);
} targets[] = {
#define FUZZ(name) {#name, fuzz_##name},
    FUZZ_TARGETS
#undef FUZZ
};

enum { target_count = sizeof targets / sizeof *targets };

/// Runs the input at `path`, from memory that ends where it does.
static void input_run(size_t target, const char *path) {
  struct stat status;
  cr_assert_eq(stat(path, &status), 0, "%s", path);
  char *content = file_content(path);
  size_t size = (size_t)status.st_size;
  uint8_t *exact = malloc(size ? size : 1);
  memcpy(exact, content, size);
  cr_log_info("%s", path);
  cr_expect_eq(targets[target].run(exact, size), 0, "%s", path);
  free(exact);
  free(content);
}

Test(fuzz_corpus, does_not_crash_its_targets, .timeout = 300) {
  for (size_t i = 0; i < target_count; ++i) {
    char directory[4096], path[8192];
    (void)snprintf(directory, sizeof directory, CORPUS "/%s", targets[i].name);
    DIR *stream = opendir(directory);
    cr_assert(stream, "no %s", directory);
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(stream));) {
      if (entry->d_name[0] == '.')
        continue;
      (void)snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
      input_run(i, path);
      ++count;
    }
    closedir(stream);
    cr_expect_gt(count, 0, "nothing in %s", directory);
  }
}

Test(fuzz_corpus, has_a_target_for_each_directory) {
  DIR *stream = opendir(CORPUS);
  cr_assert(stream);
  for (const struct dirent *entry; (entry = readdir(stream));) {
    bool known = entry->d_name[0] == '.';
    for (size_t i = 0; i < target_count; ++i)
      known = known || strcmp(targets[i].name, entry->d_name) == 0;
    cr_expect(known, "no target in test/fuzz/targets.cmake for %s",
              entry->d_name);
  }
  closedir(stream);
}
