// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making errors. The type itself is public: host.h.
//
//     return error_set(error, &(mlirplug_error){
//         .doing = "cannot load plugin", .subject = path,
//         .found = error_text("pass %zu has no name", index),
//         .remedy = "rebuild the plugin"});

#ifndef MLIRPLUG_BASE_ERROR_H
#define MLIRPLUG_BASE_ERROR_H

#include <mlirplug/host.h>

/// Copies `parts` (without `message`, which is put together here) to a new
/// error at `*error`, unless `error` is null. Always returns MLIRPLUG_FAILED.
mlirplug_status error_set(mlirplug_error **error, const mlirplug_error *parts);

/// The error for want of memory; needs none itself.
mlirplug_status error_set_memory(mlirplug_error **error);

/// True for an errno that tells of the process, not of the file at hand: it has
/// no memory or descriptors left.
bool error_is_exhaustion(int reason);

/// The error for such an errno, which `is_exhausted`.
mlirplug_status error_set_exhausted(mlirplug_error **error, const char *doing,
                                    const char *subject, int reason);

/// Room for one formatted part; longer texts are cut.
struct error_buffer {
  char bytes[1024];
};

__attribute__((format(printf, 2, 3))) const char *
error_format(struct error_buffer *buffer, const char *format, ...);

/// A formatted part that lives until the end of the enclosing block.
#define error_text(...) error_format(&(struct error_buffer){{0}}, __VA_ARGS__)

#endif // MLIRPLUG_BASE_ERROR_H
