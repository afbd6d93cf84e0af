// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a plugin is signed, and by whom, for those who ask what is in it.

#ifndef MLIRPLUG_CLI_SIGNATURE_H
#define MLIRPLUG_CLI_SIGNATURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/// Prints it as lines that are indented by two spaces. `key_directory` is null
/// for the default keys. False if there is a signature that is not good.
bool signature_print(FILE *stream, const char *path, const char *key_directory);

/// As JSON: null for a plugin without a signature, or {"valid": …}. Null if
/// memory runs out. `*is_fine` becomes false if it is not good.
json_t *signature_json(const char *path, const char *key_directory,
                       bool *is_fine);

#endif // MLIRPLUG_CLI_SIGNATURE_H
