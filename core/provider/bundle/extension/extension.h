// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MLIR can do and its C API cannot say: extra functions that our own
// providers export. They are part of no release of MLIR; the core asks for them
// by name, as for any function, and does without where they are missing.
//
// Only the files beside this include it: it is what the functions promise. A
// function whose signature changes gets another name. They are the same on
// every release of MLIR that the library is built for, 15 to 22.

#ifndef MLIRPLUG_PROVIDER_LIBRARY_EXTENSION_H
#define MLIRPLUG_PROVIDER_LIBRARY_EXTENSION_H

#include <llvm-c/TargetMachine.h>
#include <mlir-c/Diagnostics.h>
#include <mlir-c/IR.h>
#include <mlir-c/Pass.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MLIRPLUG_EXTENSION __attribute__((visibility("default")))

/// Sends a diagnostic to the handlers of the location's context. `severity` is
/// a MlirDiagnosticSeverity; `text` is taken as it is and copied. Any thread
/// that may use the context. (mlirEmitError knows errors only.)
MLIRPLUG_EXTENSION void mlirplugExtEmit(MlirLocation location, int32_t severity,
                                        MlirStringRef text);

/// What mlirplugExtOperationTraits answers, as bits.
enum {
  /// The context has a dialect that defines the operation. Without this bit
  /// there are no others.
  MLIRPLUG_EXTENSION_REGISTERED = 1,
  /// Passes can run on it: nothing inside refers to values outside.
  MLIRPLUG_EXTENSION_ISOLATED = 2,
  /// It implements FunctionOpInterface.
  MLIRPLUG_EXTENSION_FUNCTION = 4,
};

/// What is known of the operation called `name`, such as "func.func". Loads the
/// dialect that the name begins with if the context's registry has it, so it
/// may not be called while passes run.
MLIRPLUG_EXTENSION int32_t mlirplugExtOperationTraits(MlirContext context,
                                                      MlirStringRef name);

// Reading and printing. Not in MLIR 15.

/// Resources of files that no dialect takes; to be handed through from reading
/// to printing. Owned by the caller; never null.
MLIRPLUG_EXTENSION void *mlirplugExtResourcesCreate(void);
MLIRPLUG_EXTENSION void mlirplugExtResourcesDestroy(void *resources);

/// How mlirplugExtParse reads, as bits.
enum {
  /// Does not verify what it has read.
  MLIRPLUG_EXTENSION_UNVERIFIED = 1,
  /// The text has one operation on the outside, which need not be a module, and
  /// no module is put around it.
  MLIRPLUG_EXTENSION_EXPLICIT_ROOT = 2,
  /// What makes the file a reproducer is not handed through.
  MLIRPLUG_EXTENSION_WITHOUT_REPRODUCER = 4,
  /// The resources of reproducers are not handed through.
  MLIRPLUG_EXTENSION_REPLAYED = 4,
};

/// Reads text or bytecode; `name` is the file's in locations. Null after
/// sending diagnostics. Both strings are the caller's. The operation is owned
/// by the caller; `resources` may be null, else takes those that are to be
/// handed through.
MLIRPLUG_EXTENSION MlirOperation mlirplugExtParse(MlirContext context,
                                                  MlirStringRef text,
                                                  MlirStringRef name,
                                                  int32_t how, void *resources);

/// mlirOperationPrintWithFlags, with `resources` behind it (may be null).
MLIRPLUG_EXTENSION void
mlirplugExtPrint(MlirOperation operation, MlirOpPrintingFlags flags,
                 void *resources, MlirStringCallback callback, void *userData);

/// Writes bytecode, of a `version` if it is not negative. With `elideResources`
/// the data of resources is left out. `resources` may not be null. False if it
/// is not possible. Not in MLIR before 19.
MLIRPLUG_EXTENSION bool
mlirplugExtWriteBytecode(MlirOperation operation, int64_t version,
                         bool elideResources, void *resources,
                         MlirStringCallback callback, void *userData);

/// Sets an option of MLIR's printer or context that mlir-opt has on its command
/// line, such as "mlir-print-value-users", for the whole of this copy of MLIR:
/// for all printing and all contexts made from now on. For a program that is in
/// charge of its process, before it makes threads. False if this MLIR has no
/// such option; a value that it refuses is also said on standard error.
MLIRPLUG_EXTENSION bool mlirplugExtSetOption(MlirStringRef name,
                                             MlirStringRef value);

/// Calls `callback` with each name of a dialect, in order.
MLIRPLUG_EXTENSION void mlirplugExtDialectNames(MlirDialectRegistry registry,
                                                MlirStringCallback callback,
                                                void *userData);

// The IR around passes. The passes of MLIR are told from those of others by
// nothing but their names.

/// Which dumps there are, as bits.
enum {
  /// All of the IR, not only the operation that the pass runs on. The context
  /// has no threads.
  MLIRPLUG_EXTENSION_DUMP_WHOLE = 1,
  /// After passes: only if they changed something.
  MLIRPLUG_EXTENSION_DUMP_CHANGED = 2,
  /// After passes: only if they failed.
  MLIRPLUG_EXTENSION_DUMP_FAILED = 4,
};

/// Whether a dump is wanted in front of (or `after`) a pass.
typedef bool (*MlirplugExtWantsDump)(MlirStringRef name, MlirStringRef argument,
                                     bool after, void *userData);

/// Takes a dump, the line that says what it is included. `operation` is the one
/// that the pass runs on.
typedef void (*MlirplugExtShowDump)(MlirOperation operation, MlirStringRef name,
                                    MlirStringRef argument, MlirStringRef text,
                                    void *userData);

/// Has the IR shown around the passes of `manager`: on the threads that run
/// them, one at a time. `flags` may be null, and is copied. False if all of the
/// IR is wanted and the context has threads.
MLIRPLUG_EXTENSION bool mlirplugExtDumpIR(MlirPassManager manager, int32_t how,
                                          MlirOpPrintingFlags flags,
                                          MlirplugExtWantsDump wants,
                                          MlirplugExtShowDump show,
                                          void *userData);

// Times.

/// How times are reported, as bits: sorted rather than as a tree, and as JSON
/// rather than text.
enum {
  MLIRPLUG_EXTENSION_TIMING_LIST = 1,
  MLIRPLUG_EXTENSION_TIMING_JSON = 2,
};

/// Begins to take times; `callback` is given the report at the end. Null if
/// this MLIR cannot report in that form. Ended by mlirplugExtTimingFinish.
MLIRPLUG_EXTENSION void *mlirplugExtTimingCreate(int32_t how,
                                                 MlirStringCallback callback,
                                                 void *userData);

/// Sections of the program: passes, and sections in them, are shown inside.
MLIRPLUG_EXTENSION void mlirplugExtTimingBegin(void *timing,
                                               MlirStringRef name);
MLIRPLUG_EXTENSION void mlirplugExtTimingEnd(void *timing);

/// Takes the times of the passes of `manager`, which runs outside of sections.
MLIRPLUG_EXTENSION void mlirplugExtTimingAttach(void *timing,
                                                MlirPassManager manager);

/// Reports, and frees it. No manager runs any more that it was attached to.
MLIRPLUG_EXTENSION void mlirplugExtTimingFinish(void *timing);

// What passes do. Not in MLIR 15.

/// A pass has run on an operation. `pass` is the one that the pipeline was
/// built with; `added` may be negative.
typedef void (*MlirplugExtMeasured)(const void *pass, MlirStringRef name,
                                    MlirStringRef argument, bool changed,
                                    int64_t added, void *userData);

/// Tells of each pass that has run in `manager`, on the thread that ran it, one
/// at a time.
MLIRPLUG_EXTENSION void mlirplugExtMeasure(MlirPassManager manager,
                                           MlirplugExtMeasured measured,
                                           void *userData);

/// The last of the passes of `manager`, which nothing may be done with but to
/// compare it, and its name; null if there is none.
MLIRPLUG_EXTENSION const void *mlirplugExtLastPass(MlirOpPassManager manager,
                                                   MlirStringRef *name);

// Actions: what MLIR does, step by step. Not in MLIR before 17.

/// A limit to how often an action is done: not at first, or no more than so
/// many times.
typedef struct MlirplugExtCounter {
  MlirStringRef name; ///< Of the action, such as "pass-execution".
  bool isLimit;
  int64_t value;
} MlirplugExtCounter;

/// What is to be done about actions. With a file or the hook, there are no
/// counters.
typedef struct MlirplugExtActions {
  MlirStringRef logTo;     ///< A file; may be empty.
  MlirStringRef profileTo; ///< Likewise.
  bool debuggerHook;
  const MlirStringRef *filters; ///< "FILE:LINE:COLUMN", what is logged.
  intptr_t filterCount;
  const MlirplugExtCounter *counters;
  intptr_t counterCount;
} MlirplugExtActions;

/// Observes the actions of `context`, until mlirplugExtActionsEnd. Null if a
/// filter cannot be read. Files that cannot be written are said in diagnostics.
MLIRPLUG_EXTENSION void *
mlirplugExtActionsObserve(MlirContext context, const MlirplugExtActions *wanted,
                          MlirStringCallback complain, void *userData);

/// Writes out what was logged to the file "-", standard output, so far.
MLIRPLUG_EXTENSION void mlirplugExtActionsFlush(void *actions);

/// Ends it, and prints the counters if that is wanted. The context is there.
MLIRPLUG_EXTENSION void mlirplugExtActionsEnd(void *actions, bool printCounters,
                                              MlirStringCallback print,
                                              void *userData);

/// mlirplugExtEmit with notes behind it.
MLIRPLUG_EXTENSION void
mlirplugExtEmitWithNotes(MlirLocation location, int32_t severity,
                         MlirStringRef text, intptr_t noteCount,
                         const MlirLocation *noteLocations,
                         const MlirStringRef *noteTexts);

/// From now on `tell` is given what LLVM says before it ends the process, for
/// the whole of this copy of LLVM; if it returns, the process ends. For a
/// process that is there to be ended.
MLIRPLUG_EXTENSION void mlirplugExtCatchFatal(void (*tell)(const char *reason,
                                                           void *userData),
                                              void *userData);

// Registration. MLIR's registry is one for the process and not guarded: no
// other thread may use it while something is registered.

/// Adds the pass that was asked for by its name to `passes`, whose anchor is
/// `anchor`. `options` is what stood in the braces. On failure gives the reason
/// to `refuse`, with its data, once.
typedef MlirLogicalResult (*mlirplugExtBuildPass)(
    MlirOpPassManager passes, MlirStringRef anchor, MlirStringRef options,
    MlirStringCallback refuse, void *refuseData, void *userData);

/// Enters a name into MLIR's registry, where pipelines in options of passes and
/// transform.apply_registered_pass find it; `build` is called then, on any
/// thread. Both strings are copied. False if MLIR has the name already.
MLIRPLUG_EXTENSION bool mlirplugExtRegisterPass(MlirStringRef name,
                                                MlirStringRef summary,
                                                mlirplugExtBuildPass build,
                                                void *userData);

/// Whether MLIR has a pass of the name; those of mlirplugExtRegisterPass do not
/// count.
MLIRPLUG_EXTENSION bool mlirplugExtHasPass(MlirStringRef name);

// Watching passes, for reproducers.

/// What mlirplugExtWatchPasses tells of.
enum {
  MLIRPLUG_EXTENSION_PASS_BEFORE = 0,
  MLIRPLUG_EXTENSION_PASS_AFTER = 1,
  MLIRPLUG_EXTENSION_PASS_FAILED = 2,
};

/// A pass begins, has ended, or has failed on `operation`. `pass` only tells
/// passes that run at the same time apart; `text` is the pass as it stands in a
/// pipeline. Both strings live as long as the call.
typedef void (*MlirplugExtPassWatch)(int32_t event, const void *pass,
                                     MlirStringRef name, MlirStringRef text,
                                     MlirOperation operation, void *userData);

/// Calls `watch` for each pass that `manager` runs, but not for those that only
/// run nested pipelines; on any thread, by one at a time.
MLIRPLUG_EXTENSION void mlirplugExtWatchPasses(MlirPassManager manager,
                                               MlirplugExtPassWatch watch,
                                               void *userData);

/// Which optimization remarks are wanted, and where. The regular expressions
/// choose by category, and are empty for none.
typedef struct MlirplugExtRemarks {
  MlirStringRef all, passed, missed, analysis, failed;
  MlirStringRef file; ///< Empty: diagnostics.
  bool bitstream;     ///< The file's format; else YAML.
  bool onlyFinal;     ///< Not those that others replace later.
} MlirplugExtRemarks;

/// Switches remarks on in `context`, until it ends. False after a diagnostic,
/// or if the file cannot be written. Only in MLIR 22 and later.
MLIRPLUG_EXTENSION bool
mlirplugExtEnableRemarks(MlirContext context, const MlirplugExtRemarks *wanted);

// What LLVM can tell of a machine, made by LLVMCreateTargetMachine, that its C
// API has no question for. Only in LLVM 22 and later.

/// Whether the target that `machine` is of has the processor `cpu`.
MLIRPLUG_EXTENSION bool
mlirplugExtTargetHasProcessor(LLVMTargetMachineRef machine, const char *cpu);

/// Where in `features`, "+a,-b", the first is that the target does not know or
/// that has no sign; `*length` is 0 if there is none.
MLIRPLUG_EXTENSION size_t mlirplugExtTargetUnknownFeature(
    LLVMTargetMachineRef machine, const char *features, size_t *length);

/// Whether `machine`, as it was made, has vectors of a size that is not known
/// when code is made. On others LLVM aborts when it meets one.
MLIRPLUG_EXTENSION bool
mlirplugExtTargetHasScalableVectors(LLVMTargetMachineRef machine);

#ifdef __cplusplus
}
#endif

#endif // MLIRPLUG_PROVIDER_LIBRARY_EXTENSION_H
