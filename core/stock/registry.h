// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of plugins in the registry of the tool: each a name, under which the
// tool's pipelines reach it.

#ifndef MLIRPLUG_STOCK_REGISTRY_H
#define MLIRPLUG_STOCK_REGISTRY_H

#include "host/host.h"
#include "stock/tool.h"

/// A tool with a host for its plugins. Lives for ever.
struct registry {
  struct tool tool;
  mlirplug_host *host;
  struct text words;         ///< The tool's command line.
  bool is_early;             ///< The tool has not begun to read that yet.
  pthread_mutex_t lock;      ///< Of attaching and of the entries.
  struct registered *newest; ///< Those entered.
};

/// Lets the host run on the tool's MLIR, if it does not yet.
mlirplug_status registry_attach(struct registry *registry,
                                mlirplug_error **error);

/// Enters the passes of a plugin of the host. Tells of those that cannot be.
void registry_enter(struct registry *registry,
                    const mlirplug_plugin_description *plugin);

#endif // MLIRPLUG_STOCK_REGISTRY_H
