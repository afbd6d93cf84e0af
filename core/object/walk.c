// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "object/walk.h"

static bool block_walk(const struct object_api *api, MlirBlock block,
                       walk_visit visit, void *data) {
  const struct provider_api *basic = binding_api(api->binding);
  MlirOperation operation = basic->mlirBlockGetFirstOperation(block);
  while (operation.ptr) {
    MlirOperation next = basic->mlirOperationGetNextInBlock(operation);
    if (!walk_operations(api, operation, visit, data))
      return false;
    operation = next;
  }
  return true;
}

bool walk_operations(const struct object_api *api, MlirOperation root,
                     walk_visit visit, void *data) {
  const struct provider_api *basic = binding_api(api->binding);
  intptr_t count = basic->mlirOperationGetNumRegions(root);
  for (intptr_t i = 0; i < count; ++i) {
    MlirRegion region = basic->mlirOperationGetRegion(root, i);
    for (MlirBlock block = basic->mlirRegionGetFirstBlock(region); block.ptr;
         block = basic->mlirBlockGetNextInRegion(block))
      if (!block_walk(api, block, visit, data))
        return false;
  }
  return visit(api, root, data);
}

struct named {
  const void *name;
  walk_visit visit;
  void *data;
};

static bool named_visit(const struct object_api *api, MlirOperation operation,
                        void *data) {
  const struct named *named = data;
  return binding_api(api->binding)->mlirOperationGetName(operation).ptr !=
             named->name ||
         named->visit(api, operation, named->data);
}

bool walk_named(const struct object_api *api, MlirOperation root,
                const char *name, walk_visit visit, void *data) {
  struct named named = {
      binding_api(api->binding)
          ->mlirIdentifierGet(api->mlirOperationGetContext(root),
                              provider_string(name))
          .ptr,
      visit, data};
  return walk_operations(api, root, named_visit, &named);
}
