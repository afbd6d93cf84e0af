// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one copy of MLIR has made is refused by a host on another.

#include "provider/owner.h"

#include "provider_files.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mlir_session one, other, hidden;
static char *directory;
static struct mlir_session *const sessions[] = {&one, &other, &hidden};

enum { SESSIONS = sizeof sessions / sizeof *sessions };

static void sessions_open(void) {
  char path[4096];
  directory = directory_create();
  (void)snprintf(path, sizeof path, "%s/hidden.so", directory);
  provider_copy_hidden(path, NULL);
  mlir_open(&one, "static", true);
  mlir_open(&other, "shared", false);
  mlir_open(&hidden, path, true); // on the same libMLIR.so as "shared"
  for (size_t i = 0; i < SESSIONS; ++i)
    mlir_add(sessions[i], MLIR_PLUGIN("anchor"));
}

static void sessions_close(void) {
  for (size_t i = 0; i < SESSIONS; ++i)
    mlir_close(sessions[i]);
  free(directory);
}

TestSuite(owner, .init = sessions_open, .fini = sessions_close, .timeout = 120);

static bool is_same_copy(size_t i, size_t j) { return (i == 0) == (j == 0); }

static struct mlir_pipeline pipeline_make(struct mlir_session *session,
                                          MlirContext context,
                                          mlirplug_status expected) {
  struct mlir_pipeline made = {0};
  cr_assert_eq(mlirplug_pipeline_parse(session->host,
                                       "builtin.module(anything)",
                                       &made.pipeline, &session->error),
               MLIRPLUG_OK);
  cr_expect_eq(mlirplug_manager_create(made.pipeline, context, NULL,
                                       &made.manager, &session->error),
               expected, "%s", mlir_message(session));
  return made;
}

static void expect_said(struct mlir_session *session, const char *doing) {
  const char *message = mlir_message(session);
  const char *maker = session == &one ? "libMLIR.so" : "libmlirplug-mlir22.so";
  cr_expect(strstr(message, doing), "%s", message);
  cr_expect(strstr(message, "it was made by the MLIR in '"), "%s", message);
  cr_expect(strstr(message, maker), "%s", message);
  cr_expect(strstr(message, mlirplug_host_provider(session->host)), "%s",
            message);
  mlirplug_error_destroy(session->error);
  session->error = NULL;
}

Test(owner, of_a_context_is_told) {
  for (size_t i = 0; i < SESSIONS; ++i)
    for (size_t j = 0; j < SESSIONS; ++j) {
      mlirplug_status expected =
          is_same_copy(i, j) ? MLIRPLUG_OK : MLIRPLUG_FAILED;
      struct mlir_pipeline made =
          pipeline_make(sessions[i], sessions[j]->context, expected);
      if (expected != MLIRPLUG_OK)
        expect_said(sessions[i], "cannot use the context for "
                                 "'builtin.module(anything)'");
      mlir_pipeline_destroy(&made);
    }
}

Test(owner, of_an_operation_is_told) {
  for (size_t i = 0; i < SESSIONS; ++i)
    for (size_t j = 0; j < SESSIONS; ++j) {
      mlirplug_status expected =
          is_same_copy(i, j) ? MLIRPLUG_OK : MLIRPLUG_FAILED;
      if (expected == MLIRPLUG_OK && i != j)
        continue; // another context
      mlir_use(sessions[j]);
      MlirModule module = mlir_parse(sessions[j]->context, "module {}");
      MlirOperation root = mlirModuleGetOperation(module);
      struct mlir_pipeline made =
          pipeline_make(sessions[i], sessions[i]->context, MLIRPLUG_OK);
      cr_expect_eq(mlirplug_manager_run(made.manager, root, "input",
                                        &sessions[i]->error),
                   expected);
      if (expected != MLIRPLUG_OK)
        expect_said(sessions[i], "cannot run the pipeline on 'input'");
      mlir_pipeline_destroy(&made);
      mlirModuleDestroy(module);
    }
}

/// Whatever it is, looking at it does no harm.
Test(owner, of_anything_else_is_left_open) {
  struct library library = {0};
  struct error_buffer reason = {{0}};
  uintptr_t words[4096];
  for (size_t i = 0; i < 4096; ++i)
    words[i] = (uintptr_t)&words[(i * 7919) % 4096];
  const void *const things[] = {NULL,
                                (const void *)8,
                                (const void *)UINTPTR_MAX,
                                (const void *)-4096L,
                                words,
                                &words[4095],
                                "text",
                                stdout,
                                &library};
  for (size_t i = 0; i < sizeof things / sizeof *things; ++i)
    cr_expect(owner_check_context(&library, things[i], &reason) &&
                  owner_check_operation(&library, things[i], &reason),
              "%zu: %s", i, reason.bytes);
}
