// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters that read and write attributes. Part of slot.h.
//
// Up to MLIR 16 an operation has one dictionary for all of its attributes.
// Later providers that lack the functions for one kind have the ones that look
// for both: by a name, which is of one kind only, they do the same.

#ifndef MLIRPLUG_PROVIDER_ADAPT_ATTRIBUTE_H
#define MLIRPLUG_PROVIDER_ADAPT_ATTRIBUTE_H

#include "provider/adapt/own.h"

static bool adapt_has_attribute(MlirOperation operation, MlirStringRef name) {
  return own.mlirOperationGetAttributeByName(operation, name).ptr;
}

static MlirAttribute adapt_get_attribute(MlirOperation operation,
                                         MlirStringRef name) {
  return own.mlirOperationGetAttributeByName(operation, name);
}

static void adapt_set_attribute(MlirOperation operation, MlirStringRef name,
                                MlirAttribute attribute) {
  own.mlirOperationSetAttributeByName(operation, name, attribute);
}

static bool adapt_remove_attribute(MlirOperation operation,
                                   MlirStringRef name) {
  return own.mlirOperationRemoveAttributeByName(operation, name);
}

/// An identifier is a string attribute.
static MlirContext adapt_identifier_context(MlirIdentifier identifier) {
  return own.mlirAttributeGetContext((MlirAttribute){identifier.ptr});
}

/// A location is an attribute.
static MlirAttribute adapt_location_attribute(MlirLocation location) {
  return (MlirAttribute){location.ptr};
}

static MlirLocation adapt_attribute_location(MlirAttribute attribute) {
  return (MlirLocation){attribute.ptr};
}

static MlirStringRef adapt_leaf_reference(MlirAttribute symbol) {
  intptr_t nested = own.mlirSymbolRefAttrGetNumNestedReferences(symbol);
  return nested
             ? own.mlirFlatSymbolRefAttrGetValue(
                   own.mlirSymbolRefAttrGetNestedReference(symbol, nested - 1))
             : own.mlirSymbolRefAttrGetRootReference(symbol);
}

static MlirStringRef adapt_visibility_name(void) {
  return provider_string("sym_visibility");
}

/// The name had a typing error once.
static MlirAttribute adapt_create_distinct(MlirAttribute attribute) {
  return own.create_distinct(attribute);
}

#endif // MLIRPLUG_PROVIDER_ADAPT_ATTRIBUTE_H
