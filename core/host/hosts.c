// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which host plugins there are. Those that come with libmlirplug are in a
// directory of their own, and are read when the first file or directory is
// looked at: a file's suffix says nothing without them.

#include "host/host.h"

#include "base/location.h"
#include "find/directory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Below the directory of libmlirplug.
#define HOSTS_DIRECTORY "mlirplug/hosts"

struct host_list {
  mlirplug_directory directory; ///< Its path is owned.
  struct plugin **plugins;
  size_t count;
  mlirplug_error *problem; ///< Of the first that cannot be used; owned.
};

void host_release_hosts(mlirplug_host *host) {
  struct host_list *hosts = host->hosts;
  if (!hosts)
    return;
  for (size_t i = 0; i < hosts->count; ++i)
    plugin_release(hosts->plugins[i]);
  free(hosts->plugins);
  mlirplug_error_destroy(hosts->problem);
  free((char *)hosts->directory.path);
  free(hosts);
}

//===----------------------------------------------------------------------===//
// Those that come with libmlirplug
//===----------------------------------------------------------------------===//

/// Keeps `problem`, which is taken: it matters when a file is to be served.
static void problem_keep(mlirplug_host *host, struct host_list *hosts,
                         mlirplug_error *problem) {
  if (!problem)
    return;
  host_log(host, "%s", problem->message);
  if (hosts->problem)
    mlirplug_error_destroy(problem);
  else
    hosts->problem = problem;
}

/// Reads one, if it can be used.
static void host_take(mlirplug_host *host, struct host_list *hosts,
                      const char *name) {
  struct text path = {0};
  text_format(&path, "%s/%s", hosts->directory.path, name);
  struct plugin *made = NULL;
  const struct plugin *known; // it was named: then it serves anyway
  mlirplug_error *problem = NULL;
  if (path.failed)
    (void)error_set_memory(&problem);
  else
    (void)host_read_plugin(host, path.bytes, &hosts->directory, &made, &known,
                           &problem);
  text_release(&path);
  if (made && plugin_describe(made, NULL)->suffixes)
    hosts->plugins[hosts->count++] = made;
  else
    plugin_release(made);
  problem_keep(host, hosts, problem);
}

static char *hosts_path(void) {
  char *location = location_of_core();
  struct text path = {0};
  if (location)
    text_format(&path, "%s" HOSTS_DIRECTORY, location);
  free(location);
  return text_take(&path);
}

/// Those in the directory. A directory that is not there has none.
static void hosts_read(mlirplug_host *host, struct host_list *hosts) {
  int descriptor = -1;
  struct directory_listing listing = {0};
  mlirplug_error *problem = NULL;
  const char *path = hosts->directory.path;
  if (directory_open(path, false, &descriptor, &problem) == MLIRPLUG_OK &&
      directory_list(path, descriptor, "", &listing, &problem) == MLIRPLUG_OK &&
      (hosts->plugins = calloc(listing.count + 1, sizeof *hosts->plugins)))
    for (size_t i = 0; i < listing.count; ++i)
      host_take(host, hosts, listing.names[i]);
  problem_keep(host, hosts, problem);
  directory_listing_release(&listing);
  if (descriptor >= 0)
    close(descriptor);
}

/// The list, made when it is first asked for; null if memory runs out.
static const struct host_list *hosts_get(mlirplug_host *host) {
  pthread_mutex_lock(&host->hosts_lock);
  if (!host->hosts) {
    struct host_list *made = calloc(1, sizeof *made);
    char *path = made ? hosts_path() : NULL;
    if (path) {
      made->directory = (mlirplug_directory){
          .path = path, .origin = "host plugins", .exists = true};
      hosts_read(host, made);
      host->hosts = made;
    } else {
      free(made);
    }
  }
  pthread_mutex_unlock(&host->hosts_lock);
  return host->hosts;
}

//===----------------------------------------------------------------------===//
// Who serves what
//===----------------------------------------------------------------------===//

/// Calls `visit` for each host plugin, those that were named first, until it
/// returns true.
static const struct plugin *
hosts_visit(mlirplug_host *host,
            bool (*visit)(const mlirplug_plugin_description *description,
                          void *user_data),
            void *user_data) {
  struct catalogue *catalogue = host_catalogue(host);
  const struct plugin *found = NULL;
  for (size_t i = 0; i < catalogue_count(catalogue) && !found; ++i) {
    const struct plugin *plugin = catalogue_plugin(catalogue, i);
    // One that was found in a directory of plugins serves nobody: which files
    // are plugins must not depend on the order of the directories.
    const mlirplug_plugin_description *description =
        plugin->directory ? NULL : plugin_describe(plugin, NULL);
    if (description && description->suffixes && visit(description, user_data))
      found = plugin;
  }
  catalogue_release(catalogue);
  const struct host_list *hosts = hosts_get(host);
  for (size_t i = 0; hosts && i < hosts->count && !found; ++i)
    if (visit(plugin_describe(hosts->plugins[i], NULL), user_data))
      found = hosts->plugins[i];
  return found;
}

static bool suffixes_collect(const mlirplug_plugin_description *description,
                             void *user_data) {
  struct text *text = user_data;
  text_add(text, text->length ? "," : "");
  text_add(text, description->suffixes);
  return false;
}

char *host_suffixes(mlirplug_host *host) {
  struct text text = {0};
  (void)hosts_visit(host, suffixes_collect, &text);
  return text_take(&text);
}

static bool serves(const mlirplug_plugin_description *description,
                   void *user_data) {
  return directory_suffix_is_one(user_data, description->suffixes);
}

const struct plugin *
host_serving(mlirplug_host *host, const char *path,
             const mlirplug_plugin_description **description) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  // Objects are the core's own affair, and are many.
  if (directory_suffix_is_one(name, ".so"))
    return NULL;
  const struct plugin *found = hosts_visit(host, serves, (void *)name);
  if (found)
    *description = plugin_describe(found, NULL);
  return found;
}

const mlirplug_error *host_serving_problem(mlirplug_host *host,
                                           const char *path) {
  const char *slash = strrchr(path, '/');
  if (directory_suffix_is_one(slash ? slash + 1 : path, ".so"))
    return NULL;
  const struct host_list *hosts = hosts_get(host);
  return hosts ? hosts->problem : NULL;
}
