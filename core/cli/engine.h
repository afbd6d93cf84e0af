// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR at work: a context, and the pipeline built for it. One of each serves
// all inputs.

#ifndef MLIRPLUG_CLI_ENGINE_H
#define MLIRPLUG_CLI_ENGINE_H

#include "cli/actions.h"
#include "cli/command.h"
#include "cli/containment.h"
#include "cli/diagnostic.h"
#include "cli/observe.h"
#include "cli/reading.h"
#include "cli/record.h"

#include <stdio.h>

/// Zero bytes are one that has not begun.
struct engine {
  const struct arguments *arguments;
  struct console *console;
  mlirplug_host *host;     ///< Not owned.
  struct records *records; ///< Not owned.
  char *anchor;            ///< Of the flags' pipeline; null: builtin.module.
  struct containment containment;
  struct diagnostics diagnostics;
  MlirContext context;
  mlirplug_pipeline *pipeline; ///< Null if no pass was asked for.
  mlirplug_manager *manager;   ///< Null likewise.
  struct observation observation;
  struct actions actions;
};

/// Attaches MLIR to `host`, so that its functions can be called. False after
/// saying why not.
bool engine_attach(mlirplug_host *host, const struct arguments *arguments,
                   struct console *console);

/// Attaches MLIR to `host` and builds what the arguments ask for. Anything but
/// COMMAND_OK after saying what is wrong. `engine` stays where it is.
enum command_status engine_begin(struct engine *engine, mlirplug_host *host,
                                 const struct arguments *arguments,
                                 struct records *records,
                                 struct console *console);

/// Parses a part of an input, see reading_parse; a null operation after saying
/// why not. To be destroyed.
MlirOperation engine_parse(struct engine *engine, const struct input *input,
                           const struct part *part, void *resources);

/// Runs the passes on it; false after saying why they failed.
bool engine_run(struct engine *engine, MlirOperation root,
                const struct input *input);

/// Prints it as the arguments ask; false after saying why not.
bool engine_print(struct engine *engine, MlirOperation root, void *resources,
                  FILE *stream);

/// The end of all inputs: reports on standard error. False after saying why
/// something cannot be reported.
bool engine_report(struct engine *engine);

void engine_end(struct engine *engine);

#endif // MLIRPLUG_CLI_ENGINE_H
