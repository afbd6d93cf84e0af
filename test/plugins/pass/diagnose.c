// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that fail, and passes that only talk.

#include <mlirplug/ir.h>
#include <mlirplug/plugin.h>
#include <stdlib.h>

static mlirplug_status succeed(const mlirplug_run *run, MlirOperation root) {
  (void)run;
  (void)root;
  return MLIRPLUG_OK;
}

static mlirplug_status refuse(const mlirplug_run *run, MlirContext context) {
  (void)run;
  (void)context;
  return MLIRPLUG_FAILED;
}

static const mlirplug_pass fail_initialize = {
    MLIRPLUG_PASS("fail-initialize", "Cannot be initialized"),
    .initialize = refuse,
    .run = succeed,
};

static mlirplug_status fail(const mlirplug_run *run, MlirOperation root) {
  (void)run;
  (void)root;
  return MLIRPLUG_FAILED;
}

static const mlirplug_pass fail_silently = {
    MLIRPLUG_PASS("fail-silently", "Fails and does not say why"),
    .run = fail,
};

static mlirplug_status fail_at_end(const mlirplug_run *run) {
  (void)run;
  return MLIRPLUG_FAILED;
}

static const mlirplug_pass fail_finish = {
    MLIRPLUG_PASS("fail-finish", "Fails at the end of the run"),
    .run = succeed,
    .finish = fail_at_end,
};

static mlirplug_status complain(const mlirplug_run *run, MlirOperation root) {
  (void)run;
  mlirEmitError(mlirOperationGetLocation(root), "complains");
  return MLIRPLUG_OK;
}

static const mlirplug_pass mlir_error = {
    MLIRPLUG_PASS("mlir-error", "Reports an error to MLIR, and success"),
    .run = complain,
};

static mlirplug_status complain_by_lookup(const mlirplug_run *run,
                                          MlirOperation root) {
  void (*emit)(MlirLocation, const char *) =
      (void (*)(MlirLocation, const char *))mlirplug_lookup(run,
                                                            "mlirEmitError");
  emit(mlirOperationGetLocation(root), "complains by another way");
  return MLIRPLUG_OK;
}

static const mlirplug_pass lookup_error = {
    MLIRPLUG_PASS("lookup-error", "The same with a function it looked up"),
    .run = complain_by_lookup,
};

struct severity_options {
  int64_t severity;
};

static const mlirplug_option severity_options[] = {
    MLIRPLUG_INT(struct severity_options, severity, "severity", 0,
                 "0 error, 1 warning, 2 note, 3 remark"),
};

static mlirplug_status talk(const mlirplug_run *run, MlirOperation root) {
  const struct severity_options *options = run->options;
  MlirDiagnosticSeverity severity = (MlirDiagnosticSeverity)options->severity;
  mlirplug_emit(run, severity, mlirOperationGetLocation(root), "%s %d%%",
                "says", 100);
  return MLIRPLUG_OK;
}

static const mlirplug_pass say = {
    MLIRPLUG_PASS("say", "Emits a diagnostic, and reports success"),
    MLIRPLUG_OPTIONS(struct severity_options, severity_options),
    .run = talk,
};

static mlirplug_status talk_anywhere(const mlirplug_run *run,
                                     MlirOperation root) {
  (void)root;
  mlirplug_emit(run, MlirDiagnosticWarning, (MlirLocation){NULL}, "%s",
                "while it runs");
  return MLIRPLUG_OK;
}

static mlirplug_status talk_at_end(const mlirplug_run *run) {
  mlirplug_emit(run, MlirDiagnosticWarning, (MlirLocation){NULL}, "%s",
                "at the end");
  return MLIRPLUG_OK;
}

static const mlirplug_pass say_somewhere = {
    MLIRPLUG_PASS("say-somewhere", "Emits diagnostics without a location"),
    .run = talk_anywhere,
    .finish = talk_at_end,
};

// The state is the context, so that the callbacks without a run can complain.
static void *context_room(const mlirplug_run *run) {
  (void)run;
  return calloc(1, sizeof(MlirContext));
}

static void *context_copy(const mlirplug_run *run) {
  MlirContext *copy = malloc(sizeof *copy);
  if (copy)
    *copy = *(const MlirContext *)run->state;
  return copy;
}

static void context_free(void *state) { free(state); }

static mlirplug_status context_keep(const mlirplug_run *run,
                                    MlirContext context) {
  *(MlirContext *)run->state = context;
  return MLIRPLUG_OK;
}

static void context_complain(void *state) {
  mlirEmitError(mlirLocationUnknownGet(*(MlirContext *)state),
                "cannot be reset");
}

static const mlirplug_pass fail_reset = {
    MLIRPLUG_PASS("fail-reset", "Complains when it is made ready again"),
    .create = context_room,
    .clone = context_copy,
    .destroy = context_free,
    .initialize = context_keep,
    .run = succeed,
    .reset = context_complain,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.diagnose", "1.0.0", &fail_initialize,
                &fail_silently, &fail_finish, &mlir_error, &lookup_error, &say,
                &say_somewhere, &fail_reset);
