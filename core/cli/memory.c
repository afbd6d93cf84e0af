// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/memory.h"

#include <stdlib.h>

bool memory_open(struct memory *memory) {
  *memory = (struct memory){0};
  memory->stream = open_memstream(&memory->bytes, &memory->length);
  return memory->stream != NULL;
}

bool memory_close(struct memory *memory) {
  if (!memory->stream)
    return false;
  bool complete = !ferror(memory->stream);
  complete = fclose(memory->stream) == 0 && complete;
  memory->stream = NULL;
  // glibc loses the text, and says nothing, when the last of it finds no
  // memory.
  return complete && memory->bytes;
}

void memory_release(struct memory *memory) {
  if (memory->stream)
    fclose(memory->stream);
  free(memory->bytes);
  *memory = (struct memory){0};
}
