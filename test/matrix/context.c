// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "context.h"

#include <mlirplug/ir.h>

// IREE's way to register all that it has.
MLIRPLUG_PROCEDURE(ireeCompilerGlobalInitialize, (void), ())
MLIRPLUG_PROCEDURE(ireeCompilerRegisterDialects, (MlirDialectRegistry registry),
                   (registry))

// Providers that cannot register all of their dialects at once have functions
// for single ones, each its own selection.
#define HANDLE(name) {"?mlirGetDialectHandle__" #name "__", NULL}
enum { ARITH, CF };
static mlirplug_import handles[] = {
    [ARITH] = HANDLE(arith),
    [CF] = HANDLE(cf),
    HANDLE(affine),
    HANDLE(func),
    HANDLE(hw),
    HANDLE(index),
    HANDLE(linalg),
    HANDLE(llvm),
    HANDLE(math),
    HANDLE(memref),
    HANDLE(scf),
    HANDLE(stablehlo),
    HANDLE(tensor),
    HANDLE(vector),
};
#undef HANDLE
enum { HANDLE_COUNT = sizeof handles / sizeof handles[0] };

static MlirDialectHandle handle_get(const mlirplug_import *import) {
  MlirDialectHandle (*function)(void) =
      (MlirDialectHandle (*)(void))import->function;
  return function();
}

mlirplug_status context_prepare(mlirplug_host *host, mlirplug_error **error) {
  if (mlirplug_host_bind(host, __start_mlirplug_imports,
                         __stop_mlirplug_imports, error) != MLIRPLUG_OK ||
      mlirplug_host_bind(host, handles, handles + HANDLE_COUNT, error) !=
          MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (MLIRPLUG_HAS(ireeCompilerGlobalInitialize))
    ireeCompilerGlobalInitialize();
  if (MLIRPLUG_HAS(mlirRegisterAllPasses))
    mlirRegisterAllPasses();
  return MLIRPLUG_OK;
}

static void registry_fill(MlirDialectRegistry registry) {
  if (MLIRPLUG_HAS(mlirRegisterAllDialects)) {
    mlirRegisterAllDialects(registry);
    return;
  }
  if (MLIRPLUG_HAS(ireeCompilerRegisterDialects)) {
    ireeCompilerRegisterDialects(registry);
    return;
  }
  for (size_t i = 0; i < HANDLE_COUNT; ++i)
    if (handles[i].function)
      mlirDialectHandleInsertDialect(handle_get(&handles[i]), registry);
}

/// Whether the only way to arith is through cf, which brings it.
static bool arith_is_hidden(void) {
  return !MLIRPLUG_HAS(mlirRegisterAllDialects) &&
         !MLIRPLUG_HAS(ireeCompilerRegisterDialects) &&
         !handles[ARITH].function && handles[CF].function;
}

MlirContext context_create(void) {
  MlirContext context = MLIRPLUG_HAS(mlirContextCreateWithThreading)
                            ? mlirContextCreateWithThreading(true)
                            : mlirContextCreate();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  registry_fill(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(context, true);
  if (arith_is_hidden())
    mlirDialectHandleLoadDialect(handle_get(&handles[CF]), context);
  return context;
}
