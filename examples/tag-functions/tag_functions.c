// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tag-functions: an attribute for every function.

#include <mlirplug/ir/BuiltinAttributes.h>
#include <mlirplug/plugin.h>

struct options {
  const char *attribute;
};

static const mlirplug_option options[] = {
    MLIRPLUG_STRING(struct options, attribute, "attribute", "tagged",
                    "Name of the attribute"),
};

static mlirplug_status run(const mlirplug_run *run, MlirOperation function) {
  const struct options *chosen = run->options;
  if (!*chosen->attribute)
    return mlirplug_fail(run, mlirOperationGetLocation(function),
                         "tag-functions: the attribute needs a name");
  mlirOperationSetAttributeByName(
      function, mlirStringRefCreateFromCString(chosen->attribute),
      mlirUnitAttrGet(mlirOperationGetContext(function)));
  return MLIRPLUG_OK;
}

static const mlirplug_pass tag_functions = {
    MLIRPLUG_PASS("tag-functions", "Put an attribute on every function"),
    .anchor = "func.func",
    MLIRPLUG_OPTIONS(struct options, options),
    .run = run,
};

MLIRPLUG_PLUGIN("org.example.tag-functions", "1.0.0", &tag_functions);
