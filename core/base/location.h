// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the core itself is: what is installed with it lies beside it.

#ifndef MLIRPLUG_BASE_LOCATION_H
#define MLIRPLUG_BASE_LOCATION_H

/// The directory that the code of the core was loaded from (libmlirplug's, or
/// the program's that it is part of), without symbolic links and with a slash
/// at the end. Freed by the caller; null with errno set if it cannot be told.
char *location_of_core(void);

/// The directory of Python packages in which the core lies, as pip installs it:
/// in lib/ of the package mlirplug. Without a slash at the end. Freed by the
/// caller; null with errno set, ENOENT if it is installed otherwise.
char *location_of_package(void);

#endif // MLIRPLUG_BASE_LOCATION_H
