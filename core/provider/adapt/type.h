// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters about types and values. Part of slot.h.

#ifndef MLIRPLUG_PROVIDER_ADAPT_TYPE_H
#define MLIRPLUG_PROVIDER_ADAPT_TYPE_H

#include "provider/adapt/own.h"

static MlirContext adapt_value_context(MlirValue value) {
  return own.mlirTypeGetContext(own.mlirValueGetType(value));
}

static bool adapt_is_tensor(MlirType type) {
  return own.mlirTypeIsARankedTensor(type) ||
         own.mlirTypeIsAUnrankedTensor(type);
}

static bool adapt_is_static_dim(MlirType type, intptr_t dim) {
  return !own.mlirShapedTypeIsDynamicDim(type, dim);
}

static bool adapt_is_static_size(int64_t size) {
  return !own.mlirShapedTypeIsDynamicSize(size);
}

static bool adapt_is_static_stride_or_offset(int64_t value) {
  return !own.mlirShapedTypeIsDynamicStrideOrOffset(value);
}

static MlirType adapt_contiguous(MlirType element, intptr_t rank,
                                 const int64_t *shape,
                                 MlirAttribute memory_space) {
  return own.mlirMemRefTypeGet(element, rank, shape, (MlirAttribute){NULL},
                               memory_space);
}

static MlirType adapt_contiguous_checked(MlirLocation location,
                                         MlirType element, intptr_t rank,
                                         const int64_t *shape,
                                         MlirAttribute memory_space) {
  return own.mlirMemRefTypeGetChecked(location, element, rank, shape,
                                      (MlirAttribute){NULL}, memory_space);
}

/// Properties came with MLIR 17; where they are none, nothing is in them.
static MlirLogicalResult
adapt_infer(MlirStringRef name, MlirContext context, MlirLocation location,
            intptr_t operand_count, MlirValue *operands,
            MlirAttribute attributes, void *properties, intptr_t region_count,
            MlirRegion *regions, MlirTypesCallback callback, void *user_data) {
  (void)properties;
  return own.older_infer(name, context, location, operand_count, operands,
                         attributes, region_count, regions, callback,
                         user_data);
}

#endif // MLIRPLUG_PROVIDER_ADAPT_TYPE_H
