// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that rely on all that plugin.h promises about threads: their state is
// plain memory without a lock, and they abort if a callback comes on another
// thread than it should.

#include <mlirplug/ir/Attribute.h>
#include <mlirplug/ir/BuiltinAttributes.h>
#include <mlirplug/ir/Context.h>
#include <mlirplug/ir/OperationMore.h>
#include <mlirplug/plugin.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
  int64_t weight;
  const char *mark;
};

static const mlirplug_option options[] = {
    MLIRPLUG_INT(struct options, weight, "weight", 1, "What each run counts"),
    MLIRPLUG_STRING(struct options, mark, "mark", "seen", "The attribute"),
};

static const mlirplug_statistic statistics[] = {
    {"runs", "Weighted runs"},
    {"additions", "arith.addi"},
};

static const char *const names[] = {"arith.addi"};

/// Nothing here is atomic.
struct state {
  pthread_t caller; ///< Who builds and runs the pipeline.
  uint64_t runs;
  uint64_t additions;
  bool ready; ///< `initialize` was here.
  bool busy;
};

static void require(bool condition, const char *what) {
  if (condition)
    return;
  (void)fprintf(stderr, "promise: %s\n", what);
  abort();
}

static void require_caller(const struct state *state, const char *what) {
  require(pthread_equal(state->caller, pthread_self()), what);
}

static void *create(const mlirplug_run *run) {
  (void)run;
  struct state *state = calloc(1, sizeof *state);
  if (state)
    state->caller = pthread_self();
  return state;
}

static void *copy(const mlirplug_run *run) {
  const struct state *from = run->state;
  struct state *state = malloc(sizeof *state);
  if (state)
    *state = *from;
  return state;
}

static void destroy(void *state) { free(state); }

static mlirplug_status initialize(const mlirplug_run *run,
                                  MlirContext context) {
  struct state *state = run->state;
  require_caller(state, "initialized on another thread");
  require(context.ptr, "initialized without a context");
  state->ready = true;
  return MLIRPLUG_OK;
}

static MlirWalkResult operation_visit(MlirOperation operation, void *data) {
  const mlirplug_run *run = data;
  struct state *state = run->state;
  if (mlirplug_op_is(run, operation, 0)) {
    ++state->additions;
    mlirplug_statistic_add(run, 1, 1);
  }
  return MlirWalkResultAdvance;
}

/// Every service, and a change inside of the root.
static mlirplug_status services_use(const mlirplug_run *run,
                                    MlirOperation root) {
  const struct options *values = run->options;
  MlirContext context = mlirOperationGetContext(root);
  char *text = mlirplug_allocate(run, 64);
  if (!text || mlirplug_is_cancelled(run) ||
      !mlirplug_lookup(run, "mlirOperationGetName"))
    return MLIRPLUG_FAILED;
  (void)snprintf(text, 64, "{\"weight\": %d}", (int)values->weight);
  mlirOperationSetAttributeByName(root,
                                  mlirStringRefCreateFromCString(values->mark),
                                  mlirUnitAttrGet(context));
  mlirplug_statistic_add(run, 0, (uint64_t)values->weight);
  mlirplug_emit(run, MlirDiagnosticRemark, mlirOperationGetLocation(root),
                "weighs %d", (int)values->weight);
  return mlirplug_record_write(run, mlirStringRefCreateFromCString(text));
}

static mlirplug_status visit(const mlirplug_run *run, MlirOperation root) {
  struct state *state = run->state;
  require(state->ready, "run without being initialized");
  require(!state->busy, "run on two threads at once");
  state->busy = true;
  ++state->runs;
  mlirOperationWalk(root, operation_visit, (void *)run, MlirWalkPreOrder);
  mlirplug_status status = services_use(run, root);
  state->busy = false;
  return status;
}

static void merge(void *into, const void *from) {
  struct state *sum = into;
  const struct state *part = from;
  require_caller(sum, "merged on another thread");
  require(!part->busy && !sum->busy, "merged while it ran");
  sum->runs += part->runs;
  sum->additions += part->additions;
}

static mlirplug_status finish(const mlirplug_run *run) {
  const struct state *state = run->state;
  require_caller(state, "finished on another thread");
  char text[96];
  int length = snprintf(text, sizeof text, "{\"runs\": %d, \"additions\": %d}",
                        (int)state->runs, (int)state->additions);
  return mlirplug_record_write(run, (MlirStringRef){text, (size_t)length});
}

static void reset(void *state) {
  struct state *instance = state;
  require_caller(instance, "made ready on another thread");
  require(!instance->busy, "made ready while it ran");
  instance->runs = instance->additions = 0;
}

#define PROMISE                                                                \
  MLIRPLUG_OPTIONS(struct options, options), MLIRPLUG_STATISTICS(statistics),  \
      MLIRPLUG_NAMES(names), .create = create, .clone = copy,                  \
      .destroy = destroy, .initialize = initialize, .run = visit,              \
      .merge = merge, .finish = finish, .reset = reset

static const mlirplug_pass promise = {
    MLIRPLUG_PASS("promise", "Relies on promises"),
    .anchor = "func.func",
    PROMISE,
};

static const mlirplug_pass promise_symbols = {
    MLIRPLUG_PASS("promise-symbols", "The same on all symbols"),
    .anchor = "@symbol",
    PROMISE,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.promise", "1.0.0", &promise,
                &promise_symbols);
