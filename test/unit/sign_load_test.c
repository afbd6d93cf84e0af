// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signature that is demanded is checked when a plugin is read, and once more
// when it is loaded.

#include "sign_files.h"
#include "support/mlir.h"

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

static void expect_not_loaded(void) {
  cr_expect_null(mlir_plugin_data(plugin, "mlirplug_plugin"));
}

Test(signed_plugins, are_loaded) {
  sign_expect_none(plugin_add());
  sign_expect_none(plugin_load());
  cr_expect_not_null(mlir_plugin_data(plugin, "mlirplug_plugin"));
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
