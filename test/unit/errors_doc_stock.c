// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages inside of stock tools.

#include "errors_doc.h"

#include "provider_files.h"
#include "stock/command.h"
#include "stock/guest.h"
#include "stock/registry.h"
#include "stock/results.h"
#include "stock_library.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static mlirplug_error *error;

//===----------------------------------------------------------------------===//
// Tools
//===----------------------------------------------------------------------===//

static void find_says(void) {
  struct tool tool;
  errors_doc_expect_failure(tool_find(&tool, &error), &error);
}

/// Binding to the MLIR that `code` would be of.
static void bind_says(const void *code) {
  struct tool tool = {.path = "tool"};
  const struct binding *binding;
  memcpy(&tool.register_pipeline, &code, sizeof code);
  errors_doc_expect_failure(tool_bind(&tool, &binding, &error), &error);
}

static void library_says(const char *source, unsigned version) {
  void *handle = stock_library_load(source, version);
  bind_says(dlsym(handle, "code"));
}

/// A C API without what passes need.
static void poor_api_says(void) {
  char *directory = directory_create();
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/lib.so", directory);
  provider_copy(path,
                "sed -i s/mlirCreateExternalPass/mlirCreateExternalFass/ $0");
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  cr_assert(handle, "%s", dlerror());
  bind_says(dlsym(handle, "mlirIdentifierStr"));
  free(directory);
}

void stock_tools_say(void) {
  static const char code[] = "void code(void) {}";
  find_says();
  (void)stock_library_load(STOCK_FUNCTION(STOCK_REGISTER_LIBCXX), 0);
  find_says();
  (void)stock_library_load(STOCK_FUNCTION(STOCK_REGISTER), 0);
  find_says();
  library_says(code, 0);
  library_says(code, 99);
  library_says(code, 22);
  library_says("int _ZN4llvm23EnableABIBreakingChecksE; void code(void) {}",
               22);
  void *memory = malloc(1);
  bind_says(memory);
  free(memory);
}

//===----------------------------------------------------------------------===//
// What is printed
//===----------------------------------------------------------------------===//

static int standard_error, printed;

static void print_begin(void) {
  standard_error = dup(STDERR_FILENO);
  printed = memfd_create("stderr", MFD_CLOEXEC);
  cr_assert(standard_error >= 0 && printed >= 0);
  (void)dup2(printed, STDERR_FILENO);
}

/// One line was printed since print_begin.
static void print_expect(void) {
  static const char begin[] = "mlirplug: ";
  char line[4096] = "";
  (void)dup2(standard_error, STDERR_FILENO);
  cr_assert_gt(pread(printed, line, sizeof line - 1, 0), 0);
  (void)close(standard_error);
  (void)close(printed);
  cr_assert(strncmp(line, begin, sizeof begin - 1) == 0, "%s", line);
  line[strcspn(line, "\n")] = '\0';
  errors_doc_expect(line + sizeof begin - 1);
}

static void command_says(const char *words, size_t length) {
  struct text text = {0};
  text_add_bytes(&text, words, length);
  print_begin();
  command_tell(&text, "my-pass", false, "builtin.module(my-pass)");
  print_expect();
  text_release(&text);
}

static void records_say(void) {
  setenv("MLIRPLUG_RECORDS", "/nowhere/records", true);
  errors_doc_expect_failure(results_begin(&error), &error);
  setenv("MLIRPLUG_RECORDS", "/dev/full", true);
  cr_expect_eq(results_begin(&error), MLIRPLUG_OK);
  print_begin();
  results_record("{}", 2, NULL);
  results_record("{}", 2, NULL); // is told of once
  print_expect();
  unsetenv("MLIRPLUG_RECORDS");
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

static struct function entered; ///< What the tool builds a pass with.
static bool has_pass;

static void entry_take(MlirStringRef name, MlirStringRef summary,
                       const struct function *build,
                       struct function *tell_options) {
  (void)name;
  (void)summary;
  (void)tell_options;
  entered = *build;
}

static const void *pass_find(MlirStringRef name) {
  return has_pass ? name.data : NULL;
}

static void builtin_says(const struct mlir_session *session,
                         const mlirplug_plugin_description *plugin) {
  struct registry registry = {
      .tool = {.register_pipeline = entry_take, .find_pass = pass_find},
      .host = session->host,
      .lock = PTHREAD_MUTEX_INITIALIZER};
  has_pass = true;
  print_begin();
  registry_enter(&registry, plugin);
  print_expect();
  has_pass = false;
  registry_enter(&registry, plugin);
  has_pass = true;
  MlirStringRef options = {"", 0};
  print_begin();
  MlirLogicalResult (*build)(const struct function_words *, void *,
                             const MlirStringRef *, const void *);
  memcpy(&build, &entered.invoke, sizeof build);
  cr_expect(
      mlirLogicalResultIsFailure(build(&entered.words, NULL, &options, NULL)));
  print_expect();
  free(registry.newest);
}

static void two_passes_say(const struct mlir_session *session) {
  mlirplug_pipeline *pipeline;
  cr_assert_eq(mlirplug_pipeline_parse_passes(session->host, "builtin.module",
                                              "anything,anything", &pipeline,
                                              &error),
               MLIRPLUG_OK);
  errors_doc_expect_failure(
      guest_add(pipeline, (MlirOpPassManager){NULL}, &error), &error);
}

void guests_say(void) {
  static const char flag[] = "tool\0--my-pass=x";
  static const char printing[] = "tool\0--mlir-print-ir-after=cse,my-pass";
  struct mlir_session session;
  const mlirplug_plugin_description *plugin;
  command_says(flag, sizeof flag);
  command_says(printing, sizeof printing);
  records_say();
  poor_api_says();
  mlir_open(&session, "static", false);
  mlir_add(&session, MLIR_PLUGIN("anchor"));
  cr_assert_eq(mlirplug_host_add_plugin(session.host, MLIR_PLUGIN("clash"),
                                        &plugin, &error),
               MLIRPLUG_OK);
  two_passes_say(&session);
  builtin_says(&session, plugin);
  mlir_close(&session);
}
