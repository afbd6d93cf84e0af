// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/mlir.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 1, 2), noreturn)) static void
fail(const char *format, ...) {
  va_list values;
  va_start(values, format);
  (void)vfprintf(stderr, format, values);
  va_end(values);
  (void)fputc('\n', stderr);
  abort();
}

static void must(mlirplug_status status, mlirplug_error *const *error) {
  if (status != MLIRPLUG_OK)
    fail("%s", (*error)->message);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void text_append(struct mlir_text *text, const char *bytes,
                        size_t length) {
  char *grown = realloc(text->bytes, text->length + length + 1);
  if (!grown)
    fail("out of memory");
  memcpy(grown + text->length, bytes, length);
  text->bytes = grown;
  text->length += length;
  text->bytes[text->length] = '\0';
}

static void text_append_string(struct mlir_text *text, const char *string) {
  text_append(text, string, strlen(string));
}

static void text_clear(struct mlir_text *text) {
  text->length = 0;
  text_append(text, "", 0);
}

static void text_collect(MlirStringRef part, void *text) {
  text_append(text, part.data, part.length);
}

static void text_release(struct mlir_text *text) {
  free(text->bytes);
  *text = (struct mlir_text){0};
}

//===----------------------------------------------------------------------===//
// What is said
//===----------------------------------------------------------------------===//

static MlirLogicalResult diagnostic_collect(MlirDiagnostic diagnostic,
                                            void *user_data) {
  static const char *const severities[] = {"error", "warning", "note",
                                           "remark"};
  struct mlir_text *text = user_data;
  text_append_string(text, severities[mlirDiagnosticGetSeverity(diagnostic)]);
  text_append_string(text, ": ");
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), text_collect, text);
  text_append_string(text, ": ");
  mlirDiagnosticPrint(diagnostic, text_collect, text);
  text_append_string(text, "\n");
  return mlirLogicalResultSuccess();
}

static void record_collect(const char *line, size_t length, void *user_data) {
  text_append(user_data, line, length);
  text_append_string(user_data, "\n");
}

static void log_collect(const char *line, void *user_data) {
  text_append_string(user_data, line);
  text_append_string(user_data, "\n");
}

void mlir_clear(struct mlir_session *session) {
  text_clear(&session->diagnostics);
  text_clear(&session->records);
  text_clear(&session->log);
  text_clear(&session->printed);
  mlirplug_error_destroy(session->error);
  session->error = NULL;
}

const char *mlir_message(const struct mlir_session *session) {
  return session->error ? session->error->message : "";
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

void mlir_use(struct mlir_session *session) {
  mlirplug_error *error;
  must(mlirplug_host_bind(session->host, __start_mlirplug_imports,
                          __stop_mlirplug_imports, &error),
       &error);
}

MlirContext mlir_context_create(bool threads) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, threads);
  mlirDialectRegistryDestroy(registry);
  return context;
}

void mlir_open(struct mlir_session *session, const char *provider,
               bool threads) {
  *session = (struct mlir_session){0};
  mlir_clear(session);
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .log = log_collect,
                                               .warn = log_collect,
                                               .user_data = &session->log};
  must(mlirplug_host_create(&configuration, &session->host, &session->error),
       &session->error);
  must(mlirplug_host_attach_library(session->host, provider, &session->error),
       &session->error);
  mlir_use(session);
  mlirRegisterAllPasses();
  session->context = mlir_context_create(threads);
  mlirContextAttachDiagnosticHandler(session->context, diagnostic_collect,
                                     &session->diagnostics, NULL);
}

void mlir_close(struct mlir_session *session) {
  mlir_use(session);
  mlirContextDestroy(session->context);
  mlirplug_host_destroy(session->host);
  mlir_clear(session);
  text_release(&session->diagnostics);
  text_release(&session->records);
  text_release(&session->log);
  text_release(&session->printed);
}

void mlir_add(struct mlir_session *session, const char *path) {
  mlirplug_error *error;
  must(mlirplug_host_add_plugin(session->host, path, NULL, &error), &error);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

MlirModule mlir_parse(MlirContext context, const char *text) {
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(module))
    fail("the module does not parse: %s", text);
  return module;
}

mlirplug_status mlir_pipeline_create(struct mlir_session *session,
                                     const char *text, bool verify,
                                     struct mlir_pipeline *pipeline) {
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .record = record_collect,
                                                  .user_data =
                                                      &session->records,
                                                  .verify = verify};
  *pipeline = (struct mlir_pipeline){0};
  mlirplug_error_destroy(session->error);
  session->error = NULL;
  if (mlirplug_pipeline_parse(session->host, text, &pipeline->pipeline,
                              &session->error) == MLIRPLUG_OK &&
      mlirplug_manager_create(pipeline->pipeline, session->context,
                              &configuration, &pipeline->manager,
                              &session->error) == MLIRPLUG_OK)
    return MLIRPLUG_OK;
  mlir_pipeline_destroy(pipeline);
  return MLIRPLUG_FAILED;
}

void mlir_pipeline_destroy(struct mlir_pipeline *pipeline) {
  mlirplug_manager_destroy(pipeline->manager);
  mlirplug_pipeline_destroy(pipeline->pipeline);
  *pipeline = (struct mlir_pipeline){0};
}

mlirplug_status mlir_run(struct mlir_session *session, const char *pipeline,
                         const char *text) {
  mlir_clear(session);
  struct mlir_pipeline made;
  if (mlir_pipeline_create(session, pipeline, true, &made) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  MlirModule module = mlir_parse(session->context, text);
  MlirOperation root = mlirModuleGetOperation(module);
  mlirplug_status status =
      mlirplug_manager_run(made.manager, root, "input.mlir", &session->error);
  mlirOperationPrint(root, text_collect, &session->printed);
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
  return status;
}

void *mlir_plugin_data(const char *path, const char *name) {
  void *plugin = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  return plugin ? dlsym(plugin, name) : NULL;
}
