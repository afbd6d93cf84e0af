// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direct mode against the ordinary one, on an MLIR that is made out to take no
// passes of others.

#include "pass/direct.h"

#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS_AT_LEAST = 140 };

static const char *const hidden[] = {"mlirCreateExternalPass",
                                     "mlirExternalPassSignalFailure", NULL};

// Ordinary, and direct.
static struct mlir_session one, other;
static const struct binding *whole;

static const char *const plugins[] = {
    MLIR_PLUGIN("anchor"),
    MLIR_PLUGIN("diagnose"),
    MLIR_PLUGIN("record"),
    MLIR_PLUGIN("state"),
    MLIR_PLUGIN("replace"),
    MLIRPLUG_BUILD_DIRECTORY "/lib/mlirplug/plugins/linalg-survey.so",
};

static void sessions_open(void) {
  mlir_open(&one, "static", false);
  mlir_open(&other, "static", false);
  whole = other.host->binding;
  cr_assert_eq(
      binding_open_without("static", hidden, &other.host->binding, NULL),
      MLIRPLUG_OK);
  for (size_t i = 0; i < sizeof plugins / sizeof *plugins; ++i) {
    mlir_add(&one, plugins[i]);
    mlir_add(&other, plugins[i]);
  }
}

static void sessions_close(void) {
  other.host->binding = whole; // for what closing calls
  mlir_close(&one);
  mlir_close(&other);
}

TestSuite(direct_mode, .init = sessions_open, .fini = sessions_close,
          .timeout = 120);

/// Both ways say, write and leave the same.
static mlirplug_status expect_same(const char *pipeline, const char *text) {
  mlirplug_status status = mlir_run(&one, pipeline, text);
  cr_expect_eq(mlir_run(&other, pipeline, text), status, "%s: %s%s", pipeline,
               mlir_message(&one), mlir_message(&other));
  cr_expect_str_eq(other.printed.bytes, one.printed.bytes, "%s", pipeline);
  cr_expect_str_eq(other.records.bytes, one.records.bytes, "%s", pipeline);
  cr_expect_str_eq(other.diagnostics.bytes, one.diagnostics.bytes, "%s",
                   pipeline);
  cr_expect_str_eq(mlir_message(&other), mlir_message(&one));
  return status;
}

//===----------------------------------------------------------------------===//
// The same as with MLIR's pass manager
//===----------------------------------------------------------------------===//

static void kernel_compare(const char *path) {
  static const char *const pipelines[] = {
      "builtin.module(linalg-survey)",
      "builtin.module(func.func(anything),replace,func.func(count),"
      "func.func(replace{from=arith.muli to=arith.addi},count),linalg-survey)",
      "any(anything,any(several),func.func(anything))",
  };
  char *text = file_content(path);
  for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; ++i)
    cr_expect_eq(expect_same(pipelines[i], text), MLIRPLUG_OK, "%s: %s: %s",
                 path, pipelines[i], mlir_message(&one));
  cr_expect_neq(one.records.length, 0, "%s", path);
  free(text);
}

static bool parses(const char *path) {
  char *text = file_content(path);
  MlirModule module =
      mlirModuleCreateParse(one.context, mlirStringRefCreateFromCString(text));
  free(text);
  if (mlirModuleIsNull(module))
    return false;
  mlirModuleDestroy(module);
  return true;
}

Test(direct_mode, does_the_same_on_real_kernels) {
  glob_t kernels;
  size_t count = 0;
  cr_assert_eq(
      glob(MLIRPLUG_SOURCE_DIRECTORY "/test/kernels/*.mlir", 0, NULL, &kernels),
      0);
  for (size_t i = 0; i < kernels.gl_pathc; ++i)
    if (parses(kernels.gl_pathv[i])) {
      kernel_compare(kernels.gl_pathv[i]);
      ++count;
    }
  globfree(&kernels);
  cr_expect_geq(count, KERNELS_AT_LEAST);
}

static const char functions[] = "module {\n"
                                "  func.func private @a()\n"
                                "  module @inner {\n"
                                "    func.func private @b()\n"
                                "    func.func private @c()\n"
                                "  }\n"
                                "  gpu.module @g { gpu.func @d() {\n"
                                "    gpu.return } }\n"
                                "  func.func private @e()\n"
                                "}";

/// A remark at each operation shows in which order they have their turn.
#define SAY "say{severity=3}"

Test(direct_mode, keeps_the_order_of_mlir) {
  static const char *const pipelines[] = {
      "builtin.module(" SAY ",func.func(" SAY "),func.func(" SAY ")," SAY ")",
      "builtin.module(func.func(" SAY "),gpu.module(gpu.func(" SAY "))," SAY
      ",func.func(" SAY "))",
      "builtin.module(func.func(" SAY "),builtin.module(func.func(" SAY
      ")),gpu.module(" SAY "),builtin.module(" SAY ",func.func(" SAY ")))",
      "builtin.module(gpu.module(" SAY "),any(several),func.func(" SAY "))",
      "builtin.module(any(functions),any(symbols),builtin.module(any(symbols)),"
      "func.func(symbols))",
      "builtin.module()",
  };
  for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; ++i)
    cr_expect_eq(expect_same(pipelines[i], functions), MLIRPLUG_OK, "%s",
                 mlir_message(&one));
}

Test(direct_mode, stops_at_the_first_failure) {
  static const char *const pipelines[] = {
      "builtin.module(" SAY ",fail-silently," SAY ")",
      "builtin.module(func.func(" SAY ",mlir-error)," SAY ")",
      "builtin.module(builtin.module(func.func(fail-silently)),func.func(" SAY
      "))",
      "builtin.module(fail-initialize," SAY ")",
      "builtin.module(say," SAY ")",
      "builtin.module(fail-finish," SAY ")",
      "builtin.module(fail-reset)",
  };
  for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; ++i)
    cr_expect_eq(expect_same(pipelines[i], functions), MLIRPLUG_FAILED, "%s",
                 pipelines[i]);
}

Test(direct_mode, verifies_after_each_pass_if_told_to) {
  static const char text[] = "module { func.func @f() { return } }";
  cr_expect_eq(
      mlir_run(&other, "builtin.module(func.func(break-ir)," SAY ")", text),
      MLIRPLUG_FAILED);
  cr_expect(strstr(other.diagnostics.bytes, "empty block"), "%s",
            other.diagnostics.bytes);
  cr_expect(!strstr(other.diagnostics.bytes, "says"));
}

//===----------------------------------------------------------------------===//
// Managers
//===----------------------------------------------------------------------===//

static void run_again(struct mlir_session *session,
                      const struct mlir_pipeline *made) {
  MlirModule module = mlir_parse(session->context, functions);
  cr_expect_eq(mlirplug_manager_run(made->manager,
                                    mlirModuleGetOperation(module), "again",
                                    &session->error),
               MLIRPLUG_OK, "%s", mlir_message(session));
  mlirModuleDestroy(module);
}

Test(direct_mode, runs_again_and_sums_statistics) {
  struct mlir_session *const sessions[] = {&one, &other};
  for (size_t i = 0; i < 2; ++i) {
    struct mlir_pipeline made;
    cr_assert_eq(mlir_pipeline_create(sessions[i],
                                      "builtin.module(func.func(count))", true,
                                      &made),
                 MLIRPLUG_OK, "%s", mlir_message(sessions[i]));
    cr_expect_eq(mlirplug_manager_pass_manager(made.manager).ptr == NULL,
                 i == 1);
    run_again(sessions[i], &made);
    run_again(sessions[i], &made);
    cr_assert_eq(mlirplug_manager_statistic_count(made.manager), 1);
    cr_expect_eq(mlirplug_manager_statistic(made.manager, 0).value, 4);
    mlir_pipeline_destroy(&made);
  }
  cr_expect_str_eq(other.records.bytes, one.records.bytes);
  cr_expect_neq(one.records.length, 0);
}

static MlirLogicalResult cancel(MlirDiagnostic diagnostic, void *manager) {
  (void)diagnostic;
  mlirplug_manager_cancel(manager);
  return mlirLogicalResultSuccess();
}

Test(direct_mode, is_cancelled_between_passes) {
  struct mlir_pipeline made;
  cr_assert_eq(
      mlir_pipeline_create(
          &other, "builtin.module(func.func(" SAY ",anything))", true, &made),
      MLIRPLUG_OK);
  mlirContextAttachDiagnosticHandler(other.context, cancel, made.manager, NULL);
  MlirModule module = mlir_parse(other.context, functions);
  cr_expect_eq(mlirplug_manager_run(made.manager,
                                    mlirModuleGetOperation(module), NULL,
                                    &other.error),
               MLIRPLUG_FAILED);
  cr_expect(strstr(mlir_message(&other), "cancelled"));
  cr_expect_eq(other.records.length, 0, "%s", other.records.bytes);
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
}

//===----------------------------------------------------------------------===//
// What it cannot do
//===----------------------------------------------------------------------===//

Test(direct_mode, says_what_it_cannot_do) {
  static const struct {
    const char *pipeline;
    const char *said;
  } refused[] = {
      {"builtin.module(func.func(cse))",
       "at character 26: no plugin has the pass 'cse'"},
      {"builtin.module(anythin)", "did you mean 'anything'?"},
      {"builtin.module(any(anything))", "'anything' is nested on 'any'"},
      {"builtin.module(any(func.func(anything)))",
       "'func.func' is nested on 'any'"},
      {"builtin.module(func.fun(anything))", "does not know"},
      {"builtin.module(needs-nowhere)", "needs the dialect 'nowhere'"},
      {"builtin.module(fail-create)", "its 'create' failed"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    cr_expect_eq(mlir_run(&other, refused[i].pipeline, functions),
                 MLIRPLUG_FAILED);
    cr_expect(strstr(mlir_message(&other), refused[i].said), "%s",
              mlir_message(&other));
  }
}

Test(direct_mode, needs_a_verifier_to_verify) {
  static const char *const without[] = {"mlirCreateExternalPass",
                                        "mlirOperationVerify", NULL};
  cr_assert_eq(
      binding_open_without("static", without, &other.host->binding, NULL),
      MLIRPLUG_OK);
  struct mlir_pipeline made;
  cr_expect_eq(
      mlir_pipeline_create(&other, "builtin.module(anything)", true, &made),
      MLIRPLUG_FAILED);
  cr_expect(strstr(mlir_message(&other), "cannot verify the IR"));
  cr_assert_eq(
      mlir_pipeline_create(&other, "builtin.module(anything)", false, &made),
      MLIRPLUG_OK);
  mlir_pipeline_destroy(&made);
}
