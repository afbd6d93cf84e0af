// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Object files: from a module, of linalg on tensors or memrefs for example,
// down to machine code for this machine or another, with a C header for its
// functions.
//
//     mlirplug_object_configuration configuration = {
//         sizeof configuration, .target = "aarch64-linux-gnu"};
//     mlirplug_object_create(host, module, &configuration, &object, &error);
//     fwrite(object->bytes, 1, object->length, file);
//     fputs(object->header, header_file);
//     mlirplug_object_destroy(object);
//
// How C calls the functions. Those that are public and have a body are entry
// points, by the names they have in the module. A memref or a tensor is a
// pointer to a descriptor (MLIR's convention for C, _mlir_ciface_NAME, see
// mlir.llvm.org/docs/TargetLLVMIR), a number is a number. A tensor is a value:
// what the caller passes is not changed, and what it gets back, memory that
// malloc gave, is its own (free(result.allocated)). The result of a function
// that gives one tensor, or several results, is stored through its first
// parameter. The object needs libc and libm and nothing of MLIR.
//
// The copy of MLIR that the host runs on has to carry LLVM with the functions
// of its C API for targets; those of mlirplug ("static", "shared") do.
//
// Conventions are those of host.h. Any thread may call any of these, with a
// context that no other thread uses meanwhile.

#ifndef MLIRPLUG_OBJECT_H
#define MLIRPLUG_OBJECT_H

#include <mlirplug/host.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What to compile for, and how. Zero bytes are the defaults: for this machine,
/// as fast as can be.
typedef struct mlirplug_object_configuration {
  size_t size; ///< sizeof(mlirplug_object_configuration)
  /// The triple, "aarch64-linux-gnu". Null means this machine, with its own
  /// processor and features.
  const char *target;
  /// The processor as LLVM calls it, "cortex-a76", or "native" for this
  /// machine's. Null with a target means any processor of that target.
  const char *cpu;
  /// What the processor has or lacks besides: "+sve,-fp16fml". May be null.
  const char *features;
  /// "O0", "O1", "O2", "O3" or "Os"; null means "O3".
  const char *optimization;
  /// The passes that lower the module to the LLVM dialect, without the
  /// "builtin.module(…)" around them. They may be passes of plugins. Null means
  /// the default ones, for linalg, tensor, memref, scf, arith, math, func and
  /// what else these bring. Functions are not marked as entry points then, and
  /// are called in whatever way these passes make them.
  const char *pipeline;
  bool assembly; ///< The text of an assembler instead of an object file.
} mlirplug_object_configuration;

typedef struct mlirplug_object {
  const char *bytes;
  size_t length;        ///< In bytes.
  const char *header;   ///< The C header, as text.
  const char *target;   ///< The triple that it was compiled for.
  const char *cpu;      ///< May be empty, like the next.
  const char *features; ///< All that were asked for.
} mlirplug_object;

/// Compiles a copy of `module`, which stays as it is. What the passes have to
/// say, and why they fail, goes to the diagnostic handlers of the module's
/// context; its registry has to have all dialects (mlirRegisterAllDialects).
MLIRPLUG_API mlirplug_status
mlirplug_object_create(mlirplug_host *host, MlirModule module,
                       const mlirplug_object_configuration *configuration,
                       mlirplug_object **object, mlirplug_error **error);
MLIRPLUG_API void mlirplug_object_destroy(mlirplug_object *object);

#ifdef __cplusplus
}
#endif

#endif // MLIRPLUG_OBJECT_H
