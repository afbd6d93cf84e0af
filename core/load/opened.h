// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of other languages, which a host plugin opens.

#ifndef MLIRPLUG_LOAD_OPENED_H
#define MLIRPLUG_LOAD_OPENED_H

#include "load/image.h"

/// Has the host plugin `by`, which is described by `description`, open `file`,
/// or finds what it made of this very file before. `services` is what the host
/// plugin is given. Runs what is in the file. Any thread, without locks.
mlirplug_status opened_load(const struct plugin *by,
                            const struct service *services,
                            const struct file *file,
                            const struct image **opened,
                            mlirplug_error **error);

#endif // MLIRPLUG_LOAD_OPENED_H
