// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "end_to_end/bad_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void copy_make(const struct bad_file *file, const char *path) {
  char from[4096];
  (void)snprintf(from, sizeof from, MLIRPLUG_BUILD_DIRECTORY "/test/plugins/%s",
                 file->copy_of);
  struct elf_file copy = elf_read(from);
  elf_apply(&copy, &file->patch);
  if (file->change)
    file->change(&copy);
  size_t length = copy.size;
  if (file->cut > 0)
    length = (size_t)file->cut;
  else if (file->cut < 0)
    length -= (size_t)-file->cut;
  cr_assert(length <= copy.size, "%s has only %zu bytes", from, copy.size);
  file_write(path, copy.bytes, length);
  free(copy.bytes);
}

char *bad_file_make(const struct bad_file *file, const char *directory) {
  char *path = NULL;
  if (!*file->name || *file->name == '/')
    path = strdup(file->name);
  else if (asprintf(&path, "%s/%s", directory, file->name) < 0)
    path = NULL;
  cr_assert_not_null(path);
  if (file->make)
    file->make(path);
  else if (file->content)
    file_write(path, file->content, file->length);
  else if (file->copy_of)
    copy_make(file, path);
  return path;
}

/// Runs the command with these arguments, without rights if `file` wants that.
static struct command_result bad_file_run(const struct bad_file *file,
                                          const char *const *arguments) {
  const char *all[16];
  size_t count = 0;
  if (file->unprivileged && geteuid() == 0) {
    all[count++] = "setpriv";
    all[count++] = "--bounding-set=-dac_override,-dac_read_search";
  }
  all[count++] = COMMAND_MLIRPLUG;
  while (*arguments)
    all[count++] = *arguments++;
  all[count] = NULL;
  // Whatever is wrong with a file, it takes no time to see it.
  return command_run(all, NULL, 30);
}

struct command_result bad_file_opt(const struct bad_file *file,
                                   const char *path) {
  char pipeline[256];
  (void)snprintf(pipeline, sizeof pipeline,
                 "--pass-pipeline=builtin.module(%s)",
                 file->pass ? file->pass : "cse");
  return bad_file_run(file, (const char *[]){"opt", "--load-pass-plugin", path,
                                             pipeline, TWICE, NULL});
}

struct command_result bad_file_info(const struct bad_file *file,
                                    const char *path) {
  return bad_file_run(file, (const char *[]){"info", path, NULL});
}
