// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mlirplug/object.h>

#include "host/host.h"
#include "object/entry.h"
#include "object/lower.h"
#include "object/target.h"

#include <stdlib.h>
#include <string.h>

/// Of LLVMCodeGenFileType.
enum { KIND_ASSEMBLY = 0, KIND_OBJECT = 1 };

static const char doing[] = "cannot make an object file";

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

static mlirplug_status optimize(const struct object_api *api, void *llvm_module,
                                void *machine, const char *level,
                                mlirplug_error **error) {
  struct text passes = {0};
  text_format(&passes, "default<%s>", level);
  if (passes.failed)
    return error_set_memory(error);
  void *options = api->LLVMCreatePassBuilderOptions();
  void *problem =
      api->LLVMRunPasses(llvm_module, passes.bytes, machine, options);
  api->LLVMDisposePassBuilderOptions(options);
  text_release(&passes);
  if (!problem)
    return MLIRPLUG_OK;
  char *message = api->LLVMGetErrorMessage(problem);
  error_set(error, &(mlirplug_error){.doing = doing, .found = message});
  api->LLVMDisposeErrorMessage(message);
  return MLIRPLUG_FAILED;
}

static mlirplug_status code_take(const struct object_api *api, void *buffer,
                                 mlirplug_object *object,
                                 mlirplug_error **error) {
  size_t length = api->LLVMGetBufferSize(buffer);
  char *bytes = malloc(length + 1);
  if (bytes) {
    memcpy(bytes, api->LLVMGetBufferStart(buffer), length);
    bytes[length] = '\0';
    object->bytes = bytes;
    object->length = length;
  }
  api->LLVMDisposeMemoryBuffer(buffer);
  return bytes ? MLIRPLUG_OK : error_set_memory(error);
}

static mlirplug_status code_emit(const struct object_api *api,
                                 void *llvm_module, const struct target *target,
                                 const mlirplug_object_configuration *wanted,
                                 mlirplug_object *object,
                                 mlirplug_error **error) {
  void *layout = api->LLVMCreateTargetDataLayout(target->machine);
  api->LLVMSetModuleDataLayout(llvm_module, layout);
  api->LLVMDisposeTargetData(layout);
  api->LLVMSetTarget(llvm_module, target->triple);
  if (optimize(api, llvm_module, target->machine,
               wanted->optimization ? wanted->optimization : "O3",
               error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  char *message = NULL;
  void *buffer = NULL;
  if (!api->LLVMTargetMachineEmitToMemoryBuffer(
          target->machine, llvm_module,
          wanted->assembly ? KIND_ASSEMBLY : KIND_OBJECT, &message, &buffer))
    return code_take(api, buffer, object, error);
  error_set(error, &(mlirplug_error){.doing = doing,
                                     .subject = target->triple,
                                     .found = message});
  api->LLVMDisposeMessage(message);
  return MLIRPLUG_FAILED;
}

static mlirplug_status
module_translate(const struct object_api *api, MlirModule module,
                 const struct target *target,
                 const mlirplug_object_configuration *wanted,
                 mlirplug_object *object, mlirplug_error **error) {
  MlirOperation operation = api->mlirModuleGetOperation(module);
  api->mlirRegisterAllLLVMTranslations(api->mlirOperationGetContext(operation));
  void *context = api->LLVMContextCreate();
  void *llvm_module = api->mlirTranslateModuleToLLVMIR(operation, context);
  mlirplug_status status = MLIRPLUG_FAILED;
  if (llvm_module) {
    status = code_emit(api, llvm_module, target, wanted, object, error);
    api->LLVMDisposeModule(llvm_module);
  } else {
    error_set(error, &(mlirplug_error){
                         .doing = doing,
                         .found = "MLIR does not translate it to LLVM IR",
                         .remedy = "see the diagnostics"});
  }
  api->LLVMContextDispose(context);
  return status;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static mlirplug_status level_check(const char *level, mlirplug_error **error) {
  static const char *const levels[] = {"O0", "O1", "O2", "O3", "Os"};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i)
    if (!level || strcmp(level, levels[i]) == 0)
      return MLIRPLUG_OK;
  return error_set(
      error,
      &(mlirplug_error){.doing = doing,
                        .found = error_text("the optimization is '%s'", level),
                        .expected = "O0, O1, O2, O3 or Os"});
}

static mlirplug_status header_make(const struct object_api *api,
                                   MlirModule module, mlirplug_object *object,
                                   mlirplug_error **error) {
  struct text header = {0};
  entry_declare(api, module, &header);
  object->header = text_take(&header);
  return object->header ? MLIRPLUG_OK : error_set_memory(error);
}

/// Of a module that is changed on the way.
static mlirplug_status
module_compile(const struct object_api *api, mlirplug_host *host,
               MlirModule module, const mlirplug_object_configuration *wanted,
               const struct target *target, mlirplug_object *object,
               mlirplug_error **error) {
  if (header_make(api, module, object, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (!wanted->pipeline)
    entry_mark(api, module);
  bool scalable = api->mlirplugExtTargetHasScalableVectors(target->machine);
  if (lower_module(api, host, module, wanted->pipeline, scalable,
                   target->triple, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (!wanted->pipeline)
    entry_hide(api, module);
  return module_translate(api, module, target, wanted, object, error);
}

/// Of a copy.
static mlirplug_status copy_compile(const struct object_api *api,
                                    mlirplug_host *host, MlirModule module,
                                    const mlirplug_object_configuration *wanted,
                                    const struct target *target,
                                    mlirplug_object *object,
                                    mlirplug_error **error) {
  MlirModule copy = api->mlirModuleFromOperation(
      api->mlirOperationClone(api->mlirModuleGetOperation(module)));
  mlirplug_status status =
      module_compile(api, host, copy, wanted, target, object, error);
  api->mlirModuleDestroy(copy);
  return status;
}

/// Hands the names over.
static void target_take(struct target *target, mlirplug_object *object) {
  object->target = target->triple;
  object->cpu = target->cpu;
  object->features = target->features;
  target->triple = target->cpu = target->features = NULL;
}

mlirplug_status
mlirplug_object_create(mlirplug_host *host, MlirModule module,
                       const mlirplug_object_configuration *configuration,
                       mlirplug_object **object, mlirplug_error **error) {
  mlirplug_object_configuration wanted = {0};
  if (configuration)
    memcpy(&wanted, configuration,
           configuration->size < sizeof wanted ? configuration->size
                                               : sizeof wanted);
  struct object_api api;
  struct target target = {0};
  if (!host->binding)
    return error_set(
        error, &(mlirplug_error){.doing = doing,
                                 .found = "no provider is attached",
                                 .remedy = "call mlirplug_host_attach_library "
                                           "first"});
  if (level_check(wanted.optimization, error) != MLIRPLUG_OK ||
      object_api_fill(&api, host->binding, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  object_api_start(&api);
  mlirplug_object *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  mlirplug_status status = target_create(&api, &wanted, &target, error);
  if (status == MLIRPLUG_OK)
    status = copy_compile(&api, host, module, &wanted, &target, made, error);
  target_take(&target, made);
  target_release(&api, &target);
  if (status == MLIRPLUG_OK)
    *object = made;
  else
    mlirplug_object_destroy(made);
  return status;
}

void mlirplug_object_destroy(mlirplug_object *object) {
  if (!object)
    return;
  free((void *)object->bytes);
  free((void *)object->header);
  free((void *)object->target);
  free((void *)object->cpu);
  free((void *)object->features);
  free(object);
}
