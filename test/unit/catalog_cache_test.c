// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "catalog/cache.h"
#include "catalog/cache_form.h"
#include "catalog/cache_write.h"

#include "support/command.h"
#include "support/mlir.h"
#include "support/system.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *home;
static mlirplug_plugin_description *descriptions[3];
static struct cache_item items[3];
static const struct cache_content content = {
    .directory = "/plugins",
    .state = {.file = {.device = 1, .inode = 2}},
    .items = items,
    .count = 3};
static struct text bytes;

/// Three files that were read in "/plugins".
static void create(void) {
  static const char *const files[] = {
      MLIR_PLUGIN("anchor"), MLIR_PLUGIN("record"), MLIR_PLUGIN("state")};
  static const char *const names[] = {"a.so", "b.so", "c.so"};
  home = directory_create();
  cr_assert_eq(setenv("XDG_CACHE_HOME", home, 1), 0);
  for (size_t i = 0; i < 3; ++i) {
    cr_assert_eq(mlirplug_plugin_read(files[i], &descriptions[i], NULL),
                 MLIRPLUG_OK);
    items[i] = (struct cache_item){.name = names[i],
                                   .state = {{.device = 1,
                                              .inode = 10 + i,
                                              .size = 1000,
                                              .modified = {7, 8}},
                                             {9, 10}},
                                   .description = descriptions[i]};
  }
  cache_encode(&content, &bytes);
  cr_assert_not(bytes.failed);
}

static void release(void) {
  for (size_t i = 0; i < 3; ++i)
    mlirplug_plugin_description_destroy(descriptions[i]);
  text_release(&bytes);
  free(home);
}

static struct cache *cache_of_bytes(void) {
  return cache_open_memory("/plugins", "", bytes.bytes, bytes.length);
}

/// Whether every entry has its description.
static bool is_whole(const struct cache *cache) {
  for (size_t i = 0; i < cache_count(cache); ++i) {
    mlirplug_plugin_description *description =
        cache_describe(cache, cache_entry(cache, i), "/x.so");
    if (!description)
      return false;
    mlirplug_plugin_description_destroy(description);
  }
  return true;
}

TestSuite(cache, .init = create, .fini = release);

Test(cache, has_the_files_in_order_with_their_passes) {
  struct cache *cache = cache_of_bytes();
  cr_assert_not_null(cache);
  cr_assert_eq(cache_count(cache), 3);
  for (size_t i = 0; i < 3; ++i) {
    const struct cache_entry *entry = cache_entry(cache, i);
    cr_expect_str_eq(entry->name, items[i].name);
    cr_expect_eq(entry->pass_count, descriptions[i]->pass_count);
    cr_expect_str_eq(entry->pass_names, descriptions[i]->passes[0]->name);
    mlirplug_plugin_description *description =
        cache_describe(cache, entry, "/plugins/x.so");
    cr_assert_not_null(description);
    cr_expect_str_eq(description->id, descriptions[i]->id);
    cr_expect_str_eq(description->path, "/plugins/x.so");
    mlirplug_plugin_description_destroy(description);
  }
  cache_release(cache);
}

Test(cache, takes_a_file_for_current_only_if_nothing_of_it_changed) {
  struct cache *cache = cache_of_bytes();
  const struct cache_entry *entry = cache_entry(cache, 1);
  const struct stat same = {.st_mode = S_IFREG | 0644,
                            .st_dev = 1,
                            .st_ino = 11,
                            .st_size = 1000,
                            .st_mtim = {7, 8},
                            .st_ctim = {9, 10}};
  cr_expect(cache_entry_is_current(entry, &same));
#define EXPECT_OTHER(field, value)                                             \
  {                                                                            \
    struct stat other = same;                                                  \
    other.field = value;                                                       \
    cr_expect_not(cache_entry_is_current(entry, &other), #field);              \
  }
  EXPECT_OTHER(st_mode, S_IFLNK | 0777)
  EXPECT_OTHER(st_mode, S_IFIFO | 0644)
  EXPECT_OTHER(st_dev, 2)
  EXPECT_OTHER(st_ino, 12)
  EXPECT_OTHER(st_size, 1001)
  EXPECT_OTHER(st_mtim.tv_sec, 6)
  EXPECT_OTHER(st_mtim.tv_nsec, 9)
  EXPECT_OTHER(st_ctim.tv_sec, 8)
  EXPECT_OTHER(st_ctim.tv_nsec, 11)
#undef EXPECT_OTHER
  cache_release(cache);
}

Test(cache, has_all_names_while_the_directory_is_the_same) {
  struct cache *cache = cache_of_bytes();
  struct stat status = {.st_mode = S_IFDIR | 0755, .st_dev = 1, .st_ino = 2};
  cr_expect(cache_has_all(cache, &status));
  status.st_mtim.tv_nsec = 1;
  cr_expect_not(cache_has_all(cache, &status));
  cache_release(cache);
}

Test(cache, may_have_names_without_a_plugin) {
  items[1].description = NULL;
  bytes.length = 0;
  cache_encode(&content, &bytes);
  struct cache *cache = cache_of_bytes();
  cr_assert_not_null(cache);
  cr_assert_eq(cache_count(cache), 3);
  const struct cache_entry *entry = cache_entry(cache, 1);
  cr_expect_str_eq(entry->name, "b.so");
  cr_expect_eq(entry->pass_count, 0);
  cr_expect_null(cache_describe(cache, entry, "/x.so"));
  const struct stat status = {
      .st_mode = S_IFREG | 0644, .st_dev = 1, .st_ino = 11};
  cr_expect_not(cache_entry_is_current(entry, &status));
  cache_release(cache);
}

Test(cache, of_another_directory_is_none) {
  cr_expect_null(cache_open_memory("/other", "", bytes.bytes, bytes.length));
}

Test(cache, that_is_cut_short_is_none_or_lacks_descriptions) {
  for (size_t i = 0; i < bytes.length; ++i) {
    struct cache *cache = cache_open_memory("/plugins", "", bytes.bytes, i);
    cr_expect(!cache || !is_whole(cache), "whole with %zu bytes", i);
    cache_release(cache);
  }
}

Test(cache, with_a_changed_bit_is_none_or_lacks_a_description) {
  for (size_t i = 0; i < bytes.length; ++i) {
    bytes.bytes[i] = (char)(bytes.bytes[i] ^ 1 << i % 8);
    struct cache *cache = cache_of_bytes();
    cr_expect(!cache || !is_whole(cache), "whole with byte %zu changed", i);
    cache_release(cache);
    bytes.bytes[i] = (char)(bytes.bytes[i] ^ 1 << i % 8);
  }
}

Test(cache, of_another_form_is_none) {
  struct cache_form_header header, changed;
  memcpy(&header, bytes.bytes, sizeof header);
#define EXPECT_NONE(field)                                                     \
  changed = header;                                                            \
  ++changed.field;                                                             \
  memcpy(bytes.bytes, &changed, sizeof changed);                               \
  cr_expect_null(cache_of_bytes(), #field);
  EXPECT_NONE(magic)
  EXPECT_NONE(version)
  EXPECT_NONE(encoding)
  EXPECT_NONE(abi)
  EXPECT_NONE(count)
  EXPECT_NONE(size)
#undef EXPECT_NONE
}

Test(cache, may_be_empty) {
  struct text none = {0};
  cache_encode(&(struct cache_content){.directory = "/plugins"}, &none);
  struct cache *cache =
      cache_open_memory("/plugins", "", none.bytes, none.length);
  cr_assert_not_null(cache);
  cr_expect_eq(cache_count(cache), 0);
  cache_release(cache);
  text_release(&none);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

TestSuite(cache_file, .init = create, .fini = release);

static char *written(void) {
  cr_assert(cache_write(&content));
  char *path = cache_path("/plugins");
  cr_assert_not_null(path);
  return path;
}

static void expect_unused(void) { cr_expect_null(cache_open("/plugins", "")); }

Test(cache_file, is_the_users_alone_and_replaced_whole) {
  free(written());
  char *path = written();
  struct stat status;
  cr_assert_eq(stat(path, &status), 0);
  cr_expect_eq(status.st_mode & 07777, 0600);
  struct command_result result = command_shell("ls -A '%s/mlirplug'", home);
  cr_expect_eq(strchr(result.output, '\n')[1], '\0', "%s", result.output);
  command_release(&result);
  struct cache *cache = cache_open("/plugins", "");
  cr_assert_not_null(cache);
  cr_expect(is_whole(cache));
  cache_release(cache);
  free(path);
}

Test(cache_file, is_kept_while_it_is_used) {
  char *path = written();
  struct cache *cache = cache_open("/plugins", "");
  cr_assert_eq(unlink(path), 0);
  cr_expect(is_whole(cache));
  cache_release(cache);
  free(path);
}

Test(cache_file, that_shrinks_while_it_is_used_only_lacks_descriptions) {
  char *path = written();
  struct cache *cache = cache_open("/plugins", "");
  cr_assert_eq(truncate(path, 100), 0);
  cr_expect_not(is_whole(cache));
  cache_release(cache);
  free(path);
}

Test(cache_file, of_another_user_is_not_used) {
  char *path = written();
  system_become(1000);
  system_set_owner(path, 1001, 1001);
  expect_unused();
  free(path);
}

Test(cache_file, that_others_may_write_to_is_not_used) {
  char *path = written();
  cr_assert_eq(chmod(path, 0620), 0);
  expect_unused();
  cr_assert_eq(chmod(path, 0602), 0);
  expect_unused();
  free(path);
}

Test(cache_file, may_be_no_link_fifo_or_directory) {
  char *path = written();
  char *other;
  cr_assert_gt(asprintf(&other, "%s.other", path), 0);
  cr_assert_eq(rename(path, other), 0);
  cr_assert_eq(symlink(other, path), 0);
  expect_unused();
  cr_assert_eq(unlink(path), 0);
  cr_assert_eq(mkfifo(path, 0600), 0);
  expect_unused();
  cr_assert_eq(unlink(path), 0);
  cr_assert_eq(mkdir(path, 0700), 0);
  expect_unused();
  cr_expect_not(cache_write(&content));
  free(other);
  free(path);
}

Test(cache_file, has_no_place_without_a_home_or_with_more_rights) {
  system_set_secure();
  cr_expect_null(cache_path("/plugins"));
  cr_expect_not(cache_write(&content));
}

Test(cache_file, of_a_home_that_cannot_be_made_is_not_written) {
  cr_assert_eq(setenv("XDG_CACHE_HOME", "/dev/null/cache", 1), 0);
  cr_expect_not(cache_write(&content));
  expect_unused();
}
