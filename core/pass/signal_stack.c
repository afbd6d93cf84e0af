// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/signal_stack.h"

#include <signal.h>
#include <stddef.h>

enum { STACK_SIZE = 65536 };

bool signal_stack_is_wanted(void) {
  struct sigaction action;
  return sigaction(SIGSEGV, NULL, &action) == 0 &&
         action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN &&
         (action.sa_flags & (int)SA_ONSTACK);
}

/// The stack is a part of the thread's own, above all that `run` uses: nothing
/// is allocated, and nothing is left when the thread ends.
__attribute__((noinline)) static mlirplug_status call_with_stack(
    mlirplug_status (*run)(const mlirplug_run *run, MlirOperation root),
    const mlirplug_run *argument, MlirOperation root, const stack_t *before) {
  char stack[STACK_SIZE];
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  (void)sigaltstack(&other, NULL);
  mlirplug_status status = run(argument, root);
  (void)sigaltstack(before, NULL);
  return status;
}

mlirplug_status signal_stack_call(
    mlirplug_status (*run)(const mlirplug_run *run, MlirOperation root),
    const mlirplug_run *argument, MlirOperation root) {
  stack_t before;
  if (sigaltstack(NULL, &before) != 0 || !(before.ss_flags & SS_DISABLE))
    return run(argument, root);
  return call_with_stack(run, argument, root, &before);
}
