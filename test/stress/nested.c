// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on many functions in nested modules, on the threads of MLIR: state,
// statistics, records, diagnostics and a cancellation at any moment. Made for
// ThreadSanitizer. Prints nothing when all is well.

#include "support/mlir.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MODULES ((size_t)4)
#define FUNCTIONS ((size_t)50)
#define RUNS 5
#define CANCELLED_RUNS 20

static const char pipeline_text[] =
    "builtin.module(builtin.module(func.func(count,record-name,"
    "say{severity=1},memory)))";

__attribute__((noreturn)) static void fail(const char *what) {
  (void)fprintf(stderr, "%s\n", what);
  abort();
}

static char *module_print(void) {
  char *text = malloc(MODULES * (FUNCTIONS + 1) * 64);
  char *end = text;
  if (!text)
    fail("out of memory");
  end += sprintf(end, "module {\n");
  for (size_t i = 0; i < MODULES; ++i) {
    end += sprintf(end, "module {\n");
    for (size_t j = 0; j < FUNCTIONS; ++j)
      end += sprintf(end, "func.func private @f%zu_%zu()\n", i, j);
    end += sprintf(end, "}\n");
  }
  (void)sprintf(end, "}\n");
  return text;
}

static size_t lines_count(const char *text) {
  size_t count = 0;
  for (; (text = strchr(text, '\n')); ++text)
    ++count;
  return count;
}

struct cancellation {
  mlirplug_manager *manager;
  long nanoseconds; // to wait before
};

static void *cancel(void *user_data) {
  const struct cancellation *cancellation = user_data;
  nanosleep(&(struct timespec){.tv_nsec = cancellation->nanoseconds}, NULL);
  mlirplug_manager_cancel(cancellation->manager);
  return NULL;
}

/// Every function has its record parts, its memory and its warning.
static void runs_check(struct mlir_session *session, mlirplug_manager *manager,
                       MlirOperation root) {
  const size_t all = MODULES * FUNCTIONS;
  for (size_t run = 1; run <= RUNS; ++run) {
    mlir_clear(session);
    if (mlirplug_manager_run(manager, root, NULL, NULL) != MLIRPLUG_OK)
      fail("a pass failed");
    if (lines_count(session->records.bytes) != 3 * all + 2)
      fail("records are lost");
    if (lines_count(session->diagnostics.bytes) != all)
      fail("warnings are lost");
    if (mlirplug_manager_statistic(manager, 0).value != run * all)
      fail("statistics are lost");
  }
}

static void runs_cancel(mlirplug_manager *manager, MlirOperation root) {
  for (int run = 0; run < CANCELLED_RUNS; ++run) {
    pthread_t thread;
    struct cancellation cancellation = {manager, 200000L * run};
    if (pthread_create(&thread, NULL, cancel, &cancellation) != 0)
      fail("cannot make a thread");
    (void)mlirplug_manager_run(manager, root, NULL, NULL);
    pthread_join(thread, NULL);
  }
}

int main(void) {
  struct mlir_session session;
  struct mlir_pipeline made;
  mlir_open(&session, "static", true);
  mlir_add(&session, MLIR_PLUGIN("state"));
  mlir_add(&session, MLIR_PLUGIN("record"));
  mlir_add(&session, MLIR_PLUGIN("diagnose"));
  mlir_add(&session, MLIR_PLUGIN("service"));
  if (mlir_pipeline_create(&session, pipeline_text, true, &made) != MLIRPLUG_OK)
    fail(mlir_message(&session));
  char *text = module_print();
  MlirModule module = mlir_parse(session.context, text);
  runs_check(&session, made.manager, mlirModuleGetOperation(module));
  runs_cancel(made.manager, mlirModuleGetOperation(module));
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
  mlir_close(&session);
  free(text);
  return 0;
}
