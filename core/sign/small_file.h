// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys, signatures and policies: small files of text, read whole and within
// bounds.

#ifndef MLIRPLUG_SIGN_SMALL_FILE_H
#define MLIRPLUG_SIGN_SMALL_FILE_H

#include "base/error.h"

/// What is wanted of a file, and the words of its errors.
struct small_file {
  const char *kind;     ///< "key", for "cannot read the key"
  const char *path;     ///< Absolute, or relative to the working directory.
  const char *expected; ///< "a public key of minisign's form"
  size_t limit;         ///< In bytes.
  /// It must be as trustworthy as a plugin that was found (find/trust.h).
  bool must_be_trusted;
  bool may_be_missing;
  /// One that may be missing must be truly absent then: behind a link that
  /// leads nowhere, or a file in the place of a directory, something was meant
  /// to be.
  bool must_be_absent;
};

/// Reads the file to a string that the caller frees; it holds no NUL. One that
/// is missing and may be gives null. Never waits, for a fifo say.
mlirplug_status small_file_read(const struct small_file *file, char **text,
                                mlirplug_error **error);

/// Hands on `problem`, an error of trust that is taken, in other words. No
/// longer `untrusted`: trust_any is about plugins.
mlirplug_status small_file_distrust(const char *kind, mlirplug_error *problem,
                                    mlirplug_error **error);

/// The error for what is in the file, with a remedy.
mlirplug_status small_file_refuse(const struct small_file *file,
                                  const char *found, const char *remedy,
                                  mlirplug_error **error);

#endif // MLIRPLUG_SIGN_SMALL_FILE_H
