// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "host/host.h"

#include "catalog/cache.h"
#include "load/bind.h"
#include "provider/process.h"
#include "sign/demand.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mlirplug_status
mlirplug_host_create(const mlirplug_host_configuration *configuration,
                     mlirplug_host **host, mlirplug_error **error) {
  mlirplug_host *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  if (configuration) {
    size_t known = sizeof made->configuration;
    memcpy(&made->configuration, configuration,
           configuration->size < known ? configuration->size : known);
  }
  pthread_mutex_init(&made->telling, NULL);
  pthread_mutex_init(&made->lock, NULL);
  pthread_mutex_init(&made->hosts_lock, NULL);
  made->catalogue = catalogue_create();
  made->cache_directory = cache_directory();
  mlirplug_status status = MLIRPLUG_OK;
  if (!made->catalogue || (!made->cache_directory && errno == ENOMEM))
    status = error_set_memory(error);
  else if (!made->configuration.examine_only)
    status = demands_create(
        DEMAND_SYSTEM, made->configuration.require_signature,
        made->configuration.key_directory, &made->demands, error);
  if (status != MLIRPLUG_OK) {
    mlirplug_host_destroy(made);
    return MLIRPLUG_FAILED;
  }
  *host = made;
  return MLIRPLUG_OK;
}

void mlirplug_host_destroy(mlirplug_host *host) {
  if (!host)
    return;
  catalogue_release(host->catalogue);
  host_release_hosts(host);
  free(host->cache_directory);
  demands_destroy(host->demands);
  host_release_insertions(host);
  host_release_configured(host);
  host_release_directories(host);
  host_release_reproduced(host);
  host_release_refusals(host);
  pthread_mutex_destroy(&host->hosts_lock);
  pthread_mutex_destroy(&host->lock);
  pthread_mutex_destroy(&host->telling);
  free(host);
}

//===----------------------------------------------------------------------===//
// What is told to the embedder
//===----------------------------------------------------------------------===//

/// Hands a line to `callback`, one at a time over all threads.
static void host_tell(const mlirplug_host *host,
                      void (*callback)(const char *, void *),
                      const char *format, va_list values) {
  char *line = NULL;
  if (!callback || vasprintf(&line, format, values) < 0)
    return;
  text_make_line(line);
  pthread_mutex_t *telling = (pthread_mutex_t *)&host->telling;
  pthread_mutex_lock(telling);
  callback(line, host->configuration.user_data);
  pthread_mutex_unlock(telling);
  free(line);
}

void host_log(const mlirplug_host *host, const char *format, ...) {
  va_list values;
  va_start(values, format);
  host_tell(host, host->configuration.log, format, values);
  va_end(values);
}

void host_warn(const mlirplug_host *host, const char *format, ...) {
  va_list values;
  va_start(values, format);
  host_tell(host, host->configuration.warn, format, values);
  va_end(values);
}

const char *mlirplug_host_cache_directory(const mlirplug_host *host) {
  return host->cache_directory;
}

//===----------------------------------------------------------------------===//
// The provider
//===----------------------------------------------------------------------===//

/// One host runs on one copy of MLIR.
static mlirplug_status unattached_check(const mlirplug_host *host,
                                        const char *subject,
                                        mlirplug_error **error) {
  if (!host->binding)
    return MLIRPLUG_OK;
  return error_set(
      error,
      &(mlirplug_error){.doing = "cannot attach the provider",
                        .subject = subject,
                        .found = error_text("the host already runs on %s",
                                            binding_description(host->binding)),
                        .expected = "one copy of MLIR for each host",
                        .remedy = "make another host for it"});
}

mlirplug_status mlirplug_host_attach_library(mlirplug_host *host,
                                             const char *library,
                                             mlirplug_error **error) {
  if (unattached_check(host, library, error) != MLIRPLUG_OK ||
      binding_open(library, &host->binding, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  host_log(host, "attached %s", binding_description(host->binding));
  return MLIRPLUG_OK;
}

mlirplug_status mlirplug_host_attach_package(mlirplug_host *host,
                                             const char *package,
                                             mlirplug_error **error) {
  struct library library;
  if (unattached_check(host, package, error) != MLIRPLUG_OK ||
      process_find_package(package, &library, error) != MLIRPLUG_OK ||
      binding_take(&library, &host->binding, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  host_log(host, "attached %s, which the package %s brought",
           binding_description(host->binding), package);
  return MLIRPLUG_OK;
}

mlirplug_status mlirplug_host_attach_process(mlirplug_host *host,
                                             mlirplug_error **error) {
  struct library library;
  if (unattached_check(host, "this process", error) != MLIRPLUG_OK ||
      process_find(&library, error) != MLIRPLUG_OK ||
      binding_take(&library, &host->binding, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  host_log(host, "attached %s, the only one in the process",
           binding_description(host->binding));
  return MLIRPLUG_OK;
}

const char *mlirplug_host_provider(const mlirplug_host *host) {
  return host->binding ? binding_description(host->binding) : NULL;
}

/// Whether one of the imports is an optional `name`: all of this name are then.
static bool imports_have_optional(const mlirplug_import *begin,
                                  const mlirplug_import *end,
                                  const char *name) {
  for (const mlirplug_import *import = begin; import != end; ++import)
    if (import->name[0] == '?' && strcmp(import->name + 1, name) == 0)
      return true;
  return false;
}

mlirplug_status mlirplug_host_bind(mlirplug_host *host, mlirplug_import *begin,
                                   mlirplug_import *end,
                                   mlirplug_error **error) {
  static const struct service none[] = {{NULL, NULL}};
  if (!host->binding)
    return error_set(
        error, &(mlirplug_error){.doing = "cannot bind the host's imports",
                                 .found = "no provider is attached",
                                 .remedy = "call mlirplug_host_attach_library "
                                           "first"});
  struct environment environment = {none, host->binding};
  for (mlirplug_import *import = begin; import != end; ++import)
    if (import->name[0] != '?' &&
        !environment_find(&environment, import->name) &&
        !imports_have_optional(begin, end, import->name))
      return error_set(
          error, &(mlirplug_error){
                     .doing = "cannot bind the host's imports",
                     .subject = import->name,
                     .found = error_text("%s does not have it",
                                         binding_description(host->binding)),
                     .expected = "an MLIR that has it",
                     .remedy = "use another provider"});
  bind_fill(begin, end, &environment);
  return MLIRPLUG_OK;
}

//===----------------------------------------------------------------------===//
// What is known of plugins
//===----------------------------------------------------------------------===//

struct catalogue *host_catalogue(const mlirplug_host *host) {
  pthread_mutex_t *lock = (pthread_mutex_t *)&host->lock;
  pthread_mutex_lock(lock);
  struct catalogue *catalogue = catalogue_retain(host->catalogue);
  pthread_mutex_unlock(lock);
  return catalogue;
}

// Snapshots only grow, so what one of them says stays true, and its plugins
// live as long as the newest one.

size_t mlirplug_host_plugin_count(const mlirplug_host *host) {
  struct catalogue *catalogue = host_catalogue(host);
  size_t count = catalogue_count(catalogue);
  catalogue_release(catalogue);
  return count;
}

const mlirplug_plugin_description *
mlirplug_host_plugin(const mlirplug_host *host, size_t index) {
  struct catalogue *catalogue = host_catalogue(host);
  const mlirplug_plugin_description *description =
      index < catalogue_count(catalogue)
          ? plugin_describe(catalogue_plugin(catalogue, index), NULL)
          : NULL;
  catalogue_release(catalogue);
  return description;
}

const mlirplug_directory *
mlirplug_host_plugin_directory(const mlirplug_host *host, size_t index) {
  struct catalogue *catalogue = host_catalogue(host);
  const mlirplug_directory *directory =
      index < catalogue_count(catalogue)
          ? catalogue_plugin(catalogue, index)->directory
          : NULL;
  catalogue_release(catalogue);
  return directory;
}

const mlirplug_pass_description *
mlirplug_host_find_pass(const mlirplug_host *host, const char *name,
                        const mlirplug_plugin_description **plugin) {
  struct catalogue *catalogue = host_catalogue(host);
  size_t index;
  const struct plugin *found = catalogue_find_pass(catalogue, name, &index);
  catalogue_release(catalogue);
  if (!found && host_open_found((mlirplug_host *)host, name))
    return mlirplug_host_find_pass(host, name, plugin);
  const mlirplug_plugin_description *description =
      found ? plugin_describe(found, NULL) : NULL;
  if (!description)
    return NULL;
  if (plugin)
    *plugin = description;
  return description->passes[index];
}
