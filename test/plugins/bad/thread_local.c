// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of a plugin that wants more of the memory that each thread has from
// the start than the loader has left.

extern _Thread_local char large[1 << 20];
__attribute__((tls_model("initial-exec"))) _Thread_local char large[1 << 20];

char *large_address(void);
char *large_address(void) { return large; }
