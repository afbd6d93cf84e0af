// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/destination.h"

#include "cli/directory.h"
#include "cli/output.h"
#include "cli/same_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// mlir-opt's, between the parts of a file that it splits.
static const char separator[] = "// -----\n";

static bool is_directory(const char *path) {
  struct stat status;
  size_t length = strlen(path);
  return path[length - 1] == '/' ||
         (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

static bool is_device(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISCHR(status.st_mode);
}

static enum destination_kind kind_choose(const struct arguments *arguments) {
  const char *output = arguments->output;
  bool records_take_output =
      arguments->records && strcmp(arguments->records, "-") == 0;
  if (!output)
    return records_take_output ? DESTINATION_NOWHERE : DESTINATION_STANDARD;
  if (strcmp(output, "-") == 0)
    return DESTINATION_STANDARD;
  return is_directory(output) ? DESTINATION_DIRECTORY : DESTINATION_FILE;
}

//===----------------------------------------------------------------------===//
// Names in a directory
//===----------------------------------------------------------------------===//

/// What the name of a file ends with; null for the input's own ending.
static const char *ending_of(const struct destination *destination) {
  return destination->object     ? ".o"
         : destination->assembly ? ".s"
         : destination->bytecode ? ".mlirbc"
                                 : NULL;
}

/// DIRECTORY/NAME for an input; the ending says what is in it. To be freed.
static char *file_path(const struct destination *destination,
                       const struct input *input) {
  static const char *const endings[] = {".mlir", ".mlirbc", NULL};
  const char *slash = strrchr(input->path, '/');
  const char *name = slash ? slash + 1 : input->path;
  size_t length = strlen(name);
  const char *other = ending_of(destination), *ending = other ? other : "";
  if (directory_name_ends(name, endings)) {
    length = (size_t)(strrchr(name, '.') - name);
    ending = other ? other : ".mlir";
  }
  const char *directory = destination->path;
  const char *between = directory[strlen(directory) - 1] == '/' ? "" : "/";
  char *path = NULL;
  if (asprintf(&path, "%s%s%.*s%s", directory, between, (int)length, name,
               ending) < 0)
    return NULL;
  return path;
}

struct named_input {
  char *path;
  char *identity; ///< Of the file; null if no other name can be the same one.
  const struct input *input;
};

static int name_compare(const void *a, const void *b) {
  return strcmp(((const struct named_input *)a)->path,
                ((const struct named_input *)b)->path);
}

static int identity_compare(const void *a, const void *b) {
  const char *left = ((const struct named_input *)a)->identity;
  const char *right = ((const struct named_input *)b)->identity;
  return left && right ? strcmp(left, right) : !!left - !!right;
}

static bool names_differ(struct named_input *named, size_t count,
                         struct console *console) {
  qsort(named, count, sizeof *named, name_compare);
  for (size_t i = 1; i < count; ++i)
    if (name_compare(&named[i - 1], &named[i]) == 0) {
      console_error(console, "'%s' and '%s' would both be written to '%s'",
                    named[i - 1].input->name, named[i].input->name,
                    named[i].path);
      return false;
    }
  return true;
}

/// By links, different names can be one file.
static bool files_differ(struct named_input *named, size_t count,
                         struct console *console) {
  qsort(named, count, sizeof *named, identity_compare);
  for (size_t i = 1; i < count; ++i)
    if (named[i].identity && identity_compare(&named[i - 1], &named[i]) == 0) {
      console_error(console,
                    "'%s' and '%s' would both be written to '%s', which is "
                    "also '%s'; remove one of them",
                    named[i - 1].input->name, named[i].input->name,
                    named[i - 1].path, named[i].path);
      return false;
    }
  return true;
}

/// No output may take the place of another input, or of the records.
static bool name_is_free(const struct destination *destination,
                         const struct named_input *named,
                         const struct inputs *inputs) {
  const struct input *taken = inputs_find(inputs, named->path);
  if (taken && taken != named->input) {
    console_error(destination->console,
                  "what is made of '%s' would be written to '%s', which is the "
                  "input '%s'",
                  named->input->name, named->path, taken->name);
    return false;
  }
  if (destination->records && same_file(destination->records, named->path)) {
    console_error(destination->console,
                  "what is made of '%s' would be written to '%s', which "
                  "--records names; name another for one of them",
                  named->input->name, named->path);
    return false;
  }
  return true;
}

static bool names_check(const struct destination *destination,
                        const struct inputs *inputs) {
  struct named_input *named = calloc(inputs->count + 1, sizeof *named);
  bool fine = named != NULL;
  for (size_t i = 0; fine && i < inputs->count; ++i) {
    named[i].input = &inputs->items[i];
    named[i].path = file_path(destination, named[i].input);
    fine = named[i].path != NULL;
    named[i].identity = fine ? file_identity(named[i].path) : NULL;
  }
  if (fine)
    fine = names_differ(named, inputs->count, destination->console) &&
           files_differ(named, inputs->count, destination->console);
  else
    console_error(destination->console, "out of memory");
  for (size_t i = 0; fine && i < inputs->count; ++i)
    fine = name_is_free(destination, &named[i], inputs);
  for (size_t i = 0; named && i < inputs->count; ++i) {
    free(named[i].path);
    free(named[i].identity);
  }
  free(named);
  return fine;
}

static bool directory_begin(const struct destination *destination,
                            const struct inputs *inputs) {
  for (size_t i = 0; i < inputs->count; ++i)
    if (input_is_standard(&inputs->items[i])) {
      console_error(destination->console,
                    "standard input has no name for a file in '%s'; name the "
                    "file: -o FILE",
                    destination->path);
      return false;
    }
  return names_check(destination, inputs);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// For what is not text, and what does not go with others into one file.
static bool binary_check(const struct destination *destination,
                         const struct inputs *inputs) {
  bool one_stream = destination->kind == DESTINATION_STANDARD ||
                    destination->kind == DESTINATION_FILE;
  if (one_stream && inputs->count > 1) {
    console_error(destination->console,
                  "the %s of %zu inputs cannot be put into one file; use "
                  "-o DIRECTORY/",
                  destination->bytecode ? "bytecode" : "code", inputs->count);
    return false;
  }
  if (destination->kind == DESTINATION_STANDARD && !destination->assembly &&
      isatty(STDOUT_FILENO)) {
    console_error(destination->console,
                  "%s is not written to a terminal; use -o FILE",
                  destination->bytecode ? "bytecode" : "machine code");
    return false;
  }
  return true;
}

bool destination_begin(struct destination *destination,
                       const struct arguments *arguments,
                       const struct inputs *inputs, struct console *console) {
  *destination = (struct destination){
      .kind = kind_choose(arguments),
      .path = arguments->output,
      .records = arguments->records,
      .bytecode = arguments->emit_bytecode,
      .object = arguments->emit_object,
      .assembly = arguments->emit_assembly,
      .console = console,
  };
  if (ending_of(destination) && !binary_check(destination, inputs))
    return false;
  if (destination->kind == DESTINATION_DIRECTORY)
    return directory_begin(destination, inputs);
  if (destination->kind != DESTINATION_FILE || memory_open(&destination->file))
    return true;
  console_error(console, "out of memory");
  return false;
}

bool destination_check(const struct destination *destination) {
  return destination->kind != DESTINATION_FILE ||
         output_check(destination->console, destination->path);
}

static bool file_append(struct destination *destination, const char *bytes,
                        size_t length) {
  if (fwrite(bytes, 1, length, destination->file.stream) == length)
    return true;
  console_error(destination->console, "out of memory");
  return false;
}

static bool directory_write(const struct destination *destination,
                            const struct input *input, const char *bytes,
                            size_t length) {
  if (mkdir(destination->path, 0777) != 0 && errno != EEXIST) {
    console_error(destination->console, "cannot make the directory '%s': %s",
                  destination->path, strerror(errno));
    return false;
  }
  char *path = file_path(destination, input);
  if (!path) {
    console_error(destination->console, "out of memory");
    return false;
  }
  bool written = output_file(destination->console, path, bytes, length);
  free(path);
  return written;
}

bool destination_add(struct destination *destination, const struct input *input,
                     const char *bytes, size_t length) {
  const char *between = destination->begun ? separator : "";
  destination->begun = true;
  switch (destination->kind) {
  case DESTINATION_NOWHERE:
    return true;
  case DESTINATION_STANDARD:
    return output_standard(destination->console, between, strlen(between)) &&
           output_standard(destination->console, bytes, length);
  case DESTINATION_FILE:
    return file_append(destination, between, strlen(between)) &&
           file_append(destination, bytes, length);
  case DESTINATION_DIRECTORY:
    return directory_write(destination, input, bytes, length);
  }
  return false;
}

bool destination_end(struct destination *destination, bool failed) {
  bool written = true;
  if (destination->kind == DESTINATION_FILE && failed) {
    // The input that failed has its own message; this one is for the others.
    // Nothing is missed on a device.
    if (destination->begun && !is_device(destination->path))
      console_error(destination->console,
                    "'%s' is not written, because not all inputs worked",
                    destination->path);
  } else if (destination->kind == DESTINATION_FILE) {
    written = memory_close(&destination->file);
    if (!written)
      console_error(destination->console, "out of memory");
    written = written &&
              output_file(destination->console, destination->path,
                          destination->file.bytes, destination->file.length);
  }
  memory_release(&destination->file);
  *destination = (struct destination){0};
  return written;
}
