// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/session.h"

#include <string.h>

void session_begin(struct session *session, const mlirplug_pipeline *pipeline,
                   MlirContext context) {
  *session = (struct session){
      .pipeline = pipeline,
      .binding = pipeline->host->binding,
      .api = binding_api(pipeline->host->binding),
      .context = context,
  };
  pthread_mutex_init(&session->record_lock, NULL);
}

void session_end(struct session *session) {
  record_list_release(&session->records);
  pthread_mutex_destroy(&session->record_lock);
}

MlirLocation session_location(const struct session *session) {
  const struct provider_api *api = session->api;
  const char *input = session->input;
  if (!input)
    return api->mlirLocationUnknownGet(session->context);
  return api->mlirLocationFileLineColGet(session->context,
                                         provider_string(input), 0, 0);
}
