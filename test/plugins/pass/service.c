// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that use what a run offers: options, memory, statistics, names.

#include <mlirplug/plugin.h>

#include <mlirplug/json.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

/// For the test that cancels: set while `wait` runs.
extern atomic_bool service_is_waiting;
__attribute__((visibility("default"))) atomic_bool service_is_waiting;

static mlirplug_status write_key(const mlirplug_run *run, const char *key,
                                 const char *value) {
  mlirplug_json json = mlirplug_json_create(run);
  mlirplug_json_begin_object(&json);
  mlirplug_json_key(&json, mlirplug_json_view(key));
  mlirplug_json_string(&json, mlirplug_json_view(value));
  mlirplug_json_end_object(&json);
  return mlirplug_json_record(&json);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

struct all_options {
  bool flag;
  int64_t number;
  uint64_t natural;
  double real;
  const char *text;
  int64_t mode;
  mlirplug_string_list names;
};

static const mlirplug_option all_options[] = {
    MLIRPLUG_BOOL(struct all_options, flag, "flag", false, "A bool"),
    MLIRPLUG_INT(struct all_options, number, "number", -1, "An integer"),
    MLIRPLUG_UINT(struct all_options, natural, "natural", 7, "A natural"),
    MLIRPLUG_DOUBLE(struct all_options, real, "real", 0.5, "A real"),
    MLIRPLUG_STRING(struct all_options, text, "text", "default", "A text"),
    MLIRPLUG_ENUM(struct all_options, mode, "mode", "fast,exact", 0, "A mode"),
    MLIRPLUG_STRINGS(struct all_options, names, "names", "", "Names"),
};

static mlirplug_status show_options(const mlirplug_run *run,
                                    MlirOperation root) {
  (void)root;
  const struct all_options *options = run->options;
  char text[512];
  int length =
      snprintf(text, sizeof text, "%d %lld %llu %g %s %lld", options->flag,
               (long long)options->number, (unsigned long long)options->natural,
               options->real, options->text, (long long)options->mode);
  for (uint64_t i = 0; i < options->names.count; ++i)
    length += snprintf(text + length, sizeof text - (size_t)length, " %s",
                       options->names.values[i]);
  return write_key(run, "options", text);
}

static const mlirplug_pass options_pass = {
    MLIRPLUG_PASS("options", "Shows its options"),
    MLIRPLUG_OPTIONS(struct all_options, all_options),
    .run = show_options,
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static mlirplug_status use_memory(const mlirplug_run *run, MlirOperation root) {
  for (size_t size = 0; size < 20000; size = size * 2 + 3) {
    unsigned char *memory = mlirplug_allocate(run, size);
    if (!memory || (uintptr_t)memory % _Alignof(max_align_t) != 0)
      return mlirplug_fail(run, mlirOperationGetLocation(root),
                           "%zu bytes at %p", size, (void *)memory);
    for (size_t i = 0; i < size; ++i) {
      if (memory[i] != 0)
        return mlirplug_fail(run, mlirOperationGetLocation(root),
                             "byte %zu of %zu is not zero", i, size);
      memory[i] = 0xff;
    }
  }
  if (mlirplug_allocate(run, SIZE_MAX))
    return MLIRPLUG_FAILED;
  return write_key(run, "memory", "good");
}

static const mlirplug_pass memory_pass = {
    MLIRPLUG_PASS("memory", "Checks the memory of a run"),
    .run = use_memory,
};

//===----------------------------------------------------------------------===//
// Statistics and names
//===----------------------------------------------------------------------===//

enum { FUNCTION, RETURN, ADDITION, SPECIAL };
static const char *const names[] = {"func.func", "func.return", "arith.addi",
                                    "test.unregistered"};
static const mlirplug_statistic name_statistics[] = {
    {"functions", "func.func"},
    {"returns", "func.return"},
    {"additions", "arith.addi"},
    {"specials", "test.unregistered"},
};

static MlirWalkResult count_name(MlirOperation op, void *user_data) {
  const mlirplug_run *run = user_data;
  for (uint64_t i = 0; i < MLIRPLUG_COUNT(names); ++i)
    if (mlirplug_op_is(run, op, i))
      mlirplug_statistic_add(run, i, 1);
  return MlirWalkResultAdvance;
}

static mlirplug_status count_names(const mlirplug_run *run,
                                   MlirOperation root) {
  mlirOperationWalk(root, count_name, (void *)run, MlirWalkPreOrder);
  return MLIRPLUG_OK;
}

static const mlirplug_pass names_pass = {
    MLIRPLUG_PASS("count-names", "Counts operations by identifier"),
    MLIRPLUG_NAMES(names),
    MLIRPLUG_STATISTICS(name_statistics),
    .run = count_names,
};

static mlirplug_status count_outside(const mlirplug_run *run,
                                     MlirOperation root) {
  (void)root;
  mlirplug_statistic_add(run, MLIRPLUG_COUNT(name_statistics), 1);
  return MLIRPLUG_OK;
}

static const mlirplug_pass outside_pass = {
    MLIRPLUG_PASS("count-outside", "Counts what it has not declared"),
    MLIRPLUG_STATISTICS(name_statistics),
    .run = count_outside,
};

//===----------------------------------------------------------------------===//
// Waiting and looking up
//===----------------------------------------------------------------------===//

static mlirplug_status wait_for_end(const mlirplug_run *run,
                                    MlirOperation root) {
  (void)root;
  atomic_store(&service_is_waiting, true);
  while (!mlirplug_is_cancelled(run))
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  atomic_store(&service_is_waiting, false);
  return MLIRPLUG_OK;
}

static const mlirplug_pass wait_pass = {
    MLIRPLUG_PASS("wait", "Waits until the run is cancelled"),
    .run = wait_for_end,
};

static mlirplug_status look_up(const mlirplug_run *run, MlirOperation root) {
  (void)root;
  bool knows = mlirplug_lookup(run, "mlirLLVMPointerTypeGet") != NULL;
  bool invents =
      mlirplug_lookup(run, "mlirNowhereGet") || mlirplug_lookup(run, "malloc");
  return write_key(run, "lookup", knows && !invents ? "good" : "bad");
}

static const mlirplug_pass lookup_pass = {
    MLIRPLUG_PASS("lookup", "Looks functions up"),
    .run = look_up,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.service", "1.0.0", &options_pass,
                &memory_pass, &names_pass, &outside_pass, &wait_pass,
                &lookup_pass);
