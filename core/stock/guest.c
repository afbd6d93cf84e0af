// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stock/guest.h"

#include "pass/check.h"
#include "pass/instance.h"
#include "pass/report.h"
#include "provider/owner.h"
#include "stock/results.h"

#include <stdlib.h>
#include <string.h>

struct guest {
  struct session session; ///< First, so that a place's session leads here.
  struct guest *next;
  mlirplug_pipeline *pipeline;
  struct place *place;
  size_t alive; ///< Instances that MLIR has.
  bool is_checked;
  bool is_initialized;
  bool has_failed;
};

// Those in the process, in the order in which they came. When none has an
// instance any more, what the tool has run is over.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  struct guest *first;
  struct guest *last;
  size_t count; ///< Of the guests.
  size_t alive; ///< Of their instances.
} guests;

static struct guest *guest_of(const struct instance *instance) {
  return (struct guest *)instance->place->session;
}

//===----------------------------------------------------------------------===//
// The end of what the tool has run
//===----------------------------------------------------------------------===//

/// If the original was never initialized, only copies of it, one of those
/// stands for it.
static void original_choose(struct place *place) {
  struct instance *instance = place->instances;
  while (instance && !instance->state)
    instance = instance->next;
  if (instance && !place->original->state)
    place->original = instance;
}

static void guest_destroy(struct guest *guest) {
  place_destroy(guest->place);
  session_end(&guest->session);
  mlirplug_pipeline_destroy(guest->pipeline);
  free(guest);
}

/// The records of a run that failed are dropped.
static void guest_hand_over(struct guest *guest, bool has_failed) {
  const struct place *place = guest->place;
  results_statistics(place->index, place->label, place->node->pass,
                     place->totals);
  record_list_flush(&guest->session.records, has_failed ? NULL : results_record,
                    NULL);
}

/// Ends the run of `first` and the guests behind it, all of whose instances are
/// retired. Failures of passes that are not plugins' are not known here.
static void guests_finish(struct guest *first) {
  bool has_failed = false;
  for (const struct guest *guest = first; guest; guest = guest->next)
    has_failed = has_failed || guest->has_failed;
  for (struct guest *guest = first; guest; guest = guest->next) {
    original_choose(guest->place);
    if (place_finish_run(guest->place, guest->is_initialized && !has_failed) !=
        MLIRPLUG_OK)
      guest->has_failed = true;
  }
  for (const struct guest *guest = first; guest; guest = guest->next)
    has_failed = has_failed || guest->has_failed;
  for (struct guest *guest = first, *next; guest; guest = next) {
    next = guest->next;
    guest_hand_over(guest, has_failed);
    guest_destroy(guest);
  }
}

void guests_leave(void) {
  for (struct guest *guest = guests.first; guest; guest = guest->next) {
    const struct place *place = guest->place;
    for (const struct instance *instance = place->instances; instance;
         instance = instance->next)
      for (size_t i = 0; i < place->node->pass->statistic_count; ++i)
        place->totals[i] += instance->counters[i];
    guest_hand_over(guest, guest->has_failed);
  }
}

//===----------------------------------------------------------------------===//
// What MLIR calls
//===----------------------------------------------------------------------===//

static void instance_count(struct guest *guest) {
  pthread_mutex_lock(&lock);
  ++guest->alive;
  ++guests.alive;
  pthread_mutex_unlock(&lock);
}

static void on_destruct(void *user_data) {
  struct instance *instance = user_data;
  struct guest *guest = guest_of(instance);
  if (instance == guest->place->spare)
    return;
  pthread_mutex_lock(&guest->place->lock);
  instance->retired = true;
  pthread_mutex_unlock(&guest->place->lock);
  struct guest *over = NULL;
  pthread_mutex_lock(&lock);
  --guest->alive;
  if (--guests.alive == 0) {
    over = guests.first;
    guests.first = guests.last = NULL;
    guests.count = 0;
  }
  pthread_mutex_unlock(&lock);
  guests_finish(over);
}

static void *on_clone(void *user_data) {
  struct instance *from = user_data;
  struct instance *made = instance_callbacks.clone(from);
  if (made != from->place->spare)
    instance_count(guest_of(from));
  return made;
}

/// What of the pipeline cannot be checked without a context.
static mlirplug_status guest_check(const struct guest *guest,
                                   mlirplug_error **error) {
  const struct session *session = &guest->session;
  struct error_buffer reason = {{0}};
  if (!owner_check_context(binding_library(session->binding),
                           session->context.ptr, &reason))
    return build_refuse(
        session,
        error_text("the tool runs it with another copy of MLIR than the one "
                   "that it was entered into: %s",
                   reason.bytes),
        binding_description(session->binding),
        "run the plugin with 'mlirplug opt'", error);
  const struct pipeline_node *node = guest->pipeline->root->first_child;
  for (; node->is_nest; node = node->first_child)
    if (check_anchor(session, node->name, error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  return check_place(guest->place, error);
}

/// Takes the context, and checks once what needs it.
static bool context_take(struct guest *guest, MlirContext context) {
  mlirplug_error *error = NULL;
  pthread_mutex_lock(&guest->place->lock);
  if (guest->session.context.ptr != context.ptr)
    guest->session.context = context;
  if (!guest->is_checked && guest_check(guest, &error) == MLIRPLUG_OK)
    guest->is_checked = true;
  bool is_checked = guest->is_checked;
  pthread_mutex_unlock(&guest->place->lock);
  if (!is_checked)
    report_error(guest->session.api, session_location(&guest->session), "%s",
                 error->message);
  mlirplug_error_destroy(error);
  return is_checked;
}

static MlirLogicalResult on_initialize(MlirContext context, void *user_data) {
  struct guest *guest = guest_of(user_data);
  bool fine = context_take(guest, context) &&
              mlirLogicalResultIsSuccess(
                  instance_callbacks.initialize(context, user_data));
  pthread_mutex_lock(&guest->place->lock);
  guest->is_initialized = guest->is_initialized || fine;
  guest->has_failed = guest->has_failed || !fine;
  pthread_mutex_unlock(&guest->place->lock);
  return fine ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static void on_run(MlirOperation root, MlirExternalPass pass, void *user_data) {
  struct guest *guest = guest_of(user_data);
  if (instance_run(user_data, root) == MLIRPLUG_OK)
    return;
  pthread_mutex_lock(&guest->place->lock);
  guest->has_failed = true;
  pthread_mutex_unlock(&guest->place->lock);
  guest->session.api->mlirExternalPassSignalFailure(pass);
}

/// The instance is complete before MLIR hears of it.
static void on_construct(void *user_data) { (void)user_data; }

static const MlirExternalPassCallbacks guest_callbacks = {
    .construct = on_construct,
    .destruct = on_destruct,
    .initialize = on_initialize,
    .clone = on_clone,
    .run = on_run,
};

//===----------------------------------------------------------------------===//
// Coming
//===----------------------------------------------------------------------===//

/// The pass in the nests of a pipeline, and the name of the innermost nest;
/// null if it is not the only element there.
static const struct pipeline_node *only_pass(const mlirplug_pipeline *pipeline,
                                             const char **anchor) {
  const struct pipeline_node *node = pipeline->root;
  while (node && node->is_nest) {
    *anchor = node->name;
    node = node->first_child;
    if (node && node->next)
      return NULL;
  }
  return node && node->pass ? node : NULL;
}

static struct guest *guest_create(mlirplug_pipeline *pipeline,
                                  mlirplug_error **error) {
  struct guest *made = calloc(1, sizeof *made);
  if (!made) {
    mlirplug_pipeline_destroy(pipeline);
    error_set_memory(error);
    return NULL;
  }
  made->pipeline = pipeline;
  session_begin(&made->session, pipeline, (MlirContext){NULL});
  return made;
}

/// Enters it behind the others, with its first instance.
static void guest_enter(struct guest *guest) {
  pthread_mutex_lock(&lock);
  guest->place->index = guests.count++;
  if (guests.last)
    guests.last->next = guest;
  else
    guests.first = guest;
  guests.last = guest;
  guest->alive = 1;
  ++guests.alive;
  pthread_mutex_unlock(&lock);
}

/// The manager for what is inside the nests of the pipeline.
static MlirOpPassManager inner_manager(const struct guest *guest,
                                       MlirOpPassManager passes) {
  const struct pipeline_node *node = guest->pipeline->root->first_child;
  for (; node->is_nest; node = node->first_child)
    passes = guest->session.api->mlirOpPassManagerGetNestedUnder(
        passes, provider_string(node->name));
  return passes;
}

mlirplug_status guest_add(mlirplug_pipeline *pipeline, MlirOpPassManager passes,
                          mlirplug_error **error) {
  const char *anchor = NULL;
  const struct pipeline_node *node = only_pass(pipeline, &anchor);
  struct guest *guest = guest_create(pipeline, error);
  if (!guest)
    return MLIRPLUG_FAILED;
  MlirPass pass;
  mlirplug_status status = MLIRPLUG_FAILED;
  if (!node)
    build_refuse(&guest->session, "it is more than one pass",
                 "options with their braces and quotes closed", NULL, error);
  else
    status = place_create(&guest->session, node, 0, &guest->place, error);
  if (status == MLIRPLUG_OK) {
    guest->place->callbacks = &guest_callbacks;
    status = place_make_pass(guest->place, anchor, &pass, error);
  }
  if (status != MLIRPLUG_OK) {
    guest_destroy(guest);
    return MLIRPLUG_FAILED;
  }
  guest_enter(guest);
  guest->session.api->mlirOpPassManagerAddOwnedPass(
      inner_manager(guest, passes), pass);
  return MLIRPLUG_OK;
}
