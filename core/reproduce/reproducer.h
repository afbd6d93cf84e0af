// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reproducer: the text of the IR as it was before a run, and behind it what
// is to be run, as MLIR's own tools write and read it:
//
//     {-#
//       external_resources: {
//         mlir_reproducer: {
//           pipeline: "builtin.module(my-pass)",
//           disable_threading: false,
//           verify_each: true
//         },
//         mlirplug: {
//           version: "1.0.0",
//           plugin_0_id: "org.example.my-plugin",
//           …
//         }
//       }
//     #-}
//
// mlir-opt refuses keys it does not know in mlir_reproducer, and hands a group
// that it does not know through, so what is ours is a group of its own.
//
// read.c     from the text of a file
// section.h  the part in braces, wherever it stands in the text
// print.c    to text
// plugins.c  its plugins into a host

#ifndef MLIRPLUG_REPRODUCE_REPRODUCER_H
#define MLIRPLUG_REPRODUCE_REPRODUCER_H

#include "base/arena.h"
#include "base/text.h"
#include "catalog/plugin.h"

/// What there is to say of a run.
struct reproducer_facts {
  const char *pipeline;
  bool disable_threading;
  bool verify;
  bool allow_unregistered_dialects;
  const char *provider; ///< "MLIR 22.1.8 (…)"
  const struct plugin *const *plugins;
  size_t plugin_count;
};

/// Adds the part in braces to the text of the IR. Reads the plugins' files for
/// their checksums; one that is no longer what was loaded gets none.
mlirplug_status reproducer_print(const struct reproducer_facts *facts,
                                 struct text *text, mlirplug_error **error);

/// The file's BLAKE2b in hexadecimal digits, as b2sum prints it; made in
/// `arena`.
mlirplug_status reproducer_checksum(const struct file *file,
                                    struct arena *arena, const char **checksum,
                                    mlirplug_error **error);

#endif // MLIRPLUG_REPRODUCE_REPRODUCER_H
