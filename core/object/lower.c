// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "object/lower.h"

#include "object/walk.h"

#include <string.h>

static const char doing[] = "cannot lower the module";

static const char to_buffers[] =
    "canonicalize,cse,linalg-generalize-named-ops,"
    "linalg-fuse-elementwise-ops,"
    "one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map "
    "allow-return-allocs-from-loops},canonicalize,cse";

/// For buffers that bufferization made. MLIR refuses it where some of them are
/// freed already: such a module sees to all of its own.
static const char to_freed_buffers[] = "buffer-deallocation-pipeline";

static const char to_llvm[] =
    "convert-bufferization-to-memref,convert-linalg-to-loops,"
    "convert-vector-to-scf{full-unroll=true},expand-strided-metadata,"
    "lower-affine,convert-scf-to-cf,convert-vector-to-llvm,"
    "convert-math-to-llvm,convert-complex-to-llvm,finalize-memref-to-llvm,"
    "convert-math-to-libm,convert-func-to-llvm,convert-arith-to-llvm,"
    "convert-index-to-llvm,convert-cf-to-llvm,convert-ub-to-llvm,"
    "reconcile-unrealized-casts";

static mlirplug_status passes_run(mlirplug_host *host, MlirModule module,
                                  const struct object_api *api,
                                  const char *passes, mlirplug_error **error) {
  MlirOperation operation = api->mlirModuleGetOperation(module);
  mlirplug_pipeline *pipeline = NULL;
  mlirplug_manager *manager = NULL;
  mlirplug_manager_configuration configuration = {.size = sizeof configuration};
  mlirplug_status status = mlirplug_pipeline_parse_passes(
      host, "builtin.module", passes, &pipeline, error);
  if (status == MLIRPLUG_OK)
    status = mlirplug_manager_create(pipeline,
                                     api->mlirOperationGetContext(operation),
                                     &configuration, &manager, error);
  if (status == MLIRPLUG_OK)
    status = mlirplug_manager_run(manager, operation, "", error);
  mlirplug_manager_destroy(manager);
  mlirplug_pipeline_destroy(pipeline);
  return status;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static bool is_contiguous(const struct object_api *api, MlirType type) {
  return !api->mlirTypeIsAMemRef(type) ||
         api->mlirAffineMapIsIdentity(api->mlirMemRefTypeGetAffineMap(type));
}

/// A copy between layouts becomes loops: what MLIR makes of it otherwise is a
/// call of its own runtime library.
static bool copy_expand(const struct object_api *api, MlirOperation copy,
                        void *data) {
  (void)data;
  MlirValue values[] = {api->mlirOperationGetOperand(copy, 0),
                        api->mlirOperationGetOperand(copy, 1)};
  if (is_contiguous(api, api->mlirValueGetType(values[0])) &&
      is_contiguous(api, api->mlirValueGetType(values[1])))
    return true;
  const struct provider_api *basic = binding_api(api->binding);
  MlirContext context = api->mlirOperationGetContext(copy);
  MlirOperationState state = api->mlirOperationStateGet(
      provider_string("linalg.copy"), basic->mlirOperationGetLocation(copy));
  MlirRegion region = api->mlirRegionCreate();
  MlirNamedAttribute segments = {
      basic->mlirIdentifierGet(context, provider_string("operandSegmentSizes")),
      api->mlirDenseI32ArrayGet(context, 2, (const int32_t[]){1, 1})};
  api->mlirOperationStateAddOperands(&state, 2, values);
  api->mlirOperationStateAddOwnedRegions(&state, 1, &region);
  api->mlirOperationStateAddAttributes(&state, 1, &segments);
  MlirOperation made = api->mlirOperationCreate(&state);
  if (!made.ptr)
    return true;
  api->mlirLinalgFillBuiltinNamedOpRegion(made);
  api->mlirBlockInsertOwnedOperationBefore(api->mlirOperationGetBlock(copy),
                                           copy, made);
  api->mlirOperationDestroy(copy);
  return true;
}

static void copies_expand(const struct object_api *api, MlirModule module) {
  walk_named(api, api->mlirModuleGetOperation(module), "memref.copy",
             copy_expand, NULL);
}

//===----------------------------------------------------------------------===//
// What is left
//===----------------------------------------------------------------------===//

struct remains {
  bool scalable;
  const char *target;
  mlirplug_error **error;
};

static bool is_scalable(const struct object_api *api, MlirType type) {
  return api->mlirTypeIsAVector(type) && api->mlirVectorTypeIsScalable(type);
}

static bool has_scalable(const struct object_api *api,
                         MlirOperation operation) {
  bool has = false;
  intptr_t results = api->mlirOperationGetNumResults(operation);
  for (intptr_t i = 0; i < results && !has; ++i)
    has = is_scalable(
        api, api->mlirValueGetType(api->mlirOperationGetResult(operation, i)));
  intptr_t operands = api->mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < operands && !has; ++i)
    has = is_scalable(
        api, api->mlirValueGetType(api->mlirOperationGetOperand(operation, i)));
  return has;
}

static bool remains_check(const struct object_api *api, MlirOperation operation,
                          void *data) {
  const struct remains *remains = data;
  const struct provider_api *basic = binding_api(api->binding);
  MlirStringRef name =
      basic->mlirIdentifierStr(basic->mlirOperationGetName(operation));
  int length = (int)name.length;
  bool is_module = name.length == strlen("builtin.module") &&
                   !memcmp(name.data, "builtin.module", name.length);
  bool is_llvm = name.length > 5 && !memcmp(name.data, "llvm.", 5);
  if (!is_module && !is_llvm) {
    error_set(remains->error,
              &(mlirplug_error){
                  .doing = doing,
                  .found = error_text("the passes leave a '%.*s' in it", length,
                                      name.data),
                  .expected = "operations of the LLVM dialect and no others",
                  .remedy = "give passes that lower it too"});
    return false;
  }
  if (remains->scalable || !has_scalable(api, operation))
    return true;
  error_set(remains->error,
            &(mlirplug_error){
                .doing = doing,
                .subject = remains->target,
                .found = error_text("a '%.*s' has vectors of a size that is "
                                    "not known when code is made, which this "
                                    "processor does not have",
                                    length, name.data),
                .expected = "vectors of fixed sizes, or a processor with SVE",
                .remedy = "compile for aarch64 with +sve, or vectorize without "
                          "scalable sizes"});
  return false;
}

static bool end_walk(const struct object_api *api, MlirOperation operation,
                     void *data) {
  (void)api, (void)operation, (void)data;
  return false;
}

static bool frees_buffers(const struct object_api *api, MlirModule module) {
  return !walk_named(api, api->mlirModuleGetOperation(module), "memref.dealloc",
                     end_walk, NULL);
}

static mlirplug_status default_run(const struct object_api *api,
                                   mlirplug_host *host, MlirModule module,
                                   mlirplug_error **error) {
  bool frees = frees_buffers(api, module);
  mlirplug_status status = passes_run(host, module, api, to_buffers, error);
  if (status == MLIRPLUG_OK && !frees)
    status = passes_run(host, module, api, to_freed_buffers, error);
  if (status != MLIRPLUG_OK)
    return status;
  copies_expand(api, module);
  return passes_run(host, module, api, to_llvm, error);
}

mlirplug_status lower_module(const struct object_api *api, mlirplug_host *host,
                             MlirModule module, const char *pipeline,
                             bool scalable, const char *target,
                             mlirplug_error **error) {
  api->mlirRegisterAllPasses();
  mlirplug_status status = pipeline
                               ? passes_run(host, module, api, pipeline, error)
                               : default_run(api, host, module, error);
  struct remains remains = {scalable, target, error};
  if (status == MLIRPLUG_OK &&
      !walk_operations(api, api->mlirModuleGetOperation(module), remains_check,
                       &remains))
    status = MLIRPLUG_FAILED;
  return status;
}
