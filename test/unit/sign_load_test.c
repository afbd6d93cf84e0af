// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signature that is demanded is checked when a plugin is read, and once more
// when it is loaded.

#include "sign_files.h"
#include "support/mlir.h"

#include <errno.h>

static struct mlir_session session; // for its context
static mlirplug_host *host;
static char *plugin;

/// A host that demands a signature by a.key, and plugin.so with one.
static void load_begin(void) {
  mlir_open(&session, "static", false);
  char *directory = sign_directory_enter();
  cr_assert_gt(asprintf(&plugin, "%s/plugin.so", directory), 0);
  free(directory);
  sign_shell("cp " MLIR_PLUGIN(
      "version-1") " plugin.so && "
                   "minisign -Sm plugin.so -s a.key </dev/null");
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .trust_any = true,
                                               .require_signature = true,
                                               .key_directory = "keys"};
  cr_assert_eq(mlirplug_host_create(&configuration, &host, NULL), MLIRPLUG_OK);
  cr_assert_eq(mlirplug_host_attach_library(host, "static", NULL), MLIRPLUG_OK);
}

static void load_end(void) {
  mlirplug_host_destroy(host);
  mlir_close(&session);
  free(plugin);
}

TestSuite(signed_plugins, .init = load_begin, .fini = load_end);

static mlirplug_error *plugin_add(void) {
  mlirplug_error *error = NULL;
  mlirplug_status status = mlirplug_host_add_plugin(host, plugin, NULL, &error);
  cr_expect_eq(status, error ? MLIRPLUG_FAILED : MLIRPLUG_OK);
  return error;
}

Test(signed_plugins, bring_no_libraries_that_nobody_signed) {
  sign_shell("cp " MLIR_PLUGIN(
      "library-beside") " plugin.so && "
                        "minisign -Sm plugin.so -s a.key </dev/null");
  sign_expect_error(plugin_add(), "would be looked for at '$ORIGIN/lib'");
  sign_shell("cp " MLIR_PLUGIN(
      "library-fixed") " plugin.so && "
                       "minisign -Sm plugin.so -s a.key </dev/null");
  sign_expect_none(plugin_add());
}

static mlirplug_error *plugin_load(void) {
  mlirplug_error *error = NULL;
  mlirplug_pipeline *pipeline = NULL;
  mlirplug_manager *manager = NULL;
  cr_assert_eq(mlirplug_pipeline_parse(host, "builtin.module(version)",
                                       &pipeline, &error),
               MLIRPLUG_OK);
  mlirplug_status status = mlirplug_manager_create(pipeline, session.context,
                                                   NULL, &manager, &error);
  cr_expect_eq(status, error ? MLIRPLUG_FAILED : MLIRPLUG_OK);
  mlirplug_manager_destroy(manager);
  mlirplug_pipeline_destroy(pipeline);
  return error;
}

/// The open descriptor that a copy of the plugin was loaded from, or -1.
static int copy_find(void) {
  for (int descriptor = 3; descriptor < 256; ++descriptor) {
    char path[64], target[256] = "";
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (readlink(path, target, sizeof target - 1) > 0 &&
        strstr(target, "mlirplug-plugin"))
      return descriptor;
  }
  return -1;
}

static void expect_not_loaded(void) {
  cr_expect_null(mlir_plugin_data(plugin, "mlirplug_plugin"));
  cr_expect_eq(copy_find(), -1);
}

/// Between the check and the loader, whoever owns the file could put another in
/// its place.
Test(signed_plugins, are_loaded_from_a_copy_that_nobody_can_change) {
  sign_expect_none(plugin_add());
  sign_expect_none(plugin_load());
  cr_expect_null(mlir_plugin_data(plugin, "mlirplug_plugin"));
  int copy = copy_find();
  cr_assert_geq(copy, 0);
  char path[64];
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
  cr_expect_not_null(mlir_plugin_data(path, "mlirplug_plugin"));
  errno = 0;
  cr_expect_eq(pwrite(copy, "x", 1, 0), -1);
  cr_expect_eq(errno, EPERM);
  cr_expect_eq(ftruncate(copy, 0), -1);
}

Test(signed_plugins, are_not_the_image_of_a_host_that_demanded_nothing) {
  mlirplug_host *demanding = host, *other = NULL;
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .trust_any = true};
  cr_assert_eq(mlirplug_host_create(&configuration, &other, NULL), MLIRPLUG_OK);
  cr_assert_eq(mlirplug_host_attach_library(other, "static", NULL),
               MLIRPLUG_OK);
  host = other;
  sign_expect_none(plugin_add());
  sign_expect_none(plugin_load());
  cr_expect_eq(copy_find(), -1);
  host = demanding;
  sign_expect_none(plugin_add());
  sign_expect_none(plugin_load());
  cr_expect_geq(copy_find(), 0);
  mlirplug_host_destroy(other);
}

Test(signed_plugins, are_not_added_without_their_signature) {
  cr_assert_eq(unlink("plugin.so.minisig"), 0);
  sign_expect_error(plugin_add(), "/plugin.so': it is not signed");
}

Test(signed_plugins, are_not_loaded_once_their_signature_is_gone) {
  sign_expect_none(plugin_add());
  cr_assert_eq(unlink("plugin.so.minisig"), 0);
  sign_expect_error(plugin_load(), "/plugin.so': it is not signed");
  expect_not_loaded();
}

Test(signed_plugins, are_not_loaded_once_they_are_changed_in_place) {
  sign_expect_none(plugin_add());
  // The same file, size and time, so that only the signature can tell.
  sign_shell("cp -p plugin.so before && "
             "printf x | dd of=plugin.so bs=1 seek=20 conv=notrunc && "
             "touch -r before plugin.so");
  sign_expect_error(plugin_load(),
                    "the plugin was changed after it was signed");
  expect_not_loaded();
}

Test(signed_plugins, need_the_directory_of_keys_to_be_there) {
  mlirplug_host *other = NULL;
  mlirplug_error *error = NULL;
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .require_signature = true,
                                               .key_directory = "nowhere"};
  cr_expect_eq(mlirplug_host_create(&configuration, &other, &error),
               MLIRPLUG_FAILED);
  cr_expect_null(other);
  sign_expect_error(error, "cannot read the keys in '/");
}
