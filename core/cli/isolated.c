// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/isolated.h"

#include "cli/context.h"
#include "cli/engine.h"

/// What makes the context like the parent's (containment.c).
struct preparation {
  struct arguments arguments;
  struct diagnostics diagnostics;
  struct console *console;
};

static mlirplug_status prepare(mlirplug_host *host,
                               const mlirplug_isolated_request *request,
                               MlirContext *context, mlirplug_error **error,
                               void *user_data) {
  struct preparation *preparation = user_data;
  struct arguments *arguments = &preparation->arguments;
  if (mlirplug_host_attach_library(host, request->provider, error) !=
          MLIRPLUG_OK ||
      mlirplug_host_bind(host, __start_mlirplug_imports,
                         __stop_mlirplug_imports, error) != MLIRPLUG_OK ||
      !context_settings_apply(arguments, preparation->console))
    return MLIRPLUG_FAILED;
  arguments->disable_threading = !request->threads;
  arguments->allow_unregistered_dialect = request->allow_unregistered_dialects;
  *context = context_create(arguments, host, &preparation->diagnostics);
  if (!context->ptr)
    return MLIRPLUG_FAILED;
  mlirRegisterAllPasses();
  return MLIRPLUG_OK;
}

enum command_status isolated_serve(struct console *console, int count,
                                   char **texts) {
  struct preparation preparation = {.console = console};
  preparation.diagnostics.console = console;
  mlirplug_error *error = NULL;
  if (!arguments_parse(ARGUMENT_OPT, count, texts, &preparation.arguments,
                       console))
    return COMMAND_WRONG_USAGE;
  if (mlirplug_isolated_serve(prepare, &preparation, &error) != MLIRPLUG_OK)
    console_failure(console, error);
  arguments_release(&preparation.arguments);
  return COMMAND_WRONG_USAGE;
}
