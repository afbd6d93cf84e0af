// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that end the process.

#include <mlirplug/plugin.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static mlirplug_status fault(const mlirplug_run *run, MlirOperation root) {
  (void)run, (void)root;
  volatile char *page =
      mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *page = 0;
  return MLIRPLUG_OK;
}

static mlirplug_status give_up(const mlirplug_run *run, MlirOperation root) {
  (void)run, (void)root;
  abort();
}

static mlirplug_status send(const mlirplug_run *run, MlirOperation root) {
  (void)run, (void)root;
  (void)kill(getpid(), SIGBUS);
  return MLIRPLUG_OK;
}

/// Each call needs a kilobyte of the stack.
static int depth_reach(int depth) {
  volatile char frame[1024];
  frame[depth % 1024] = 1;
  return depth ? depth_reach(depth - 1) + frame[depth % 1024] : 0;
}

static mlirplug_status overflow(const mlirplug_run *run, MlirOperation root) {
  (void)run, (void)root;
  return depth_reach(1 << 30) ? MLIRPLUG_OK : MLIRPLUG_FAILED;
}

static const mlirplug_pass crash_fault = {
    MLIRPLUG_PASS("crash-fault", "Writes where it must not"), .run = fault};
static const mlirplug_pass crash_abort = {
    MLIRPLUG_PASS("crash-abort", "Gives up"), .run = give_up};
static const mlirplug_pass crash_send = {
    MLIRPLUG_PASS("crash-send", "Sends itself a signal"), .run = send};
static const mlirplug_pass crash_overflow = {
    MLIRPLUG_PASS("crash-overflow", "Needs more stack than there is"),
    .run = overflow};

MLIRPLUG_PLUGIN("org.mlirplug.test.crash", "1.0.0", &crash_fault, &crash_abort,
                &crash_send, &crash_overflow);
