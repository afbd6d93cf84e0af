// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "isolate/pass.h"

#include "base/intern.h"
#include "isolate/child.h"
#include "isolate/diagnostic.h"
#include "isolate/failure.h"
#include "isolate/request.h"
#include "isolate/transfer_ir.h"
#include "pass/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

//===----------------------------------------------------------------------===//
// What the child says
//===----------------------------------------------------------------------===//

static bool number_take(const struct message *message, void *value,
                        size_t size) {
  if (message->length != size)
    return false;
  memcpy(value, message->bytes, size);
  return true;
}

static void statistic_take(struct run *run, const struct message *message) {
  struct place *place = run->isolated->place;
  struct message_statistic statistic;
  if (number_take(message, &statistic, sizeof statistic) &&
      statistic.index < place->node->pass->statistic_count)
    place->totals[statistic.index] += statistic.value;
}

static void diagnostic_take(struct run *run, const struct message *message) {
  const struct place *place = run->isolated->place;
  bool is_error = false;
  (void)diagnostic_emit(&run->isolated->manager->isolation->functions,
                        place->api, place->session->context,
                        place->api->mlirOperationGetLocation(run->root),
                        message->bytes, message->length, &is_error);
  run->has_error = run->has_error || is_error;
}

static void record_take(struct run *run, const struct message *message) {
  if (record_add_line(run->isolated->place, message->bytes) != MLIRPLUG_OK)
    run->has_no_memory = true;
}

static void string_keep(char **kept, const struct message *message) {
  free(*kept);
  *kept = strdup(message->bytes);
}

/// Whatever is none of the others is a failure.
static enum message_outcome outcome_read(const struct message *message) {
  char byte = message->length == 1 ? *message->bytes : '\0';
  return byte == MESSAGE_UNCHANGED || byte == MESSAGE_CHANGED
             ? (enum message_outcome)byte
             : MESSAGE_FAILED;
}

static void message_take(const struct message *message, void *user_data) {
  struct run *run = user_data;
  switch (message->kind) {
  case MESSAGE_BEGUN:
    run->has_begun = true;
    break;
  case MESSAGE_DIAGNOSTIC:
    diagnostic_take(run, message);
    break;
  case MESSAGE_RECORD:
    record_take(run, message);
    break;
  case MESSAGE_STATISTIC:
    statistic_take(run, message);
    break;
  case MESSAGE_REFUSED:
    string_keep(&run->refused, message);
    break;
  case MESSAGE_FATAL:
    string_keep(&run->fatal, message);
    break;
  case MESSAGE_PLACE:
    string_keep(&run->place, message);
    break;
  case MESSAGE_SIGNAL:
    (void)number_take(message, &run->signal, sizeof run->signal);
    break;
  case MESSAGE_DONE:
    run->outcome = outcome_read(message);
    break;
  }
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// What the child is to do, as a descriptor; -1 with errno.
static int request_make(const struct run *run, const struct text *ir) {
  const struct isolated *isolated = run->isolated;
  const struct session *session = isolated->place->session;
  const struct isolate_functions *functions =
      &isolated->manager->isolation->functions;
  const mlirplug_host_configuration *host =
      &session->pipeline->host->configuration;
  struct request request = {
      .provider = binding_path(session->binding),
      .plugin = isolated->plugin->path,
      .file = isolated->plugin->file,
      .pipeline = isolated->pipeline,
      .input = session->input,
      .threads = functions->mlirContextGetNumThreads(session->context) > 1,
      .verify = isolated->manager->configuration.verify,
      .allow_unregistered_dialects =
          functions->mlirContextGetAllowUnregisteredDialects(session->context),
      .memory_bytes = isolated->manager->configuration.isolate_memory_bytes,
      .parent = getpid(),
      .trust_any = host->trust_any,
      .require_signature = host->require_signature,
      .key_directory = host->key_directory,
      .ir = ir->bytes,
      .ir_length = ir->length,
  };
  return request_write(&request);
}

/// Takes over what the pass has made of the IR.
static bool result_take(struct run *run, int result) {
  const struct place *place = run->isolated->place;
  const struct isolate_functions *functions =
      &run->isolated->manager->isolation->functions;
  size_t length = 0;
  void *bytes = request_map(result, &length);
  if (!bytes)
    return false;
  MlirOperation made =
      ir_read(functions, place->session->context, bytes, length);
  (void)munmap(bytes, length);
  return made.ptr && ir_take_over(functions, place->api, run->root, made);
}

/// Starts the child and waits for it. 0 or an errno.
static int child_run(struct run *run, int request, int result) {
  const struct mlirplug_manager *manager = run->isolated->manager;
  const struct place *place = run->isolated->place;
  int error = child_start(&run->child, manager->configuration.isolate_command,
                          request, result);
  if (error)
    return error;
  struct running *running = &place->session->now;
  size_t slot = running_begin(running, place, run->root.ptr);
  child_listen(&run->child, manager->configuration.pass_timeout_seconds,
               &place->session->cancelled, message_take, run);
  running_end(running, slot);
  return 0;
}

static int run_try(struct run *run) {
  struct text ir = {0};
  int request = -1, result = memfd_create("mlirplug-result", MFD_CLOEXEC);
  int error = result < 0 ? errno : 0;
  if (!error &&
      !ir_write(&run->isolated->manager->isolation->functions, run->root, &ir))
    error = ENOMEM;
  if (!error && (request = request_make(run, &ir)) < 0)
    error = errno;
  text_release(&ir);
  if (!error)
    error = child_run(run, request, result);
  if (!error && run->outcome == MESSAGE_CHANGED && !result_take(run, result))
    run->is_unreadable = true;
  if (request >= 0)
    close(request);
  if (result >= 0)
    close(result);
  return error;
}

static bool isolated_run(struct isolated *isolated, MlirOperation root) {
  const struct session *session = isolated->place->session;
  if (atomic_load(&session->cancelled))
    return false;
  host_log(session->pipeline->host, "pass %s of %s: in a child, as '%s'",
           isolated->place->node->name, isolated->plugin->path,
           isolated->pipeline);
  struct run run = {.isolated = isolated, .root = root};
  int error = run_try(&run);
  bool succeeded = !error && failure_report(&run);
  if (error)
    failure_report_start(&run, error);
  free(run.refused);
  free(run.fatal);
  free(run.place);
  return succeeded;
}

//===----------------------------------------------------------------------===//
// What MLIR calls
//===----------------------------------------------------------------------===//

static void on_nothing(void *isolated) { (void)isolated; }

/// It has no state, so that all may share it.
static void *on_clone(void *isolated) { return isolated; }

static void on_run(MlirOperation root, MlirExternalPass pass, void *user_data) {
  struct isolated *isolated = user_data;
  if (!isolated_run(isolated, root))
    isolated->place->api->mlirExternalPassSignalFailure(pass);
}

static const MlirExternalPassCallbacks callbacks = {
    .construct = on_nothing,
    .destruct = on_nothing,
    .clone = on_clone,
    .run = on_run,
};

/// MLIR tells passes from one another by an address; all isolated ones are the
/// same to it.
static const uint64_t identity;

static char *pipeline_write(const struct place *place,
                            const struct pipeline_node *const *nests,
                            size_t nest_count) {
  struct text text = {0};
  for (size_t i = 0; i < nest_count; ++i)
    text_format(&text, "%s(", nests[i]->name);
  text_add(&text, place->label);
  for (size_t i = 0; i < nest_count; ++i)
    text_add(&text, ")");
  return text_take(&text);
}

mlirplug_status isolated_make_pass(struct mlirplug_manager *manager,
                                   struct place *place,
                                   const struct pipeline_node *const *nests,
                                   size_t nest_count, MlirPass *pass,
                                   mlirplug_error **error) {
  // MLIR copies none of these strings.
  const char *name = intern(place->node->name);
  const char *summary = intern(place->node->pass->summary);
  struct isolated *made = calloc(1, sizeof *made);
  if (!name || !summary || !made) {
    free(made);
    return error_set_memory(error);
  }
  made->manager = manager;
  made->place = place;
  made->plugin = catalogue_find_pass(place->session->pipeline->catalogue, name,
                                     &(size_t){0});
  made->pipeline = pipeline_write(place, nests, nest_count);
  made->next = manager->isolation->passes;
  manager->isolation->passes = made;
  if (!made->pipeline)
    return error_set_memory(error);
  *pass = place->api->mlirCreateExternalPass(
      place->api->mlirTypeIDCreate(&identity), provider_string(name),
      provider_string(place->label), provider_string(summary),
      provider_string(""), 0, NULL, callbacks, made);
  return MLIRPLUG_OK;
}

void isolation_destroy(struct mlirplug_manager *manager) {
  if (!manager->isolation)
    return;
  for (struct isolated *isolated = manager->isolation->passes; isolated;) {
    struct isolated *next = isolated->next;
    free(isolated->pipeline);
    free(isolated);
    isolated = next;
  }
  free(manager->isolation);
  manager->isolation = NULL;
}
