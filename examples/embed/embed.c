// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// embed: the smallest program with plugins. It runs a pipeline of a plugin's
// passes on a file and prints the module.

#include <mlirplug/host.h>
#include <mlirplug/ir.h>

#include <stdio.h>
#include <stdlib.h>

static void print(MlirStringRef text, void *stream) {
  fwrite(text.data, 1, text.length, stream);
}

/// Without it MLIR prints errors only.
static MlirLogicalResult report(MlirDiagnostic diagnostic, void *stream) {
  mlirDiagnosticPrint(diagnostic, print, stream);
  fputc('\n', stream);
  return mlirLogicalResultSuccess();
}

static void must(mlirplug_status status, mlirplug_error *const *error) {
  if (status == MLIRPLUG_OK)
    return;
  fprintf(stderr, "embed: %s\n", (*error)->message);
  exit(1);
}

static MlirContext context_create(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirRegisterAllPasses(); // those of MLIR, which the pipeline may name
  MlirContext context = mlirContextCreateWithRegistry(registry, true);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, report, stderr, NULL);
  return context;
}

int main(int argument_count, char **arguments) {
  if (argument_count != 4) {
    fprintf(stderr, "usage: embed PLUGIN PIPELINE INPUT\n");
    return 2;
  }
  mlirplug_error *error = NULL;
  mlirplug_host *host;
  must(mlirplug_host_create(NULL, &host, &error), &error);
  must(mlirplug_host_attach_library(host, "static", &error), &error);
  must(mlirplug_host_bind(host, __start_mlirplug_imports,
                          __stop_mlirplug_imports, &error),
       &error);
  // Functions of ir.h may be called from here on.
  MlirContext context = context_create();
  must(mlirplug_host_add_plugin(host, arguments[1], NULL, &error), &error);
  MlirModule module = mlirModuleCreateParseFromFile(
      context, mlirStringRefCreateFromCString(arguments[3]));
  if (mlirModuleIsNull(module))
    return 1; // a diagnostic has said why

  mlirplug_pipeline *pipeline;
  must(mlirplug_pipeline_parse(host, arguments[2], &pipeline, &error), &error);
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .verify = true};
  mlirplug_manager *manager;
  must(mlirplug_manager_create(pipeline, context, &configuration, &manager,
                               &error),
       &error);
  MlirOperation operation = mlirModuleGetOperation(module);
  must(mlirplug_manager_run(manager, operation, arguments[3], &error), &error);
  mlirOperationPrint(operation, print, stdout);

  mlirplug_manager_destroy(manager);
  mlirplug_pipeline_destroy(pipeline);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirplug_host_destroy(host);
  return 0;
}
