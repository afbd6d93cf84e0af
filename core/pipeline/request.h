// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A request to insert passes into a pipeline: where, and what.
//
//     after:PASS:ELEMENTS    before:PASS:ELEMENTS
//     start:ELEMENTS         end:ELEMENTS         each:ELEMENTS
//
// PASS is a name in the pipeline, with '#N' the Nth of that name, from 1.
// ELEMENTS are what may stand in a nest: passes with their options, nests.

#ifndef MLIRPLUG_PIPELINE_REQUEST_H
#define MLIRPLUG_PIPELINE_REQUEST_H

#include "pipeline/scan.h"
#include "pipeline/tree.h"

enum request_place {
  REQUEST_AFTER,
  REQUEST_BEFORE,
  REQUEST_START, ///< Of the outermost nest.
  REQUEST_END,
  REQUEST_EACH, ///< Behind every element of each nest where it can stand.
};

struct request {
  const char *text; ///< As written.
  enum request_place place;
  struct span target;    ///< Of after and before: the name.
  size_t number;         ///< Of that name, from 1; 0 if it was not said.
  const char *elements;  ///< As written.
  struct span beginning; ///< All that stands before them.
};

/// Takes `text` apart; what is in the elements is not looked at. The result
/// points into the text.
mlirplug_status request_parse(const char *text, struct request *request,
                              mlirplug_error **error);

/// Refuses a request. Always fails.
mlirplug_status request_refuse(const struct request *request, const char *found,
                               const char *expected, const char *remedy,
                               mlirplug_error **error);

#endif // MLIRPLUG_PIPELINE_REQUEST_H
