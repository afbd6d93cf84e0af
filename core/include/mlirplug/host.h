// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedding interface: plugin passes in a compiler. The way through it:
//
//     #include <mlirplug/host.h>
//     #include <mlirplug/ir.h>
//
//     mlirplug_host_create(NULL, &host, &error);
//     mlirplug_host_attach_library(host, "static", &error);
//     mlirplug_host_bind(host, __start_mlirplug_imports,
//                        __stop_mlirplug_imports, &error);
//     // Only now may a function of ir.h be called: it would jump to null.
//     registry = mlirDialectRegistryCreate();
//     mlirRegisterAllDialects(registry);
//     mlirRegisterAllPasses(); // if pipelines name passes of MLIR
//     context = mlirContextCreateWithRegistry(registry, true);
//     mlirDialectRegistryDestroy(registry);
//     mlirplug_host_add_plugin(host, "op-count.so", NULL, &error);
//     module = mlirModuleCreateParse(context, text);
//     mlirplug_pipeline_parse(host, "builtin.module(func.func(op-count))",
//                             &pipeline, &error);
//     mlirplug_manager_create(pipeline, context, NULL, &manager, &error);
//     mlirplug_manager_run(manager, mlirModuleGetOperation(module),
//                          "input.mlir", &error);
//
//     mlirplug_manager_destroy(manager);
//     mlirplug_pipeline_destroy(pipeline);
//     mlirModuleDestroy(module);
//     mlirContextDestroy(context);
//     mlirplug_host_destroy(host);
//
// That is examples/embed, but for what it does about errors.
//
// In a process with modules of an MLIR that somebody else brought, such as a
// Python process after `import jax`, that copy is attached, and the pipeline
// runs in place. Operations and contexts are what the C API of that copy has,
// and what the Python bindings keep in the capsule called _CAPIPtr:
//
//     mlirplug_host_create(NULL, &host, &error);
//     mlirplug_host_attach_package(host, "jaxlib.mlir", &error);
//     mlirplug_host_add_plugin(host, "op-count.so", NULL, &error);
//     mlirplug_pipeline_parse(host, "builtin.module(func.func(op-count))",
//                             &pipeline, &error);
//     mlirplug_manager_create(pipeline, context, NULL, &manager, &error);
//     mlirplug_manager_run(manager, operation, "f", &error);
//     mlirplug_manager_destroy(manager);
//     mlirplug_pipeline_destroy(pipeline);
//     mlirplug_host_destroy(host);
//
// Conventions. A function that can fail returns MLIRPLUG_OK or MLIRPLUG_FAILED;
// on failure it leaves its results untouched and, unless `error` is null,
// stores an error there that the caller destroys. Every …_destroy takes null.
// Strings and arrays that are returned belong to the object they were asked of.
// Structures may grow at their end in a later version, so arrays of them hold
// pointers, none of them null. Nothing prints: messages go to the callbacks and
// into errors.
//
// Threads. A host may be used on any thread at any time, but for create, attach
// and destroy, which come before and after all else. A manager belongs to one
// thread at a time; only mlirplug_manager_cancel may be called from any.
//
// Lifetimes. host ⊇ pipeline ⊇ manager, and context ⊇ module and manager:
// destroy in the opposite order. Plugins, once loaded, stay in the process for
// ever.
//
// Headers. With <mlirplug/ir.h>, as above, the order does not matter. A
// compiler that links to MLIR uses <mlir-c/…> instead: <mlir-c/Pass.h> and all
// others come before this file, <mlirplug/ir.h> and mlirplug_host_bind are not
// needed, and what it attaches has to be built on the MLIR that it links to
// ("shared" for the system's libMLIR.so), for a context of one copy means
// nothing to another.

#ifndef MLIRPLUG_HOST_H
#define MLIRPLUG_HOST_H

#include <mlirplug/import.h>
#include <mlirplug/option.h>

#ifndef MLIR_C_PASS_H
#if defined(MLIR_C_IR_H) || defined(MLIR_C_SUPPORT_H)
#error                                                                         \
    "include <mlir-c/Pass.h> too, before <mlirplug/host.h>, or none of mlir-c"
#endif
#include <mlirplug/ir/Types.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MLIRPLUG_API __attribute__((visibility("default")))

/// The version of the library, "1.0.0".
MLIRPLUG_API const char *mlirplug_version(void);

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// What went wrong, in parts that a program may show as it likes. A part that
/// does not apply is null.
typedef struct mlirplug_error {
  const char *doing;    ///< "cannot load the plugin"
  const char *subject;  ///< The file, pass or pipeline it was done to.
  const char *found;    ///< What is there.
  const char *expected; ///< What should be.
  const char *remedy;   ///< What to do about it.
  const char *message;  ///< All of it in one line, without a newline.
  bool untrusted;   ///< A matter of trust: trust_any of the host overrules it.
  bool is_unsigned; ///< All that it says of a plugin is that nobody signed it.
  /// The process has no memory or descriptors left, which says nothing of the
  /// subject.
  bool is_exhausted;
} mlirplug_error;

MLIRPLUG_API void mlirplug_error_destroy(mlirplug_error *error);

//===----------------------------------------------------------------------===//
// What a plugin file says of itself
//===----------------------------------------------------------------------===//

/// A pass as its plugin describes it. Strings are never null unless noted.
typedef struct mlirplug_pass_description {
  const char *name;
  const char *summary;        ///< May be empty.
  const char *description;    ///< May be empty.
  const char *const *anchors; ///< Operation names; none means any operation.
  size_t anchor_count;
  const char *const *dialects; ///< Dialects to load before the pass runs.
  size_t dialect_count;
  const mlirplug_option *const *options;
  size_t option_count;
  size_t options_size; ///< Of the pass's own structure, in bytes.
  const mlirplug_statistic *const *statistics;
  size_t statistic_count;
  const char *const *names; ///< Operation names it compares with.
  size_t name_count;
} mlirplug_pass_description;

/// A plugin as its file describes it. Made without running a line of it, but
/// for a file of another language: what that says of itself is known once a
/// host plugin has opened it.
typedef struct mlirplug_plugin_description {
  const char *path; ///< Absolute.
  const char *id;
  const char *version; ///< "(none)" if the plugin gives none.
  const char *sdk; ///< Version of the SDK it was compiled with, or "(none)".
  uint32_t abi_major;
  uint32_t abi_minor;
  const mlirplug_pass_description *const *passes;
  size_t pass_count;
  /// Functions it needs, sorted by name, each once; without the '?'.
  const char *const *imports;
  size_t import_count;
  /// Functions it uses where the host has them, likewise.
  const char *const *optional_imports;
  size_t optional_import_count;
  /// What is odd but no reason to refuse it, one line each.
  const char *const *warnings;
  size_t warning_count;
  const char *suffixes; ///< Of a host plugin: ".py"; null for others.
  /// "Python" for a host plugin, and for a file that one serves; else null.
  const char *language;
  bool is_unopened; ///< Nothing is known yet of such a file but its name.
} mlirplug_plugin_description;

/// Reads and checks the plugin file at `path`. The result is destroyed by the
/// caller. Needs no host and runs no code of the file.
MLIRPLUG_API mlirplug_status mlirplug_plugin_read(
    const char *path, mlirplug_plugin_description **description,
    mlirplug_error **error);
MLIRPLUG_API void
mlirplug_plugin_description_destroy(mlirplug_plugin_description *description);

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

/// The plugins known, and the copy of MLIR they run on.
typedef struct mlirplug_host mlirplug_host;

/// How a host is set up. Zero bytes are the defaults.
typedef struct mlirplug_host_configuration {
  size_t size; ///< sizeof(mlirplug_host_configuration)
  /// Is told of each decision, a line without newline each, on whatever thread
  /// takes it, one at a time. May be null. It calls no function of the host.
  void (*log)(const char *line, void *user_data);
  /// Is told of what is odd but not an error, likewise.
  void (*warn)(const char *line, void *user_data);
  void *user_data;
  /// Takes plugins and directories whatever trust says of them (see below), and
  /// warns of each that it would have refused: "trust is off: …".
  bool trust_any;
  /// Reads every plugin file anew, and keeps nothing for the next time. By
  /// default what larger directories hold is kept in $XDG_CACHE_HOME/mlirplug
  /// (~/.cache/mlirplug); it is a hint, checked against each file.
  bool no_cache;
  /// Takes a plugin only if it is signed (see signature.h) by a key in
  /// `key_directory`, or if that is null in one of the default directories of
  /// keys. Each plugin is checked when it is read and again when it is loaded;
  /// trust_any does not overrule it. Policy files may demand signatures too, by
  /// keys of their own: /etc/mlirplug/policy.json and the user's, which is
  /// $XDG_CONFIG_HOME/mlirplug/policy.json (by default ~/.config/…) and does
  /// not count in a process with more rights than its user. A plugin must
  /// satisfy all who demand one.
  bool require_signature;
  const char *key_directory; ///< Of *.pub files; may be null.
  /// Does not warn of refusals: the embedder looks at mlirplug_host_refusal.
  bool quiet_refusals;
  /// Plugins are only looked at: no policy is read, no signature demanded, and
  /// no manager can be made, so that nothing of them ever runs.
  bool examine_only;
} mlirplug_host_configuration;

/// `configuration` may be null. Fails if a policy, or a key that is needed, is
/// there and cannot be read or trusted. Reads the environment.
MLIRPLUG_API mlirplug_status
mlirplug_host_create(const mlirplug_host_configuration *configuration,
                     mlirplug_host **host, mlirplug_error **error);
MLIRPLUG_API void mlirplug_host_destroy(mlirplug_host *host);

// A host runs on one copy of MLIR, for contexts and modules of that copy and no
// other: what one copy made means nothing to another. Managers refuse a context
// or an operation of another copy where they can tell; other functions cannot,
// and crash. One of the following is called, once; nothing is ever guessed.
// Several hosts may run on several copies, with the same plugins.

/// Opens the copy of MLIR that passes will run on. `library` is a path with a
/// slash, or "static" or "shared" for one of the two that are installed beside
/// libmlirplug. Once per host. A library that is in the process already is
/// taken as it is there; if it does not export the C API, its functions are
/// found by the symbol table of its file, unless that was stripped.
MLIRPLUG_API mlirplug_status mlirplug_host_attach_library(
    mlirplug_host *host, const char *library, mlirplug_error **error);

/// Takes the copy of MLIR that a Python package has brought into this process:
/// "jaxlib.mlir", "iree.compiler", "torch_mlir", "circt", "mlir". For an object
/// of Python bindings, the name of its capsule does as well
/// (PyCapsule_GetName: "jaxlib.mlir.ir.Module._CAPIPtr"). No function of Python
/// is called. The package must have been imported.
MLIRPLUG_API mlirplug_status mlirplug_host_attach_package(
    mlirplug_host *host, const char *package, mlirplug_error **error);

/// Takes the only copy of MLIR in this process, whoever brought it: a library,
/// or the program itself. An error if there are several, which it lists. Reads
/// the symbol tables of the files of all libraries that have one, which takes a
/// moment with large ones.
MLIRPLUG_API mlirplug_status
mlirplug_host_attach_process(mlirplug_host *host, mlirplug_error **error);

/// "MLIR 22.1.8 (/usr/lib/…/libmlirplug-mlir22.so)", or null before attaching.
MLIRPLUG_API const char *mlirplug_host_provider(const mlirplug_host *host);

/// The names that mlirplug_host_attach_library knows, from index 0; null behind
/// the last. Whether such a library is there shows when it is attached.
MLIRPLUG_API const char *mlirplug_provider_kind(size_t index);

/// A function that plugins may ask for and a copy of MLIR does not have.
typedef struct mlirplug_missing_function {
  const char *name;
  const char *seen; ///< The versions of MLIR that it was seen in, "15 16".
} mlirplug_missing_function;

/// A copy of MLIR.
typedef struct mlirplug_provider_description {
  const char *kind;    ///< mlirplug_provider_kind, or "path" for any other.
  const char *path;    ///< Absolute.
  const char *version; ///< "MLIR 22.1.8"
  const char *origin;  ///< How it was found: "beside libmlirplug", "named".
  /// It can do what the C API cannot say, such as diagnostics of any severity.
  bool has_extension;
  bool runs_passes;      ///< Its C API takes passes of plugins.
  size_t function_count; ///< Those of the functions known that it has.
  const mlirplug_missing_function *const *missing; ///< The others, by name.
  size_t missing_count;
} mlirplug_provider_description;

/// Describes what is attached. The result is destroyed by the caller.
MLIRPLUG_API mlirplug_status mlirplug_host_describe_provider(
    const mlirplug_host *host, mlirplug_provider_description **description,
    mlirplug_error **error);
MLIRPLUG_API void mlirplug_provider_description_destroy(
    mlirplug_provider_description *description);

/// Whether what is attached has all functions that `plugin` cannot do without;
/// if not, the error names those it lacks. `plugin` need not be the host's.
MLIRPLUG_API mlirplug_status mlirplug_host_check_plugin(
    const mlirplug_host *host, const mlirplug_plugin_description *plugin,
    mlirplug_error **error);

/// Fills the imports of the caller itself (see import.h), so that a host can
/// use ir.h without linking to MLIR: pass __start_mlirplug_imports and
/// __stop_mlirplug_imports. Services of a run cannot be had this way.
MLIRPLUG_API mlirplug_status mlirplug_host_bind(mlirplug_host *host,
                                                mlirplug_import *begin,
                                                mlirplug_import *end,
                                                mlirplug_error **error);

// Plugins are named, or found in directories. Loading one is running its code,
// so its file must be trustworthy: root or the effective user owns it, and
// nobody else may write to it. For one that was found, this holds also for all
// that its path leads through: directories and symbolic links. It is checked
// when a file is read and again when it is loaded.

/// Reads, checks and adds the plugin at `path`, without running it: it is
/// loaded when a manager is made for a pipeline that names one of its passes.
/// A file that a host plugin serves (those in mlirplug/hosts beside
/// libmlirplug, and those that were named) is opened, unless plugins are only
/// examined. The same file again is no error. Neither is one that was found
/// before: from now on it counts as named. An error is a pass name that another
/// plugin has. `description`, which may be null, is the host's.
MLIRPLUG_API mlirplug_status mlirplug_host_add_plugin(
    mlirplug_host *host, const char *path,
    const mlirplug_plugin_description **description, mlirplug_error **error);

/// A file of another language is opened, which runs it, when it is named, or
/// when a pass is asked for that no other plugin has and the pass's name is in
/// the file. This opens all that were found and are not open yet; one that
/// fails is warned of and becomes a refusal.
MLIRPLUG_API void mlirplug_host_open_plugins(mlirplug_host *host);

/// Where the library keeps what larger directories of plugins hold, whether
/// this host does so or not; null if there is no place for it.
MLIRPLUG_API const char *
mlirplug_host_cache_directory(const mlirplug_host *host);

/// Adds the plugins in the directory at `path`: the files whose names end in
/// ".so", or in a suffix that a host plugin serves, and do not begin with '.',
/// in the order of their bytes, not those in directories below. A directory
/// that is missing, cannot be read or is not to be trusted is an error.
///
/// A file that fails is warned of and becomes a refusal; the others are added.
/// Those that lack only a signature are warned of together, by their number.
/// A pass name that another plugin has is warned of if that one was found too:
/// the first one has the name, and a pipeline that uses it is refused. If the
/// other was named, the file becomes a refusal, the rest is added, and this
/// returns an error with both files. A file that is there already, in whatever
/// way, stays as it is; one that was rebuilt takes its own place.
MLIRPLUG_API mlirplug_status mlirplug_host_add_directory(
    mlirplug_host *host, const char *path, mlirplug_error **error);

/// Adds the plugins in the directories where plugins are installed:
///   1. those in MLIRPLUG_PATH, separated by ':' and absolute;
///   2. $XDG_DATA_HOME/mlirplug/plugins, by default ~/.local/share/…;
///   3. mlirplug/plugins beside libmlirplug;
///   4. /usr/local/lib/mlirplug/plugins and /usr/lib/mlirplug/plugins;
///   5. those that Python packages name (see mlirplug_host_add_packages) in the
///      active virtual environment (VIRTUAL_ENV), or in the directories in
///      MLIRPLUG_PYTHON_PATH if that is set, and in that which pip installed
///      libmlirplug in.
/// In a process with more rights than its user, those that the environment
/// names are left out. One that was searched before is not searched again, one
/// that does not exist is nothing, and any other that fails is warned of and
/// becomes a refusal. For the rest, and for errors, see
/// mlirplug_host_add_directory. Reads the environment: no other thread may
/// change it meanwhile.
MLIRPLUG_API mlirplug_status mlirplug_host_add_default_directories(
    mlirplug_host *host, mlirplug_error **error);

/// Adds the plugins that Python packages bring which are installed in the
/// directories of `path`, Python's sys.path with a ':' between two; relative
/// ones are nothing. Such a package has entry points in the group
/// "mlirplug.plugins", each of which names a directory of plugins as Python
/// names a package: "example.plugins". They are read from its metadata
/// (*.dist-info), no Python runs. One that leads nowhere is warned of and
/// becomes a refusal; for the directories, and for errors, see
/// mlirplug_host_add_default_directories.
MLIRPLUG_API mlirplug_status mlirplug_host_add_packages(mlirplug_host *host,
                                                        const char *path,
                                                        mlirplug_error **error);

/// Adds the plugins that the configuration file at `path` (mlirplug.json)
/// names, and those in the directories that it names. The path itself is enough
/// to trust the file; what it names is trusted like what is found. What fails
/// is an error: the first is returned, further ones are warned of, and the rest
/// is added. A host has one configuration file.
MLIRPLUG_API mlirplug_status mlirplug_host_add_configuration(
    mlirplug_host *host, const char *path, mlirplug_error **error);

/// Looks for a mlirplug.json in the directory that `input` is in (or is), or
/// in the working directory if it is null, and upward from there. The nearest
/// one is added if the user has approved it as it is now (see below). If not,
/// or if it cannot be used, this is warned of once, and it is a refusal. What
/// it names and fails is warned of and becomes a refusal, too; so there is an
/// error only where mlirplug_host_add_directory has one, and for inputs that
/// lead to different files. To be called for each input; one that leads to none
/// is nothing. Does nothing after mlirplug_host_add_configuration and in a
/// process with more rights than its user. Reads the environment.
MLIRPLUG_API mlirplug_status mlirplug_host_find_configuration(
    mlirplug_host *host, const char *input, mlirplug_error **error);

/// The configuration file that was added or found, or null; one that was not
/// used is among the refusals.
MLIRPLUG_API const char *
mlirplug_host_configuration_file(const mlirplug_host *host);

/// What the configuration file asks to be inserted into pipelines ("insert"),
/// see mlirplug_pipeline_insert_configured; index 0 to the first null. Lives as
/// long as the host.
MLIRPLUG_API const char *mlirplug_host_insertion(const mlirplug_host *host,
                                                 size_t index);

/// A directory that was searched for plugins, or would have been.
typedef struct mlirplug_directory {
  const char *path;   ///< Absolute.
  const char *origin; ///< "named directory", "MLIRPLUG_PATH", …
  bool exists;
  const mlirplug_error *error; ///< Why it was refused, or null.
  /// The Python distribution that it is of, "mlirplug-example", and the version
  /// of that, which may be empty; null if it is of none.
  const char *distribution;
  const char *distribution_version;
} mlirplug_directory;

/// The directories so far, in the order of searching; one that could not be
/// added by its name is not among them. Index and lifetime as for plugins.
MLIRPLUG_API size_t mlirplug_host_directory_count(const mlirplug_host *host);
MLIRPLUG_API const mlirplug_directory *
mlirplug_host_directory(const mlirplug_host *host, size_t index);

/// A file or directory that search came upon and that was not added.
typedef struct mlirplug_refusal {
  const char *path; ///< Absolute.
  const mlirplug_error *error;
} mlirplug_refusal;

/// The refusals so far, in the order of searching; likewise. Null behind the
/// last.
MLIRPLUG_API size_t mlirplug_host_refusal_count(const mlirplug_host *host);
MLIRPLUG_API const mlirplug_refusal *
mlirplug_host_refusal(const mlirplug_host *host, size_t index);

/// The plugins added so far, in that order. Index 0 to count - 1; the pointers
/// stay valid as long as the host. A description that comes from the cache is
/// made when it is first asked for; it is null if memory runs out, or if the
/// file was changed since its directory was searched and can no longer be read.
MLIRPLUG_API size_t mlirplug_host_plugin_count(const mlirplug_host *host);
MLIRPLUG_API const mlirplug_plugin_description *
mlirplug_host_plugin(const mlirplug_host *host, size_t index);

/// The directory that plugin was found in, or that of the configuration file
/// which names it; null if it was named.
MLIRPLUG_API const mlirplug_directory *
mlirplug_host_plugin_directory(const mlirplug_host *host, size_t index);

/// The pass called `name` and, unless null, the plugin it comes from; null if
/// no plugin has it. Built-in passes of MLIR are not listed.
MLIRPLUG_API const mlirplug_pass_description *
mlirplug_host_find_pass(const mlirplug_host *host, const char *name,
                        const mlirplug_plugin_description **plugin);

//===----------------------------------------------------------------------===//
// Approving configuration files
//
// A mlirplug.json that comes with a stranger's project would run the stranger's
// code. So the user approves each one, by its path and text. These functions
// need no host, and read the environment.
//===----------------------------------------------------------------------===//

/// What a configuration file says. The paths are absolute.
typedef struct mlirplug_configuration {
  const char *path; ///< Of the file itself, without symbolic links.
  const char *const *plugins;
  size_t plugin_count;
  const char *const *directories;
  size_t directory_count;
  const char *const *insertions; ///< Requests, see mlirplug_pipeline_insert.
  size_t insertion_count;
} mlirplug_configuration;

/// Reads the mlirplug.json in `directory`. One that other users can change is
/// an error. The result is destroyed by the caller.
MLIRPLUG_API mlirplug_status mlirplug_configuration_read(
    const char *directory, mlirplug_configuration **configuration,
    mlirplug_error **error);
MLIRPLUG_API void
mlirplug_configuration_destroy(mlirplug_configuration *configuration);

/// Records that the user approves of the file as it was when it was read, in
/// $XDG_STATE_HOME/mlirplug/trusted.json (by default ~/.local/state/…).
MLIRPLUG_API mlirplug_status mlirplug_configuration_approve(
    const mlirplug_configuration *configuration, mlirplug_error **error);

/// Takes the approval of the mlirplug.json in `directory` back, which may be
/// gone. An error if there is none.
MLIRPLUG_API mlirplug_status
mlirplug_configuration_withdraw(const char *directory, mlirplug_error **error);

/// Tells of each file that is approved, and whether its text still is the one
/// that was.
MLIRPLUG_API mlirplug_status mlirplug_configuration_list_approved(
    void (*tell)(const char *path, bool current, void *user_data),
    void *user_data, mlirplug_error **error);

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
/// whose handler this may be called, on any thread. 0 or an errno; ENOENT if no
/// run is under way that has one.
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

#endif // MLIRPLUG_HOST_H
