// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a plugin comes to the host.

#include "host/host.h"

#include "find/trust.h"

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

mlirplug_status host_pass_error(mlirplug_error *problem,
                                mlirplug_error **error) {
  if (error)
    *error = problem;
  else
    mlirplug_error_destroy(problem);
  return MLIRPLUG_FAILED;
}

mlirplug_status host_decide_trust(const mlirplug_host *host,
                                  mlirplug_error *problem,
                                  mlirplug_error **error) {
  if (!host->configuration.trust_any || !problem->untrusted)
    return host_pass_error(problem, error);
  host_warn(host, "trust is off: %s", problem->message);
  mlirplug_error_destroy(problem);
  return MLIRPLUG_OK;
}

static mlirplug_status file_trust(const mlirplug_host *host,
                                  const struct file *file,
                                  enum trust_origin origin,
                                  mlirplug_error **error) {
  mlirplug_error *problem = NULL;
  if (trust_check(file, origin, &problem) == MLIRPLUG_OK)
    return MLIRPLUG_OK;
  return host_decide_trust(host, problem, error);
}

//===----------------------------------------------------------------------===//
// One plugin
//===----------------------------------------------------------------------===//

/// The plugin that was made from this file, with the lock held; null if there
/// is none, or if one that was found is named now.
static const struct plugin *known_find(const mlirplug_host *host,
                                       const struct file_identity *file,
                                       const mlirplug_directory *directory) {
  const struct plugin *known = catalogue_find_file(host->catalogue, file);
  return known && (directory || !known->directory) ? known : NULL;
}

/// Reads the plugin at `path`. On success either `*made` belongs to the caller,
/// or it is null and the file is that of the plugin `*known`.
static mlirplug_status plugin_read(mlirplug_host *host, const char *path,
                                   const mlirplug_directory *directory,
                                   struct plugin **made,
                                   const struct plugin **known,
                                   mlirplug_error **error) {
  struct file file;
  if (file_open(path, &file, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  pthread_mutex_lock(&host->lock);
  *made = NULL;
  *known = known_find(host, &file.identity, directory);
  pthread_mutex_unlock(&host->lock);
  mlirplug_status status = MLIRPLUG_OK;
  if (*known) {
    host_log(host, "plugin %s is already there, as %s", file.path,
             (*known)->description->path);
  } else {
    status =
        file_trust(host, &file, directory ? TRUST_FOUND : TRUST_NAMED, error);
    if (status == MLIRPLUG_OK)
      status = plugin_create(&file, made, error);
  }
  file_close(&file);
  if (*made) {
    (*made)->directory = directory;
    (*made)->trust_any = host->configuration.trust_any;
  }
  return status;
}

/// Takes `made` into a new snapshot, unless another thread has added the same
/// file meanwhile; `*entered` is the one that is there.
static mlirplug_status plugin_enter(mlirplug_host *host, struct plugin *made,
                                    const struct plugin **entered,
                                    mlirplug_error **error) {
  pthread_mutex_lock(&host->lock);
  struct catalogue *extended = NULL;
  mlirplug_status status = MLIRPLUG_OK;
  *entered = known_find(host, &made->file, made->directory);
  if (!*entered)
    status = catalogue_with(host->catalogue, made, &extended, error);
  if (extended) {
    catalogue_release(host->catalogue);
    host->catalogue = extended;
    *entered = made;
  }
  pthread_mutex_unlock(&host->lock);
  if (!extended)
    plugin_destroy(made);
  return status;
}

/// Warns of passes that an earlier plugin has too.
static void names_report(const mlirplug_host *host,
                         const struct plugin *plugin) {
  struct catalogue *catalogue = host_catalogue(host);
  const struct plugin *first = NULL;
  const char *name = NULL;
  size_t count = 0;
  for (size_t i = 0; i < plugin->description->pass_count; ++i) {
    const char *own = plugin->description->passes[i].name;
    const struct plugin *other = catalogue_find_other(catalogue, own, plugin);
    if (other && ++count == 1) {
      first = other;
      name = own;
    }
  }
  if (count)
    host_warn(host,
              "two plugins have a pass '%s'%s: '%s', which came first and has "
              "the name, and '%s'; a pipeline cannot use it until one of the "
              "files is gone",
              name, count > 1 ? ", and others" : "", first->description->path,
              plugin->description->path);
  catalogue_release(catalogue);
}

static void plugin_report(const mlirplug_host *host,
                          const struct plugin *plugin) {
  const mlirplug_plugin_description *description = plugin->description;
  host_log(host, "read %s: plugin %s %s, passes: %zu, functions needed: %zu",
           description->path, description->id, description->version,
           description->pass_count, description->import_count);
  for (size_t i = 0; i < description->warning_count; ++i)
    host_warn(host, "plugin '%s': %s", description->path,
              description->warnings[i]);
  names_report(host, plugin);
}

mlirplug_status host_add(mlirplug_host *host, const char *path,
                         const mlirplug_directory *directory,
                         const struct plugin **plugin, bool *clashes,
                         mlirplug_error **error) {
  struct plugin *made;
  const struct plugin *entered;
  *clashes = false;
  if (plugin_read(host, path, directory, &made, &entered, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (made) {
    if (plugin_enter(host, made, &entered, error) != MLIRPLUG_OK) {
      *clashes = true;
      return MLIRPLUG_FAILED;
    }
    plugin_report(host, entered);
  }
  *plugin = entered;
  return MLIRPLUG_OK;
}

mlirplug_status
mlirplug_host_add_plugin(mlirplug_host *host, const char *path,
                         const mlirplug_plugin_description **description,
                         mlirplug_error **error) {
  const struct plugin *plugin;
  bool clashes;
  if (host_add(host, path, NULL, &plugin, &clashes, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (description)
    *description = plugin->description;
  return MLIRPLUG_OK;
}
