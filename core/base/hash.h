// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fast hash of bytes, for tables and against accidents; not against attacks.

#ifndef MLIRPLUG_BASE_HASH_H
#define MLIRPLUG_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/// XXH3 with 64 bits: the same on every machine and for ever.
uint64_t hash_bytes(const void *bytes, size_t length);

uint64_t hash_string(const char *string);

#endif // MLIRPLUG_BASE_HASH_H
