// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/input.h"

#include "cli/directory.h"
#include "cli/memory.h"
#include "cli/transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char input_standard_name[] = "<stdin>";

bool input_is_standard(const struct input *input) {
  return input->name == input_standard_name;
}

/// Appends an input; takes `path`, which may be null for want of memory.
static bool input_append(struct inputs *inputs, char *path, const char *name,
                         const struct stat *status, struct console *console) {
  if (path && inputs->count == inputs->capacity) {
    size_t capacity = inputs->capacity ? 2 * inputs->capacity : 16;
    struct input *items =
        reallocarray(inputs->items, capacity, sizeof *inputs->items);
    if (items) {
      inputs->items = items;
      inputs->capacity = capacity;
    }
  }
  if (!path || inputs->count == inputs->capacity) {
    console_error(console, "out of memory");
    free(path);
    return false;
  }
  inputs->items[inputs->count++] = (struct input){
      .path = path,
      .name = name ? name : path,
      .device = status ? status->st_dev : 0,
      .inode = status ? status->st_ino : 0,
  };
  return true;
}

static bool standard_append(struct inputs *inputs, struct console *console) {
  for (size_t i = 0; i < inputs->count; ++i)
    if (input_is_standard(&inputs->items[i])) {
      console_error(console, "standard input ('-') is named twice; it can be "
                             "read only once");
      return false;
    }
  return input_append(inputs, strdup("-"), input_standard_name, NULL, console);
}

/// True for what is likely a plugin in the wrong place.
static bool is_shared_library(const char *path, const struct stat *status) {
  if (!S_ISREG(status->st_mode))
    return false;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  char begin[4] = "";
  ssize_t length = descriptor < 0 ? 0 : read(descriptor, begin, sizeof begin);
  if (descriptor >= 0)
    close(descriptor);
  return length == sizeof begin && memcmp(begin, "\177ELF", 4) == 0;
}

/// Appends a file that is known to exist; `path` is taken.
static bool file_append(struct inputs *inputs, char *path,
                        const struct stat *status, struct console *console) {
  bool is_library = is_shared_library(path, status);
  if (!is_library && access(path, R_OK) == 0)
    return input_append(inputs, path, NULL, status, console);
  if (is_library)
    console_error(console,
                  "'%s' is a shared library; for a plugin: "
                  "--load-pass-plugin=%s",
                  path, path);
  else
    console_error(console, "cannot read '%s': %s", path, strerror(errno));
  ++inputs->failed;
  free(path);
  return true;
}

static bool directory_append(struct inputs *inputs, const char *directory,
                             struct console *console) {
  static const char *const endings[] = {".mlir", ".mlirbc", NULL};
  struct directory_files files;
  int error = directory_read(directory, endings, &files);
  if (error || !files.count) {
    console_error(console, "cannot take the files in the directory '%s': %s",
                  directory,
                  error ? strerror(error) : "it has no *.mlir or *.mlirbc");
    ++inputs->failed;
    return true;
  }
  bool possible = true;
  for (size_t i = 0; possible && i < files.count; ++i) {
    struct stat status;
    char *path = files.paths[i];
    if (stat(path, &status) != 0) {
      console_error(console, "cannot read '%s': %s", path, strerror(errno));
      ++inputs->failed;
      continue;
    }
    files.paths[i] = NULL;
    possible = file_append(inputs, path, &status, console);
  }
  directory_release(&files);
  return possible;
}

static bool name_append(struct inputs *inputs, const char *name,
                        struct console *console) {
  if (strcmp(name, "-") == 0)
    return standard_append(inputs, console);
  struct stat status;
  if (stat(name, &status) != 0) {
    console_error(console, "cannot read '%s': %s", name, strerror(errno));
    ++inputs->failed;
    return true;
  }
  if (S_ISDIR(status.st_mode))
    return directory_append(inputs, name, console);
  char *path = strdup(name);
  if (path)
    return file_append(inputs, path, &status, console);
  console_error(console, "out of memory");
  return false;
}

bool inputs_collect(const struct argument_texts *names, struct inputs *inputs,
                    struct console *console) {
  *inputs = (struct inputs){0};
  bool possible = true;
  for (size_t i = 0; possible && i < names->count; ++i)
    possible = name_append(inputs, names->items[i], console);
  if (possible && !names->count)
    possible = standard_append(inputs, console);
  if (!possible)
    inputs_release(inputs);
  return possible;
}

void inputs_release(struct inputs *inputs) {
  for (size_t i = 0; i < inputs->count; ++i)
    free(inputs->items[i].path);
  free(inputs->items);
  *inputs = (struct inputs){0};
}

const struct input *inputs_find(const struct inputs *inputs, const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return NULL;
  for (size_t i = 0; i < inputs->count; ++i) {
    const struct input *input = &inputs->items[i];
    if (!input_is_standard(input) && input->device == status.st_dev &&
        input->inode == status.st_ino)
      return input;
  }
  return NULL;
}

/// Reads until the end. 0 or an errno.
static int standard_slurp(FILE *stream) {
  char block[65536];
  ssize_t length;
  while ((length = transfer_read(STDIN_FILENO, block, sizeof block)) > 0)
    if (fwrite(block, 1, (size_t)length, stream) != (size_t)length)
      return ENOMEM;
  return length == 0 ? 0 : errno;
}

/// Puts a file with these bytes in the place of standard input.
static int standard_replace(const char *bytes, size_t length) {
  int descriptor = memfd_create("stdin", MFD_CLOEXEC);
  if (descriptor < 0)
    return errno;
  int error = transfer_write(descriptor, bytes, length);
  if (!error && (lseek(descriptor, 0, SEEK_SET) < 0 ||
                 dup2(descriptor, STDIN_FILENO) < 0))
    error = errno;
  close(descriptor);
  return error;
}

bool input_standard_read(char **content, size_t *length,
                         struct console *console) {
  struct memory memory;
  int error = memory_open(&memory) ? standard_slurp(memory.stream) : ENOMEM;
  if (!error && !memory_close(&memory))
    error = ENOMEM;
  if (!error)
    error = standard_replace(memory.bytes, memory.length);
  if (error) {
    console_error(console, "cannot read standard input: %s", strerror(error));
    memory_release(&memory);
    return false;
  }
  *content = memory.bytes;
  *length = memory.length;
  return true;
}
