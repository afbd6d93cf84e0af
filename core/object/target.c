// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "object/target.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/// Of LLVMRelocMode and LLVMCodeModel.
enum { RELOCATIONS_PIC = 2, CODE_MODEL_DEFAULT = 0 };

static const char doing[] = "cannot compile for";

/// A copy of LLVM's string, which is disposed of.
static char *string_take(const struct object_api *api, char *string) {
  char *copy = string ? strdup(string) : NULL;
  api->LLVMDisposeMessage(string);
  return copy;
}

/// "native" means the machine that this runs on.
static bool wants_native(const mlirplug_object_configuration *configuration) {
  return configuration->cpu ? strcmp(configuration->cpu, "native") == 0
                            : !configuration->target;
}

static char *features_merge(const struct object_api *api, bool native,
                            const char *wanted) {
  struct text features = {0};
  char *own = native ? api->LLVMGetHostCPUFeatures() : NULL;
  text_add(&features, own ? own : "");
  if (features.length && wanted && *wanted)
    text_add(&features, ",");
  text_add(&features, wanted ? wanted : "");
  if (own)
    api->LLVMDisposeMessage(own);
  return text_take(&features);
}

static mlirplug_status
names_find(const struct object_api *api,
           const mlirplug_object_configuration *configuration,
           struct target *target, mlirplug_error **error) {
  bool native = wants_native(configuration);
  target->triple = string_take(
      api, configuration->target
               ? api->LLVMNormalizeTargetTriple(configuration->target)
               : api->LLVMGetDefaultTargetTriple());
  target->cpu = native ? string_take(api, api->LLVMGetHostCPUName())
                       : strdup(configuration->cpu ? configuration->cpu : "");
  target->features = features_merge(api, native, configuration->features);
  return target->triple && target->cpu && target->features
             ? MLIRPLUG_OK
             : error_set_memory(error);
}

static void *machine_make(const struct object_api *api, void *family,
                          const struct target *target, const char *cpu,
                          const char *features, const char *optimization) {
  int level = optimization && optimization[1] >= '0' && optimization[1] <= '3'
                  ? optimization[1] - '0'
                  : 3;
  return api->LLVMCreateTargetMachine(family, target->triple, cpu, features,
                                      level, RELOCATIONS_PIC,
                                      CODE_MODEL_DEFAULT);
}

static mlirplug_status family_find(const struct object_api *api,
                                   const struct target *target, void **family,
                                   mlirplug_error **error) {
  char *message = NULL;
  if (!api->LLVMGetTargetFromTriple(target->triple, family, &message))
    return MLIRPLUG_OK;
  error_set(error, &(mlirplug_error){
                       .doing = doing,
                       .subject = target->triple,
                       .found = message ? message : "LLVM has no such target",
                       .expected = "x86_64 or aarch64",
                       .remedy = "give a triple such as aarch64-linux-gnu"});
  api->LLVMDisposeMessage(message);
  return MLIRPLUG_FAILED;
}

/// With a machine that has no names in it yet.
static mlirplug_status names_check(const struct object_api *api, void *plain,
                                   const struct target *target,
                                   mlirplug_error **error) {
  if (*target->cpu && !api->mlirplugExtTargetHasProcessor(plain, target->cpu))
    return error_set(
        error, &(mlirplug_error){.doing = doing,
                                 .subject = target->triple,
                                 .found = error_text("LLVM knows no processor "
                                                     "'%s' there",
                                                     target->cpu),
                                 .remedy = "llc -mtriple=TRIPLE -mcpu=help "
                                           "lists those it knows"});
  size_t length = 0;
  size_t at =
      api->mlirplugExtTargetUnknownFeature(plain, target->features, &length);
  if (!length)
    return MLIRPLUG_OK;
  return error_set(
      error,
      &(mlirplug_error){.doing = doing,
                        .subject = target->triple,
                        .found = error_text("'%.*s' is no feature there",
                                            (int)length, target->features + at),
                        .expected = "features with a sign, +avx2,-sse4a",
                        .remedy = "llc -mtriple=TRIPLE -mattr=help "
                                  "lists them"});
}

mlirplug_status
target_create(const struct object_api *api,
              const mlirplug_object_configuration *configuration,
              struct target *target, mlirplug_error **error) {
  *target = (struct target){0};
  void *family = NULL;
  mlirplug_status status = names_find(api, configuration, target, error);
  if (status == MLIRPLUG_OK)
    status = family_find(api, target, &family, error);
  if (status == MLIRPLUG_OK) {
    void *plain = machine_make(api, family, target, "", "", NULL);
    status = names_check(api, plain, target, error);
    api->LLVMDisposeTargetMachine(plain);
  }
  if (status == MLIRPLUG_OK)
    target->machine =
        machine_make(api, family, target, target->cpu, target->features,
                     configuration->optimization);
  if (status != MLIRPLUG_OK)
    target_release(api, target);
  return status;
}

void target_release(const struct object_api *api, struct target *target) {
  if (target->machine)
    api->LLVMDisposeTargetMachine(target->machine);
  free(target->triple);
  free(target->cpu);
  free(target->features);
  *target = (struct target){0};
}
