// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What search came upon and the host did not take.

#include "host/host.h"

#include <stdlib.h>
#include <string.h>

/// As many refusals as a remedy names.
enum { refusals_told = 3 };

void host_release_refusals(mlirplug_host *host) {
  for (size_t i = 0; i < host->refusal_count; ++i) {
    free((char *)host->refusals[i]->shown.path);
    mlirplug_error_destroy((mlirplug_error *)host->refusals[i]->shown.error);
    free(host->refusals[i]);
  }
  free(host->refusals);
}

/// Takes `made`; false if memory runs out.
static bool refusal_keep(mlirplug_host *host, struct host_refusal *made) {
  pthread_mutex_lock(&host->lock);
  struct host_refusal **refusals =
      reallocarray(host->refusals, host->refusal_count + 1, sizeof *refusals);
  if (refusals) {
    host->refusals = refusals;
    host->refusals[host->refusal_count++] = made;
  }
  pthread_mutex_unlock(&host->lock);
  return refusals;
}

const mlirplug_error *host_refuse(mlirplug_host *host, const char *path,
                                  mlirplug_error *problem,
                                  mlirplug_error **error) {
  struct host_refusal *made = calloc(1, sizeof *made);
  char *copy = made ? strdup(path) : NULL;
  if (made)
    made->shown = (mlirplug_refusal){.path = copy, .error = problem};
  if (copy && refusal_keep(host, made))
    return problem;
  free(copy);
  free(made);
  mlirplug_error_destroy(problem);
  (void)error_set_memory(error);
  return NULL;
}

void host_warn_refused(mlirplug_host *host, const mlirplug_error *refused) {
  if (host->configuration.quiet_refusals)
    return;
  if (!refused->is_unsigned) {
    host_warn(host, "%s", refused->message);
    return;
  }
  pthread_mutex_lock(&host->lock);
  ++host->unsigned_count;
  pthread_mutex_unlock(&host->lock);
}

void host_warn_unsigned(mlirplug_host *host) {
  pthread_mutex_lock(&host->lock);
  size_t count = host->unsigned_count;
  host->unsigned_count = 0;
  pthread_mutex_unlock(&host->lock);
  if (count)
    host_warn(host,
              count == 1 ? "%zu plugin found is not signed and was refused: "
                           "'mlirplug list' with the same options shows it"
                         : "%zu plugins found are not signed and were refused: "
                           "'mlirplug list' with the same options shows them",
              count);
}

void host_add_refusals(const mlirplug_host *host, struct text *remedy) {
  size_t count = mlirplug_host_refusal_count(host);
  if (!count)
    return;
  text_add(remedy, "; or it is in what was refused: ");
  for (size_t i = 0; i < count && i < refusals_told; ++i) {
    const mlirplug_refusal *refusal = mlirplug_host_refusal(host, i);
    text_format(remedy, "%s'%s' (%s)", i ? ", " : "", refusal->path,
                refusal->error->found ? refusal->error->found
                                      : refusal->error->doing);
  }
  if (count > refusals_told)
    text_format(remedy, " and %zu more", count - refusals_told);
}

size_t mlirplug_host_refusal_count(const mlirplug_host *host) {
  pthread_mutex_t *lock = (pthread_mutex_t *)&host->lock;
  pthread_mutex_lock(lock);
  size_t count = host->refusal_count;
  pthread_mutex_unlock(lock);
  return count;
}

const mlirplug_refusal *mlirplug_host_refusal(const mlirplug_host *host,
                                              size_t index) {
  pthread_mutex_t *lock = (pthread_mutex_t *)&host->lock;
  pthread_mutex_lock(lock);
  const mlirplug_refusal *refusal =
      index < host->refusal_count ? &host->refusals[index]->shown : NULL;
  pthread_mutex_unlock(lock);
  return refusal;
}
