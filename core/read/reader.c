// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/reader.h"

#include "base/utf8.h"
#include "read/refuse.h"

#include <inttypes.h>
#include <string.h>

// What the arena adds to small pieces, at most.
#define ALLOCATION_COST 16

#define LONGEST_STRING ((uint64_t)64 * 1024)

static const char correct[] = "correct the plugin's source and rebuild it";

bool reader_refuse(struct reader *reader, const struct structure *place,
                   const char *field, const char *defect, const char *remedy) {
  (void)refuse(
      reader->path,
      field ? error_text("%s, field '%s': %s", place->what, field, defect)
            : error_text("%s: %s", place->what, defect),
      NULL, remedy, reader->error);
  return false;
}

bool reader_charge(struct reader *reader, size_t count, size_t size) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, size, &bytes) &&
      !__builtin_add_overflow(bytes, ALLOCATION_COST, &bytes) &&
      bytes <= reader->budget) {
    reader->budget -= bytes;
    return true;
  }
  (void)refuse(reader->path,
               error_text("corrupt descriptor: it describes more than %zu "
                          "bytes",
                          READER_BUDGET),
               NULL, correct, reader->error);
  return false;
}

bool reader_allocate(struct reader *reader, size_t count, size_t size,
                     void **memory) {
  *memory = NULL;
  if (!reader_charge(reader, count, size))
    return false;
  *memory = arena_array(reader->arena, count, size);
  if (!*memory)
    (void)error_set_memory(reader->error);
  return *memory != NULL;
}

bool reader_structure(struct reader *reader, struct structure *place,
                      uint64_t stated, void *to, size_t known) {
  place->size = stated < known ? stated : known;
  memset(to, 0, known);
  if (image_read(reader->relocations->symbols->image, place->address, to,
                 place->size))
    return true;
  return reader_refuse(reader, place, NULL,
                       "corrupt descriptor: it lies outside the file", correct);
}

/// Says why `field` cannot be followed; `kind` is what it should point to.
static bool refuse_pointer(struct reader *reader, const struct structure *place,
                           const char *field, const char *kind,
                           const struct pointer *pointer, const char *reason) {
  if (!pointer->is_elsewhere)
    return reader_refuse(
        reader, place, field,
        error_text("where it points cannot be told from the file: %s", reason),
        "let it point to something in the plugin itself, static or hidden "
        "(-fvisibility=hidden)");
  return reader_refuse(
      reader, place, field, error_text("it is the %s %s", kind, reason),
      *kind == 'f' ? "wrap it in a function of the plugin"
                   : "let it point to something in the plugin itself");
}

static bool pointer_follow(struct reader *reader, const struct structure *place,
                           size_t offset, const char *field, const char *kind,
                           struct pointer *pointer) {
  if (offset + sizeof(uint64_t) > place->size) {
    *pointer = (struct pointer){.is_null = true};
    return true;
  }
  struct error_buffer buffer;
  uint64_t slot = place->address + offset;
  const char *reason =
      relocation_follow(reader->relocations, slot, pointer, &buffer);
  if (!reason)
    return true;
  return refuse_pointer(reader, place, field, kind, pointer, reason);
}

bool reader_pointer(struct reader *reader, const struct structure *place,
                    size_t offset, const char *field, struct pointer *pointer) {
  return pointer_follow(reader, place, offset, field, "object", pointer);
}

/// Why the `length` bytes are no string of this form, or null.
static const char *string_defect(const unsigned char *bytes, size_t length,
                                 enum string_form form,
                                 struct error_buffer *buffer) {
  for (size_t at = 0; at < length;) {
    uint32_t character;
    size_t step = utf8_decode(bytes + at, length - at, &character);
    if (step == 0)
      return error_format(buffer, "byte %zu is not valid UTF-8", at);
    bool is_layout = character == '\n' || character == '\t';
    if (utf8_is_control(character) && !(is_layout && form == STRING_TEXT))
      return error_format(buffer,
                          "byte %zu is a control character (U+%04" PRIX32 ")",
                          at, character);
    at += step;
  }
  return NULL;
}

bool reader_string(struct reader *reader, const struct structure *place,
                   size_t offset, const char *field, enum string_form form,
                   const char **string) {
  struct pointer pointer;
  if (!reader_pointer(reader, place, offset, field, &pointer))
    return false;
  *string = NULL;
  if (pointer.is_null)
    return true;
  uint64_t room;
  const unsigned char *bytes =
      image_bytes(reader->relocations->symbols->image, pointer.address, &room);
  if (!bytes)
    return reader_refuse(reader, place, field,
                         "it points to no text in the file (memory that is "
                         "filled in at run time?)",
                         "point it to a string constant");
  bool is_long = room > LONGEST_STRING;
  const unsigned char *end =
      memchr(bytes, '\0', is_long ? LONGEST_STRING : room);
  if (!end)
    return reader_refuse(reader, place, field,
                         is_long ? "its text is longer than 64 KiB"
                                 : "its text does not end (no NUL)",
                         correct);
  size_t length = (size_t)(end - bytes);
  struct error_buffer buffer;
  const char *defect = string_defect(bytes, length, form, &buffer);
  if (defect)
    return reader_refuse(reader, place, field, defect, correct);
  void *copy = NULL;
  if (!reader_allocate(reader, length + 1, 1, &copy))
    return false;
  memcpy(copy, bytes, length);
  *string = copy;
  return true;
}

bool reader_string_or_empty(struct reader *reader,
                            const struct structure *place, size_t offset,
                            const char *field, enum string_form form,
                            const char **string) {
  if (!reader_string(reader, place, offset, field, form, string))
    return false;
  if (!*string)
    *string = "";
  return true;
}

bool reader_callback(struct reader *reader, const struct structure *place,
                     size_t offset, const char *field, bool *is_there) {
  struct pointer pointer;
  if (!pointer_follow(reader, place, offset, field, "function", &pointer))
    return false;
  *is_there = !pointer.is_null;
  if (pointer.is_null ||
      image_is_code(reader->relocations->symbols->image, pointer.address))
    return true;
  return reader_refuse(reader, place, field, "it points to no code", correct);
}
