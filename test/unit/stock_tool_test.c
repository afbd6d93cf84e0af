// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stock/tool.h"

#include "provider_files.h"
#include "stock_library.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <string.h>

static mlirplug_error *error;

static void refusal_expect(mlirplug_status status, const char *part) {
  cr_assert_eq(status, MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, part), "%s", error->message);
  mlirplug_error_destroy(error);
  error = NULL;
}

static void expect_found(void *handle, const char *name) {
  struct tool tool;
  cr_assert_eq(tool_find(&tool, &error), MLIRPLUG_OK, "%s", error->message);
  void *address;
  memcpy(&address, &tool.register_pipeline, sizeof address);
  cr_expect_eq(address, dlsym(handle, name));
  tool_release(&tool);
}

Test(mlir_of_a_tool, is_found_by_the_name_of_19_and_later) {
  expect_found(stock_library_load(STOCK_FUNCTION(STOCK_REGISTER), 0),
               STOCK_REGISTER);
}

Test(mlir_of_a_tool, is_found_by_the_name_of_18_and_before) {
  expect_found(stock_library_load(STOCK_FUNCTION(STOCK_REGISTER_18), 0),
               STOCK_REGISTER_18);
}

Test(mlir_of_a_tool, is_refused_with_another_cplusplus_library) {
  (void)stock_library_load(STOCK_FUNCTION(STOCK_REGISTER_LIBCXX), 0);
  struct tool tool;
  refusal_expect(tool_find(&tool, &error), "built with libc++ (std::__1)");
}

Test(mlir_of_a_tool, is_refused_if_there_are_two) {
  (void)stock_library_load(STOCK_FUNCTION(STOCK_REGISTER), 0);
  (void)stock_library_load(STOCK_FUNCTION(STOCK_REGISTER_18), 0);
  struct tool tool;
  refusal_expect(tool_find(&tool, &error), "it has several copies of MLIR: '");
}

Test(mlir_of_a_tool, is_refused_where_there_is_none) {
  struct tool tool;
  refusal_expect(tool_find(&tool, &error), "objects has "
                                           "mlir::registerPassPipeline");
}

Test(mlir_of_a_tool, is_found_where_it_is_not_exported) {
  struct mlir_session session;
  mlir_open(&session, "static", false);
  struct tool tool;
  cr_assert_eq(tool_find(&tool, &error), MLIRPLUG_OK);
  cr_expect(strstr(tool.path, "libmlirplug-mlir22.so"), "%s", tool.path);
  mlirRegisterAllPasses();
  MlirStringRef cse = mlirStringRefCreateFromCString("cse");
  MlirStringRef none = mlirStringRefCreateFromCString("no-such-pass");
  cr_expect(tool.find_pass(cse));
  cr_expect_not(tool.find_pass(none));
  cr_expect_not(tool.find_pipeline(none));
  const struct binding *binding;
  cr_assert_eq(tool_bind(&tool, &binding, &error), MLIRPLUG_OK);
  cr_expect_str_eq(binding_path(binding), tool.path);
  tool_release(&tool);
  mlir_close(&session);
}

/// An MLIR as tools have it, which comes with the provider that has none.
static void tool_load(struct tool *tool) {
  cr_assert(dlopen(PROVIDER_SHARED, RTLD_NOW | RTLD_GLOBAL), "%s", dlerror());
  cr_assert_eq(tool_find(tool, &error), MLIRPLUG_OK, "%s", error->message);
  cr_expect(strstr(tool->path, "libMLIR.so"), "%s", tool->path);
}

Test(mlir_of_a_tool, is_run_on_by_a_c_api_without_an_mlir) {
  struct tool tool;
  const struct binding *binding;
  tool_load(&tool);
  cr_assert_eq(tool_bind(&tool, &binding, &error), MLIRPLUG_OK, "%s",
               error->message);
  cr_expect(strstr(binding_path(binding), "libmlirplug-ir22.so"));
  cr_expect(strncmp(binding_version(binding), "MLIR 22.1.", 10) == 0);
  cr_expect(binding_api(binding)->emit);
  tool_release(&tool);
}

Test(mlir_of_a_tool, is_refused_if_the_c_api_would_run_on_another) {
  struct tool tool;
  const struct binding *binding;
  tool_load(&tool);
  void *other =
      stock_library_load("void code(void) {}", 22); // calls would not go there
  void *code = dlsym(other, "code");
  memcpy(&tool.register_pipeline, &code, sizeof code);
  refusal_expect(tool_bind(&tool, &binding, &error),
                 "its calls of MLIR lead to '");
  tool_release(&tool);
}
