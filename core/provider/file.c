// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Reads `size` bytes at `offset`; false if there are fewer.
static bool bytes_read(int descriptor, void *to, size_t size, uint64_t offset) {
  unsigned char *next = to;
  while (size) {
    if (offset > INT64_MAX)
      return false;
    ssize_t length = pread(descriptor, next, size, (off_t)offset);
    if (length < 0 && errno == EINTR)
      continue;
    if (length <= 0)
      return false;
    next += length;
    offset += (uint64_t)length;
    size -= (size_t)length;
  }
  return true;
}

/// How many bytes the file must have for what the loader maps of it; 0 if that
/// cannot be told.
static uint64_t size_needed(int descriptor) {
  Elf64_Ehdr header;
  uint64_t needed = 0;
  if (!bytes_read(descriptor, &header, sizeof header, 0) ||
      memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return 0;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    uint64_t end;
    if (!bytes_read(descriptor, &segment, sizeof segment,
                    header.e_phoff + i * sizeof segment))
      return 0;
    if (segment.p_type != PT_LOAD)
      continue;
    if (__builtin_add_overflow(segment.p_offset, segment.p_filesz, &end))
      end = UINT64_MAX;
    needed = end > needed ? end : needed;
  }
  return needed;
}

static mlirplug_status refuse(const char *path, const char *found,
                              mlirplug_error **error) {
  return error_set(
      error, &(mlirplug_error){.doing = "cannot attach the provider",
                               .subject = path,
                               .found = found,
                               .expected = "a library with the C API of MLIR",
                               .remedy = "reinstall mlirplug, or name another "
                                         "one with --provider=PATH"});
}

mlirplug_status provider_file_check(const char *path, mlirplug_error **error) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0)
    return MLIRPLUG_OK;
  struct stat status;
  mlirplug_status result = MLIRPLUG_OK;
  if (fstat(descriptor, &status) == 0) {
    uint64_t size = (uint64_t)status.st_size, needed = 0;
    if (!S_ISREG(status.st_mode))
      result = refuse(path, "it is no regular file", error);
    else if ((needed = size_needed(descriptor)) > size)
      result = refuse(path,
                      error_text("the file is shorter than its headers say: "
                                 "%" PRIu64 " bytes, needs %" PRIu64,
                                 size, needed),
                      error);
  }
  close(descriptor);
  return result;
}
