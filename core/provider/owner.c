// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/owner.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// How many words are looked at. A context points to what it has, among which
// are about thirty types and attributes within the first 100 words; an
// operation has eight words, with its location among them.
#define CONTEXT_VIEW 128
#define OPERATION_VIEW 8

//===----------------------------------------------------------------------===//
// Reading memory that may not be there
//===----------------------------------------------------------------------===//

/// Reads up to `count` words at `address`; the result is how many there were.
static size_t words_read(int memory, uintptr_t address, uintptr_t *words,
                         size_t count) {
  if (!address || address % sizeof *words)
    return 0;
  ssize_t length = pread(memory, words, count * sizeof *words, (off_t)address);
  return length < 0 ? 0 : (size_t)length / sizeof *words;
}

static uintptr_t word_read(int memory, uintptr_t address) {
  uintptr_t word;
  return words_read(memory, address, &word, 1) ? word : 0;
}

//===----------------------------------------------------------------------===//
// From a type to the library of its dialect
//===----------------------------------------------------------------------===//

/// The first virtual function of the dialect of `common`, which is what all
/// types of one kind have in common, and likewise attributes; null if it is
/// anything else.
static const void *code_find(int memory, uintptr_t common, uintptr_t *table) {
  uintptr_t dialect = common ? word_read(memory, common) : 0;
  *table = dialect ? word_read(memory, dialect) : 0;
  return *table ? (const void *)word_read(memory, *table) : NULL;
}

/// Whether the code and the table are those of one object: by chance, they
/// would not be.
static bool object_has(const struct segments *segments, const void *code,
                       uintptr_t table) {
  return segments_hold(segments, code, 1, PF_X) &&
         segments_hold(segments, (const void *)table, sizeof table, PF_R) &&
         !segments_hold(segments, (const void *)table, sizeof table, PF_X);
}

struct verdict {
  const struct library *library;
  const struct mapped_list *list;
  size_t own;
  size_t others;
  const struct mapped *other; ///< The first one found that is not its own.
};

static void common_judge(struct verdict *verdict, int memory,
                         uintptr_t common) {
  uintptr_t table;
  const void *code = code_find(memory, common, &table);
  if (!code)
    return;
  for (size_t i = 0; i < verdict->library->part_count; ++i)
    if (object_has(&verdict->library->parts[i], code, table)) {
      ++verdict->own;
      return;
    }
  const struct mapped *object = mapped_at(verdict->list, code);
  if (!object || !object_has(&object->segments, code, table))
    return;
  ++verdict->others;
  if (!verdict->other)
    verdict->other = object;
}

/// If `word` points to a type, an attribute or a location, that begins with a
/// pointer to what all of its kind have in common; up to MLIR 15, attributes
/// have it second.
static void word_judge(struct verdict *verdict, int memory, uintptr_t word) {
  uintptr_t first[2];
  size_t length = words_read(memory, word, first, 2);
  for (size_t i = 0; i < length; ++i)
    common_judge(verdict, memory, first[i]);
}

/// Looks at the `count` words at `address`. Most of what is found decides:
/// handlers that others have set are among it too.
static bool words_judge(const struct library *library, int memory,
                        uintptr_t address, size_t count,
                        struct error_buffer *reason) {
  uintptr_t words[CONTEXT_VIEW];
  struct mapped_list list;
  if (mapped_list_make(&list, NULL) != MLIRPLUG_OK)
    return true;
  struct verdict verdict = {.library = library, .list = &list};
  size_t length = words_read(memory, address, words, count);
  for (size_t i = 0; i < length; ++i)
    word_judge(&verdict, memory, words[i]);
  bool right = verdict.own >= verdict.others;
  if (!right)
    error_format(reason, "it was made by the MLIR in '%s'",
                 verdict.other->path);
  mapped_list_release(&list);
  return right;
}

static int memory_open(void) {
  return open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
}

bool owner_check_context(const struct library *library, const void *context,
                         struct error_buffer *reason) {
  int memory = memory_open();
  if (memory < 0)
    return true;
  uintptr_t content = word_read(memory, (uintptr_t)context);
  bool right = words_judge(library, memory, content, CONTEXT_VIEW, reason);
  (void)close(memory);
  return right;
}

bool owner_check_operation(const struct library *library, const void *operation,
                           struct error_buffer *reason) {
  int memory = memory_open();
  if (memory < 0)
    return true;
  bool right = words_judge(library, memory, (uintptr_t)operation,
                           OPERATION_VIEW, reason);
  (void)close(memory);
  return right;
}
