// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters about pass managers and pipelines. Part of slot.h.

#ifndef MLIRPLUG_PROVIDER_ADAPT_PASS_H
#define MLIRPLUG_PROVIDER_ADAPT_PASS_H

#include "provider/adapt/own.h"

#define MODULE "builtin.module"

static bool is_module_name(MlirStringRef name) {
  return name.length == sizeof MODULE - 1 &&
         memcmp(name.data, MODULE, name.length) == 0;
}

/// mlirPassManagerRun takes any operation: MLIR looks at its name only when it
/// runs the passes.
static MlirLogicalResult adapt_run_on(MlirPassManager manager,
                                      MlirOperation operation) {
  return own.run_on_module(manager, (MlirModule){operation.ptr});
}

/// In MLIR 15 all managers are for modules, and a release build does not check.
static MlirLogicalResult adapt_run_on_checked(MlirPassManager manager,
                                              MlirOperation operation) {
  if (is_module_name(
          own.mlirIdentifierStr(own.mlirOperationGetName(operation))))
    return adapt_run_on(manager, operation);
  own.mlirEmitError(own.mlirOperationGetLocation(operation),
                    "this version of MLIR runs pass managers on " MODULE
                    " only");
  return (MlirLogicalResult){0};
}

/// Null for any other operation than a module.
static MlirPassManager adapt_manager(MlirContext context,
                                     MlirStringRef anchor) {
  return is_module_name(anchor) ? own.mlirPassManagerCreate(context)
                                : (MlirPassManager){NULL};
}

static MlirOpPassManager adapt_nested_under(MlirPassManager manager,
                                            MlirStringRef name) {
  return own.mlirOpPassManagerGetNestedUnder(
      own.mlirPassManagerGetAsOpPassManager(manager), name);
}

/// A MlirPassManager is an OpPassManager with more behind it, and the function
/// looks at that part only.
static void adapt_add_pass(MlirOpPassManager manager, MlirPass pass) {
  own.mlirPassManagerAddOwnedPass((MlirPassManager){manager.ptr}, pass);
}

static void say(MlirStringCallback callback, void *user_data,
                const char *text) {
  if (callback)
    callback(provider_string(text), user_data);
}

/// In MLIR 15 the function that is now for whole pipelines did this.
static MlirLogicalResult adapt_add_pipeline(MlirOpPassManager manager,
                                            MlirStringRef elements,
                                            MlirStringCallback callback,
                                            void *user_data) {
  MlirLogicalResult result = own.older_parse_pipeline(manager, elements);
  if (result.value == 0)
    say(callback, user_data,
        "it cannot be added; this version of MLIR says why on standard error");
  return result;
}

static void length_add(MlirStringRef part, void *length) {
  *(size_t *)length += part.length;
}

/// What stands between "builtin.module(" and ")"; no data if `pipeline` is
/// something else.
static MlirStringRef pipeline_elements(MlirStringRef pipeline) {
  static const char opening[] = MODULE "(";
  size_t length = sizeof opening - 1;
  if (pipeline.length <= length ||
      memcmp(pipeline.data, opening, length) != 0 ||
      pipeline.data[pipeline.length - 1] != ')')
    return (MlirStringRef){NULL, 0};
  return (MlirStringRef){pipeline.data + length, pipeline.length - length - 1};
}

static MlirLogicalResult adapt_parse_pipeline(MlirOpPassManager manager,
                                              MlirStringRef pipeline,
                                              MlirStringCallback callback,
                                              void *user_data) {
  MlirStringRef elements = pipeline_elements(pipeline);
  size_t present = 0;
  own.mlirPrintPassPipeline(manager, length_add, &present);
  if (elements.data && !present)
    return elements.length
               ? adapt_add_pipeline(manager, elements, callback, user_data)
               : (MlirLogicalResult){1};
  say(callback, user_data,
      present ? "this version of MLIR cannot replace what is in a pass manager"
              : "expected a pipeline of the form " MODULE "(...)");
  return (MlirLogicalResult){0};
}

#endif // MLIRPLUG_PROVIDER_ADAPT_PASS_H
