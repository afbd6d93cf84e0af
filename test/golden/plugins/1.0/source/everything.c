// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin that uses all there is in ABI 1.0: every kind of option, every
// callback, every service. everything.so was built from this file once; see
// test/golden/README.md.

#include <mlirplug/ir.h>
#include <mlirplug/json.h>

#include <inttypes.h>
#include <stdlib.h>

MLIRPLUG_PROCEDURE(mlirNoHostHasThisFunction, (void), ())

//===----------------------------------------------------------------------===//
// Options, statistics, names
//===----------------------------------------------------------------------===//

struct options {
  bool flag;
  int64_t number;
  int64_t bounded;
  uint64_t size;
  uint64_t bounded_size;
  double factor;
  double bounded_factor;
  const char *word;
  int64_t mode;
  mlirplug_bool_list flags;
  mlirplug_int_list numbers;
  mlirplug_uint_list sizes;
  mlirplug_double_list factors;
  mlirplug_string_list words;
  mlirplug_int_list modes;
};

static const mlirplug_option options[] = {
    MLIRPLUG_BOOL(struct options, flag, "flag", true, "A bool"),
    MLIRPLUG_INT(struct options, number, "number", -7, "An integer"),
    MLIRPLUG_INT_RANGE(struct options, bounded, "bounded", 1, -5, 5,
                       "An integer with bounds"),
    MLIRPLUG_UINT(struct options, size, "size", UINT64_MAX, "A size"),
    MLIRPLUG_UINT_RANGE(struct options, bounded_size, "bounded-size", 2, 1, 9,
                        "A size with bounds"),
    MLIRPLUG_DOUBLE(struct options, factor, "factor", 0.5, "A factor"),
    MLIRPLUG_DOUBLE_RANGE(struct options, bounded_factor, "bounded-factor",
                          0.25, 0, 1, "A factor with bounds"),
    MLIRPLUG_STRING(struct options, word, "word", "none", "A word"),
    MLIRPLUG_ENUM(struct options, mode, "mode", "fast,exact,both", 1, "A mode"),
    MLIRPLUG_BOOLS(struct options, flags, "flags", "true,false", "Bools"),
    MLIRPLUG_INTS(struct options, numbers, "numbers", "-1,2", "Integers"),
    MLIRPLUG_UINTS(struct options, sizes, "sizes", "", "Sizes"),
    MLIRPLUG_DOUBLES(struct options, factors, "factors", "1.5", "Factors"),
    MLIRPLUG_STRINGS(struct options, words, "words", "a,b", "Words"),
    MLIRPLUG_ENUMS(struct options, modes, "modes", "fast,exact", "exact",
                   "Modes"),
};

static void write_lists(mlirplug_json *json, const struct options *chosen) {
  mlirplug_json_begin_array(json);
  for (uint64_t i = 0; i < chosen->flags.count; ++i)
    mlirplug_json_bool(json, chosen->flags.values[i]);
  for (uint64_t i = 0; i < chosen->numbers.count; ++i)
    mlirplug_json_integer(json, chosen->numbers.values[i]);
  for (uint64_t i = 0; i < chosen->sizes.count; ++i)
    mlirplug_json_unsigned(json, chosen->sizes.values[i]);
  for (uint64_t i = 0; i < chosen->factors.count; ++i)
    mlirplug_json_integer(json, (int64_t)(chosen->factors.values[i] * 1000));
  for (uint64_t i = 0; i < chosen->words.count; ++i)
    mlirplug_json_string(json, mlirplug_json_view(chosen->words.values[i]));
  for (uint64_t i = 0; i < chosen->modes.count; ++i)
    mlirplug_json_integer(json, chosen->modes.values[i]);
  mlirplug_json_end_array(json);
}

static void write_options(mlirplug_json *json, const struct options *chosen) {
  mlirplug_json_begin_array(json);
  mlirplug_json_bool(json, chosen->flag);
  mlirplug_json_integer(json, chosen->number);
  mlirplug_json_integer(json, chosen->bounded);
  mlirplug_json_unsigned(json, chosen->size);
  mlirplug_json_unsigned(json, chosen->bounded_size);
  mlirplug_json_integer(json, (int64_t)(chosen->factor * 1000));
  mlirplug_json_integer(json, (int64_t)(chosen->bounded_factor * 1000));
  mlirplug_json_string(json, mlirplug_json_view(chosen->word));
  mlirplug_json_integer(json, chosen->mode);
  mlirplug_json_end_array(json);
  mlirplug_json_key(json, mlirplug_json_view("lists"));
  write_lists(json, chosen);
}

static const mlirplug_statistic statistics[] = {
    {"functions", "Functions looked at"},
    {"additions", "Additions found"},
};
enum statistic { FUNCTIONS, ADDITIONS };

enum name { FUNCTION, ADDITION };
static const char *const names[] = {"func.func", "arith.addi"};

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

struct state {
  uint64_t operations;
  bool initialized;
};

static void *create(const mlirplug_run *run) {
  (void)run;
  return calloc(1, sizeof(struct state));
}

static void *clone(const mlirplug_run *run) {
  struct state *copy = create(run);
  if (copy)
    *copy = *(const struct state *)run->state;
  return copy;
}

static void destroy(void *state) { free(state); }

static mlirplug_status initialize(const mlirplug_run *run,
                                  MlirContext context) {
  struct state *state = run->state;
  state->initialized = !mlirContextIsNull(context);
  return MLIRPLUG_OK;
}

static void merge(void *into, const void *from) {
  ((struct state *)into)->operations +=
      ((const struct state *)from)->operations;
}

static void reset(void *state) { ((struct state *)state)->operations = 0; }

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

static MlirWalkResult count(MlirOperation op, void *user_data) {
  const mlirplug_run *run = user_data;
  ++((struct state *)run->state)->operations;
  if (mlirplug_op_is(run, op, ADDITION))
    mlirplug_statistic_add(run, ADDITIONS, 1);
  return MlirWalkResultAdvance;
}

/// What the host has and lacks, and memory.
static mlirplug_status check_services(const mlirplug_run *run,
                                      MlirLocation location) {
  if (!MLIRPLUG_HAS(mlirOperationGetName))
    return mlirplug_fail(run, location, "an optional function is absent");
  if (MLIRPLUG_HAS(mlirNoHostHasThisFunction))
    return mlirplug_fail(run, location, "an absent function is there");
  if (!mlirplug_lookup(run, "mlirContextCreate") ||
      mlirplug_lookup(run, "mlirNoHostHasThisFunction"))
    return mlirplug_fail(run, location, "a lookup gives what it should not");
  const char *memory = mlirplug_allocate(run, 100);
  if (!memory || memory[0] || memory[99])
    return mlirplug_fail(run, location, "no zeroed memory");
  if (mlirplug_is_cancelled(run))
    return MLIRPLUG_FAILED;
  return MLIRPLUG_OK;
}

static mlirplug_status run(const mlirplug_run *run, MlirOperation function) {
  MlirLocation location = mlirOperationGetLocation(function);
  const struct state *state = run->state;
  if (!mlirplug_op_is(run, function, FUNCTION) || !state->initialized)
    return mlirplug_fail(run, location, "not what was asked for");
  if (check_services(run, location) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_statistic_add(run, FUNCTIONS, 1);
  mlirOperationWalk(function, count, (void *)run, MlirWalkPreOrder);
  mlirplug_emit(run, MlirDiagnosticWarning, location, "a warning");
  mlirplug_emit(run, MlirDiagnosticRemark, location, "size %" PRIu64,
                ((const struct options *)run->options)->size);
  mlirplug_json json = mlirplug_json_create(run);
  mlirplug_json_begin_object(&json);
  mlirplug_json_key(&json, mlirplug_json_view("options"));
  write_options(&json, run->options);
  mlirplug_json_end_object(&json);
  return mlirplug_json_record(&json);
}

static mlirplug_status finish(const mlirplug_run *run) {
  mlirplug_json json = mlirplug_json_create(run);
  mlirplug_json_begin_object(&json);
  mlirplug_json_key(&json, mlirplug_json_view("operations"));
  mlirplug_json_unsigned(&json, ((const struct state *)run->state)->operations);
  mlirplug_json_end_object(&json);
  return mlirplug_json_record(&json);
}

static const mlirplug_pass everything = {
    MLIRPLUG_PASS("everything", "Use all there is"),
    .description = "A longer text.",
    .anchor = "func.func",
    .dialects = "arith,func",
    MLIRPLUG_OPTIONS(struct options, options),
    MLIRPLUG_STATISTICS(statistics),
    MLIRPLUG_NAMES(names),
    .create = create,
    .clone = clone,
    .destroy = destroy,
    .initialize = initialize,
    .run = run,
    .merge = merge,
    .finish = finish,
    .reset = reset,
};

//===----------------------------------------------------------------------===//
// A second pass, which fails
//===----------------------------------------------------------------------===//

static mlirplug_status refuse(const mlirplug_run *run, MlirOperation root) {
  return mlirplug_fail(run, mlirOperationGetLocation(root), "refused: %d", 42);
}

static const mlirplug_pass refusing = {
    MLIRPLUG_PASS("refuse", "Fail with an error"),
    .anchor = "builtin.module,func.func",
    .run = refuse,
};

MLIRPLUG_PLUGIN("org.mlirplug.golden.everything", "1.0.0", &everything,
                &refusing);
