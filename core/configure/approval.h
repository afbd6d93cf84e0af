// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which configuration files the user has approved: by their path and their
// text, so that a change has to be looked at again. The files that they name
// are not part of this; whose those are, trust checks (find/trust.h).

#ifndef MLIRPLUG_CONFIGURE_APPROVAL_H
#define MLIRPLUG_CONFIGURE_APPROVAL_H

#include "configure/configuration.h"

enum approval {
  APPROVAL_NONE,
  APPROVAL_CHANGED, ///< Of another text than the file now has.
  APPROVAL_CURRENT,
};

/// What is recorded for the file at `path`, which is absolute and without
/// symbolic links. Fails if the record cannot be used. Reads the environment.
mlirplug_status approval_find(const char *path,
                              const struct configuration_checksum *checksum,
                              enum approval *approval, mlirplug_error **error);

/// Records it, in the place of an earlier approval.
mlirplug_status approval_add(const char *path,
                             const struct configuration_checksum *checksum,
                             mlirplug_error **error);

/// Takes back the approval of the first of `paths`, a list that null ends, that
/// has one. `*found` says whether there was one.
mlirplug_status approval_remove(const char *const *paths, bool *found,
                                mlirplug_error **error);

/// Tells of each, in the order of their paths.
mlirplug_status approval_list(void (*tell)(const char *path,
                                           const char *checksum,
                                           void *user_data),
                              void *user_data, mlirplug_error **error);

/// The checksum as the record has it.
struct approval_digits {
  char text[2 * sizeof(struct configuration_checksum) + 1];
};
struct approval_digits
approval_digits_of(const struct configuration_checksum *checksum);

#endif // MLIRPLUG_CONFIGURE_APPROVAL_H
