// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/replay.h"

#include "cli/flags.h"
#include "cli/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool file_read(const char *path, struct memory *memory) {
  FILE *file = fopen(path, "rbe");
  if (!file)
    return false;
  char bytes[65536];
  size_t length;
  do {
    length = fread(bytes, 1, sizeof bytes, file);
    fwrite(bytes, 1, length, memory->stream);
  } while (length == sizeof bytes);
  bool complete = !ferror(file);
  (void)fclose(file);
  return complete;
}

/// The text of an input, to be freed; null after saying why not.
static char *input_read(const struct input *input, size_t *length,
                        struct console *console) {
  struct memory memory;
  char *content = NULL;
  if (input_is_standard(input))
    return input_standard_read(&content, length, console) ? content : NULL;
  bool complete = memory_open(&memory);
  if (complete && !file_read(input->path, &memory)) {
    console_error(console, "cannot read '%s': %s", input->name,
                  strerror(errno));
    memory_release(&memory);
    return NULL;
  }
  if (complete && memory_close(&memory)) {
    *length = memory.length;
    return memory.bytes;
  }
  console_error(console, "out of memory");
  return NULL;
}

//===----------------------------------------------------------------------===//
// The pipeline
//===----------------------------------------------------------------------===//

/// The elements of "anchor(elements)".
struct elements {
  const char *begin;
  int length;
};

static struct elements elements_of(const char *pipeline) {
  const char *begin = strchr(pipeline, '(');
  const char *end = strrchr(pipeline, ')');
  if (!begin || !end || end < begin)
    return (struct elements){pipeline, (int)strlen(pipeline)};
  return (struct elements){begin + 1, (int)(end - begin - 1)};
}

static bool anchor_is_equal(const char *left, const char *right) {
  size_t length = strcspn(left, "( ");
  return strcspn(right, "( ") == length && memcmp(left, right, length) == 0;
}

/// What runs behind the reproducer's pipeline, as elements; to be freed.
static char *further_text(const struct arguments *arguments,
                          struct console *console) {
  if (!arguments->pipeline)
    return flags_text(&arguments->passes, console);
  struct elements elements = elements_of(arguments->pipeline);
  char *copy = strndup(elements.begin, (size_t)elements.length);
  if (!copy)
    console_error(console, "out of memory");
  return copy;
}

/// The passes that were asked for run behind those of the reproducer.
static bool pipeline_join(struct replay *replay, struct console *console) {
  struct arguments *arguments = &replay->arguments;
  const char *first = replay->reproducer->pipeline;
  if (arguments->pipeline && !anchor_is_equal(first, arguments->pipeline)) {
    console_error(console,
                  "--pass-pipeline='%s' cannot run behind the reproducer's "
                  "pipeline '%s': the two run on different operations",
                  arguments->pipeline, first);
    return false;
  }
  char *further = further_text(arguments, console);
  if (!further)
    return false;
  struct elements elements = elements_of(first);
  int status =
      asprintf(&replay->pipeline, "%.*s(%.*s%s%s)", (int)strcspn(first, "( "),
               first, elements.length, elements.begin,
               elements.length && *further ? "," : "", further);
  free(further);
  if (status >= 0)
    return true;
  replay->pipeline = NULL;
  console_error(console, "out of memory");
  return false;
}

static bool pipeline_take(struct replay *replay, struct console *console) {
  struct arguments *arguments = &replay->arguments;
  const mlirplug_reproducer *reproducer = replay->reproducer;
  if (reproducer->disable_threading >= 0)
    arguments->disable_threading = reproducer->disable_threading;
  if (reproducer->verify >= 0)
    arguments->verify_each = reproducer->verify;
  if (reproducer->allow_unregistered_dialects)
    arguments->allow_unregistered_dialect = true;
  bool has_further = arguments->pipeline || arguments->passes.count;
  if (has_further && !pipeline_join(replay, console))
    return false;
  arguments->pipeline = has_further ? replay->pipeline : reproducer->pipeline;
  arguments->passes.count = 0;
  return true;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static bool usage_check(const struct arguments *arguments,
                        const struct inputs *inputs, struct console *console) {
  if (arguments->split_marker) {
    console_error(console, "--run-reproducer runs one reproducer, and "
                           "--split-input-file takes the input for several: "
                           "give each of them a file");
    return false;
  }
  if (inputs->count + inputs->failed == 1)
    return true;
  console_error(console,
                "--run-reproducer runs one input, which says what to run; "
                "found %zu: run them one by one",
                inputs->count + inputs->failed);
  return false;
}

static bool reproducer_read(struct replay *replay, const struct input *input,
                            struct console *console) {
  size_t length;
  mlirplug_error *error = NULL;
  char *text = input_read(input, &length, console);
  if (!text)
    return false;
  mlirplug_status status = mlirplug_reproducer_read(
      text, length, input->name, &replay->reproducer, &error);
  free(text);
  if (status != MLIRPLUG_OK)
    console_failure(console, error);
  return status == MLIRPLUG_OK;
}

enum command_status replay_begin(struct replay *replay,
                                 const struct arguments *arguments,
                                 const struct inputs *inputs,
                                 mlirplug_host *host, struct console *console) {
  *replay = (struct replay){.arguments = *arguments};
  if (!usage_check(arguments, inputs, console))
    return COMMAND_WRONG_USAGE;
  if (!inputs->count || !reproducer_read(replay, &inputs->items[0], console))
    return COMMAND_FAILED;
  if (!replay->reproducer->pipeline) {
    console_note(console,
                 "'%s' is no reproducer, and nothing is run on its behalf",
                 inputs->items[0].name);
    return COMMAND_OK;
  }
  mlirplug_error *error = NULL;
  if (mlirplug_host_add_reproducer(host, replay->reproducer, &error) !=
      MLIRPLUG_OK) {
    console_failure(console, error);
    return COMMAND_FAILED;
  }
  return pipeline_take(replay, console) ? COMMAND_OK : COMMAND_FAILED;
}

void replay_end(struct replay *replay) {
  mlirplug_reproducer_destroy(replay->reproducer);
  free(replay->pipeline);
  *replay = (struct replay){.reproducer = NULL};
}
