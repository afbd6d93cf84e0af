// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters that read the structure of the IR, beside MLIR's own functions.

#include "support/mlir.h"
#include "unit/adapted.h"

#include <criterion/criterion.h>
#include <string.h>

static const char text[] =
    "module {\n"
    "  func.func private @declared(i32)\n"
    "  func.func @loops(%n: index, %c: i1) -> index {\n"
    "    %zero = arith.constant 0 : index\n"
    "    %one = arith.constant 1 : index\n"
    "    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %zero)\n"
    "        -> index {\n"
    "      %t = scf.if %c -> index {\n"
    "        %a = arith.addi %s, %i : index\n"
    "        scf.yield %a : index\n"
    "      } else {\n"
    "        scf.yield %s : index\n"
    "      }\n"
    "      scf.yield %t : index\n"
    "    }\n"
    "    scf.if %c {\n"
    "      %b = arith.muli %n, %n : index\n"
    "    }\n"
    "    cf.cond_br %c, ^left(%sum : index), ^right\n"
    "  ^left(%x: index):\n"
    "    return %x : index\n"
    "  ^right:\n"
    "    cf.br ^left(%n : index)\n"
    "  }\n"
    "}\n";

static struct mlir_session session;
static MlirModule module;
static MlirOperation root;

static void begin(void) {
  mlir_open(&session, "static", false);
  module = mlir_parse(session.context, text);
  root = mlirModuleGetOperation(module);
}

static void end(void) {
  mlirModuleDestroy(module);
  mlir_close(&session);
}

TestSuite(adapted_walk, .init = begin, .fini = end);

#define VISITS_AT_MOST 64

/// What a walk does, and what it saw.
struct walk {
  const char *stop_at; // interrupts there
  const char *skip_at;
  MlirOperation visits[VISITS_AT_MOST];
  size_t count;
};

static bool is_named(MlirOperation operation, const char *name) {
  MlirStringRef found = mlirIdentifierStr(mlirOperationGetName(operation));
  return name && found.length == strlen(name) &&
         memcmp(found.data, name, found.length) == 0;
}

static MlirWalkResult visit(MlirOperation operation, void *user_data) {
  struct walk *walk = user_data;
  cr_assert_lt(walk->count, VISITS_AT_MOST);
  walk->visits[walk->count++] = operation;
  if (is_named(operation, walk->stop_at))
    return MlirWalkResultInterrupt;
  return is_named(operation, walk->skip_at) ? MlirWalkResultSkip
                                            : MlirWalkResultAdvance;
}

/// Walks with MLIR's function and with the adapter, and compares.
static size_t expect_same(struct walk walk, MlirWalkOrder order) {
  struct walk adapted = walk;
  mlirOperationWalk(root, visit, &walk, order);
  ADAPTED(mlirOperationWalk)(root, visit, &adapted, order);
  cr_assert_eq(walk.count, adapted.count, "%zu and %zu visits", walk.count,
               adapted.count);
  cr_assert_eq(
      memcmp(walk.visits, adapted.visits, walk.count * sizeof *walk.visits), 0);
  return walk.count;
}

Test(adapted_walk, visits_all_in_both_orders) {
  size_t count = expect_same((struct walk){0}, MlirWalkPreOrder);
  cr_expect_eq(expect_same((struct walk){0}, MlirWalkPostOrder), count);
  cr_expect_gt(count, 15);
}

Test(adapted_walk, stops_where_it_is_told) {
  struct walk walk = {.stop_at = "arith.addi"};
  expect_same(walk, MlirWalkPreOrder);
  expect_same(walk, MlirWalkPostOrder);
}

Test(adapted_walk, stops_at_the_root) {
  struct walk walk = {.stop_at = "builtin.module"};
  cr_expect_eq(expect_same(walk, MlirWalkPreOrder), 1);
}

Test(adapted_walk, skips_what_is_inside_in_pre_order_only) {
  struct walk walk = {.skip_at = "scf.for"};
  size_t count = expect_same(walk, MlirWalkPreOrder);
  cr_expect_lt(count, expect_same(walk, MlirWalkPostOrder));
}

static MlirWalkResult erase_unused(MlirOperation operation, void *user_data) {
  size_t *erased = user_data;
  if (!is_named(operation, "arith.muli"))
    return MlirWalkResultAdvance;
  ++*erased;
  mlirOperationDestroy(operation);
  return MlirWalkResultSkip;
}

Test(adapted_walk, goes_on_when_what_it_visits_is_erased) {
  size_t erased = 0;
  ADAPTED(mlirOperationWalk)(root, erase_unused, &erased, MlirWalkPostOrder);
  cr_expect_eq(erased, 1);
  MlirModule other = mlir_parse(session.context, text);
  ADAPTED(mlirOperationWalk)
  (mlirModuleGetOperation(other), erase_unused, &erased, MlirWalkPreOrder);
  cr_expect_eq(erased, 2);
  cr_expect(mlirOperationVerify(mlirModuleGetOperation(other)));
  mlirModuleDestroy(other);
}

//===----------------------------------------------------------------------===//
// Regions, blocks
//===----------------------------------------------------------------------===//

struct regions {
  __typeof__(&mlirOperationGetFirstRegion) first;
  __typeof__(&mlirRegionGetNextInOperation) next;
  size_t count;
  size_t empty;
};

static MlirWalkResult compare_regions(MlirOperation operation,
                                      void *user_data) {
  struct regions *regions = user_data;
  MlirRegion own = mlirOperationGetFirstRegion(operation);
  MlirRegion adapted = regions->first(operation);
  while (own.ptr) {
    cr_assert_eq(own.ptr, adapted.ptr);
    ++regions->count;
    regions->empty += !mlirRegionGetFirstBlock(own).ptr;
    own = mlirRegionGetNextInOperation(own);
    adapted = regions->next(adapted);
  }
  cr_assert_null(adapted.ptr);
  return MlirWalkResultAdvance;
}

Test(adapted_walk, finds_the_regions_also_empty_ones) {
  struct regions regions = {ADAPTED(mlirOperationGetFirstRegion),
                            ADAPTED(mlirRegionGetNextInOperation), 0, 0};
  mlirOperationWalk(root, compare_regions, &regions, MlirWalkPreOrder);
  cr_expect_eq(regions.count, 8);
  cr_expect_eq(regions.empty, 2); // the declaration, the 'else' that is not
  cr_expect(mlirOperationVerify(root));
}

static MlirRegion body_of_loops(void) {
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  return mlirOperationGetFirstRegion(mlirOperationGetNextInBlock(function));
}

Test(adapted_walk, tells_the_order_of_operations) {
  __typeof__(&mlirOperationIsBeforeInBlock) is_before =
      ADAPTED(mlirOperationIsBeforeInBlock);
  MlirBlock block = mlirRegionGetFirstBlock(body_of_loops());
  MlirOperation first = mlirBlockGetFirstOperation(block);
  MlirOperation third =
      mlirOperationGetNextInBlock(mlirOperationGetNextInBlock(first));
  cr_expect(is_before(first, third));
  cr_expect_not(is_before(third, first));
  cr_expect_not(is_before(first, first));
}

Test(adapted_walk, finds_the_successors_of_blocks) {
  __typeof__(&mlirBlockGetNumSuccessors) count =
      ADAPTED(mlirBlockGetNumSuccessors);
  __typeof__(&mlirBlockGetSuccessor) successor = ADAPTED(mlirBlockGetSuccessor);
  size_t edges = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(body_of_loops()); block.ptr;
       block = mlirBlockGetNextInRegion(block)) {
    cr_assert_eq(count(block), mlirBlockGetNumSuccessors(block));
    for (intptr_t i = 0; i < count(block); ++i, ++edges)
      cr_expect_eq(successor(block, i).ptr,
                   mlirBlockGetSuccessor(block, i).ptr);
  }
  cr_expect_eq(edges, 3);
  MlirBlock empty = mlirBlockCreate(0, NULL, NULL);
  cr_expect_eq(count(empty), 0);
  mlirBlockDestroy(empty);
}
