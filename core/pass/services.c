// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/services.h"

#include "pass/diagnosis.h"
#include "pass/frame.h"
#include "pass/instance.h"
#include "pass/record.h"

static struct frame *frame_of(const mlirplug_run *run) {
  return (struct frame *)run;
}

static const struct place *place_of(const mlirplug_run *run) {
  return frame_of(run)->instance->place;
}

static void service_diagnose(const mlirplug_run *run, int32_t severity,
                             MlirLocation location, MlirStringRef text) {
  // What is none of the others is shown as an error.
  if (severity <= MlirDiagnosticError || severity > MlirDiagnosticRemark)
    frame_of(run)->failed = true;
  if (!location.ptr)
    location = frame_location(frame_of(run));
  diagnosis_add(frame_of(run), location, severity, text);
}

static void service_statistic_add(const mlirplug_run *run, uint64_t index,
                                  uint64_t amount) {
  struct instance *instance = frame_of(run)->instance;
  if (index < instance->place->node->pass->statistic_count)
    instance->counters[index] += amount;
  else
    frame_fail(frame_of(run),
               "added to statistic %llu, which is not in its table",
               (unsigned long long)index);
}

static mlirplug_status service_record_write(const mlirplug_run *run,
                                            MlirStringRef json) {
  struct frame *frame = frame_of(run);
  mlirplug_error *error = NULL;
  mlirplug_status status = record_add(frame, json.data, json.length, &error);
  if (status != MLIRPLUG_OK)
    frame_fail(frame, "wrote a record that cannot be used: %s", error->found);
  mlirplug_error_destroy(error);
  return status;
}

static bool service_is_cancelled(const mlirplug_run *run) {
  return atomic_load(&place_of(run)->session->cancelled);
}

static void *service_allocate(const mlirplug_run *run, size_t size) {
  return arena_allocate(&frame_of(run)->scratch, size);
}

/// What an import of this name would be filled with.
static void (*service_lookup(const mlirplug_run *run, const char *name))(void) {
  struct environment environment = {services, place_of(run)->binding};
  return environment_find(&environment, name);
}

static mlirplug_host *service_run_host(const mlirplug_run *run) {
  return (mlirplug_host *)place_of(run)->session->pipeline->host;
}

/// In front of MLIR's own: a pass that reports an error has failed, whatever it
/// returns.
static void service_emit_error(MlirLocation location, const char *message) {
  struct frame *frame = frame_current();
  if (frame) {
    frame->failed = true;
    diagnosis_flush(frame);
  }
  const struct provider_api *api =
      frame ? frame->instance->place->api : binding_only_api();
  if (api)
    api->mlirEmitError(location, message);
}

/// Notes what may want for a dialect that the pass has not declared: MLIR says
/// so only when it verifies, and not what to do about it.
static void unknown_note(struct frame *frame, MlirOperation operation) {
  const struct provider_api *api = frame->instance->place->api;
  if (!operation.ptr || !api->mlirLocationGetContext ||
      !api->mlirContextIsRegisteredOperation)
    return;
  MlirIdentifier name = api->mlirOperationGetName(operation);
  const void **known = &frame->known[(uintptr_t)name.ptr / 16 % FRAME_KNOWN];
  if (*known == name.ptr || frame->unknown)
    return;
  MlirStringRef text = api->mlirIdentifierStr(name);
  MlirLocation location = api->mlirOperationGetLocation(operation);
  if (api->mlirContextIsRegisteredOperation(
          api->mlirLocationGetContext(location), text))
    *known = name.ptr;
  else
    frame->unknown = arena_copy_bytes(&frame->scratch, text.data, text.length);
}

/// In front of MLIR's own.
static MlirOperation service_operation_create(MlirOperationState *state) {
  struct frame *frame = frame_current();
  const struct provider_api *api =
      frame ? frame->instance->place->api : binding_only_api();
  if (!api)
    return (MlirOperation){NULL};
  MlirOperation made = api->mlirOperationCreate(state);
  if (frame)
    unknown_note(frame, made);
  return made;
}

#define SERVICE(name, function) {name, (void (*)(void))(function)}

const struct service services[] = {
    SERVICE("mlirplug_diagnose", service_diagnose),
    SERVICE("mlirplug_statistic_add", service_statistic_add),
    SERVICE("mlirplug_record_write", service_record_write),
    SERVICE("mlirplug_is_cancelled", service_is_cancelled),
    SERVICE("mlirplug_allocate", service_allocate),
    SERVICE("mlirplug_lookup", service_lookup),
    SERVICE("mlirplug_run_host", service_run_host),
    SERVICE("mlirEmitError", service_emit_error),
    SERVICE("mlirOperationCreate", service_operation_create),
    {NULL, NULL},
};
