// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program, and what it is on the way there.

int main(void) { return 0; }
