// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/absent.h"

#include <criterion/criterion.h>
#include <mlirplug/ir.h>
#include <string.h>

/// The stub for `name`, typed as the function is.
#define STUB(name) ((__typeof__(&name))absent_stub(#name))

static MlirContext context;
static MlirOperation operation;
static MlirLocation location;

static void forget(void) { absent_called = NULL; }

TestSuite(absent_functions, .init = forget);

static void expect_called(const char *name) {
  cr_assert_not_null(absent_called);
  cr_expect_str_eq(absent_called, name);
}

Test(absent_functions, give_a_null_handle_and_their_name) {
  cr_expect_null(STUB(mlirOperationGetLocation)(operation).ptr);
  expect_called("mlirOperationGetLocation");
}

Test(absent_functions, give_false) {
  cr_expect_not(STUB(mlirOperationEqual)(operation, operation));
  expect_called("mlirOperationEqual");
}

Test(absent_functions, give_an_empty_string) {
  MlirStringRef name = STUB(mlirIdentifierStr)((MlirIdentifier){0});
  cr_expect_null(name.data);
  cr_expect_eq(name.length, 0);
  expect_called("mlirIdentifierStr");
}

Test(absent_functions, give_nothing) {
  STUB(mlirContextDestroy)(context);
  expect_called("mlirContextDestroy");
}

Test(absent_functions, give_zeroed_structures_of_any_size) {
  MlirOperationState zero;
  memset(&zero, 0, sizeof zero);
  MlirOperationState state =
      STUB(mlirOperationStateGet)((MlirStringRef){"x.y", 3}, location);
  cr_expect_arr_eq(&state, &zero, sizeof zero);
  expect_called("mlirOperationStateGet");
}

Test(absent_functions, give_zero_as_a_number) {
  cr_expect_eq(STUB(mlirFloatAttrGetValueDouble)((MlirAttribute){0}), 0.0);
  expect_called("mlirFloatAttrGetValueDouble");
}

Test(absent_functions, of_later_releases_have_their_names_too) {
  ((void (*)(MlirLocation, const char *))absent_stub("mlirEmitWarning"))(
      location, "careful");
  expect_called("mlirEmitWarning");
}

Test(absent_functions, that_nobody_knows_have_their_names_too) {
  void (*one)(void) = absent_stub("mlirNowhereGet");
  void (*other)(void) = absent_stub("mlirNowhereSet");
  one();
  expect_called("mlirNowhereGet");
  other();
  expect_called("mlirNowhereSet");
  cr_expect_eq(absent_stub("mlirNowhereGet"), one);
}

Test(absent_functions, tell_where_they_were_seen) {
  cr_expect_str_eq(absent_seen("mlirEmitWarning"), "24git");
  cr_expect_str_eq(absent_seen("mlirOperationWalk"), "19 22 23git 24git");
  cr_expect_null(absent_seen("mlirNowhereGet"));
}
