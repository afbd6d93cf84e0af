// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stock/function.h"

/// What the first argument of a manager is asked for.
enum {
  operation_type, // std::type_info, which nobody has without RTTI
  operation_callable,
  operation_copy,
};

static bool words_manage(struct function_words *to,
                         const struct function_words *from, int operation) {
  if (operation == operation_type)
    to->callable = NULL;
  else if (operation == operation_callable)
    to->callable = (void *)from;
  else if (operation == operation_copy)
    *to = *from;
  return false;
}

struct function function_make(void *callable, void (*invoke)(void)) {
  return (struct function){
      .words = {callable, NULL}, .manage = words_manage, .invoke = invoke};
}
