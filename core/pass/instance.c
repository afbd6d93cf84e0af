// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/instance.h"

#include "pass/frame.h"
#include "pass/property.h"
#include "pass/report.h"
#include "pass/signal_stack.h"

#include <stdlib.h>
#include <string.h>

struct instance *instance_allocate(struct place *place) {
  const mlirplug_pass_description *pass = place->node->pass;
  struct instance *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->place = place;
  made->usable = true;
  made->identifiers = calloc(pass->name_count + 1, sizeof(void *));
  made->anchors = calloc(pass->anchor_count + 1, sizeof(void *));
  made->counters = calloc(pass->statistic_count + 1, sizeof(uint64_t));
  if (made->identifiers && made->anchors && made->counters)
    return made;
  instance_destroy(made);
  return NULL;
}

static void instance_enter(struct instance *instance) {
  struct place *place = instance->place;
  pthread_mutex_lock(&place->lock);
  instance->next = place->instances;
  place->instances = instance;
  pthread_mutex_unlock(&place->lock);
}

/// Takes it out of the place's list; with the lock held.
static void instance_remove(struct instance *instance) {
  struct instance **link = &instance->place->instances;
  while (*link != instance)
    link = &(*link)->next;
  *link = instance->next;
}

static mlirplug_status state_create(struct instance *instance) {
  const struct place *place = instance->place;
  if (!place->code.create || instance->state)
    return MLIRPLUG_OK;
  struct frame frame;
  frame_enter(&frame, instance, (MlirOperation){NULL});
  instance->state = place->code.create(&frame.run);
  return frame_leave(&frame, instance->state ? MLIRPLUG_OK : MLIRPLUG_FAILED,
                     session_location(place->session),
                     "could not make its state");
}

struct instance *instance_create(struct place *place, mlirplug_error **error) {
  struct instance *made = instance_allocate(place);
  if (!made) {
    error_set_memory(error);
    return NULL;
  }
  if (place->session->context.ptr && state_create(made) != MLIRPLUG_OK) {
    instance_destroy(made);
    error_set(error, &(mlirplug_error){.doing = "cannot make the pass",
                                       .subject = place->label,
                                       .found = "its 'create' failed",
                                       .remedy = "see the diagnostics"});
    return NULL;
  }
  instance_enter(made);
  place->original = made;
  return made;
}

void instance_destroy(struct instance *instance) {
  if (instance->state)
    instance->place->code.destroy(instance->state);
  free(instance->identifiers);
  free(instance->anchors);
  free(instance->counters);
  free(instance);
}

//===----------------------------------------------------------------------===//
// What MLIR calls
//===----------------------------------------------------------------------===//

/// The instance is complete before MLIR hears of it.
static void on_construct(void *user_data) { (void)user_data; }

static void on_destruct(void *user_data) {
  struct instance *instance = user_data;
  struct place *place = instance->place;
  if (instance == place->spare)
    return;
  pthread_mutex_lock(&place->lock);
  // What a clone has counted in the run under way is merged at its end.
  bool keep = atomic_load(&place->session->running) && place->original;
  if (keep)
    instance->retired = true;
  else
    instance_remove(instance);
  if (place->original == instance)
    place->original = NULL;
  pthread_mutex_unlock(&place->lock);
  if (!keep)
    instance_destroy(instance);
}

static const void *identifier_of(struct place *place, MlirContext context,
                                 const char *name) {
  return place->api->mlirIdentifierGet(context, provider_string(name)).ptr;
}

mlirplug_status instance_initialize(struct instance *instance,
                                    MlirContext context) {
  struct place *place = instance->place;
  const mlirplug_pass_description *pass = place->node->pass;
  for (size_t i = 0; i < pass->name_count; ++i)
    instance->identifiers[i] = identifier_of(place, context, pass->names[i]);
  for (size_t i = 0; i < pass->anchor_count; ++i)
    instance->anchors[i] =
        pass->anchors[i][0] == '@'
            ? NULL
            : identifier_of(place, context, pass->anchors[i]);
  if (state_create(instance) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (!place->code.initialize)
    return MLIRPLUG_OK;
  struct frame frame;
  frame_enter(&frame, instance, (MlirOperation){NULL});
  mlirplug_status status = place->code.initialize(&frame.run, context);
  // MLIR says nothing when a pass fails to initialize.
  return frame_leave(&frame, status, session_location(place->session),
                     "could not be initialized");
}

static MlirLogicalResult on_initialize(MlirContext context, void *user_data) {
  return instance_initialize(user_data, context) == MLIRPLUG_OK
             ? mlirLogicalResultSuccess()
             : mlirLogicalResultFailure();
}

static void *on_clone(void *user_data) {
  struct instance *from = user_data;
  struct place *place = from->place;
  const mlirplug_pass_description *pass = place->node->pass;
  struct instance *made = instance_allocate(place);
  if (!made)
    return place->spare;
  memcpy(made->identifiers, from->identifiers,
         pass->name_count * sizeof(void *));
  memcpy(made->anchors, from->anchors, pass->anchor_count * sizeof(void *));
  made->usable = from->usable;
  bool is_made = from->state || !place->code.create;
  if (place->code.clone && from->usable && is_made) {
    struct frame frame;
    frame_enter(&frame, from, (MlirOperation){NULL});
    made->state = place->code.clone(&frame.run);
    mlirplug_status status = frame_leave(
        &frame, made->state ? MLIRPLUG_OK : MLIRPLUG_FAILED,
        session_location(place->session), "could not be cloned for a thread");
    made->usable = status == MLIRPLUG_OK;
  }
  instance_enter(made);
  atomic_store(&made->busy, false);
  return made;
}

/// Whether the pass runs on `operation`: always, but for a pass with several
/// anchors that was scheduled on any operation.
static bool anchor_matches(const struct instance *instance,
                           MlirOperation operation) {
  const struct place *place = instance->place;
  const mlirplug_pass_description *pass = place->node->pass;
  const void *name = place->api->mlirOperationGetName(operation).ptr;
  bool matches = pass->anchor_count == 0;
  for (size_t i = 0; i < pass->anchor_count && !matches; ++i)
    matches = instance->anchors[i]
                  ? instance->anchors[i] == name
                  : property_holds(place->api, pass->anchors[i], operation);
  return matches;
}

/// An operation was made that the context does not know. If MLIR does not take
/// it, says what the pass wants for.
static void unknown_check(struct frame *frame) {
  const struct provider_api *api = frame->instance->place->api;
  const char *name = frame->unknown;
  if (!api->mlirOperationVerify || api->mlirOperationVerify(frame->root))
    return;
  int length = (int)strcspn(name, ".");
  frame_fail(frame,
             "made '%s', which is not known here: if the dialect '%.*s' has "
             "it, the pass must declare that dialect (.dialects = \"%.*s\")",
             name, length, name, length, name);
}

/// With the instance busy.
static mlirplug_status pass_run(struct instance *instance, MlirOperation root) {
  struct place *place = instance->place;
  if (!instance->usable || atomic_load(&place->session->cancelled))
    return MLIRPLUG_FAILED;
  if (!anchor_matches(instance, root))
    return MLIRPLUG_OK;
  MlirLocation location = place->api->mlirOperationGetLocation(root);
  struct frame frame;
  frame_enter(&frame, instance, root);
  mlirplug_status status =
      place->session->has_fault_handler
          ? signal_stack_call(place->code.run, &frame.run, root)
          : place->code.run(&frame.run, root);
  if (frame.unknown && status == MLIRPLUG_OK && !frame.failed)
    unknown_check(&frame);
  return frame_leave(&frame, status, location, "failed");
}

mlirplug_status instance_run(struct instance *instance, MlirOperation root) {
  // Before all else: see `busy`.
  bool was_busy = atomic_exchange(&instance->busy, true);
  const struct place *place = instance->place;
  if (was_busy) {
    report_error(place->api, place->api->mlirOperationGetLocation(root),
                 "pass '%s' is run on two threads at once", place->node->name);
    return MLIRPLUG_FAILED;
  }
  mlirplug_status status = pass_run(instance, root);
  atomic_store(&instance->busy, false);
  return status;
}

static void on_run(MlirOperation root, MlirExternalPass pass, void *user_data) {
  struct instance *instance = user_data;
  const struct provider_api *api = instance->place->api;
  if (instance_run(instance, root) != MLIRPLUG_OK)
    api->mlirExternalPassSignalFailure(pass);
}

const MlirExternalPassCallbacks instance_callbacks = {
    .construct = on_construct,
    .destruct = on_destruct,
    .initialize = on_initialize,
    .clone = on_clone,
    .run = on_run,
};
