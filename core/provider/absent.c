// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/absent.h"

#include "base/intern.h"
#include "provider/ledger.h"

#include <mlirplug/ir.h>
#include <mlirplug/ir/Rewrite.h>

#include <pthread.h>
#include <string.h>

_Thread_local const char *absent_called;

/// What a function returns whose signature is not known.
struct pair {
  uint64_t first;
  uint64_t second;
};

// One stub a function, so that each has exactly the signature it is called
// with.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define LEDGER_FUNCTION(result, name, parameters, seen)                        \
  static result stub_##name parameters {                                       \
    absent_called = #name;                                                     \
    result nothing;                                                            \
    memset(&nothing, 0, sizeof nothing);                                       \
    return nothing;                                                            \
  }
#define LEDGER_PROCEDURE(name, parameters, seen)                               \
  static void stub_##name parameters { absent_called = #name; }
#define LEDGER_NAME(name, seen)                                                \
  static struct pair stub_##name(void) {                                       \
    absent_called = #name;                                                     \
    return (struct pair){0, 0};                                                \
  }
#include "provider/ledger.inc"
#pragma GCC diagnostic pop

static void (*const stubs[])(void) = {
#define LEDGER_FUNCTION(result, name, parameters, seen)                        \
  (void (*)(void)) stub_##name,
#define LEDGER_PROCEDURE(name, parameters, seen) (void (*)(void)) stub_##name,
#define LEDGER_NAME(name, seen) (void (*)(void)) stub_##name,
#include "provider/ledger.inc"
};

const char *absent_seen(const char *name) {
  const struct ledger_entry *entry = ledger_find(name);
  return entry ? entry->seen : NULL;
}

//===----------------------------------------------------------------------===//
// Functions that the ledger does not know
//===----------------------------------------------------------------------===//

// A stub gets no argument that says what it stands for, so there is one for
// each name; as many as are likely to be wanted in one process.
// clang-format off
#define UNKNOWN_STUBS(X) \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) \
  X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) \
  X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) \
  X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
// clang-format on
#define UNKNOWN_AT_MOST 32

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *unknown_names[UNKNOWN_AT_MOST]; // interned

#define UNKNOWN_STUB(number)                                                   \
  static struct pair stub_unknown_##number(void) {                             \
    absent_called = unknown_names[number];                                     \
    return (struct pair){0, 0};                                                \
  }
UNKNOWN_STUBS(UNKNOWN_STUB)

static struct pair stub_nameless(void) {
  absent_called = "a function that this mlirplug does not know";
  return (struct pair){0, 0};
}

static void (*unknown_stub(const char *name))(void) {
#define UNKNOWN_ADDRESS(number) (void (*)(void)) stub_unknown_##number,
  static void (*const unknown[])(void) = {UNKNOWN_STUBS(UNKNOWN_ADDRESS)};
  void (*stub)(void) = (void (*)(void))stub_nameless;
  const char *interned = intern(name);
  pthread_mutex_lock(&lock);
  for (size_t i = 0; interned && i < UNKNOWN_AT_MOST; ++i) {
    if (unknown_names[i] && unknown_names[i] != interned)
      continue;
    unknown_names[i] = interned;
    stub = unknown[i];
    break;
  }
  pthread_mutex_unlock(&lock);
  return stub;
}

void (*absent_stub(const char *name))(void) {
  const struct ledger_entry *entry = ledger_find(name);
  return entry ? stubs[entry - ledger_entries] : unknown_stub(name);
}
