// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/engine.h"

#include "cli/flags.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Beginning
//===----------------------------------------------------------------------===//

static bool library_attach(struct engine *engine) {
  const char *provider = engine->arguments->provider;
  mlirplug_error *error = NULL;
  if (mlirplug_host_attach_library(engine->host, provider ? provider : "static",
                                   &error) == MLIRPLUG_OK &&
      mlirplug_host_bind(engine->host, __start_mlirplug_imports,
                         __stop_mlirplug_imports, &error) == MLIRPLUG_OK)
    return true;
  console_failure(engine->console, error);
  return false;
}

static void context_create(struct engine *engine) {
  const struct arguments *arguments = engine->arguments;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  engine->context =
      mlirContextCreateWithRegistry(registry, !arguments->disable_threading);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(
      engine->context, arguments->allow_unregistered_dialect);
  engine->diagnostics.console = engine->console;
  diagnostics_attach(&engine->diagnostics, engine->context);
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
    status = mlirplug_pipeline_parse_passes(engine->host, "builtin.module",
                                            text, &engine->pipeline, &error);
    free(text);
  }
  if (status != MLIRPLUG_OK)
    console_failure(engine->console, error);
  return status == MLIRPLUG_OK;
}

static enum command_status manager_create(struct engine *engine,
                                          struct records *records) {
  const struct arguments *arguments = engine->arguments;
  mlirplug_manager_configuration configuration = {
      .size = sizeof configuration,
      .record = records_add,
      .user_data = records,
      .verify = arguments->verify_each,
  };
  mlirRegisterAllPasses();
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
  *engine =
      (struct engine){.arguments = arguments, .console = console, .host = host};
  if (!library_attach(engine))
    return COMMAND_FAILED;
  bool has_passes = arguments->pipeline || arguments->passes.count;
  if (has_passes && !pipeline_parse(engine))
    return COMMAND_FAILED;
  context_create(engine);
  return has_passes ? manager_create(engine, records) : COMMAND_OK;
}

//===----------------------------------------------------------------------===//
// Each input
//===----------------------------------------------------------------------===//

/// Copies what there is to read to an open memory. False with errno otherwise.
static bool file_copy(const char *path, FILE *out) {
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rbe");
  if (!file)
    return false;
  char bytes[4096];
  size_t length;
  do {
    length = fread(bytes, 1, sizeof bytes, file);
    fwrite(bytes, 1, length, out);
  } while (length == sizeof bytes);
  bool complete = !ferror(file);
  if (file != stdin)
    (void)fclose(file);
  return complete;
}

/// For MLIR up to 19, which does not read files through its C API.
static MlirModule memory_parse(struct engine *engine, const char *path) {
  MlirModule module = {NULL};
  struct memory memory;
  if (!memory_open(&memory))
    return module;
  bool complete = file_copy(path, memory.stream);
  if (!complete) {
    console_error(engine->console, "cannot read '%s': %s", path,
                  strerror(errno));
    ++engine->diagnostics.errors;
  }
  if (memory_close(&memory) && complete)
    module = mlirModuleCreateParse(
        engine->context, mlirStringRefCreate(memory.bytes, memory.length));
  memory_release(&memory);
  return module;
}

MlirModule engine_parse(struct engine *engine, const struct input *input) {
  struct diagnostics *diagnostics = &engine->diagnostics;
  size_t errors = diagnostics->errors;
  bool reads_files = MLIRPLUG_HAS(mlirModuleCreateParseFromFile);
  if (!reads_files)
    diagnostics->input = input->name;
  MlirModule module =
      reads_files
          ? mlirModuleCreateParseFromFile(
                engine->context, mlirStringRefCreateFromCString(input->path))
          : memory_parse(engine, input->path);
  if (mlirModuleIsNull(module) && diagnostics->errors == errors)
    console_error(engine->console,
                  "cannot parse '%s': MLIR gives no reason for it",
                  input->name);
  return module;
}

bool engine_run(struct engine *engine, MlirModule module,
                const struct input *input) {
  if (!engine->manager)
    return true;
  size_t errors = engine->diagnostics.errors;
  mlirplug_error *error = NULL;
  if (mlirplug_manager_run(engine->manager, mlirModuleGetOperation(module),
                           input->name, &error) == MLIRPLUG_OK)
    return true;
  // A diagnostic has said more already.
  if (engine->diagnostics.errors == errors)
    console_failure(engine->console, error);
  else
    mlirplug_error_destroy(error);
  return false;
}

static void chunk_print(MlirStringRef chunk, void *stream) {
  fwrite(chunk.data, 1, chunk.length, stream);
}

/// MLIR 16 says of nothing that it cannot write it, and 15 can write nothing.
static MlirLogicalResult bytecode_write(MlirOperation operation, FILE *stream) {
  if (MLIRPLUG_HAS(mlirOperationWriteBytecodeWithConfig) &&
      MLIRPLUG_HAS(mlirBytecodeWriterConfigCreate) &&
      MLIRPLUG_HAS(mlirBytecodeWriterConfigDestroy)) {
    MlirBytecodeWriterConfig configuration = mlirBytecodeWriterConfigCreate();
    MlirLogicalResult result = mlirOperationWriteBytecodeWithConfig(
        operation, configuration, chunk_print, stream);
    mlirBytecodeWriterConfigDestroy(configuration);
    return result;
  }
  if (!MLIRPLUG_HAS(mlirOperationWriteBytecode))
    return mlirLogicalResultFailure();
  mlirOperationWriteBytecode(operation, chunk_print, stream);
  return mlirLogicalResultSuccess();
}

static bool bytecode_print(struct engine *engine, MlirOperation operation,
                           FILE *stream) {
  if (mlirLogicalResultIsSuccess(bytecode_write(operation, stream)))
    return true;
  console_error(engine->console, "MLIR cannot write this IR as bytecode");
  return false;
}

bool engine_print(struct engine *engine, MlirModule module, FILE *stream) {
  const struct arguments *arguments = engine->arguments;
  MlirOperation operation = mlirModuleGetOperation(module);
  if (arguments->emit_bytecode)
    return bytecode_print(engine, operation, stream);
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (arguments->print_generic)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  if (arguments->print_debuginfo)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  // Printing verifies, so as not to print what is broken in a form that it does
  // not have; after the last pass that has been done.
  if (arguments->verify_each && MLIRPLUG_HAS(mlirOpPrintingFlagsAssumeVerified))
    mlirOpPrintingFlagsAssumeVerified(flags);
  mlirOperationPrintWithFlags(operation, flags, chunk_print, stream);
  mlirOpPrintingFlagsDestroy(flags);
  fputc('\n', stream);
  return true;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

static void statistics_print(const mlirplug_manager *manager, FILE *stream) {
  static const char line[] = "===---------------------------------------------"
                             "----------------------------===\n";
  fprintf(stream, "%s%25s... Pass statistics report ...\n%s", line, "", line);
  size_t count = mlirplug_manager_statistic_count(manager);
  for (size_t i = 0; i < count; ++i) {
    mlirplug_statistic_value value = mlirplug_manager_statistic(manager, i);
    if (i == 0 ||
        mlirplug_manager_statistic(manager, i - 1).place != value.place)
      fprintf(stream, "%s\n", value.pass);
    fprintf(stream, "  (S) %8" PRIu64 " %s", value.value, value.name);
    if (value.help && *value.help)
      fprintf(stream, " - %s", value.help);
    fputc('\n', stream);
  }
}

void engine_print_statistics(const struct engine *engine) {
  struct memory memory;
  if (!engine->manager)
    return;
  bool complete = memory_open(&memory);
  if (complete) {
    statistics_print(engine->manager, memory.stream);
    complete = memory_close(&memory);
  }
  if (complete)
    console_text(engine->console, memory.bytes, memory.length);
  else
    console_error(engine->console,
                  "cannot print the statistics: out of memory");
  memory_release(&memory);
}

void engine_end(struct engine *engine) {
  mlirplug_manager_destroy(engine->manager);
  mlirplug_pipeline_destroy(engine->pipeline);
  if (engine->context.ptr)
    mlirContextDestroy(engine->context);
  source_release(&engine->diagnostics.source);
  *engine = (struct engine){0};
}
