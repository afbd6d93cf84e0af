// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/printing.h"

#include "cli/extension.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void chunk_print(MlirStringRef chunk, void *stream) {
  fwrite(chunk.data, 1, chunk.length, stream);
}

//===----------------------------------------------------------------------===//
// Bytecode
//===----------------------------------------------------------------------===//

static bool version_read(const struct arguments *arguments, int64_t *version) {
  char *end;
  errno = 0;
  *version = strtoll(arguments->bytecode_version, &end, 0);
  return !*end && end != arguments->bytecode_version && errno == 0 &&
         *version >= 0;
}

/// MLIR 16 says of nothing that it cannot write it, and 15 can write nothing.
static MlirLogicalResult plainly_write(MlirOperation root, int64_t version,
                                       FILE *stream) {
  if (MLIRPLUG_HAS(mlirOperationWriteBytecodeWithConfig) &&
      MLIRPLUG_HAS(mlirBytecodeWriterConfigCreate) &&
      MLIRPLUG_HAS(mlirBytecodeWriterConfigDestroy)) {
    MlirBytecodeWriterConfig configuration = mlirBytecodeWriterConfigCreate();
    if (version >= 0 &&
        MLIRPLUG_HAS(mlirBytecodeWriterConfigDesiredEmitVersion))
      mlirBytecodeWriterConfigDesiredEmitVersion(configuration, version);
    MlirLogicalResult result = mlirOperationWriteBytecodeWithConfig(
        root, configuration, chunk_print, stream);
    mlirBytecodeWriterConfigDestroy(configuration);
    return result;
  }
  if (!MLIRPLUG_HAS(mlirOperationWriteBytecode))
    return mlirLogicalResultFailure();
  mlirOperationWriteBytecode(root, chunk_print, stream);
  return mlirLogicalResultSuccess();
}

static bool bytecode_write(const struct arguments *arguments,
                           MlirOperation root, void *resources, FILE *stream,
                           struct console *console) {
  int64_t version = -1;
  if (arguments->bytecode_version)
    version_read(arguments, &version);
  bool written =
      resources && MLIRPLUG_HAS(mlirplugExtWriteBytecode)
          ? mlirplugExtWriteBytecode(root, version,
                                     arguments->elide_resource_data, resources,
                                     chunk_print, stream)
          : mlirLogicalResultIsSuccess(plainly_write(root, version, stream));
  if (!written)
    console_error(console, "MLIR cannot write this IR as bytecode");
  return written;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Settings that contexts and printing cannot be told once for all, see
/// context_settings_apply.
static void setting_apply(MlirOpPrintingFlags flags,
                          const struct argument_setting *setting) {
  const char *name = setting->name;
  bool is_on = strchr("tT1", *setting->value);
  long long number = strtoll(setting->value, NULL, 0);
  if (strcmp(name, "mlir-elide-elementsattrs-if-larger") == 0)
    mlirOpPrintingFlagsElideLargeElementsAttrs(flags, (intptr_t)number);
  else if (strcmp(name, "mlir-elide-resource-strings-if-larger") == 0 &&
           MLIRPLUG_HAS(mlirOpPrintingFlagsElideLargeResourceString))
    mlirOpPrintingFlagsElideLargeResourceString(flags, (intptr_t)number);
  else if (strcmp(name, "mlir-print-local-scope") == 0 && is_on)
    mlirOpPrintingFlagsUseLocalScope(flags);
  else if (strcmp(name, "mlir-print-skip-regions") == 0 && is_on &&
           MLIRPLUG_HAS(mlirOpPrintingFlagsSkipRegions))
    mlirOpPrintingFlagsSkipRegions(flags);
  else if (strcmp(name, "mlir-use-nameloc-as-prefix") == 0 && is_on &&
           MLIRPLUG_HAS(mlirOpPrintingFlagsPrintNameLocAsPrefix))
    mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
  else if (strcmp(name, "mlir-print-assume-verified") == 0 && is_on &&
           MLIRPLUG_HAS(mlirOpPrintingFlagsAssumeVerified))
    mlirOpPrintingFlagsAssumeVerified(flags);
}

static bool is_pretty(const struct arguments *arguments) {
  bool pretty = false;
  for (size_t i = 0; i < arguments->settings.count; ++i)
    if (strcmp(arguments->settings.items[i].name, "mlir-pretty-debuginfo") == 0)
      pretty = strchr("tT1", *arguments->settings.items[i].value);
  return pretty;
}

static MlirOpPrintingFlags flags_create(const struct arguments *arguments) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (arguments->print_generic)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  if (arguments->print_debuginfo)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, is_pretty(arguments));
  // Printing verifies, so as not to print what is broken in a form that it does
  // not have; after reading and after the last pass that has been done.
  if (arguments->verify_each && !arguments->unverified &&
      MLIRPLUG_HAS(mlirOpPrintingFlagsAssumeVerified))
    mlirOpPrintingFlagsAssumeVerified(flags);
  for (size_t i = 0;
       !MLIRPLUG_HAS(mlirplugExtSetOption) && i < arguments->settings.count;
       ++i)
    setting_apply(flags, &arguments->settings.items[i]);
  return flags;
}

bool printing_write(const struct arguments *arguments, MlirOperation root,
                    void *resources, FILE *stream, struct console *console) {
  if (arguments->emit_bytecode)
    return bytecode_write(arguments, root, resources, stream, console);
  MlirOpPrintingFlags flags = flags_create(arguments);
  if (resources && MLIRPLUG_HAS(mlirplugExtPrint))
    mlirplugExtPrint(root, flags, resources, chunk_print, stream);
  else
    mlirOperationPrintWithFlags(root, flags, chunk_print, stream);
  mlirOpPrintingFlagsDestroy(flags);
  fputc('\n', stream);
  return true;
}

//===----------------------------------------------------------------------===//
// What can be had
//===----------------------------------------------------------------------===//

bool printing_check(const struct arguments *arguments,
                    struct console *console) {
  int64_t version;
  if (arguments->bytecode_version && !arguments->emit_bytecode) {
    console_error(console,
                  "'--emit-bytecode-version' says how bytecode is to be "
                  "written: give --emit-bytecode, too");
    return false;
  }
  if (arguments->bytecode_version && !version_read(arguments, &version)) {
    console_error(console,
                  "'--emit-bytecode-version' takes a number: found '%s', "
                  "expected one like --emit-bytecode-version=6",
                  arguments->bytecode_version);
    return false;
  }
  if (arguments->bytecode_version && !MLIRPLUG_HAS(mlirplugExtWriteBytecode) &&
      !MLIRPLUG_HAS(mlirBytecodeWriterConfigDesiredEmitVersion)) {
    console_error(console, "'--emit-bytecode-version' needs MLIR 19 or later: "
                           "this provider writes its own version only");
    return false;
  }
  if (arguments->elide_resource_data && arguments->emit_bytecode &&
      !MLIRPLUG_HAS(mlirplugExtWriteBytecode)) {
    console_error(console,
                  "'--elide-resource-data-from-bytecode' needs a "
                  "provider of mlirplug (--provider=static or shared)");
    return false;
  }
  return true;
}
