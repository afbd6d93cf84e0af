// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about what is found, loaded and run.

#include "errors_doc.h"

#include "base/error.h"
#include "find/directory.h"
#include "find/search.h"
#include "find_tree.h"
#include "pass/instance.h"
#include "support/mlir.h"

#include <errno.h>
#include <fcntl.h>

static mlirplug_error *error;

static void expect_said(mlirplug_status status) {
  errors_doc_expect_failure(status, &error);
}

//===----------------------------------------------------------------------===//
// Providers and hosts
//===----------------------------------------------------------------------===//

void providers_say(void) {
  char *directory = directory_create();
  char text[4096];
  (void)snprintf(text, sizeof text, "%s/text.so", directory);
  file_write(text, "text", 4);
  const char foreign[] =
      MLIRPLUG_BUILD_DIRECTORY "/test/plugins/descriptor/foreign.so";
  char cut[4096];
  (void)snprintf(cut, sizeof cut, "%s/cut.so", directory);
  struct command_result result =
      command_shell("head -c 4096 '%s' >'%s'", foreign, cut);
  command_release(&result);
  const char *const providers[] = {
      "nothing", "sahred", "/nowhere/x.so", text, foreign, directory, cut};
  mlirplug_host *host = NULL;
  cr_assert_eq(mlirplug_host_create(NULL, &host, &error), MLIRPLUG_OK);
  for (size_t i = 0; i < sizeof providers / sizeof *providers; ++i)
    expect_said(mlirplug_host_attach_library(host, providers[i], &error));
  mlirplug_host_destroy(host);
  free(directory);
}

static void examining_host_says(void) {
  mlirplug_host *host = NULL;
  mlirplug_pipeline *pipeline = NULL;
  mlirplug_manager *manager = NULL;
  const mlirplug_host_configuration configuration = {
      .size = sizeof configuration, .examine_only = true};
  cr_assert_eq(mlirplug_host_create(&configuration, &host, &error),
               MLIRPLUG_OK);
  cr_assert_eq(mlirplug_host_attach_library(host, "static", &error),
               MLIRPLUG_OK);
  cr_assert_eq(
      mlirplug_pipeline_parse(host, "builtin.module(cse)", &pipeline, &error),
      MLIRPLUG_OK);
  expect_said(mlirplug_manager_create(pipeline, (MlirContext){NULL}, NULL,
                                      &manager, &error));
  mlirplug_pipeline_destroy(pipeline);
  mlirplug_host_destroy(host);
}

void hosts_say(void) {
  mlirplug_host *host = NULL;
  mlirplug_pipeline *pipeline = NULL;
  mlirplug_manager *manager = NULL;
  mlirplug_import import = {"mlirNowhereGet", NULL};
  mlirplug_provider_description *provider = NULL;
  mlirplug_plugin_description plugin = {0};
  cr_assert_eq(mlirplug_host_create(NULL, &host, &error), MLIRPLUG_OK);
  expect_said(mlirplug_host_bind(host, &import, &import + 1, &error));
  expect_said(mlirplug_host_describe_provider(host, &provider, &error));
  expect_said(mlirplug_host_check_plugin(host, &plugin, &error));
  cr_assert_eq(
      mlirplug_pipeline_parse(host, "builtin.module(cse)", &pipeline, &error),
      MLIRPLUG_OK);
  expect_said(mlirplug_manager_create(pipeline, (MlirContext){NULL}, NULL,
                                      &manager, &error));
  mlirplug_pipeline_destroy(pipeline);
  examining_host_says();
  cr_assert_eq(mlirplug_host_attach_library(host, "static", &error),
               MLIRPLUG_OK);
  expect_said(mlirplug_host_attach_library(host, "static", &error));
  expect_said(mlirplug_host_bind(host, &import, &import + 1, &error));
  mlirplug_host_destroy(host);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static void copy(const char *from, const char *to) {
  struct command_result result =
      command_shell("cp '%s' '%s.new' && mv '%s.new' '%s'", from, to, to, to);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
}

/// A plugin that is another one when it is loaded than when it was read.
void loading_says(void) {
  struct mlir_session session;
  mlir_open(&session, "static", false);
  char *directory = directory_create();
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/plugin.so", directory);
  copy(MLIR_PLUGIN("version-1"), path);
  mlir_add(&session, path);
  copy(MLIR_PLUGIN("load"), path);
  cr_expect_eq(mlir_run(&session, "builtin.module(version)", "module {}"),
               MLIRPLUG_FAILED);
  errors_doc_expect(mlir_message(&session));
  mlir_close(&session);
  free(directory);
}

//===----------------------------------------------------------------------===//
// Building and running
//===----------------------------------------------------------------------===//

static const struct {
  const char *plugin;
  const char *pipeline;
} failing[] = {
    {MLIR_PLUGIN("anchor"), "builtin.module(func.fun(anything))"},
    {MLIR_PLUGIN("anchor"), "scf.for(anything)"},
    {MLIR_PLUGIN("anchor"), "builtin.module(needs-nowhere)"},
    {MLIR_PLUGIN("anchor"), "builtin.module(no-such-pass)"},
    {MLIR_PLUGIN("anchor"), "builtin.module(canonicalize{nonsense=1})"},
    {MLIR_PLUGIN("clash"), "builtin.module(cse)"},
    {MLIR_PLUGIN("needs-later"), "builtin.module(load)"},
    {MLIR_PLUGIN("anchor"), "func.func(anything)"},
    {MLIR_PLUGIN("diagnose"), "builtin.module(fail-initialize)"},
    {MLIR_PLUGIN("diagnose"), "builtin.module(fail-silently)"},
    {MLIR_PLUGIN("diagnose"), "builtin.module(fail-finish)"},
    {MLIR_PLUGIN("state"), "builtin.module(fail-create)"},
    {MLIR_PLUGIN("state"), "builtin.module(func.func(fail-clone))"},
    {MLIR_PLUGIN("optional"), "builtin.module(call)"},
    {MLIR_PLUGIN("service"), "builtin.module(count-outside)"},
    {MLIR_PLUGIN("record"), "builtin.module(record-text{json=\"{\"})"},
    {MLIR_PLUGIN("record"), "builtin.module(record-text{json=[]})"},
    {MLIR_PLUGIN("record"), "builtin.module(record-text{json='{\"pass\":1}'})"},
};

/// What was said to MLIR, without where: "error: loc(…): text".
static void diagnostics_expect(char *text) {
  for (char *line; (line = strsep(&text, "\n"));) {
    char *message = strstr(line, "pass '");
    if (message)
      errors_doc_expect(message);
  }
}

static void pipelines_fail(const char *module) {
  for (size_t i = 0; i < sizeof failing / sizeof *failing; ++i) {
    struct mlir_session session;
    mlir_open(&session, "static", true);
    mlir_add(&session, failing[i].plugin);
    cr_expect_eq(mlir_run(&session, failing[i].pipeline, module),
                 MLIRPLUG_FAILED, "%s", failing[i].pipeline);
    errors_doc_expect(mlir_message(&session));
    diagnostics_expect(session.diagnostics.bytes);
    mlir_close(&session);
  }
}

/// Clones, and so their failures, need threads with something to do.
void building_says(void) {
  pipelines_fail("module { func.func private @a()\n"
                 "         func.func private @b() }");
}

static char reported[128];

static MlirLocation get_location(MlirOperation operation) {
  return (MlirLocation){operation.ptr};
}

static void emit_error(MlirLocation location, const char *message) {
  (void)location;
  (void)snprintf(reported, sizeof reported, "%s", message);
}

static void signal_failure(MlirExternalPass pass) { (void)pass; }

/// A pass that is busy on another thread.
static void busy_pass_says(void) {
  struct provider_api api = {.mlirOperationGetLocation = get_location,
                             .mlirEmitError = emit_error,
                             .mlirExternalPassSignalFailure = signal_failure};
  struct pipeline_node node = {.name = "count"};
  struct place place = {.api = &api, .node = &node};
  struct instance instance = {.place = &place, .usable = true, .busy = true};
  instance_callbacks.run((MlirOperation){0}, (MlirExternalPass){0}, &instance);
  errors_doc_expect(reported);
}

static MlirLogicalResult cancel(MlirDiagnostic diagnostic, void *manager) {
  (void)diagnostic;
  mlirplug_manager_cancel(manager);
  return mlirLogicalResultSuccess();
}

/// A run that is cancelled when its pass says something.
static void cancelled_run_says(void) {
  struct mlir_session session;
  struct mlir_pipeline made;
  mlir_open(&session, "static", false);
  mlir_add(&session, MLIR_PLUGIN("diagnose"));
  cr_assert_eq(mlir_pipeline_create(&session, "builtin.module(say{severity=3})",
                                    true, &made),
               MLIRPLUG_OK);
  mlirContextAttachDiagnosticHandler(session.context, cancel, made.manager,
                                     NULL);
  MlirModule module = mlir_parse(session.context, "module {}");
  expect_said(mlirplug_manager_run(made.manager, mlirModuleGetOperation(module),
                                   "input.mlir", &error));
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
  mlir_close(&session);
}

void runs_say(void) {
  busy_pass_says();
  cancelled_run_says();
}

//===----------------------------------------------------------------------===//
// Searching
//===----------------------------------------------------------------------===//

static void warning_expect(const char *line, void *user_data) {
  (void)user_data;
  errors_doc_expect(line);
}

static mlirplug_host *host_make(bool trust_any) {
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .warn = warning_expect,
                                               .trust_any = trust_any};
  mlirplug_host *host = NULL;
  cr_assert_eq(mlirplug_host_create(&configuration, &host, &error),
               MLIRPLUG_OK);
  return host;
}

static void exhaustion_says(void) {
  static const int reasons[] = {ENOMEM, EMFILE, ENFILE};
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i)
    expect_said(error_set_exhausted(&error, "cannot open the plugin", "x.so",
                                    reasons[i]));
}

static void directory_says(const char *path) {
  struct directory_listing listing;
  int descriptor = -1;
  mlirplug_status status = directory_open(path, true, &descriptor, &error);
  if (status == MLIRPLUG_OK)
    status = directory_list(path, descriptor, "", &listing, &error);
  expect_said(status);
  if (descriptor >= 0)
    close(descriptor);
}

static void path_says(const char *list) {
  struct search_path path;
  setenv("MLIRPLUG_PATH", list, 1);
  expect_said(search_path_make(&path, &error));
  unsetenv("MLIRPLUG_PATH");
}

/// A Python package whose entry point leads nowhere.
static void package_says(void) {
  char *site = directory_create();
  struct command_result made = command_shell(
      "mkdir '%s/x-1.dist-info' && printf '[mlirplug.plugins]\\nx = gone' "
      ">'%s/x-1.dist-info/entry_points.txt'",
      site, site);
  command_release(&made);
  mlirplug_host *host = host_make(false);
  cr_assert_eq(mlirplug_host_add_packages(host, site, &error), MLIRPLUG_OK);
  cr_assert_eq(mlirplug_host_refusal_count(host), 1);
  errors_doc_expect(mlirplug_host_refusal(host, 0)->error->message);
  mlirplug_host_destroy(host);
  free(site);
}

/// A directory with more files than there are plugins in the world.
static void crowd_says(void) {
  char *directory = directory_create();
  for (int i = 0; i < 65537; ++i) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%d.so", directory, i);
    cr_assert_eq(symlink("x", path), 0);
  }
  directory_says(directory);
  free(directory);
}

/// Two files with a pass of one name: both named, one found, both found.
static void clash_says(const char *directory) {
  char one[4096], other[4096];
  (void)snprintf(one, sizeof one, "%s/one.so", directory);
  (void)snprintf(other, sizeof other, "%s/other.so", directory);
  copy(MLIR_PLUGIN("version-1"), one);
  copy(MLIR_PLUGIN("version-2"), other);
  mlirplug_host *host = host_make(false);
  cr_assert_eq(mlirplug_host_add_plugin(host, one, NULL, &error), MLIRPLUG_OK);
  expect_said(mlirplug_host_add_plugin(host, other, NULL, &error));
  expect_said(mlirplug_host_add_directory(host, directory, &error));
  mlirplug_host_destroy(host);
  host = host_make(false);
  cr_expect_eq(mlirplug_host_add_directory(host, directory, &error),
               MLIRPLUG_OK);
  mlirplug_host_destroy(host);
}

/// A pass that nobody has may be in a plugin that was refused.
static void refusal_says(const char *directory) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/text.so", directory);
  file_write(path, "text", 4);
  struct mlir_session session;
  mlir_open(&session, "static", false);
  cr_expect_eq(mlirplug_host_add_directory(session.host, directory, &error),
               MLIRPLUG_OK);
  cr_expect_eq(mlir_run(&session, "builtin.module(no-such-pass)", "module {}"),
               MLIRPLUG_FAILED);
  errors_doc_expect(mlir_message(&session));
  mlir_close(&session);
}

void searches_say(void) {
  exhaustion_says();
  directory_says("/nowhere");
  directory_says("/dev/null");
  char name[5000];
  memset(name, 'x', sizeof name);
  name[0] = '/';
  name[sizeof name - 1] = '\0';
  directory_says(name);
  crowd_says();
  package_says();
  path_says("relative");
  path_says("/a::/b");
  char *directory = directory_create();
  mlirplug_host *host = host_make(false);
  cr_expect_eq(mlirplug_host_add_directory(host, directory, &error),
               MLIRPLUG_OK);
  mlirplug_host_destroy(host);
  clash_says(directory);
  refusal_says(directory);
  free(directory);
}

//===----------------------------------------------------------------------===//
// Trust
//===----------------------------------------------------------------------===//

static void trust_says_of(const char *path) {
  errors_doc_expect_error(check(path, TRUST_FOUND));
}

/// The file is removed or replaced after it was opened.
static void changed_path_says(const char *command) {
  make_file("changed.so");
  struct file file;
  cr_assert_eq(file_open("changed.so", &file, &error), MLIRPLUG_OK);
  struct command_result result = command_shell("%s", command);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
  if (access("changed.so", F_OK) == 0)
    owned_by("changed.so", alice);
  expect_said(trust_check(&file, TRUST_FOUND, &error));
  file_close(&file);
}

void trust_says(void) {
  tree_enter();
  changed_path_says("rm changed.so");
  changed_path_says("echo text >new.so && mv new.so changed.so");
  make_directory("lib");
  make_file("lib/x.so");
  owned_by("lib/x.so", bob);
  trust_says_of("lib/x.so");
  owned_by("lib/x.so", alice);
  system_set_mode("lib/x.so", 0666);
  trust_says_of("lib/x.so");
  mlirplug_host *host = host_make(true);
  char path[PATH_MAX + 16];
  (void)snprintf(path, sizeof path, "%s/lib", tree());
  system_set_mode("lib/x.so", 0664);
  system_set_owner("lib/x.so", alice, users);
  trust_says_of("lib/x.so");
  system_set_owner("lib/x.so", alice, alice);
  system_set_access_list("lib/x.so");
  trust_says_of("lib/x.so");
  system_set_mode("lib", 0777);
  int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  expect_said(trust_check_directory(path, descriptor, &error));
  close(descriptor);
  cr_expect_eq(mlirplug_host_add_directory(host, path, &error), MLIRPLUG_OK);
  mlirplug_host_destroy(host);
}
