// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "isolate/functions.h"

bool isolate_functions_find(const struct binding *binding,
                            struct isolate_functions *functions,
                            const char **absent) {
#define FIND(function)                                                         \
  functions->function =                                                        \
      (__typeof__(functions->function))binding_find(binding, #function);       \
  if (!functions->function) {                                                  \
    *absent = #function;                                                       \
    return false;                                                              \
  }
  ISOLATE_FUNCTIONS(FIND)
#undef FIND
  functions->catch_fatal = (__typeof__(functions->catch_fatal))binding_find(
      binding, "mlirplugExtCatchFatal");
  return true;
}
