// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Archives in a shared library (MLIRPLUG_PORTABLE). Those of the system are
// compiled for programs; what a library cannot have in that form is here
// instead.

#include <libelf.h>

#include <stdio.h>

// jansson compares the streams that it is given, none here, with this one.

#undef stdin
__attribute__((visibility("hidden"))) FILE *stdin = NULL;

// libelf keeps its last error in storage of threads that only programs have.

// NOLINTBEGIN(bugprone-reserved-identifier): the name is libelf's.
void __libelf_seterrno(int error) __attribute__((visibility("hidden")));

static _Thread_local struct {
  int number;
  char text[32];
} error_last;

void __libelf_seterrno(int error) { error_last.number = error; }
// NOLINTEND(bugprone-reserved-identifier)

__attribute__((visibility("hidden"))) int elf_errno(void) {
  int error = error_last.number;
  error_last.number = 0;
  return error;
}

/// Zero asks for the last error if there is one, -1 for it in any case.
__attribute__((visibility("hidden"))) const char *elf_errmsg(int error) {
  int number = error > 0 ? error : error_last.number;
  if (error == 0 && number == 0)
    return NULL;
  snprintf(error_last.text, sizeof error_last.text, "error %d of libelf",
           number);
  return error_last.text;
}
