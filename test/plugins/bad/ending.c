// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that does something when it is opened, most of which no process
// survives.

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void end(void) { END; }
