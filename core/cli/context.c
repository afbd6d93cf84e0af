// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/context.h"

#include "cli/extension.h"
#include "cli/memory.h"
#include "cli/output.h"
#include "cli/reading.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

/// Those that printing.c can ask for each time it prints.
static bool printer_has(const char *name) {
  static const char *const everywhere[] = {
      "mlir-elide-elementsattrs-if-larger", "mlir-print-local-scope",
      "mlir-pretty-debuginfo", "mlir-print-assume-verified"};
  for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; ++i)
    if (strcmp(name, everywhere[i]) == 0)
      return true;
  if (strcmp(name, "mlir-elide-resource-strings-if-larger") == 0)
    return MLIRPLUG_HAS(mlirOpPrintingFlagsElideLargeResourceString);
  if (strcmp(name, "mlir-print-skip-regions") == 0)
    return MLIRPLUG_HAS(mlirOpPrintingFlagsSkipRegions);
  if (strcmp(name, "mlir-use-nameloc-as-prefix") == 0)
    return MLIRPLUG_HAS(mlirOpPrintingFlagsPrintNameLocAsPrefix);
  return false;
}

static bool setting_apply(const char *name, const char *value,
                          struct console *console) {
  if (!MLIRPLUG_HAS(mlirplugExtSetOption)) {
    if (printer_has(name))
      return true;
    console_error(console,
                  "'--%s' needs a provider of mlirplug (--provider=static or "
                  "shared)",
                  name);
    return false;
  }
  if (mlirplugExtSetOption(mlirStringRefCreateFromCString(name),
                           mlirStringRefCreateFromCString(value)))
    return true;
  console_error(console, "the MLIR of this provider cannot take '--%s=%s'",
                name, value);
  return false;
}

bool context_settings_apply(const struct arguments *arguments,
                            struct console *console) {
  const struct argument_settings *settings = &arguments->settings;
  for (size_t i = 0; i < settings->count; ++i)
    if (!setting_apply(settings->items[i].name, settings->items[i].value,
                       console))
      return false;
  // These are for each place where MLIR itself prints.
  if (!MLIRPLUG_HAS(mlirplugExtSetOption))
    return true;
  if (arguments->print_generic &&
      !setting_apply("mlir-print-op-generic", "true", console))
    return false;
  if (arguments->print_debuginfo &&
      !setting_apply("mlir-print-debuginfo", "true", console))
    return false;
  // What is expected of a diagnostic is its text.
  return !arguments->verify_diagnostics ||
         setting_apply("mlir-print-op-on-diagnostic", "false", console);
}

//===----------------------------------------------------------------------===//
// Dialects
//===----------------------------------------------------------------------===//

static bool irdl_load(const struct arguments *arguments, MlirContext context,
                      struct diagnostics *diagnostics) {
  const char *path = arguments->irdl_file;
  if (!MLIRPLUG_HAS(mlirLoadIRDLDialects)) {
    console_error(diagnostics->console,
                  "'--irdl-file' needs MLIR 19 or later: this provider cannot "
                  "load dialects from IRDL");
    return false;
  }
  struct part part = {.line = 1, .column = 1};
  char *content = NULL;
  if (!reading_file(path, &content, &part.length, diagnostics->console))
    return false;
  part.text = content;
  const struct arguments plain = {.command = ARGUMENT_OPT};
  char *name = strdup(path);
  const struct input input = {.path = name, .name = path};
  MlirOperation root = {NULL};
  if (name)
    root = reading_parse(&plain, context, &input, &part, NULL, diagnostics);
  free(name);
  free(content);
  if (!root.ptr)
    return false;
  bool loaded = mlirLogicalResultIsSuccess(
      mlirLoadIRDLDialects(mlirModuleFromOperation(root)));
  mlirOperationDestroy(root);
  if (!loaded)
    console_error(diagnostics->console, "cannot use the dialects of '%s'",
                  path);
  return loaded;
}

static bool registry_fill(const struct arguments *arguments,
                          mlirplug_host *host, MlirDialectRegistry registry,
                          struct console *console) {
  mlirRegisterAllDialects(registry);
  const struct argument_texts *plugins = &arguments->dialect_plugins;
  mlirplug_error *error = NULL;
  for (size_t i = 0; i < plugins->count; ++i)
    if (mlirplug_host_load_dialect_plugin(host, plugins->items[i], registry,
                                          &error) != MLIRPLUG_OK) {
      console_failure(console, error);
      return false;
    }
  return true;
}

MlirContext context_create(const struct arguments *arguments,
                           mlirplug_host *host,
                           struct diagnostics *diagnostics) {
  MlirContext context = {NULL};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  if (registry_fill(arguments, host, registry, diagnostics->console))
    context =
        mlirContextCreateWithRegistry(registry, !arguments->disable_threading);
  mlirDialectRegistryDestroy(registry);
  if (!context.ptr)
    return context;
  mlirContextSetAllowUnregisteredDialects(
      context, arguments->allow_unregistered_dialect);
  diagnostics_attach(diagnostics, context);
  if (arguments->irdl_file && !irdl_load(arguments, context, diagnostics)) {
    mlirContextDestroy(context);
    context.ptr = NULL;
  }
  return context;
}

static void name_print(MlirStringRef name, void *stream) {
  bool first = ftell(stream) == 0;
  fprintf(stream, "%s%.*s", first ? "Available Dialects: " : ",",
          (int)name.length, name.data);
}

bool context_show_dialects(const struct arguments *arguments,
                           mlirplug_host *host, struct console *console) {
  if (!MLIRPLUG_HAS(mlirplugExtDialectNames)) {
    console_error(console, "'--show-dialects' needs a provider of mlirplug "
                           "(--provider=static or shared)");
    return false;
  }
  struct memory memory;
  if (!memory_open(&memory)) {
    console_error(console, "out of memory");
    return false;
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  bool filled = registry_fill(arguments, host, registry, console);
  if (filled)
    mlirplugExtDialectNames(registry, name_print, memory.stream);
  mlirDialectRegistryDestroy(registry);
  fputc('\n', memory.stream);
  if (filled)
    return output_memory(console, &memory);
  memory_release(&memory);
  return false;
}
