// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/manager.h"

#include "isolate/isolated.h"
#include "pass/build.h"
#include "pass/direct.h"
#include "pass/named.h"
#include "pass/registration.h"
#include "pass/signal_stack.h"
#include "pass/watch.h"
#include "provider/owner.h"

#include <stdlib.h>
#include <string.h>

static mlirplug_status host_check(const mlirplug_pipeline *pipeline,
                                  mlirplug_error **error) {
  if (pipeline->host->configuration.examine_only)
    return error_set(
        error, &(mlirplug_error){.doing = "cannot build the pipeline",
                                 .subject = pipeline->source,
                                 .found = "the host only examines plugins",
                                 .remedy = "make another host to run them"});
  if (pipeline->host->binding)
    return MLIRPLUG_OK;
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot build the pipeline",
                                     .subject = pipeline->source,
                                     .found = "no provider is attached",
                                     .remedy = "call "
                                               "mlirplug_host_attach_library "
                                               "first"});
}

static mlirplug_status owner_refuse(const struct binding *binding,
                                    const char *doing, const char *subject,
                                    const char *found, mlirplug_error **error) {
  return error_set(
      error, &(mlirplug_error){
                 .doing = doing,
                 .subject = subject,
                 .found = found,
                 .expected = error_text("the copy that the host runs on, %s",
                                        binding_description(binding)),
                 .remedy = "attach a host to the copy that made it"});
}

static mlirplug_status context_check(const mlirplug_pipeline *pipeline,
                                     MlirContext context,
                                     mlirplug_error **error) {
  const struct binding *binding = pipeline->host->binding;
  struct error_buffer reason = {{0}};
  if (owner_check_context(binding_library(binding), context.ptr, &reason))
    return MLIRPLUG_OK;
  return owner_refuse(binding, "cannot use the context for", pipeline->source,
                      reason.bytes, error);
}

static mlirplug_status passes_build(mlirplug_manager *manager,
                                    mlirplug_error **error) {
  struct registration_scope scope;
  registration_enter(&scope, manager);
  mlirplug_status status = manager_build(manager, error);
  registration_leave(&scope);
  return status;
}

mlirplug_status
mlirplug_manager_create(const mlirplug_pipeline *pipeline, MlirContext context,
                        const mlirplug_manager_configuration *configuration,
                        mlirplug_manager **manager, mlirplug_error **error) {
  if (host_check(pipeline, error) != MLIRPLUG_OK ||
      context_check(pipeline, context, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_manager *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  session_begin(&made->session, pipeline, context);
  pthread_mutex_init(&made->named_lock, NULL);
  if (configuration) {
    size_t known = sizeof made->configuration;
    memcpy(&made->configuration, configuration,
           configuration->size < known ? configuration->size : known);
  }
  made->session.is_isolated = made->configuration.isolate_command;
  if (passes_build(made, error) != MLIRPLUG_OK ||
      reproduction_prepare(&made->reproduction, &made->session,
                           &made->configuration, made->passes,
                           error) != MLIRPLUG_OK ||
      watch_begin(made, error) != MLIRPLUG_OK) {
    mlirplug_manager_destroy(made);
    return MLIRPLUG_FAILED;
  }
  *manager = made;
  return MLIRPLUG_OK;
}

void mlirplug_manager_destroy(mlirplug_manager *manager) {
  if (!manager)
    return;
  // Both destroy the instances, which use their places.
  if (manager->passes.ptr)
    manager->session.api->mlirPassManagerDestroy(manager->passes);
  direct_destroy(manager);
  watch_end(manager);
  isolation_destroy(manager);
  for (size_t i = 0; i < manager->place_count; ++i)
    place_destroy(manager->places[i]);
  free(manager->places);
  named_release(manager);
  pthread_mutex_destroy(&manager->named_lock);
  session_end(&manager->session);
  free(manager);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static mlirplug_status run_refuse(const mlirplug_manager *manager,
                                  const char *found, const char *expected,
                                  const char *remedy, mlirplug_error **error) {
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot run the pipeline on",
                                     .subject = manager->session.input
                                                    ? manager->session.input
                                                    : "the operation",
                                     .found = found,
                                     .expected = expected,
                                     .remedy = remedy});
}

static mlirplug_status operation_check(const mlirplug_manager *manager,
                                       MlirOperation root,
                                       mlirplug_error **error) {
  const struct session *session = &manager->session;
  struct error_buffer reason = {{0}};
  if (owner_check_operation(binding_library(session->binding), root.ptr,
                            &reason))
    return MLIRPLUG_OK;
  return owner_refuse(session->binding, "cannot run the pipeline on",
                      session->input ? session->input : "the operation",
                      reason.bytes, error);
}

static mlirplug_status root_check(const mlirplug_manager *manager,
                                  MlirOperation root, mlirplug_error **error) {
  const char *anchor = manager->session.pipeline->root->name;
  MlirStringRef name = manager->session.api->mlirIdentifierStr(
      manager->session.api->mlirOperationGetName(root));
  if (strcmp(anchor, "any") == 0 ||
      (name.length == strlen(anchor) &&
       memcmp(name.data, anchor, name.length) == 0))
    return MLIRPLUG_OK;
  return run_refuse(
      manager,
      error_text("the operation is '%.*s'", (int)name.length, name.data),
      error_text("'%s', the anchor of '%s'", anchor,
                 manager->session.pipeline->text),
      error_text("write %.*s(%s)", (int)name.length, name.data,
                 manager->session.pipeline->text),
      error);
}

static bool passes_run(mlirplug_manager *manager, MlirOperation root) {
  if (manager->direct)
    return direct_run(manager, root);
  struct registration_scope scope;
  registration_enter(&scope, manager);
  MlirLogicalResult result =
      manager->session.api->mlirPassManagerRunOnOp(manager->passes, root);
  registration_leave(&scope);
  return mlirLogicalResultIsSuccess(result);
}

/// Ends the run in every place, in order.
static mlirplug_status places_finish(mlirplug_manager *manager,
                                     bool succeeded) {
  mlirplug_status status = succeeded ? MLIRPLUG_OK : MLIRPLUG_FAILED;
  named_begin_finish(manager);
  for (size_t i = 0; i < manager->place_count; ++i)
    if (place_finish_run(manager->places[i], succeeded) != MLIRPLUG_OK)
      status = MLIRPLUG_FAILED;
  named_end_finish(manager);
  return status;
}

mlirplug_status mlirplug_manager_run(mlirplug_manager *manager,
                                     MlirOperation root, const char *input,
                                     mlirplug_error **error) {
  manager->session.input = input;
  if (operation_check(manager, root, error) != MLIRPLUG_OK ||
      root_check(manager, root, error) != MLIRPLUG_OK ||
      reproduction_begin(&manager->reproduction, root, error) != MLIRPLUG_OK) {
    manager->session.input = NULL;
    return MLIRPLUG_FAILED;
  }
  atomic_store(&manager->session.cancelled, false); // what came too late
  manager->session.has_fault_handler = signal_stack_is_wanted();
  atomic_store(&manager->session.running, true);
  bool succeeded = passes_run(manager, root);
  bool cancelled = atomic_load(&manager->session.cancelled);
  mlirplug_status status = places_finish(manager, succeeded && !cancelled);
  atomic_store(&manager->session.running, false);
  reproduction_end(&manager->reproduction, root,
                   status != MLIRPLUG_OK && !cancelled);
  record_list_flush(&manager->session.records, manager->configuration.record,
                    manager->configuration.user_data);
  if (status != MLIRPLUG_OK)
    run_refuse(manager, cancelled ? "the run was cancelled" : "a pass failed",
               NULL, cancelled ? NULL : "see the diagnostics", error);
  manager->session.input = NULL;
  return status;
}

void mlirplug_manager_cancel(mlirplug_manager *manager) {
  atomic_store(&manager->session.cancelled, true);
}

MlirPassManager mlirplug_manager_pass_manager(const mlirplug_manager *manager) {
  return manager->passes;
}
