// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports: how plugin code reaches functions of the program it is loaded into.
//
// A call such as mlirOperationGetName(op) goes through an entry of 16 bytes in
// the section `mlirplug_imports`: the function's name and its address. The name
// is in the file, so the loader knows what a plugin needs before it runs a line
// of it; the address is written once, after dlopen and before the first call.
// Entries of one name may occur several times (one per source file).
//
// Threads: the entries never change once the plugin has been loaded.

#ifndef MLIRPLUG_IMPORT_H
#define MLIRPLUG_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(__ELF__) || !defined(__LP64__)
#error "mlirplug ABI 1 is for 64-bit ELF systems"
#endif

#ifdef __cplusplus
extern "C" {
#define MLIRPLUG_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define MLIRPLUG_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/// A cast that C++ compilers take for one of their own (-Wold-style-cast).
#ifdef __cplusplus
#define MLIRPLUG_CAST(type, value) (static_cast<type>(value))
#else
#define MLIRPLUG_CAST(type, value) ((type)(value))
#endif

/// One import as it lies in the file. `name` is the function's name; with a
/// leading '?' it says that the plugin can do without that function. `function`
/// is null in the file. It is volatile because the compiler sees nobody write
/// it and would otherwise take it for null for ever.
typedef struct mlirplug_import {
  const char *name;
  void (*volatile function)(void);
} mlirplug_import;

/// Begins functions of these headers that are a step on the way to another one.
/// A compiler that does not optimise spends less on them where they are called
/// than on one more function.
#define MLIRPLUG_INLINE __attribute__((unused, always_inline)) static inline

/// Begins functions of these headers that run seldom, so that the compiler
/// spends no time on them. They are inline because gcc keeps other static
/// functions even when nobody calls them, and with them what they import.
#ifndef __OPTIMIZE__
#define MLIRPLUG_SELDOM __attribute__((unused)) static inline
#elif defined(__clang__)
#define MLIRPLUG_SELDOM __attribute__((unused, noinline, optnone)) static inline
#else
#define MLIRPLUG_SELDOM __attribute__((unused, optimize("O0"))) static inline
#endif

/// Where every import lives.
#define MLIRPLUG_IMPORT_SECTION                                                \
  __attribute__((section("mlirplug_imports"), aligned(8)))

/// The section's bounds, made by the linker; null in a plugin without imports.
extern mlirplug_import __start_mlirplug_imports[]
    __attribute__((weak, visibility("hidden")));
extern mlirplug_import __stop_mlirplug_imports[]
    __attribute__((weak, visibility("hidden")));

/// Defines `function` as an import that returns a value. `parameters` is the
/// parenthesised parameter list, `arguments` the same without types:
///
///     MLIRPLUG_FUNCTION(MlirType, mlirLLVMVoidTypeGet,
///                       (MlirContext context), (context))
///
/// Only what is called ends up in the plugin. Everything in ir.h is made this
/// way; use it for functions of a dialect that ir.h does not cover.
#define MLIRPLUG_FUNCTION(result, function_name, parameters, arguments)        \
  MLIRPLUG_INLINE result function_name parameters {                            \
    static struct {                                                            \
      const char *name;                                                        \
      result(*volatile function) parameters;                                   \
    } entry MLIRPLUG_IMPORT_SECTION = {#function_name, 0};                     \
    return entry.function arguments;                                           \
  }

/// The same for a function that returns nothing.
#define MLIRPLUG_PROCEDURE(function_name, parameters, arguments)               \
  MLIRPLUG_INLINE void function_name parameters {                              \
    static struct {                                                            \
      const char *name;                                                        \
      void(*volatile function) parameters;                                     \
    } entry MLIRPLUG_IMPORT_SECTION = {#function_name, 0};                     \
    entry.function arguments;                                                  \
  }

/// True when the host has `function_name`. Naming a function here makes it
/// optional for the whole plugin: a host without it still takes the plugin. A
/// call that is made all the same returns zero and fails the pass.
#define MLIRPLUG_HAS(function_name)                                            \
  (__extension__({                                                             \
    static mlirplug_import optional_entry MLIRPLUG_IMPORT_SECTION = {          \
        "?" #function_name, 0};                                                \
    (void)sizeof(&function_name);                                              \
    optional_entry.function != 0;                                              \
  }))

#ifdef __cplusplus
}
#endif

#endif // MLIRPLUG_IMPORT_H
