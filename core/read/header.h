// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first bytes of a file: is it an ELF shared object for this machine, and
// if not, what is it?

#ifndef MLIRPLUG_READ_HEADER_H
#define MLIRPLUG_READ_HEADER_H

#include "base/error.h"

#include <elf.h>

/// How many bytes header_check wants to see, if the file has as many.
#define HEADER_VIEW 512

/// Checks the ELF header in the first `length` bytes of a file of `size` bytes
/// and copies it to `header`. On return the program headers lie in the file.
mlirplug_status header_check(const char *path, const unsigned char *bytes,
                             size_t length, uint64_t size, Elf64_Ehdr *header,
                             mlirplug_error **error);

/// Refuses a file of `size` bytes that must have `needed`.
mlirplug_status header_refuse_short(const char *path, uint64_t size,
                                    uint64_t needed, mlirplug_error **error);

#endif // MLIRPLUG_READ_HEADER_H
