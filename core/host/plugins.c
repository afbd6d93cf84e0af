// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a plugin comes to the host.

#include "host/host.h"

#include "find/trust.h"
#include "load/opened.h"
#include "pass/services.h"
#include "read/libraries.h"
#include "read/opened.h"
#include "sign/demand.h"

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
                                  enum trust_origin origin, bool is_object,
                                  mlirplug_error **error) {
  mlirplug_error *problem = NULL;
  if (trust_check(file, origin, &problem) != MLIRPLUG_OK &&
      host_decide_trust(host, problem, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (!host->demands)
    return MLIRPLUG_OK;
  if (demands_check(host->demands, file, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  return is_object ? libraries_check(file, error) : MLIRPLUG_OK;
}

//===----------------------------------------------------------------------===//
// One plugin
//===----------------------------------------------------------------------===//

static void known_report(const mlirplug_host *host, const char *path,
                         const struct plugin *known) {
  host_log(host, "plugin %s is already there, as %s", path, known->path);
}

/// The plugin that was made from this file, with the lock held; null if there
/// is none, or if one that was found is named now.
static const struct plugin *known_find(const mlirplug_host *host,
                                       const struct file_identity *file,
                                       const mlirplug_directory *directory) {
  const struct plugin *known = catalogue_find_file(host->catalogue, file);
  return known && (directory || !known->directory) ? known : NULL;
}

/// Which signature and trust, and where from.
static void plugin_mark(const mlirplug_host *host, struct plugin *plugin,
                        const mlirplug_directory *directory) {
  plugin->directory = directory;
  plugin->trust_any = host->configuration.trust_any;
  plugin->demands = host->demands;
}

mlirplug_status host_read_served(mlirplug_host *host, const struct file *file,
                                 const struct plugin *by,
                                 const mlirplug_directory *directory,
                                 bool must_open, struct plugin **made,
                                 mlirplug_error **error) {
  bool open = must_open || (!directory && !host->configuration.examine_only);
  const struct image *opened = NULL;
  mlirplug_plugin_description *description = NULL;
  const char *language = plugin_describe(by, NULL)->language;
  if (open) {
    if (opened_load(by, services, file, &opened, error) != MLIRPLUG_OK ||
        opened_describe(file->path, language, opened->descriptor, &description,
                        error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  } else if (!(description = unopened_describe(file->path, language))) {
    return error_set_memory(error);
  }
  struct plugin *plugin;
  if (plugin_create_described(file, description, &plugin, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  plugin->served_by = by;
  plugin->opened = opened;
  plugin_mark(host, plugin, directory);
  *made = plugin;
  return MLIRPLUG_OK;
}

/// Reads it, by whatever reads files of its kind.
static mlirplug_status file_read(mlirplug_host *host, const struct file *file,
                                 const mlirplug_directory *directory,
                                 struct plugin **made, mlirplug_error **error) {
  const mlirplug_plugin_description *description;
  const struct plugin *by = host_serving(host, file->path, &description);
  if (file_trust(host, file, directory ? TRUST_FOUND : TRUST_NAMED, !by,
                 error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (by)
    return host_read_served(host, file, by, directory,
                            host_is_reproduced(directory), made, error);
  const mlirplug_error *problem = host_serving_problem(host, file->path);
  if (problem)
    return error_set(error, problem);
  if (plugin_create(file, made, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  plugin_mark(host, *made, directory);
  return MLIRPLUG_OK;
}

mlirplug_status host_read_plugin(mlirplug_host *host, const char *path,
                                 const mlirplug_directory *directory,
                                 struct plugin **made,
                                 const struct plugin **known,
                                 mlirplug_error **error) {
  struct file file;
  if (file_open(path, &file, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  *made = NULL;
  pthread_mutex_lock(&host->lock);
  *known = known_find(host, &file.identity, directory);
  pthread_mutex_unlock(&host->lock);
  mlirplug_status status = MLIRPLUG_OK;
  if (*known)
    known_report(host, file.path, *known);
  else
    status = file_read(host, &file, directory, made, error);
  file_close(&file);
  return status;
}

mlirplug_status host_enter_plugins(mlirplug_host *host,
                                   struct catalogue_addition *additions,
                                   size_t count, mlirplug_error **error) {
  struct catalogue *extended;
  pthread_mutex_lock(&host->lock);
  mlirplug_status status =
      catalogue_extend(host->catalogue, additions, count, &extended, error);
  if (status == MLIRPLUG_OK) {
    catalogue_release(host->catalogue);
    host->catalogue = extended;
  }
  pthread_mutex_unlock(&host->lock);
  return status;
}

/// Warns of passes that an earlier plugin has too.
static void names_report(const mlirplug_host *host,
                         const struct catalogue_addition *addition) {
  if (addition->shared_count)
    host_warn(host,
              "two plugins have a pass '%s'%s: '%s', which came first and has "
              "the name, and '%s'; a pipeline cannot use it: remove one of the "
              "files, or do not search its directory (--no-default-plugins)",
              addition->shared_name,
              addition->shared_count > 1 ? ", and others" : "",
              addition->shares_with->path, addition->entered->path);
}

static void description_report(const mlirplug_host *host,
                               const mlirplug_plugin_description *description) {
  host_log(host, "read %s: plugin %s %s, passes: %zu, functions needed: %zu",
           description->path, description->id, description->version,
           description->pass_count, description->import_count);
}

static void warnings_report(const mlirplug_host *host,
                            const mlirplug_plugin_description *description) {
  for (size_t i = 0; i < description->warning_count; ++i)
    host_warn(host, "plugin '%s': %s", description->path,
              description->warnings[i]);
}

void host_report_addition(const mlirplug_host *host,
                          const struct catalogue_addition *addition,
                          const struct cache_entry *entry) {
  const struct plugin *plugin = addition->entered;
  if (plugin != addition->plugin) {
    known_report(host, addition->plugin->path, plugin);
    return;
  }
  // The description of a cached plugin is not made without need.
  const mlirplug_plugin_description *description =
      entry && !entry->has_warnings ? NULL : plugin_describe(plugin, NULL);
  if (entry)
    host_log(host, "%s is as it was in the cache", plugin->path);
  else if (description)
    description_report(host, description);
  if (description)
    warnings_report(host, description);
  names_report(host, addition);
}

mlirplug_status host_enter_plugin(mlirplug_host *host, struct plugin *plugin,
                                  const struct plugin **entered, bool *clashes,
                                  mlirplug_error **error) {
  struct catalogue_addition addition = {.plugin = plugin};
  mlirplug_status status = host_enter_plugins(host, &addition, 1, error);
  *clashes = addition.refused;
  if (addition.refused)
    status = host_pass_error(addition.refused, error);
  else if (status == MLIRPLUG_OK)
    host_report_addition(host, &addition, NULL);
  *entered = addition.entered;
  plugin_release(plugin);
  return status;
}

mlirplug_status
mlirplug_host_add_plugin(mlirplug_host *host, const char *path,
                         const mlirplug_plugin_description **description,
                         mlirplug_error **error) {
  struct plugin *made;
  const struct plugin *entered;
  bool clashes;
  if (host_read_plugin(host, path, NULL, &made, &entered, error) !=
          MLIRPLUG_OK ||
      (made &&
       host_enter_plugin(host, made, &entered, &clashes, error) != MLIRPLUG_OK))
    return MLIRPLUG_FAILED;
  if (!description)
    return MLIRPLUG_OK;
  const mlirplug_plugin_description *made_description =
      plugin_describe(entered, error);
  if (!made_description)
    return MLIRPLUG_FAILED;
  *description = made_description;
  return MLIRPLUG_OK;
}
