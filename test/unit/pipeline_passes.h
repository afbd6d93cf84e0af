// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes for the tests of pipelines, and the fuzz target's.

#ifndef MLIRPLUG_TEST_PIPELINE_PASSES_H
#define MLIRPLUG_TEST_PIPELINE_PASSES_H

#include "pipeline/tree.h"
#include "support/option.h"

#include <mlirplug/plugin.h>
#include <string.h>

struct histogram_options {
  int64_t top;
  const char *out;
};

static const mlirplug_option *const histogram_table[] = {
    OPTION(MLIRPLUG_INT(struct histogram_options, top, "top", 0, "How many")),
    OPTION(MLIRPLUG_STRING(struct histogram_options, out, "out", NULL,
                           "Where to")),
};

/// Options of every kind.
struct every_options {
  bool fast;
  bool safe;
  int64_t top;
  int64_t level;
  uint64_t size;
  uint64_t width;
  double factor;
  double ratio;
  const char *label;
  int64_t mode;
  mlirplug_bool_list flags;
  mlirplug_int_list tiles;
  mlirplug_uint_list sizes;
  mlirplug_double_list weights;
  mlirplug_string_list names;
  mlirplug_int_list modes;
};

#define EVERY(option, ...) OPTION(option(struct every_options, __VA_ARGS__))
static const mlirplug_option *const every_table[] = {
    EVERY(MLIRPLUG_BOOL, fast, "fast", false, ""),
    EVERY(MLIRPLUG_BOOL, safe, "safe", true, ""),
    EVERY(MLIRPLUG_INT, top, "top", -1, ""),
    EVERY(MLIRPLUG_INT_RANGE, level, "level", 2, 0, 10, ""),
    EVERY(MLIRPLUG_UINT, size, "size", UINT64_MAX, ""),
    EVERY(MLIRPLUG_UINT_RANGE, width, "width", 4, 1, UINT64_MAX - 1, ""),
    EVERY(MLIRPLUG_DOUBLE, factor, "factor", 0.5, ""),
    EVERY(MLIRPLUG_DOUBLE_RANGE, ratio, "ratio", 1, 0, 1, ""),
    EVERY(MLIRPLUG_STRING, label, "label", "a label", ""),
    EVERY(MLIRPLUG_ENUM, mode, "mode", "fast,exact", 1, ""),
    EVERY(MLIRPLUG_BOOLS, flags, "flags", "", ""),
    EVERY(MLIRPLUG_INTS, tiles, "tiles", "8, 4", ""),
    EVERY(MLIRPLUG_UINTS, sizes, "sizes", "", ""),
    EVERY(MLIRPLUG_DOUBLES, weights, "weights", "0.5,1", ""),
    EVERY(MLIRPLUG_STRINGS, names, "names", "a,'b c'", ""),
    EVERY(MLIRPLUG_ENUMS, modes, "modes", "fast,exact", "exact", ""),
};
#undef EVERY

static const char *const on_module[] = {"builtin.module"};
static const char *const on_function[] = {"func.func"};
static const char *const on_gpu_function[] = {"gpu.func"};
static const char *const on_two[] = {"func.func", "gpu.func", "llvm.func"};
static const char *const on_any_function[] = {"@function"};

static const mlirplug_pass_description known_passes[] = {
    {.name = "op-histogram",
     .anchors = on_module,
     .anchor_count = 1,
     .options = histogram_table,
     .option_count = MLIRPLUG_COUNT(histogram_table),
     .options_size = sizeof(struct histogram_options)},
    {.name = "tag-functions", .anchors = on_function, .anchor_count = 1},
    {.name = "tag-kernels", .anchors = on_gpu_function, .anchor_count = 1},
    {.name = "several", .anchors = on_two, .anchor_count = 3},
    {.name = "function-like", .anchors = on_any_function, .anchor_count = 1},
    {.name = "every",
     .options = every_table,
     .option_count = MLIRPLUG_COUNT(every_table),
     .options_size = sizeof(struct every_options)},
    {.name = "twice"},
};

static const mlirplug_plugin_description known_plugin = {
    .path = "/plugins/known.so", .id = "org.example.known"};

__attribute__((unused)) static const mlirplug_pass_description *
known_pass(const char *name) {
  for (size_t i = 0; i < MLIRPLUG_COUNT(known_passes); ++i)
    if (strcmp(known_passes[i].name, name) == 0)
      return &known_passes[i];
  return NULL;
}

static mlirplug_status known_find(void *user_data, const char *name,
                                  struct pipeline_match *match,
                                  mlirplug_error **error) {
  (void)user_data;
  (void)error;
  match->pass = known_pass(name);
  if (match->pass)
    match->plugin = &known_plugin;
  if (strcmp(name, "twice") == 0)
    match->other = "/plugins/other.so";
  return MLIRPLUG_OK;
}

__attribute__((unused)) static const struct pipeline_lookup known_lookup = {
    known_find, NULL};

#endif // MLIRPLUG_TEST_PIPELINE_PASSES_H
