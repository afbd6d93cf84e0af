// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that cannot be used as plugins: each is refused with its path, the
// reason and the cure, in one line; see bad_files.c.

#include "end_to_end/bad_files.h"

#include <criterion/parameterized.h>
#include <stdlib.h>
#include <string.h>

static struct criterion_test_params every_bad_file(void) {
  static size_t indices[256];
  cr_assert(bad_file_count <= sizeof indices / sizeof *indices);
  for (size_t i = 0; i < bad_file_count; ++i)
    indices[i] = i;
  return cr_make_param_array(size_t, indices, bad_file_count);
}

static void expect_said(const struct bad_file *file, const char *errors,
                        const char *part) {
  cr_expect(strstr(errors, part) != NULL, "%s: '%s' is not in:\n%s", file->name,
            part, errors);
}

static void expect_refused(const struct bad_file *file, const char *path,
                           const struct command_result *result) {
  cr_assert(result->signal == 0 && result->exit_code == 1,
            "%s: signal %d, exit code %d:\n%s", file->name, result->signal,
            result->exit_code, result->errors);
  cr_expect(!*result->output, "%s: standard output:\n%s", file->name,
            result->output);
  cr_expect(line_count(result->errors) == 1, "%s: not one line:\n%s",
            file->name, result->errors);
  char quoted[4096];
  (void)snprintf(quoted, sizeof quoted, "'%s'", path);
  expect_said(file, result->errors, quoted);
  expect_said(file, result->errors, file->reason);
  expect_said(file, result->errors, file->cure);
}

ParameterizedTestParameters(a_bad_file, is_refused_in_one_line) {
  return every_bad_file();
}

ParameterizedTest(const size_t *index, a_bad_file, is_refused_in_one_line) {
  const struct bad_file *file = &bad_files[*index];
  char *directory = directory_create();
  char *path = bad_file_make(file, directory);
  struct command_result result = bad_file_opt(file, path);
  expect_refused(file, path, &result);
  command_release(&result);
  result = bad_file_info(file, path);
  if (file->pass)
    cr_expect_eq(result.exit_code, 0, "%s: info says:\n%s", file->name,
                 result.errors);
  else
    expect_refused(file, path, &result);
  command_release(&result);
  free(path);
  free(directory);
}

Test(an_empty_path, is_not_taken_for_the_program_itself) {
  struct command_result result = mlirplug_run("info", "");
  expect_refusal(&result, 2);
  expect_contains(result.errors, "empty");
  command_release(&result);
  result = mlirplug_run("opt", "--load-pass-plugin", "", TWICE);
  expect_refusal(&result, 2);
  expect_contains(result.errors, "--load-pass-plugin=FILE");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Several of them, other commands
//===----------------------------------------------------------------------===//

static const char *text_file(const char *directory, const char *name) {
  const char *path = path_in(directory, name);
  file_write(path, "text\n", 5);
  return path;
}

Test(bad_files, are_all_named) {
  char *directory = directory_create();
  struct command_result result =
      mlirplug_run("opt", "--load-pass-plugin", text_file(directory, "one.so"),
                   "--load-pass-plugin", text_file(directory, "two.so"), TWICE);
  expect_exit(&result, 1);
  expect_text(result.output, "");
  cr_expect(line_count(result.errors) == 2, "found:\n%s", result.errors);
  expect_contains(result.errors, "one.so");
  expect_contains(result.errors, "two.so");
  command_release(&result);
  free(directory);
}

Test(bad_files, are_refused_by_list_too) {
  char *directory = directory_create();
  struct command_result result =
      mlirplug_run("list", text_file(directory, "one.so"));
  expect_refusal(&result, 1);
  expect_contains(result.errors, "one.so");
  command_release(&result);
  free(directory);
}

Test(bad_files, do_not_break_the_line_by_their_names) {
  struct command_result result =
      mlirplug_run("info", "/nowhere/a\nb\33[31m.so");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "'/nowhere/a b [31m.so'");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Files that are good after all
//===----------------------------------------------------------------------===//

#define DESCRIPTOR_FILE(name)                                                  \
  MLIRPLUG_BUILD_DIRECTORY "/test/plugins/descriptor/" name ".so"

Test(a_plugin_that_links_mlir, is_used_with_a_warning) {
  struct command_result result =
      mlirplug_run("opt", LOAD(DESCRIPTOR_FILE("needs-mlir")),
                   "--pass-pipeline=builtin.module(first-pass)", TWICE);
  expect_exit(&result, 0);
  cr_expect(line_count(result.errors) == 1, "found:\n%s", result.errors);
  expect_contains(result.errors, "needs-mlir.so': it needs libMLIRFake.so, "
                                 "which brings a second copy of MLIR or LLVM");
  command_release(&result);
}

#ifdef MLIRPLUG_SANITIZED
// AddressSanitizer takes terabytes of addresses for itself.
#define LITTLE_MEMORY "true"
#else
#define LITTLE_MEMORY "ulimit -v 4000000"
#endif

Test(a_plugin, in_a_sparse_file_of_5_gib_is_read_at_once) {
  char *directory = directory_create();
  const char *path = path_in(directory, "plugin.so");
  struct command_result result =
      mlirplug_shell("cp %s %s && truncate -s 5G %s && " LITTLE_MEMORY
                     " && timeout 20 $MLIRPLUG info %s",
                     DESCRIPTOR_FILE("good"), path, path, path);
  expect_silent_success(&result);
  expect_contains(result.output, "first-pass");
  command_release(&result);
  free(directory);
}

Test(a_plugin, whose_section_headers_lie_is_fine) {
  char *directory = directory_create();
  struct elf_file file = elf_read(DESCRIPTOR_FILE("good"));
  Elf64_Shdr *sections =
      (Elf64_Shdr *)(file.bytes + elf_header(&file)->e_shoff);
  for (size_t i = 0; i < elf_header(&file)->e_shnum; ++i)
    sections[i].sh_size = sections[i].sh_offset = UINT64_MAX - 8;
  const char *path = path_in(directory, "plugin.so");
  file_write(path, file.bytes, file.size);
  free(file.bytes);
  struct command_result result =
      mlirplug_run("opt", "--load-pass-plugin", path,
                   "--pass-pipeline=builtin.module(first-pass)", TWICE);
  expect_silent_success(&result);
  command_release(&result);
  free(directory);
}

Test(a_plugin, that_is_being_written_is_refused_until_it_is_complete) {
  char *directory = directory_create();
  const char *path = path_in(directory, "plugin.so");
  // Each run meets the file at another length; the last one meets all of it.
  struct command_result result = mlirplug_shell(
      "good=%s; new=%s; size=$(stat -c %%s $good)\n"
      "(i=0; while [ $i -lt $size ]; do\n"
      "  dd if=$good bs=512 skip=$((i / 512)) count=1 2>/dev/null >>$new\n"
      "  i=$((i + 512)); done) & writer=$!\n"
      "while kill -0 $writer 2>/dev/null; do\n"
      "  $MLIRPLUG opt --load-pass-plugin=$new %s -o /dev/null 2>>$new.errors\n"
      "  status=$?; [ $status -le 1 ] || exit $status\n"
      "done\n"
      "wait; $MLIRPLUG info $new",
      DESCRIPTOR_FILE("good"), path, TWICE);
  expect_exit(&result, 0);
  char *errors = file_content(path_in(directory, "plugin.so.errors"));
  for (char *line = strtok(errors, "\n"); line; line = strtok(NULL, "\n")) {
    expect_contains(line, "mlirplug: cannot ");
    expect_contains(line, path);
  }
  free(errors);
  command_release(&result);
  free(directory);
}
