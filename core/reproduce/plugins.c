// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugins that a reproducer needs, into a host.

#include "reproduce/reproducer.h"

#include "host/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// One plugin, while it is looked for.
struct search {
  mlirplug_host *host;
  const mlirplug_reproducer *reproducer;
  const mlirplug_reproducer_plugin *wanted;
  struct text looked; ///< Where, and what was there.
};

//===----------------------------------------------------------------------===//
// Is it the same?
//===----------------------------------------------------------------------===//

/// Null if the file cannot be read.
static const char *checksum_of(const char *path, struct arena *arena) {
  struct file file;
  const char *checksum = NULL;
  if (file_open(path, &file, NULL) != MLIRPLUG_OK)
    return NULL;
  (void)reproducer_checksum(&file, arena, &checksum, NULL);
  file_close(&file);
  return checksum;
}

/// Warns of a plugin that is not what it was: it may behave otherwise.
static void sameness_check(const struct search *search,
                           const mlirplug_plugin_description *plugin) {
  const mlirplug_reproducer_plugin *wanted = search->wanted;
  struct arena arena = {0};
  const char *checksum =
      wanted->checksum ? checksum_of(plugin->path, &arena) : NULL;
  if (strcmp(wanted->version, plugin->version) != 0)
    host_warn(search->host,
              "the plugin '%s' is version %s of %s; '%s' was made with %s",
              plugin->path, plugin->version, plugin->id,
              search->reproducer->path ? search->reproducer->path
                                       : "the reproducer",
              wanted->version);
  else if (checksum && strcmp(wanted->checksum, checksum) != 0)
    host_warn(search->host,
              "the plugin '%s' is not the file that '%s' was made with: its "
              "checksum is another one (b2sum)",
              plugin->path,
              search->reproducer->path ? search->reproducer->path
                                       : "the reproducer");
  arena_release(&arena);
}

//===----------------------------------------------------------------------===//
// Where it may be
//===----------------------------------------------------------------------===//

/// A file of another language has its id when it is open, which it will be when
/// the pipeline asks for its passes.
static bool is_wanted(const mlirplug_plugin_description *plugin,
                      const mlirplug_reproducer_plugin *wanted) {
  return strcmp(plugin->id, wanted->id) == 0 ||
         (plugin->language && strcmp(plugin->path, wanted->path) == 0);
}

/// Among those that the host has.
static bool known_find(const struct search *search) {
  for (size_t i = 0; i < mlirplug_host_plugin_count(search->host); ++i) {
    const mlirplug_plugin_description *plugin =
        mlirplug_host_plugin(search->host, i);
    if (!plugin || !is_wanted(plugin, search->wanted))
      continue;
    host_log(search->host, "plugin %s of the reproducer is there, as %s",
             plugin->id, plugin->path);
    sameness_check(search, plugin);
    return true;
  }
  return false;
}

static void looked_add(struct search *search, const char *path,
                       const char *what) {
  text_format(&search->looked, "; '%s': %s", path, what);
}

/// Adds the file at `path` if it is the plugin. False with an error if it is
/// and cannot be added.
static mlirplug_status file_try(struct search *search, const char *path,
                                bool *found, mlirplug_error **error) {
  struct plugin *made;
  const struct plugin *known;
  mlirplug_error *problem = NULL;
  struct stat status;
  *found = false;
  if (stat(path, &status) != 0) {
    looked_add(search, path, strerror(errno));
    return MLIRPLUG_OK;
  }
  const mlirplug_directory *directory =
      host_note_reproduced(search->host, path, error);
  if (!directory)
    return MLIRPLUG_FAILED;
  if (host_read_plugin(search->host, path, directory, &made, &known,
                       &problem) != MLIRPLUG_OK)
    return host_pass_error(problem, error);
  const mlirplug_plugin_description *description =
      plugin_describe(made ? made : known, NULL);
  *found = description && strcmp(description->id, search->wanted->id) == 0;
  if (!*found)
    text_format(&search->looked, "; '%s': it is the plugin '%s'", path,
                description ? description->id : "");
  if (*found)
    sameness_check(search, description);
  bool clashes;
  if (made && *found)
    return host_enter_plugin(search->host, made, &known, &clashes, error);
  if (made)
    plugin_release(made);
  return MLIRPLUG_OK;
}

/// The file of the same name beside the reproducer; to be freed, null if memory
/// runs out.
static char *path_beside(const struct search *search) {
  const char *path = search->reproducer->path;
  const char *slash = path ? strrchr(path, '/') : NULL;
  const char *name = strrchr(search->wanted->path, '/');
  struct text beside = {0};
  if (slash)
    text_add_bytes(&beside, path, (size_t)(slash - path));
  else
    text_add(&beside, ".");
  text_add(&beside, name);
  return text_take(&beside);
}

static mlirplug_status missing_refuse(const struct search *search,
                                      mlirplug_error **error) {
  const mlirplug_reproducer_plugin *wanted = search->wanted;
  if (search->looked.failed)
    return error_set_memory(error);
  return error_set(
      error,
      &(mlirplug_error){
          .doing = "cannot replay",
          .subject = search->reproducer->path ? search->reproducer->path
                                              : "the reproducer",
          .found =
              error_text("it needs the plugin '%s' %s, which is not among "
                         "those that are loaded or found%s",
                         wanted->id, wanted->version, search->looked.bytes),
          .expected = "the plugin where it was, or beside the reproducer",
          .remedy = "name it: --load-pass-plugin=FILE"});
}

static mlirplug_status plugin_find(struct search *search,
                                   mlirplug_error **error) {
  bool found = known_find(search);
  if (!found &&
      file_try(search, search->wanted->path, &found, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  char *beside = found ? NULL : path_beside(search);
  if (!found && !beside)
    return error_set_memory(error);
  mlirplug_status status = MLIRPLUG_OK;
  if (!found && strcmp(beside, search->wanted->path) != 0)
    status = file_try(search, beside, &found, error);
  free(beside);
  return status != MLIRPLUG_OK || found ? status
                                        : missing_refuse(search, error);
}

mlirplug_status
mlirplug_host_add_reproducer(mlirplug_host *host,
                             const mlirplug_reproducer *reproducer,
                             mlirplug_error **error) {
  mlirplug_status status = MLIRPLUG_OK;
  for (size_t i = 0; i < reproducer->plugin_count && status == MLIRPLUG_OK;
       ++i) {
    struct search search = {host, reproducer, reproducer->plugins[i], {0}};
    status = plugin_find(&search, error);
    text_release(&search.looked);
  }
  return status;
}
