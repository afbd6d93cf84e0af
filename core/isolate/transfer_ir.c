// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "isolate/transfer_ir.h"

#include <string.h>

static void chunk_add(MlirStringRef chunk, void *text) {
  text_add_bytes(text, chunk.data, chunk.length);
}

bool ir_write(const struct isolate_functions *functions, MlirOperation root,
              struct text *bytes) {
  functions->mlirOperationWriteBytecode(root, chunk_add, bytes);
  return bytes->length && !bytes->failed;
}

MlirOperation ir_read(const struct isolate_functions *functions,
                      MlirContext context, const void *bytes, size_t length) {
  return functions->mlirOperationCreateParse(
      context, (MlirStringRef){bytes, length},
      provider_string("<what another process wrote>"));
}

/// Whether `operation` has an attribute of this name.
static bool has_attribute(const struct isolate_functions *functions,
                          const struct provider_api *api,
                          MlirOperation operation, MlirStringRef name) {
  intptr_t count = functions->mlirOperationGetNumAttributes(operation);
  for (intptr_t i = 0; i < count; ++i) {
    MlirStringRef other = api->mlirIdentifierStr(
        functions->mlirOperationGetAttribute(operation, i).name);
    if (other.length == name.length &&
        memcmp(other.data, name.data, name.length) == 0)
      return true;
  }
  return false;
}

static void attributes_take(const struct isolate_functions *functions,
                            const struct provider_api *api, MlirOperation root,
                            MlirOperation from) {
  for (intptr_t i = functions->mlirOperationGetNumAttributes(root); i-- > 0;) {
    MlirStringRef name = api->mlirIdentifierStr(
        functions->mlirOperationGetAttribute(root, i).name);
    if (!has_attribute(functions, api, from, name))
      (void)functions->mlirOperationRemoveAttributeByName(root, name);
  }
  intptr_t count = functions->mlirOperationGetNumAttributes(from);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute named = functions->mlirOperationGetAttribute(from, i);
    functions->mlirOperationSetAttributeByName(
        root, api->mlirIdentifierStr(named.name), named.attribute);
  }
}

bool ir_take_over(const struct isolate_functions *functions,
                  const struct provider_api *api, MlirOperation root,
                  MlirOperation from) {
  intptr_t regions = api->mlirOperationGetNumRegions(root);
  bool fits = api->mlirOperationGetNumRegions(from) == regions &&
              api->mlirOperationGetName(from).ptr ==
                  api->mlirOperationGetName(root).ptr;
  for (intptr_t i = 0; i < regions && fits; ++i)
    functions->mlirRegionTakeBody(api->mlirOperationGetRegion(root, i),
                                  api->mlirOperationGetRegion(from, i));
  if (fits)
    attributes_take(functions, api, root, from);
  functions->mlirOperationDestroy(from);
  return fits;
}

void location_write(const struct isolate_functions *functions,
                    MlirLocation location, struct text *text) {
  functions->mlirLocationPrint(location, chunk_add, text);
}

MlirLocation location_read(const struct isolate_functions *functions,
                           MlirContext context, const char *text) {
  MlirAttribute attribute =
      functions->mlirAttributeParseGet(context, provider_string(text));
  return attribute.ptr ? functions->mlirLocationFromAttribute(attribute)
                       : (MlirLocation){NULL};
}
