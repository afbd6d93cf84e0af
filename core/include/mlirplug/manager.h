// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second half of host.h, which includes it: pipelines, the managers that
// run them, what they tell and keep of a run. What is said at the head of
// host.h about errors, threads and lifetimes holds here.

#ifndef MLIRPLUG_MANAGER_H
#define MLIRPLUG_MANAGER_H

#include <mlirplug/host.h>

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// A pipeline as it was written, checked: plugin passes are known, stand where
/// they can run, and their options are read. Belongs to no context and no copy
/// of MLIR; never changes.
typedef struct mlirplug_pipeline mlirplug_pipeline;

/// Parses "builtin.module(func.func(my-pass{top=3}),cse)". Passes that no
/// plugin has are left to MLIR, which looks at them in mlirplug_manager_create;
/// a name that two plugins have is an error.
MLIRPLUG_API mlirplug_status
mlirplug_pipeline_parse(mlirplug_host *host, const char *text,
                        mlirplug_pipeline **pipeline, mlirplug_error **error);

/// Parses a comma-separated list of passes without an anchor, as flags give it,
/// to run on `anchor`. Plugin passes that run on other operations are nested.
MLIRPLUG_API mlirplug_status mlirplug_pipeline_parse_passes(
    mlirplug_host *host, const char *anchor, const char *text,
    mlirplug_pipeline **pipeline, mlirplug_error **error);

/// Inserts passes into a pipeline that somebody else wrote, such as the
/// compiler's own (a pass manager as text is what mlirPrintPassPipeline gives).
/// `*result` is a new pipeline; `pipeline` stays as it is. Requests are applied
/// one after the other, each to what the one before has left:
///
///     after:PASS:NEW     behind the pass called PASS; PASS#2 is the second of
///                        that name, counted as they stand in the text. Of
///                        several the first is taken, and warned of.
///     before:PASS:NEW    in front of it
///     start:NEW          in front of all, in the outermost nest
///     end:NEW            behind all
///     each:NEW           behind every pass and nest of each nest in which NEW
///                        can run; other nests are left as they are
///
/// NEW is what may stand in a nest: "my-pass{top=3}", "func.func(my-pass),cse".
/// PASS may also be the operation of a nest. It is an error if no such pass is
/// there, or a plugin's pass cannot run where it is asked for.
MLIRPLUG_API mlirplug_status mlirplug_pipeline_insert(
    const mlirplug_pipeline *pipeline, const char *const *requests,
    size_t count, mlirplug_pipeline **result, mlirplug_error **error);

/// The same with what the host's configuration file asks for. If that file was
/// found and not named, a request that fails is warned of and left out.
MLIRPLUG_API mlirplug_status mlirplug_pipeline_insert_configured(
    const mlirplug_pipeline *pipeline, mlirplug_pipeline **result,
    mlirplug_error **error);

/// The pipeline as text that parses to itself.
MLIRPLUG_API const char *
mlirplug_pipeline_text(const mlirplug_pipeline *pipeline);
MLIRPLUG_API void mlirplug_pipeline_destroy(mlirplug_pipeline *pipeline);

//===----------------------------------------------------------------------===//
// Watching passes
//
// What mlir-opt offers for its own passes, for those of plugins too. Only with
// a provider of mlirplug; with another, a manager that is asked for it is
// refused.
//===----------------------------------------------------------------------===//

/// Shows the IR around passes. Everything is copied when a manager is made.
typedef struct mlirplug_ir_dumps {
  size_t size; ///< sizeof(mlirplug_ir_dumps)
  /// Is given each dump: whole lines, the first of which says what it is. On
  /// the thread that runs the pass, one at a time. May be null if there is a
  /// directory.
  void (*show)(const char *text, size_t length, void *user_data);
  void *user_data;
  /// Has each dump written to a file of its own instead, in a tree of
  /// directories that is like that of the operations. Made if it is not there.
  const char *directory;
  bool before_all;           ///< In front of every pass.
  bool after_all;            ///< Behind every pass.
  const char *const *before; ///< Names of passes.
  size_t before_count;
  const char *const *after;
  size_t after_count;
  bool only_changed; ///< Behind passes: only those that changed something.
  bool only_failed;  ///< Behind passes: every one that fails, and no other.
  /// All of the IR, not only the operation that the pass runs on. The context
  /// must not have threads.
  bool whole;
  MlirOpPrintingFlags flags; ///< How it is printed; may be null (no `ptr`).
} mlirplug_ir_dumps;

/// Takes the times of passes, of one manager or of several that run on one
/// thread, and of other things that the program does.
typedef struct mlirplug_timing mlirplug_timing;

/// What the report is like; zero bytes are a tree as text.
typedef struct mlirplug_timing_configuration {
  size_t size; ///< sizeof(mlirplug_timing_configuration)
  bool list;   ///< Sorted by time, each name once.
  bool json;
} mlirplug_timing_configuration;

/// The time begins to run. The host has a provider. `configuration` may be
/// null.
MLIRPLUG_API mlirplug_status mlirplug_timing_create(
    mlirplug_host *host, const mlirplug_timing_configuration *configuration,
    mlirplug_timing **timing, mlirplug_error **error);

/// A part of the program, such as "Parser", begins and ends; also inside of
/// another one. Managers are run outside of all. The same name again is counted
/// as one. `timing` may be null: then nothing is done.
MLIRPLUG_API void mlirplug_timing_begin(mlirplug_timing *timing,
                                        const char *name);
MLIRPLUG_API void mlirplug_timing_end(mlirplug_timing *timing);

/// Ends it. `write`, unless it is null, is given the report, in pieces.
/// Managers that use it are not run after that. `timing` may be null.
MLIRPLUG_API void mlirplug_timing_finish(mlirplug_timing *timing,
                                         void (*write)(const char *text,
                                                       size_t length,
                                                       void *user_data),
                                         void *user_data);

//===----------------------------------------------------------------------===//
// Managers
//===----------------------------------------------------------------------===//

/// Enters the passes of all plugins so far into the registry of the MLIR that
/// is attached. Then MLIR itself finds them by their names in what a manager of
/// this library builds or runs: transform.apply_registered_pass in the IR, and
/// pipelines in options, as in inline{op-pipelines=func.func(my-pass)}. They
/// count, write records and report as other passes of that manager.
///
/// MLIR does not guard its registry: meanwhile no other thread may build a
/// pipeline or run a transform. Needs a provider that comes with mlirplug.
MLIRPLUG_API mlirplug_status mlirplug_host_register_passes(
    const mlirplug_host *host, mlirplug_error **error);

/// Whether the file at `path` is a pass plugin of MLIR's own kind, written in
/// C++ (it has mlirGetPassPluginInfo and is no plugin of ours).
MLIRPLUG_API bool mlirplug_is_cxx_plugin(const char *path);

/// Loads such a plugin, after attaching. Its passes are in MLIR's registry then
/// and count as passes of MLIR: this library knows neither names nor options.
/// It was compiled for one build of MLIR, which must be the one attached, and a
/// library of its own ("shared"); a plugin that was linked to another is
/// refused, and one that was linked to none is taken at its word. MLIR's
/// registry is not guarded, see mlirplug_host_register_passes.
MLIRPLUG_API mlirplug_status mlirplug_host_load_cxx_plugin(
    const mlirplug_host *host, const char *path, mlirplug_error **error);

/// Adds the dialects of a dialect plugin of MLIR's own kind, written in C++ (it
/// has mlirGetDialectPluginInfo), to `registry`, after attaching. Otherwise
/// like mlirplug_host_load_cxx_plugin.
MLIRPLUG_API mlirplug_status mlirplug_host_load_dialect_plugin(
    const mlirplug_host *host, const char *path, MlirDialectRegistry registry,
    mlirplug_error **error);

/// A pipeline built for one context: an MLIR pass manager and the instances of
/// the plugins' passes in it.
typedef struct mlirplug_manager mlirplug_manager;

/// How a manager behaves. Zero bytes are the defaults.
typedef struct mlirplug_manager_configuration {
  size_t size; ///< sizeof(mlirplug_manager_configuration)
  /// Is given each record, one line of JSON without newline, at the end of the
  /// run, in order, on the thread that runs. May be null.
  void (*record)(const char *line, size_t length, void *user_data);
  void *user_data;
  /// Verify the IR after each pass.
  bool verify;
  /// Runs each plugin pass in a fresh child process, over bytecode, so that
  /// whatever it does there is an error here: see "Isolation" below. The
  /// program that is the child, and its arguments, ended by null:
  /// {"/usr/bin/mlirplug", MLIRPLUG_ISOLATED_COMMAND, NULL}. Null runs passes
  /// in this process. Lives as long as the manager.
  const char *const *isolate_command;
  /// With isolation, how long one plugin pass may take; 0 is for ever.
  double pass_timeout_seconds;
  /// With isolation, how much address space a child may have; 0 is no limit.
  uint64_t isolate_memory_bytes;
  /// With isolation, where reproducers are written; null is $TMPDIR, or /tmp.
  const char *isolate_reproducer_directory;
  /// Writes a reproducer to this file ("-" for standard output) if a run fails,
  /// over what is there; null writes none. The text is made before each run,
  /// and the diagnostics say that it was written. Lives as long as the manager.
  const char *reproducer;
  /// With one: that of the pass which failed alone, with the IR before it. Only
  /// with a provider of mlirplug, and in a context without threads.
  bool local_reproducer;
  /// Shows the IR around passes; may be null.
  const mlirplug_ir_dumps *ir_dumps;
  /// Takes the times of the passes; may be null. Lives as long as the manager
  /// is run.
  mlirplug_timing *timing;
  /// Measures what passes do that count nothing themselves, for
  /// mlirplug_manager_report_statistics, which takes time. Nothing where the
  /// provider is not one of mlirplug.
  bool measure;
} mlirplug_manager_configuration;

/// Builds `pipeline` for `context`, which outlives the manager. Errors that
/// MLIR reports as diagnostics go to the context's handlers as well.
MLIRPLUG_API mlirplug_status
mlirplug_manager_create(const mlirplug_pipeline *pipeline, MlirContext context,
                        const mlirplug_manager_configuration *configuration,
                        mlirplug_manager **manager, mlirplug_error **error);
MLIRPLUG_API void mlirplug_manager_destroy(mlirplug_manager *manager);

/// Runs it on `root`, whose name is the pipeline's anchor. `input` is the name
/// that records carry as "file"; may be null. May be called again and again.
MLIRPLUG_API mlirplug_status mlirplug_manager_run(mlirplug_manager *manager,
                                                  MlirOperation root,
                                                  const char *input,
                                                  mlirplug_error **error);

/// Makes mlirplug_is_cancelled true in the passes of the run under way, and
/// lets no further plugin pass begin in it. Any thread.
MLIRPLUG_API void mlirplug_manager_cancel(mlirplug_manager *manager);

/// A plugin pass that is running.
typedef struct mlirplug_running_pass {
  const char *pass;
  const char *plugin_path;
  const char *plugin_id;
  const char *plugin_version;
  uint64_t number; ///< Of this call of the plugin: no other has it.
} mlirplug_running_pass;

/// The plugin passes that run now, on whatever thread or in a child: `*next` is
/// 0 at first and moved on by each call; false behind the last. To find out
/// what hangs: a pass that still has its number runs for longer than between
/// two looks. Any thread, also in a handler of a signal. The strings live as
/// long as the manager.
MLIRPLUG_API bool mlirplug_manager_running(const mlirplug_manager *manager,
                                           size_t *next,
                                           mlirplug_running_pass *pass);

/// The plugin pass whose code this thread is in, or was in when a signal
/// interrupted it; false if there is none. `number` is not set. Likewise.
MLIRPLUG_API bool mlirplug_running_here(mlirplug_running_pass *pass);

/// The MLIR pass manager inside, to switch on what MLIR offers (IR printing,
/// timing, reproducers). It belongs to the manager. Null (no `ptr`) where MLIR
/// takes no passes of others: there the manager runs them itself.
MLIRPLUG_API MlirPassManager
mlirplug_manager_pass_manager(const mlirplug_manager *manager);

//===----------------------------------------------------------------------===//
// Reproducers
//
// A reproducer is a file with the IR as it was before a run, and behind it the
// pipeline, as MLIR's own tools write and read it. Ours also says which plugins
// have the passes. The manager's configuration asks for one.
//===----------------------------------------------------------------------===//

/// Writes the reproducer of the run under way as it is, to the file that the
/// configuration names; for a program that is about to end by a signal, in
/// whose handler this may be called, on any thread. 0 or an errno; ENODATA if
/// no run is under way that has one.
MLIRPLUG_API int
mlirplug_manager_save_reproducer(const mlirplug_manager *manager);

/// Writes `root` as it is now and the manager's pipeline to a file.
MLIRPLUG_API mlirplug_status mlirplug_manager_write_reproducer(
    const mlirplug_manager *manager, MlirOperation root, const char *path,
    mlirplug_error **error);

/// A plugin that a reproducer needs.
typedef struct mlirplug_reproducer_plugin {
  const char *id;
  const char *version;  ///< "(none)" if there is none.
  const char *path;     ///< Where it was, absolute.
  const char *checksum; ///< BLAKE2b, as b2sum prints it; may be null.
} mlirplug_reproducer_plugin;

/// What a reproducer asks for. Strings are never null unless noted.
typedef struct mlirplug_reproducer {
  const char *path;     ///< Of the file; null if it has none.
  const char *pipeline; ///< Null if nothing is to be run.
  /// 1 or 0, or -1 if it does not say.
  int disable_threading;
  int verify; ///< After each pass; likewise.
  bool allow_unregistered_dialects;
  const char *provider; ///< What it was made on; may be null.
  const mlirplug_reproducer_plugin *const *plugins;
  size_t plugin_count;
} mlirplug_reproducer;

/// Reads what stands behind the IR of a text, of our own or MLIR's making. A
/// text without it asks for nothing, and so does bytecode. `path` is the file
/// that it is from, or null. The result is destroyed by the caller.
MLIRPLUG_API mlirplug_status mlirplug_reproducer_read(
    const char *text, size_t length, const char *path,
    mlirplug_reproducer **reproducer, mlirplug_error **error);
MLIRPLUG_API void mlirplug_reproducer_destroy(mlirplug_reproducer *reproducer);

/// Adds the plugins that `reproducer` needs: those of their ids that the host
/// has already, or else the files where they were, or else files of the same
/// names beside the reproducer. Files are trusted as those that are found. One
/// that is not the same as it was is warned of. An error says what is missing
/// and where it was looked for.
MLIRPLUG_API mlirplug_status mlirplug_host_add_reproducer(
    mlirplug_host *host, const mlirplug_reproducer *reproducer,
    mlirplug_error **error);

//===----------------------------------------------------------------------===//
// Isolation
//
// With an isolate_command, no plugin is loaded in this process. Where a plugin
// pass stands in the pipeline, the whole operation that the pipeline runs on is
// given to a child, and what the pass has made of it is taken over: `root`
// itself stays, what is inside is new, unless the pass has changed nothing.
// Diagnostics, records and statistics come back too. If the child crashes,
// exits, takes too long or has no memory left, that is an error at the place in
// the IR where the pass was, as far as it can be told, and a reproducer is
// written. A child is killed with its children when it is done.
//
// State that a plugin keeps lives as long as one run of one pass. Passes of
// MLIR run here. Resources that come back get other names (blob_1), for the
// context still has those of before.
//===----------------------------------------------------------------------===//

/// What the `mlirplug` command is told in order to be the child.
#define MLIRPLUG_ISOLATED_COMMAND "isolated-pass"

/// What the parent has, and the child needs as well.
typedef struct mlirplug_isolated_request {
  size_t size;
  const char *provider; ///< The file of the copy of MLIR that the parent uses.
  bool threads;         ///< The context may have more than one thread.
  bool allow_unregistered_dialects;
} mlirplug_isolated_request;

/// The child: a program that has dialects of its own is its own child, and
/// calls this when it is started as the isolate_command that it gave. `prepare`
/// attaches the host to MLIR and makes a context with all dialects in its
/// registry; on failure it sets the error. Does not return but for an error
/// that the parent cannot be told of, such as that there is none.
MLIRPLUG_API mlirplug_status mlirplug_isolated_serve(
    mlirplug_status (*prepare)(mlirplug_host *host,
                               const mlirplug_isolated_request *request,
                               MlirContext *context, mlirplug_error **error,
                               void *user_data),
    void *user_data, mlirplug_error **error);

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

/// A statistic of one plugin pass at one place of the pipeline, summed over all
/// instances and runs so far.
typedef struct mlirplug_statistic_value {
  const char *pass; ///< With its options, as in the pipeline.
  size_t place;     ///< Of the pass among the plugin passes, from 0.
  const char *name;
  const char *help;
  uint64_t value;
} mlirplug_statistic_value;

MLIRPLUG_API size_t
mlirplug_manager_statistic_count(const mlirplug_manager *manager);
MLIRPLUG_API mlirplug_statistic_value
mlirplug_manager_statistic(const mlirplug_manager *manager, size_t index);

/// All that passes have counted in all runs so far, as text like that of
/// mlir-opt: in the order of the pipeline, or with `as_list` sorted by name and
/// each name once. Also says what was measured. `write` is called once.
MLIRPLUG_API mlirplug_status mlirplug_manager_report_statistics(
    const mlirplug_manager *manager, bool as_list,
    void (*write)(const char *text, size_t length, void *user_data),
    void *user_data, mlirplug_error **error);
#ifdef __cplusplus
}
#endif

#endif // MLIRPLUG_MANAGER_H
