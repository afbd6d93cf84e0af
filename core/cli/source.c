// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/source.h"

#include "cli/input.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  TAB_WIDTH = 8,
  // Lines of generated constants can have megabytes.
  LINE_LIMIT = 1000,
};

static char *file_read(int descriptor, size_t size, size_t *length) {
  char *content = malloc(size + 1);
  size_t done = 0;
  while (content && done < size) {
    ssize_t count = read(descriptor, content + done, size - done);
    if (count <= 0)
      break;
    done += (size_t)count;
  }
  *length = done;
  return content;
}

/// Reads `source->name`. Only regular files: reading a pipe would take it from
/// others.
static void source_load(struct source *source) {
  int descriptor = open(source->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
    source->content =
        file_read(descriptor, (size_t)status.st_size, &source->length);
  close(descriptor);
}

static const char *content_find(struct source *source, const char *name,
                                size_t *length) {
  if (strcmp(name, input_standard_name) == 0) {
    *length = source->standard_length;
    return source->standard;
  }
  if (!source->name || strcmp(source->name, name) != 0) {
    free(source->name);
    free(source->content);
    source->content = NULL;
    source->name = strdup(name);
    if (source->name)
      source_load(source);
  }
  *length = source->length;
  return source->content;
}

/// The start of a line, or null.
static const char *line_find(const char *content, const char *end,
                             size_t line) {
  for (; content && line > 1; --line) {
    content = memchr(content, '\n', (size_t)(end - content));
    if (content)
      ++content;
  }
  return content;
}

static bool continues_character(char c) {
  return ((unsigned char)c & 0xc0) == 0x80;
}

/// Prints the line with its tabs expanded, as the caret's position needs it.
static size_t line_print(FILE *stream, const char *line, size_t length,
                         size_t caret) {
  size_t width = 0, caret_at = 0;
  for (size_t i = 0; i < length; ++i) {
    if (i == caret)
      caret_at = width;
    if (line[i] == '\t') {
      size_t next = (width / TAB_WIDTH + 1) * TAB_WIDTH;
      fprintf(stream, "%*s", (int)(next - width), "");
      width = next;
      continue;
    }
    bool control = (unsigned char)line[i] < ' ' || line[i] == 0x7f;
    fputc(control ? ' ' : line[i], stream);
    width += !continues_character(line[i]);
  }
  fputc('\n', stream);
  return caret >= length ? width : caret_at;
}

void source_print(struct source *source, const char *name, size_t line,
                  size_t column, FILE *stream) {
  size_t content_length = 0;
  const char *content = content_find(source, name, &content_length);
  if (!content || !line || !column)
    return;
  const char *end = content + content_length;
  const char *begin = line_find(content, end, line);
  if (!begin)
    return;
  const char *line_end = memchr(begin, '\n', (size_t)(end - begin));
  size_t length = (size_t)((line_end ? line_end : end) - begin);
  if (length && begin[length - 1] == '\r')
    --length;
  if (column > length + 1 || length > LINE_LIMIT)
    return;
  size_t caret = line_print(stream, begin, length, column - 1);
  fprintf(stream, "%*s^\n", (int)caret, "");
}

void source_release(struct source *source) {
  free(source->name);
  free(source->content);
  *source = (struct source){0};
}
