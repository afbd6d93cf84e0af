// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/binding.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct binding *binding_of(const char *library) {
  const struct binding *binding = NULL;
  cr_assert_eq(binding_open(library, &binding, NULL), MLIRPLUG_OK);
  return binding;
}

Test(provider_functions, are_found_by_name) {
  const struct binding *binding = binding_of("static");
  cr_expect_eq(binding_find(binding, "mlirOperationGetName"),
               (void (*)(void))binding_api(binding)->mlirOperationGetName);
  cr_expect_null(binding_find(binding, "mlirNowhereGet"));
}

Test(provider_functions, of_the_libraries_below_are_not_its_own) {
  cr_expect_null(binding_find(binding_of("static"), "malloc"));
  cr_expect_null(binding_find(binding_of("shared"), "malloc"));
}

Test(provider_functions, of_llvm_are_those_that_the_copy_uses) {
  void (*inside)(void) = binding_find(binding_of("static"), "LLVMSetTarget");
  void (*beside)(void) = binding_find(binding_of("shared"), "LLVMSetTarget");
  cr_expect_not_null(inside);
  cr_expect_not_null(beside);
  cr_expect_neq(inside, beside);
}

Test(provider_functions, are_other_ones_in_each_copy_of_mlir) {
  const struct binding *one = binding_of("static"),
                       *other = binding_of("shared");
  cr_expect_neq(one, other);
  cr_expect_neq(binding_find(one, "mlirContextCreate"),
                binding_find(other, "mlirContextCreate"));
  cr_expect_str_eq(binding_version(one), binding_version(other));
}

Test(provider_functions, are_there_once_for_all_hosts) {
  cr_expect_eq(binding_of("static"), binding_of("static"));
}

Test(provider_functions, without_context_are_told_only_if_there_is_no_choice) {
  cr_expect_null(binding_only_api());
  const struct binding *one = binding_of("shared");
  cr_expect_eq(binding_only_api(), binding_api(one));
  binding_of("static");
  cr_expect_null(binding_only_api());
}
