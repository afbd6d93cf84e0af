// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/part.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The characters at the end of a marker that may be mistaken.
enum { CHECKED = 2 };

static bool part_add(struct parts *parts, const char *text, const char *end) {
  struct part *items =
      reallocarray(parts->items, parts->count + 1, sizeof *items);
  if (!items)
    return false;
  parts->items = items;
  items[parts->count++] =
      (struct part){.text = text, .length = (size_t)(end - text)};
  return true;
}

/// Moves a place in `content` from `*at` to `to`.
static void place_move(const char **at, const char *to, size_t *line,
                       size_t *column) {
  for (; *at < to; ++*at) {
    bool ends_line = **at == '\n';
    *line += ends_line;
    *column = ends_line ? 1 : *column + 1;
  }
}

static void parts_locate(struct parts *parts, const char *content) {
  size_t line = 1, column = 1;
  for (size_t i = 0; i < parts->count; ++i) {
    place_move(&content, parts->items[i].text, &line, &column);
    parts->items[i].line = line;
    parts->items[i].column = column;
  }
}

/// Where the next piece that ends before `begin_of_marker` ends.
static const char *piece_end(const char *text, const char *end,
                             const char *marker, size_t length) {
  const char *found = memmem(text, (size_t)(end - text), marker, length);
  return found ? found : end;
}

/// Whether what stands behind the begin of a marker is its end. mlir-opt wants
/// something behind it, and no '0'.
static bool ends_marker(const char *text, const char *end, const char *last) {
  size_t length = (size_t)(end - text);
  return length > CHECKED && memcmp(text, last, CHECKED) == 0 &&
         text[CHECKED] != '0';
}

/// Pieces between begins of markers are put together to parts, as mlir-opt does
/// it: a first piece that is empty does not count, with the marker behind it.
static bool pieces_join(struct parts *parts, const char *content,
                        const char *content_end, const char *marker,
                        part_near_miss *near_miss, void *user_data) {
  size_t begin_length = strlen(marker) - CHECKED;
  const char *last = marker + begin_length;
  const char *part = content, *part_end = content;
  const char *at = content, *place = content;
  size_t line = 1, column = 1;
  for (bool more = true; more;) {
    const char *piece = at;
    const char *end = piece_end(piece, content_end, marker, begin_length);
    more = end != content_end;
    at = more ? end + begin_length : end;
    if (part == part_end) {
      part = piece;
    } else if (ends_marker(piece, end, last)) {
      if (!part_add(parts, part, part_end))
        return false;
      part = piece + CHECKED;
    } else {
      place_move(&place, piece, &line, &column);
      near_miss(line, column, user_data);
    }
    part_end = end;
  }
  return part == part_end || part_add(parts, part, part_end);
}

bool parts_cut(struct parts *parts, const char *content, size_t length,
               const char *marker, part_near_miss *near_miss, void *user_data) {
  *parts = (struct parts){0};
  bool complete = marker && strlen(marker) > CHECKED
                      ? pieces_join(parts, content, content + length, marker,
                                    near_miss, user_data)
                      : part_add(parts, content, content + length);
  if (complete)
    parts_locate(parts, content);
  else
    parts_release(parts);
  return complete;
}

void parts_release(struct parts *parts) {
  free(parts->items);
  *parts = (struct parts){0};
}

char *part_place(const struct part *part, size_t *length) {
  size_t before = (part->line - 1) + (part->column - 1);
  char *placed = malloc(before + part->length + 1);
  if (!placed)
    return NULL;
  memset(placed, '\n', part->line - 1);
  memset(placed + part->line - 1, ' ', part->column - 1);
  memcpy(placed + before, part->text, part->length);
  placed[before + part->length] = '\0';
  *length = before + part->length;
  return placed;
}
