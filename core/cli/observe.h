// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is shown of passes beside what they do: the IR around them, times,
// statistics, and the pipeline itself.

#ifndef MLIRPLUG_CLI_OBSERVE_H
#define MLIRPLUG_CLI_OBSERVE_H

#include "cli/arguments.h"

/// Zero bytes are nothing. Stays where it is.
struct observation {
  const struct arguments *arguments;
  struct console *console;
  mlirplug_ir_dumps dumps;
  const char **names; ///< Of passes, in one list; owned.
  char *name_text;    ///< What they are in; owned.
  mlirplug_timing *timing;
};

/// Begins what the arguments ask for, with a host that has a provider. False
/// after saying why not.
bool observation_begin(struct observation *observation,
                       const struct arguments *arguments, mlirplug_host *host,
                       struct console *console);

/// Asks a manager for it.
void observation_configure(const struct observation *observation,
                           mlirplug_manager_configuration *configuration);

/// Shows the pipeline if that was asked for; without passes, both are null.
void observation_pipeline(const struct observation *observation,
                          const mlirplug_pipeline *pipeline,
                          const mlirplug_manager *manager);

/// The end: reports. The manager, which may be null, runs no more. False after
/// saying why something cannot be reported.
bool observation_report(struct observation *observation,
                        const mlirplug_manager *manager);

/// The manager is gone.
void observation_end(struct observation *observation);

#endif // MLIRPLUG_CLI_OBSERVE_H
