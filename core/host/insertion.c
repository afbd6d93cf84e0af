// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the configuration file asks to be inserted into pipelines.

#include "host/host.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static void list_release(char **list) {
  for (char **item = list; item && *item; ++item)
    free(*item);
  free(list);
}

/// The requests, ended by null; null if memory runs out.
static char **list_make(const mlirplug_configuration *from) {
  char **made = calloc(from->insertion_count + 1, sizeof *made);
  for (size_t i = 0; made && i < from->insertion_count; ++i) {
    made[i] = strdup(from->insertions[i]);
    if (!made[i]) {
      list_release(made);
      return NULL;
    }
  }
  return made;
}

mlirplug_status host_take_insertions(mlirplug_host *host,
                                     const mlirplug_configuration *from,
                                     bool is_named, mlirplug_error **error) {
  char **made = list_make(from);
  if (!made)
    return error_set_memory(error);
  pthread_mutex_lock(&host->lock);
  host->insertions = made;
  host->insertions_are_named = is_named;
  pthread_mutex_unlock(&host->lock);
  return MLIRPLUG_OK;
}

void host_release_insertions(mlirplug_host *host) {
  list_release(host->insertions);
}

const char *mlirplug_host_insertion(const mlirplug_host *host, size_t index) {
  pthread_mutex_t *lock = (pthread_mutex_t *)&host->lock;
  pthread_mutex_lock(lock);
  char *const *item = host->insertions;
  pthread_mutex_unlock(lock);
  while (item && *item && index--)
    ++item;
  return item ? *item : NULL;
}
