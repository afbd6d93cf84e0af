// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's inside. host.c is the front of the library: it hands plugins from
// folder to folder and holds what they share. plugins.c is how one plugin comes
// to it, directories.c which directories it searches, scan.c how it reads one,
// configuration.c what a configuration file adds, insertion.c what that asks to
// be put into pipelines, packages.c what Python packages bring, refusals.c what
// it did not take; hosts.c which host plugins there are for files of other
// languages, hosted.c such files.

#ifndef MLIRPLUG_HOST_INTERNAL_H
#define MLIRPLUG_HOST_INTERNAL_H

#include "base/text.h"
#include "catalog/catalogue.h"
#include "find/distribution.h"
#include "provider/binding.h"

#include <pthread.h>

struct mlirplug_host {
  mlirplug_host_configuration configuration;
  struct demands *demands;       ///< Signatures to be had; null for none.
  const struct binding *binding; ///< Null before attaching.
  pthread_mutex_t telling;       ///< One callback at a time.
  pthread_mutex_t lock;          ///< Of the catalogue.
  struct catalogue *catalogue;   ///< The newest snapshot.
  // What is in these stays where it is.
  struct host_directory **directories;
  size_t directory_count;
  struct host_refusal **refusals;
  size_t refusal_count;
  struct host_configured *configured; ///< The configuration file, or null.
  char **insertions;         ///< Requests of that file, owned; ends with null.
  bool insertions_are_named; ///< The file was named.
  size_t unsigned_count; ///< Refusals for want of a signature, not yet told.
  char *cache_directory; ///< Owned; null if there is none.
  struct host_reproduced *reproduced; ///< Where reproducers had plugins.
  pthread_mutex_t hosts_lock;         ///< Of what follows; taken before `lock`.
  struct host_list *hosts;            ///< Null until they are looked for.
};

struct host_directory {
  /// Its path and its distribution are owned; its error is a refusal's.
  mlirplug_directory shown;
  dev_t device; ///< Which one it is, if it exists.
  ino_t inode;
};

struct host_refusal {
  mlirplug_refusal shown; ///< Path and error are owned.
};

/// The newest snapshot, to be released by the caller.
struct catalogue *host_catalogue(const mlirplug_host *host);

/// Tells the log of a decision.
__attribute__((format(printf, 2, 3))) void host_log(const mlirplug_host *host,
                                                    const char *format, ...);

/// Tells of what is odd.
__attribute__((format(printf, 2, 3))) void host_warn(const mlirplug_host *host,
                                                     const char *format, ...);

/// Reads the plugin at `path`, which was found in `directory`, or named if that
/// is null. On success `*made` belongs to the caller, or is null and the file
/// is that of `*known`, a plugin which is there already.
mlirplug_status host_read_plugin(mlirplug_host *host, const char *path,
                                 const mlirplug_directory *directory,
                                 struct plugin **made,
                                 const struct plugin **known,
                                 mlirplug_error **error);

/// The directory of the plugin file at `path`, which a reproducer names; the
/// host's. Null after setting the error for want of memory.
const mlirplug_directory *host_note_reproduced(mlirplug_host *host,
                                               const char *path,
                                               mlirplug_error **error);

/// Whether it is one of those: their files of other languages are opened at
/// once, for a reproducer names plugins by their ids.
bool host_is_reproduced(const mlirplug_directory *directory);

/// Takes plugins into a new snapshot (catalogue_extend).
mlirplug_status host_enter_plugins(mlirplug_host *host,
                                   struct catalogue_addition *additions,
                                   size_t count, mlirplug_error **error);

/// Takes one plugin, which is released, and reports it; `*entered` is the one
/// that is there then, `*clashes` whether it was refused for a pass's name.
mlirplug_status host_enter_plugin(mlirplug_host *host, struct plugin *plugin,
                                  const struct plugin **entered, bool *clashes,
                                  mlirplug_error **error);

/// Tells what there is to say of a plugin that was entered. `entry` is where it
/// was found in the cache, or null.
void host_report_addition(const mlirplug_host *host,
                          const struct catalogue_addition *addition,
                          const struct cache_entry *entry);

/// What becomes of `problem`, the error of a check of trust, which is taken:
/// the error, or a warning if trust is off.
mlirplug_status host_decide_trust(const mlirplug_host *host,
                                  mlirplug_error *problem,
                                  mlirplug_error **error);

/// Hands on an error, which is taken. Always fails.
mlirplug_status host_pass_error(mlirplug_error *problem,
                                mlirplug_error **error);

/// Notes that `path` was refused, and takes `problem`. The result is null after
/// setting the error for want of memory.
const mlirplug_error *host_refuse(mlirplug_host *host, const char *path,
                                  mlirplug_error *problem,
                                  mlirplug_error **error);

/// Warns of what was refused, at once or, for want of a signature only, when
/// host_warn_unsigned is called.
void host_warn_refused(mlirplug_host *host, const mlirplug_error *refused);
void host_warn_unsigned(mlirplug_host *host);

/// A directory to search.
struct host_place {
  const char *path;   ///< Absolute, without a slash at its end.
  const char *origin; ///< A constant.
  /// The Python package that it is of, or null.
  const struct distribution *package;
};

/// Searches a directory that was `named`, where any failure is an error, or one
/// that may be missing and whose refusal is warned of.
mlirplug_status host_search_directory(mlirplug_host *host,
                                      const struct host_place *place,
                                      bool named, mlirplug_error **error);

/// Searches the directories of plugins that Python packages bring; one that
/// brings none becomes a refusal.
mlirplug_status host_search_packages(mlirplug_host *host,
                                     const struct distributions *packages,
                                     mlirplug_error **error);

/// The one of the packages whose directory of plugins is at `path`, or null.
const struct distribution *
host_find_package(const struct distributions *packages, const char *path);

/// True if this directory was searched before, by this name or another.
bool host_has_directory(mlirplug_host *host, const char *path);

/// Keeps the requests of the configuration that the host uses.
mlirplug_status host_take_insertions(mlirplug_host *host,
                                     const mlirplug_configuration *from,
                                     bool is_named, mlirplug_error **error);

void host_release_insertions(mlirplug_host *host);

/// The suffixes that host plugins serve, ".py,.lua", or "" for none: those in
/// mlirplug/hosts beside libmlirplug, and those that were named. Freed by the
/// caller; null if memory runs out.
char *host_suffixes(mlirplug_host *host);

/// The host plugin that serves the file at `path`, by its suffix, and its
/// description; null if none does. It lives as long as the host.
const struct plugin *
host_serving(mlirplug_host *host, const char *path,
             const mlirplug_plugin_description **description);

/// Why the file at `path`, which nobody serves, may not be served: a host
/// plugin cannot be used. Null for none.
const mlirplug_error *host_serving_problem(mlirplug_host *host,
                                           const char *path);

/// What host_read_plugin does for a `file` that `by` serves and that is to be
/// trusted. It is opened if it was named, or if it is to be in any case.
mlirplug_status host_read_served(mlirplug_host *host, const struct file *file,
                                 const struct plugin *by,
                                 const mlirplug_directory *directory,
                                 bool must_open, struct plugin **made,
                                 mlirplug_error **error);

/// Opens the files of other languages that were found, are not open, and have
/// `name` in them, or all if that is null. One that fails is warned of and
/// becomes a refusal. True if any was opened.
bool host_open_found(mlirplug_host *host, const char *name);

void host_release_hosts(mlirplug_host *host);
void host_release_configured(mlirplug_host *host);
void host_release_directories(mlirplug_host *host);
void host_release_reproduced(mlirplug_host *host);
void host_release_refusals(mlirplug_host *host);

/// Adds to a remedy for a pass that nobody has which plugins were refused and
/// why, if any were: one of them may have it.
void host_add_refusals(const mlirplug_host *host, struct text *remedy);

#endif // MLIRPLUG_HOST_INTERNAL_H
