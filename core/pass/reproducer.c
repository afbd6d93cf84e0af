// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/reproducer.h"

#include "pass/check.h"
#include "pass/manager.h"
#include "pass/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reproduction_text {
  struct reproduction_text *outer; ///< Of the pass that this one runs in.
  char *bytes;
  size_t length;
};

struct reproduction_pass {
  struct reproduction_pass *next;
  const void *pass;
  const void *operation;
  char *shown; ///< "`Canonicalizer` on 'func.func' operation: @f"
};

static bool is_wanted(const struct reproduction *reproduction) {
  return reproduction->configuration && reproduction->configuration->reproducer;
}

//===----------------------------------------------------------------------===//
// The texts of a run
//===----------------------------------------------------------------------===//

static mlirplug_status text_push(struct reproduction *reproduction,
                                 MlirOperation root, const char *pipeline,
                                 const struct pipeline_node *node,
                                 mlirplug_error **error) {
  struct text text = {0};
  struct reproduction_text *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  mlirplug_status status =
      reproduction_print(reproduction->session, reproduction->verify, root,
                         pipeline, node, &text, error);
  if (status != MLIRPLUG_OK) {
    text_release(&text);
    free(made);
    return status;
  }
  made->bytes = text.bytes;
  made->length = text.length;
  made->outer = atomic_load(&reproduction->text);
  atomic_store(&reproduction->text, made);
  return MLIRPLUG_OK;
}

static void text_pop(struct reproduction *reproduction) {
  struct reproduction_text *text = atomic_load(&reproduction->text);
  if (!text)
    return;
  atomic_store(&reproduction->text, text->outer);
  free(text->bytes);
  free(text);
}

static int current_write(const struct reproduction *reproduction) {
  const struct reproduction_text *text = atomic_load(&reproduction->text);
  if (!text)
    return ENODATA;
  return reproduction_write(reproduction->configuration->reproducer,
                            text->bytes, text->length);
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

static void failure_emit(const struct session *session, MlirLocation location,
                         const char *note) {
  static const char what[] =
      "Failures have been detected while processing an MLIR pass pipeline";
  const struct report_note attached = {location, provider_string(note)};
  report_with_notes(session->api, location, MlirDiagnosticError,
                    provider_string(what), &attached, 1);
}

/// In the words of mlir-opt.
static void failure_report(struct reproduction *reproduction,
                           MlirOperation operation) {
  const struct session *session = reproduction->session;
  bool local = reproduction->configuration->local_reproducer;
  struct text note = {0};
  text_add(&note, "Pipeline failed");
  const struct reproduction_pass *pass = reproduction->passes;
  if (pass)
    text_add(&note, local ? " while executing " : " while executing [");
  for (; pass; pass = pass->next)
    if (!local || !pass->next) // the innermost
      text_format(&note, "%s%s", pass->shown, !local && pass->next ? ", " : "");
  if (reproduction->passes && !local)
    text_add(&note, "]");
  int problem = current_write(reproduction);
  if (problem)
    text_format(&note, ": cannot write the reproducer `%s`: %s",
                reproduction->configuration->reproducer, strerror(problem));
  else
    text_format(&note, ": reproducer generated at `%s`",
                reproduction->configuration->reproducer);
  failure_emit(session, session->api->mlirOperationGetLocation(operation),
               note.failed ? "out of memory" : note.bytes);
  text_release(&note);
  reproduction->reported = true;
}

//===----------------------------------------------------------------------===//
// Watching passes
//===----------------------------------------------------------------------===//

static void symbol_add(const struct provider_api *api, MlirOperation operation,
                       struct text *text) {
  if (!api->mlirOperationGetAttributeByName || !api->mlirStringAttrGetValue ||
      !api->mlirAttributeIsAString)
    return;
  MlirAttribute symbol = api->mlirOperationGetAttributeByName(
      operation, provider_string("sym_name"));
  if (!symbol.ptr || !api->mlirAttributeIsAString(symbol))
    return;
  MlirStringRef name = api->mlirStringAttrGetValue(symbol);
  text_format(text, ": @%.*s", (int)name.length, name.data);
}

static MlirStringRef operation_name(const struct provider_api *api,
                                    MlirOperation operation) {
  return api->mlirIdentifierStr(api->mlirOperationGetName(operation));
}

static void pass_enter(struct reproduction *reproduction, const void *pass,
                       MlirStringRef name, MlirOperation operation) {
  const struct provider_api *api = reproduction->session->api;
  MlirStringRef anchor = operation_name(api, operation);
  struct text shown = {0};
  text_format(&shown, "`%.*s` on '%.*s' operation", (int)name.length, name.data,
              (int)anchor.length, anchor.data);
  symbol_add(api, operation, &shown);
  struct reproduction_pass *made = calloc(1, sizeof *made);
  struct reproduction_pass **end = &reproduction->passes;
  while (*end)
    end = &(*end)->next;
  if (made)
    *made = (struct reproduction_pass){NULL, pass, operation.ptr,
                                       text_take(&shown)};
  if (made && made->shown) {
    *end = made;
  } else {
    text_release(&shown);
    free(made);
  }
}

static void pass_release(struct reproduction_pass **link) {
  struct reproduction_pass *gone = *link;
  *link = gone->next;
  free(gone->shown);
  free(gone);
}

static void pass_leave(struct reproduction *reproduction, const void *pass,
                       MlirOperation operation) {
  for (struct reproduction_pass **link = &reproduction->passes; *link;
       link = &(*link)->next)
    if ((*link)->pass == pass && (*link)->operation == operation.ptr) {
      pass_release(link);
      return;
    }
}

/// "func.func(PASS)": the pass where it stands, from below the outermost
/// operation, which is the result.
static MlirOperation nest_print(const struct provider_api *api,
                                MlirOperation operation, MlirStringRef pass,
                                struct text *text) {
  MlirOperation parent = api->mlirOperationGetParentOperation(operation);
  MlirOperation root = operation;
  struct text inner = {0};
  text_add_bytes(&inner, pass.data, pass.length);
  for (;;) {
    MlirStringRef name = operation_name(api, root);
    struct text around = {0};
    text_format(&around, "%.*s(%s)", (int)name.length, name.data,
                inner.bytes ? inner.bytes : "");
    around.failed = around.failed || inner.failed;
    text_release(&inner);
    inner = around;
    if (!parent.ptr)
      break;
    root = parent;
    parent = api->mlirOperationGetParentOperation(root);
  }
  *text = inner;
  return root;
}

/// The first pass of this name below `node`; null if none is a plugin's.
static const struct pipeline_node *node_find(const struct pipeline_node *node,
                                             MlirStringRef name) {
  if (node->pass && strlen(node->name) == name.length &&
      memcmp(node->name, name.data, name.length) == 0)
    return node;
  const struct pipeline_node *found = NULL;
  for (node = node->first_child; node && !found; node = node->next)
    found = node_find(node, name);
  return found;
}

/// Makes the text of one pass; what the outer one has done until now stands in
/// the IR.
static void local_push(struct reproduction *reproduction, MlirStringRef name,
                       MlirStringRef pass, MlirOperation operation) {
  const struct session *session = reproduction->session;
  struct text pipeline = {0};
  MlirOperation root = nest_print(session->api, operation, pass, &pipeline);
  if (!pipeline.failed)
    (void)text_push(reproduction, root, pipeline.bytes,
                    node_find(session->pipeline->root, name), NULL);
  text_release(&pipeline);
}

static void on_pass(int32_t event, const void *pass, MlirStringRef name,
                    MlirStringRef text, MlirOperation operation,
                    void *user_data) {
  struct reproduction *reproduction = user_data;
  if (reproduction->reported)
    return;
  bool local = reproduction->configuration->local_reproducer;
  if (event == PROVIDER_PASS_FAILED) {
    failure_report(reproduction, operation);
  } else if (event == PROVIDER_PASS_BEFORE) {
    pass_enter(reproduction, pass, name, operation);
    if (local)
      local_push(reproduction, name, text, operation);
  } else {
    pass_leave(reproduction, pass, operation);
    if (local)
      text_pop(reproduction);
  }
}

//===----------------------------------------------------------------------===//
// A run
//===----------------------------------------------------------------------===//

static mlirplug_status local_check(const struct session *session,
                                   MlirPassManager manager,
                                   mlirplug_error **error) {
  if (!session->api->watch_passes || !manager.ptr)
    return build_refuse(session,
                        error_text("local reproducers are asked for, and %s "
                                   "does not tell which pass runs",
                                   binding_version(session->binding)),
                        "a provider of mlirplug",
                        "use --provider=static or shared, or make the "
                        "reproducer of the whole pipeline",
                        error);
  if (session->api->mlirContextGetNumThreads &&
      reproduction_has_threads(session))
    return build_refuse(
        session, "local reproducers are asked for, and the context has threads",
        "a context without threads: which pass failed must be certain",
        "use --mlir-disable-threading", error);
  return MLIRPLUG_OK;
}

mlirplug_status
reproduction_prepare(struct reproduction *reproduction, struct session *session,
                     const mlirplug_manager_configuration *configuration,
                     MlirPassManager manager, mlirplug_error **error) {
  *reproduction = (struct reproduction){.session = session,
                                        .configuration = configuration,
                                        .verify = configuration->verify};
  if (!is_wanted(reproduction))
    return MLIRPLUG_OK;
  if (reproduction_check(session, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (configuration->local_reproducer &&
      local_check(session, manager, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (manager.ptr && session->api->watch_passes)
    session->api->watch_passes(manager, on_pass, reproduction);
  return MLIRPLUG_OK;
}

mlirplug_status reproduction_begin(struct reproduction *reproduction,
                                   MlirOperation root, mlirplug_error **error) {
  if (!is_wanted(reproduction))
    return MLIRPLUG_OK;
  const mlirplug_pipeline *pipeline = reproduction->session->pipeline;
  reproduction->reported = false;
  return text_push(reproduction, root, pipeline->text, pipeline->root, error);
}

void reproduction_end(struct reproduction *reproduction, MlirOperation root,
                      bool failed) {
  if (!is_wanted(reproduction))
    return;
  if (failed && !reproduction->reported)
    failure_report(reproduction, root);
  while (atomic_load(&reproduction->text))
    text_pop(reproduction);
  while (reproduction->passes)
    pass_release(&reproduction->passes);
}

int mlirplug_manager_save_reproducer(const mlirplug_manager *manager) {
  return is_wanted(&manager->reproduction)
             ? current_write(&manager->reproduction)
             : ENODATA;
}
