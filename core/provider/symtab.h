// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of an object in this process that it does not export: where they
// are stands in its file, in the section .symtab, unless that was stripped.

#ifndef MLIRPLUG_PROVIDER_SYMTAB_H
#define MLIRPLUG_PROVIDER_SYMTAB_H

#include "provider/mapped.h"

/// Functions by name. Never changes.
struct symtab;

/// Whether a function called `name` is to be kept.
typedef bool symtab_filter(const char *name);

/// Keeps the functions of the C API: mlir…, LLVMGetVersion.
symtab_filter symtab_keep_api;

enum symtab_outcome {
  SYMTAB_READ,
  SYMTAB_STRIPPED, ///< The file has no .symtab.
  SYMTAB_UNFIT,    ///< The file cannot be read, or is not the one in memory.
};

/// Reads the file of `object`, which is compared with what is in memory first:
/// it can have been replaced. Unless it was read, `reason` says why not.
enum symtab_outcome symtab_read(const struct mapped *object,
                                symtab_filter *filter, struct symtab **symtab,
                                struct error_buffer *reason);
void symtab_destroy(struct symtab *symtab);

/// The address of `name` in this process; null if there is none, or if several
/// functions have the name.
void *symtab_find(const struct symtab *symtab, const char *name);

#endif // MLIRPLUG_PROVIDER_SYMTAB_H
