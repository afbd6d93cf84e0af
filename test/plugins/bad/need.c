// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of a plugin that uses a symbol of a library.

extern char needed_symbol[];
__attribute__((used)) static char *const keep = needed_symbol;
