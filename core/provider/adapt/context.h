// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters about contexts, messages, printing and parsing. Part of slot.h.

#ifndef MLIRPLUG_PROVIDER_ADAPT_CONTEXT_H
#define MLIRPLUG_PROVIDER_ADAPT_CONTEXT_H

#include "provider/adapt/own.h"

static MlirTypeID adapt_type_id(const void *address) {
  return (MlirTypeID){address};
}

static MlirContext adapt_context(void) {
  return own.mlirContextCreateWithThreading(true);
}

static MlirContext adapt_context_with_threading(bool threads) {
  MlirContext context = own.mlirContextCreate();
  own.mlirContextEnableMultithreading(context, threads);
  return context;
}

static MlirContext adapt_context_with_registry(MlirDialectRegistry registry,
                                               bool threads) {
  MlirContext context = own.mlirContextCreateWithThreading
                            ? own.mlirContextCreateWithThreading(threads)
                            : adapt_context_with_threading(threads);
  own.mlirContextAppendDialectRegistry(context, registry);
  return context;
}

static void adapt_emit_warning(MlirLocation location, const char *message) {
  own.emit(location, MlirDiagnosticWarning, provider_string(message));
}

static void adapt_emit_remark(MlirLocation location, const char *message) {
  own.emit(location, MlirDiagnosticRemark, provider_string(message));
}

static void adapt_print(MlirOperation operation, MlirStringCallback callback,
                        void *user_data) {
  MlirOpPrintingFlags flags = own.mlirOpPrintingFlagsCreate();
  own.mlirOperationPrintWithFlags(operation, flags, callback, user_data);
  own.mlirOpPrintingFlagsDestroy(flags);
}

/// Flags begin without, and the older function cannot go back to that.
static void adapt_enable_debug_info(MlirOpPrintingFlags flags, bool enable,
                                    bool pretty) {
  if (enable)
    own.older_enable_debug_info(flags, pretty);
}

static void adapt_infer_results(MlirOperationState *state) {
  state->enableResultTypeInference = true;
}

/// How far the text is like ":0:0", which ends in the location of a module that
/// MLIR put around the text that it read.
struct origin {
  char end[8];
};

static void origin_collect(MlirStringRef part, void *user_data) {
  struct origin *origin = user_data;
  for (size_t i = 0; i < part.length; ++i) {
    memmove(origin->end, origin->end + 1, sizeof origin->end - 1);
    origin->end[sizeof origin->end - 1] = part.data[i];
  }
}

static bool is_implicit(MlirOperation module) {
  static const char mark[] = "\":0:0)";
  struct origin origin = {{0}};
  own.mlirLocationPrint(own.mlirOperationGetLocation(module), origin_collect,
                        &origin);
  size_t length = sizeof mark - 1;
  return memcmp(origin.end + sizeof origin.end - length, mark, length) == 0;
}

/// By the parser of modules. The name of the source is not used: what older
/// versions read from memory is called "-".
static MlirOperation adapt_parse(MlirContext context, MlirStringRef source,
                                 MlirStringRef name) {
  (void)name;
  MlirModule module = own.mlirModuleCreateParse(context, source);
  if (!module.ptr)
    return (MlirOperation){NULL};
  MlirOperation operation = own.mlirModuleGetOperation(module);
  if (!is_implicit(operation))
    return operation;
  MlirOperation only =
      own.mlirBlockGetFirstOperation(own.mlirModuleGetBody(module));
  if (only.ptr && !own.mlirOperationGetNextInBlock(only).ptr) {
    own.mlirOperationRemoveFromParent(only);
  } else {
    own.mlirEmitError(own.mlirOperationGetLocation(operation),
                      "source must contain a single top-level operation");
    only.ptr = NULL;
  }
  own.mlirModuleDestroy(module);
  return only;
}

#endif // MLIRPLUG_PROVIDER_ADAPT_CONTEXT_H
