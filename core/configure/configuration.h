// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configuration file of a project, mlirplug.json:
//
//     {"plugins": ["build/my-passes.so"], "directories": ["plugins"],
//      "insert": ["after:cse:my-pass"]}
//
// Relative paths begin at the file's own directory; what is to be inserted is
// as in mlirplug_pipeline_insert and not looked at here. Each key may be left
// out, and there are no others. That makes a format version needless: what a
// later version of mlirplug adds is a new key, which this one refuses by its
// name instead of half understanding the file.

#ifndef MLIRPLUG_CONFIGURE_CONFIGURATION_H
#define MLIRPLUG_CONFIGURE_CONFIGURATION_H

#include "find/file.h"

#define CONFIGURATION_NAME "mlirplug.json"

/// What errors about it begin with.
#define CONFIGURATION_READING "cannot read the configuration"
#define CONFIGURATION_TRUSTING "cannot trust the configuration"

/// BLAKE2b-256 of the bytes of the file: what was approved is these.
struct configuration_checksum {
  unsigned char bytes[32];
};

struct configuration_checksum configuration_checksum_of(const char *bytes,
                                                        size_t length);

/// A file that was read and not yet looked at.
struct configuration_text {
  char *path; ///< Absolute and without symbolic links.
  char *bytes;
  size_t length;
  struct configuration_checksum checksum;
};

/// Reads an open file. A symbolic link stands for the file it leads to: that
/// one's directory is where relative paths begin. `text` is released by the
/// caller.
mlirplug_status configuration_read(const struct file *file,
                                   struct configuration_text *text,
                                   mlirplug_error **error);
void configuration_text_release(struct configuration_text *text);

/// Takes the text apart. All paths of the result are absolute, and none of
/// them has been looked at. The result is destroyed by the caller, with
/// mlirplug_configuration_destroy.
mlirplug_status configuration_parse(const struct configuration_text *text,
                                    mlirplug_configuration **configuration,
                                    mlirplug_error **error);

/// The checksum of the text that `configuration` was made from.
const struct configuration_checksum *
configuration_checksum(const mlirplug_configuration *configuration);

/// The directory that a file is in, to be freed; null if memory runs out.
char *configuration_directory(const char *path);

#endif // MLIRPLUG_CONFIGURE_CONFIGURATION_H
