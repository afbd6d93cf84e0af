// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins' passes in the registry of a real MLIR, whose C++ code copies, keeps
// and calls what is entered.

#include "stock/registry.h"

#include "../plugins/pass/state.h"
#include "stock/guest.h"
#include "stock/results.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS                                                              \
  "func.func @f() { return } func.func @g() { return } func.func @h() { "      \
  "return }"

static struct mlir_session session;
static struct registry registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// The tool: an MLIR with its own passes, then the plugin called `path`.
static void tool_open(const char *path, bool threads) {
  const mlirplug_plugin_description *plugin;
  mlirplug_error *error = NULL;
  mlir_open(&session, "static", threads);
  mlirRegisterAllPasses();
  cr_assert_eq(tool_find(&registry.tool, &error), MLIRPLUG_OK);
  registry.host = session.host;
  cr_assert_eq(mlirplug_host_add_plugin(session.host, path, &plugin, &error),
               MLIRPLUG_OK);
  registry_enter(&registry, plugin);
}

static void text_collect(MlirStringRef part, void *user_data) {
  text_add_bytes(user_data, part.data, part.length);
}

/// Runs as a tool does, without knowing of plugins. Returns the pipeline as
/// MLIR prints it, to be freed; null if it is no pipeline.
static char *tool_run(const char *pipeline, bool *succeeded) {
  MlirPassManager manager = mlirPassManagerCreate(session.context);
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
  struct text complaint = {0}, printed = {0};
  *succeeded = false;
  char *text = NULL;
  if (mlirLogicalResultIsSuccess(mlirParsePassPipeline(
          passes, mlirStringRefCreateFromCString(pipeline), text_collect,
          &complaint))) {
    mlirPrintPassPipeline(passes, text_collect, &printed);
    text = text_take(&printed);
    MlirModule module = mlir_parse(session.context, FUNCTIONS);
    *succeeded = mlirLogicalResultIsSuccess(
        mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module)));
    mlirModuleDestroy(module);
  }
  text_release(&complaint);
  mlirPassManagerDestroy(manager);
  return text;
}

static void expect_run(const char *pipeline, const char *printed) {
  bool succeeded;
  char *text = tool_run(pipeline, &succeeded);
  cr_assert(text, "%s", pipeline);
  cr_expect(succeeded, "%s", session.diagnostics.bytes);
  cr_expect_str_eq(text, printed);
  free(text);
}

static void expect_refused(const char *pipeline) {
  bool succeeded;
  cr_expect_null(tool_run(pipeline, &succeeded), "%s", pipeline);
}

static void expect_failed(const char *pipeline, const char *diagnostic) {
  bool succeeded;
  char *text = tool_run(pipeline, &succeeded);
  cr_expect(text, "%s", pipeline);
  cr_expect_not(succeeded, "%s", pipeline);
  cr_expect(strstr(session.diagnostics.bytes, diagnostic), "%s",
            session.diagnostics.bytes);
  free(text);
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static char records_path[4096];

static void records_begin(void) {
  char *directory = directory_create();
  (void)snprintf(records_path, sizeof records_path, "%s/records", directory);
  free(directory);
  setenv("MLIRPLUG_RECORDS", records_path, true);
  cr_assert_eq(results_begin(NULL), MLIRPLUG_OK);
}

static void records_expect(const char *text) {
  char bytes[4096] = "";
  FILE *file = fopen(records_path, "re");
  cr_assert(file);
  size_t length = fread(bytes, 1, sizeof bytes - 1, file);
  bytes[length] = '\0';
  (void)fclose(file);
  cr_expect_str_eq(bytes, text);
}

//===----------------------------------------------------------------------===//
// What works and what does not
//===----------------------------------------------------------------------===//

Test(pass_in_a_stock_tool, runs_with_its_options_and_keeps_them) {
  records_begin();
  tool_open(MLIR_PLUGIN("service"), false);
  expect_run("builtin.module(options{text=x number=9})",
             "builtin.module(options{number=9 text=x})");
  records_expect("{\"pass\": \"options\", \"options\": \"0 9 7 0.5 x 0\"}\n");
}

Test(pass_in_a_stock_tool, is_nested_where_it_can_run) {
  tool_open(MLIR_PLUGIN("state"), false);
  expect_run("builtin.module(count)", "builtin.module(func.func(count))");
  expect_run("builtin.module(func.func(count))",
             "builtin.module(func.func(count))");
}

Test(pass_in_a_stock_tool, is_refused_with_bad_options_or_in_a_bad_place) {
  tool_open(MLIR_PLUGIN("anchor"), false);
  expect_refused("builtin.module(anything{no-such-option=1})");
  expect_refused("builtin.module(func.func(insert-index))");
  expect_run("builtin.module(anything)", "builtin.module(anything)");
}

Test(pass_in_a_stock_tool, fails_the_run_that_it_fails_in) {
  tool_open(MLIR_PLUGIN("diagnose"), false);
  expect_failed("builtin.module(fail-silently)", "pass 'fail-silently' failed");
  expect_failed("builtin.module(fail-initialize)",
                "pass 'fail-initialize' could not be initialized");
}

Test(pass_in_a_stock_tool, makes_its_state_when_there_is_a_context) {
  tool_open(MLIR_PLUGIN("state"), false);
  expect_failed("builtin.module(fail-create)",
                "pass 'fail-create' could not make its state");
}

Test(pass_in_a_stock_tool, wants_its_dialects) {
  tool_open(MLIR_PLUGIN("anchor"), false);
  expect_failed("builtin.module(needs-nowhere)",
                "needs the dialect 'nowhere', which this context of");
}

Test(pass_in_a_stock_tool, has_states_that_are_all_freed_when_it_is_over) {
  tool_open(MLIR_PLUGIN("state"), true);
  expect_run("builtin.module(count)", "builtin.module(func.func(count))");
  const struct state_counts *counts =
      mlir_plugin_data(MLIR_PLUGIN("state"), "state_counts");
  cr_assert(counts);
  cr_expect_gt(counts->created, 0);
  cr_expect_eq(counts->created + counts->cloned, counts->destroyed);
  cr_expect_eq(counts->merged, counts->cloned);
}

Test(pass_in_a_stock_tool, does_not_take_the_name_of_one_of_the_tool) {
  tool_open(MLIR_PLUGIN("clash"), false);
  cr_expect_not(
      registry.tool.find_pipeline(mlirStringRefCreateFromCString("cse")));
  expect_run("builtin.module(func.func(cse))",
             "builtin.module(func.func(cse))");
}

Test(pass_in_a_stock_tool, writes_records_in_order) {
  records_begin();
  tool_open(MLIR_PLUGIN("record"), true);
  expect_run("builtin.module(func.func(record-name))",
             "builtin.module(func.func(record-name))");
  records_expect("{\"pass\": \"record-name\", \"name\": \"f\", \"part\": 0}\n"
                 "{\"pass\": \"record-name\", \"name\": \"f\", \"part\": 1}\n"
                 "{\"pass\": \"record-name\", \"name\": \"g\", \"part\": 0}\n"
                 "{\"pass\": \"record-name\", \"name\": \"g\", \"part\": 1}\n"
                 "{\"pass\": \"record-name\", \"name\": \"h\", \"part\": 0}\n"
                 "{\"pass\": \"record-name\", \"name\": \"h\", \"part\": 1}\n"
                 "{\"pass\": \"record-name\", \"end\": true}\n");
}

Test(pass_in_a_stock_tool, writes_no_records_of_a_run_in_which_one_failed) {
  const mlirplug_plugin_description *plugin;
  records_begin();
  tool_open(MLIR_PLUGIN("record"), false);
  cr_assert_eq(mlirplug_host_add_plugin(session.host, MLIR_PLUGIN("diagnose"),
                                        &plugin, NULL),
               MLIRPLUG_OK);
  registry_enter(&registry, plugin);
  expect_failed("builtin.module(func.func(record-name),fail-silently)",
                "pass 'fail-silently' failed");
  records_expect("");
}

Test(pass_in_a_stock_tool, hands_its_records_over_though_its_manager_is_there) {
  records_begin();
  tool_open(MLIR_PLUGIN("record"), false);
  struct text complaint = {0};
  MlirPassManager manager = mlirPassManagerCreate(session.context);
  cr_assert(mlirLogicalResultIsSuccess(mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(manager),
      mlirStringRefCreateFromCString("builtin.module(func.func(record-name))"),
      text_collect, &complaint)));
  MlirModule module = mlir_parse(session.context, "func.func @f() { return }");
  cr_assert(mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
  records_expect("");
  guests_leave();
  records_expect("{\"pass\": \"record-name\", \"name\": \"f\", \"part\": 0}\n"
                 "{\"pass\": \"record-name\", \"name\": \"f\", \"part\": 1}\n");
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
}
