// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/dump.h"

#include "base/intern.h"
#include "pass/check.h"
#include "pass/dump_tree.h"
#include "pass/report.h"

#include <stdlib.h>
#include <string.h>

struct dumps {
  const struct session *session;
  mlirplug_ir_dumps asked; ///< With names of its own.
  struct dump_tree tree;
  bool has_warned; ///< Of a file that cannot be written.
};

//===----------------------------------------------------------------------===//
// While passes run
//===----------------------------------------------------------------------===//

/// Whether `argument`, "my-pass{top=3}", or `name` is that of `pass`.
static bool is_pass(const char *pass, MlirStringRef name,
                    MlirStringRef argument) {
  size_t length = strlen(pass);
  if (name.length == length && memcmp(name.data, pass, length) == 0)
    return true;
  return argument.length >= length &&
         memcmp(argument.data, pass, length) == 0 &&
         (argument.length == length || argument.data[length] == '{');
}

static bool dump_is_wanted(MlirStringRef name, MlirStringRef argument,
                           bool after, void *user_data) {
  const mlirplug_ir_dumps *asked = &((struct dumps *)user_data)->asked;
  const char *const *names = after ? asked->after : asked->before;
  size_t count = after ? asked->after_count : asked->before_count;
  if (after ? asked->after_all || asked->only_failed : asked->before_all)
    return true;
  for (size_t i = 0; i < count; ++i)
    if (is_pass(names[i], name, argument))
      return true;
  return false;
}

static void file_warn(struct dumps *dumps, MlirOperation operation,
                      const char *path, int problem) {
  const struct provider_api *api = dumps->session->api;
  if (dumps->has_warned)
    return;
  dumps->has_warned = true;
  const char *text =
      error_text("cannot write the IR to '%s': %s",
                 path ? path : dumps->asked.directory, strerror(problem));
  report(api, api->mlirOperationGetLocation(operation), MlirDiagnosticWarning,
         text, strlen(text));
}

static void dump_show(MlirOperation operation, MlirStringRef name,
                      MlirStringRef argument, MlirStringRef text,
                      void *user_data) {
  struct dumps *dumps = user_data;
  if (!dumps->asked.directory) {
    dumps->asked.show(text.data, text.length, dumps->asked.user_data);
    return;
  }
  char *path = NULL;
  int problem = dump_tree_write(&dumps->tree, operation,
                                argument.length ? argument : name, text, &path);
  if (problem)
    file_warn(dumps, operation, path, problem);
  free(path);
}

//===----------------------------------------------------------------------===//
// Before
//===----------------------------------------------------------------------===//

/// A pass that nobody has is a mistake in typing. Not looked at where MLIR says
/// nothing of its own.
static mlirplug_status name_check(const struct session *session,
                                  const char *name, mlirplug_error **error) {
  size_t index;
  if (!session->api->has_pass ||
      catalogue_find_pass(session->pipeline->catalogue, name, &index) ||
      session->api->has_pass(provider_string(name)))
    return MLIRPLUG_OK;
  struct text remedy = {0};
  check_unknown_pass(session, name, &remedy);
  mlirplug_status status =
      remedy.failed
          ? error_set_memory(error)
          : error_set(error, &(mlirplug_error){
                                 .doing = "cannot show the IR around the pass",
                                 .subject = name,
                                 .found = error_text(
                                     "no plugin has a pass of this "
                                     "name, and %s has none either",
                                     binding_version(session->binding)),
                                 .remedy = remedy.bytes});
  text_release(&remedy);
  return status;
}

/// Names of our own in place of those of whoever asks.
static mlirplug_status names_copy(const struct session *session,
                                  const char *const **names, size_t count,
                                  mlirplug_error **error) {
  const char *const *from = *names;
  const char **made = calloc(count + 1, sizeof *made);
  *names = made;
  if (!made)
    return error_set_memory(error);
  for (size_t i = 0; i < count; ++i) {
    if (name_check(session, from[i], error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
    made[i] = intern(from[i]);
    if (!made[i])
      return error_set_memory(error);
  }
  return MLIRPLUG_OK;
}

/// Fills what `dumps` asks for; names that are not ours are gone from it.
static mlirplug_status asked_copy(struct dumps *dumps,
                                  const mlirplug_ir_dumps *asked,
                                  mlirplug_error **error) {
  mlirplug_ir_dumps *copy = &dumps->asked;
  size_t known = sizeof *copy;
  memcpy(copy, asked, asked->size < known ? asked->size : known);
  const char *const *before = copy->before, *const *after = copy->after;
  copy->before = copy->after = NULL;
  if (copy->directory && !*copy->directory)
    copy->directory = NULL;
  if (copy->directory && !(copy->directory = intern(copy->directory)))
    return error_set_memory(error);
  mlirplug_status status =
      names_copy(dumps->session, &before, copy->before_count, error);
  copy->before = before;
  if (status != MLIRPLUG_OK)
    return status;
  status = names_copy(dumps->session, &after, copy->after_count, error);
  copy->after = after;
  return status;
}

static mlirplug_status threads_refuse(const struct session *session,
                                      mlirplug_error **error) {
  return build_refuse(session,
                      "all of the IR is to be shown around passes, while other "
                      "threads change it",
                      "a context without threads",
                      "disable threading (--mlir-disable-threading)", error);
}

mlirplug_status dumps_begin(struct mlirplug_manager *manager,
                            const mlirplug_ir_dumps *asked,
                            mlirplug_error **error) {
  const struct session *session = &manager->session;
  struct dumps *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  manager->dumps = made;
  made->session = session;
  if (asked_copy(made, asked, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  const mlirplug_ir_dumps *copy = &made->asked;
  made->tree = (struct dump_tree){session->api, copy->directory, NULL};
  if (!copy->directory && !copy->show)
    return build_refuse(session, "nothing takes the IR around passes",
                        "a function or a directory", NULL, error);
  int32_t how = copy->whole ? PROVIDER_DUMP_WHOLE : 0;
  how |= copy->only_changed ? PROVIDER_DUMP_CHANGED : 0;
  how |= copy->only_failed ? PROVIDER_DUMP_FAILED : 0;
  if (session->api->dump_ir(manager->passes, how, copy->flags, dump_is_wanted,
                            dump_show, made))
    return MLIRPLUG_OK;
  return threads_refuse(session, error);
}

void dumps_end(struct dumps *dumps) {
  if (!dumps)
    return;
  dump_tree_release(&dumps->tree);
  free((void *)dumps->asked.before);
  free((void *)dumps->asked.after);
  free(dumps);
}
