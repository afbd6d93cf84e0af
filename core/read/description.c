// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/description.h"

#include <stdlib.h>

struct owned_description *description_create(void) {
  return calloc(1, sizeof(struct owned_description));
}

void mlirplug_plugin_description_destroy(
    mlirplug_plugin_description *description) {
  if (!description)
    return;
  struct owned_description *owned = (struct owned_description *)description;
  arena_release(&owned->arena);
  free(owned);
}
