// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/passes.h"

#include "read/names.h"
#include "read/validate.h"

#include <inttypes.h>
#include <mlirplug/plugin.h>

#define MOST_ELEMENTS 4096

// What a name of a list takes in the arena beside its text.
#define COST_OF_NAME (sizeof(char *) + 16)

static const char rebuild[] = "rebuild the plugin with the SDK";

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// An array that a structure points to: `count` elements, `stride` apart.
struct array {
  struct pointer first;
  uint64_t count;
  uint64_t stride;
};

static bool array_read(struct reader *reader, const struct structure *place,
                       size_t offset, const char *field, struct array *array) {
  if (!reader_pointer(reader, place, offset, field, &array->first))
    return false;
  if (array->count > MOST_ELEMENTS)
    return reader_refuse(reader, place, field,
                         error_text("corrupt descriptor: %" PRIu64
                                    " elements, at most %d are possible",
                                    array->count, MOST_ELEMENTS),
                         rebuild);
  if (array->count > 0 && array->first.is_null)
    return reader_refuse(
        reader, place, field,
        error_text("corrupt descriptor: it is null, but there should be "
                   "%" PRIu64 " elements",
                   array->count),
        "rebuild the plugin with the SDK; if the table is filled in at run "
        "time, make it constinit");
  return true;
}

/// An array of pointers to `count` zeroed structures of `size` bytes.
static bool elements_allocate(struct reader *reader, size_t count, size_t size,
                              void **elements) {
  if (!reader_charge(reader, count, sizeof(void *)) ||
      !reader_charge(reader, count, size))
    return false;
  *elements = arena_pointers(reader->arena, count, size);
  if (!*elements)
    (void)error_set_memory(reader->error);
  return *elements != NULL;
}

/// The size of the elements of a table as the pass states it.
static bool stride_check(struct reader *reader, const char *what,
                         const struct array *array) {
  if (array->count == 0)
    return true;
  if (validate_structure_size(reader->path, what, (uint32_t)array->stride,
                              reader->error) != MLIRPLUG_OK)
    return false;
  struct structure place = {.what = what};
  if (array->stride % sizeof(uint64_t) != 0)
    return reader_refuse(reader, &place, NULL,
                         error_text("corrupt descriptor: its size is %" PRIu64
                                    ", no multiple of 8",
                                    array->stride),
                         rebuild);
  return true;
}

//===----------------------------------------------------------------------===//
// The tables of a pass
//===----------------------------------------------------------------------===//

static bool option_read(struct reader *reader, struct structure *place,
                        uint64_t stride, mlirplug_option *option) {
  return reader_structure(reader, place, stride, option, sizeof *option) &&
         reader_string_or_empty(reader, place, offsetof(mlirplug_option, name),
                                "name", STRING_LINE, &option->name) &&
         reader_string_or_empty(reader, place, offsetof(mlirplug_option, help),
                                "help", STRING_LINE, &option->help) &&
         reader_string(reader, place, offsetof(mlirplug_option, default_text),
                       "default_text", STRING_LINE, &option->default_text) &&
         reader_string(reader, place, offsetof(mlirplug_option, choices),
                       "choices", STRING_LINE, &option->choices);
}

static bool options_read(struct reader *reader, const struct structure *pass,
                         const mlirplug_pass *raw,
                         mlirplug_pass_description *description) {
  struct array array = {.count = raw->option_count, .stride = raw->option_size};
  void *memory;
  if (!array_read(reader, pass, offsetof(mlirplug_pass, options), "options",
                  &array) ||
      !stride_check(reader, "mlirplug_option", &array) ||
      !elements_allocate(reader, array.count, sizeof(mlirplug_option), &memory))
    return false;
  mlirplug_option **options = memory;
  for (uint64_t i = 0; i < array.count; ++i) {
    struct structure place = {
        .what = error_text("option %" PRIu64 " of %s", i, pass->what),
        .address = array.first.address + i * array.stride};
    if (!option_read(reader, &place, array.stride, options[i]))
      return false;
  }
  description->options = (const mlirplug_option *const *)options;
  description->option_count = array.count;
  description->options_size = raw->options_size;
  return true;
}

static bool statistics_read(struct reader *reader, const struct structure *pass,
                            const mlirplug_pass *raw,
                            mlirplug_pass_description *description) {
  struct array array = {.count = raw->statistic_count,
                        .stride = raw->statistic_size};
  void *memory;
  if (!array_read(reader, pass, offsetof(mlirplug_pass, statistics),
                  "statistics", &array) ||
      !stride_check(reader, "mlirplug_statistic", &array) ||
      !elements_allocate(reader, array.count, sizeof(mlirplug_statistic),
                         &memory))
    return false;
  mlirplug_statistic **statistics = memory;
  for (uint64_t i = 0; i < array.count; ++i) {
    struct structure place = {
        .what = error_text("statistic %" PRIu64 " of %s", i, pass->what),
        .address = array.first.address + i * array.stride};
    if (!reader_structure(reader, &place, array.stride, statistics[i],
                          sizeof *statistics[i]) ||
        !reader_string_or_empty(reader, &place,
                                offsetof(mlirplug_statistic, name), "name",
                                STRING_LINE, &statistics[i]->name) ||
        !reader_string_or_empty(reader, &place,
                                offsetof(mlirplug_statistic, help), "help",
                                STRING_LINE, &statistics[i]->help))
      return false;
  }
  description->statistics = (const mlirplug_statistic *const *)statistics;
  description->statistic_count = array.count;
  return true;
}

static bool names_read(struct reader *reader, const struct structure *pass,
                       const mlirplug_pass *raw,
                       mlirplug_pass_description *description) {
  struct array array = {.count = raw->name_count,
                        .stride = sizeof(const char *)};
  void *memory;
  if (!array_read(reader, pass, offsetof(mlirplug_pass, names), "names",
                  &array) ||
      !reader_allocate(reader, array.count, sizeof(char *), &memory))
    return false;
  const char **names = memory;
  // One structure of `count` fields.
  struct structure place = {.what = pass->what,
                            .address = array.first.address,
                            .size = array.count * array.stride};
  for (uint64_t i = 0; i < array.count; ++i)
    if (!reader_string_or_empty(reader, &place, i * array.stride, "names",
                                STRING_LINE, &names[i]))
      return false;
  description->names = names;
  description->name_count = array.count;
  return true;
}

//===----------------------------------------------------------------------===//
// A pass
//===----------------------------------------------------------------------===//

static bool callbacks_read(struct reader *reader, const struct structure *pass,
                           struct pass_callbacks *callbacks) {
#define CALLBACK(name)                                                         \
  reader_callback(reader, pass, offsetof(mlirplug_pass, name), #name,          \
                  &callbacks->name)
  return CALLBACK(create) && CALLBACK(clone) && CALLBACK(destroy) &&
         CALLBACK(initialize) && CALLBACK(run) && CALLBACK(merge) &&
         CALLBACK(finish) && CALLBACK(reset);
#undef CALLBACK
}

/// A field with names between commas.
static bool list_read(struct reader *reader, const struct structure *pass,
                      size_t offset, const char *field,
                      const char *const **names, size_t *count) {
  const char *text;
  if (!reader_string(reader, pass, offset, field, STRING_LINE, &text))
    return false;
  size_t commas = 0;
  for (const char *c = text; c && *c; ++c)
    commas += *c == ',';
  if (commas >= MOST_ELEMENTS)
    return reader_refuse(reader, pass, field,
                         error_text("it lists %zu names, at most %d are "
                                    "possible",
                                    commas + 1, MOST_ELEMENTS),
                         rebuild);
  if (!reader_charge(reader, commas + 1, COST_OF_NAME))
    return false;
  if (names_split(reader->arena, text, names, count))
    return true;
  (void)error_set_memory(reader->error);
  return false;
}

static bool pass_fields_read(struct reader *reader,
                             const struct structure *place,
                             const mlirplug_pass *raw,
                             mlirplug_pass_description *pass) {
  return reader_string_or_empty(reader, place, offsetof(mlirplug_pass, summary),
                                "summary", STRING_LINE, &pass->summary) &&
         reader_string_or_empty(
             reader, place, offsetof(mlirplug_pass, description), "description",
             STRING_TEXT, &pass->description) &&
         list_read(reader, place, offsetof(mlirplug_pass, anchor), "anchor",
                   &pass->anchors, &pass->anchor_count) &&
         list_read(reader, place, offsetof(mlirplug_pass, dialects), "dialects",
                   &pass->dialects, &pass->dialect_count) &&
         options_read(reader, place, raw, pass) &&
         statistics_read(reader, place, raw, pass) &&
         names_read(reader, place, raw, pass);
}

/// The size of a pass, which MLIRPLUG_PASS fills in.
static bool pass_size_check(struct reader *reader,
                            const struct structure *place, uint32_t size) {
  if (size == 0)
    return reader_refuse(reader, place, NULL, "its size is 0",
                         "begin the pass with MLIRPLUG_PASS(\"my-pass\", "
                         "\"What it does\") and rebuild the plugin");
  return validate_structure_size(reader->path, place->what, size,
                                 reader->error) == MLIRPLUG_OK;
}

/// Reads and checks the pass at `address`.
static bool pass_read(struct reader *reader, uint64_t address, uint64_t index,
                      mlirplug_pass_description *pass,
                      struct warning_list *warnings) {
  struct structure place = {.what = error_text("pass %" PRIu64, index),
                            .address = address};
  uint32_t size;
  mlirplug_pass raw;
  struct pass_callbacks callbacks;
  if (!reader_structure(reader, &place, sizeof size, &size, sizeof size) ||
      !pass_size_check(reader, &place, size) ||
      !reader_structure(reader, &place, size, &raw, sizeof raw) ||
      !reader_string_or_empty(reader, &place, offsetof(mlirplug_pass, name),
                              "name", STRING_LINE, &pass->name))
    return false;
  place.what = error_text("pass %" PRIu64 " ('%.80s')", index, pass->name);
  return pass_fields_read(reader, &place, &raw, pass) &&
         callbacks_read(reader, &place, &callbacks) &&
         validate_pass(reader->path, index, pass, &callbacks, warnings,
                       reader->error) == MLIRPLUG_OK;
}

bool passes_read(struct reader *reader, const struct structure *descriptor,
                 const mlirplug_descriptor *raw,
                 mlirplug_plugin_description *description,
                 struct warning_list *warnings) {
  struct array array = {.count = raw->pass_count,
                        .stride = sizeof(const mlirplug_pass *)};
  void *memory;
  if (!array_read(reader, descriptor, offsetof(mlirplug_descriptor, passes),
                  "passes", &array) ||
      !elements_allocate(reader, array.count, sizeof(mlirplug_pass_description),
                         &memory))
    return false;
  mlirplug_pass_description **passes = memory;
  struct structure table = {.what = "the table of passes",
                            .address = array.first.address,
                            .size = array.count * array.stride};
  for (uint64_t i = 0; i < array.count; ++i) {
    const char *field = error_text("%" PRIu64, i);
    struct pointer pointer;
    if (!reader_pointer(reader, &table, i * array.stride, field, &pointer))
      return false;
    if (pointer.is_null)
      return reader_refuse(reader, &table, field, "it is null",
                           "if it is filled in at run time (C++ dynamic "
                           "initialisation), make it constinit");
    if (!pass_read(reader, pointer.address, i, passes[i], warnings))
      return false;
  }
  description->passes = (const mlirplug_pass_description *const *)passes;
  description->pass_count = array.count;
  return true;
}
