// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a child is to do, as a file in memory: a head, the strings, and the IR
// as bytecode on a page of its own, for MLIR wants it aligned.

#ifndef MLIRPLUG_ISOLATE_REQUEST_H
#define MLIRPLUG_ISOLATE_REQUEST_H

#include "base/error.h"
#include "find/file.h"

struct request {
  const char *provider;      ///< The file of the copy of MLIR.
  const char *plugin;        ///< The file of the plugin.
  struct file_identity file; ///< Which one it was.
  const char *pipeline;      ///< The one pass, in its nests.
  const char *input;         ///< May be null.
  bool threads;
  bool verify;
  bool allow_unregistered_dialects;
  uint64_t memory_bytes;
  int32_t parent;
  // Of the host.
  bool trust_any;
  bool require_signature;
  const char *key_directory; ///< May be null.

  const void *ir;
  size_t ir_length;

  void *mapped; ///< Of one that was read: what the strings are in.
  size_t mapped_length;
};

/// Makes the file. A descriptor that is closed by the caller; -1 with errno.
int request_write(const struct request *request);

/// Reads it. It lives as long as the process. False, with what is wrong with it
/// in `*complaint`.
bool request_read(int descriptor, struct request *request,
                  const char **complaint);

/// Bytes as a page-aligned copy of the file's content; null for an empty file
/// or with errno set. Freed by munmap.
void *request_map(int descriptor, size_t *length);

/// Writes all bytes at `offset`. 0 or an errno.
int request_put(int descriptor, const void *bytes, size_t length,
                int64_t offset);

#endif // MLIRPLUG_ISOLATE_REQUEST_H
