// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug.load, list, pipeline and run.
//
// host_list.c  the hosts in this process: one for each copy of MLIR that is
//              used, and one for plugins that are only looked at
// host_job.c   running a pipeline
// host_run.c   what it runs on, and what comes of it
// host.c       what _host.py calls

#ifndef MLIRPLUG_PYTHON_HOST_H
#define MLIRPLUG_PYTHON_HOST_H

#include "module.h"

/// A host and the copy of MLIR that it runs on. It lives for ever.
struct python_host {
  struct python_host *next;
  mlirplug_host *host;
  char *package;      ///< "jaxlib.mlir"; null for our own MLIR.
  struct ir_api *api; ///< Null until it is asked for.
};

int host_register(PyObject *module);

// All of these are called with the GIL, and let go of it meanwhile: the host
// may open files in Python, on this thread and on others.

/// The host for what is only looked at: it runs on nothing.
mlirplug_host *host_get_unattached(void);

/// The host for modules of `package`, or for our own MLIR if that is null. Has
/// what was loaded so far. Null with an exception.
struct python_host *host_get(const char *package);

/// Its functions for mlirplug.ir, borrowed, and back. Null with an exception.
struct ir_api *host_api(struct python_host *host);
struct python_host *host_of_api(const struct ir_api *api);

/// The host for an Operation of bindings that are made as upstream's are, and
/// what it is, which lives as long as `object`. Null with an exception.
struct python_host *host_find_operation(PyObject *object,
                                        MlirOperation *operation);

/// What is loaded from a path.
enum load_kind {
  LOAD_FILE,
  LOAD_DIRECTORY,
  LOAD_PACKAGES, ///< What packages bring; several directories, with ':'
                 ///< between.
};

/// Adds what is at `path` to all hosts, also those to come.
int host_load(const char *path, enum load_kind kind);

/// mlirplug._mlirplug.run(object, pipeline, verify, is_main, digest)
PyObject *host_run(PyObject *module, PyObject *arguments);

#endif // MLIRPLUG_PYTHON_HOST_H
