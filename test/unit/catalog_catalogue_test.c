// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "catalog/catalogue.h"

#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mlirplug_error *error;

static struct plugin *plugin_of(const char *path) {
  struct file file;
  struct plugin *plugin;
  cr_assert_eq(file_open(path, &file, &error), MLIRPLUG_OK);
  cr_assert_eq(plugin_create(&file, &plugin, &error), MLIRPLUG_OK);
  file_close(&file);
  return plugin;
}

static void add(struct catalogue **catalogue,
                struct catalogue_addition *additions, size_t count) {
  struct catalogue *extended;
  cr_assert_eq(
      catalogue_extend(*catalogue, additions, count, &extended, &error),
      MLIRPLUG_OK);
  catalogue_release(*catalogue);
  *catalogue = extended;
}

static const mlirplug_plugin_description *
description_of(const struct plugin *plugin) {
  return plugin_describe(plugin, &error);
}

/// Puts the plugin at `path` into a new snapshot, in place of `*catalogue`.
static const struct plugin *extend(struct catalogue **catalogue,
                                   const char *path) {
  struct plugin *plugin = plugin_of(path);
  struct catalogue_addition addition = {.plugin = plugin};
  add(catalogue, &addition, 1);
  cr_assert_eq(addition.entered, plugin);
  plugin_release(plugin);
  return plugin;
}

/// Builds a file anew, as compilers do: another file under the same name.
static void replace(const char *path, const char *by) {
  struct command_result result = command_shell(
      "cp '%s' '%s.new' && mv '%s.new' '%s'", by, path, path, path);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
}

static char *path_in(const char *directory, const char *name) {
  char *path;
  cr_assert_gt(asprintf(&path, "%s/%s", directory, name), 0);
  return path;
}

Test(snapshots, older_one_keeps_what_it_had) {
  struct catalogue *old = catalogue_create();
  extend(&old, MLIR_PLUGIN("record"));
  struct catalogue *new = catalogue_retain(old);
  extend(&new, MLIR_PLUGIN("anchor"));
  cr_expect_eq(catalogue_count(old), 1);
  cr_expect_eq(catalogue_count(new), 2);
  cr_expect_null(catalogue_find_pass(old, "several", NULL));
  size_t index = 0;
  const struct plugin *found = catalogue_find_pass(new, "several", &index);
  cr_expect_eq(found, catalogue_plugin(new, 1));
  cr_expect_str_eq(description_of(found)->passes[index]->name, "several");
  cr_expect_eq(catalogue_find_pass(new, "record-name", &index),
               catalogue_plugin(new, 0));
  catalogue_release(old);
  cr_expect_str_eq(catalogue_plugin(new, 0)->path, MLIR_PLUGIN("record"));
  catalogue_release(new);
}

Test(snapshots, unknown_pass_is_not_found) {
  struct catalogue *catalogue = catalogue_create();
  cr_expect_null(catalogue_find_pass(catalogue, "record-name", NULL));
  extend(&catalogue, MLIR_PLUGIN("record"));
  cr_expect_null(catalogue_find_pass(catalogue, "record", NULL));
  catalogue_release(catalogue);
}

Test(snapshots, two_files_with_one_pass_are_refused_with_both_names) {
  char *directory = directory_create();
  char *copy = path_in(directory, "copy.so");
  replace(copy, MLIR_PLUGIN("record"));
  struct catalogue *catalogue = catalogue_create();
  extend(&catalogue, MLIR_PLUGIN("record"));
  struct catalogue_addition addition = {.plugin = plugin_of(copy)};
  add(&catalogue, &addition, 1);
  cr_expect_null(addition.entered);
  cr_expect_eq(catalogue_count(catalogue), 1);
  const char *message = addition.refused->message;
  cr_expect(strstr(message, copy), "%s", message);
  cr_expect(strstr(message, MLIR_PLUGIN("record")), "%s", message);
  cr_expect(strstr(message, "record-"), "%s", message);
  mlirplug_error_destroy(addition.refused);
  plugin_release(addition.plugin);
  catalogue_release(catalogue);
  free(copy);
  free(directory);
}

Test(snapshots, two_found_files_with_one_pass_are_there_both) {
  static const mlirplug_directory found_in = {.path = "/somewhere"};
  char *directory = directory_create();
  char *copy = path_in(directory, "copy.so");
  replace(copy, MLIR_PLUGIN("record"));
  struct catalogue *catalogue = catalogue_create();
  struct plugin *first = plugin_of(MLIR_PLUGIN("record"));
  struct plugin *second = plugin_of(copy);
  first->directory = second->directory = &found_in;
  struct catalogue_addition additions[] = {{.plugin = first},
                                           {.plugin = second}};
  add(&catalogue, additions, 2);
  cr_expect_eq(additions[0].shared_count, 0);
  cr_expect_gt(additions[1].shared_count, 1);
  cr_expect_eq(additions[1].shares_with, first);
  plugin_release(first);
  plugin_release(second);
  cr_expect_eq(catalogue_find_pass(catalogue, "record-name", NULL), first);
  cr_expect_eq(catalogue_find_other(catalogue, "record-name", first), second);
  cr_expect_eq(catalogue_find_other(catalogue, "record-name", second), first);
  cr_expect_null(catalogue_find_other(catalogue, "several", first));
  catalogue_release(catalogue);
  free(copy);
  free(directory);
}

Test(snapshots, rebuilt_file_takes_the_place_of_the_old_one) {
  char *directory = directory_create();
  char *path = path_in(directory, "version.so");
  replace(path, MLIR_PLUGIN("version-1"));
  struct catalogue *catalogue = catalogue_create();
  const struct plugin *first = extend(&catalogue, path);
  replace(path, MLIR_PLUGIN("version-2"));
  const struct plugin *second = extend(&catalogue, path);
  cr_expect_eq(catalogue_count(catalogue), 1);
  cr_expect_eq(catalogue_find_pass(catalogue, "version", NULL), second);
  cr_expect_str_eq(description_of(second)->version, "2.0.0");
  cr_expect_str_eq(description_of(first)->version, "1.0.0");
  catalogue_release(catalogue);
  free(path);
  free(directory);
}

Test(added_plugins, same_file_again_is_no_other_plugin) {
  mlirplug_host *host;
  cr_assert_eq(mlirplug_host_create(NULL, &host, &error), MLIRPLUG_OK);
  const mlirplug_plugin_description *first, *second;
  char *directory = directory_create();
  char *link = path_in(directory, "link.so");
  cr_assert_eq(symlink(MLIR_PLUGIN("record"), link), 0);
  cr_assert_eq(
      mlirplug_host_add_plugin(host, MLIR_PLUGIN("record"), &first, &error),
      MLIRPLUG_OK);
  cr_assert_eq(
      mlirplug_host_add_plugin(host, MLIR_PLUGIN("record"), &second, &error),
      MLIRPLUG_OK);
  cr_expect_eq(first, second);
  cr_assert_eq(mlirplug_host_add_plugin(host, link, &second, &error),
               MLIRPLUG_OK);
  cr_expect_eq(first, second);
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
  cr_expect_eq(mlirplug_host_plugin(host, 0), first);
  cr_expect_null(mlirplug_host_plugin(host, 1));
  mlirplug_host_destroy(host);
  free(link);
  free(directory);
}

Test(added_plugins, pass_is_found_with_its_plugin) {
  mlirplug_host *host;
  cr_assert_eq(mlirplug_host_create(NULL, &host, &error), MLIRPLUG_OK);
  const mlirplug_plugin_description *added, *found = NULL;
  cr_assert_eq(
      mlirplug_host_add_plugin(host, MLIR_PLUGIN("record"), &added, &error),
      MLIRPLUG_OK);
  const mlirplug_pass_description *pass =
      mlirplug_host_find_pass(host, "record-name", &found);
  cr_expect_eq(found, added);
  cr_expect_str_eq(pass->name, "record-name");
  cr_expect_null(mlirplug_host_find_pass(host, "cse", NULL));
  mlirplug_host_destroy(host);
}

// Under AddressSanitizer this finds a description that was freed.
Test(added_plugins, what_was_said_of_a_replaced_one_stays_readable) {
  mlirplug_host *host;
  cr_assert_eq(mlirplug_host_create(NULL, &host, &error), MLIRPLUG_OK);
  char *directory = directory_create();
  char *path = path_in(directory, "version.so");
  const mlirplug_plugin_description *first, *second;
  replace(path, MLIR_PLUGIN("version-1"));
  cr_assert_eq(mlirplug_host_add_plugin(host, path, &first, &error),
               MLIRPLUG_OK);
  replace(path, MLIR_PLUGIN("version-2"));
  cr_assert_eq(mlirplug_host_add_plugin(host, path, &second, &error),
               MLIRPLUG_OK);
  cr_assert_eq(
      mlirplug_host_add_plugin(host, MLIR_PLUGIN("record"), NULL, &error),
      MLIRPLUG_OK);
  cr_expect_str_eq(first->version, "1.0.0");
  cr_expect_str_eq(second->version, "2.0.0");
  cr_expect_eq(mlirplug_host_plugin_count(host), 2);
  mlirplug_host_destroy(host);
  free(path);
  free(directory);
}
