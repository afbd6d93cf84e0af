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

#ifdef __cplusplus
}
#endif

#include <mlirplug/manager.h>
#endif // MLIRPLUG_HOST_H
