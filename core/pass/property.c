// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/property.h"

bool property_can_be_told(const struct provider_api *api) {
  return api->mlirOperationGetAttributeByName && api->mlirAttributeIsAString &&
         api->mlirAttributeIsAType;
}

static MlirAttribute attribute_of(const struct provider_api *api,
                                  MlirOperation operation, const char *name) {
  return api->mlirOperationGetAttributeByName(operation, provider_string(name));
}

/// MLIR's passes run on what is isolated from above, which needs a region.
static bool is_symbol(const struct provider_api *api, MlirOperation operation) {
  MlirAttribute name = attribute_of(api, operation, "sym_name");
  return name.ptr && api->mlirAttributeIsAString(name) &&
         api->mlirOperationGetNumRegions(operation) > 0;
}

bool property_holds(const struct provider_api *api, const char *anchor,
                    MlirOperation operation) {
  if (!is_symbol(api, operation))
    return false;
  if (strcmp(anchor, "@symbol") == 0)
    return true;
  MlirAttribute type = attribute_of(api, operation, "function_type");
  return type.ptr && api->mlirAttributeIsAType(type);
}
