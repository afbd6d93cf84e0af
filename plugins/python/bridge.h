// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the two halves of the Python host: python.so, which is a host plugin
// without any of Python's symbols and finds or starts an interpreter; and the
// extension mlirplug._mlirplug in that interpreter. Both are built together,
// but may meet in other versions, so what they hand each other begins with a
// size.

#ifndef MLIRPLUG_PYTHON_BRIDGE_H
#define MLIRPLUG_PYTHON_BRIDGE_H

#include <mlirplug/plugin.h>

/// The services of a run, as python.so was given them: see plugin.h.
struct python_services {
  uint32_t size;
  void (*diagnose)(const mlirplug_run *run, int32_t severity,
                   MlirLocation location, MlirStringRef text);
  void (*statistic_add)(const mlirplug_run *run, uint64_t index,
                        uint64_t amount);
  mlirplug_status (*record_write)(const mlirplug_run *run, MlirStringRef json);
  bool (*is_cancelled)(const mlirplug_run *run);
  mlirplug_address (*lookup)(const mlirplug_run *run, const char *name);
  struct mlirplug_host *(*run_host)(const mlirplug_run *run);
};

/// What the extension does for python.so.
struct python_extension {
  uint32_t size;
  const char *version; ///< Of mlirplug.
  /// mlirplug_hosting's `open`. Called without the GIL.
  const mlirplug_descriptor *(*open)(const mlirplug_opening *opening,
                                     const struct python_services *services);
};

/// The capsule that holds a struct python_extension.
#define PYTHON_EXTENSION_CAPSULE "mlirplug._mlirplug._extension"

#endif // MLIRPLUG_PYTHON_BRIDGE_H
