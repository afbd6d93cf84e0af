// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters that change the IR, beside MLIR's own functions: both get a copy of
// the same module, and both copies have to print alike afterwards.

#include "support/mlir.h"
#include "unit/adapted.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "module {\n"
                           "  func.func @f(%x: i32, %y: i32, %c: i1) -> i32 {\n"
                           "    %a = arith.addi %x, %x : i32\n"
                           "    %b = arith.muli %a, %x : i32\n"
                           "    %r = scf.if %c -> i32 {\n"
                           "      %d = arith.subi %a, %b : i32\n"
                           "      scf.yield %d : i32\n"
                           "    } else {\n"
                           "      scf.yield %a : i32\n"
                           "    }\n"
                           "    cf.br ^end(%a : i32)\n"
                           "  ^end(%z: i32):\n"
                           "    %e = arith.addi %z, %a : i32\n"
                           "    return %e : i32\n"
                           "  }\n"
                           "}\n";

static struct mlir_session session;

static void begin(void) { mlir_open(&session, "static", false); }
static void end(void) { mlir_close(&session); }

TestSuite(adapted_changes, .init = begin, .fini = end);

static MlirStringRef string(const char *bytes) {
  return mlirStringRefCreateFromCString(bytes);
}

/// A module, and what tests use of it.
struct copy {
  MlirModule module;
  MlirOperation function;
  MlirBlock block;
  MlirValue x, y, a; // two arguments, the result of the first operation
};

static struct copy copy_make(void) {
  struct copy copy = {.module = mlir_parse(session.context, text)};
  copy.function = mlirBlockGetFirstOperation(mlirModuleGetBody(copy.module));
  copy.block =
      mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(copy.function));
  copy.x = mlirBlockGetArgument(copy.block, 0);
  copy.y = mlirBlockGetArgument(copy.block, 1);
  copy.a = mlirOperationGetResult(mlirBlockGetFirstOperation(copy.block), 0);
  return copy;
}

static void collect(MlirStringRef part, void *user_data) {
  FILE *out = user_data;
  (void)fwrite(part.data, 1, part.length, out);
}

static char *print(MlirOperation operation) {
  char *bytes = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&bytes, &size);
  cr_assert_not_null(out);
  mlirOperationPrint(operation, collect, out);
  (void)fclose(out);
  return bytes;
}

/// Compares the copies, and that something was done; destroys them.
static void expect_same(struct copy own, struct copy adapted) {
  struct copy untouched = copy_make();
  MlirModule modules[] = {own.module, adapted.module, untouched.module};
  char *texts[3];
  for (size_t i = 0; i < 3; ++i)
    texts[i] = print(mlirModuleGetOperation(modules[i]));
  cr_expect_str_eq(texts[1], texts[0]);
  cr_expect_str_neq(texts[0], texts[2]);
  for (size_t i = 0; i < 3; ++i) {
    cr_expect(mlirOperationVerify(mlirModuleGetOperation(modules[i])));
    mlirModuleDestroy(modules[i]);
    free(texts[i]);
  }
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

static void expect_same_replacement(size_t which) {
  __typeof__(&mlirValueReplaceAllUsesOfWith) replace =
      ADAPTED_NUMBER(mlirValueReplaceAllUsesOfWith, which);
  struct copy own = copy_make(), adapted = copy_make();
  mlirValueReplaceAllUsesOfWith(own.a, own.y);
  replace(adapted.a, adapted.y);
  expect_same(own, adapted);
  own = copy_make();
  adapted = copy_make();
  mlirValueReplaceAllUsesOfWith(own.x, own.y);
  replace(adapted.x, adapted.y);
  replace(adapted.x, adapted.x); // changes nothing
  expect_same(own, adapted);
}

Test(adapted_changes, replaces_uses_by_their_list) {
  expect_same_replacement(0);
}

Test(adapted_changes, replaces_uses_by_looking_through_the_region) {
  expect_same_replacement(1);
}

Test(adapted_changes, replaces_uses_in_a_block_that_stands_alone) {
  __typeof__(&mlirValueReplaceAllUsesOfWith) replace =
      ADAPTED_NUMBER(mlirValueReplaceAllUsesOfWith, 1);
  struct copy copy = copy_make();
  mlirBlockDetach(copy.block);
  replace(copy.x, copy.y);
  MlirOperation first = mlirBlockGetFirstOperation(copy.block);
  cr_expect(mlirValueEqual(mlirOperationGetOperand(first, 0), copy.y));
  mlirRegionInsertOwnedBlock(mlirOperationGetFirstRegion(copy.function), 0,
                             copy.block);
  mlirModuleDestroy(copy.module);
}

Test(adapted_changes, replaces_uses_but_for_some) {
  struct copy own = copy_make(), adapted = copy_make();
  MlirOperation kept =
      mlirOperationGetNextInBlock(mlirBlockGetFirstOperation(own.block));
  mlirValueReplaceAllUsesExcept(own.a, own.y, 1, &kept);
  kept = mlirOperationGetNextInBlock(mlirBlockGetFirstOperation(adapted.block));
  ADAPTED(mlirValueReplaceAllUsesExcept)(adapted.a, adapted.y, 1, &kept);
  expect_same(own, adapted);
}

Test(adapted_changes, replaces_uses_of_one_operation) {
  struct copy own = copy_make(), adapted = copy_make();
  mlirOperationReplaceUsesOfWith(mlirBlockGetFirstOperation(own.block), own.x,
                                 own.y);
  ADAPTED(mlirOperationReplaceUsesOfWith)
  (mlirBlockGetFirstOperation(adapted.block), adapted.x, adapted.y);
  expect_same(own, adapted);
}

Test(adapted_changes, tells_what_is_used) {
  struct copy copy = copy_make();
  MlirOpOperand use = mlirValueGetFirstUse(copy.a);
  cr_expect_eq(ADAPTED(mlirOpOperandGetValue)(use).ptr, copy.a.ptr);
  cr_expect_eq(ADAPTED(mlirValueGetContext)(copy.a).ptr, session.context.ptr);
  mlirModuleDestroy(copy.module);
}

//===----------------------------------------------------------------------===//
// Insertion
//===----------------------------------------------------------------------===//

/// An operation that is in no block; `number` tells it from others.
static MlirOperation constant(int number) {
  MlirType type = mlirIntegerTypeGet(session.context, 32);
  MlirNamedAttribute value =
      mlirNamedAttributeGet(mlirIdentifierGet(session.context, string("value")),
                            mlirIntegerAttrGet(type, number));
  MlirOperationState state = mlirOperationStateGet(
      string("arith.constant"), mlirLocationUnknownGet(session.context));
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, 1, &value);
  return mlirOperationCreate(&state);
}

Test(adapted_changes, inserts_after_an_operation_or_first) {
  struct copy own = copy_make(), adapted = copy_make();
  __typeof__(&mlirBlockInsertOwnedOperationAfter) insert =
      ADAPTED(mlirBlockInsertOwnedOperationAfter);
  MlirOperation none = {NULL};
  mlirBlockInsertOwnedOperationAfter(
      own.block, mlirBlockGetFirstOperation(own.block), constant(1));
  mlirBlockInsertOwnedOperationAfter(own.block, none, constant(2));
  insert(adapted.block, mlirBlockGetFirstOperation(adapted.block), constant(1));
  insert(adapted.block, none, constant(2));
  expect_same(own, adapted);
}

Test(adapted_changes, inserts_before_an_operation) {
  struct copy own = copy_make(), adapted = copy_make();
  __typeof__(&mlirBlockInsertOwnedOperationBefore) insert =
      ADAPTED(mlirBlockInsertOwnedOperationBefore);
  MlirOperation place = mlirBlockGetFirstOperation(own.block);
  mlirBlockInsertOwnedOperationBefore(own.block, place, constant(1));
  mlirBlockInsertOwnedOperationBefore(
      own.block, mlirOperationGetNextInBlock(place), constant(2));
  place = mlirBlockGetFirstOperation(adapted.block);
  insert(adapted.block, place, constant(1));
  insert(adapted.block, mlirOperationGetNextInBlock(place), constant(2));
  expect_same(own, adapted);
}

Test(adapted_changes, inserts_at_a_position) {
  struct copy own = copy_make(), adapted = copy_make();
  __typeof__(&mlirBlockInsertOwnedOperation) insert =
      ADAPTED(mlirBlockInsertOwnedOperation);
  for (int i = 0; i < 3; ++i) {
    mlirBlockInsertOwnedOperation(own.block, i + i, constant(i));
    insert(adapted.block, i + i, constant(i));
  }
  expect_same(own, adapted);
}

/// Fills an empty block by `append` and returns the numbers in it.
static void expect_in_order(void (*append)(MlirBlock, MlirOperation)) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirOperation operations[3];
  for (int i = 0; i < 3; ++i)
    append(block, operations[i] = constant(i));
  MlirOperation next = mlirBlockGetFirstOperation(block);
  for (int i = 0; i < 3; ++i, next = mlirOperationGetNextInBlock(next))
    cr_expect_eq(next.ptr, operations[i].ptr);
  cr_expect_null(next.ptr);
  mlirBlockDestroy(block);
}

static __typeof__(&mlirBlockInsertOwnedOperationBefore) insert_before;

static void insert_last(MlirBlock block, MlirOperation operation) {
  insert_before(block, (MlirOperation){NULL}, operation);
}

Test(adapted_changes, inserts_last) {
  expect_in_order(ADAPTED(mlirBlockAppendOwnedOperation));
  insert_before = ADAPTED(mlirBlockInsertOwnedOperationBefore);
  expect_in_order(insert_last);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Test(adapted_changes, writes_attributes_of_both_kinds) {
  struct copy own = copy_make(), adapted = copy_make();
  MlirAttribute mark = mlirUnitAttrGet(session.context);
  MlirAttribute name = mlirStringAttrGet(session.context, string("g"));
  mlirOperationSetDiscardableAttributeByName(own.function, string("t.mark"),
                                             mark);
  mlirOperationSetInherentAttributeByName(own.function, string("sym_name"),
                                          name);
  ADAPTED(mlirOperationSetDiscardableAttributeByName)
  (adapted.function, string("t.mark"), mark);
  ADAPTED(mlirOperationSetInherentAttributeByName)
  (adapted.function, string("sym_name"), name);
  expect_same(own, adapted);
}

Test(adapted_changes, reads_and_removes_attributes_of_both_kinds) {
  struct copy copy = copy_make();
  MlirAttribute mark = mlirUnitAttrGet(session.context);
  mlirOperationSetAttributeByName(copy.function, string("t.mark"), mark);
  cr_expect_eq(ADAPTED(mlirOperationGetDiscardableAttributeByName)(
                   copy.function, string("t.mark"))
                   .ptr,
               mark.ptr);
  __typeof__(&mlirOperationRemoveDiscardableAttributeByName) discard =
      ADAPTED(mlirOperationRemoveDiscardableAttributeByName);
  cr_expect(discard(copy.function, string("t.mark")));
  cr_expect_not(discard(copy.function, string("t.mark")));
  __typeof__(&mlirOperationHasInherentAttributeByName) has =
      ADAPTED(mlirOperationHasInherentAttributeByName);
  cr_expect(has(copy.function, string("sym_name")));
  cr_expect_not(has(copy.function, string("t.mark")));
  cr_expect_eq(
      ADAPTED(mlirOperationGetInherentAttributeByName)(copy.function,
                                                       string("sym_name"))
          .ptr,
      mlirOperationGetInherentAttributeByName(copy.function, string("sym_name"))
          .ptr);
  mlirModuleDestroy(copy.module);
}
