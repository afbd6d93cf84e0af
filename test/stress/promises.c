// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What plugin.h promises about threads, by a plugin that relies on it, with all
// that watches a run switched on: each state belongs to one thread at a time,
// what a clone has done is there when it is merged, and all else comes on the
// caller's thread. Made for ThreadSanitizer. Prints nothing when all is well.

#include "support/mlir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODULES ((size_t)4)
#define FUNCTIONS ((size_t)40)
#define RUNS 6

static const char pipeline_text[] =
    "builtin.module(builtin.module(func.func(promise{weight=3},cse,promise),"
    "any(promise-symbols{mark=symbol})))";

__attribute__((noreturn)) static void fail(const char *what,
                                           const mlirplug_error *error) {
  (void)fprintf(stderr, "%s%s%s\n", what, error ? ": " : "",
                error ? error->message : "");
  abort();
}

static char *module_print(void) {
  char *text = malloc(MODULES * (FUNCTIONS + 1) * 256);
  char *end = text;
  if (!text)
    fail("out of memory", NULL);
  end += sprintf(end, "module {\n");
  for (size_t i = 0; i < MODULES; ++i) {
    end += sprintf(end, "module {\n");
    for (size_t j = 0; j < FUNCTIONS; ++j)
      end += sprintf(end,
                     "func.func @f%zu_%zu(%%x: i32) -> i32 {\n"
                     "  %%a = arith.addi %%x, %%x : i32\n"
                     "  %%b = arith.addi %%a, %%x : i32\n"
                     "  return %%b : i32 }\n",
                     i, j);
    end += sprintf(end, "}\n");
  }
  (void)sprintf(end, "}\n");
  return text;
}

/// The order of records is the same in each run.
static void records_check(const struct mlir_session *session, char **first) {
  if (!*first)
    *first = strdup(session->records.bytes);
  if (!*first || strcmp(*first, session->records.bytes) != 0)
    fail("records differ", NULL);
}

static void statistics_check(const mlirplug_manager *manager, size_t run) {
  const size_t all = MODULES * FUNCTIONS;
  const size_t expected[] = {3 * all, 2 * all, all, 2 * all, all, 2 * all};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i)
    if (mlirplug_manager_statistic(manager, i).value != run * expected[i])
      fail("statistics are lost", NULL);
}

static void record_collect(const char *line, size_t length, void *user_data) {
  struct mlir_text *text = user_data;
  char *bytes = realloc(text->bytes, text->length + length + 2);
  if (!bytes)
    fail("out of memory", NULL);
  memcpy(bytes + text->length, line, length);
  text->length += length + 1;
  bytes[text->length - 1] = '\n';
  bytes[text->length] = '\0';
  text->bytes = bytes;
}

static void pipeline_run(const char *text) {
  struct mlir_session session;
  struct mlir_pipeline made;
  char *first = NULL;
  mlir_open(&session, "static", true);
  mlir_add(&session, MLIR_PLUGIN("promise"));
  mlirplug_manager_configuration configuration = {
      .size = sizeof configuration,
      .record = record_collect,
      .user_data = &session.records,
      .verify = true,
      .reproducer = "/nowhere/r.mlir", // is made, and not needed
  };
  if (mlirplug_pipeline_parse(session.host, pipeline_text, &made.pipeline,
                              &session.error) != MLIRPLUG_OK ||
      mlirplug_manager_create(made.pipeline, session.context, &configuration,
                              &made.manager, &session.error) != MLIRPLUG_OK)
    fail("cannot build", session.error);
  MlirModule module = mlir_parse(session.context, text);
  for (size_t run = 1; run <= RUNS; ++run) {
    mlir_clear(&session);
    if (mlirplug_manager_run(made.manager, mlirModuleGetOperation(module), "x",
                             &session.error) != MLIRPLUG_OK)
      fail("cannot run", session.error);
    records_check(&session, &first);
    statistics_check(made.manager, run);
  }
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
  mlir_close(&session);
  free(first);
}

int main(void) {
  char *text = module_print();
  pipeline_run(text);
  free(text);
  return 0;
}
