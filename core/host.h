// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's inside. host.c is the front of the library: it hands plugins from
// folder to folder and holds what they share.

#ifndef MLIRPLUG_HOST_INTERNAL_H
#define MLIRPLUG_HOST_INTERNAL_H

#include "catalog/catalogue.h"
#include "provider/binding.h"

#include <pthread.h>

struct mlirplug_host {
  mlirplug_host_configuration configuration;
  const struct binding *binding; ///< Null before attaching.
  pthread_mutex_t telling;       ///< One callback at a time.
  pthread_mutex_t lock;          ///< Of the catalogue.
  struct catalogue *catalogue;   ///< The newest snapshot.
};

/// The newest snapshot, to be released by the caller.
struct catalogue *host_catalogue(const mlirplug_host *host);

/// Tells the log of a decision.
__attribute__((format(printf, 2, 3))) void host_log(const mlirplug_host *host,
                                                    const char *format, ...);

#endif // MLIRPLUG_HOST_INTERNAL_H
