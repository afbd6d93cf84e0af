// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/engine.h"

#include "cli/context.h"
#include "cli/crash.h"
#include "cli/flags.h"
#include "cli/object.h"
#include "cli/plugins.h"
#include "cli/printing.h"
#include "cli/remarks.h"
#include "cli/roundtrip.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Beginning
//===----------------------------------------------------------------------===//

bool engine_attach(mlirplug_host *host, const struct arguments *arguments,
                   struct console *console) {
  const char *provider = arguments->provider;
  mlirplug_error *error = NULL;
  if (mlirplug_host_attach_library(host, provider ? provider : "static",
                                   &error) == MLIRPLUG_OK &&
      mlirplug_host_bind(host, __start_mlirplug_imports,
                         __stop_mlirplug_imports, &error) == MLIRPLUG_OK)
    return true;
  console_failure(console, error);
  return false;
}

/// What the provider can do of what was asked for.
static bool provider_check(const struct engine *engine) {
  const struct arguments *arguments = engine->arguments;
  return reading_check(arguments, engine->console) &&
         printing_check(arguments, engine->console) &&
         context_settings_apply(arguments, engine->console);
}

static void diagnostics_prepare(struct engine *engine) {
  const char *verbosity = engine->arguments->verbosity;
  struct diagnostics *diagnostics = &engine->diagnostics;
  diagnostics->console = engine->console;
  diagnostics->no_notes = engine->arguments->no_notes;
  diagnostics->no_remarks = verbosity && strcmp(verbosity, "remarks") != 0;
  diagnostics->no_warnings = verbosity && strcmp(verbosity, "errors") == 0;
}

/// True if the command line asks for something to be run.
static bool runs_passes(const struct arguments *arguments) {
  return arguments->pipeline || arguments->passes.count ||
         arguments->insertions.count;
}

/// True if a pipeline is needed, be it an empty one: it is in a reproducer, and
/// refuses to show the IR around passes that nobody has.
static bool needs_pipeline(const struct arguments *arguments) {
  return runs_passes(arguments) || arguments->generate_reproducer ||
         arguments->print_ir_before.count || arguments->print_ir_after.count;
}

/// Inserts what the configuration asks for, then what the command line does.
static bool pipeline_insert(struct engine *engine) {
  const struct argument_texts *requests = &engine->arguments->insertions;
  mlirplug_pipeline *configured = NULL, *inserted;
  mlirplug_error *error = NULL;
  // Errors show what a pipeline was parsed from: untouched, what was typed.
  bool is_configured = mlirplug_host_insertion(engine->host, 0) &&
                       runs_passes(engine->arguments) &&
                       !engine->arguments->run_reproducer; // it was done then
  if (!requests->count && !is_configured)
    return true;
  mlirplug_status status = MLIRPLUG_OK;
  if (is_configured)
    status = mlirplug_pipeline_insert_configured(engine->pipeline, &configured,
                                                 &error);
  if (status == MLIRPLUG_OK)
    status = mlirplug_pipeline_insert(
        configured ? configured : engine->pipeline, requests->items,
        requests->count, &inserted, &error);
  mlirplug_pipeline_destroy(configured);
  if (status != MLIRPLUG_OK) {
    console_failure(engine->console, error);
    return false;
  }
  mlirplug_pipeline_destroy(engine->pipeline);
  engine->pipeline = inserted;
  return true;
}

static bool pipeline_parse(struct engine *engine) {
  const struct arguments *arguments = engine->arguments;
  mlirplug_error *error = NULL;
  mlirplug_status status;
  if (arguments->pipeline) {
    status = mlirplug_pipeline_parse(engine->host, arguments->pipeline,
                                     &engine->pipeline, &error);
  } else {
    char *text = flags_text(&arguments->passes, engine->console);
    if (!text)
      return false;
    status = mlirplug_pipeline_parse_passes(
        engine->host, engine->anchor ? engine->anchor : "builtin.module", text,
        &engine->pipeline, &error);
    free(text);
  }
  if (status != MLIRPLUG_OK)
    console_failure(engine->console, error);
  return status == MLIRPLUG_OK && pipeline_insert(engine);
}

/// Lets MLIR know all passes, also those of plugins if it can.
static void passes_register(struct engine *engine) {
  mlirRegisterAllPasses();
  mlirplug_error *error = NULL;
  if (mlirplug_host_register_passes(engine->host, &error) != MLIRPLUG_OK &&
      engine->console->debug)
    console_decision(error->message, engine->console);
  mlirplug_error_destroy(error);
}

static enum command_status manager_create(struct engine *engine,
                                          struct records *records) {
  const struct arguments *arguments = engine->arguments;
  mlirplug_manager_configuration configuration = {
      .size = sizeof configuration,
      .record = records_add,
      .user_data = records,
      .verify = arguments->verify_each,
      .reproducer = arguments->crash_reproducer,
      .local_reproducer = arguments->local_reproducer,
  };
  containment_configure(&engine->containment, &configuration);
  observation_configure(&engine->observation, &configuration);
  passes_register(engine);
  mlirplug_error *error = NULL;
  if (mlirplug_manager_create(engine->pipeline, engine->context, &configuration,
                              &engine->manager, &error) == MLIRPLUG_OK)
    return COMMAND_OK;
  if (flags_refuse_unknown(&arguments->passes, engine->host, engine->context,
                           engine->console)) {
    mlirplug_error_destroy(error);
    return COMMAND_WRONG_USAGE;
  }
  console_failure(engine->console, error);
  return COMMAND_FAILED;
}

enum command_status engine_begin(struct engine *engine, mlirplug_host *host,
                                 const struct arguments *arguments,
                                 struct records *records,
                                 struct console *console) {
  *engine = (struct engine){.arguments = arguments,
                            .console = console,
                            .host = host,
                            .records = records};
  if (!containment_read(arguments, &engine->containment, console))
    return COMMAND_WRONG_USAGE;
  if (!engine_attach(host, arguments, console) || !provider_check(engine) ||
      !plugins_load_cxx(host, console, &arguments->plugins))
    return COMMAND_FAILED;
  bool has_pipeline = needs_pipeline(arguments);
  if (has_pipeline && !pipeline_parse(engine))
    return COMMAND_FAILED;
  if (!observation_begin(&engine->observation, arguments, host, console))
    return COMMAND_FAILED;
  diagnostics_prepare(engine);
  engine->context =
      context_create(arguments, engine->host, &engine->diagnostics);
  if (!engine->context.ptr ||
      !remarks_enable(arguments, engine->context, console))
    return COMMAND_FAILED;
  enum command_status status =
      actions_begin(&engine->actions, arguments, engine->context, console);
  if (status == COMMAND_OK && has_pipeline)
    status = manager_create(engine, records);
  if (status == COMMAND_OK)
    observation_pipeline(&engine->observation, engine->pipeline,
                         engine->manager);
  return status;
}

//===----------------------------------------------------------------------===//
// Each input
//===----------------------------------------------------------------------===//

MlirOperation engine_parse(struct engine *engine, const struct input *input,
                           const struct part *part, void *resources) {
  MlirOperation root = reading_parse(engine->arguments, engine->context, input,
                                     part, resources, &engine->diagnostics);
  if (!root.ptr || !engine->arguments->verify_roundtrip ||
      roundtrip_verify(engine->arguments, engine->host, root,
                       &engine->diagnostics))
    return root;
  mlirOperationDestroy(root);
  return (MlirOperation){NULL};
}

/// --no-implicit-module: passes that were asked for as flags run on what the
/// input begins with.
static bool anchor_fit(struct engine *engine, MlirOperation root) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(root));
  const char *anchor = engine->anchor ? engine->anchor : "builtin.module";
  if (engine->arguments->pipeline || strcmp(name.data, anchor) == 0)
    return true;
  free(engine->anchor);
  engine->anchor = strndup(name.data, name.length);
  if (!engine->anchor) {
    console_error(engine->console, "out of memory");
    return false;
  }
  mlirplug_manager_destroy(engine->manager);
  mlirplug_pipeline_destroy(engine->pipeline);
  engine->manager = NULL;
  engine->pipeline = NULL;
  if (!pipeline_parse(engine) ||
      manager_create(engine, engine->records) != COMMAND_OK)
    return false;
  observation_pipeline(&engine->observation, engine->pipeline, engine->manager);
  return true;
}

/// In a handler of a signal.
static int reproducer_save(const void *manager) {
  return mlirplug_manager_save_reproducer(manager);
}

bool engine_run(struct engine *engine, MlirOperation root,
                const struct input *input) {
  if (!engine->manager)
    return true;
  if (!anchor_fit(engine, root))
    return false;
  size_t errors = engine->diagnostics.errors;
  mlirplug_error *error = NULL;
  const char *reproducer = engine->arguments->generate_reproducer;
  if (reproducer &&
      mlirplug_manager_write_reproducer(engine->manager, root, reproducer,
                                        &error) != MLIRPLUG_OK) {
    console_failure(engine->console, error);
    return false;
  }
  crash_save(reproducer_save, engine->manager,
             engine->arguments->crash_reproducer);
  crash_run(engine->manager);
  struct timeout *timeout = timeout_begin(&engine->containment, engine->manager,
                                          input->name, engine->console);
  mlirplug_status status =
      mlirplug_manager_run(engine->manager, root, input->name, &error);
  timeout_end(timeout);
  crash_run(NULL);
  crash_save(NULL, NULL, NULL);
  if (status == MLIRPLUG_OK)
    return true;
  // A diagnostic has said more already.
  if (engine->diagnostics.errors == errors)
    console_failure(engine->console, error);
  else
    mlirplug_error_destroy(error);
  return false;
}

bool engine_print(struct engine *engine, MlirOperation root, void *resources,
                  FILE *stream) {
  if (object_is_wanted(engine->arguments))
    return object_write(engine->arguments, engine->host, root, stream,
                        engine->console);
  return printing_write(engine->arguments, root, resources, stream,
                        engine->console);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

bool engine_report(struct engine *engine) {
  return observation_report(&engine->observation, engine->manager);
}

void engine_end(struct engine *engine) {
  actions_end(&engine->actions);
  mlirplug_manager_destroy(engine->manager);
  observation_end(&engine->observation);
  mlirplug_pipeline_destroy(engine->pipeline);
  if (engine->context.ptr)
    mlirContextDestroy(engine->context);
  source_release(&engine->diagnostics.source);
  containment_release(&engine->containment);
  free(engine->anchor);
  *engine = (struct engine){0};
}
