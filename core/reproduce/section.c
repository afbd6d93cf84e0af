// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reproduce/section.h"

#include <ctype.h>
#include <string.h>

/// External resources lie two groups deep. What is deeper is no text of MLIR.
enum { DEPTH_LIMIT = 8, ENTRY_DEPTH = 3 };

struct reading {
  const char *at;
  const char *end;
  bool (*take)(const struct section_entry *entry, const char **complaint,
               void *user_data);
  void *user_data;
  const char *complaint;
};

static bool complain(struct reading *reading, const char *complaint) {
  reading->complaint = complaint;
  return false;
}

static bool stands_here(const struct reading *reading, const char *token) {
  size_t length = strlen(token);
  return (size_t)(reading->end - reading->at) >= length &&
         memcmp(reading->at, token, length) == 0;
}

static bool accept(struct reading *reading, const char *token) {
  if (!stands_here(reading, token))
    return false;
  reading->at += strlen(token);
  return true;
}

static void line_skip(struct reading *reading) {
  const char *end =
      memchr(reading->at, '\n', (size_t)(reading->end - reading->at));
  reading->at = end ? end : reading->end;
}

/// Behind its closing quote. A string ends in its line.
static bool string_skip(struct reading *reading, struct section_part *part) {
  const char *begin = ++reading->at;
  for (; reading->at < reading->end && *reading->at != '\n'; ++reading->at) {
    if (*reading->at == '\\' && reading->at + 1 < reading->end) {
      ++reading->at;
    } else if (*reading->at == '"') {
      *part = (struct section_part){begin, (size_t)(reading->at - begin)};
      ++reading->at;
      return true;
    }
  }
  return false;
}

/// To the next section, over all that only looks like one.
static bool section_find(struct reading *reading) {
  struct section_part ignored;
  while (reading->at < reading->end) {
    if (accept(reading, "{-#"))
      return true;
    if (*reading->at == '"')
      (void)string_skip(reading, &ignored);
    else if (stands_here(reading, "//"))
      line_skip(reading);
    else
      ++reading->at;
  }
  return false;
}

static void space_skip(struct reading *reading) {
  while (reading->at < reading->end) {
    if (stands_here(reading, "//"))
      line_skip(reading);
    else if (isspace((unsigned char)*reading->at))
      ++reading->at;
    else
      return;
  }
}

static bool is_word(char byte) {
  return isalnum((unsigned char)byte) || byte == '_' || byte == '.' ||
         byte == '$';
}

/// A name or a value: a word, or a string.
static bool word_read(struct reading *reading, struct section_part *word,
                      bool *is_string) {
  space_skip(reading);
  *is_string = reading->at < reading->end && *reading->at == '"';
  if (*is_string)
    return string_skip(reading, word) ||
           complain(reading, "a string that does not end in its line");
  const char *begin = reading->at;
  while (reading->at < reading->end && is_word(*reading->at))
    ++reading->at;
  *word = (struct section_part){begin, (size_t)(reading->at - begin)};
  return word->length || complain(reading, "no name or value where one should "
                                           "stand");
}

static bool entries_read(struct reading *reading, const char *close,
                         struct section_part *path, size_t depth);

static bool value_read(struct reading *reading, struct section_part *path,
                       size_t depth) {
  struct section_entry entry;
  space_skip(reading);
  if (accept(reading, "{"))
    return depth < DEPTH_LIMIT ? entries_read(reading, "}", path, depth)
                               : complain(reading, "too many braces");
  if (!word_read(reading, &entry.value, &entry.is_string))
    return false;
  if (depth != ENTRY_DEPTH || !section_part_is(path[0], "external_resources"))
    return true;
  entry.group = path[1];
  entry.key = path[2];
  return reading->take(&entry, &reading->complaint, reading->user_data);
}

/// As deep as DEPTH_LIMIT allows.
static bool entries_read(struct reading *reading, const char *close,
                         struct section_part *path, size_t depth) {
  bool is_string;
  space_skip(reading);
  if (accept(reading, close))
    return true;
  do {
    if (!word_read(reading, &path[depth], &is_string))
      return false;
    space_skip(reading);
    if (!accept(reading, ":"))
      return complain(reading, "no ':' behind a name");
    if (!value_read(reading, path, depth + 1))
      return false;
    space_skip(reading);
  } while (accept(reading, ","));
  return accept(reading, close) ||
         complain(reading, "no ',' and no end behind a value");
}

bool section_read(const char *text, size_t length,
                  bool (*take)(const struct section_entry *entry,
                               const char **complaint, void *user_data),
                  void *user_data, const char **complaint, size_t *line) {
  struct reading reading = {text, text + length, take, user_data, NULL};
  struct section_part path[DEPTH_LIMIT];
  while (section_find(&reading))
    if (!entries_read(&reading, "#-}", path, 0)) {
      *complaint = reading.complaint;
      *line = 1;
      for (const char *c = text; c < reading.at; ++c)
        *line += *c == '\n';
      return false;
    }
  return true;
}

bool section_part_is(struct section_part part, const char *string) {
  return part.length == strlen(string) &&
         memcmp(part.bytes, string, part.length) == 0;
}

static int digit_value(char digit) {
  if (isdigit((unsigned char)digit))
    return digit - '0';
  return isxdigit((unsigned char)digit)
             ? tolower((unsigned char)digit) - 'a' + 10
             : -1;
}

/// What stands behind a backslash; `*length` is how much of it.
static char escape_decode(const char *escape, size_t room, size_t *length) {
  *length = 1;
  if (*escape == 'n')
    return '\n';
  if (*escape == 't')
    return '\t';
  int high = digit_value(*escape);
  int low = room > 1 ? digit_value(escape[1]) : -1;
  if (high < 0 || low < 0)
    return *escape;
  *length = 2;
  return (char)(16 * high + low);
}

const char *section_string(struct section_part value, struct arena *arena) {
  char *string = arena_copy_bytes(arena, value.bytes, value.length);
  char *end = string;
  for (size_t i = 0; string && i < value.length;) {
    char byte = value.bytes[i++];
    size_t length = 0;
    if (byte == '\\' && i < value.length)
      byte = escape_decode(value.bytes + i, value.length - i, &length);
    i += length;
    if (!byte)
      return NULL;
    *end++ = byte;
  }
  if (end)
    *end = '\0';
  return string;
}
