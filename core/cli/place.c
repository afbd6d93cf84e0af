// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/place.h"

#include "cli/memory.h"

#include <stdlib.h>
#include <string.h>

static void chunk_print(MlirStringRef chunk, void *stream) {
  fwrite(chunk.data, 1, chunk.length, stream);
}

/// The text of a location, to be freed; null if memory runs out.
static char *location_text(MlirLocation location) {
  struct memory memory;
  if (!memory_open(&memory))
    return NULL;
  mlirLocationPrint(location, chunk_print, memory.stream);
  if (memory_close(&memory))
    return memory.bytes;
  memory_release(&memory);
  return NULL;
}

/// Reads `before` and a number behind it; returns where that ends, null if the
/// text is another.
static const char *number_read(const char *text, const char *before,
                               int *number) {
  size_t length = strlen(before);
  if (!text || strncmp(text, before, length) != 0 || text[length] < '0' ||
      text[length] > '9')
    return NULL;
  char *end;
  *number = (int)strtol(text + length, &end, 10);
  return end;
}

bool place_read(MlirLocation location, struct place *place) {
  static const char opening[] = "loc(\"";
  *place = (struct place){.text = location_text(location)};
  const char *text = place->text;
  if (text && strncmp(text, opening, sizeof opening - 1) == 0) {
    text += sizeof opening - 1;
    size_t length = strcspn(text, "\"");
    place->file = (MlirStringRef){text, length};
    text = number_read(text + length, "\":", &place->line);
    text = number_read(text, ":", &place->column);
    if (text && strcmp(text, ")") == 0)
      return true;
  }
  free(place->text);
  return false;
}
