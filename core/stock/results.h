// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes bring besides changed IR: records and statistics. The tool
// has no place for either. Both are a matter of the environment:
//
//   MLIRPLUG_RECORDS=FILE   records go there, as each pass manager is done;
//                           "-" is standard output, behind all the tool prints
//   MLIRPLUG_STATISTICS=1   statistics are printed when the process ends; also
//                           if the tool is run with --mlir-pass-statistics

#ifndef MLIRPLUG_STOCK_RESULTS_H
#define MLIRPLUG_STOCK_RESULTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/// Reads the environment and opens the file for records. Once.
mlirplug_status results_begin(mlirplug_error **error);

/// Takes a record; for record_list_flush.
void results_record(const char *line, size_t length, void *unused);

/// Adds to the statistics of the pass shown as `label`, which stays for ever,
/// at `index` in its pipeline. What runs again for another part of the input
/// has the same place.
void results_statistics(size_t index, const char *label,
                        const mlirplug_pass_description *pass,
                        const uint64_t *values);

/// The process ends: prints what was kept for then.
void results_end(void);

#endif // MLIRPLUG_STOCK_RESULTS_H
