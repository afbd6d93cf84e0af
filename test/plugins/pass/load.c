// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built in several ways, each with another reason to be refused or not. Its
// constructor makes the file that MLIRPLUG_TEST_MARKER names.
//
//   NEEDS_LATER    uses a function that came after MLIR 22
//   NEEDS_UNKNOWN  uses a function that no MLIR has
//   NEEDS_SERVICE  uses a function that mlirplug does not have
//   OPTIONAL       can do without, and calls them all the same
//   UNDEFINED      refers to a symbol that nobody defines

#include <mlirplug/plugin.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void mark(void) {
  const char *path = getenv("MLIRPLUG_TEST_MARKER");
  int descriptor = path ? open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600) : -1;
  if (descriptor >= 0)
    close(descriptor);
}

MLIRPLUG_PROCEDURE(mlirDynamicOpTraitDestroy, (void *trait), (trait))
MLIRPLUG_FUNCTION(MlirType, mlirNowhereTypeGet, (MlirContext context),
                  (context))
MLIRPLUG_FUNCTION(bool, mlirNowhereIsA, (MlirOperation op), (op))
MLIRPLUG_FUNCTION(MlirStringRef, mlirNowhereGetName, (MlirOperation op), (op))
MLIRPLUG_PROCEDURE(mlirNowhereSet, (MlirOperation op), (op))
MLIRPLUG_PROCEDURE(mlirplug_from_the_future, (const mlirplug_run *run), (run))

#ifdef UNDEFINED
void nobody_defines_this(void);
#endif

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  (void)run;
  (void)root;
#if defined NEEDS_LATER
  mlirDynamicOpTraitDestroy(NULL);
#elif defined NEEDS_UNKNOWN
  mlirNowhereSet(root);
#elif defined NEEDS_SERVICE
  mlirplug_from_the_future(run);
#elif defined UNDEFINED
  nobody_defines_this();
#endif
  return MLIRPLUG_OK;
}

static const mlirplug_pass load_pass = {
    MLIRPLUG_PASS("load", "Is loaded, or not"),
    .run = run,
};

#ifdef OPTIONAL

static mlirplug_status ask(const mlirplug_run *run, MlirOperation root) {
  if (MLIRPLUG_HAS(mlirDynamicOpTraitDestroy) ||
      MLIRPLUG_HAS(mlirNowhereTypeGet) || MLIRPLUG_HAS(mlirNowhereIsA) ||
      MLIRPLUG_HAS(mlirNowhereGetName) || MLIRPLUG_HAS(mlirNowhereSet))
    return mlirplug_fail(run, mlirOperationGetLocation(root),
                         "the host says that it has what it has not");
  if (!MLIRPLUG_HAS(mlirOperationGetName))
    return mlirplug_fail(run, mlirOperationGetLocation(root),
                         "the host says that it has not what it has");
  return MLIRPLUG_OK;
}

static const mlirplug_pass ask_pass = {
    MLIRPLUG_PASS("ask", "Asks and does not call"),
    .run = ask,
};

struct call_options {
  int64_t which;
};

static const mlirplug_option call_options[] = {
    MLIRPLUG_ENUM(struct call_options, which, "which",
                  "later,type,bool,string,procedure", 0, "What to call"),
};

/// Calls what is not there; says so if the result is not zero.
static mlirplug_status call(const mlirplug_run *run, MlirOperation root) {
  MlirStringRef name = {0, 0};
  bool zero = true;
  switch (((const struct call_options *)run->options)->which) {
  case 0:
    mlirDynamicOpTraitDestroy(NULL);
    break;
  case 1:
    zero = !mlirNowhereTypeGet(mlirOperationGetContext(root)).ptr;
    break;
  case 2:
    zero = !mlirNowhereIsA(root);
    break;
  case 3:
    name = mlirNowhereGetName(root);
    zero = !name.data && !name.length;
    break;
  default:
    mlirNowhereSet(root);
  }
  if (!zero)
    return mlirplug_fail(run, mlirOperationGetLocation(root), "not zero");
  return MLIRPLUG_OK;
}

static const mlirplug_pass call_pass = {
    MLIRPLUG_PASS("call", "Calls without asking"),
    MLIRPLUG_OPTIONS(struct call_options, call_options),
    .run = call,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.load", "1.0.0", &load_pass, &ask_pass,
                &call_pass);

#else

MLIRPLUG_PLUGIN("org.mlirplug.test.load", "1.0.0", &load_pass);

#endif
