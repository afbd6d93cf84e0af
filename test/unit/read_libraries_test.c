// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/libraries.h"

#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static mlirplug_error *error;

static mlirplug_status check(const char *path) {
  struct file file;
  cr_assert_eq(file_open(path, &file, &error), MLIRPLUG_OK);
  mlirplug_status status = libraries_check(&file, &error);
  file_close(&file);
  return status;
}

static void expect_refused(const char *path, const char *part) {
  cr_assert_eq(check(path), MLIRPLUG_FAILED, "%s", path);
  cr_expect_not_null(strstr(error->message, part), "%s", error->message);
  mlirplug_error_destroy(error);
  error = NULL;
}

Test(libraries, are_not_looked_for_where_the_plugin_is) {
  expect_refused(MLIR_PLUGIN("library-beside"), "at '$ORIGIN/lib', and no");
  expect_refused(MLIR_PLUGIN("library-braces"), "at '/x/${ORIGIN}', and no");
}

Test(libraries, are_not_looked_for_where_one_happens_to_be) {
  expect_refused(MLIR_PLUGIN("library-relative"), "at 'lib', and no");
  expect_refused(MLIR_PLUGIN("library-empty"), "at '.', and no");
}

/// A file like a good one, but for where the name of its library is.
static void nameless_make(const char *path) {
  char *bytes = file_content(MLIR_PLUGIN("version-1"));
  struct stat status;
  cr_assert_eq(stat(MLIR_PLUGIN("version-1"), &status), 0);
  Elf64_Ehdr header;
  Elf64_Phdr segment = {0};
  memcpy(&header, bytes, sizeof header);
  for (size_t i = 0; i < header.e_phnum && segment.p_type != PT_DYNAMIC; ++i)
    memcpy(&segment, bytes + header.e_phoff + i * sizeof segment,
           sizeof segment);
  char *at = bytes + segment.p_offset;
  Elf64_Dyn entry;
  for (;; at += sizeof entry) {
    memcpy(&entry, at, sizeof entry);
    cr_assert_neq(entry.d_tag, DT_NULL);
    if (entry.d_tag == DT_NEEDED)
      break;
  }
  entry.d_un.d_val = UINT64_C(1) << 40;
  memcpy(at, &entry, sizeof entry);
  file_write(path, bytes, (size_t)status.st_size);
  free(bytes);
}

Test(libraries, have_names_in_the_file) {
  char *directory = directory_create();
  cr_assert_eq(chdir(directory), 0);
  free(directory);
  nameless_make("nameless.so");
  expect_refused("nameless.so", "a library's name lies outside the file");
}

Test(libraries, of_the_system_are_fine) {
  cr_expect_eq(check(MLIR_PLUGIN("library-fixed")), MLIRPLUG_OK);
  cr_expect_eq(check(MLIR_PLUGIN("version-1")), MLIRPLUG_OK);
}
