// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A binding: the address for each import name on one copy of MLIR. There is one
// for each copy, however many hosts use it, and it never changes once made.

#ifndef MLIRPLUG_PROVIDER_BINDING_H
#define MLIRPLUG_PROVIDER_BINDING_H

#include "base/error.h"
#include "provider/api.h"
#include "provider/library.h"

struct binding;

/// Opens a provider library, or finds the binding that it has already:
/// `library` is a path with a slash, or the name of an installed kind, "static"
/// or "shared". Bindings live for ever. Any thread.
mlirplug_status binding_open(const char *library,
                             const struct binding **binding,
                             mlirplug_error **error);

/// The same, as if the library did not have the functions in `hidden`, a list
/// that ends with null and stays where it is. For tests: a binding for each
/// list.
mlirplug_status binding_open_without(const char *library,
                                     const char *const *hidden,
                                     const struct binding **binding,
                                     mlirplug_error **error);

/// The binding of a library that is in the process already. Takes `library`,
/// also when it fails.
mlirplug_status binding_take(struct library *library,
                             const struct binding **binding,
                             mlirplug_error **error);

/// The address of the function `name` with the signature of ir.h, an adapter if
/// the provider lacks it; null if it cannot be had.
void (*binding_find(const struct binding *binding, const char *name))(void);

/// Whether MLIR runs passes here: all of PROVIDER_PASS_API is there.
bool binding_has_passes(const struct binding *binding);

const struct provider_api *binding_api(const struct binding *binding);

/// The library, for looking whose an object is (owner.h).
const struct library *binding_library(const struct binding *binding);

/// "MLIR 22.1.8 (/usr/lib/mlirplug/libmlirplug-mlir22.so)"
const char *binding_description(const struct binding *binding);

/// The file, absolute.
const char *binding_path(const struct binding *binding);

/// "MLIR 22.1.8"
const char *binding_version(const struct binding *binding);

/// The functions of the only copy of MLIR that was attached; null if there are
/// several or none. For code that is called without a context.
const struct provider_api *binding_only_api(void);

#endif // MLIRPLUG_PROVIDER_BINDING_H
