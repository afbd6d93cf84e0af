// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running pipelines on real MLIR, for tests. A test program calls MLIR through
// ir.h like a plugin; its imports are filled for the session opened last.
// Whatever goes wrong here ends the process with a message.
//
// Threads: a session belongs to one thread at a time.

#ifndef MLIRPLUG_TEST_MLIR_H
#define MLIRPLUG_TEST_MLIR_H

#include <mlirplug/host.h>

#include <mlirplug/ir.h>

/// The test plugin called `name`, built from test/plugins/pass.
#define MLIR_PLUGIN(name)                                                      \
  MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/" name ".so"

/// Text that grows; "" until something is added.
struct mlir_text {
  char *bytes;
  size_t length;
};

/// A host on one provider, a context with all of its dialects, and what was
/// said there.
struct mlir_session {
  mlirplug_host *host;
  MlirContext context;
  struct mlir_text diagnostics; ///< "error: location: text\n" each.
  struct mlir_text records;     ///< A line each.
  struct mlir_text log;         ///< Likewise, of the host.
  struct mlir_text printed;     ///< The IR after the last mlir_run.
  mlirplug_error *error;        ///< Of the last failure.
};

/// Opens a session on `provider` ("static", "shared"), with MLIR's threads or
/// without.
void mlir_open(struct mlir_session *session, const char *provider,
               bool threads);
void mlir_close(struct mlir_session *session);

/// Fills this program's imports for `session`. To go back to an earlier one.
void mlir_use(struct mlir_session *session);

/// A new context with all dialects of the provider in use; the caller destroys
/// it.
MlirContext mlir_context_create(bool threads);

/// Adds the plugin file at `path`.
void mlir_add(struct mlir_session *session, const char *path);

/// Parses a module; the caller destroys it.
MlirModule mlir_parse(MlirContext context, const char *text);

/// A pipeline that is ready to run.
struct mlir_pipeline {
  mlirplug_pipeline *pipeline;
  mlirplug_manager *manager;
};

/// Makes `text` into a pipeline. On failure the session's error says why.
mlirplug_status mlir_pipeline_create(struct mlir_session *session,
                                     const char *text, bool verify,
                                     struct mlir_pipeline *pipeline);
void mlir_pipeline_destroy(struct mlir_pipeline *pipeline);

/// Makes `pipeline`, runs it on the module `text` as the input "input.mlir",
/// prints the module and destroys all of it. What was said before is forgotten.
mlirplug_status mlir_run(struct mlir_session *session, const char *pipeline,
                         const char *text);

/// Forgets what was said so far.
void mlir_clear(struct mlir_session *session);

/// The message of the session's error, "" without one.
const char *mlir_message(const struct mlir_session *session);

/// The data symbol `name` of a plugin that has been loaded from `path`; null if
/// it has not.
void *mlir_plugin_data(const char *path, const char *name);

#endif // MLIRPLUG_TEST_MLIR_H
