// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linalg-survey: one record per kernel about its structured operations.

#include "linalg_op.h"

#include <mlirplug/ir/BuiltinAttributes.h>

struct options {
  bool generalize;
};

static const mlirplug_option options[] = {
    MLIRPLUG_BOOL(
        struct options, generalize, "generalize", false,
        "Count named operations (linalg.matmul) as the linalg.generic "
        "they stand for"),
};

enum name { GENERIC, MODULE };
static const char *const names[] = {
    [GENERIC] = "linalg.generic",
    [MODULE] = "builtin.module",
};

/// What is known of one kernel so far.
struct survey {
  const mlirplug_run *run;
  bool generalize;
  uint64_t ops;
  uint64_t generics;
  uint64_t reduction_generics;
  uint64_t non_identity_input_maps;
  mlirplug_json functions; ///< Elements of the array of names.
  mlirplug_json details;   ///< Elements of the array of operations.
};

/// The function around the operations being looked at.
struct function {
  MlirStringRef name; ///< Null outside of functions.
  bool has_reduction; ///< It is among the survey's already.
};

/// Counts one structured operation.
static void survey_generic(struct survey *survey, MlirOperation op,
                           const struct linalg_op *generic,
                           struct function *function) {
  ++survey->generics;
  survey->non_identity_input_maps +=
      (uint64_t)linalg_op_non_identity_inputs(generic);
  if (linalg_op_has_reduction(survey->run, generic)) {
    ++survey->reduction_generics;
    if (function->name.data && !function->has_reduction)
      mlirplug_json_string(&survey->functions, function->name);
    function->has_reduction = true;
  }
  mlirplug_json *details = &survey->details;
  mlirplug_json_begin_object(details);
  mlirplug_json_key(details, mlirplug_json_view("op"));
  mlirplug_json_string(details, mlirIdentifierStr(mlirOperationGetName(op)));
  if (function->name.data) {
    mlirplug_json_key(details, mlirplug_json_view("function"));
    mlirplug_json_string(details, function->name);
  }
  linalg_op_write(generic, details);
  mlirplug_json_end_object(details);
}

/// True when `op` is a symbol other than a module, so a function of some kind;
/// `function` is then that.
static bool function_open(const struct survey *survey, MlirOperation op,
                          struct function *function) {
  if (mlirplug_op_is(survey->run, op, MODULE))
    return false;
  MlirAttribute symbol =
      mlirOperationGetAttributeByName(op, mlirplug_json_view("sym_name"));
  if (mlirAttributeIsNull(symbol) || !mlirAttributeIsAString(symbol))
    return false;
  function->name = mlirStringAttrGetValue(symbol);
  return true;
}

/// Looks at `op` and everything in it.
static void survey_op(struct survey *survey, MlirOperation op,
                      struct function *around) {
  ++survey->ops;
  struct linalg_op generic;
  if (mlirplug_op_is(survey->run, op, GENERIC)) {
    generic = linalg_op_read_generic(op);
    survey_generic(survey, op, &generic, around);
  } else if (survey->generalize && linalg_op_read_named(op, &generic)) {
    survey_generic(survey, op, &generic, around);
  }
  MlirRegion region = mlirOperationGetFirstRegion(op);
  if (mlirRegionIsNull(region))
    return;
  struct function own = {0};
  struct function *function = function_open(survey, op, &own) ? &own : around;
  for (; !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region);
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(inner);
           inner = mlirOperationGetNextInBlock(inner))
        survey_op(survey, inner, function);
}

static void write_count(mlirplug_json *json, const char *key, uint64_t value) {
  mlirplug_json_key(json, mlirplug_json_view(key));
  mlirplug_json_unsigned(json, value);
}

/// Adds an array whose elements are in a text of their own.
static void write_elements(mlirplug_json *json, const char *key,
                           const mlirplug_json *elements) {
  mlirplug_json_key(json, mlirplug_json_view(key));
  mlirplug_json_begin_array(json);
  mlirplug_json_raw(json, mlirplug_json_text(elements));
  mlirplug_json_end_array(json);
  json->failed |= elements->failed;
}

static mlirplug_status run_survey(const mlirplug_run *run, MlirOperation root) {
  const struct options *chosen = run->options;
  MlirLocation location = mlirOperationGetLocation(root);
  if (chosen->generalize && !linalg_op_can_read_named())
    return mlirplug_fail(run, location,
                         "linalg-survey: generalize=true needs "
                         "mlirLinalgGetIndexingMapsAttribute, which this MLIR "
                         "does not have; run linalg-generalize-named-ops "
                         "before linalg-survey instead");
  struct survey survey = {
      .run = run,
      .generalize = chosen->generalize,
      .functions = mlirplug_json_create(run),
      .details = mlirplug_json_create(run),
  };
  struct function none = {0};
  survey_op(&survey, root, &none);
  mlirplug_json json = mlirplug_json_create(run);
  mlirplug_json_begin_object(&json);
  write_count(&json, "ops", survey.ops);
  write_count(&json, "generics", survey.generics);
  write_count(&json, "reduction_generics", survey.reduction_generics);
  write_count(&json, "non_identity_input_maps", survey.non_identity_input_maps);
  write_elements(&json, "functions_with_reduction", &survey.functions);
  write_elements(&json, "generic_ops", &survey.details);
  mlirplug_json_end_object(&json);
  if (json.failed)
    return mlirplug_fail(run, location, "linalg-survey: out of memory");
  return mlirplug_json_record(&json);
}

static const mlirplug_pass linalg_survey = {
    MLIRPLUG_PASS("linalg-survey",
                  "Write a record about the linalg operations of a kernel"),
    .description =
        "Writes one record for the operation that the pass runs on: how many "
        "operations (\"ops\", itself included) and linalg.generic operations "
        "(\"generics\") it has, how many of these have a reduction loop "
        "(\"reduction_generics\"), how many of their inputs are not read in "
        "the order of the loops (\"non_identity_input_maps\"), the functions "
        "with a reduction (\"functions_with_reduction\"), and the loops and "
        "maps of each (\"generic_ops\").",
    MLIRPLUG_OPTIONS(struct options, options),
    MLIRPLUG_NAMES(names),
    .run = run_survey,
};

MLIRPLUG_PLUGIN("org.mlirplug.linalg-survey", MLIRPLUG_SDK_VERSION,
                &linalg_survey);
