// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/observe.h"

#include "cli/memory.h"
#include "cli/mlir.h"

#include <stdlib.h>
#include <string.h>

static void text_show(const char *text, size_t length, void *console) {
  console_text(console, text, length);
}

//===----------------------------------------------------------------------===//
// The IR around passes
//===----------------------------------------------------------------------===//

static size_t texts_length(const struct argument_texts *texts) {
  size_t length = 0;
  for (size_t i = 0; i < texts->count; ++i)
    length += strlen(texts->items[i]) + 1;
  return length;
}

/// Cuts each of `texts` at its commas, into `names` and the room at `*room`.
static size_t names_split(const struct argument_texts *texts,
                          const char **names, char **room) {
  size_t count = 0;
  for (size_t i = 0; i < texts->count; ++i) {
    size_t size = strlen(texts->items[i]) + 1;
    char *text = memcpy(*room, texts->items[i], size);
    *room += size;
    for (char *name; (name = strsep(&text, ","));)
      names[count++] = name;
  }
  return count;
}

static bool names_make(struct observation *observation) {
  const struct arguments *arguments = observation->arguments;
  // No more names than characters, and one more for none.
  size_t length = texts_length(&arguments->print_ir_before) +
                  texts_length(&arguments->print_ir_after) + 1;
  observation->names = calloc(length, sizeof *observation->names);
  observation->name_text = malloc(length);
  if (!observation->names || !observation->name_text) {
    console_error(observation->console, "out of memory");
    return false;
  }
  mlirplug_ir_dumps *dumps = &observation->dumps;
  char *room = observation->name_text;
  dumps->before = observation->names;
  dumps->before_count =
      names_split(&arguments->print_ir_before, observation->names, &room);
  const char **after = observation->names + dumps->before_count;
  dumps->after = after;
  dumps->after_count = names_split(&arguments->print_ir_after, after, &room);
  return true;
}

static bool dumps_make(struct observation *observation) {
  const struct arguments *arguments = observation->arguments;
  observation->dumps = (mlirplug_ir_dumps){
      .size = sizeof observation->dumps,
      .show = text_show,
      .user_data = observation->console,
      .directory = arguments->print_ir_tree,
      .before_all = arguments->print_ir_before_all,
      .after_all = arguments->print_ir_after_all,
      .only_changed = arguments->print_ir_after_change,
      .only_failed = arguments->print_ir_after_failure,
      .whole = arguments->print_ir_whole,
  };
  return names_make(observation);
}

/// Whether there is anything to show: some flags only say how.
static bool dumps_are_wanted(const struct observation *observation) {
  const mlirplug_ir_dumps *dumps = &observation->dumps;
  return dumps->before_all || dumps->after_all || dumps->only_failed ||
         dumps->before_count || dumps->after_count || dumps->whole;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

static bool says(const char *value, const char *word) {
  return value && strcmp(value, word) == 0;
}

static bool timing_make(struct observation *observation, mlirplug_host *host) {
  const struct arguments *arguments = observation->arguments;
  if (!arguments->timing)
    return true;
  mlirplug_timing_configuration configuration = {
      .size = sizeof configuration,
      .list = says(arguments->timing_display, "list"),
      .json = says(arguments->output_format, "json"),
  };
  mlirplug_error *error = NULL;
  if (mlirplug_timing_create(host, &configuration, &observation->timing,
                             &error) == MLIRPLUG_OK)
    return true;
  console_failure(observation->console, error);
  return false;
}

bool observation_begin(struct observation *observation,
                       const struct arguments *arguments, mlirplug_host *host,
                       struct console *console) {
  *observation =
      (struct observation){.arguments = arguments, .console = console};
  return dumps_make(observation) && timing_make(observation, host);
}

void observation_configure(const struct observation *observation,
                           mlirplug_manager_configuration *configuration) {
  if (dumps_are_wanted(observation))
    configuration->ir_dumps = &observation->dumps;
  configuration->timing = observation->timing;
  configuration->measure = observation->arguments->pass_statistics;
}

//===----------------------------------------------------------------------===//
// The pipeline
//===----------------------------------------------------------------------===//

static void part_add(MlirStringRef part, void *stream) {
  fwrite(part.data, 1, part.length, stream);
}

/// As MLIR has it, with what it fills in; or as it was written, where MLIR does
/// not run it.
static void pipeline_write(const mlirplug_pipeline *pipeline,
                           const mlirplug_manager *manager, FILE *stream) {
  MlirPassManager passes = {NULL};
  if (manager && MLIRPLUG_HAS(mlirPrintPassPipeline))
    passes = mlirplug_manager_pass_manager(manager);
  if (passes.ptr)
    mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(passes), part_add,
                          stream);
  else
    fputs(pipeline ? mlirplug_pipeline_text(pipeline) : "builtin.module()",
          stream);
}

/// The end of an option's value that begins at `text`, if it is quoted.
static const char *quoted_end(const char *text) {
  const char *end = strchr(text + 1, *text);
  return end ? end : text;
}

/// Writes a pipeline with a pass on each line; `*count` is of those in the
/// outermost nest.
static void pipeline_indent(const char *text, FILE *stream, size_t *count) {
  int depth = 0, braces = 0;
  bool begins_line = false;
  *count = 0;
  for (const char *c = text; *c; ++c) {
    if (braces && (*c == '"' || *c == '\'')) {
      const char *end = quoted_end(c);
      fwrite(c, 1, (size_t)(end - c), stream);
      c = end;
    }
    braces += (*c == '{') - (*c == '}');
    bool opens = !braces && *c == '(', closes = !braces && *c == ')';
    depth -= closes;
    if (closes)
      fprintf(stream, "\n%*s", 2 * depth, "");
    else if (begins_line)
      fprintf(stream, "%*s", 2 * depth, "");
    *count += begins_line && !closes && depth == 1;
    fputc(*c, stream);
    depth += opens;
    begins_line = opens || (!braces && *c == ',');
    if (begins_line)
      fputc('\n', stream);
  }
}

void observation_pipeline(const struct observation *observation,
                          const mlirplug_pipeline *pipeline,
                          const mlirplug_manager *manager) {
  if (!observation->arguments->dump_pass_pipeline)
    return;
  struct memory line, shown = {0}, whole = {0};
  size_t count = 0;
  bool complete = memory_open(&line);
  if (complete) {
    pipeline_write(pipeline, manager, line.stream);
    complete = memory_close(&line) && memory_open(&shown);
  }
  if (complete) {
    pipeline_indent(line.bytes, shown.stream, &count);
    complete = memory_close(&shown) && memory_open(&whole);
  }
  if (complete) {
    fprintf(whole.stream, "Pass Manager with %zu passes:\n%s\n\n", count,
            shown.bytes);
    complete = memory_close(&whole);
  }
  if (complete)
    console_text(observation->console, whole.bytes, whole.length);
  else
    console_error(observation->console,
                  "cannot show the pipeline: out of memory");
  memory_release(&line);
  memory_release(&shown);
  memory_release(&whole);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

static bool statistics_report(const struct observation *observation,
                              const mlirplug_manager *manager) {
  if (!observation->arguments->pass_statistics || !manager)
    return true;
  mlirplug_error *error = NULL;
  if (mlirplug_manager_report_statistics(
          manager, says(observation->arguments->statistics_display, "list"),
          text_show, observation->console, &error) == MLIRPLUG_OK)
    return true;
  console_failure(observation->console, error);
  return false;
}

static void chunk_add(const char *text, size_t length, void *stream) {
  fwrite(text, 1, length, stream);
}

static bool timing_report(struct observation *observation) {
  struct memory memory;
  if (!observation->timing)
    return true;
  bool complete = memory_open(&memory);
  mlirplug_timing_finish(observation->timing, complete ? chunk_add : NULL,
                         memory.stream);
  observation->timing = NULL;
  complete = complete && memory_close(&memory);
  if (complete)
    console_text(observation->console, memory.bytes, memory.length);
  else
    console_error(observation->console,
                  "cannot report the times: out of memory");
  memory_release(&memory);
  return complete;
}

bool observation_report(struct observation *observation,
                        const mlirplug_manager *manager) {
  bool complete = statistics_report(observation, manager);
  return timing_report(observation) && complete;
}

void observation_end(struct observation *observation) {
  mlirplug_timing_finish(observation->timing, NULL, NULL);
  free(observation->names);
  free(observation->name_text);
  *observation = (struct observation){0};
}
