// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a configuration file adds to the host.

#include "host/host.h"

#include "base/shell.h"
#include "configure/approval.h"
#include "configure/content.h"
#include "configure/locate.h"
#include "find/trust.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/// A file that was added or found. The first one of the host's is the one that
/// it uses, if there is such a one.
struct host_configured {
  char *path; ///< Owned.
  /// Where its plugins were found; has an owned path. It is not among the
  /// host's directories, for it is not searched.
  mlirplug_directory directory;
  bool is_named;
  bool is_used; ///< It was not refused.
  struct host_configured *next;
};

static const char origin[] = "configuration";

void host_release_configured(mlirplug_host *host) {
  while (host->configured) {
    struct host_configured *first = host->configured;
    host->configured = first->next;
    free(first->path);
    free((char *)first->directory.path);
    free(first);
  }
}

const char *mlirplug_host_configuration_file(const mlirplug_host *host) {
  pthread_mutex_t *lock = (pthread_mutex_t *)&host->lock;
  pthread_mutex_lock(lock);
  const char *path = host->configured ? host->configured->path : NULL;
  pthread_mutex_unlock(lock);
  return path;
}

//===----------------------------------------------------------------------===//
// One file for a host
//===----------------------------------------------------------------------===//

static mlirplug_status refuse_other(const char *path, const char *first,
                                    mlirplug_error **error) {
  return error_set(
      error, &(mlirplug_error){
                 .doing = "cannot use the configuration",
                 .subject = path,
                 .found = error_text("'%s' is used already", first),
                 .expected = "one configuration for all inputs",
                 .remedy = "say which one (--config=FILE), use none "
                           "(--no-config), or run the inputs one by one"});
}

static struct host_configured *configured_make(const char *path, bool is_named,
                                               bool is_used) {
  struct host_configured *made = calloc(1, sizeof *made);
  char *copy = strdup(path);
  char *directory = configuration_directory(path);
  if (made && copy && directory) {
    *made = (struct host_configured){
        copy,
        {.path = directory, .origin = origin, .exists = true},
        is_named,
        is_used,
        NULL};
    return made;
  }
  free(made);
  free(copy);
  free(directory);
  return NULL;
}

/// Puts it before what is at `place`; null if memory runs out.
static struct host_configured *configured_put(struct host_configured **place,
                                              const char *path, bool is_named,
                                              bool is_used) {
  struct host_configured *made = configured_make(path, is_named, is_used);
  if (!made)
    return NULL;
  made->next = *place;
  return *place = made;
}

/// True if the file at `path` was added or found before, and used or refused.
static bool configured_has(mlirplug_host *host, const char *path) {
  bool found = false;
  pthread_mutex_lock(&host->lock);
  for (const struct host_configured *each = host->configured; each && !found;
       each = each->next)
    found = strcmp(each->path, path) == 0;
  pthread_mutex_unlock(&host->lock);
  return found;
}

/// Notes that the file at `path` was refused; false if memory runs out.
static bool configured_refuse(mlirplug_host *host, const char *path) {
  pthread_mutex_lock(&host->lock);
  struct host_configured *first = host->configured;
  bool kept =
      configured_put(first && first->is_used ? &first->next : &host->configured,
                     path, false, false);
  pthread_mutex_unlock(&host->lock);
  return kept;
}

/// Makes the file at `path` the host's; `*is_first` says that it was not. An
/// error if it has another one.
static mlirplug_status configured_claim(mlirplug_host *host, const char *path,
                                        bool is_named, bool *is_first,
                                        mlirplug_error **error) {
  pthread_mutex_lock(&host->lock);
  *is_first = !host->configured || !host->configured->is_used;
  const struct host_configured *configured =
      *is_first ? configured_put(&host->configured, path, is_named, true)
                : host->configured;
  pthread_mutex_unlock(&host->lock);
  if (!configured)
    return error_set_memory(error);
  return strcmp(configured->path, path) == 0
             ? MLIRPLUG_OK
             : refuse_other(path, configured->path, error);
}

//===----------------------------------------------------------------------===//
// What it names
//===----------------------------------------------------------------------===//

/// Refuses a path that leads nowhere; the file itself says what is in it.
static mlirplug_status path_check(const mlirplug_host *host, const char *path,
                                  mlirplug_error **error) {
  struct stat status;
  if (stat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR))
    return MLIRPLUG_OK;
  return error_set(
      error,
      &(mlirplug_error){
          .doing = "cannot open the plugin",
          .subject = path,
          .found = error_text("%m"),
          .remedy = error_text("check the path in '%s'; a relative one starts "
                               "at its directory, and '~' stands for itself",
                               host->configured->path)});
}

/// `*clashes` says that the file is good, and a name of a pass is taken.
static mlirplug_status plugin_add(mlirplug_host *host, const char *path,
                                  bool *clashes, mlirplug_error **error) {
  struct plugin *made;
  const struct plugin *known;
  *clashes = false;
  if (path_check(host, path, error) != MLIRPLUG_OK ||
      host_read_plugin(host, path, &host->configured->directory, &made, &known,
                       error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  return made ? host_enter_plugin(host, made, &known, clashes, error)
              : MLIRPLUG_OK;
}

/// Refuses what was found at `path`, and warns of it. If that is `grave`, it is
/// the error, unless there is one already. Takes `problem`.
static mlirplug_status problem_refuse(mlirplug_host *host, const char *path,
                                      mlirplug_error *problem, bool grave,
                                      mlirplug_error **error) {
  if (problem->is_exhausted) // which does not tell of the file
    return host_pass_error(problem, error);
  const mlirplug_error *refused = host_refuse(host, path, problem, error);
  if (!refused)
    return MLIRPLUG_FAILED;
  if (grave && error)
    return error_set(error, refused);
  host_warn_refused(host, refused);
  return grave ? MLIRPLUG_FAILED : MLIRPLUG_OK;
}

/// What becomes of `problem`, which is taken: of a file that was found, a
/// refusal and a warning, unless it is `grave`; else the error, or a warning if
/// `error` is null because there is one already.
static mlirplug_status problem_settle(mlirplug_host *host, const char *path,
                                      mlirplug_error *problem, bool grave,
                                      mlirplug_error **error) {
  if (host->configured->is_named) {
    if (!error)
      host_warn(host, "%s", problem->message);
    return host_pass_error(problem, error);
  }
  return problem_refuse(host, path, problem, grave, error);
}

static mlirplug_status named_plugin_add(mlirplug_host *host, const char *path,
                                        mlirplug_error **error) {
  bool clashes;
  mlirplug_error *problem = NULL;
  if (plugin_add(host, path, &clashes, &problem) == MLIRPLUG_OK)
    return MLIRPLUG_OK;
  return problem_settle(host, path, problem, clashes, error);
}

static mlirplug_status named_directory_add(mlirplug_host *host,
                                           const char *path,
                                           mlirplug_error **error) {
  bool is_named = host->configured->is_named;
  if (host_has_directory(host, path))
    return MLIRPLUG_OK;
  struct stat status;
  if (!is_named && stat(path, &status) != 0 && errno == ENOENT)
    host_warn(host,
              "the configuration '%s' names the directory '%s', which does "
              "not exist",
              host->configured->path, path);
  mlirplug_error *problem = NULL;
  const struct host_place place = {.path = path, .origin = origin};
  if (host_search_directory(host, &place, is_named, &problem) == MLIRPLUG_OK)
    return MLIRPLUG_OK;
  if (!error)
    host_warn(host, "%s", problem->message);
  return host_pass_error(problem, error);
}

/// Adds all of it; the error is that of the first that fails.
static mlirplug_status
configuration_add(mlirplug_host *host,
                  const mlirplug_configuration *configuration,
                  mlirplug_error **error) {
  mlirplug_status status = MLIRPLUG_OK;
  host_log(host, "using the configuration %s, plugins: %zu, directories: %zu",
           configuration->path, configuration->plugin_count,
           configuration->directory_count);
  if (host_take_insertions(host, configuration, host->configured->is_named,
                           error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  for (size_t i = 0; i < configuration->plugin_count; ++i)
    if (named_plugin_add(host, configuration->plugins[i],
                         status == MLIRPLUG_OK ? error : NULL) != MLIRPLUG_OK)
      status = MLIRPLUG_FAILED;
  for (size_t i = 0; i < configuration->directory_count; ++i)
    if (named_directory_add(host, configuration->directories[i],
                            status == MLIRPLUG_OK ? error : NULL) !=
        MLIRPLUG_OK)
      status = MLIRPLUG_FAILED;
  return status;
}

//===----------------------------------------------------------------------===//
// Whether it may
//===----------------------------------------------------------------------===//

static mlirplug_status refuse_use(const char *path, const char *found,
                                  mlirplug_error **error) {
  struct text text = {0};
  char *directory = configuration_directory(path);
  text_add(&text, "look at what is in it, then: mlirplug trust ");
  if (directory)
    shell_add_word(&text, directory);
  char *remedy = text_take(&text);
  mlirplug_status status =
      directory && remedy
          ? error_set(error,
                      &(mlirplug_error){.doing = "cannot use the configuration",
                                        .subject = path,
                                        .found = found,
                                        .remedy = remedy})
          : error_set_memory(error);
  free(directory);
  free(remedy);
  return status;
}

static mlirplug_status refuse_record(const char *path, mlirplug_error *reason,
                                     mlirplug_error **error) {
  if (reason->is_exhausted)
    return host_pass_error(reason, error);
  mlirplug_status status = error_set(
      error, &(mlirplug_error){
                 .doing = "cannot use the configuration",
                 .subject = path,
                 .found = error_text("whether you trust it cannot be told: %s",
                                     reason->message),
                 .remedy = "or name the file each time: --config=FILE"});
  mlirplug_error_destroy(reason);
  return status;
}

static mlirplug_status approval_check(const char *path,
                                      const struct configuration_text *text,
                                      mlirplug_error **error) {
  enum approval approval;
  mlirplug_error *reason = NULL;
  if (approval_find(text->path, &text->checksum, &approval, &reason) !=
      MLIRPLUG_OK)
    return refuse_record(path, reason, error);
  switch (approval) {
  case APPROVAL_CURRENT:
    return MLIRPLUG_OK;
  case APPROVAL_CHANGED:
    return refuse_use(path, "it has changed since you trusted it", error);
  default:
    return refuse_use(path, "you have not trusted it, and its plugins run code",
                      error);
  }
}

static mlirplug_status file_trust(const mlirplug_host *host,
                                  const struct file *file,
                                  enum trust_origin how,
                                  mlirplug_error **error) {
  mlirplug_error *problem = NULL;
  if (trust_check_as(CONFIGURATION_TRUSTING, file, how, &problem) ==
      MLIRPLUG_OK)
    return MLIRPLUG_OK;
  return host_decide_trust(host, problem, error);
}

/// Reads the file at `path`, if it may be used. What nobody has approved is not
/// even taken apart.
static mlirplug_status
configuration_take(const mlirplug_host *host, const char *path, bool is_named,
                   mlirplug_configuration **configuration,
                   mlirplug_error **error) {
  struct file file;
  struct configuration_text text = {0};
  if (content_open(CONFIGURATION_READING, path, NULL, &file, error) !=
      MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status =
      file_trust(host, &file, is_named ? TRUST_NAMED : TRUST_FOUND, error);
  if (status == MLIRPLUG_OK)
    status = configuration_read(&file, &text, error);
  if (status == MLIRPLUG_OK && !is_named)
    status = approval_check(path, &text, error);
  if (status == MLIRPLUG_OK)
    status = configuration_parse(&text, configuration, error);
  configuration_text_release(&text);
  file_close(&file);
  return status;
}

//===----------------------------------------------------------------------===//
// The two ways to one
//===----------------------------------------------------------------------===//

static mlirplug_status directory_refuse(const char *path,
                                        mlirplug_error **error) {
  size_t length = strlen(path);
  while (length && path[length - 1] == '/')
    --length;
  return error_set(
      error, &(mlirplug_error){
                 .doing = CONFIGURATION_READING,
                 .subject = path,
                 .found = "it is a directory",
                 .remedy = error_text("give '%.*s/" CONFIGURATION_NAME "'",
                                      (int)length, path)});
}

mlirplug_status mlirplug_host_add_configuration(mlirplug_host *host,
                                                const char *path,
                                                mlirplug_error **error) {
  mlirplug_configuration *configuration;
  struct stat status;
  if (path && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
    return directory_refuse(path, error);
  if (configuration_take(host, path ? path : "", true, &configuration, error) !=
      MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  bool is_first;
  mlirplug_status result =
      configured_claim(host, configuration->path, true, &is_first, error);
  if (result == MLIRPLUG_OK && is_first)
    result = configuration_add(host, configuration, error);
  mlirplug_configuration_destroy(configuration);
  host_warn_unsigned(host);
  return result;
}

static mlirplug_status found_refuse(mlirplug_host *host, const char *path,
                                    mlirplug_error *problem,
                                    mlirplug_error **error) {
  if (configured_refuse(host, path))
    return problem_refuse(host, path, problem, false, error);
  mlirplug_error_destroy(problem);
  return error_set_memory(error);
}

/// Uses the file that was found at `path`, or refuses it. One that is refused
/// does not stand in the way of another.
static mlirplug_status found_add(mlirplug_host *host, const char *path,
                                 mlirplug_error **error) {
  if (configured_has(host, path))
    return MLIRPLUG_OK;
  mlirplug_configuration *configuration = NULL;
  mlirplug_error *problem = NULL;
  if (configuration_take(host, path, false, &configuration, &problem) !=
      MLIRPLUG_OK)
    return found_refuse(host, path, problem, error);
  bool is_first;
  mlirplug_status status =
      configured_claim(host, path, false, &is_first, error);
  if (status == MLIRPLUG_OK && is_first)
    status = configuration_add(host, configuration, error);
  mlirplug_configuration_destroy(configuration);
  return status;
}

static bool has_named(mlirplug_host *host) {
  pthread_mutex_lock(&host->lock);
  bool is_named = host->configured && host->configured->is_named;
  pthread_mutex_unlock(&host->lock);
  return is_named;
}

mlirplug_status mlirplug_host_find_configuration(mlirplug_host *host,
                                                 const char *input,
                                                 mlirplug_error **error) {
  // Whoever starts a setuid program chooses its inputs and HOME.
  if (getauxval(AT_SECURE) || has_named(host))
    return MLIRPLUG_OK;
  char *start = locate_start(input);
  char *path = start ? locate_configuration(start) : NULL;
  mlirplug_status status = MLIRPLUG_OK;
  if (path)
    status = found_add(host, path, error);
  else if (errno == ENOMEM)
    status = error_set_memory(error);
  free(start);
  free(path);
  host_warn_unsigned(host);
  return status;
}
