// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/keep.h"

#include <stdlib.h>

const char *text_keep(struct text *text, struct arena *arena) {
  char *bytes = text_take(text);
  char *kept = bytes ? arena_copy(arena, bytes) : NULL;
  free(bytes);
  return kept;
}
