// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the library comes to serve a stock tool:
//
//   --load-pass-plugin=PLUGIN          the plugin hands itself over, by
//                                      mlirplug_stock_register
//   --load-pass-plugin=libmlirplug.so  the plugins that search finds
//   --load-pass-plugin=python.so       and other host plugins: the plugins that
//                                      MLIRPLUG_PLUGINS names, or search finds
//   LD_PRELOAD="libmlirplug.so PLUGIN" those named there, and the ones that
//                                      search finds; before the tool reads its
//                                      arguments, so that --my-pass works

#include "stock/command.h"
#include "stock/guest.h"
#include "stock/registry.h"
#include "stock/results.h"
#include "stock/say.h"

#include <dlfcn.h>
#include <link.h>
#include <mlirplug/plugin.h>
#include <stdlib.h>
#include <string.h>

MLIRPLUG_API void
mlirplug_stock_register(const struct mlirplug_descriptor *descriptor);
MLIRPLUG_API mlirplug_stock_information mlirGetPassPluginInfo(void);

static void warning_say(const char *line, void *unused) {
  (void)unused;
  say("warning: %s", line);
}

//===----------------------------------------------------------------------===//
// The tool
//===----------------------------------------------------------------------===//

static struct registry registry = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_refused; ///< The tool's MLIR, of which has been told.

static void registry_make(void) {
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .warn = warning_say};
  mlirplug_host *host = NULL;
  mlirplug_error *error = NULL;
  if (tool_find(&registry.tool, &error) != MLIRPLUG_OK) {
    if (registry.is_early) // nobody has asked for it by name
      mlirplug_error_destroy(error);
    else
      say_error(error);
  } else if (results_begin(&error) != MLIRPLUG_OK ||
             mlirplug_host_create(&configuration, &host, &error) !=
                 MLIRPLUG_OK) {
    say_error(error);
    tool_release(&registry.tool);
  } else {
    command_read(&registry.words);
    registry.host = host;
  }
}

/// The registry, made when it is first asked for; null if there is none, of
/// which has been told once.
static struct registry *registry_get(void) {
  mlirplug_error *error = NULL;
  pthread_once(&once, registry_make);
  // While the process is starting its C++ is not ready to be called.
  if (registry.host && !registry.is_early && !is_refused &&
      registry_attach(&registry, &error) != MLIRPLUG_OK) {
    say_error(error);
    is_refused = true;
  }
  return registry.host && !is_refused ? &registry : NULL;
}

__attribute__((destructor)) static void on_exit_of_process(void) {
  guests_leave();
  results_end();
}

//===----------------------------------------------------------------------===//
// Plugins
//===----------------------------------------------------------------------===//

/// The description of the plugin, which is entered; null if it was not.
static const mlirplug_plugin_description *plugin_enter(const char *path) {
  struct registry *entered = registry_get();
  const mlirplug_plugin_description *plugin = NULL;
  mlirplug_error *error = NULL;
  if (!entered)
    return NULL;
  if (mlirplug_host_add_plugin(entered->host, path, &plugin, &error) ==
      MLIRPLUG_OK)
    registry_enter(entered, plugin);
  else
    say_error(error);
  return plugin;
}

static void found_plugins_enter(void) {
  struct registry *entered = registry_get();
  mlirplug_error *error = NULL;
  if (!entered)
    return;
  if (mlirplug_host_add_default_directories(entered->host, &error) !=
      MLIRPLUG_OK)
    say_error(error);
  // The tool wants to know all passes now.
  mlirplug_host_open_plugins(entered->host);
  size_t count = mlirplug_host_plugin_count(entered->host);
  for (size_t i = 0; i < count; ++i) {
    const mlirplug_plugin_description *plugin =
        mlirplug_host_plugin(entered->host, i);
    if (plugin)
      registry_enter(entered, plugin);
  }
}

/// The files for a host plugin: a tool that loads only objects cannot be given
/// them by name.
static void named_plugins_enter(void) {
  const char *list = secure_getenv("MLIRPLUG_PLUGINS");
  if (!list || !*list) {
    found_plugins_enter();
    return;
  }
  char *paths = strdup(list);
  char *rest = NULL;
  for (char *path = paths ? strtok_r(paths, ":", &rest) : NULL; path;
       path = strtok_r(NULL, ":", &rest))
    (void)plugin_enter(path);
  free(paths);
}

void mlirplug_stock_register(const struct mlirplug_descriptor *descriptor) {
  Dl_info object;
  if (dladdr(descriptor, &object)) {
    const mlirplug_plugin_description *plugin = plugin_enter(object.dli_fname);
    if (plugin && plugin->suffixes)
      named_plugins_enter();
  } else {
    say("cannot tell which file the plugin at %p is from",
        (const void *)descriptor);
  }
}

mlirplug_stock_information mlirGetPassPluginInfo(void) {
  return (mlirplug_stock_information){1, "mlirplug", MLIRPLUG_VERSION,
                                      found_plugins_enter};
}

//===----------------------------------------------------------------------===//
// LD_PRELOAD
//===----------------------------------------------------------------------===//

/// What is preloaded as `path`.
struct preloaded {
  void *handle; ///< Null if it is not there.
  bool is_own;
  bool is_plugin;
};

static struct preloaded preloaded_look(const char *path) {
  Dl_info own, object;
  struct link_map *map;
  struct preloaded look = {dlopen(path, RTLD_LAZY | RTLD_NOLOAD), false, false};
  if (!look.handle || dlinfo(look.handle, RTLD_DI_LINKMAP, &map) != 0 ||
      !dladdr(&registry, &own))
    return look;
  look.is_own = (const void *)map->l_addr == own.dli_fbase;
  const void *descriptor = dlsym(look.handle, "mlirplug_plugin");
  look.is_plugin = descriptor && dladdr(descriptor, &object) &&
                   (const void *)map->l_addr == object.dli_fbase;
  return look;
}

/// Calls `visit` for each path in LD_PRELOAD, until it returns true.
static bool preloaded_visit(bool (*visit)(const char *path)) {
  const char *list = secure_getenv("LD_PRELOAD");
  char *paths = list ? strdup(list) : NULL;
  char *rest = NULL;
  bool done = false;
  for (char *path = paths ? strtok_r(paths, " :", &rest) : NULL; path && !done;
       path = strtok_r(NULL, " :", &rest))
    done = visit(path);
  free(paths);
  return done;
}

static bool is_this_library(const char *path) {
  return preloaded_look(path).is_own;
}

static bool preloaded_enter(const char *path) {
  if (preloaded_look(path).is_plugin)
    (void)plugin_enter(path);
  return false;
}

__attribute__((constructor)) static void on_start_of_process(void) {
  if (!preloaded_visit(is_this_library))
    return;
  registry.is_early = true;
  (void)preloaded_visit(preloaded_enter);
  found_plugins_enter();
  registry.is_early = false;
}
