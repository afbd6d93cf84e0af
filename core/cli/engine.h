// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR at work: a context, and the pipeline built for it. One of each serves
// all inputs.

#ifndef MLIRPLUG_CLI_ENGINE_H
#define MLIRPLUG_CLI_ENGINE_H

#include "cli/command.h"
#include "cli/diagnostic.h"
#include "cli/record.h"

#include <stdio.h>

/// Zero bytes are one that has not begun.
struct engine {
  const struct arguments *arguments;
  struct console *console;
  mlirplug_host *host; ///< Not owned.
  struct diagnostics diagnostics;
  MlirContext context;
  mlirplug_pipeline *pipeline; ///< Null if no pass was asked for.
  mlirplug_manager *manager;   ///< Null likewise.
};

/// Attaches MLIR to `host` and builds what the arguments ask for. Anything but
/// COMMAND_OK after saying what is wrong. `engine` stays where it is.
enum command_status engine_begin(struct engine *engine, mlirplug_host *host,
                                 const struct arguments *arguments,
                                 struct records *records,
                                 struct console *console);

/// Parses an input; a null module after saying why not.
MlirModule engine_parse(struct engine *engine, const struct input *input);

/// Runs the passes on it; false after saying why they failed.
bool engine_run(struct engine *engine, MlirModule module,
                const struct input *input);

/// Prints it as the arguments ask; false after saying why not.
bool engine_print(struct engine *engine, MlirModule module, FILE *stream);

/// The statistics of plugin passes, on standard error.
void engine_print_statistics(const struct engine *engine);

void engine_end(struct engine *engine);

#endif // MLIRPLUG_CLI_ENGINE_H
