// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said when a pass ends the process.

#include "run.h"

#include <signal.h>
#include <string.h>

#define CRASH_FILE MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/crash.so"
#define CRASH LOAD(CRASH_FILE)
#define FAULT LOAD(MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/fault.so")

static void expect_crash(const char *pass, int signal, const char *name) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers tell of crashes themselves");
#endif
  // Without threads, so that it is on the stack of the main one.
  struct command_result result = command_run(
      (const char *const[]){COMMAND_MLIRPLUG, "opt", CRASH,
                            "--mlir-disable-threading", pass, TWICE, NULL},
      NULL, 60);
  char line[4096];
  (void)snprintf(line, sizeof line,
                 "mlirplug: crashed (%s) in pass '%s' of plugin "
                 "'org.mlirplug.test.crash' 1.0.0 (" CRASH_FILE
                 ") while working on '" TWICE "' with 'builtin.module(%s)'\n",
                 name, pass + strlen("--"), pass + strlen("--"));
  cr_expect_eq(result.signal, signal, "signal %d", result.signal);
  expect_text(result.output, "");
  expect_text(result.errors, line);
  command_release(&result);
}

Test(crash, that_is_a_fault_is_told) {
  expect_crash("--crash-fault", SIGSEGV, "SIGSEGV");
}

Test(crash, that_is_an_abort_is_told) {
  expect_crash("--crash-abort", SIGABRT, "SIGABRT");
}

Test(crash, that_is_sent_is_told) {
  expect_crash("--crash-send", SIGBUS, "SIGBUS");
}

Test(crash, for_want_of_stack_is_told) {
  expect_crash("--crash-overflow", SIGSEGV, "SIGSEGV");
}

Test(crash, before_the_first_input_is_told) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers tell of crashes themselves");
#endif
  struct command_result result =
      command_run((const char *const[]){COMMAND_MLIRPLUG, "opt", "--provider",
                                        MLIRPLUG_BUILD_DIRECTORY
                                        "/test/plugins/bad/aborting.so",
                                        TWICE, NULL},
                  NULL, 60);
  cr_expect_eq(result.signal, SIGABRT, "signal %d", result.signal);
  expect_text(result.errors, "mlirplug: crashed (SIGABRT)\n");
  command_release(&result);
}

Test(crash, of_a_long_pipeline_is_cut_short) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers tell of crashes themselves");
#endif
  struct command_result result = command_shell(
      COMMAND_MLIRPLUG " opt " CRASH " " TWICE " --pass-pipeline=\"builtin."
                       "module($(yes cse, | head -n 1000 | tr -d '\\n')"
                       "crash-abort)\"");
  expect_contains(result.errors, "' with 'builtin.module(cse,cse,");
  expect_contains(result.errors, "...\n");
  cr_expect_lt(strlen(result.errors), 2200); // what the shell says included
  command_release(&result);
}

/// What is said of a pass on a function called @bad.
static struct command_result faulty_run(const char *line, const char *kind) {
  return command_shell(
      "echo 'func.func @bad() { return }' | %s " COMMAND_MLIRPLUG " opt " FAULT
      " '--pass-pipeline=builtin.module(func.func(fault{kind=%s}))' 2>&1",
      line, kind);
}

/// The threads of MLIR have no stack of their own for handlers.
Test(a_pass, that_uses_up_the_stack_of_a_thread_is_named) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers tell of crashes themselves");
#endif
  struct command_result result = command_run(
      (const char *const[]){
          COMMAND_MLIRPLUG, "opt", FAULT,
          "--pass-pipeline=builtin.module(func.func(fault{kind=overflow}))",
          NULL},
      "func.func @bad() { return }\nfunc.func @other() { return }\n", 60);
  cr_expect_eq(result.signal, SIGSEGV, "signal %d", result.signal);
  expect_contains(result.errors, "mlirplug: crashed (SIGSEGV) in pass 'fault' "
                                 "of plugin 'org.mlirplug.test.fault' 1.2.0 (");
  command_release(&result);
}

Test(a_pass, that_exits_is_named) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers look for leaks first");
#endif
  struct command_result result = faulty_run("", "exit");
  cr_expect_eq(result.exit_code, 3);
  expect_contains(result.output,
                  "mlirplug: exited in pass 'fault' of plugin "
                  "'org.mlirplug.test.fault' 1.2.0 (" MLIRPLUG_BUILD_DIRECTORY
                  "/test/plugins/pass/fault.so) while working on '<stdin>'");
  command_release(&result);
}

Test(a_pass, that_exits_in_a_thread_of_its_own_is_a_failure) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers look for leaks first");
#endif
  struct command_result result = faulty_run("", "exit-aside");
  cr_expect_eq(result.exit_code, 1);
  expect_contains(result.output, "mlirplug: exited while working on '<stdin>'");
  command_release(&result);
}

Test(a_pass, that_exits_quickly_is_named) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers have no last word");
#endif
  struct command_result result = faulty_run("", "exit-quickly");
  cr_expect_eq(result.exit_code, 1);
  expect_contains(result.output, "mlirplug: exited in pass 'fault' of plugin ");
  command_release(&result);
}

Test(a_pass, may_have_children_that_exit) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers look for leaks in the child, too");
#endif
  struct command_result result = faulty_run("", "exit-child");
  cr_expect_eq(result.exit_code, 0);
  cr_expect_null(strstr(result.output, "mlirplug: "), "%s", result.output);
  command_release(&result);
}

Test(an_exit, before_the_first_input_is_a_failure) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers look for leaks first");
#endif
  struct command_result result =
      command_run((const char *const[]){COMMAND_MLIRPLUG, "opt", "--provider",
                                        MLIRPLUG_BUILD_DIRECTORY
                                        "/test/plugins/bad/exiting-politely.so",
                                        TWICE, NULL},
                  NULL, 60);
  cr_expect_eq(result.exit_code, 1);
  expect_text(result.errors, "mlirplug: exited\n");
  command_release(&result);
}

static void expect_interrupted(const char *signal) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers tell of signals themselves");
#endif
  char line[256];
  (void)snprintf(line, sizeof line, "timeout -v -s %s 1", signal);
  struct command_result result = faulty_run(line, "hang");
  char said[256];
  (void)snprintf(said, sizeof said,
                 "mlirplug: interrupted (SIG%s) in pass 'fault' of plugin "
                 "'org.mlirplug.test.fault' 1.2.0 ",
                 signal);
  expect_contains(result.output, said);
  command_release(&result);
}

Test(a_pass, that_hangs_is_named_when_interrupted) {
  expect_interrupted("INT");
}

Test(a_pass, that_hangs_is_named_when_terminated) {
  expect_interrupted("TERM");
}
