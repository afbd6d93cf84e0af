// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/entry_points.h"

#include <string.h>
#include <strings.h>

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static struct piece piece_trim(struct piece piece) {
  while (piece.length && is_space(*piece.begin)) {
    ++piece.begin;
    --piece.length;
  }
  while (piece.length && is_space(piece.begin[piece.length - 1]))
    --piece.length;
  return piece;
}

/// The line at `*rest`, which is moved to the next; false at the end.
static bool line_next(const char **rest, struct piece *line) {
  if (!**rest)
    return false;
  size_t length = strcspn(*rest, "\n");
  *line = (struct piece){*rest, length};
  *rest += length + ((*rest)[length] == '\n');
  return true;
}

/// True for "[name]", any with blanks inside.
static bool is_heading(struct piece line, struct piece *name) {
  if (line.length < 2 || line.begin[0] != '[' ||
      line.begin[line.length - 1] != ']')
    return false;
  *name = piece_trim((struct piece){line.begin + 1, line.length - 2});
  return true;
}

bool entry_points_next(struct entry_points *points, struct piece *value) {
  struct piece line, name;
  while (line_next(&points->rest, &line)) {
    line = piece_trim(line);
    if (!line.length || line.begin[0] == '#' || line.begin[0] == ';')
      continue;
    if (is_heading(line, &name)) {
      points->within = name.length == strlen(points->group) &&
                       memcmp(name.begin, points->group, name.length) == 0;
      continue;
    }
    const char *equals = memchr(line.begin, '=', line.length);
    if (!points->within || !equals)
      continue;
    const char *end = line.begin + line.length;
    const char *extras = memchr(equals, '[', (size_t)(end - equals));
    size_t length = (size_t)((extras ? extras : end) - equals - 1);
    *value = piece_trim((struct piece){equals + 1, length});
    return true;
  }
  return false;
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

bool entry_points_is_module(struct piece value) {
  bool in_word = false;
  for (size_t i = 0; i < value.length; ++i) {
    char c = value.begin[i];
    if (!is_word(c) && !(c == '.' && in_word))
      return false;
    in_word = c != '.';
  }
  return in_word;
}

struct piece metadata_field(const char *text, const char *name) {
  struct piece line;
  size_t length = strlen(name);
  // The header ends with an empty line; the description is behind it.
  while (line_next(&text, &line) && piece_trim(line).length)
    if (line.length > length && line.begin[length] == ':' &&
        strncasecmp(line.begin, name, length) == 0)
      return piece_trim(
          (struct piece){line.begin + length + 1, line.length - length - 1});
  return (struct piece){text, 0};
}
