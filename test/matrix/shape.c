// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shape.h"

#include <mlirplug/ir/IR.h>

#include <stdio.h>
#include <stdlib.h>

/// The operations so far. An operation's number is its index.
struct numbering {
  const void **operations;
  size_t count;
  size_t capacity;
};

static size_t number_add(struct numbering *numbering, MlirOperation operation) {
  if (numbering->count == numbering->capacity) {
    numbering->capacity = numbering->capacity ? 2 * numbering->capacity : 64;
    const void **grown =
        realloc(numbering->operations,
                numbering->capacity * sizeof *numbering->operations);
    if (!grown)
      abort();
    numbering->operations = grown;
  }
  numbering->operations[numbering->count] = operation.ptr;
  return numbering->count++;
}

static void operand_print(const struct numbering *numbering, MlirValue value) {
  if (!mlirValueIsAOpResult(value)) {
    printf(" arg%td", mlirBlockArgumentGetArgNumber(value));
    return;
  }
  const void *owner = mlirOpResultGetOwner(value).ptr;
  for (size_t i = 0; i < numbering->count; ++i)
    if (numbering->operations[i] == owner) {
      printf(" %%%zu.%td", i, mlirOpResultGetResultNumber(value));
      return;
    }
  printf(" (not above)");
}

static void operation_print(struct numbering *numbering,
                            MlirOperation operation, int depth);

static void regions_print(struct numbering *numbering, MlirOperation operation,
                          int depth) {
  intptr_t count = mlirOperationGetNumRegions(operation);
  for (intptr_t i = 0; i < count; ++i) {
    MlirRegion region = mlirOperationGetRegion(operation, i);
    for (MlirBlock block = mlirRegionGetFirstBlock(region); block.ptr;
         block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block); inner.ptr;
           inner = mlirOperationGetNextInBlock(inner))
        operation_print(numbering, inner, depth + 1);
  }
}

static void operation_print(struct numbering *numbering,
                            MlirOperation operation, int depth) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  printf("shape\t%*s%%%zu = %.*s", 2 * depth, "",
         number_add(numbering, operation), (int)name.length, name.data);
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i)
    operand_print(numbering, mlirOperationGetOperand(operation, i));
  putchar('\n');
  regions_print(numbering, operation, depth);
}

void shape_print(MlirOperation root) {
  struct numbering numbering = {0};
  operation_print(&numbering, root, 0);
  free(numbering.operations);
}
