// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library says of itself. The build gives the version, so that it
// stands in one place (CMakeLists.txt).

#include <mlirplug/host.h>

const char *mlirplug_version(void) { return MLIRPLUG_VERSION; }
