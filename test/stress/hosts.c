// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many threads, each with hosts and contexts of its own, that add the same
// plugins, build and run at once; and all of them on one host. Made for
// ThreadSanitizer. Prints nothing when all is well.

#include "support/mlir.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 8
#define ROUNDS 6

static struct mlir_session shared; // its host is used by all

static const char pipeline_text[] =
    "builtin.module(func.func(count,canonicalize),count-names,record-text)";

static const char module_text[] = "module { func.func @f(%x: i32) -> i32 {\n"
                                  "  %a = arith.addi %x, %x : i32\n"
                                  "  return %a : i32 }\n"
                                  "  func.func private @d() }";

static const char *const plugins[] = {
    MLIR_PLUGIN("state"), MLIR_PLUGIN("service"), MLIR_PLUGIN("record")};

__attribute__((noreturn)) static void fail(const char *what,
                                           const mlirplug_error *error) {
  (void)fprintf(stderr, "%s: %s\n", what, error ? error->message : "");
  abort();
}

static void count_record(const char *line, size_t length, void *count) {
  (void)line;
  (void)length;
  ++*(size_t *)count;
}

static void plugins_add(mlirplug_host *host) {
  mlirplug_error *error = NULL;
  for (size_t i = 0; i < sizeof plugins / sizeof *plugins; ++i)
    if (mlirplug_host_add_plugin(host, plugins[i], NULL, &error) != MLIRPLUG_OK)
      fail("cannot add", error);
  if (!mlirplug_host_find_pass(host, "count", NULL) ||
      mlirplug_host_plugin_count(host) != sizeof plugins / sizeof *plugins ||
      !mlirplug_host_plugin(host, 0))
    fail("plugins are lost", NULL);
}

/// One pipeline on `host`, in a context of its own, run twice.
static void pipeline_run(mlirplug_host *host, bool threads) {
  mlirplug_error *error = NULL;
  mlirplug_pipeline *pipeline;
  mlirplug_manager *manager;
  size_t records = 0;
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .record = count_record,
                                                  .user_data = &records,
                                                  .verify = true};
  MlirContext context = mlir_context_create(threads);
  if (mlirplug_pipeline_parse(host, pipeline_text, &pipeline, &error) !=
          MLIRPLUG_OK ||
      mlirplug_manager_create(pipeline, context, &configuration, &manager,
                              &error) != MLIRPLUG_OK)
    fail("cannot build", error);
  MlirModule module = mlir_parse(context, module_text);
  for (int run = 0; run < 2; ++run)
    if (mlirplug_manager_run(manager, mlirModuleGetOperation(module), "x.mlir",
                             &error) != MLIRPLUG_OK)
      fail("cannot run", error);
  if (records != 4 || mlirplug_manager_statistic(manager, 0).value != 4)
    fail("records or statistics are lost", NULL);
  mlirModuleDestroy(module);
  mlirplug_manager_destroy(manager);
  mlirplug_pipeline_destroy(pipeline);
  mlirContextDestroy(context);
}

static void *work(void *number) {
  bool threads = *(const int *)number % 2 == 0;
  for (int round = 0; round < ROUNDS; ++round) {
    mlirplug_error *error = NULL;
    mlirplug_host *host;
    if (mlirplug_host_create(NULL, &host, &error) != MLIRPLUG_OK ||
        mlirplug_host_attach_library(host, "static", &error) != MLIRPLUG_OK)
      fail("cannot attach", error);
    plugins_add(host);
    pipeline_run(host, threads);
    mlirplug_host_destroy(host);
    plugins_add(shared.host);
    pipeline_run(shared.host, threads);
  }
  return NULL;
}

int main(void) {
  mlir_open(&shared, "static", false);
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i]) != 0)
      fail("cannot make a thread", NULL);
  }
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  mlir_close(&shared);
  return 0;
}
