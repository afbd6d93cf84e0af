// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin interface of mlirplug, ABI 1.
//
// A plugin is a shared object that exports one constant, `mlirplug_plugin`: who
// it is, which passes it has, what options they take and which functions it
// needs. A loader reads all of that from the file without running it. See the
// macros at the end for how a plugin is written; C++ uses plugin.hpp.
//
// Rules by which these structures grow, for ever:
//   - a structure begins with its size in bytes (the descriptor: behind its
//     magic); for the elements of an array the owner of the array states it;
//   - fields are only ever added at the end; a reader takes what both sides
//     know, and zero for the rest;
//   - nobody frees what the other side allocated; no exception and no longjmp
//     crosses the border;
//   - functions of the host are imports (import.h): they come by name, so there
//     is no table to grow, and a plugin that needs a newer function than its
//     host has is refused by the name of that function before it runs.
//
// Names that begin with mlirplug_ and MLIRPLUG_ are reserved.
//
// Of MLIR's C API this brings the types and what most passes call: operations,
// walking, operands, results, attributes by name, names and strings. For other
// functions include <mlirplug/ir.h>, which has them all, or to compile faster
// the one header of <mlirplug/ir/...> that has them: Attribute, Block,
// BuiltinAttributes, BuiltinTypes, Context, Location, OperationMore,
// OperationState, Print, Region, Symbol, Type, Value and so on.

#ifndef MLIRPLUG_PLUGIN_H
#define MLIRPLUG_PLUGIN_H

#include <mlirplug/import.h>
#include <mlirplug/ir/Operation.h>
#include <mlirplug/ir/String.h>
#include <mlirplug/ir/Types.h>
#include <mlirplug/option.h>
#include <mlirplug/stock.h>

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The interface that this header describes. Loaders of one major version take
/// plugins of every minor version.
#define MLIRPLUG_ABI_MAJOR 1
#define MLIRPLUG_ABI_MINOR 0

/// The SDK's version, recorded in each plugin.
#define MLIRPLUG_SDK_VERSION "1.0.0"

/// The newest minor version that a plugin means to use; what came later is
/// hidden. Define it before including this header to stay within an older one.
#ifndef MLIRPLUG_TARGET_MINOR
#define MLIRPLUG_TARGET_MINOR MLIRPLUG_ABI_MINOR
#endif

/// The first eight bytes of a descriptor, without a terminating NUL.
#define MLIRPLUG_MAGIC {'M', 'L', 'I', 'R', 'P', 'L', 'U', 'G'}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

/// What a callback of a pass is given. Valid until the callback returns;
/// belongs to one thread.
typedef struct mlirplug_run {
  uint32_t size;
  uint32_t reserved;
  const void *options; ///< The filled options, or null if the pass has none.
  void *state;         ///< What `create` or `clone` made, or null.
  /// The pass's `names` as identifiers of the current context: what
  /// mlirOperationGetName(op).ptr is compared with.
  const void *const *identifiers;
  /// The pass that is run, as its descriptor has it: for a callback that serves
  /// several.
  const struct mlirplug_pass *pass;
} mlirplug_run;

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// One pass. Only `name` and `run` are required.
///
/// Threads: `run` may be called on many threads at once, each time with an
/// instance of its own; `clone` likewise. All others are called on the thread
/// that builds, runs or destroys the pipeline.
typedef struct mlirplug_pass {
  uint32_t size;           ///< sizeof(mlirplug_pass)
  uint32_t option_size;    ///< sizeof(mlirplug_option)
  uint32_t statistic_size; ///< sizeof(mlirplug_statistic)
  uint32_t reserved;
  const char *name;        ///< As written in a pipeline.
  const char *summary;     ///< One line.
  const char *description; ///< As long as needed.
  /// The operations that the pass runs on: names separated by commas, or null
  /// for any. Two names mean all operations with a property, told by what every
  /// MLIR shows, so they are the same with each:
  ///   "@symbol"    has a string "sym_name" and a region: functions, modules
  ///                with a name, but no global without a region;
  ///   "@function"  of those, has a type "function_type": func.func, llvm.func,
  ///                gpu.func and the functions of most dialects.
  /// Such a pass stands in any nest but one on builtin.module, mostly in "any",
  /// as in builtin.module(any(my-pass)); other operations there it leaves
  /// alone.
  const char *anchor;
  /// Dialects that the pass makes operations, types or attributes of, separated
  /// by commas. They are loaded before the pass runs.
  const char *dialects;
  const mlirplug_option *options;
  uint64_t option_count;
  uint64_t options_size; ///< Size of the pass's own structure, in bytes.
  const mlirplug_statistic *statistics;
  uint64_t statistic_count;
  const char *const *names; ///< Names for mlirplug_op_is.
  uint64_t name_count;

  /// State of one instance. `create` makes it, null means that it could not;
  /// `clone` makes another with the same content for another thread; `destroy`
  /// only frees. All three or none. These and all callbacks are functions of
  /// the plugin itself: one of a library, such as free, needs a function of
  /// yours around it, or the plugin is refused.
  void *(*create)(const mlirplug_run *run);
  void *(*clone)(const mlirplug_run *run);
  void (*destroy)(void *state);

  /// Prepares an instance for `context` (original instances only; clones copy
  /// what it left in the state). May be called again for a later run.
  mlirplug_status (*initialize)(const mlirplug_run *run, MlirContext context);

  /// The pass itself. `root` is the operation that it was scheduled on; it may
  /// change what is inside `root` and nothing else.
  mlirplug_status (*run)(const mlirplug_run *run, MlirOperation root);

  /// At the end of each run of a pipeline, which is one input: `merge` adds a
  /// clone's state to that of the original, once for each clone; then `finish`
  /// may report, with the original's state; then `reset` makes each instance
  /// ready for another run. Without `merge`, what clones counted is lost to
  /// `finish`; `merge` needs `reset`, or the next run would add it again.
  void (*merge)(void *into, const void *from);
  mlirplug_status (*finish)(const mlirplug_run *run);
  void (*reset)(void *state);
} mlirplug_pass;

//===----------------------------------------------------------------------===//
// Host plugins
//
// A host plugin brings files of another language as plugins: those that end in
// one of its suffixes. It calls no function of MLIR itself (its only imports
// are the services below), so one image of it serves every copy of MLIR; what
// its passes need is to be had by mlirplug_lookup.
//===----------------------------------------------------------------------===//

struct mlirplug_descriptor;

/// A file that a host plugin is to open. Valid until `open` returns.
typedef struct mlirplug_opening {
  uint32_t size;
  uint32_t reserved;
  const char *path; ///< Absolute; for messages and for what lies beside it.
  /// What is in the file whose owner and mode were checked. A NUL follows.
  const char *bytes;
  uint64_t length;
  /// Why it cannot be opened, in up to three sentences (see mlirplug_error in
  /// host.h); all but `found` may be null. The texts are copied.
  void (*refuse)(const struct mlirplug_opening *opening, const char *found,
                 const char *expected, const char *remedy);
} mlirplug_opening;

/// What makes a plugin a host plugin.
typedef struct mlirplug_hosting {
  uint32_t size; ///< sizeof(mlirplug_hosting)
  uint32_t reserved;
  const char *language; ///< "Python"
  const char *suffixes; ///< ".py"; several are separated by commas.
  /// Opens a file: the result says which passes are in it, and lives for ever.
  /// Its imports are not looked at. Null after `refuse` was called. Any thread;
  /// may be called again for another file meanwhile.
  const struct mlirplug_descriptor *(*open)(const mlirplug_opening *opening);
} mlirplug_hosting;

//===----------------------------------------------------------------------===//
// The descriptor
//===----------------------------------------------------------------------===//

/// The plugin: what `mlirplug_plugin` is.
typedef struct mlirplug_descriptor {
  char magic[8];      ///< MLIRPLUG_MAGIC
  uint32_t size;      ///< sizeof(mlirplug_descriptor)
  uint16_t abi_major; ///< MLIRPLUG_ABI_MAJOR
  uint16_t abi_minor; ///< MLIRPLUG_TARGET_MINOR
  const char *id;     ///< "org.example.op-count"; never changes once shipped.
  const char *version;
  const char *sdk; ///< MLIRPLUG_SDK_VERSION
  const mlirplug_pass *const *passes;
  uint64_t pass_count;
  const mlirplug_import *imports_begin;
  const mlirplug_import *imports_end;
  const mlirplug_hosting *hosting; ///< Null unless it is a host plugin.
} mlirplug_descriptor;

//===----------------------------------------------------------------------===//
// Services of the run
//
// All of them may be called from every callback that is given a run, on that
// callback's thread. Names are imports like any other: MLIRPLUG_HAS works.
//===----------------------------------------------------------------------===//

/// Sends a diagnostic with `severity` (a MlirDiagnosticSeverity) at `location`.
/// `text` is copied. An error also fails the pass. A null location means that
/// of the operation that the pass runs on, or else the input as a whole. A note
/// is attached to the diagnostic that was sent before it in the same callback.
MLIRPLUG_PROCEDURE(mlirplug_diagnose,
                   (const mlirplug_run *run, int32_t severity,
                    MlirLocation location, MlirStringRef text),
                   (run, severity, location, text))

/// Adds `amount` to the statistic at `index` of the pass's table.
MLIRPLUG_PROCEDURE(mlirplug_statistic_add,
                   (const mlirplug_run *run, uint64_t index, uint64_t amount),
                   (run, index, amount))

/// Writes one record: `json` is the text of a JSON object, copied. The host
/// adds the keys "file" and "pass", and puts records in the order (input, place
/// in the pipeline, position of the root operation), whatever the threads did.
/// Text that is not an object, or an object that has one of the two keys, fails
/// the pass with a message: keys that are names from the IR belong into an
/// object of their own, as in {"operations": {"file": 1}}.
MLIRPLUG_FUNCTION(mlirplug_status, mlirplug_record_write,
                  (const mlirplug_run *run, MlirStringRef json), (run, json))

/// True when the host wants the run to end; a long pass asks now and then and
/// returns MLIRPLUG_FAILED.
MLIRPLUG_FUNCTION(bool, mlirplug_is_cancelled, (const mlirplug_run *run), (run))

/// Memory of `size` bytes, zeroed and aligned for any type, that lives until
/// the callback returns and is not freed by the plugin. Null when there is
/// none.
MLIRPLUG_FUNCTION(void *, mlirplug_allocate,
                  (const mlirplug_run *run, size_t size), (run, size))

/// The address of a C API function by name, or null when the host does not have
/// it. MLIRPLUG_FUNCTION is the better way for a function known beforehand.
typedef void (*mlirplug_address)(void);
MLIRPLUG_FUNCTION(mlirplug_address, mlirplug_lookup,
                  (const mlirplug_run *run, const char *name), (run, name))

/// The host that runs the pass (host.h), for a host plugin that is a host's
/// user, too. Use only what leaves it as it is.
struct mlirplug_host;
MLIRPLUG_FUNCTION(struct mlirplug_host *, mlirplug_run_host,
                  (const mlirplug_run *run), (run))

/// True when `op` is an operation with the name at `index` of the pass's
/// `names`: one comparison of pointers.
__attribute__((unused)) static inline bool
mlirplug_op_is(const mlirplug_run *run, MlirOperation op, uint64_t index) {
  return mlirOperationGetName(op).ptr == run->identifiers[index];
}

/// mlirplug_diagnose with a printf format; longer texts end after 1 KiB.
MLIRPLUG_SELDOM __attribute__((format(printf, 4, 5))) void
mlirplug_emit(const mlirplug_run *run, MlirDiagnosticSeverity severity,
              MlirLocation location, const char *format, ...) {
  char text[1024];
  va_list values;
  va_start(values, format);
  int length = __builtin_vsnprintf(text, sizeof text, format, values);
  va_end(values);
  MlirStringRef shown = {text, length < 0 ? 0u : MLIRPLUG_CAST(size_t, length)};
  if (shown.length >= sizeof text)
    shown.length = sizeof text - 1;
  mlirplug_diagnose(run, MLIRPLUG_CAST(int32_t, severity), location, shown);
}

/// An error at `location`, as the return value of a callback:
///
///     return mlirplug_fail(run, mlirOperationGetLocation(op), "no %s", what);
#define mlirplug_fail(run, location, ...)                                      \
  (mlirplug_emit(run, MlirDiagnosticError, location, __VA_ARGS__),             \
   MLIRPLUG_FAILED)

#ifdef __cplusplus
} // extern "C"
#else

//===----------------------------------------------------------------------===//
// Writing a plugin in C
//
//     static const mlirplug_pass my_pass = {
//         MLIRPLUG_PASS("my-pass", "What it does in one line"),
//         .anchor = "func.func",
//         .run = run,
//     };
//     MLIRPLUG_PLUGIN("org.example.my-plugin", "1.0.0", &my_pass);
//
// Compile with -fPIC -shared -fvisibility=hidden. C++ includes plugin.hpp.
//===----------------------------------------------------------------------===//

/// The first fields of a pass.
#define MLIRPLUG_PASS(pass_name, pass_summary)                                 \
  .size = sizeof(mlirplug_pass), .option_size = sizeof(mlirplug_option),       \
  .statistic_size = sizeof(mlirplug_statistic), .name = (pass_name),           \
  .summary = (pass_summary)

#define MLIRPLUG_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/// A pass's options: the structure that holds them and the table.
#define MLIRPLUG_OPTIONS(structure, table)                                     \
  .options = (table), .option_count = MLIRPLUG_COUNT(table),                   \
  .options_size = sizeof(structure)

/// A pass's statistics: an array of mlirplug_statistic.
#define MLIRPLUG_STATISTICS(table)                                             \
  .statistics = (table), .statistic_count = MLIRPLUG_COUNT(table)

/// A pass's operation names: an array of const char *, indexed by the constants
/// that mlirplug_op_is is given.
#define MLIRPLUG_NAMES(table)                                                  \
  .names = (table), .name_count = MLIRPLUG_COUNT(table)

/// The offset of a field, with a compile error when it has another type.
#define MLIRPLUG_FIELD(structure, field, type)                                 \
  _Generic(&((structure *)0)->field, type *: offsetof(structure, field))

#define MLIRPLUG_OPTION(structure, field, type, its_kind, its_name, its_help)  \
  .name = (its_name), .help = (its_help), .kind = (its_kind),                  \
  .offset = MLIRPLUG_FIELD(structure, field, type)

/// Options, one line of the table each: the structure, its field, the name, the
/// default, the help.
#define MLIRPLUG_BOOL(structure, field, name, value, help)                     \
  {MLIRPLUG_OPTION(structure, field, bool, MLIRPLUG_KIND_BOOL, name, help),    \
   .default_integer = (value)}
#define MLIRPLUG_INT(structure, field, name, value, help)                      \
  {MLIRPLUG_OPTION(structure, field, int64_t, MLIRPLUG_KIND_INT, name, help),  \
   .default_integer = (value)}
#define MLIRPLUG_UINT(structure, field, name, value, help)                     \
  {MLIRPLUG_OPTION(structure, field, uint64_t, MLIRPLUG_KIND_UINT, name,       \
                   help),                                                      \
   .default_integer = (int64_t)(value)}
#define MLIRPLUG_DOUBLE(structure, field, name, value, help)                   \
  {MLIRPLUG_OPTION(structure, field, double, MLIRPLUG_KIND_DOUBLE, name,       \
                   help),                                                      \
   .default_double = (value)}
#define MLIRPLUG_STRING(structure, field, name, value, help)                   \
  {MLIRPLUG_OPTION(structure, field, const char *, MLIRPLUG_KIND_STRING, name, \
                   help),                                                      \
   .default_text = (value)}
/// `value` is the position of the default among `list`, "fast,exact".
#define MLIRPLUG_ENUM(structure, field, name, list, value, help)               \
  {MLIRPLUG_OPTION(structure, field, int64_t, MLIRPLUG_KIND_ENUM, name, help), \
   .choices = (list), .default_integer = (value)}

/// Numbers with bounds, both allowed.
#define MLIRPLUG_INT_RANGE(structure, field, name, value, low, high, help)     \
  {MLIRPLUG_OPTION(structure, field, int64_t, MLIRPLUG_KIND_INT, name, help),  \
   .default_integer = (value), .flags = MLIRPLUG_OPTION_RANGE,                 \
   .minimum = (low), .maximum = (high)}
#define MLIRPLUG_UINT_RANGE(structure, field, name, value, low, high, help)    \
  {MLIRPLUG_OPTION(structure, field, uint64_t, MLIRPLUG_KIND_UINT, name,       \
                   help),                                                      \
   .default_integer = (int64_t)(value), .flags = MLIRPLUG_OPTION_RANGE,        \
   .minimum = (int64_t)(low), .maximum = (int64_t)(high)}
#define MLIRPLUG_DOUBLE_RANGE(structure, field, name, value, low, high, help)  \
  {MLIRPLUG_OPTION(structure, field, double, MLIRPLUG_KIND_DOUBLE, name,       \
                   help),                                                      \
   .default_double = (value), .flags = MLIRPLUG_OPTION_RANGE,                  \
   .minimum_double = (low), .maximum_double = (high)}

/// Lists; the default is the text one would write, "" for none.
#define MLIRPLUG_LIST(structure, field, type, kind, name, value, help)         \
  {MLIRPLUG_OPTION(structure, field, type, (kind) | MLIRPLUG_KIND_LIST, name,  \
                   help),                                                      \
   .default_text = (value)}
#define MLIRPLUG_BOOLS(structure, field, name, value, help)                    \
  MLIRPLUG_LIST(structure, field, mlirplug_bool_list, MLIRPLUG_KIND_BOOL,      \
                name, value, help)
#define MLIRPLUG_INTS(structure, field, name, value, help)                     \
  MLIRPLUG_LIST(structure, field, mlirplug_int_list, MLIRPLUG_KIND_INT, name,  \
                value, help)
#define MLIRPLUG_UINTS(structure, field, name, value, help)                    \
  MLIRPLUG_LIST(structure, field, mlirplug_uint_list, MLIRPLUG_KIND_UINT,      \
                name, value, help)
#define MLIRPLUG_DOUBLES(structure, field, name, value, help)                  \
  MLIRPLUG_LIST(structure, field, mlirplug_double_list, MLIRPLUG_KIND_DOUBLE,  \
                name, value, help)
#define MLIRPLUG_STRINGS(structure, field, name, value, help)                  \
  MLIRPLUG_LIST(structure, field, mlirplug_string_list, MLIRPLUG_KIND_STRING,  \
                name, value, help)
#define MLIRPLUG_ENUMS(structure, field, name, list, value, help)              \
  {MLIRPLUG_OPTION(structure, field, mlirplug_int_list,                        \
                   MLIRPLUG_KIND_ENUM | MLIRPLUG_KIND_LIST, name, help),       \
   .choices = (list), .default_text = (value)}

/// The plugin: its id, its version, and the addresses of its passes. Once per
/// plugin, in one source file. The exported symbol is an alias of a static
/// object, so that two plugins in one process never see each other's.
#define MLIRPLUG_PLUGIN(plugin_id, plugin_version, ...)                        \
  static const mlirplug_pass *const mlirplug_own_passes[] = {__VA_ARGS__};     \
  static const mlirplug_descriptor mlirplug_own_descriptor                     \
      __attribute__((used)) = {                                                \
          .magic = MLIRPLUG_MAGIC,                                             \
          .size = sizeof(mlirplug_descriptor),                                 \
          .abi_major = MLIRPLUG_ABI_MAJOR,                                     \
          .abi_minor = MLIRPLUG_TARGET_MINOR,                                  \
          .id = (plugin_id),                                                   \
          .version = (plugin_version),                                         \
          .sdk = MLIRPLUG_SDK_VERSION,                                         \
          .passes = mlirplug_own_passes,                                       \
          .pass_count = MLIRPLUG_COUNT(mlirplug_own_passes),                   \
          .imports_begin = __start_mlirplug_imports,                           \
          .imports_end = __stop_mlirplug_imports,                              \
  };                                                                           \
  MLIRPLUG_STOCK_ENTRY(mlirplug_own_descriptor, plugin_id, plugin_version)     \
  extern                                                                       \
      __attribute__((alias("mlirplug_own_descriptor"), visibility("default"))) \
      const mlirplug_descriptor mlirplug_plugin

#endif // __cplusplus
#endif // MLIRPLUG_PLUGIN_H
