// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/reading.h"

#include "cli/extension.h"
#include "cli/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static bool reads_files(void) {
  return MLIRPLUG_HAS(mlirModuleCreateParseFromFile);
}

bool reading_needs_text(const struct arguments *arguments) {
  return MLIRPLUG_HAS(mlirplugExtParse) || !reads_files() ||
         arguments->split_marker || arguments->verify_diagnostics ||
         arguments->no_implicit_module;
}

bool reading_check(const struct arguments *arguments, struct console *console) {
  const char *flag = NULL;
  if (arguments->unverified && !MLIRPLUG_HAS(mlirplugExtParse))
    flag = "mlir-very-unsafe-disable-verifier-on-parsing";
  if (arguments->no_implicit_module && !MLIRPLUG_HAS(mlirplugExtParse) &&
      !MLIRPLUG_HAS(mlirOperationCreateParse))
    flag = "no-implicit-module";
  if (flag)
    console_error(console,
                  "'--%s' needs a provider of mlirplug (--provider=static or "
                  "shared)",
                  flag);
  return !flag;
}

/// False with errno otherwise.
static bool file_copy(const char *path, FILE *out) {
  FILE *file = fopen(path, "rbe");
  if (!file)
    return false;
  char bytes[65536];
  size_t length;
  do {
    length = fread(bytes, 1, sizeof bytes, file);
    fwrite(bytes, 1, length, out);
  } while (length == sizeof bytes);
  bool complete = !ferror(file);
  (void)fclose(file);
  return complete;
}

bool reading_file(const char *path, char **content, size_t *length,
                  struct console *console) {
  struct memory memory;
  const char *fault = "out of memory";
  if (memory_open(&memory)) {
    bool complete = file_copy(path, memory.stream);
    if (!complete)
      fault = strerror(errno);
    if (memory_close(&memory) && complete) {
      *content = memory.bytes;
      *length = memory.length;
      return true;
    }
  }
  memory_release(&memory);
  console_error(console, "cannot read '%s': %s", path, fault);
  return false;
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

void *reading_resources_create(void) {
  return MLIRPLUG_HAS(mlirplugExtResourcesCreate) ? mlirplugExtResourcesCreate()
                                                  : NULL;
}

void reading_resources_destroy(void *resources) {
  if (resources && MLIRPLUG_HAS(mlirplugExtResourcesDestroy))
    mlirplugExtResourcesDestroy(resources);
}

static MlirOperation text_parse(const struct arguments *arguments,
                                MlirContext context, MlirStringRef text,
                                MlirStringRef name, void *resources) {
  int32_t how = (arguments->unverified ? EXTENSION_UNVERIFIED : 0) |
                (arguments->no_implicit_module ? EXTENSION_EXPLICIT_ROOT : 0) |
                (arguments->run_reproducer ? EXTENSION_WITHOUT_REPRODUCER : 0);
  if (MLIRPLUG_HAS(mlirplugExtParse))
    return mlirplugExtParse(context, text, name, how, resources);
  if (arguments->no_implicit_module && MLIRPLUG_HAS(mlirOperationCreateParse))
    return mlirOperationCreateParse(context, text, name);
  return mlirModuleGetOperation(mlirModuleCreateParse(context, text));
}

/// The module around a part has the part's place, not the file's.
static void root_place(MlirOperation root, MlirStringRef name,
                       const struct part *part) {
  if ((part->line == 1 && part->column == 1) ||
      !MLIRPLUG_HAS(mlirOperationSetLocation))
    return;
  MlirContext context = mlirOperationGetContext(root);
  MlirLocation of_file = mlirLocationFileLineColGet(context, name, 0, 0);
  if (mlirLocationEqual(mlirOperationGetLocation(root), of_file))
    mlirOperationSetLocation(
        root, mlirLocationFileLineColGet(context, name, (unsigned)part->line,
                                         (unsigned)part->column));
}

static MlirOperation part_parse(const struct arguments *arguments,
                                MlirContext context, const char *name,
                                const struct part *part, void *resources,
                                struct diagnostics *diagnostics) {
  MlirOperation root = {NULL};
  size_t length;
  char *placed = part_place(part, &length);
  if (!placed) {
    console_error(diagnostics->console, "out of memory");
    ++diagnostics->errors;
    return root;
  }
  MlirStringRef shown = mlirStringRefCreateFromCString(name);
  diagnostics->input = MLIRPLUG_HAS(mlirplugExtParse) ? NULL : name;
  root = text_parse(arguments, context, mlirStringRefCreate(placed, length),
                    shown, resources);
  free(placed);
  if (root.ptr)
    root_place(root, shown, part);
  return root;
}

MlirOperation reading_parse(const struct arguments *arguments,
                            MlirContext context, const struct input *input,
                            const struct part *part, void *resources,
                            struct diagnostics *diagnostics) {
  size_t errors = diagnostics->errors;
  MlirOperation root =
      part->text || !reads_files()
          ? part_parse(arguments, context, input->name, part, resources,
                       diagnostics)
          : mlirModuleGetOperation(mlirModuleCreateParseFromFile(
                context, mlirStringRefCreateFromCString(input->path)));
  if (!root.ptr && diagnostics->errors == errors)
    console_error(diagnostics->console,
                  "cannot parse '%s': MLIR gives no reason for it",
                  input->name);
  return root;
}
