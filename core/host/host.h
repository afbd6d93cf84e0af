// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's inside. host.c is the front of the library: it hands plugins from
// folder to folder and holds what they share; plugins.c and
// directories.c are where it gets them from.

#ifndef MLIRPLUG_HOST_INTERNAL_H
#define MLIRPLUG_HOST_INTERNAL_H

#include "base/text.h"
#include "catalog/catalogue.h"
#include "provider/binding.h"

#include <pthread.h>

struct mlirplug_host {
  mlirplug_host_configuration configuration;
  const struct binding *binding; ///< Null before attaching.
  pthread_mutex_t telling;       ///< One callback at a time.
  pthread_mutex_t lock;          ///< Of the catalogue.
  struct catalogue *catalogue;   ///< The newest snapshot.
  // What is in these stays where it is.
  struct host_directory **directories;
  size_t directory_count;
  struct host_refusal **refusals;
  size_t refusal_count;
};

struct host_directory {
  mlirplug_directory shown; ///< Its path is owned; its error is a refusal's.
  dev_t device;             ///< Which one it is, if it exists.
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

/// Adds the plugin at `path`, which was found in `directory`, or named if that
/// is null. `*clashes` says whether it failed only for want of memory or for a
/// name of a pass that is taken.
mlirplug_status host_add(mlirplug_host *host, const char *path,
                         const mlirplug_directory *directory,
                         const struct plugin **plugin, bool *clashes,
                         mlirplug_error **error);

/// What becomes of `problem`, the error of a check of trust, which is taken:
/// the error, or a warning if trust is off.
mlirplug_status host_decide_trust(const mlirplug_host *host,
                                  mlirplug_error *problem,
                                  mlirplug_error **error);

/// Hands on an error, which is taken. Always fails.
mlirplug_status host_pass_error(mlirplug_error *problem,
                                mlirplug_error **error);

/// Frees the directories and refusals.
void host_release_directories(mlirplug_host *host);

/// Adds to a remedy for a pass that nobody has which plugins were refused and
/// why, if any were: one of them may have it.
void host_add_refusals(const mlirplug_host *host, struct text *remedy);

#endif // MLIRPLUG_HOST_INTERNAL_H
