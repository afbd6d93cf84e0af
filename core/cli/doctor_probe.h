// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening copies of MLIR that may be damaged: that runs code of theirs.

#ifndef MLIRPLUG_CLI_DOCTOR_PROBE_H
#define MLIRPLUG_CLI_DOCTOR_PROBE_H

#include "cli/doctor.h"

/// Opens `provider`; the error says why not. What the library prints goes
/// nowhere.
mlirplug_status doctor_provider_attach(struct doctor_provider *provider,
                                       mlirplug_error **error);

/// Why a copy of MLIR is not opened.
struct doctor_probe_failure {
  char *found; ///< Owned; null if memory ran out.
  const char *remedy;
};

/// Whether this process survives that: a child tries it first, for at most so
/// many `seconds`. False if not, or if there can be no child.
bool doctor_provider_probe(const struct doctor_provider *provider,
                           unsigned seconds,
                           struct doctor_probe_failure *failure);

#endif // MLIRPLUG_CLI_DOCTOR_PROBE_H
