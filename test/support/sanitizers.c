// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What AddressSanitizer and LeakSanitizer ask the test programs. Where there
// are none, nobody asks.

#include <stdlib.h>

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the sanitizers'.

#define ASKED __attribute__((visibility("default")))

/// Criterion judges crashes by their signals, so the sanitizer must not take
/// them, and has to end by one itself: of leaks, which are found when a test
/// has passed already, Criterion takes no other notice.
ASKED const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "handle_segv=0:handle_abort=0:abort_on_error=1:"
         "detect_stack_use_after_return=1";
}

/// Each test has a process of its own, in which all is looked at. The process
/// that starts them runs Criterion's code only, which now and then leaves
/// something behind.
ASKED int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
  return getenv("BXFI_MAP") == NULL; // how Criterion's children know
}

// NOLINTEND(bugprone-reserved-identifier)
