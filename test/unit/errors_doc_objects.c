// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about object files.

#include "errors_doc.h"

#include "provider/binding.h"
#include "support/mlir.h"

#include "host/host.h"

#include <criterion/criterion.h>
#include <mlirplug/object.h>

static struct mlir_session session;

static const char empty[] = "func.func @f() { return }";

static void expect_said(const char *text,
                        const mlirplug_object_configuration *configuration) {
  MlirModule module = mlir_parse(session.context, text);
  mlirplug_object *object = NULL;
  mlirplug_error *error = NULL;
  errors_doc_expect_failure(mlirplug_object_create(session.host, module,
                                                   configuration, &object,
                                                   &error),
                            &error);
  mlirModuleDestroy(module);
}

static void unattached_host_says(void) {
  mlirplug_host *host = NULL;
  mlirplug_object *object = NULL;
  mlirplug_error *error = NULL;
  cr_assert_eq(mlirplug_host_create(NULL, &host, &error), MLIRPLUG_OK);
  errors_doc_expect_failure(
      mlirplug_object_create(host, (MlirModule){NULL}, NULL, &object, &error),
      &error);
  mlirplug_host_destroy(host);
}

/// A copy of MLIR that keeps LLVM to itself.
static void closed_provider_says(void) {
  const struct binding *closed = NULL, *open = session.host->binding;
  mlirplug_error *error = NULL;
  cr_assert_eq(
      binding_open_without("static", errors_doc_blind, &closed, &error),
      MLIRPLUG_OK);
  session.host->binding = closed;
  expect_said(empty, NULL);
  session.host->binding = open;
}

void objects_say(void) {
#define CONFIGURATION(...)                                                     \
  &(mlirplug_object_configuration){                                            \
      .size = sizeof(mlirplug_object_configuration), __VA_ARGS__}
  unattached_host_says();
  mlir_open(&session, "static", false);
  closed_provider_says();
  expect_said(empty, CONFIGURATION(.optimization = "O4"));
  expect_said(empty, CONFIGURATION(.target = "sparc-linux-gnu"));
  expect_said(empty, CONFIGURATION(.cpu = "z80"));
  expect_said(empty, CONFIGURATION(.features = "avx2"));
  expect_said(empty, CONFIGURATION(.pipeline = "canonicalize"));
  expect_said("llvm.func @f(%x: !llvm.ptr) {"
              " %v = llvm.load %x : !llvm.ptr -> vector<[4]xf32>"
              " llvm.store %v, %x : vector<[4]xf32>, !llvm.ptr llvm.return }",
              CONFIGURATION(.target = "x86_64-linux-gnu"));
  expect_said("llvm.func @f() attributes {nvvm.unknown} { llvm.return }\n"
              "llvm.mlir.global external @g(1 : i32) : !llvm.array<2 x i32>",
              NULL);
#undef CONFIGURATION
  mlir_close(&session);
}
