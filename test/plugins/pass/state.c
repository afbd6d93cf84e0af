// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes with state: how it is made, copied, merged, reset and freed.

#include "state.h"

#include <mlirplug/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern struct state_counts state_counts;
__attribute__((visibility("default"))) struct state_counts state_counts;

struct state {
  uint64_t runs;
  bool ready; // set by `initialize`, which clones do not see
};

static void *create(const mlirplug_run *run) {
  (void)run;
  ++state_counts.created;
  return calloc(1, sizeof(struct state));
}

static void *clone(const mlirplug_run *run) {
  const struct state *from = run->state;
  struct state *copy = malloc(sizeof *copy);
  if (copy)
    *copy = *from;
  ++state_counts.cloned;
  return copy;
}

static void destroy(void *state) {
  ++state_counts.destroyed;
  free(state);
}

static mlirplug_status initialize(const mlirplug_run *run,
                                  MlirContext context) {
  (void)context;
  struct state *state = run->state;
  state->ready = true;
  ++state_counts.initialized;
  return MLIRPLUG_OK;
}

static mlirplug_status count(const mlirplug_run *run, MlirOperation root) {
  struct state *state = run->state;
  if (!state->ready)
    return mlirplug_fail(run, mlirOperationGetLocation(root),
                         "runs without being initialized");
  usleep(200); // so that other threads get their share
  ++state->runs;
  mlirplug_statistic_add(run, 0, 1);
  return MLIRPLUG_OK;
}

static void merge(void *into, const void *from) {
  ++state_counts.merged;
  ((struct state *)into)->runs += ((const struct state *)from)->runs;
}

static mlirplug_status finish(const mlirplug_run *run) {
  const struct state *state = run->state;
  ++state_counts.finished;
  char text[64];
  int length = snprintf(text, sizeof text, "{\"runs\": %llu}",
                        (unsigned long long)state->runs);
  return mlirplug_record_write(run, (MlirStringRef){text, (size_t)length});
}

static void reset(void *state) {
  ++state_counts.reset;
  ((struct state *)state)->runs = 0;
}

static const mlirplug_statistic statistics[] = {
    {"runs", "How often the pass ran"},
};

static const mlirplug_pass count_pass = {
    MLIRPLUG_PASS("count", "Counts its runs"),
    .anchor = "func.func",
    MLIRPLUG_STATISTICS(statistics),
    .create = create,
    .clone = clone,
    .destroy = destroy,
    .initialize = initialize,
    .run = count,
    .merge = merge,
    .finish = finish,
    .reset = reset,
};

//===----------------------------------------------------------------------===//
// Passes that cannot
//===----------------------------------------------------------------------===//

static void *fail_to_create(const mlirplug_run *run) {
  (void)run;
  return NULL;
}

static const mlirplug_pass fail_create = {
    MLIRPLUG_PASS("fail-create", "Cannot make its state"),
    .create = fail_to_create,
    .clone = clone,
    .destroy = destroy,
    .run = count,
};

static void *fail_to_clone(const mlirplug_run *run) {
  if (!run->state)
    abort(); // a clone that failed was cloned
  return NULL;
}

static const mlirplug_pass fail_clone = {
    MLIRPLUG_PASS("fail-clone", "Cannot copy its state"),
    .anchor = "func.func",
    .create = create,
    .clone = fail_to_clone,
    .destroy = destroy,
    .initialize = initialize,
    .run = count,
    MLIRPLUG_STATISTICS(statistics),
};

MLIRPLUG_PLUGIN("org.mlirplug.test.state", "1.0.0", &count_pass, &fail_create,
                &fail_clone);
