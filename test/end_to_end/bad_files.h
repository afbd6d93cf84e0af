// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that cannot be used as plugins, one for each way to be wrong, and what
// must be said of them.

#ifndef MLIRPLUG_TEST_BAD_FILES_H
#define MLIRPLUG_TEST_BAD_FILES_H

#include "end_to_end/elf_file.h"
#include "end_to_end/run.h"

struct bad_file {
  /// Its name in the directory where it is made; what begins with '/' and ""
  /// are paths of their own.
  const char *name;

  // How it is made. The first of these that is not null counts.
  void (*make)(const char *path);
  const char *content; ///< `length` bytes.
  const char *copy_of; ///< Below test/plugins/ of the build directory.
  size_t length;
  /// What is changed in a copy.
  struct elf_patch patch;
  void (*change)(struct elf_file *file);
  /// If not 0, so many bytes of the copy are left; if negative, so many are
  /// missing.
  long cut;

  /// Not null if only loading the plugin shows it: the pass to run.
  const char *pass;
  /// Root's right to read everything must be given up first.
  bool unprivileged;

  const char *reason; ///< What the message must say,
  const char *cure;   ///< and what to do.
};

extern const struct bad_file bad_files[];
extern const size_t bad_file_count;

/// Makes the file in `directory`. Returns its path, to be freed.
char *bad_file_make(const struct bad_file *file, const char *directory);

/// Runs `mlirplug opt` with the file as plugin, and its pass if it has one.
struct command_result bad_file_opt(const struct bad_file *file,
                                   const char *path);

/// Runs `mlirplug info` on it.
struct command_result bad_file_info(const struct bad_file *file,
                                    const char *path);

#endif // MLIRPLUG_TEST_BAD_FILES_H
