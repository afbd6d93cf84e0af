// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading structures, pointers and strings out of an image that may say
// anything: each read is bounded, and so is their sum.

#ifndef MLIRPLUG_READ_READER_H
#define MLIRPLUG_READ_READER_H

#include "base/arena.h"
#include "read/relocation.h"

/// What all reads of one plugin share.
struct reader {
  const char *path;
  const struct relocation_table *relocations;
  struct arena *arena; ///< Where everything that is read is put.
  size_t budget;       ///< How many bytes may still be put there.
  mlirplug_error **error;
};

/// As much as any honest plugin says of itself, many times over.
#define READER_BUDGET ((size_t)16 << 20)

/// A structure in the image: as many of its bytes as its maker stated, at most
/// as many as we know. Fields beyond them are zero.
struct structure {
  const char *what; ///< For messages: "mlirplug_descriptor", "pass 3".
  uint64_t address;
  uint64_t size;
};

enum string_form {
  STRING_LINE, ///< No control characters.
  STRING_TEXT, ///< Line ends and tabs are fine.
};

// All of these set the reader's error and return false on failure.

/// Takes the memory for `count` elements of `size` bytes off the budget.
bool reader_charge(struct reader *reader, size_t count, size_t size);

/// `count` zeroed elements of `size` bytes in the arena.
bool reader_allocate(struct reader *reader, size_t count, size_t size,
                     void **memory);

/// Copies `place` to `to`, a structure of `known` bytes of which the image has
/// `stated`, and sets the size of `place`.
bool reader_structure(struct reader *reader, struct structure *place,
                      uint64_t stated, void *to, size_t known);

/// Follows the pointer `field` at `offset` in `place`.
bool reader_pointer(struct reader *reader, const struct structure *place,
                    size_t offset, const char *field, struct pointer *pointer);

/// Copies the string that `field` points to; null if the field is null.
bool reader_string(struct reader *reader, const struct structure *place,
                   size_t offset, const char *field, enum string_form form,
                   const char **string);

/// The same, but an empty string if the field is null.
bool reader_string_or_empty(struct reader *reader,
                            const struct structure *place, size_t offset,
                            const char *field, enum string_form form,
                            const char **string);

/// Whether there is code where `field` points to; false at `is_there` if the
/// field is null, an error if it points elsewhere.
bool reader_callback(struct reader *reader, const struct structure *place,
                     size_t offset, const char *field, bool *is_there);

/// Refuses `place` because of `defect`.
bool reader_refuse(struct reader *reader, const struct structure *place,
                   const char *field, const char *defect, const char *remedy);

#endif // MLIRPLUG_READ_READER_H
