// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that differ in the operations they run on, and passes that make some.

#include <mlirplug/ir.h>
#include <mlirplug/plugin.h>

#include <mlirplug/json.h>

static mlirplug_status write_operation(const mlirplug_run *run,
                                       MlirOperation root) {
  mlirplug_json json = mlirplug_json_create(run);
  mlirplug_json_begin_object(&json);
  mlirplug_json_key(&json, mlirplug_json_view("ran_on"));
  mlirplug_json_string(&json, mlirIdentifierStr(mlirOperationGetName(root)));
  mlirplug_json_end_object(&json);
  return mlirplug_json_record(&json);
}

static const mlirplug_pass functions = {
    MLIRPLUG_PASS("functions", "Runs on whatever is a function"),
    .anchor = "@function",
    .run = write_operation,
};

static const mlirplug_pass symbols = {
    MLIRPLUG_PASS("symbols",
                  "Runs on whatever has a name and something inside"),
    .anchor = "@symbol",
    .run = write_operation,
};

static const mlirplug_pass several = {
    MLIRPLUG_PASS("several", "Runs on functions and GPU modules"),
    .anchor = "func.func, gpu.module",
    .run = write_operation,
};

static const mlirplug_pass anything = {
    MLIRPLUG_PASS("anything", "Runs on any operation"),
    .run = write_operation,
};

//===----------------------------------------------------------------------===//
// Making operations
//===----------------------------------------------------------------------===//

static MlirStringRef view(const char *string) {
  return (MlirStringRef){string, __builtin_strlen(string)};
}

/// Puts an index.constant at the beginning of the first function of a module.
static mlirplug_status make_index(const mlirplug_run *run, MlirOperation root) {
  (void)run;
  MlirOperation function = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(root, 0)));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirContext context = mlirOperationGetContext(root);
  MlirType type = mlirIndexTypeGet(context);
  MlirNamedAttribute value = mlirNamedAttributeGet(
      mlirIdentifierGet(context, view("value")), mlirIntegerAttrGet(type, 7));
  MlirOperationState state = mlirOperationStateGet(
      view("index.constant"), mlirOperationGetLocation(root));
  mlirOperationStateAddAttributes(&state, 1, &value);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation made = mlirOperationCreate(&state);
  if (mlirOperationIsNull(made))
    return MLIRPLUG_FAILED;
  mlirBlockInsertOwnedOperation(body, 0, made);
  return MLIRPLUG_OK;
}

static const mlirplug_pass insert_index = {
    MLIRPLUG_PASS("insert-index", "Makes an index.constant"),
    .anchor = "builtin.module",
    .dialects = "index",
    .run = make_index,
};

static const mlirplug_pass insert_undeclared = {
    MLIRPLUG_PASS("insert-undeclared", "The same without saying so"),
    .anchor = "builtin.module",
    .run = make_index,
};

static const mlirplug_pass needs_nowhere = {
    MLIRPLUG_PASS("needs-nowhere", "Wants a dialect that nobody has"),
    .dialects = "nowhere",
    .run = write_operation,
};

/// Leaves the function without its terminator.
static mlirplug_status break_function(const mlirplug_run *run,
                                      MlirOperation root) {
  (void)run;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(root, 0));
  mlirOperationDestroy(mlirBlockGetTerminator(body));
  return MLIRPLUG_OK;
}

static const mlirplug_pass break_ir = {
    MLIRPLUG_PASS("break-ir", "Leaves IR that is not valid"),
    .anchor = "func.func",
    .run = break_function,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.anchor", "1.0.0", &functions, &several,
                &anything, &insert_index, &insert_undeclared, &needs_nowhere,
                &break_ir, &symbols);
