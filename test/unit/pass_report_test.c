// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user is told when passes fail: test/plugins/pass/diagnose.c.

#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct mlir_session session;

static void session_open(void) {
  mlir_open(&session, "static", false);
  mlir_add(&session, MLIR_PLUGIN("diagnose"));
  mlir_add(&session, MLIR_PLUGIN("record"));
}

static void session_close(void) { mlir_close(&session); }

TestSuite(failing_passes, .init = session_open, .fini = session_close);
TestSuite(diagnostics_of_passes, .init = session_open, .fini = session_close);

/// Runs `pass` and, behind it, one that writes a record.
static mlirplug_status run(const char *pass) {
  char pipeline[128];
  (void)snprintf(pipeline, sizeof pipeline, "builtin.module(%s,record-text)",
                 pass);
  return mlir_run(&session, pipeline, "module {} loc(\"kernel.py\":3:7)");
}

static void expect_failure(const char *pass, const char *diagnostics) {
  cr_expect_eq(run(pass), MLIRPLUG_FAILED);
  cr_expect_str_eq(session.diagnostics.bytes, diagnostics);
  cr_expect(strstr(mlir_message(&session),
                   "cannot run the pipeline on 'input.mlir': a pass failed"),
            "%s", mlir_message(&session));
}

/// And the next pass has not run.
static void expect_end(const char *pass, const char *diagnostics) {
  expect_failure(pass, diagnostics);
  cr_expect_str_eq(session.records.bytes, "");
}

Test(failing_passes, that_cannot_be_initialized_say_so) {
  expect_end("fail-initialize", "error: loc(\"input.mlir\":0:0): pass "
                                "'fail-initialize' could not be initialized\n");
}

Test(failing_passes, that_say_nothing_are_named_at_the_operation) {
  expect_end("fail-silently",
             "error: loc(\"kernel.py\":3:7): pass 'fail-silently' failed\n");
}

Test(failing_passes, at_the_end_of_the_run_say_so) {
  expect_failure("fail-finish", "error: loc(\"input.mlir\":0:0): pass "
                                "'fail-finish' failed at the end of the run\n");
}

Test(failing_passes, that_complain_when_they_are_reset_have_failed) {
  expect_failure("fail-reset", "error: loc(unknown): cannot be reset\n");
}

Test(failing_passes, that_report_an_error_and_success_have_failed) {
  expect_end("mlir-error", "error: loc(\"kernel.py\":3:7): complains\n");
  expect_end("say", "error: loc(\"kernel.py\":3:7): says 100%\n");
}

Test(failing_passes, that_report_it_by_a_function_they_looked_up_have_too) {
  expect_end("lookup-error",
             "error: loc(\"kernel.py\":3:7): complains by another way\n");
}

Test(failing_passes, leave_the_next_run_alone) {
  cr_expect_eq(run("mlir-error"), MLIRPLUG_FAILED);
  cr_expect_eq(run("record-text"), MLIRPLUG_OK);
  cr_expect_str_eq(session.diagnostics.bytes, "");
}

static void expect_said(int severity, const char *diagnostics) {
  char pass[32];
  (void)snprintf(pass, sizeof pass, "say{severity=%d}", severity);
  cr_expect_eq(run(pass), MLIRPLUG_OK);
  cr_expect_str_eq(session.diagnostics.bytes, diagnostics);
  cr_expect_str_neq(session.records.bytes, "");
}

Test(diagnostics_of_passes, arrive_as_warning_note_or_remark) {
  expect_said(1, "warning: loc(\"kernel.py\":3:7): says 100%\n");
  expect_said(2, "note: loc(\"kernel.py\":3:7): says 100%\n");
  expect_said(3, "remark: loc(\"kernel.py\":3:7): says 100%\n");
}

Test(diagnostics_of_passes, without_a_location_have_that_of_the_run) {
  cr_expect_eq(run("say-somewhere"), MLIRPLUG_OK);
  cr_expect_str_eq(session.diagnostics.bytes,
                   "warning: loc(\"kernel.py\":3:7): while it runs\n"
                   "warning: loc(\"input.mlir\":0:0): at the end\n");
}

Test(diagnostics_of_passes, of_no_known_severity_are_errors) {
  expect_end("say{severity=99}", "error: loc(\"kernel.py\":3:7): says 100%\n");
  expect_end("say{severity=-1}", "error: loc(\"kernel.py\":3:7): says 100%\n");
}
