// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The provider libraries that come with mlirplug: which there are, and where.

#ifndef MLIRPLUG_PROVIDER_INSTALLED_H
#define MLIRPLUG_PROVIDER_INSTALLED_H

#include "base/error.h"

/// The path of the library to open for `library` (binding_open): a path is made
/// absolute, the name of a kind is looked up in mlirplug/ beside libmlirplug.
/// The result is freed by the caller; null with an error when there is none.
char *installed_provider_path(const char *library, mlirplug_error **error);

/// The name of a kind, from index 0; null behind the last.
const char *installed_provider_kind(size_t index);

#endif // MLIRPLUG_PROVIDER_INSTALLED_H
