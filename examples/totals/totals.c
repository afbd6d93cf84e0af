// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// totals: how many operations the functions of an input have, all together.

#include <mlirplug/json.h>

#include <stdlib.h>

// The state is one number.
static void *create(const mlirplug_run *run) {
  (void)run;
  return calloc(1, sizeof(uint64_t));
}
static void *clone(const mlirplug_run *run) {
  uint64_t *copy = create(run);
  if (copy)
    *copy = *(const uint64_t *)run->state;
  return copy;
}
static void destroy(void *state) { free(state); }
static void reset(void *state) { *(uint64_t *)state = 0; }
static void merge(void *into, const void *from) {
  *(uint64_t *)into += *(const uint64_t *)from;
}

static MlirWalkResult count(MlirOperation op, void *operations) {
  (void)op;
  ++*(uint64_t *)operations;
  return MlirWalkResultAdvance;
}

static mlirplug_status run(const mlirplug_run *run, MlirOperation function) {
  mlirOperationWalk(function, count, run->state, MlirWalkPreOrder);
  mlirplug_statistic_add(run, 0, 1);
  return MLIRPLUG_OK;
}

static mlirplug_status finish(const mlirplug_run *run) {
  mlirplug_json json = mlirplug_json_create(run);
  mlirplug_json_begin_object(&json);
  mlirplug_json_key(&json, mlirplug_json_view("operations"));
  mlirplug_json_unsigned(&json, *(const uint64_t *)run->state);
  mlirplug_json_end_object(&json);
  return mlirplug_json_record(&json);
}

static const mlirplug_statistic statistics[] = {
    {"functions", "Functions looked at, in all inputs"}};
static const mlirplug_pass totals = {
    MLIRPLUG_PASS("totals", "Count the operations of an input's functions"),
    .anchor = "func.func",
    MLIRPLUG_STATISTICS(statistics),
    .create = create,
    .clone = clone,
    .destroy = destroy,
    .run = run,
    .merge = merge,
    .finish = finish,
    .reset = reset};
MLIRPLUG_PLUGIN("org.example.totals", "1.0.0", &totals);
