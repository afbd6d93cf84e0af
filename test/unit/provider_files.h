// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Provider libraries as they come in other people's packages, made of our own.

#ifndef MLIRPLUG_TEST_PROVIDER_FILES_H
#define MLIRPLUG_TEST_PROVIDER_FILES_H

#define PROVIDER_DIRECTORY MLIRPLUG_BUILD_DIRECTORY "/lib/mlirplug/"
#define PROVIDER_STATIC PROVIDER_DIRECTORY "libmlirplug-mlir22.so"
#define PROVIDER_SHARED PROVIDER_DIRECTORY "libmlirplug-mlir22-shared.so"

/// Copies the shared provider to `path`, whose directory is made. `commands` of
/// shell are run on it, "$0" being the path; may be null.
void provider_copy(const char *path, const char *commands);

/// The same without the C API among the exported functions: as local functions
/// it is in the file's .symtab still.
void provider_copy_hidden(const char *path, const char *commands);

#endif // MLIRPLUG_TEST_PROVIDER_FILES_H
