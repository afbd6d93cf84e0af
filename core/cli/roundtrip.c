// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/roundtrip.h"

#include "cli/context.h"
#include "cli/memory.h"
#include "cli/reading.h"

#include <stdlib.h>
#include <string.h>

static void chunk_print(MlirStringRef chunk, void *stream) {
  fwrite(chunk.data, 1, chunk.length, stream);
}

/// With all locations. False if memory runs out.
static bool text_make(MlirOperation root, bool generic, struct memory *text) {
  if (!memory_open(text))
    return false;
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (generic)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(root, flags, chunk_print, text->stream);
  mlirOpPrintingFlagsDestroy(flags);
  return memory_close(text);
}

static bool bytecode_make(MlirOperation root, struct memory *bytes) {
  if (!memory_open(bytes))
    return false;
  mlirOperationWriteBytecode(root, chunk_print, bytes->stream);
  return memory_close(bytes);
}

static void operation_error(MlirOperation root, const char *text) {
  char *line = NULL;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(root));
  if (asprintf(&line, "'%.*s' op %s", (int)name.length, name.data, text) < 0)
    return;
  mlirEmitError(mlirOperationGetLocation(root), line);
  free(line);
}

/// Compares `root` with what was read back.
static bool same(MlirOperation root, MlirOperation back, const char *kind,
                 struct console *console) {
  struct memory reference = {0}, result = {0};
  bool complete =
      text_make(root, true, &reference) && text_make(back, true, &result);
  bool equal = complete && strcmp(reference.bytes, result.bytes) == 0;
  char *difference = NULL;
  if (!complete)
    console_error(console, "out of memory");
  else if (!equal &&
           asprintf(&difference,
                    "%s roundTrip testing roundtripped module differ from "
                    "reference:\n<<<<<<Reference\n%s\n=====\n%s\n"
                    ">>>>>roundtripped\n",
                    kind, reference.bytes, result.bytes) >= 0)
    operation_error(root, difference);
  free(difference);
  memory_release(&reference);
  memory_release(&result);
  return equal;
}

static bool written_verify(const struct arguments *arguments,
                           mlirplug_host *host, MlirOperation root,
                           const char *kind, const struct memory *written,
                           struct diagnostics *diagnostics) {
  MlirContext context = context_create(arguments, host, diagnostics);
  if (!context.ptr)
    return false;
  void *resources = reading_resources_create();
  const struct input input = {.path = "-", .name = "-"};
  const struct part part = {written->bytes, written->length, 1, 1};
  struct arguments explicit = *arguments;
  explicit.no_implicit_module =
      strcmp(mlirIdentifierStr(mlirOperationGetName(root)).data,
             "builtin.module") != 0;
  MlirOperation back =
      reading_parse(&explicit, context, &input, &part, resources, diagnostics);
  bool equal = false;
  char *text = NULL;
  if (back.ptr)
    equal = same(root, back, kind, diagnostics->console);
  else if (asprintf(&text,
                    "failed to parse %s content back, cannot verify "
                    "round-trip.\n",
                    kind) >= 0)
    operation_error(root, text);
  free(text);
  if (back.ptr)
    mlirOperationDestroy(back);
  reading_resources_destroy(resources);
  mlirContextDestroy(context);
  return equal;
}

static bool kind_verify(const struct arguments *arguments, mlirplug_host *host,
                        MlirOperation root, bool bytecode,
                        struct diagnostics *diagnostics) {
  struct memory written = {0};
  bool complete = bytecode ? bytecode_make(root, &written)
                           : text_make(root, false, &written);
  if (!complete)
    console_error(diagnostics->console, "out of memory");
  bool equal = complete && written_verify(arguments, host, root,
                                          bytecode ? "bytecode" : "textual",
                                          &written, diagnostics);
  memory_release(&written);
  return equal;
}

bool roundtrip_verify(const struct arguments *arguments, mlirplug_host *host,
                      MlirOperation root, struct diagnostics *diagnostics) {
  bool text = kind_verify(arguments, host, root, false, diagnostics);
  return (!MLIRPLUG_HAS(mlirOperationWriteBytecode) ||
          kind_verify(arguments, host, root, true, diagnostics)) &&
         text;
}
