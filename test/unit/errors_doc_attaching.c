// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about copies of MLIR that somebody else brought.

#include "errors_doc.h"

#include "host/host.h"
#include "provider/resolve.h"
#include "provider_files.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static mlirplug_error *error;
static mlirplug_host *host;

static void package_says(const char *package) {
  errors_doc_expect_failure(mlirplug_host_attach_package(host, package, &error),
                            &error);
}

static void process_says(void) {
  errors_doc_expect_failure(mlirplug_host_attach_process(host, &error), &error);
}

static void library_says(const char *library) {
  errors_doc_expect_failure(mlirplug_host_attach_library(host, library, &error),
                            &error);
}

/// Makes a library in `directory`, with the C API or without, and loads it.
static void load(const char *directory, const char *name, bool has_api) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s", directory, name);
  if (has_api)
    provider_copy(path, NULL);
  else
    provider_copy_hidden(path, "strip \"$0\"");
  cr_assert(dlopen(path, RTLD_NOW | RTLD_LOCAL), "%s", dlerror());
}

static void (*nothing_find(const void *provider, const char *name))(void) {
  (void)provider;
  (void)name;
  return NULL;
}

/// A copy of MLIR that lacks functions when there is no room for one.
static void adapters_say(void) {
  const struct adapt_slot *taken[ADAPT_SLOTS + 1];
  size_t count = 0;
  while ((taken[count] = adapt_slot_take()))
    ++count;
  struct resolution resolution;
  struct own_functions own = {nothing_find, NULL};
  errors_doc_expect_failure(
      resolution_make(&resolution, &own, "lib.so", &error), &error);
  while (count)
    adapt_slot_give_back(taken[--count]);
}

static void python_module_says(const char *directory) {
  struct command_result result = command_shell(
      "cd '%s' && echo 'int _Py_X(void); int x(void) { return _Py_X(); }' "
      ">module.c && cc -shared -fPIC module.c -o module.so",
      directory);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/module.so", directory);
  library_says(path);
}

void attaching_says(void) {
  char *directory = directory_create();
  cr_assert_eq(mlirplug_host_create(NULL, &host, &error), MLIRPLUG_OK);
  adapters_say();
  process_says();
  package_says("a/b");
  package_says("mlir");
  load(directory, "cutlass/_mlir_libs/stripped.so", false);
  package_says("cutlass");
  library_says(MLIR_PLUGIN("anchor"));
  library_says(MLIRPLUG_BUILD_DIRECTORY "/lib/libmlirplug.so.1");
  python_module_says(directory);
  load(directory, "mlir/_mlir_libs/one.so", true);
  load(directory, "mlir/_mlir_libs/two.so", true);
  package_says("mlir");
  process_says();
  load(directory, "other/mlir/_mlir_libs/one.so", true);
  package_says("mlir");
  mlirplug_host_destroy(host);
  free(directory);
}

static void pipeline_says(struct mlir_session *session, const char *pipeline) {
  cr_expect_eq(mlir_run(session, pipeline, "module {}"), MLIRPLUG_FAILED);
  errors_doc_expect(mlir_message(session));
}

static void context_says(struct mlir_session *session, MlirContext context) {
  mlirplug_pipeline *pipeline = NULL;
  mlirplug_manager *manager = NULL;
  cr_assert_eq(mlirplug_pipeline_parse(session->host,
                                       "builtin.module(anything)", &pipeline,
                                       &error),
               MLIRPLUG_OK);
  errors_doc_expect_failure(
      mlirplug_manager_create(pipeline, context, NULL, &manager, &error),
      &error);
  mlirplug_pipeline_destroy(pipeline);
}

static void operation_says(struct mlir_session *session, MlirOperation root) {
  struct mlir_pipeline made;
  cr_assert_eq(
      mlir_pipeline_create(session, "builtin.module(anything)", false, &made),
      MLIRPLUG_OK);
  errors_doc_expect_failure(
      mlirplug_manager_run(made.manager, root, NULL, &error), &error);
  mlir_pipeline_destroy(&made);
}

void foreign_objects_say(void) {
  struct mlir_session one, other;
  mlir_open(&one, "static", false);
  mlir_open(&other, "shared", false);
  mlir_add(&one, MLIR_PLUGIN("anchor"));
  MlirModule module = mlir_parse(other.context, "module {}");
  context_says(&one, other.context);
  operation_says(&one, mlirModuleGetOperation(module));
  mlirModuleDestroy(module);
  mlir_close(&other);
  mlir_close(&one);
}

/// An MLIR without something that the core cannot do without.
void partial_provider_says(void) {
  static const char *const hidden[] = {"mlirEmitError", NULL};
  const struct binding *binding;
  errors_doc_expect_failure(
      binding_open_without("static", hidden, &binding, &error), &error);
}

void direct_mode_says(void) {
  static const char *const hidden[] = {"mlirCreateExternalPass",
                                       "mlirOperationGetAttributeByName",
                                       "mlirplugExtRegisterPass", NULL};
  static const char *const more_hidden[] = {"mlirCreateExternalPass",
                                            "mlirOperationVerify", NULL};
  struct mlir_session session;
  mlir_open(&session, "static", false);
  mlir_add(&session, MLIR_PLUGIN("anchor"));
  const struct binding *whole = session.host->binding;
  cr_assert_eq(
      binding_open_without("static", hidden, &session.host->binding, &error),
      MLIRPLUG_OK);
  pipeline_says(&session, "builtin.module(cse)");
  pipeline_says(&session, "builtin.module(any(anything))");
  pipeline_says(&session, "builtin.module(any(functions))");
  errors_doc_expect_failure(mlirplug_host_register_passes(session.host, &error),
                            &error);
  cr_assert_eq(binding_open_without("static", more_hidden,
                                    &session.host->binding, &error),
               MLIRPLUG_OK);
  pipeline_says(&session, "builtin.module(anything)");
  session.host->binding = whole; // for what closing calls
  mlir_close(&session);
}
