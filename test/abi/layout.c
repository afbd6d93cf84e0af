// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints sizes and offsets of every structure that crosses the border between a
// plugin and its host, and the constants that are compiled into plugins. See
// test/sdk/layout_test.c for what it is compared with.

#include <mlirplug/ir.h>
#include <mlirplug/layout.h>
#include <mlirplug/plugin.h>

#include <stdio.h>

/// A structure that may get fields at its end; the last one says how long it
/// is.
#define GROWING(type) printf(#type ", may grow\n")
#define SIZE(type) printf(#type " %zu\n", sizeof(type))
#define CONSTANT(name) printf(#name " = %lld\n", (long long)(name))
#define FIELD(type, field)                                                     \
  printf("  " #field " %zu %zu\n", offsetof(type, field),                      \
         sizeof(((type *)0)->field))

// NOLINTBEGIN(bugprone-sizeof-expression): the sizes of pointers are meant.

static void print_plugin(void) {
  SIZE(mlirplug_import);
  FIELD(mlirplug_import, name);
  FIELD(mlirplug_import, function);
  GROWING(mlirplug_run);
  FIELD(mlirplug_run, size);
  FIELD(mlirplug_run, reserved);
  FIELD(mlirplug_run, options);
  FIELD(mlirplug_run, state);
  FIELD(mlirplug_run, identifiers);
  FIELD(mlirplug_run, pass);
  GROWING(mlirplug_pass);
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
  GROWING(mlirplug_descriptor);
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
  FIELD(mlirplug_descriptor, hosting);
  GROWING(mlirplug_hosting);
  FIELD(mlirplug_hosting, size);
  FIELD(mlirplug_hosting, reserved);
  FIELD(mlirplug_hosting, language);
  FIELD(mlirplug_hosting, suffixes);
  FIELD(mlirplug_hosting, open);
  GROWING(mlirplug_opening);
  FIELD(mlirplug_opening, size);
  FIELD(mlirplug_opening, reserved);
  FIELD(mlirplug_opening, path);
  FIELD(mlirplug_opening, bytes);
  FIELD(mlirplug_opening, length);
  FIELD(mlirplug_opening, refuse);
  SIZE(mlirplug_stock_information);
  FIELD(mlirplug_stock_information, api_version);
  FIELD(mlirplug_stock_information, name);
  FIELD(mlirplug_stock_information, version);
  FIELD(mlirplug_stock_information, register_passes);
}

static void print_options(void) {
  GROWING(mlirplug_option);
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
  GROWING(mlirplug_statistic);
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

/// MLIR's handles, which are one pointer each.
static void print_handles(void) {
  SIZE(MlirAffineExpr);
  SIZE(MlirAffineMap);
  SIZE(MlirAsmState);
  SIZE(MlirAttribute);
  SIZE(MlirBlock);
  SIZE(MlirBytecodeWriterConfig);
  SIZE(MlirContext);
  SIZE(MlirDiagnostic);
  SIZE(MlirDialect);
  SIZE(MlirDialectHandle);
  SIZE(MlirDialectRegistry);
  SIZE(MlirExternalPass);
  SIZE(MlirFrozenRewritePatternSet);
  SIZE(MlirGreedyRewriteDriverConfig);
  SIZE(MlirIdentifier);
  SIZE(MlirIntegerSet);
  SIZE(MlirLlvmThreadPool);
  SIZE(MlirLocation);
  SIZE(MlirModule);
  SIZE(MlirOpOperand);
  SIZE(MlirOpPassManager);
  SIZE(MlirOpPrintingFlags);
  SIZE(MlirOperation);
  SIZE(MlirPDLPatternModule);
  SIZE(MlirPDLResultList);
  SIZE(MlirPDLValue);
  SIZE(MlirPass);
  SIZE(MlirPassManager);
  SIZE(MlirPatternRewriter);
  SIZE(MlirRegion);
  SIZE(MlirRewritePattern);
  SIZE(MlirRewritePatternSet);
  SIZE(MlirRewriterBase);
  SIZE(MlirSymbolTable);
  SIZE(MlirType);
  SIZE(MlirTypeID);
  SIZE(MlirTypeIDAllocator);
  SIZE(MlirValue);
}

/// MLIR's other structures.
static void print_mlir(void) {
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
  SIZE(MlirRewritePatternCallbacks);
  FIELD(MlirRewritePatternCallbacks, construct);
  FIELD(MlirRewritePatternCallbacks, destruct);
  FIELD(MlirRewritePatternCallbacks, matchAndRewrite);
}

static void print_enumerations(void) {
  SIZE(MlirWalkResult);
  CONSTANT(MlirWalkResultAdvance);
  CONSTANT(MlirWalkResultInterrupt);
  CONSTANT(MlirWalkResultSkip);
  SIZE(MlirWalkOrder);
  CONSTANT(MlirWalkPreOrder);
  CONSTANT(MlirWalkPostOrder);
  SIZE(MlirDiagnosticSeverity);
  CONSTANT(MlirDiagnosticError);
  CONSTANT(MlirDiagnosticWarning);
  CONSTANT(MlirDiagnosticNote);
  CONSTANT(MlirDiagnosticRemark);
  SIZE(MlirPassDisplayMode);
  CONSTANT(MLIR_PASS_DISPLAY_MODE_LIST);
  CONSTANT(MLIR_PASS_DISPLAY_MODE_PIPELINE);
  SIZE(MlirGreedyRewriteStrictness);
  CONSTANT(MLIR_GREEDY_REWRITE_STRICTNESS_ANY_OP);
  CONSTANT(MLIR_GREEDY_REWRITE_STRICTNESS_EXISTING_AND_NEW_OPS);
  CONSTANT(MLIR_GREEDY_REWRITE_STRICTNESS_EXISTING_OPS);
  SIZE(MlirGreedySimplifyRegionLevel);
  CONSTANT(MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_DISABLED);
  CONSTANT(MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_NORMAL);
  CONSTANT(MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_AGGRESSIVE);
}

static void print_constants(void) {
  const char magic[] = MLIRPLUG_MAGIC;
  printf("MLIRPLUG_MAGIC %.*s\n", (int)sizeof magic, magic);
  CONSTANT(MLIRPLUG_ABI_MAJOR);
  CONSTANT(MLIRPLUG_OK);
  CONSTANT(MLIRPLUG_FAILED);
  CONSTANT(MLIRPLUG_KIND_BOOL);
  CONSTANT(MLIRPLUG_KIND_INT);
  CONSTANT(MLIRPLUG_KIND_UINT);
  CONSTANT(MLIRPLUG_KIND_DOUBLE);
  CONSTANT(MLIRPLUG_KIND_STRING);
  CONSTANT(MLIRPLUG_KIND_ENUM);
  CONSTANT(MLIRPLUG_KIND_LIST);
  CONSTANT(MLIRPLUG_OPTION_RANGE);
  puts("MLIRPLUG_LIBRARY_NAME " MLIRPLUG_LIBRARY_NAME);
}

// NOLINTEND(bugprone-sizeof-expression)

int main(void) {
  print_plugin();
  print_options();
  print_handles();
  print_mlir();
  print_enumerations();
  print_constants();
  return 0;
}
