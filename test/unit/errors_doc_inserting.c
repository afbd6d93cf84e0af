// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about passes that get to a place by other ways than a pipeline's
// text: by requests, by name, from plugins of MLIR's own kind.

#include "errors_doc.h"

#include "pass/named.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>

static mlirplug_error *error;

static void expect_said(mlirplug_status status) {
  errors_doc_expect_failure(status, &error);
}

static void warning_expect(const char *line, void *user_data) {
  (void)user_data;
  errors_doc_expect(line);
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static const char *const bad_requests[] = {"aftr:cse:demo-hist",
                                           "demo-hist",
                                           "after:cse",
                                           "after::demo-hist",
                                           "after:cse#x:cse",
                                           "after:cse#3:cse",
                                           "after:licm:cse",
                                           "after:csee:cse",
                                           "after:cse:demo-tag",
                                           "each:demo-tag",
                                           "after:cse:demo-tag,cse"};

static mlirplug_host *demo_host(void) {
  const mlirplug_host_configuration configuration = {
      .size = sizeof configuration, .warn = warning_expect};
  mlirplug_host *host = NULL;
  cr_assert_eq(mlirplug_host_create(&configuration, &host, &error),
               MLIRPLUG_OK);
  cr_assert_eq(
      mlirplug_host_add_plugin(host, MLIR_PLUGIN("demo"), NULL, &error),
      MLIRPLUG_OK);
  return host;
}

static mlirplug_pipeline *pipeline_of(mlirplug_host *host, const char *text) {
  mlirplug_pipeline *pipeline = NULL;
  cr_assert_eq(mlirplug_pipeline_parse(host, text, &pipeline, &error),
               MLIRPLUG_OK);
  return pipeline;
}

static void requests_say(void) {
  mlirplug_host *host = demo_host();
  mlirplug_pipeline *pipeline = pipeline_of(host, "builtin.module(cse,cse)");
  mlirplug_pipeline *empty = pipeline_of(host, "builtin.module()");
  mlirplug_pipeline *result = NULL;
  for (size_t i = 0; i < sizeof bad_requests / sizeof *bad_requests; ++i)
    expect_said(mlirplug_pipeline_insert(pipeline, &bad_requests[i], 1, &result,
                                         &error));
  const char *each = "each:demo-hist", *ambiguous = "after:cse:demo-hist";
  expect_said(mlirplug_pipeline_insert(empty, &each, 1, &result, &error));
  cr_expect_eq(
      mlirplug_pipeline_insert(pipeline, &ambiguous, 1, &result, &error),
      MLIRPLUG_OK);
  mlirplug_pipeline_destroy(result);
  mlirplug_pipeline_destroy(empty);
  mlirplug_pipeline_destroy(pipeline);
  mlirplug_host_destroy(host);
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

/// What the manager says of the pass; `isolated` as if it had children.
static void request_says(mlirplug_manager *manager, const char *name,
                         const char *options, bool isolated) {
  const struct named_request request = {name, options, "func.func"};
  manager->session.is_isolated = isolated;
  expect_said(named_add(manager, &request, (MlirOpPassManager){NULL}, &error));
  manager->session.is_isolated = false;
}

static void names_say(void) {
  struct mlir_session session;
  struct mlir_pipeline made;
  mlir_open(&session, "static", false);
  mlir_add(&session, MLIR_PLUGIN("demo"));
  mlirRegisterAllPasses();
  static const char inner[] =
      "builtin.module(inline{op-pipelines=func.func(demo-tag)})";
  cr_expect_eq(mlir_pipeline_create(&session, inner, true, &made),
               MLIRPLUG_FAILED);
  errors_doc_expect(mlir_message(&session));
  cr_assert_eq(
      mlir_pipeline_create(&session, "builtin.module(cse)", true, &made),
      MLIRPLUG_OK);
  request_says(made.manager, "demo-tag", "name=x},cse{x=y", false);
  request_says(made.manager, "demo-tag", "", true);
  mlir_pipeline_destroy(&made);
  mlir_close(&session);
}

static void registration_says(void) {
  mlirplug_host *host = demo_host();
  expect_said(mlirplug_host_register_passes(host, &error));
  mlirplug_host_destroy(host);
}

/// MLIR asks for a pass of another host than that of the pipeline.
static void strange_name_says(void) {
  struct mlir_session one, other;
  mlir_open(&one, "static", false);
  mlir_open(&other, "static", false);
  mlir_add(&one, MLIR_PLUGIN("demo"));
  cr_assert_eq(mlirplug_host_register_passes(one.host, &error), MLIRPLUG_OK);
  struct mlir_pipeline made;
  cr_expect_eq(
      mlir_pipeline_create(&other, "builtin.module(demo-hist)", true, &made),
      MLIRPLUG_FAILED);
  errors_doc_expect(mlir_message(&other));
  mlir_close(&other);
  mlir_close(&one);
}

//===----------------------------------------------------------------------===//
// Plugins of MLIR's own kind
//===----------------------------------------------------------------------===//

#define CXX_PLUGIN(name)                                                       \
  MLIRPLUG_BUILD_DIRECTORY "/test/plugins/cxx/" name ".so"

static void cxx_plugins_say(void) {
  mlirplug_host *host = demo_host();
  expect_said(
      mlirplug_host_load_cxx_plugin(host, CXX_PLUGIN("linked"), &error));
  cr_assert_eq(mlirplug_host_attach_library(host, "static", &error),
               MLIRPLUG_OK);
  expect_said(
      mlirplug_host_load_cxx_plugin(host, CXX_PLUGIN("linked"), &error));
  // No registry is looked at before the refusal.
  MlirDialectRegistry registry = {&error};
  expect_said(mlirplug_host_load_dialect_plugin(host, CXX_PLUGIN("dialect"),
                                                registry, &error));
  mlirplug_host_destroy(host);
  host = demo_host();
  cr_assert_eq(mlirplug_host_attach_library(host, "shared", &error),
               MLIRPLUG_OK);
  expect_said(mlirplug_host_load_cxx_plugin(host, CXX_PLUGIN("other"), &error));
  expect_said(mlirplug_host_load_cxx_plugin(host, CXX_PLUGIN("later"), &error));
  expect_said(mlirplug_host_load_dialect_plugin(host, CXX_PLUGIN("free"),
                                                registry, &error));
  mlirplug_host_destroy(host);
}

void inserting_says(void) {
  requests_say();
  names_say();
  registration_says();
  strange_name_says();
  cxx_plugins_say();
}
