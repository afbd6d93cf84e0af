// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making JSON: values that are always valid, and want of memory that need be
// looked at once.

#ifndef MLIRPLUG_CLI_JSON_VALUE_H
#define MLIRPLUG_CLI_JSON_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/// A string, "" for null. Bytes that are no UTF-8, as in an odd file name,
/// become '?'. Null if memory runs out.
json_t *json_text(const char *text);

/// Likewise an array of strings.
json_t *json_texts(const char *const *texts, size_t count);

/// Sets `key` to `value`, whose reference is taken. Want of memory, here or in
/// making the value, is remembered in `*complete`.
void json_field(json_t *object, const char *key, json_t *value, bool *complete);

/// `object` if it is complete; otherwise null, after dropping the reference.
json_t *json_finish(json_t *object, bool complete);

/// Prints `object`, and drops the reference to it. False if memory ran out.
bool json_print(FILE *stream, json_t *object, bool complete);

#endif // MLIRPLUG_CLI_JSON_VALUE_H
