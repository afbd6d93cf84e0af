// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/describe.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mlirplug_host *host;
static mlirplug_provider_description *provider;

static void attach(const char *library) {
  mlirplug_error *error = NULL;
  cr_assert_eq(mlirplug_host_create(NULL, &host, NULL), MLIRPLUG_OK);
  cr_assert_eq(mlirplug_host_attach_library(host, library, &error), MLIRPLUG_OK,
               "%s", error ? error->message : "");
  cr_assert_eq(mlirplug_host_describe_provider(host, &provider, NULL),
               MLIRPLUG_OK);
}

static void detach(void) {
  mlirplug_provider_description_destroy(provider);
  mlirplug_host_destroy(host);
}

Test(provider_kinds, are_listed) {
  cr_expect_str_eq(mlirplug_provider_kind(0), "static");
  cr_expect_str_eq(mlirplug_provider_kind(1), "shared");
  cr_expect_null(mlirplug_provider_kind(2));
  cr_expect_null(mlirplug_provider_kind(SIZE_MAX));
}

Test(provider_description, says_what_is_installed, .fini = detach) {
  attach("shared");
  cr_expect_str_eq(provider->kind, "shared");
  cr_expect_str_eq(provider->origin, "beside libmlirplug");
  cr_expect(strncmp(provider->version, "MLIR 22.", 8) == 0);
  cr_expect_eq(provider->path[0], '/');
  cr_expect_eq(access(provider->path, R_OK), 0);
  cr_expect(provider->has_extension);
  cr_expect(provider->runs_passes);
}

Test(provider_description, lacks_nothing_on_the_newest_release,
     .fini = detach) {
  attach("static");
  cr_assert_gt(provider->function_count, 700);
  cr_expect_eq(provider->missing_count, 0);
}

Test(provider_description, names_what_is_missing_and_where_it_was_seen) {
  static const char *const hidden[] = {"mlirIntegerSetEmptyGet",
                                       "mlirAffineMapEmptyGet", NULL};
  const struct binding *binding;
  mlirplug_provider_description *lacking;
  cr_assert_eq(binding_open_without("static", hidden, &binding, NULL),
               MLIRPLUG_OK);
  cr_assert_eq(provider_describe(binding, &lacking, NULL), MLIRPLUG_OK);
  cr_assert_eq(lacking->missing_count, 2);
  cr_expect_str_eq(lacking->missing[0]->name, "mlirAffineMapEmptyGet");
  cr_expect_str_eq(lacking->missing[1]->name, "mlirIntegerSetEmptyGet");
  cr_expect(strstr(lacking->missing[0]->seen, "22"));
  provider_description_destroy(lacking);
}

Test(provider_description, knows_an_installed_one_by_any_path, .fini = detach) {
  char path[4096];
  char *directory = directory_create();
  (void)snprintf(path, sizeof path, "%s/mlir.so", directory);
  cr_assert_eq(symlink(MLIRPLUG_BUILD_DIRECTORY
                       "/lib/mlirplug/libmlirplug-mlir22-shared.so",
                       path),
               0);
  attach(path);
  cr_expect_str_eq(provider->kind, "shared");
  free(directory);
}

Test(provider_description, calls_another_one_named, .fini = detach) {
  char path[4096];
  char *directory = directory_create();
  (void)snprintf(path, sizeof path, "%s/mlir.so", directory);
  struct command_result result =
      command_shell("cp " MLIRPLUG_BUILD_DIRECTORY "/lib/mlirplug/"
                    "libmlirplug-mlir22-shared.so '%s'",
                    path);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
  attach(path);
  cr_expect_str_eq(provider->kind, "path");
  cr_expect_str_eq(provider->origin, "named");
  cr_expect_str_eq(provider->path, path);
  free(directory);
}

static mlirplug_status check(const char *plugin, mlirplug_error **error) {
  mlirplug_plugin_description *description = NULL;
  cr_assert_eq(mlirplug_plugin_read(plugin, &description, NULL), MLIRPLUG_OK);
  mlirplug_status status = mlirplug_host_check_plugin(host, description, error);
  mlirplug_plugin_description_destroy(description);
  return status;
}

Test(plugin_check, names_the_functions_that_are_missing, .fini = detach) {
  attach("static");
  mlirplug_error *error = NULL;
  cr_expect_eq(check(MLIR_PLUGIN("needs-later"), &error), MLIRPLUG_FAILED);
  cr_assert(error);
  cr_expect(strstr(error->found, "mlirDynamicOpTraitDestroy (seen in "));
  cr_expect(strstr(error->found, provider->version));
  mlirplug_error_destroy(error);
}

Test(plugin_check, takes_services_of_the_library_and_optional_functions,
     .fini = detach) {
  attach("static");
  cr_expect_eq(check(MLIR_PLUGIN("service"), NULL), MLIRPLUG_OK);
  cr_expect_eq(check(MLIR_PLUGIN("optional"), NULL), MLIRPLUG_OK);
}
