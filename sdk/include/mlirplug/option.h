// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options and statistics of a pass, as data. Needs no type of MLIR, so that a
// host can use it beside MLIR's own headers. plugin.h includes this.

#ifndef MLIRPLUG_OPTION_H
#define MLIRPLUG_OPTION_H

#include <mlirplug/import.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a callback ended. Any value but MLIRPLUG_OK is a failure.
typedef int32_t mlirplug_status;
#ifdef __cplusplus
constexpr mlirplug_status MLIRPLUG_OK = 0;
constexpr mlirplug_status MLIRPLUG_FAILED = -1;
#else
#define MLIRPLUG_OK ((mlirplug_status)0)
#define MLIRPLUG_FAILED ((mlirplug_status) - 1)
#endif

//===----------------------------------------------------------------------===//
// Options
//
// A pass keeps its options in a structure of its own; the table of options says
// where each one lies in it. The loader reads the option text once, checks it
// before anything runs, and hands over the filled structure, which is constant
// and shared by all instances of one place in a pipeline.
//===----------------------------------------------------------------------===//

/// What an option holds, and the C type of its field. MLIRPLUG_KIND_LIST is
/// added for lists.
#define MLIRPLUG_KIND_BOOL 1u   // bool
#define MLIRPLUG_KIND_INT 2u    // int64_t
#define MLIRPLUG_KIND_UINT 3u   // uint64_t
#define MLIRPLUG_KIND_DOUBLE 4u // double
#define MLIRPLUG_KIND_STRING 5u // const char *, terminated by NUL
#define MLIRPLUG_KIND_ENUM 6u   // int64_t, the position among the choices
#define MLIRPLUG_KIND_LIST 16u

/// Fields of list options: `count` values, in the order they were written.
/// `values` may be null when there are none.
typedef struct mlirplug_bool_list {
  const bool *values;
  uint64_t count;
} mlirplug_bool_list;

typedef struct mlirplug_int_list { // enums too
  const int64_t *values;
  uint64_t count;
} mlirplug_int_list;

typedef struct mlirplug_uint_list {
  const uint64_t *values;
  uint64_t count;
} mlirplug_uint_list;

typedef struct mlirplug_double_list {
  const double *values;
  uint64_t count;
} mlirplug_double_list;

typedef struct mlirplug_string_list {
  const char *const *values;
  uint64_t count;
} mlirplug_string_list;

/// An option has a range (`minimum` and `maximum`, both allowed).
#define MLIRPLUG_OPTION_RANGE 1u

/// One option of a pass.
typedef struct mlirplug_option {
  const char *name; ///< As written in a pipeline; no space, '=', ',', brace.
  const char *help; ///< One line.
  uint32_t kind;    ///< MLIRPLUG_KIND_…
  uint32_t flags;   ///< MLIRPLUG_OPTION_…
  uint64_t offset;  ///< Of the field in the pass's structure, in bytes.
  /// Value when the text does not name the option: the number for bool, int,
  /// enum (position) and, reinterpreted, uint; `default_double` for double.
  int64_t default_integer;
  double default_double;
  /// The same for strings, and for lists as it would be written ("a,b").
  const char *default_text;
  const char *choices; ///< Enum: the values, separated by commas.
  /// Bounds, where MLIRPLUG_OPTION_RANGE is set; reinterpreted for uint.
  int64_t minimum;
  int64_t maximum;
  double minimum_double;
  double maximum_double;
} mlirplug_option;

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

/// A number that a pass counts, shown with the pass's statistics.
typedef struct mlirplug_statistic {
  const char *name;
  const char *help;
} mlirplug_statistic;

#ifdef __cplusplus
}
#endif

#endif // MLIRPLUG_OPTION_H
