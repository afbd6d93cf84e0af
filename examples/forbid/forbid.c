// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// forbid: an error for every operation that carries an attribute.

#include <mlirplug/plugin.h>

struct options {
  const char *attribute;
};

static const mlirplug_option options[] = {
    MLIRPLUG_STRING(struct options, attribute, "attribute", "forbidden",
                    "The attribute that marks an operation"),
};

/// What the walk needs to know, and finds out.
struct search {
  const mlirplug_run *run;
  MlirStringRef attribute;
  bool found;
};

static MlirWalkResult visit(MlirOperation op, void *user_data) {
  struct search *search = user_data;
  MlirAttribute mark = mlirOperationGetAttributeByName(op, search->attribute);
  if (!mlirAttributeIsNull(mark)) {
    search->found = true;
    mlirplug_emit(search->run, MlirDiagnosticError,
                  mlirOperationGetLocation(op),
                  "operation is marked forbidden");
  }
  return MlirWalkResultAdvance;
}

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  const struct options *chosen = run->options;
  struct search search = {
      .run = run,
      .attribute = mlirStringRefCreateFromCString(chosen->attribute),
  };
  mlirOperationWalk(root, visit, &search, MlirWalkPreOrder);
  return search.found ? MLIRPLUG_FAILED : MLIRPLUG_OK;
}

static const mlirplug_pass forbid = {
    MLIRPLUG_PASS("forbid", "Refuse operations that carry an attribute"),
    MLIRPLUG_OPTIONS(struct options, options),
    .run = run,
};

MLIRPLUG_PLUGIN("org.example.forbid", "1.0.0", &forbid);
