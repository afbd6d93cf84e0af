// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that test/cases name, which do next to nothing: what matters is
// where they stand.

#include <mlirplug/ir.h>
#include <mlirplug/plugin.h>

struct histogram_options {
  int64_t top;
  const char *out;
};

static const mlirplug_option histogram_options[] = {
    MLIRPLUG_INT(struct histogram_options, top, "top", 0, "How many"),
    MLIRPLUG_STRING(struct histogram_options, out, "out", NULL, "Where to"),
};

static mlirplug_status nothing_run(const mlirplug_run *run,
                                   MlirOperation root) {
  (void)run;
  (void)root;
  return MLIRPLUG_OK;
}

static const mlirplug_pass histogram = {
    MLIRPLUG_PASS("demo-hist", "Runs on a module"),
    .anchor = "builtin.module",
    MLIRPLUG_OPTIONS(struct histogram_options, histogram_options),
    .run = nothing_run,
};

struct tag_options {
  const char *name;
};

static const mlirplug_option tag_options[] = {
    MLIRPLUG_STRING(struct tag_options, name, "name", "tagged",
                    "The attribute"),
};

static const mlirplug_statistic tag_statistics[] = {
    {.name = "tagged", .help = "Operations that were tagged"},
};

static mlirplug_status tag_run(const mlirplug_run *run, MlirOperation root) {
  const struct tag_options *options = run->options;
  MlirContext context = mlirOperationGetContext(root);
  MlirStringRef name = {options->name, __builtin_strlen(options->name)};
  mlirOperationSetAttributeByName(root, name, mlirUnitAttrGet(context));
  mlirplug_statistic_add(run, 0, 1);
  return MLIRPLUG_OK;
}

static const mlirplug_pass tag = {
    MLIRPLUG_PASS("demo-tag", "Gives a function an attribute"),
    .anchor = "func.func",
    MLIRPLUG_OPTIONS(struct tag_options, tag_options),
    MLIRPLUG_STATISTICS(tag_statistics),
    .run = tag_run,
};

static const mlirplug_pass tag_symbols = {
    MLIRPLUG_PASS("demo-tag-symbols", "Gives symbols an attribute"),
    .anchor = "@symbol",
    MLIRPLUG_OPTIONS(struct tag_options, tag_options),
    MLIRPLUG_STATISTICS(tag_statistics),
    .run = tag_run,
};

static const mlirplug_pass tag_any_function = {
    MLIRPLUG_PASS("demo-tag-functions", "Gives functions an attribute"),
    .anchor = "@function",
    MLIRPLUG_OPTIONS(struct tag_options, tag_options),
    MLIRPLUG_STATISTICS(tag_statistics),
    .run = tag_run,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.demo", "1.0.0", &histogram, &tag,
                &tag_symbols, &tag_any_function);
