// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second door of a plugin: `mlirGetPassPluginInfo`, which a stock tool
// (mlir-opt --load-pass-plugin=FILE) looks up. Its callback finds libmlirplug
// and hands the plugin over, which enters the passes into the tool's registry
// or says why it cannot. plugin.h includes this; plugins need not.
//
// The library is looked for in this order: already in the process; the absolute
// path in MLIRPLUG_LIBRARY; beside the plugin; in MLIRPLUG_LIBRARY_DIRECTORY,
// which installed headers define as the place they were installed with, and
// which may be defined before they are included; wherever the system's loader
// looks.

#ifndef MLIRPLUG_STOCK_H
#define MLIRPLUG_STOCK_H

#include <mlirplug/import.h>

// Not in the source tree: `cmake --install` writes it.
#if __has_include(<mlirplug/installed.h>)
#include <mlirplug/installed.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct mlirplug_descriptor;

/// What `mlirGetPassPluginInfo` returns: MLIR's PassPluginLibraryInfo,
/// version 1.
typedef struct mlirplug_stock_information {
  uint32_t api_version;
  const char *name;
  const char *version;
  void (*register_passes)(void);
} mlirplug_stock_information;

/// What a library that serves stock tools exports for it, as
/// "mlirplug_stock_register".
typedef void (*mlirplug_stock_registration)(
    const struct mlirplug_descriptor *descriptor);

#define MLIRPLUG_LIBRARY_NAME "libmlirplug.so.1"

// glibc 2.34 moved dlopen and its kin into libc under a new version; the old
// version is there for ever, so plugins bind to that one and load on older
// systems too. Before 2.34 the functions are in libdl: they are weak here, and
// absent only in a program that could not have opened a plugin.
#if defined(__GLIBC__) && defined(__x86_64__)
#define MLIRPLUG_OLDEST_GLIBC "@GLIBC_2.2.5"
#elif defined(__GLIBC__) && defined(__aarch64__)
#define MLIRPLUG_OLDEST_GLIBC "@GLIBC_2.17"
#endif

#ifdef MLIRPLUG_OLDEST_GLIBC
#define MLIRPLUG_BIND_OLDEST(name)                                             \
  __asm__(".symver mlirplug_libc_" #name "," #name MLIRPLUG_OLDEST_GLIBC)
#define MLIRPLUG_LIBC(name) mlirplug_libc_##name
#else
#define MLIRPLUG_BIND_OLDEST(name) ((void)0)
#define MLIRPLUG_LIBC(name) name
#endif

// Declared as glibc's own headers do, which may be included too.
#if defined(__cplusplus) && defined(__GLIBC__)
#define MLIRPLUG_LIBC_THROWS_NOTHING noexcept(true)
#else
#define MLIRPLUG_LIBC_THROWS_NOTHING
#endif

extern void *MLIRPLUG_LIBC(dlopen)(const char *path,
                                   int mode) MLIRPLUG_LIBC_THROWS_NOTHING
    __attribute__((weak));
extern void *MLIRPLUG_LIBC(dlsym)(void *handle,
                                  const char *name) MLIRPLUG_LIBC_THROWS_NOTHING
    __attribute__((weak));
extern char *secure_getenv(const char *name) MLIRPLUG_LIBC_THROWS_NOTHING;
extern int(dprintf)(int, const char *, ...)
    __attribute__((format(printf, 2, 3)));

#define MLIRPLUG_OPEN_NOW 2    // RTLD_NOW
#define MLIRPLUG_OPEN_LOADED 4 // RTLD_NOLOAD

#ifdef MLIRPLUG_LIBRARY_DIRECTORY
#define MLIRPLUG_LIBRARY_INSTALLED                                             \
  MLIRPLUG_LIBRARY_DIRECTORY "/" MLIRPLUG_LIBRARY_NAME
#define MLIRPLUG_LIBRARY_PLACES                                                \
  "the plugin's directory, " MLIRPLUG_LIBRARY_DIRECTORY
#else
#define MLIRPLUG_LIBRARY_INSTALLED ""
#define MLIRPLUG_LIBRARY_PLACES "the plugin's directory"
#endif

/// Hands `descriptor`, the plugin called `id`, over to libmlirplug, or says why
/// that is not possible.
MLIRPLUG_SELDOM void
mlirplug_stock_hand_over(const struct mlirplug_descriptor *descriptor,
                         const char *id) {
  MLIRPLUG_BIND_OLDEST(dlopen);
  MLIRPLUG_BIND_OLDEST(dlsym);
  if (!MLIRPLUG_LIBC(dlopen) || !MLIRPLUG_LIBC(dlsym))
    return;
  const char *named = secure_getenv("MLIRPLUG_LIBRARY");
  void *library = MLIRPLUG_LIBC(dlopen)(
      MLIRPLUG_LIBRARY_NAME, MLIRPLUG_OPEN_NOW | MLIRPLUG_OPEN_LOADED);
  if (!library && named && named[0] == '/')
    library = MLIRPLUG_LIBC(dlopen)(named, MLIRPLUG_OPEN_NOW);
  // The dynamic linker puts this plugin's own directory for $ORIGIN.
  if (!library)
    library = MLIRPLUG_LIBC(dlopen)("$ORIGIN/" MLIRPLUG_LIBRARY_NAME,
                                    MLIRPLUG_OPEN_NOW);
  if (!library && sizeof MLIRPLUG_LIBRARY_INSTALLED > 1)
    library =
        MLIRPLUG_LIBC(dlopen)(MLIRPLUG_LIBRARY_INSTALLED, MLIRPLUG_OPEN_NOW);
  if (!library)
    library = MLIRPLUG_LIBC(dlopen)(MLIRPLUG_LIBRARY_NAME, MLIRPLUG_OPEN_NOW);
  mlirplug_stock_registration registration = 0;
  if (library) {
    void *found = MLIRPLUG_LIBC(dlsym)(library, "mlirplug_stock_register");
    __builtin_memcpy(&registration, &found, sizeof found);
  }
  if (!registration) {
    dprintf(2, "mlirplug: plugin %s: %s\n", id,
            library
                ? "this " MLIRPLUG_LIBRARY_NAME
                  " does not serve other tools; use 'mlirplug opt'"
                : "cannot find " MLIRPLUG_LIBRARY_NAME ": not in this process, "
                  "MLIRPLUG_LIBRARY, " MLIRPLUG_LIBRARY_PLACES
                  " or the system's directories; set MLIRPLUG_LIBRARY to its "
                  "absolute path");
    return;
  }
  registration(descriptor);
}

/// Defines the door for `descriptor`.
#define MLIRPLUG_STOCK_ENTRY(descriptor, plugin_id, plugin_version)            \
  static void mlirplug_own_registration(void) {                                \
    mlirplug_stock_hand_over(&(descriptor), plugin_id);                        \
  }                                                                            \
  __attribute__((visibility("default"))) mlirplug_stock_information            \
  mlirGetPassPluginInfo(void);                                                 \
  mlirplug_stock_information mlirGetPassPluginInfo(void) {                     \
    mlirplug_stock_information information = {1, plugin_id, plugin_version,    \
                                              mlirplug_own_registration};      \
    return information;                                                        \
  }

#ifdef __cplusplus
}
#endif

#endif // MLIRPLUG_STOCK_H
