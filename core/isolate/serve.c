// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The child: runs one pass over what its parent gives it.

#include "isolate/diagnostic.h"
#include "isolate/last_words.h"
#include "isolate/message.h"
#include "isolate/request.h"
#include "isolate/transfer_ir.h"
#include "pass/manager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

struct server {
  struct request request;
  struct isolate_functions functions;
  mlirplug_host *host;
  MlirContext context;
  mlirplug_pipeline *pipeline;
  mlirplug_manager *manager;
};

/// What is destroyed with the process need not be destroyed before.
__attribute__((noreturn)) static void refuse(const char *reason) {
  message_send(ISOLATE_MESSAGES, MESSAGE_REFUSED, reason, strlen(reason));
  _exit(EXIT_FAILURE);
}

/// By address, for nothing says that the status, its fellow argument, is had
/// before the error is read.
static void expect(mlirplug_status status, mlirplug_error *const *error) {
  if (status != MLIRPLUG_OK)
    refuse(*error ? (*error)->message : "it cannot be like its parent");
}

__attribute__((noreturn)) static void done(enum message_outcome outcome) {
  char byte = (char)outcome;
  message_send(ISOLATE_MESSAGES, MESSAGE_DONE, &byte, 1);
  _exit(EXIT_SUCCESS);
}

//===----------------------------------------------------------------------===//
// Before the plugin is loaded
//===----------------------------------------------------------------------===//

static mlirplug_status request_take(struct server *server,
                                    mlirplug_error **error) {
  const char *complaint;
  if (request_read(ISOLATE_REQUEST, &server->request, &complaint))
    return MLIRPLUG_OK;
  if (fcntl(ISOLATE_MESSAGES, F_GETFD) >= 0 &&
      strstr(complaint, "another version"))
    refuse(complaint);
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot run an isolated pass",
                                     .found = complaint,
                                     .remedy = "use 'mlirplug opt --isolate'"});
}

/// Ends with the parent, and keeps to the limit.
static void process_bound(const struct request *request) {
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != request->parent)
    _exit(EXIT_FAILURE);
  if (!request->memory_bytes)
    return;
  struct rlimit limit = {request->memory_bytes, request->memory_bytes};
  if (setrlimit(RLIMIT_AS, &limit) != 0)
    refuse(error_text("its memory cannot be limited: %m"));
}

static void host_make(struct server *server) {
  const struct request *request = &server->request;
  mlirplug_host_configuration configuration = {
      .size = sizeof configuration,
      .trust_any = request->trust_any,
      .no_cache = true,
      .require_signature = request->require_signature,
      .key_directory = request->key_directory,
  };
  mlirplug_error *error = NULL;
  expect(mlirplug_host_create(&configuration, &server->host, &error), &error);
}

static void plugin_add(struct server *server) {
  mlirplug_error *error = NULL;
  expect(mlirplug_host_add_plugin(server->host, server->request.plugin, NULL,
                                  &error),
         &error);
  struct catalogue *catalogue = host_catalogue(server->host);
  if (!file_identity_equal(&catalogue_plugin(catalogue, 0)->file,
                           &server->request.file))
    refuse("another file has taken its place since it was read");
  catalogue_release(catalogue);
}

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

/// One at a time: MLIR calls it with a lock held.
static MlirLogicalResult diagnostic_tell(MlirDiagnostic diagnostic,
                                         void *user_data) {
  const struct server *server = user_data;
  struct text text = {0};
  diagnostic_write(&server->functions, diagnostic, &text);
  if (!text.failed)
    message_send(ISOLATE_MESSAGES, MESSAGE_DIAGNOSTIC, text.bytes, text.length);
  text_release(&text);
  return mlirLogicalResultSuccess();
}

static void record_tell(const char *line, size_t length, void *user_data) {
  (void)user_data;
  message_send(ISOLATE_MESSAGES, MESSAGE_RECORD, line, length);
}

static void statistics_tell(const struct server *server) {
  size_t count = mlirplug_manager_statistic_count(server->manager);
  for (size_t i = 0; i < count; ++i) {
    struct message_statistic statistic = {
        i, mlirplug_manager_statistic(server->manager, i).value};
    message_send(ISOLATE_MESSAGES, MESSAGE_STATISTIC, &statistic,
                 sizeof statistic);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void manager_make(struct server *server) {
  mlirplug_manager_configuration configuration = {
      .size = sizeof configuration,
      .record = record_tell,
      .verify = server->request.verify,
  };
  mlirplug_error *error = NULL;
  const char *absent;
  if (!isolate_functions_find(server->host->binding, &server->functions,
                              &absent))
    refuse(error_text("%s lacks %s", mlirplug_host_provider(server->host),
                      absent));
  server->functions.mlirContextAttachDiagnosticHandler(
      server->context, diagnostic_tell, server, NULL);
  expect(mlirplug_pipeline_parse(server->host, server->request.pipeline,
                                 &server->pipeline, &error),
         &error);
  expect(mlirplug_manager_create(server->pipeline, server->context,
                                 &configuration, &server->manager, &error),
         &error);
}

/// Hands over what has become of the IR, which was `before`.
__attribute__((noreturn)) static void result_tell(const struct server *server,
                                                  MlirOperation root,
                                                  const struct text *before) {
  struct text after = {0};
  if (!ir_write(&server->functions, root, &after))
    refuse("what it has made cannot be written as bytecode");
  if (after.length == before->length &&
      memcmp(after.bytes, before->bytes, after.length) == 0)
    done(MESSAGE_UNCHANGED);
  errno = request_put(ISOLATE_RESULT, after.bytes, after.length, 0);
  if (errno)
    refuse(error_text("what it has made cannot be written: %m"));
  done(MESSAGE_CHANGED);
}

__attribute__((noreturn)) static void pass_run(struct server *server) {
  MlirOperation root = ir_read(&server->functions, server->context,
                               server->request.ir, server->request.ir_length);
  struct text before = {0};
  if (!root.ptr)
    refuse("the IR cannot be read by the child, which may lack its dialects");
  if (!ir_write(&server->functions, root, &before))
    refuse("out of memory");
  last_words_prepare(&server->functions, server->manager);
  mlirplug_status status =
      mlirplug_manager_run(server->manager, root, server->request.input, NULL);
  statistics_tell(server);
  if (status != MLIRPLUG_OK)
    done(MESSAGE_FAILED);
  result_tell(server, root, &before);
}

mlirplug_status mlirplug_isolated_serve(
    mlirplug_status (*prepare)(mlirplug_host *host,
                               const mlirplug_isolated_request *request,
                               MlirContext *context, mlirplug_error **error,
                               void *user_data),
    void *user_data, mlirplug_error **error) {
  struct server server = {0};
  if (request_take(&server, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  process_bound(&server.request);
  host_make(&server);
  mlirplug_isolated_request told = {
      .size = sizeof told,
      .provider = server.request.provider,
      .threads = server.request.threads,
      .allow_unregistered_dialects = server.request.allow_unregistered_dialects,
  };
  mlirplug_error *problem = NULL;
  expect(prepare(server.host, &told, &server.context, &problem, user_data),
         &problem);
  message_send(ISOLATE_MESSAGES, MESSAGE_BEGUN, "", 0);
  plugin_add(&server);
  manager_make(&server);
  pass_run(&server);
}
