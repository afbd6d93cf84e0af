// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on functions that end or hold up the process, in functions whose name
// begins with "bad" only; and some that do no harm.

#include <mlirplug/ir.h>
#include <mlirplug/plugin.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum fault {
  SEGMENT,
  ABORT,
  EXIT,
  EXIT_AT_ONCE,
  KILL,
  MEMORY,
  HANG,
  SLOW,
  SCRIBBLE,
  LEAVE_CHILD,
  OVERFLOW,
  FATAL,
  EXIT_ASIDE,
  EXIT_QUICKLY,
  EXIT_CHILD,
};

struct options {
  int64_t kind;
};

static const mlirplug_option options[] = {MLIRPLUG_ENUM(
    struct options, kind, "kind",
    "segment,abort,exit,exit-at-once,kill,memory,hang,slow,scribble,"
    "leave-child,overflow,fatal,exit-aside,exit-quickly,exit-child",
    SEGMENT, "What happens")};

static void pause_for(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  (void)nanosleep(&time, NULL);
}

/// Each call needs a kilobyte of the stack.
static int depth_reach(int depth) {
  volatile char frame[1024];
  frame[depth % 1024] = 1;
  return depth ? depth_reach(depth - 1) + frame[depth % 1024] : 0;
}

/// Takes what there is and uses it, as one does who never looks.
static void memory_use(void) {
  for (size_t i = 0; i < 1 << 20; ++i) {
    volatile char *bytes = malloc(1 << 24);
    bytes[0] = 1;
  }
}

static mlirplug_status slowly(const mlirplug_run *run) {
  for (int i = 0; i < 1000; ++i) {
    if (mlirplug_is_cancelled(run))
      return MLIRPLUG_FAILED;
    pause_for(10);
  }
  return MLIRPLUG_OK;
}

static void ignore(void *user_data) { (void)user_data; }

static void *same(void *user_data) { return user_data; }

static void do_nothing(MlirOperation root, MlirExternalPass pass,
                       void *user_data) {
  (void)root, (void)pass, (void)user_data;
}

/// A pass on functions in a manager of modules is one of the mistakes from
/// which MLIR knows no way on.
static mlirplug_status fatally(MlirOperation root) {
  static const uint64_t identity;
  const MlirExternalPassCallbacks callbacks = {.construct = ignore,
                                               .destruct = ignore,
                                               .clone = same,
                                               .run = do_nothing};
  MlirStringRef name = mlirStringRefCreateFromCString("lost");
  MlirPassManager manager = mlirPassManagerCreateOnOperation(
      mlirOperationGetContext(root),
      mlirStringRefCreateFromCString("builtin.module"));
  mlirPassManagerAddOwnedPass(
      manager,
      mlirCreateExternalPass(mlirTypeIDCreate(&identity), name, name, name,
                             mlirStringRefCreateFromCString("func.func"), 0,
                             NULL, callbacks, NULL));
  return MLIRPLUG_OK;
}

static void *thread_exit(void *user_data) {
  (void)user_data;
  exit(0);
}

/// In a thread that runs no pass.
static void exit_aside(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, thread_exit, NULL) == 0)
    (void)pthread_join(thread, NULL);
}

static mlirplug_status child_await(void) {
  int status = 1;
  pid_t child = fork();
  if (child == 0)
    exit(0);
  return waitpid(child, &status, 0) == child && status == 0 ? MLIRPLUG_OK
                                                            : MLIRPLUG_FAILED;
}

static mlirplug_status fault(const mlirplug_run *run, MlirOperation root) {
  const struct options *chosen = run->options;
  switch ((enum fault)chosen->kind) {
  case SEGMENT: {
    volatile char *page =
        mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *page = 0;
    break;
  }
  case ABORT:
    abort();
  case EXIT:
    exit(3);
  case EXIT_AT_ONCE:
    _exit(0);
  case KILL:
    (void)kill(getpid(), SIGKILL);
    break;
  case MEMORY:
    memory_use();
    break;
  case HANG:
    while (true)
      pause_for(1000);
  case SLOW:
    return slowly(run);
  case SCRIBBLE:
    for (int i = 3; i < 10; ++i)
      if (write(i, "garbage garbage garbage", 23) < 0)
        continue;
    pause_for(5000);
    break;
  case LEAVE_CHILD:
    if (fork() == 0)
      while (true)
        pause_for(1000);
    break;
  case OVERFLOW:
    return depth_reach(1 << 30) ? MLIRPLUG_OK : MLIRPLUG_FAILED;
  case FATAL:
    return fatally(root);
  case EXIT_ASIDE:
    exit_aside();
    break;
  case EXIT_QUICKLY:
    quick_exit(0);
  case EXIT_CHILD:
    return child_await();
  }
  return MLIRPLUG_OK;
}

static bool is_bad(MlirOperation root) {
  MlirAttribute name = mlirOperationGetAttributeByName(
      root, mlirStringRefCreateFromCString("sym_name"));
  if (mlirAttributeIsNull(name))
    return false;
  MlirStringRef text = mlirStringAttrGetValue(name);
  return text.length >= 3 && memcmp(text.data, "bad", 3) == 0;
}

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  return is_bad(root) ? fault(run, root) : MLIRPLUG_OK;
}

static const mlirplug_pass fault_pass = {
    MLIRPLUG_PASS("fault", "Ends the process in functions called bad…"),
    .anchor = "func.func", MLIRPLUG_OPTIONS(struct options, options),
    .run = run};

static mlirplug_status crash_early(const mlirplug_run *run,
                                   MlirContext context) {
  (void)run, (void)context;
  abort();
}

static mlirplug_status nothing(const mlirplug_run *run, MlirOperation root) {
  (void)run, (void)root;
  return MLIRPLUG_OK;
}

static const mlirplug_pass fault_initialize = {
    MLIRPLUG_PASS("fault-initialize", "Gives up before it begins"),
    .initialize = crash_early, .run = nothing};

/// Counts, writes, warns with a note, and marks.
static const mlirplug_statistic statistics[] = {
    {.name = "functions", .help = "Functions seen"}};

static mlirplug_status tell(const mlirplug_run *run, MlirOperation root) {
  MlirLocation location = mlirOperationGetLocation(root);
  mlirplug_statistic_add(run, 0, 1);
  mlirplug_record_write(run, mlirStringRefCreateFromCString("{\"n\": 1}"));
  mlirplug_emit(run, MlirDiagnosticWarning, location, "seen");
  mlirplug_emit(run, MlirDiagnosticNote, location, "by fault-tell");
  mlirOperationSetAttributeByName(
      root, mlirStringRefCreateFromCString("seen"),
      mlirUnitAttrGet(mlirOperationGetContext(root)));
  return is_bad(root) ? mlirplug_fail(run, location, "this is bad")
                      : MLIRPLUG_OK;
}

static const mlirplug_pass fault_tell = {
    MLIRPLUG_PASS("fault-tell", "Says what it sees"), .anchor = "func.func",
    MLIRPLUG_STATISTICS(statistics), .run = tell};

MLIRPLUG_PLUGIN("org.mlirplug.test.fault", "1.2.0", &fault_pass,
                &fault_initialize, &fault_tell);
