// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of other languages that were found in directories. Nothing is known of
// one but its name until a pass is wanted that nobody has: then those that have
// the pass's name in them are opened.

#include "host/host.h"

#include "find/trust.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Whether the bytes of `file` have `name` in them. One that cannot be read is
/// said to, for then opening it tells why.
static bool file_mentions(const struct file *file, const char *name) {
  size_t length = strlen(name), kept = 0;
  char part[16384 + 1];
  if (!length || length > 4096)
    return false;
  for (off_t at = 0;;) {
    ssize_t more =
        pread(file->descriptor, part + kept, sizeof part - 1 - kept, at);
    if (more < 0 && errno == EINTR)
      continue;
    if (more < 0)
      return true;
    if (more == 0)
      return false;
    if (memmem(part, kept + (size_t)more, name, length))
      return true;
    at += more;
    size_t have = kept + (size_t)more;
    kept = have < length - 1 ? have : length - 1;
    memmove(part, part + have - kept, kept);
  }
}

/// Opens a file that was found, if it has `name` in it. `*made` stays null if
/// not.
static mlirplug_status found_read(mlirplug_host *host,
                                  const struct plugin *found, const char *name,
                                  struct plugin **made,
                                  mlirplug_error **error) {
  struct file file;
  if (file_open(found->path, &file, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = MLIRPLUG_OK;
  if (!name || file_mentions(&file, name)) {
    if (!found->trust_any)
      status = trust_check(&file, TRUST_FOUND, error);
    if (status == MLIRPLUG_OK &&
        !file_identity_equal(&file.identity, &found->file))
      status = error_set(
          error, &(mlirplug_error){.doing = "cannot open the plugin",
                                   .subject = found->path,
                                   .found = "the file has changed since its "
                                            "directory was searched",
                                   .remedy = "search the directory again"});
    if (status == MLIRPLUG_OK)
      status = host_read_served(host, &file, found->served_by, found->directory,
                                true, made, error);
  }
  file_close(&file);
  return status;
}

static bool is_refused(mlirplug_host *host, const char *path) {
  const mlirplug_refusal *refusal;
  for (size_t i = 0; (refusal = mlirplug_host_refusal(host, i)); ++i)
    if (strcmp(refusal->path, path) == 0)
      return true;
  return false;
}

/// True if it was opened.
static bool found_open(mlirplug_host *host, const struct plugin *found,
                       const char *name) {
  if (is_refused(host, found->path))
    return false;
  struct plugin *made = NULL;
  const struct plugin *entered;
  mlirplug_error *problem = NULL;
  bool clashes;
  mlirplug_status status = found_read(host, found, name, &made, &problem);
  if (status == MLIRPLUG_OK && made)
    status = host_enter_plugin(host, made, &entered, &clashes, &problem);
  if (status == MLIRPLUG_OK)
    return made;
  const mlirplug_error *refused = host_refuse(host, found->path, problem, NULL);
  if (refused)
    host_warn_refused(host, refused);
  return false;
}

bool host_open_found(mlirplug_host *host, const char *name) {
  if (host->configuration.examine_only)
    return false;
  bool any = false;
  struct catalogue *catalogue = host_catalogue(host);
  for (size_t i = 0; i < catalogue_count(catalogue); ++i) {
    const struct plugin *plugin = catalogue_plugin(catalogue, i);
    if (plugin->served_by && !plugin->opened)
      any = found_open(host, plugin, name) || any;
  }
  catalogue_release(catalogue);
  return any;
}

void mlirplug_host_open_plugins(mlirplug_host *host) {
  (void)host_open_found(host, NULL);
}
