// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "object/llvm.h"

#include "base/text.h"

#include <pthread.h>

static const char *const families[] = {"X86", "AArch64"};
static const char *const parts[] = {"TargetInfo", "Target", "TargetMC",
                                    "AsmPrinter"};

static mlirplug_status absent_refuse(const struct binding *binding,
                                     const char *name, mlirplug_error **error) {
  return error_set(
      error, &(mlirplug_error){
                 .doing = "cannot make an object file",
                 .subject = binding_description(binding),
                 .found = error_text("it does not have %s", name),
                 .expected = "a copy of MLIR that carries LLVM",
                 .remedy = "use one of mlirplug's, \"static\" or \"shared\""});
}

mlirplug_status object_api_fill(struct object_api *api,
                                const struct binding *binding,
                                mlirplug_error **error) {
  *api = (struct object_api){.binding = binding};
#define FILL(name, ...)                                                        \
  api->name = (__typeof__(api->name))binding_find(binding, #name);             \
  if (!api->name)                                                              \
    return absent_refuse(binding, #name, error);
  OBJECT_MLIR_API(FILL)
  OBJECT_LLVM_API(FILL)
#undef FILL
  return MLIRPLUG_OK;
}

static void part_start(const struct binding *binding, const char *family,
                       const char *part) {
  struct text name = {0};
  text_format(&name, "LLVMInitialize%s%s", family, part);
  if (!name.failed) {
    void (*initialize)(void) = binding_find(binding, name.bytes);
    if (initialize)
      initialize();
  }
  text_release(&name);
}

void object_api_start(const struct object_api *api) {
  // LLVM's registry of targets has no lock of its own.
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i)
    for (size_t j = 0; j < sizeof parts / sizeof *parts; ++j)
      part_start(api->binding, families[i], parts[j]);
  pthread_mutex_unlock(&lock);
}
