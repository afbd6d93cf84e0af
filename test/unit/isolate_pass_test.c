// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Isolation as a program that embeds the library has it.

#include "host/host.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COMMAND MLIRPLUG_BUILD_DIRECTORY "/bin/mlirplug"

static struct mlir_session session;
static mlirplug_pipeline *pipeline;
static mlirplug_manager *manager;
static MlirModule module;
static char *directory;

static void record_add(const char *line, size_t length, void *user_data) {
  (void)user_data;
  cr_assert_eq(strlen(line), length);
  char *bytes =
      realloc(session.records.bytes, session.records.length + length + 2);
  cr_assert(bytes);
  session.records.bytes = bytes;
  memcpy(session.records.bytes + session.records.length, line, length);
  session.records.length += length + 1;
  session.records.bytes[session.records.length - 1] = '\n';
  session.records.bytes[session.records.length] = '\0';
}

static void session_open(void) {
  mlir_open(&session, "static", true);
  mlir_add(&session, MLIR_PLUGIN("fault"));
  directory = directory_create();
}

static void session_close(void) {
  mlirplug_manager_destroy(manager);
  mlirplug_pipeline_destroy(pipeline);
  if (module.ptr)
    mlirModuleDestroy(module);
  mlir_close(&session);
  free(directory);
}

TestSuite(isolation, .init = session_open, .fini = session_close);

static const char *const usual[] = {COMMAND, MLIRPLUG_ISOLATED_COMMAND, NULL};

static void manager_make(const char *text, const char *const *command) {
  mlirplug_manager_configuration configuration = {
      .size = sizeof configuration,
      .record = record_add,
      .verify = true,
      .isolate_command = command,
      .isolate_reproducer_directory = directory,
  };
  cr_assert_eq(
      mlirplug_pipeline_parse(session.host, text, &pipeline, &session.error),
      MLIRPLUG_OK, "%s", mlir_message(&session));
  cr_assert_eq(mlirplug_manager_create(pipeline, session.context,
                                       &configuration, &manager,
                                       &session.error),
               MLIRPLUG_OK, "%s", mlir_message(&session));
}

static mlirplug_status run_on(MlirOperation root) {
  return mlirplug_manager_run(manager, root, "input.mlir", &session.error);
}

static mlirplug_status run(const char *text) {
  if (module.ptr)
    mlirModuleDestroy(module);
  module = mlir_parse(session.context, text);
  return run_on(mlirModuleGetOperation(module));
}

static void expect_said(const char *part) {
  cr_expect(strstr(session.diagnostics.bytes, part), "not '%s':\n%s", part,
            session.diagnostics.bytes);
}

static MlirOperation first_function(void) {
  return mlirBlockGetFirstOperation(mlirModuleGetBody(module));
}

static bool is_seen(MlirOperation operation) {
  return !mlirAttributeIsNull(mlirOperationGetAttributeByName(
      operation, mlirStringRefCreateFromCString("seen")));
}

Test(isolation, keeps_the_operation_and_changes_what_is_inside) {
  manager_make("builtin.module(func.func(fault-tell))", usual);
  cr_assert_eq(run("module @m { func.func @f() { return } }"), MLIRPLUG_OK,
               "%s", mlir_message(&session));
  cr_expect(is_seen(first_function()));
  cr_expect_str_eq(session.records.bytes, "{\"file\": \"input.mlir\", "
                                          "\"pass\": \"fault-tell\", "
                                          "\"n\": 1}\n");
  cr_assert_eq(mlirplug_manager_statistic_count(manager), 1);
  cr_expect_eq(mlirplug_manager_statistic(manager, 0).value, 1);
  // And again, in another child.
  cr_assert_eq(run_on(mlirModuleGetOperation(module)), MLIRPLUG_OK);
  cr_expect_eq(mlirplug_manager_statistic(manager, 0).value, 2);
}

Test(isolation, leaves_all_as_it_is_if_nothing_changes) {
  manager_make("builtin.module(func.func(fault))", usual);
  module = mlir_parse(session.context, "module { func.func @f() { return } }");
  MlirOperation before = first_function();
  cr_assert_eq(run_on(mlirModuleGetOperation(module)), MLIRPLUG_OK, "%s",
               mlir_message(&session));
  cr_expect_eq(first_function().ptr, before.ptr);
}

Test(isolation, takes_any_operation) {
  manager_make("func.func(fault-tell)", usual);
  module = mlir_parse(session.context, "module { func.func @f() { return }\n"
                                       "  func.func @g() { return } }");
  MlirOperation function = first_function();
  cr_assert_eq(run_on(function), MLIRPLUG_OK, "%s", mlir_message(&session));
  cr_expect_eq(first_function().ptr, function.ptr);
  cr_expect(is_seen(function));
  cr_expect(!is_seen(mlirOperationGetNextInBlock(function)));
}

Test(isolation, loads_no_plugin_here) {
  manager_make("builtin.module(func.func(fault-tell))", usual);
  cr_assert_eq(run("module { func.func @f() { return } }"), MLIRPLUG_OK);
  char *maps = file_content("/proc/self/maps");
  cr_expect(!strstr(maps, "fault.so"));
  free(maps);
}

Test(isolation, survives_a_fault_and_goes_on) {
  manager_make("builtin.module(func.func(fault{kind=abort}))", usual);
  cr_expect_eq(run("module { func.func @bad() { return } }"), MLIRPLUG_FAILED);
  expect_said("pass 'fault' of plugin 'org.mlirplug.test.fault' 1.2.0 ");
  expect_said(" crashed (SIGABRT)");
  char *pattern = NULL;
  glob_t found;
  cr_assert(asprintf(&pattern, "%s/mlirplug-fault-*.mlir", directory) > 0);
  cr_expect_eq(glob(pattern, 0, NULL, &found), 0);
  cr_expect_eq(found.gl_pathc, 1);
  globfree(&found);
  free(pattern);
  mlirplug_error_destroy(session.error);
  session.error = NULL;
  cr_expect_eq(run("module { func.func @good() { return } }"), MLIRPLUG_OK);
}

Test(isolation, works_where_children_are_not_waited_for) {
  signal(SIGCHLD, SIG_IGN);
  manager_make("builtin.module(func.func(fault{kind=exit}))", usual);
  cr_expect_eq(run("module { func.func @good() { return } }"), MLIRPLUG_OK);
  cr_expect_eq(run("module { func.func @bad() { return } }"), MLIRPLUG_FAILED);
  expect_said(" ended the process");
}

Test(isolation, says_if_there_is_no_program) {
  static const char *const nothing[] = {"/nowhere/x", NULL};
  manager_make("builtin.module(func.func(fault-tell))", nothing);
  cr_expect_eq(run("module { func.func @f() { return } }"), MLIRPLUG_FAILED);
  expect_said("cannot be isolated: '/nowhere/x' cannot be started: No such "
              "file or directory");
}

Test(isolation, says_if_it_is_another_program) {
  static const char *const other[] = {"/bin/true", NULL};
  manager_make("builtin.module(func.func(fault-tell))", other);
  cr_expect_eq(run("module { func.func @f() { return } }"), MLIRPLUG_FAILED);
  expect_said("cannot be isolated: before it began, its process ended the "
              "process with exit status 0");
}

Test(isolation, needs_an_mlir_that_writes_bytecode) {
  static const char *const hidden[] = {"mlirOperationWriteBytecode", NULL};
  cr_assert_eq(binding_open_without("static", hidden, &session.host->binding,
                                    &session.error),
               MLIRPLUG_OK);
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .isolate_command = usual};
  cr_assert_eq(mlirplug_pipeline_parse(session.host, "builtin.module(cse)",
                                       &pipeline, &session.error),
               MLIRPLUG_OK);
  cr_expect_eq(mlirplug_manager_create(pipeline, session.context,
                                       &configuration, &manager,
                                       &session.error),
               MLIRPLUG_FAILED);
  cr_expect(strstr(mlir_message(&session), "lacks mlirOperationWriteBytecode"));
}

static void *cancel_soon(void *user_data) {
  (void)user_data;
  mlirplug_running_pass pass;
  for (size_t next = 0; !mlirplug_manager_running(manager, &next, &pass);
       next = 0)
    (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  cr_expect_str_eq(pass.pass, "fault");
  cr_expect_str_eq(pass.plugin_id, "org.mlirplug.test.fault");
  mlirplug_manager_cancel(manager);
  return NULL;
}

Test(isolation, ends_what_is_cancelled, .timeout = 60) {
  pthread_t thread;
  manager_make("builtin.module(func.func(fault{kind=hang}))", usual);
  cr_assert_eq(pthread_create(&thread, NULL, cancel_soon, NULL), 0);
  cr_expect_eq(run("module { func.func @bad() { return } }"), MLIRPLUG_FAILED);
  pthread_join(thread, NULL);
  cr_expect(strstr(mlir_message(&session), "the run was cancelled"));
}
