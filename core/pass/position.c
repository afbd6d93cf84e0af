// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/position.h"

#include "pass/instance.h"

#include <search.h>
#include <stdlib.h>

// A pass may not touch its root's siblings, nor its parents' siblings, so their
// order stands still while a nest runs, and it is enough to number a parent's
// operations once for each place. They are numbered when a record asks for it.

/// The number of one operation among those of its parent. An operation in
/// another parent may come to lie where one lay that is gone.
struct ordinal {
  const void *operation;
  const void *parent;
  size_t number;
};

static int ordinal_compare(const void *left, const void *right) {
  uintptr_t a = (uintptr_t)((const struct ordinal *)left)->operation;
  uintptr_t b = (uintptr_t)((const struct ordinal *)right)->operation;
  return (a > b) - (a < b);
}

static bool ordinal_set(struct place *place, MlirOperation operation,
                        MlirOperation parent, size_t number) {
  struct ordinal *made = malloc(sizeof *made);
  if (!made)
    return false;
  *made = (struct ordinal){operation.ptr, parent.ptr, number};
  struct ordinal **entered = tsearch(made, &place->ordinals, ordinal_compare);
  if (!entered || *entered != made) {
    if (entered)
      **entered = *made;
    free(made);
  }
  return entered != NULL;
}

static bool children_number(struct place *place, MlirOperation parent) {
  const struct provider_api *api = place->api;
  size_t number = 0;
  intptr_t regions = api->mlirOperationGetNumRegions(parent);
  for (intptr_t i = 0; i < regions; ++i)
    for (MlirBlock block = api->mlirRegionGetFirstBlock(
             api->mlirOperationGetRegion(parent, i));
         block.ptr; block = api->mlirBlockGetNextInRegion(block))
      for (MlirOperation child = api->mlirBlockGetFirstOperation(block);
           child.ptr; child = api->mlirOperationGetNextInBlock(child))
        if (!ordinal_set(place, child, parent, number++))
          return false;
  return true;
}

/// With the lock held.
static bool ordinal_find(struct place *place, MlirOperation operation,
                         MlirOperation parent, size_t *number) {
  struct ordinal wanted = {.operation = operation.ptr};
  struct ordinal **found = tfind(&wanted, &place->ordinals, ordinal_compare);
  if (!found || (*found)->parent != parent.ptr) {
    if (!children_number(place, parent))
      return false;
    found = tfind(&wanted, &place->ordinals, ordinal_compare);
  }
  if (found)
    *number = (*found)->number;
  return found != NULL;
}

static size_t depth_of(const struct provider_api *api,
                       MlirOperation operation) {
  size_t depth = 0;
  while ((operation = api->mlirOperationGetParentOperation(operation)).ptr)
    ++depth;
  return depth;
}

bool position_find(struct frame *frame) {
  if (frame->has_path || !frame->root.ptr)
    return true;
  struct place *place = frame->instance->place;
  size_t depth = depth_of(place->api, frame->root);
  size_t *path = arena_array(&frame->scratch, depth, sizeof *path);
  bool complete = path != NULL;
  MlirOperation operation = frame->root;
  pthread_mutex_lock(&place->lock);
  for (size_t i = depth; complete && i > 0; --i) {
    MlirOperation parent =
        place->api->mlirOperationGetParentOperation(operation);
    complete = ordinal_find(place, operation, parent, &path[i - 1]);
    operation = parent;
  }
  pthread_mutex_unlock(&place->lock);
  if (complete) {
    frame->path = path;
    frame->path_length = depth;
    frame->has_path = true;
  }
  return complete;
}

void position_forget(struct place *place) {
  tdestroy(place->ordinals, free);
  place->ordinals = NULL;
}
