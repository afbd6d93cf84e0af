// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/directory.h"

#include "support/command.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const endings[] = {".mlir", ".mlirbc", NULL};

static void expect_name(const struct directory_files *files, size_t index,
                        const char *name) {
  cr_assert_lt(index, files->count);
  const char *slash = strrchr(files->paths[index], '/');
  cr_assert(slash);
  cr_expect_str_eq(slash + 1, name);
}

Test(a_directory, lists_files_with_the_endings_in_byte_order) {
  char *directory = directory_create();
  struct command_result made = command_shell(
      "cd %s && touch b.mlir a.mlirbc B.mlir ab.mlir .x.mlir .mlir c.txt "
      "mlir d.mlir.txt && mkdir e.mlir && ln -s nowhere f.mlir",
      directory);
  cr_assert_eq(made.exit_code, 0, "%s", made.errors);
  struct directory_files files;
  cr_assert_eq(directory_read(directory, endings, &files), 0);
  static const char *const names[] = {"B.mlir", "a.mlirbc", "ab.mlir", "b.mlir",
                                      "f.mlir"};
  cr_expect_eq(files.count, 5);
  for (size_t i = 0; i < 5; ++i)
    expect_name(&files, i, names[i]);
  directory_release(&files);
  command_release(&made);
  free(directory);
}

Test(a_directory, gives_paths_without_a_second_slash) {
  char *directory = directory_create();
  struct command_result made = command_shell("touch %s/a.mlir", directory);
  char *with_slash = NULL;
  cr_assert(asprintf(&with_slash, "%s/", directory) > 0);
  struct directory_files files;
  cr_assert_eq(directory_read(with_slash, endings, &files), 0);
  cr_assert_eq(files.count, 1);
  cr_expect_null(strstr(files.paths[0], "//"));
  directory_release(&files);
  command_release(&made);
  free(with_slash);
  free(directory);
}

Test(a_directory, that_is_none_is_an_error) {
  struct directory_files files;
  cr_expect_eq(directory_read("/nowhere", endings, &files), ENOENT);
  cr_expect_eq(directory_read("/dev/null", endings, &files), ENOTDIR);
  cr_expect_eq(files.count, 0);
}
