// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pass of MLIR was meant by a name that no pass has.

#ifndef MLIRPLUG_CLI_MISSPELLED_H
#define MLIRPLUG_CLI_MISSPELLED_H

/// A pass whose name differs by one letter: too many, too few, another, or two
/// swapped. To be freed; null if there is none or MLIR cannot be asked.
char *misspelled_pass(const char *name);

#endif // MLIRPLUG_CLI_MISSPELLED_H
