// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that no process survives opening.

#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void end(void) { END; }
