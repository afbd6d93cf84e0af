// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an open file to a plugin's description, without running the file.
//
// header.h     is it an ELF shared object for this machine; what else is it
// image.h      the ELF file as it would lie in memory
// symbol.h     its dynamic symbols
// relocation.h where its pointers point
// reader.h     bounded reads of structures and strings
// passes.h, imports.h, descriptor.h
//              the SDK's structures in it, copied
// validate.h   whether what they say makes sense
// export.h     what it shows to others: other kinds of plugins, warnings

#ifndef MLIRPLUG_READ_DESCRIPTOR_H
#define MLIRPLUG_READ_DESCRIPTOR_H

#include "find/file.h"

/// Reads `file`, checks it and makes the description that host.h shows. The
/// result is destroyed with mlirplug_plugin_description_destroy.
mlirplug_status descriptor_read(const struct file *file,
                                mlirplug_plugin_description **description,
                                mlirplug_error **error);

/// The same for a file that is in memory; `path` is for messages.
mlirplug_status
descriptor_read_memory(const char *path, const void *bytes, size_t size,
                       mlirplug_plugin_description **description,
                       mlirplug_error **error);

#endif // MLIRPLUG_READ_DESCRIPTOR_H
