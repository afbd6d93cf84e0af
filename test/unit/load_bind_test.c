// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plugin needs and its host does not have.

#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct mlir_session session;
static char *marker; // made by the constructor of load.c

static void session_open(void) {
  mlir_open(&session, "static", false);
  char *directory = directory_create();
  cr_assert_gt(asprintf(&marker, "%s/marker", directory), 0);
  free(directory);
  setenv("MLIRPLUG_TEST_MARKER", marker, 1);
}

static void session_close(void) {
  mlir_close(&session);
  free(marker);
}

TestSuite(needed_functions, .init = session_open, .fini = session_close);
TestSuite(optional_functions, .init = session_open, .fini = session_close);

static bool has_run(void) { return access(marker, F_OK) == 0; }

static void expect_in_message(const char *part) {
  cr_expect(strstr(mlir_message(&session), part), "'%s' is not in: %s", part,
            mlir_message(&session));
}

static void expect_refused(const char *path) {
  mlir_add(&session, path);
  cr_assert_eq(mlir_run(&session, "builtin.module(load)", "module {}"),
               MLIRPLUG_FAILED);
  cr_expect_not(has_run(), "code of the plugin has run");
  expect_in_message("cannot load plugin");
  expect_in_message(path);
}

Test(needed_functions, plugin_code_runs_when_all_are_there) {
  mlir_add(&session, MLIR_PLUGIN("load"));
  cr_expect_not(has_run());
  cr_expect_eq(mlir_run(&session, "builtin.module(load)", "module {}"),
               MLIRPLUG_OK);
  cr_expect(has_run());
}

Test(needed_functions, of_a_later_mlir_are_refused_with_where_they_were_seen) {
  expect_refused(MLIR_PLUGIN("needs-later"));
  expect_in_message("mlirDynamicOpTraitDestroy (seen in 23git 24git)");
  expect_in_message("MLIR 22.");
  expect_in_message("libmlirplug-mlir22.so");
  expect_in_message("MLIRPLUG_HAS");
}

Test(needed_functions, of_no_mlir_are_refused_by_name) {
  expect_refused(MLIR_PLUGIN("needs-unknown"));
  expect_in_message("mlirNowhereSet (not seen in any MLIR)");
}

Test(needed_functions, of_a_later_mlirplug_ask_for_that) {
  expect_refused(MLIR_PLUGIN("needs-service"));
  expect_in_message("mlirplug_from_the_future");
  expect_in_message("install a newer mlirplug");
  cr_expect_not(strstr(mlir_message(&session), "MLIR 22."));
}

Test(optional_functions, may_be_absent) {
  mlir_add(&session, MLIR_PLUGIN("optional"));
  cr_expect_eq(mlir_run(&session, "builtin.module(ask)", "module {}"),
               MLIRPLUG_OK, "%s", session.diagnostics.bytes);
}

static void expect_failed_call(const char *which, const char *function) {
  char pipeline[64];
  (void)snprintf(pipeline, sizeof pipeline, "builtin.module(call{which=%s})",
                 which);
  cr_expect_eq(mlir_run(&session, pipeline, "module {}"), MLIRPLUG_FAILED);
  const char *said = session.diagnostics.bytes;
  cr_expect(strstr(said, "pass 'call' called "), "%s", said);
  cr_expect(strstr(said, function), "'%s' is not in: %s", function, said);
  cr_expect(strstr(said, "MLIR 22."), "%s", said);
  cr_expect_not(strstr(said, "not zero"), "%s", said);
}

Test(optional_functions, that_are_called_all_the_same_fail_the_pass_by_name) {
  mlir_add(&session, MLIR_PLUGIN("optional"));
  expect_failed_call("later", "mlirDynamicOpTraitDestroy");
  expect_failed_call("type", "mlirNowhereTypeGet");
  expect_failed_call("bool", "mlirNowhereIsA");
  expect_failed_call("string", "mlirNowhereGetName");
  expect_failed_call("procedure", "mlirNowhereSet");
}

Test(optional_functions, failed_call_leaves_later_runs_alone) {
  mlir_add(&session, MLIR_PLUGIN("optional"));
  expect_failed_call("bool", "mlirNowhereIsA");
  cr_expect_eq(mlir_run(&session, "builtin.module(ask)", "module {}"),
               MLIRPLUG_OK, "%s", session.diagnostics.bytes);
}
