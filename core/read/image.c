// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/image.h"

#include "read/header.h"
#include "read/refuse.h"

#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Far above what linkers make; keeps a hostile file from costing much.
#define MOST_SEGMENTS 64
#define LARGEST_IMAGE ((uint64_t)1 << 30)

// Android's packed relocations, not in glibc's elf.h.
#define DT_ANDROID_REL 0x6000000f
#define DT_ANDROID_RELA 0x60000011
#define DT_ANDROID_RELR 0x6fffe000

static const char rebuild[] = "build or copy the plugin again";

/// Refuses for an error of libelf; errno was 0 before.
static mlirplug_status refuse_library(const struct image *image,
                                      mlirplug_error **error) {
  // libelf's number for want of memory is its own affair; what it says may be
  // translated.
  bool is_exhausted = errno == ENOMEM;
  int code = elf_errno();
  const char *reason = elf_errmsg(code);
  if (is_exhausted || (reason && strcmp(reason, "out of memory") == 0))
    return error_set_memory(error);
  return refuse(image->path,
                error_text("it cannot be read as an ELF file: %s",
                           reason ? reason : "unknown reason"),
                NULL, rebuild, error);
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// Whether `header` keeps the rules of a PT_LOAD behind those read so far.
static mlirplug_status segment_check(const struct image *image,
                                     const GElf_Phdr *header, uint64_t size,
                                     mlirplug_error **error) {
  uint64_t file_end, memory_end;
  if (__builtin_add_overflow(header->p_offset, header->p_filesz, &file_end))
    file_end = UINT64_MAX;
  if (file_end > size)
    return header_refuse_short(image->path, size, file_end, error);
  const char *defect = NULL;
  if (__builtin_add_overflow(header->p_vaddr, header->p_memsz, &memory_end) ||
      header->p_memsz < header->p_filesz)
    defect = "has an impossible size";
  else if (image->segment_count == MOST_SEGMENTS)
    defect = "is one too many";
  else if (image->segment_count > 0) {
    const struct image_segment *last =
        &image->segments[image->segment_count - 1];
    if (header->p_vaddr < last->address + last->memory_size)
      defect = "overlaps the one before it";
  }
  if (defect)
    return refuse(image->path,
                  error_text("its program headers are corrupt: segment %zu %s",
                             image->segment_count, defect),
                  NULL, rebuild, error);
  return MLIRPLUG_OK;
}

static mlirplug_status segment_add(struct image *image, const GElf_Phdr *header,
                                   uint64_t size, uint64_t *total,
                                   mlirplug_error **error) {
  if (segment_check(image, header, size, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  *total += header->p_filesz;
  if (*total > LARGEST_IMAGE)
    return refuse(
        image->path,
        error_text("it has more than %" PRIu64 " bytes to load", LARGEST_IMAGE),
        NULL, "plugins do not link MLIR or LLVM into themselves", error);
  const unsigned char *bytes = (const unsigned char *)"";
  if (header->p_filesz > 0) {
    Elf_Data *data = elf_getdata_rawchunk(image->elf, (int64_t)header->p_offset,
                                          header->p_filesz, ELF_T_BYTE);
    if (!data || data->d_size != header->p_filesz)
      return refuse_library(image, error);
    bytes = data->d_buf;
  }
  image->segments[image->segment_count++] =
      (struct image_segment){.address = header->p_vaddr,
                             .file_size = header->p_filesz,
                             .memory_size = header->p_memsz,
                             .is_executable = (header->p_flags & PF_X) != 0,
                             .bytes = bytes};
  return MLIRPLUG_OK;
}

/// What the program headers say beside the segments.
struct properties {
  GElf_Phdr dynamic;
  bool has_dynamic;
  bool has_interpreter;
  bool has_stack;
  bool has_executable_stack;
};

static void properties_note(struct properties *properties,
                            const GElf_Phdr *header) {
  switch (header->p_type) {
  case PT_DYNAMIC:
    properties->dynamic = *header;
    properties->has_dynamic = true;
    break;
  case PT_INTERP:
    properties->has_interpreter = true;
    break;
  case PT_GNU_STACK:
    properties->has_stack = true;
    properties->has_executable_stack = (header->p_flags & PF_X) != 0;
    break;
  default:
    break;
  }
}

static mlirplug_status segments_read(struct image *image,
                                     const Elf64_Ehdr *header, uint64_t size,
                                     struct properties *properties,
                                     mlirplug_error **error) {
  image->segments = calloc(MOST_SEGMENTS, sizeof *image->segments);
  if (!image->segments)
    return error_set_memory(error);
  uint64_t total = 0;
  for (int i = 0; i < header->e_phnum; ++i) {
    GElf_Phdr segment;
    if (!gelf_getphdr(image->elf, i, &segment))
      return refuse_library(image, error);
    properties_note(properties, &segment);
    if (segment.p_type == PT_LOAD &&
        segment_add(image, &segment, size, &total, error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  }
  return MLIRPLUG_OK;
}

//===----------------------------------------------------------------------===//
// The dynamic section
//===----------------------------------------------------------------------===//

static mlirplug_status dynamic_read(struct image *image,
                                    const GElf_Phdr *header,
                                    mlirplug_error **error) {
  uint64_t length;
  const unsigned char *bytes = image_bytes(image, header->p_vaddr, &length);
  if (!bytes || header->p_memsz > length)
    return refuse(image->path, "its dynamic section lies outside the file",
                  NULL, rebuild, error);
  size_t most = header->p_memsz / sizeof(Elf64_Dyn);
  image->dynamic = calloc(most ? most : 1, sizeof(Elf64_Dyn));
  if (!image->dynamic)
    return error_set_memory(error);
  for (; image->dynamic_count < most; ++image->dynamic_count) {
    Elf64_Dyn *entry = &image->dynamic[image->dynamic_count];
    memcpy(entry, bytes + image->dynamic_count * sizeof *entry, sizeof *entry);
    if (entry->d_tag == DT_NULL)
      return MLIRPLUG_OK;
  }
  return refuse(image->path, "its dynamic section has no end mark", NULL,
                rebuild, error);
}

/// Whether loading the file would harm the process, or not work.
static mlirplug_status properties_check(const struct image *image,
                                        const struct properties *properties,
                                        mlirplug_error **error) {
  uint64_t flags = 0, flags_1 = 0, unused;
  (void)image_dynamic(image, DT_FLAGS, &flags);
  (void)image_dynamic(image, DT_FLAGS_1, &flags_1);
  if (properties->has_interpreter || (flags_1 & DF_1_PIE))
    return refuse(image->path,
                  (flags_1 & DF_1_PIE)
                      ? "it is a position-independent executable"
                      : "it is a program: it names an interpreter (PT_INTERP)",
                  "an ELF shared object (.so)", "link the plugin with -shared",
                  error);
  bool executable_stack = properties->has_executable_stack;
#ifdef __x86_64__
  // Here glibc takes a missing statement for an executable stack.
  executable_stack = executable_stack || !properties->has_stack;
#endif
  if (executable_stack)
    return refuse(image->path, "it wants an executable stack", NULL,
                  "link it with -Wl,-z,noexecstack; assembly files need a "
                  ".note.GNU-stack section",
                  error);
  if ((flags & DF_TEXTREL) || image_dynamic(image, DT_TEXTREL, &unused))
    return refuse(image->path, "its code needs relocations (TEXTREL)",
                  "position-independent code",
                  "compile all of the plugin with -fPIC", error);
  if (image_dynamic(image, DT_ANDROID_REL, &unused) ||
      image_dynamic(image, DT_ANDROID_RELA, &unused) ||
      image_dynamic(image, DT_ANDROID_RELR, &unused))
    return refuse(image->path, "it has Android's packed relocations",
                  "ordinary relocations or RELR",
                  "link it without --pack-dyn-relocs=android", error);
  return MLIRPLUG_OK;
}

bool image_dynamic(const struct image *image, int64_t tag, uint64_t *value) {
  bool found = false;
  for (size_t i = 0; i < image->dynamic_count; ++i)
    if (image->dynamic[i].d_tag == tag) {
      *value = image->dynamic[i].d_un.d_val;
      found = true;
    }
  return found;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// What both ways to open have in common; `image->elf` may be null, which is
/// libelf's error.
static mlirplug_status image_fill(struct image *image, const Elf64_Ehdr *header,
                                  uint64_t size, mlirplug_error **error) {
  struct properties properties = {0};
  if (!image->elf || elf_kind(image->elf) != ELF_K_ELF)
    return refuse_library(image, error);
  if (segments_read(image, header, size, &properties, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (!properties.has_dynamic)
    return refuse(image->path, "it has no dynamic section (linked statically?)",
                  NULL, "link the plugin with -shared", error);
  // Such a file has the headers of the one that it was split off from.
  if (properties.dynamic.p_filesz == 0)
    return refuse(
        image->path, "it has no dynamic section, only debug information",
        "an ELF shared object (.so)", "give the plugin's .so file", error);
  if (dynamic_read(image, &properties.dynamic, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  return properties_check(image, &properties, error);
}

mlirplug_status image_open(const struct file *file, struct image *image,
                           mlirplug_error **error) {
  *image = (struct image){.path = file->path};
  unsigned char view[HEADER_VIEW];
  ssize_t length;
  do
    length = pread(file->descriptor, view, sizeof view, 0);
  while (length < 0 && errno == EINTR);
  if (length < 0)
    return refuse(file->path, error_text("%m"), NULL, "check the disk", error);

  Elf64_Ehdr header;
  if (header_check(file->path, view, (size_t)length, file->identity.size,
                   &header, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  (void)elf_version(EV_CURRENT);
  errno = 0;
  image->elf = elf_begin(file->descriptor, ELF_C_READ, NULL);
  mlirplug_status status =
      image_fill(image, &header, file->identity.size, error);
  if (status != MLIRPLUG_OK)
    image_close(image);
  return status;
}

mlirplug_status image_open_memory(const char *path, const void *bytes,
                                  size_t size, struct image *image,
                                  mlirplug_error **error) {
  *image = (struct image){.path = path};
  Elf64_Ehdr header;
  if (header_check(path, bytes, size < HEADER_VIEW ? size : HEADER_VIEW, size,
                   &header, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  // libelf wants to be able to write there.
  image->copy = malloc(size);
  if (!image->copy)
    return error_set_memory(error);
  memcpy(image->copy, bytes, size);
  (void)elf_version(EV_CURRENT);
  errno = 0;
  image->elf = elf_memory(image->copy, size);
  mlirplug_status status = image_fill(image, &header, size, error);
  if (status != MLIRPLUG_OK)
    image_close(image);
  return status;
}

void image_close(struct image *image) {
  if (image->elf)
    elf_end(image->elf);
  free(image->copy);
  free(image->segments);
  free(image->dynamic);
  *image = (struct image){0};
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

static const struct image_segment *segment_at(const struct image *image,
                                              uint64_t address) {
  for (size_t i = 0; i < image->segment_count; ++i) {
    const struct image_segment *segment = &image->segments[i];
    if (address >= segment->address &&
        address - segment->address < segment->memory_size)
      return segment;
  }
  return NULL;
}

bool image_read(const struct image *image, uint64_t address, void *to,
                size_t size) {
  const struct image_segment *segment = segment_at(image, address);
  if (!segment)
    return false;
  uint64_t offset = address - segment->address;
  if (size > segment->memory_size - offset)
    return false;
  uint64_t from_file =
      offset < segment->file_size ? segment->file_size - offset : 0;
  size_t copied = from_file < size ? (size_t)from_file : size;
  memset(to, 0, size);
  if (copied)
    memcpy(to, segment->bytes + offset, copied);
  return true;
}

const unsigned char *image_bytes(const struct image *image, uint64_t address,
                                 uint64_t *length) {
  const struct image_segment *segment = segment_at(image, address);
  if (!segment || address - segment->address >= segment->file_size)
    return NULL;
  uint64_t offset = address - segment->address;
  *length = segment->file_size - offset;
  return segment->bytes + offset;
}

bool image_is_code(const struct image *image, uint64_t address) {
  const struct image_segment *segment = segment_at(image, address);
  return segment && segment->is_executable;
}
