// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir_api.h"

#include <stdlib.h>
#include <string.h>

static const char *const optional_names[] = {
#define IR_FUNCTION_NAME(name) "?" #name,
    IR_API(IR_FUNCTION_NAME)
#undef IR_FUNCTION_NAME
};

/// Nothing works without these: to look at IR and to say what is wrong.
static const enum ir_function required[] = {
    IR_FUNCTION_mlirAttributePrint,
    IR_FUNCTION_mlirBlockGetFirstOperation,
    IR_FUNCTION_mlirBlockGetNextInRegion,
    IR_FUNCTION_mlirBlockGetParentOperation,
    IR_FUNCTION_mlirIdentifierStr,
    IR_FUNCTION_mlirLocationPrint,
    IR_FUNCTION_mlirOpOperandIsNull,
    IR_FUNCTION_mlirOperationGetBlock,
    IR_FUNCTION_mlirOperationGetContext,
    IR_FUNCTION_mlirOperationGetFirstRegion,
    IR_FUNCTION_mlirOperationGetLocation,
    IR_FUNCTION_mlirOperationGetName,
    IR_FUNCTION_mlirOperationGetNextInBlock,
    IR_FUNCTION_mlirOperationGetNumOperands,
    IR_FUNCTION_mlirOperationGetNumResults,
    IR_FUNCTION_mlirOperationGetOperand,
    IR_FUNCTION_mlirOperationGetParentOperation,
    IR_FUNCTION_mlirOperationGetResult,
    IR_FUNCTION_mlirRegionGetFirstBlock,
    IR_FUNCTION_mlirRegionGetNextInOperation,
    IR_FUNCTION_mlirTypePrint,
    IR_FUNCTION_mlirValueGetFirstUse,
    IR_FUNCTION_mlirValueGetType,
    IR_FUNCTION_mlirValueIsABlockArgument,
};

/// Each function twice: as an optional import, which tells whether it is there,
/// and as one that is called, which is never null for it.
static void imports_name(mlirplug_import *imports) {
  for (size_t i = 0; i < IR_FUNCTION_COUNT; ++i) {
    imports[i].name = optional_names[i];
    imports[IR_FUNCTION_COUNT + i].name = optional_names[i] + 1;
  }
  for (size_t i = 0; i < sizeof(required) / sizeof(*required); ++i)
    imports[required[i]].name = optional_names[required[i]] + 1;
}

static void api_fill(struct ir_api *api, const mlirplug_import *imports) {
  for (size_t i = 0; i < IR_FUNCTION_COUNT; ++i)
    api->has[i] = imports[i].function != NULL;
  const mlirplug_import *called = imports + IR_FUNCTION_COUNT;
#define IR_FUNCTION_FILL(name)                                                 \
  api->name = (__typeof__(api->name))called[IR_FUNCTION_##name].function;
  IR_API(IR_FUNCTION_FILL)
#undef IR_FUNCTION_FILL
}

struct ir_api *ir_api_create(mlirplug_host *host, mlirplug_error **error) {
  mlirplug_import *imports =
      calloc((size_t)2 * IR_FUNCTION_COUNT, sizeof(*imports));
  struct ir_api *api = calloc(1, sizeof(*api));
  if (!imports || !api) {
    free(imports);
    free(api);
    // Without an error object: there is no memory for one.
    return NULL;
  }
  imports_name(imports);
  if (mlirplug_host_bind(host, imports, imports + (size_t)2 * IR_FUNCTION_COUNT,
                         error) == MLIRPLUG_OK) {
    api->references = 1;
    api_fill(api, imports);
  } else {
    free(api);
    api = NULL;
  }
  free(imports);
  return api;
}

struct ir_api *ir_api_retain(struct ir_api *api) {
  ++api->references;
  return api;
}

void ir_api_release(struct ir_api *api) {
  if (!api || --api->references > 0)
    return;
  free(api->type_kinds.entries);
  free(api->attribute_kinds.entries);
  free(api);
}

bool ir_api_need(const struct ir_api *api, enum ir_function function) {
  if (api->has[function])
    return true;
  PyErr_Format(PyExc_NotImplementedError,
               "this copy of MLIR does not have the function %s",
               optional_names[function] + 1);
  return false;
}
