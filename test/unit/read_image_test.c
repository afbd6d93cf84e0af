// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/image.h"

#include "unit/read_plugin.h"

#include <unistd.h>

/// The program header `index` of a file in memory.
static Elf64_Phdr program_header(const struct bytes *file, size_t index) {
  Elf64_Ehdr header;
  Elf64_Phdr segment;
  memcpy(&header, file->data, sizeof header);
  cr_assert_lt(index, header.e_phnum);
  memcpy(&segment, file->data + header.e_phoff + index * sizeof segment,
         sizeof segment);
  return segment;
}

static size_t find_program_header(const struct bytes *file, uint32_t type) {
  size_t index = 0;
  while (program_header(file, index).p_type != type)
    ++index;
  return index;
}

/// The good plugin after `change` of its first program header of `type`.
static void expect_changed_refused(uint32_t type,
                                   void (*change)(Elf64_Phdr *header),
                                   const char *part) {
  struct bytes file = plugin_bytes("good");
  size_t index = find_program_header(&file, type);
  Elf64_Phdr segment = program_header(&file, index);
  change(&segment);
  Elf64_Ehdr header;
  memcpy(&header, file.data, sizeof header);
  memcpy(file.data + header.e_phoff + index * sizeof segment, &segment,
         sizeof segment);
  expect_bytes_refused(file.data, file.size, part);
  free(file.data);
}

static void make_note(Elf64_Phdr *header) { header->p_type = PT_NOTE; }
static void make_interpreter(Elf64_Phdr *header) { header->p_type = PT_INTERP; }
static void add_execution(Elf64_Phdr *header) { header->p_flags |= PF_X; }
static void enlarge_offset(Elf64_Phdr *header) {
  header->p_offset = UINT64_MAX - 8;
}
static void enlarge_file_size(Elf64_Phdr *header) {
  header->p_filesz = header->p_memsz = 1 << 24;
}
static void shrink_memory_size(Elf64_Phdr *header) {
  header->p_memsz = header->p_filesz - 1;
}
static void wrap_address(Elf64_Phdr *header) {
  header->p_vaddr = UINT64_MAX - 8;
}
static void enlarge_memory_size(Elf64_Phdr *header) {
  header->p_memsz = (uint64_t)1 << 40;
}
static void move_away(Elf64_Phdr *header) { header->p_vaddr = 1 << 30; }
static void cut_end_mark(Elf64_Phdr *header) {
  header->p_memsz = sizeof(Elf64_Dyn);
}

Test(corrupt_program_headers, are_refused) {
  expect_changed_refused(PT_LOAD, enlarge_offset, "shorter than its headers");
  expect_changed_refused(PT_LOAD, enlarge_file_size, "copied only in part?");
  expect_changed_refused(PT_LOAD, shrink_memory_size, "impossible size");
  expect_changed_refused(PT_LOAD, wrap_address, "impossible size");
  expect_changed_refused(PT_LOAD, enlarge_memory_size, "overlaps");
  expect_changed_refused(PT_DYNAMIC, make_note, "no dynamic section");
  expect_changed_refused(PT_DYNAMIC, move_away, "outside the file");
  expect_changed_refused(PT_DYNAMIC, enlarge_memory_size, "outside the file");
  expect_changed_refused(PT_DYNAMIC, cut_end_mark, "no end mark");
}

Test(a_file_that_would_harm_the_process, is_refused) {
  expect_changed_refused(PT_GNU_STACK, add_execution, "executable stack");
  expect_changed_refused(PT_GNU_STACK, make_interpreter, "it is a program");
  expect_refused("executable-stack", "executable stack");
  expect_refused("code-relocation", "TEXTREL");
  expect_refused("packed", "Android's packed relocations");
}

Test(a_truncated_file, is_refused_with_both_sizes) {
  struct bytes file = plugin_bytes("good");
  Elf64_Ehdr header;
  memcpy(&header, file.data, sizeof header);
  char expected[128];
  (void)snprintf(expected, sizeof expected,
                 "shorter than its headers say: %zu bytes, needs %zu",
                 file.size - 1, file.size);
  cr_assert_eq(header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr), file.size);
  expect_bytes_refused(file.data, file.size - 1, expected);
  expect_bytes_refused(file.data, 4096, "shorter than its headers say: 4096");
  expect_bytes_refused(file.data, 20, "20 bytes, needs 64");
  free(file.data);
}

Test(a_truncated_file, is_refused_at_every_length_without_section_headers) {
  struct bytes file = plugin_bytes("no-sections");
  for (size_t size = 0; size < file.size; ++size)
    expect_bytes_refused(file.data, size,
                         size == 0  ? "empty"
                         : size < 4 ? "not a shared library"
                                    : "shorter than its headers say");
  free(file.data);
}

Test(a_truncated_file, is_refused_when_it_shrinks_after_opening) {
  struct bytes bytes = plugin_bytes("good");
  char *directory = directory_create();
  cr_assert_eq(chdir(directory), 0);
  file_write("shrinking.so", bytes.data, bytes.size);
  struct file file;
  cr_assert_eq(file_open("shrinking.so", &file, NULL), MLIRPLUG_OK);
  static const long sizes[] = {5000, 100, 30, 0};
  for (size_t i = 0; i < 4; ++i) {
    cr_assert_eq(truncate("shrinking.so", sizes[i]), 0);
    mlirplug_plugin_description *description = NULL;
    mlirplug_error *error = NULL;
    cr_assert_eq(descriptor_read(&file, &description, &error), MLIRPLUG_FAILED);
    cr_expect_not_null(error->message);
    mlirplug_error_destroy(error);
  }
  file_close(&file);
  free(directory);
  free(bytes.data);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static const unsigned char content[] = {1, 2, 3, 4, 5, 6, 7, 8};

static struct image_segment segments[] = {
    {.address = 0x1000, .file_size = 8, .memory_size = 16, .bytes = content},
    {.address = UINT64_MAX - 8,
     .file_size = 8,
     .memory_size = 8,
     .is_executable = true,
     .bytes = content},
};

static const struct image image = {
    .path = "image", .segments = segments, .segment_count = 2};

Test(reading_an_image, fills_with_zeros_behind_the_file) {
  unsigned char read[8];
  cr_assert(image_read(&image, 0x1004, read, 8));
  cr_expect_arr_eq(read, ((unsigned char[]){5, 6, 7, 8, 0, 0, 0, 0}), 8);
  cr_assert(image_read(&image, 0x1008, read, 8));
  cr_expect_arr_eq(read, ((unsigned char[8]){0}), 8);
}

Test(reading_an_image, stays_in_one_segment) {
  unsigned char read[16];
  cr_expect(!image_read(&image, 0xfff, read, 1));
  cr_expect(image_read(&image, 0x100f, read, 1));
  cr_expect(!image_read(&image, 0x100f, read, 2));
  cr_expect(!image_read(&image, 0x1010, read, 1));
  cr_expect(image_read(&image, UINT64_MAX - 1, read, 1));
  cr_expect(!image_read(&image, UINT64_MAX - 1, read, 2));
  cr_expect(!image_read(&image, UINT64_MAX, read, 1));
}

Test(reading_an_image, gives_only_bytes_of_the_file) {
  uint64_t length = 0;
  cr_expect_eq(image_bytes(&image, 0x1002, &length), content + 2);
  cr_expect_eq(length, 6);
  cr_expect_null(image_bytes(&image, 0x1008, &length));
  cr_expect_null(image_bytes(&image, 0, &length));
}

Test(reading_an_image, knows_where_code_is) {
  cr_expect(image_is_code(&image, UINT64_MAX - 4));
  cr_expect(!image_is_code(&image, 0x1000));
  cr_expect(!image_is_code(&image, 0x2000));
}
