// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters about contexts, messages, texts, types and pass managers.

#include "support/mlir.h"
#include "unit/adapted.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mlir_session session;

static void begin(void) { mlir_open(&session, "static", false); }
static void end(void) { mlir_close(&session); }

TestSuite(adapted_functions, .init = begin, .fini = end);
TestSuite(adapted_pass_managers, .init = begin, .fini = end);

static MlirStringRef string(const char *bytes) {
  return mlirStringRefCreateFromCString(bytes);
}

static void collect(MlirStringRef part, void *user_data) {
  FILE *out = user_data;
  (void)fwrite(part.data, 1, part.length, out);
}

/// Text that is collected.
struct collected {
  char *bytes;
  size_t size;
  FILE *out;
};

static void collect_begin(struct collected *collected) {
  collected->out = open_memstream(&collected->bytes, &collected->size);
  cr_assert_not_null(collected->out);
}

static const char *collect_end(struct collected *collected) {
  (void)fclose(collected->out);
  return collected->bytes;
}

static void expect_said(const char *text) {
  cr_expect(strstr(session.diagnostics.bytes, text), "'%s' is not in: %s", text,
            session.diagnostics.bytes);
}

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

Test(adapted_functions, compare_handles) {
  MlirType i32 = mlirIntegerTypeGet(session.context, 32);
  __typeof__(&mlirTypeEqual) type_equal = ADAPTED(mlirTypeEqual);
  cr_expect(type_equal(i32, mlirIntegerTypeGet(session.context, 32)));
  cr_expect_not(type_equal(i32, mlirIntegerTypeGet(session.context, 64)));
  MlirIdentifier name = mlirIdentifierGet(session.context, string("a"));
  __typeof__(&mlirIdentifierEqual) identifier_equal =
      ADAPTED(mlirIdentifierEqual);
  cr_expect(
      identifier_equal(name, mlirIdentifierGet(session.context, string("a"))));
  cr_expect_not(
      identifier_equal(name, mlirIdentifierGet(session.context, string("b"))));
  cr_expect_eq(ADAPTED(mlirIdentifierGetContext)(name).ptr,
               session.context.ptr);
}

Test(adapted_functions, compare_strings) {
  __typeof__(&mlirStringRefEqual) equal = ADAPTED(mlirStringRefEqual);
  cr_expect(equal(string("same"), string("same")));
  cr_expect_not(equal(string("same"), string("some")));
  cr_expect_not(equal(string("same"), string("sam")));
  cr_expect(equal((MlirStringRef){NULL, 0}, string("")));
}

//===----------------------------------------------------------------------===//
// Contexts, messages, texts
//===----------------------------------------------------------------------===//

static void expect_usable(MlirContext context) {
  cr_assert_not_null(context.ptr);
  MlirModule module = mlir_parse(context, "module {}");
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

Test(adapted_functions, make_contexts) {
  expect_usable(ADAPTED(mlirContextCreate)());
  expect_usable(ADAPTED(mlirContextCreateWithThreading)(false));
  for (size_t which = 0; which < 2; ++which) {
    MlirDialectRegistry registry = mlirDialectRegistryCreate();
    mlirRegisterAllDialects(registry);
    MlirContext context =
        ADAPTED_NUMBER(mlirContextCreateWithRegistry, which)(registry, which);
    cr_expect_gt(mlirContextGetNumRegisteredDialects(context), 10);
    mlirDialectRegistryDestroy(registry);
    expect_usable(context);
  }
}

Test(adapted_functions, make_type_identifiers_of_addresses) {
  static _Alignas(8) const char place[8];
  MlirTypeID made = ADAPTED(mlirTypeIDCreate)(place);
  cr_expect(mlirTypeIDEqual(made, mlirTypeIDCreate(place)));
}

Test(adapted_functions, send_warnings_and_remarks) {
  typedef void (*emitter)(MlirLocation, const char *);
  MlirLocation location =
      mlirLocationFileLineColGet(session.context, string("f.mlir"), 3, 4);
  ((emitter)adapted_on(22, "mlirEmitWarning", 0, NULL))(location, "careful");
  ((emitter)adapted_on(22, "mlirEmitRemark", 0, NULL))(location, "look");
  expect_said("warning: loc(\"f.mlir\":3:4): careful\n");
  expect_said("remark: loc(\"f.mlir\":3:4): look\n");
}

Test(adapted_functions, print_operations) {
  MlirModule module = mlir_parse(
      session.context, "module { func.func private @f(i32) loc(\"x\":1:2) }");
  struct collected own, adapted;
  collect_begin(&own);
  collect_begin(&adapted);
  mlirOperationPrint(mlirModuleGetOperation(module), collect, own.out);
  ADAPTED(mlirOperationPrint)
  (mlirModuleGetOperation(module), collect, adapted.out);
  cr_expect_str_eq(collect_end(&adapted), collect_end(&own));
  free(own.bytes);
  free(adapted.bytes);
  mlirModuleDestroy(module);
}

static bool debug_info, debug_info_pretty;

static void older_enable_debug_info(MlirOpPrintingFlags flags, bool pretty) {
  (void)flags;
  debug_info = true;
  debug_info_pretty = pretty;
}

Test(adapted_functions, ask_for_locations_in_print_the_older_way) {
  const struct adapted_fake fakes[] = {
      {"mlirOpPrintingFlagsEnableDebugInfo",
       (void (*)(void))older_enable_debug_info},
      {NULL, NULL}};
  __typeof__(&mlirOpPrintingFlagsEnableDebugInfo) enable =
      ADAPTED_ON(15, mlirOpPrintingFlagsEnableDebugInfo, 0, fakes);
  enable((MlirOpPrintingFlags){NULL}, false, true);
  cr_expect_not(debug_info);
  enable((MlirOpPrintingFlags){NULL}, true, true);
  cr_expect(debug_info);
  cr_expect(debug_info_pretty);
}

//===----------------------------------------------------------------------===//
// Parsing one operation
//===----------------------------------------------------------------------===//

static MlirOperation parse(const char *text) {
  static __typeof__(&mlirOperationCreateParse) adapted;
  if (!adapted)
    adapted = ADAPTED(mlirOperationCreateParse);
  return adapted(session.context, string(text), string("here"));
}

static void expect_parsed(const char *text, const char *name) {
  MlirOperation operation = parse(text);
  cr_assert_not_null(operation.ptr, "%s", session.diagnostics.bytes);
  MlirStringRef found = mlirIdentifierStr(mlirOperationGetName(operation));
  cr_expect_arr_eq(found.data, name, strlen(name));
  cr_expect_null(mlirOperationGetBlock(operation).ptr);
  mlirOperationDestroy(operation);
}

Test(adapted_functions, parse_single_operations) {
  expect_parsed("func.func private @f()", "func.func");
  expect_parsed("module { func.func private @f() }", "builtin.module");
  expect_parsed("module {}", "builtin.module");
}

Test(adapted_functions, refuse_texts_that_are_no_single_operation) {
  cr_expect_null(parse("func.func private @f() func.func private @g()").ptr);
  expect_said("source must contain a single top-level operation");
  cr_expect_null(parse("").ptr);
  cr_expect_null(parse("nonsense").ptr);
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

Test(adapted_functions, turn_locations_into_attributes_and_back) {
  MlirLocation location = mlirLocationUnknownGet(session.context);
  MlirAttribute attribute = mlirLocationGetAttribute(location);
  cr_expect_eq(ADAPTED(mlirLocationGetAttribute)(location).ptr, attribute.ptr);
  cr_expect_eq(ADAPTED(mlirLocationFromAttribute)(attribute).ptr, location.ptr);
}

Test(adapted_functions, find_the_last_part_of_symbols) {
  __typeof__(&mlirSymbolRefAttrGetLeafReference) leaf =
      ADAPTED(mlirSymbolRefAttrGetLeafReference);
  MlirAttribute inner = mlirFlatSymbolRefAttrGet(session.context, string("in"));
  MlirAttribute nested =
      mlirSymbolRefAttrGet(session.context, string("out"), 1, &inner);
  cr_expect(mlirStringRefEqual(leaf(nested), string("in")));
  cr_expect(mlirStringRefEqual(leaf(inner), string("in")));
  cr_expect(
      mlirStringRefEqual(ADAPTED(mlirSymbolTableGetVisibilityAttributeName)(),
                         mlirSymbolTableGetVisibilityAttributeName()));
}

Test(adapted_functions, ask_for_shapes) {
  int64_t shape[] = {4, mlirShapedTypeGetDynamicSize()};
  MlirType f32 = mlirF32TypeGet(session.context);
  MlirAttribute none = mlirAttributeGetNull();
  MlirType type = ADAPTED(mlirMemRefTypeContiguousGet)(f32, 2, shape, none);
  cr_expect_eq(type.ptr, mlirMemRefTypeContiguousGet(f32, 2, shape, none).ptr);
  MlirLocation location = mlirLocationUnknownGet(session.context);
  cr_expect_eq(
      ADAPTED(mlirMemRefTypeContiguousGetChecked)(location, f32, 2, shape, none)
          .ptr,
      type.ptr);
  cr_expect(ADAPTED(mlirShapedTypeIsStaticDim)(type, 0));
  cr_expect(ADAPTED(mlirShapedTypeIsStaticSize)(4));
  cr_expect_not(ADAPTED(mlirShapedTypeIsStaticStrideOrOffset)(
      mlirShapedTypeGetDynamicStrideOrOffset()));
}

Test(adapted_functions, tell_tensors) {
  __typeof__(&mlirTypeIsATensor) is_tensor = ADAPTED(mlirTypeIsATensor);
  static const char *const types[] = {"tensor<2xf32>", "tensor<*xf32>",
                                      "memref<2xf32>", "f32"};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    MlirType type = mlirTypeParseGet(session.context, string(types[i]));
    cr_expect_eq(is_tensor(type), mlirTypeIsATensor(type), "%s", types[i]);
  }
}

static const char *const maps[] = {
    "affine_map<() -> ()>",
    "affine_map<()[s0] -> ()>",
    "affine_map<() -> (7)>",
    "affine_map<(d0) -> (7)>",
    "affine_map<(d0, d1) -> (d0, d1)>",
    "affine_map<(d0, d1)[s0] -> (d0, d1)>",
    "affine_map<(d0, d1) -> (d1, d0)>",
    "affine_map<(d0, d1, d2) -> (d1, d2)>",
    "affine_map<(d0, d1, d2)[s0] -> (d1, d2)>",
    "affine_map<(d0) -> (d0, d0)>",
    "affine_map<(d0, d1, d2)[s0] -> (d0 * 2 + s0, (d2 mod 3) floordiv 2)>",
};

static MlirAffineMap map_at(size_t i) {
  return mlirAffineMapAttrGetValue(
      mlirAttributeParseGet(session.context, string(maps[i])));
}

/// Asks MLIR and the adapter about each map.
#define EXPECT_SAME(name)                                                      \
  {                                                                            \
    __typeof__(&name) adapted = ADAPTED(name);                                 \
    for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i)                    \
      cr_expect_eq(adapted(map_at(i)), name(map_at(i)), #name " of %s",        \
                   maps[i]);                                                   \
  }

Test(adapted_functions, look_at_affine_maps) {
  EXPECT_SAME(mlirAffineMapIsIdentity)
  EXPECT_SAME(mlirAffineMapIsMinorIdentity)
  EXPECT_SAME(mlirAffineMapIsEmpty)
  EXPECT_SAME(mlirAffineMapIsSingleConstant)
  cr_expect_eq(ADAPTED(mlirAffineMapGetSingleConstantResult)(map_at(2)), 7);
}

Test(adapted_functions, look_at_affine_expressions) {
  __typeof__(&mlirAffineExprIsFunctionOfDim) is_function =
      ADAPTED(mlirAffineExprIsFunctionOfDim);
  size_t functions = 0;
  for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i)
    for (intptr_t j = 0; j < mlirAffineMapGetNumResults(map_at(i)); ++j)
      for (intptr_t dim = 0; dim < 3; ++dim) {
        MlirAffineExpr expression = mlirAffineMapGetResult(map_at(i), j);
        bool expected = mlirAffineExprIsFunctionOfDim(expression, dim);
        cr_expect_eq(is_function(expression, dim), expected, "%s", maps[i]);
        functions += expected;
      }
  cr_expect_gt(functions, 10);
}

Test(adapted_functions, ask_for_inferred_results) {
  MlirOperationState state = mlirOperationStateGet(
      string("t.t"), mlirLocationUnknownGet(session.context));
  ADAPTED(mlirOperationStateEnableResultTypeInference)(&state);
  cr_expect(state.enableResultTypeInference);
}

static intptr_t inferred_regions;

static MlirLogicalResult
older_infer(MlirStringRef name, MlirContext context, MlirLocation location,
            intptr_t operand_count, MlirValue *operands,
            MlirAttribute attributes, intptr_t region_count,
            MlirRegion *regions, MlirTypesCallback callback, void *user_data) {
  (void)name, (void)context, (void)location, (void)operand_count;
  (void)operands, (void)attributes, (void)regions;
  inferred_regions = region_count;
  callback(0, NULL, user_data);
  return mlirLogicalResultSuccess();
}

static void types_take(intptr_t count, MlirType *types, void *user_data) {
  (void)types;
  *(intptr_t *)user_data = count;
}

Test(adapted_functions, infer_results_the_older_way) {
  const struct adapted_fake fakes[] = {
      {"mlirInferTypeOpInterfaceInferReturnTypes", (void (*)(void))older_infer},
      {NULL, NULL}};
  __typeof__(&mlirInferTypeOpInterfaceInferReturnTypes) infer =
      ADAPTED_ON(16, mlirInferTypeOpInterfaceInferReturnTypes, 0, fakes);
  intptr_t count = -1;
  MlirLogicalResult result = infer(
      string("t.t"), session.context, mlirLocationUnknownGet(session.context),
      0, NULL, mlirAttributeGetNull(), NULL, 3, NULL, types_take, &count);
  cr_expect(mlirLogicalResultIsSuccess(result));
  cr_expect_eq(inferred_regions, 3);
  cr_expect_eq(count, 0);
}

//===----------------------------------------------------------------------===//
// Pass managers, partly on functions of the test's own that do what MLIR 15 did
//===----------------------------------------------------------------------===//

/// What is now mlirOpPassManagerAddPipeline, and says why not elsewhere.
static void say_nothing(MlirStringRef part, void *user_data) {
  (void)part;
  (void)user_data;
}

static MlirLogicalResult older_parse_pipeline(MlirOpPassManager manager,
                                              MlirStringRef text) {
  return mlirOpPassManagerAddPipeline(manager, text, say_nothing, NULL);
}

/// It printed no anchor.
static void older_print_pipeline(MlirOpPassManager manager,
                                 MlirStringCallback callback, void *user_data) {
  struct collected all;
  collect_begin(&all);
  mlirPrintPassPipeline(manager, collect, all.out);
  const char *text = collect_end(&all);
  size_t anchor = strlen("builtin.module(");
  callback((MlirStringRef){text + anchor, all.size - anchor - 1}, user_data);
  free(all.bytes);
}

static MlirLogicalResult run_on_module(MlirPassManager manager,
                                       MlirModule module) {
  return mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
}

static const struct adapted_fake older_functions[] = {
    {"mlirParsePassPipeline", (void (*)(void))older_parse_pipeline},
    {"mlirPrintPassPipeline", (void (*)(void))older_print_pipeline},
    {"mlirPassManagerRun", (void (*)(void))run_on_module},
    {NULL, NULL}};

#define OLDER(name, which) ADAPTED_ON(15, name, which, older_functions)

static MlirPassManager manager_make(void) {
  return mlirPassManagerCreateOnOperation(session.context,
                                          string("builtin.module"));
}

static void expect_pipeline(MlirPassManager manager, const char *expected) {
  struct collected text;
  collect_begin(&text);
  mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(manager), collect,
                        text.out);
  cr_expect_str_eq(collect_end(&text), expected);
  free(text.bytes);
}

static void expect_parse(MlirPassManager manager, const char *pipeline,
                         const char *complaint) {
  static __typeof__(&mlirParsePassPipeline) adapted;
  if (!adapted)
    adapted = OLDER(mlirParsePassPipeline, 0);
  struct collected text;
  collect_begin(&text);
  MlirLogicalResult result = adapted(mlirPassManagerGetAsOpPassManager(manager),
                                     string(pipeline), collect, text.out);
  const char *said = collect_end(&text);
  cr_expect_eq(mlirLogicalResultIsSuccess(result), !complaint, "%s: %s",
               pipeline, said);
  cr_expect(strstr(said, complaint ? complaint : ""), "%s: %s", pipeline, said);
  free(text.bytes);
}

Test(adapted_pass_managers, take_pipelines_the_older_way) {
  MlirPassManager manager = manager_make();
  expect_parse(manager, "builtin.module()", NULL);
  expect_parse(manager, "cse", "expected a pipeline of the form");
  expect_parse(manager, "func.func(cse)", "expected a pipeline of the form");
  expect_parse(manager, "builtin.module(not-there)", "on standard error");
  expect_parse(manager, "builtin.module(cse,func.func(cse))", NULL);
  expect_pipeline(manager, "builtin.module(cse,func.func(cse))");
  expect_parse(manager, "builtin.module(cse)", "cannot replace");
  MlirLogicalResult result = OLDER(mlirOpPassManagerAddPipeline, 0)(
      mlirPassManagerGetAsOpPassManager(manager), string("symbol-dce"), collect,
      stderr);
  cr_expect(mlirLogicalResultIsSuccess(result));
  expect_pipeline(manager, "builtin.module(cse,func.func(cse),symbol-dce)");
  mlirPassManagerDestroy(manager);
}

Test(adapted_pass_managers, run_on_modules_only_where_that_is_not_checked) {
  MlirPassManager manager = manager_make();
  MlirModule module =
      mlir_parse(session.context, "module { func.func private @f() }");
  __typeof__(&mlirPassManagerRunOnOp) run = OLDER(mlirPassManagerRunOnOp, 1);
  MlirOperation root = mlirModuleGetOperation(module);
  cr_expect(mlirLogicalResultIsSuccess(run(manager, root)));
  cr_expect(mlirLogicalResultIsFailure(
      run(manager, mlirBlockGetFirstOperation(mlirModuleGetBody(module)))));
  expect_said("runs pass managers on builtin.module only");
  cr_expect(mlirLogicalResultIsSuccess(
      OLDER(mlirPassManagerRunOnOp, 0)(manager, root)));
  mlirModuleDestroy(module);
  mlirPassManagerDestroy(manager);
}

Test(adapted_pass_managers, are_made_for_modules_only_without_anchors) {
  __typeof__(&mlirPassManagerCreateOnOperation) create =
      ADAPTED(mlirPassManagerCreateOnOperation);
  cr_expect_null(create(session.context, string("func.func")).ptr);
  MlirPassManager manager = create(session.context, string("builtin.module"));
  cr_assert_not_null(manager.ptr);
  mlirPassManagerDestroy(manager);
}

MLIRPLUG_FUNCTION(MlirPass, mlirCreateTransformsCSE, (void), ())
MLIRPLUG_FUNCTION(MlirPass, mlirCreateTransformsSymbolDCE, (void), ())

Test(adapted_pass_managers, take_passes_also_into_nested_ones) {
  MlirPassManager manager = manager_make();
  __typeof__(&mlirOpPassManagerAddOwnedPass) add =
      ADAPTED(mlirOpPassManagerAddOwnedPass);
  MlirOpPassManager nested =
      ADAPTED(mlirPassManagerGetNestedUnder)(manager, string("func.func"));
  add(nested, mlirCreateTransformsCSE());
  add(mlirPassManagerGetAsOpPassManager(manager),
      mlirCreateTransformsSymbolDCE());
  expect_pipeline(manager, "builtin.module(func.func(cse),symbol-dce)");
  mlirPassManagerDestroy(manager);
}
