// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static mlirplug_host *host;
static mlirplug_error *error;

static void create(void) {
  cr_assert_eq(mlirplug_host_create(NULL, &host, &error), MLIRPLUG_OK);
}

static void release(void) {
  mlirplug_error_destroy(error);
  mlirplug_host_destroy(host);
}

/// Attaching `library` fails, and the message says all of `parts`.
static void expect_refused(const char *library, const char *const *parts) {
  cr_assert_eq(mlirplug_host_attach_library(host, library, &error),
               MLIRPLUG_FAILED);
  for (; *parts; ++parts)
    cr_expect(strstr(error->message, *parts), "'%s' is not in: %s", *parts,
              error->message);
  cr_expect_null(mlirplug_host_provider(host));
}

//===----------------------------------------------------------------------===//
// Attaching MLIR
//===----------------------------------------------------------------------===//

TestSuite(attaching_mlir, .init = create, .fini = release);

static void expect_attached(const char *kind, const char *file) {
  cr_expect_null(mlirplug_host_provider(host));
  cr_assert_eq(mlirplug_host_attach_library(host, kind, &error), MLIRPLUG_OK,
               "%s", error ? error->message : "");
  const char *shown = mlirplug_host_provider(host);
  cr_expect_eq(strncmp(shown, "MLIR 22.", 8), 0, "%s", shown);
  cr_expect(strstr(shown, file), "%s", shown);
}

Test(attaching_mlir, static_provider_tells_version_and_file) {
  expect_attached("static", "/mlirplug/libmlirplug-mlir22.so)");
}

Test(attaching_mlir, shared_provider_tells_version_and_file) {
  expect_attached("shared", "/mlirplug/libmlirplug-mlir22-shared.so)");
}

Test(attaching_mlir, provider_can_be_given_as_a_path) {
  expect_attached(MLIRPLUG_BUILD_DIRECTORY
                  "/lib/mlirplug/libmlirplug-mlir22-shared.so",
                  "libmlirplug-mlir22-shared.so");
}

Test(attaching_mlir, unknown_kind_is_refused_with_the_kinds_there_are) {
  expect_refused("dynamic", (const char *const[]){
                                "cannot attach the provider 'dynamic'",
                                "static, shared, or a path", "./", NULL});
}

Test(attaching_mlir, missing_file_is_refused_by_name) {
  expect_refused("/nowhere/libmlir.so",
                 (const char *const[]){"/nowhere/libmlir.so",
                                       "No such file or directory", NULL});
}

Test(attaching_mlir, file_that_is_no_library_is_refused_by_name) {
  expect_refused("/etc/passwd",
                 (const char *const[]){"/etc/passwd", "C API of MLIR", NULL});
}

Test(attaching_mlir, library_without_the_c_api_is_refused) {
  struct command_result found = command_shell(
      "cc -print-file-name=libm.so.6 | xargs readlink -f | tr -d '\\n'");
  expect_refused(
      found.output,
      (const char *const[]){found.output, "it exports no C API of MLIR", NULL});
  command_release(&found);
}

Test(attaching_mlir, second_provider_is_refused_with_the_first_one) {
  cr_assert_eq(mlirplug_host_attach_library(host, "static", &error),
               MLIRPLUG_OK);
  cr_assert_eq(mlirplug_host_attach_library(host, "shared", &error),
               MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, "libmlirplug-mlir22.so"), "%s",
            error->message);
  cr_expect(strstr(error->message, "another host"), "%s", error->message);
}

//===----------------------------------------------------------------------===//
// The host's own imports
//===----------------------------------------------------------------------===//

TestSuite(host_imports, .init = create, .fini = release);

Test(host_imports, are_refused_before_a_provider_is_attached) {
  mlirplug_import import = {"mlirContextCreate", NULL};
  cr_assert_eq(mlirplug_host_bind(host, &import, &import + 1, &error),
               MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, "mlirplug_host_attach_library"), "%s",
            error->message);
  cr_expect_null(import.function);
}

Test(host_imports, unknown_one_is_refused_by_name_and_nothing_is_filled) {
  cr_assert_eq(mlirplug_host_attach_library(host, "static", &error),
               MLIRPLUG_OK);
  mlirplug_import imports[] = {{"mlirContextCreate", NULL},
                               {"mlirNowhereGet", NULL}};
  cr_assert_eq(mlirplug_host_bind(host, imports, imports + 2, &error),
               MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, "mlirNowhereGet"), "%s", error->message);
  cr_expect(strstr(error->message, "MLIR 22."), "%s", error->message);
  cr_expect_null(imports[0].function);
}

Test(host_imports, optional_one_that_is_not_there_is_null) {
  cr_assert_eq(mlirplug_host_attach_library(host, "static", &error),
               MLIRPLUG_OK);
  mlirplug_import imports[] = {{"?mlirContextCreate", NULL},
                               {"?mlirNowhereGet", NULL}};
  cr_assert_eq(mlirplug_host_bind(host, imports, imports + 2, &error),
               MLIRPLUG_OK);
  cr_expect_not_null(imports[0].function);
  cr_expect_null(imports[1].function);
}

Test(host_imports, one_optional_mention_makes_all_of_that_name_optional) {
  cr_assert_eq(mlirplug_host_attach_library(host, "static", &error),
               MLIRPLUG_OK);
  mlirplug_import imports[] = {{"mlirNowhereGet", NULL},
                               {"?mlirNowhereGet", NULL}};
  cr_assert_eq(mlirplug_host_bind(host, imports, imports + 2, &error),
               MLIRPLUG_OK);
  cr_expect_null(imports[1].function);
}

Test(host_imports, services_of_a_run_cannot_be_had) {
  cr_assert_eq(mlirplug_host_attach_library(host, "static", &error),
               MLIRPLUG_OK);
  mlirplug_import import = {"mlirplug_record_write", NULL};
  cr_expect_eq(mlirplug_host_bind(host, &import, &import + 1, &error),
               MLIRPLUG_FAILED);
}

//===----------------------------------------------------------------------===//
// What the embedder is told
//===----------------------------------------------------------------------===//

Test(host_log, names_provider_plugin_pipeline_and_image) {
  struct mlir_session session;
  mlir_open(&session, "static", false);
  char *said = strdup(session.log.bytes);
  cr_expect(strstr(said, "attached MLIR 22."), "%s", said);
  free(said);
  mlir_add(&session, MLIR_PLUGIN("anchor"));
  mlir_add(&session, MLIR_PLUGIN("anchor"));
  cr_expect(strstr(session.log.bytes, "read " MLIR_PLUGIN("anchor")));
  cr_expect(strstr(session.log.bytes, "org.mlirplug.test.anchor 1.0.0"));
  cr_expect(
      strstr(session.log.bytes, MLIR_PLUGIN("anchor") " is already there"));
  cr_assert_eq(mlir_run(&session, "builtin.module(anything)", "module {}"),
               MLIRPLUG_OK);
  cr_expect(strstr(session.log.bytes, "pipeline: builtin.module(anything)"));
  cr_expect(strstr(session.log.bytes,
                   "pass anything: runs from " MLIR_PLUGIN("anchor")));
  mlir_close(&session);
}

static void line_count(const char *line, void *count) {
  (void)line;
  ++*(int *)count;
}

Test(host_log, callbacks_beyond_the_size_that_is_given_are_not_looked_at) {
  int lines = 0;
  mlirplug_host_configuration configuration = {
      .size = offsetof(mlirplug_host_configuration, log),
      .log = line_count,
      .user_data = &lines};
  cr_assert_eq(mlirplug_host_create(&configuration, &host, NULL), MLIRPLUG_OK);
  cr_assert_eq(
      mlirplug_host_add_plugin(host, MLIR_PLUGIN("anchor"), NULL, NULL),
      MLIRPLUG_OK);
  cr_expect_eq(lines, 0);
  mlirplug_host_destroy(host);
}

Test(host_log, tells_what_is_odd_about_a_plugin) {
  struct mlir_session session;
  mlir_open(&session, "static", false);
  mlir_clear(&session);
  mlir_add(&session, MLIR_PLUGIN("state"));
  cr_expect(strstr(session.log.bytes, "state_counts"), "%s", session.log.bytes);
  mlir_close(&session);
}
