// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes and offsets of every structure that crosses the border between a
// plugin and its host. test/golden/layout-1.0.txt never changes: later versions
// of the ABI get a file of their own, and keep what this one says.

#include "support/command.h"

#include <criterion/criterion.h>
#include <mlirplug/ir/Pass.h>
#include <mlirplug/ir/Rewrite.h>
#include <mlirplug/ir/Types.h>
#include <mlirplug/layout.h>
#include <mlirplug/plugin.h>

#include <stdio.h>
#include <stdlib.h>

#define SIZE(type) fprintf(out, #type " %zu\n", sizeof(type))
#define FIELD(type, field)                                                     \
  fprintf(out, "  " #field " %zu %zu\n", offsetof(type, field),                \
          sizeof(((type *)0)->field))

// NOLINTBEGIN(bugprone-sizeof-expression): the sizes of pointers are meant.

static void print_plugin(FILE *out) {
  SIZE(mlirplug_import);
  FIELD(mlirplug_import, name);
  FIELD(mlirplug_import, function);
  SIZE(mlirplug_run);
  FIELD(mlirplug_run, size);
  FIELD(mlirplug_run, reserved);
  FIELD(mlirplug_run, options);
  FIELD(mlirplug_run, state);
  FIELD(mlirplug_run, identifiers);
  SIZE(mlirplug_pass);
  FIELD(mlirplug_pass, size);
  FIELD(mlirplug_pass, option_size);
  FIELD(mlirplug_pass, statistic_size);
  FIELD(mlirplug_pass, reserved);
  FIELD(mlirplug_pass, name);
  FIELD(mlirplug_pass, summary);
  FIELD(mlirplug_pass, description);
  FIELD(mlirplug_pass, anchor);
  FIELD(mlirplug_pass, dialects);
  FIELD(mlirplug_pass, options);
  FIELD(mlirplug_pass, option_count);
  FIELD(mlirplug_pass, options_size);
  FIELD(mlirplug_pass, statistics);
  FIELD(mlirplug_pass, statistic_count);
  FIELD(mlirplug_pass, names);
  FIELD(mlirplug_pass, name_count);
  FIELD(mlirplug_pass, create);
  FIELD(mlirplug_pass, clone);
  FIELD(mlirplug_pass, destroy);
  FIELD(mlirplug_pass, initialize);
  FIELD(mlirplug_pass, run);
  FIELD(mlirplug_pass, merge);
  FIELD(mlirplug_pass, finish);
  FIELD(mlirplug_pass, reset);
  SIZE(mlirplug_descriptor);
  FIELD(mlirplug_descriptor, magic);
  FIELD(mlirplug_descriptor, size);
  FIELD(mlirplug_descriptor, abi_major);
  FIELD(mlirplug_descriptor, abi_minor);
  FIELD(mlirplug_descriptor, id);
  FIELD(mlirplug_descriptor, version);
  FIELD(mlirplug_descriptor, sdk);
  FIELD(mlirplug_descriptor, passes);
  FIELD(mlirplug_descriptor, pass_count);
  FIELD(mlirplug_descriptor, imports_begin);
  FIELD(mlirplug_descriptor, imports_end);
  SIZE(mlirplug_stock_information);
  FIELD(mlirplug_stock_information, api_version);
  FIELD(mlirplug_stock_information, name);
  FIELD(mlirplug_stock_information, version);
  FIELD(mlirplug_stock_information, register_passes);
}

static void print_options(FILE *out) {
  SIZE(mlirplug_option);
  FIELD(mlirplug_option, name);
  FIELD(mlirplug_option, help);
  FIELD(mlirplug_option, kind);
  FIELD(mlirplug_option, flags);
  FIELD(mlirplug_option, offset);
  FIELD(mlirplug_option, default_integer);
  FIELD(mlirplug_option, default_double);
  FIELD(mlirplug_option, default_text);
  FIELD(mlirplug_option, choices);
  FIELD(mlirplug_option, minimum);
  FIELD(mlirplug_option, maximum);
  FIELD(mlirplug_option, minimum_double);
  FIELD(mlirplug_option, maximum_double);
  SIZE(mlirplug_statistic);
  FIELD(mlirplug_statistic, name);
  FIELD(mlirplug_statistic, help);
  SIZE(mlirplug_bool_list);
  FIELD(mlirplug_bool_list, values);
  FIELD(mlirplug_bool_list, count);
  SIZE(mlirplug_int_list);
  FIELD(mlirplug_int_list, values);
  FIELD(mlirplug_int_list, count);
  SIZE(mlirplug_uint_list);
  FIELD(mlirplug_uint_list, values);
  FIELD(mlirplug_uint_list, count);
  SIZE(mlirplug_double_list);
  FIELD(mlirplug_double_list, values);
  FIELD(mlirplug_double_list, count);
  SIZE(mlirplug_string_list);
  FIELD(mlirplug_string_list, values);
  FIELD(mlirplug_string_list, count);
}

/// MLIR's own; all its handles are one pointer.
static void print_mlir(FILE *out) {
  SIZE(MlirOperation);
  SIZE(MlirAttribute);
  SIZE(MlirStringRef);
  FIELD(MlirStringRef, data);
  FIELD(MlirStringRef, length);
  SIZE(MlirLogicalResult);
  FIELD(MlirLogicalResult, value);
  SIZE(MlirNamedAttribute);
  FIELD(MlirNamedAttribute, name);
  FIELD(MlirNamedAttribute, attribute);
  SIZE(MlirOperationState);
  FIELD(MlirOperationState, name);
  FIELD(MlirOperationState, location);
  FIELD(MlirOperationState, nResults);
  FIELD(MlirOperationState, results);
  FIELD(MlirOperationState, nOperands);
  FIELD(MlirOperationState, operands);
  FIELD(MlirOperationState, nRegions);
  FIELD(MlirOperationState, regions);
  FIELD(MlirOperationState, nSuccessors);
  FIELD(MlirOperationState, successors);
  FIELD(MlirOperationState, nAttributes);
  FIELD(MlirOperationState, attributes);
  FIELD(MlirOperationState, enableResultTypeInference);
  SIZE(MlirExternalPassCallbacks);
  FIELD(MlirExternalPassCallbacks, construct);
  FIELD(MlirExternalPassCallbacks, destruct);
  FIELD(MlirExternalPassCallbacks, initialize);
  FIELD(MlirExternalPassCallbacks, clone);
  FIELD(MlirExternalPassCallbacks, run);
}

// NOLINTEND(bugprone-sizeof-expression)

Test(the_layout, of_abi_1_0_never_changes) {
  char *now = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&now, &length);
  cr_assert(out);
  print_plugin(out);
  print_options(out);
  print_mlir(out);
  cr_assert(fclose(out) == 0);
  char *golden =
      file_content(MLIRPLUG_SOURCE_DIRECTORY "/test/golden/layout-1.0.txt");
  cr_expect_str_eq(now, golden);
  free(golden);
  free(now);
}
