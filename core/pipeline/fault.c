// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/fault.h"

mlirplug_status fault_raise(struct fault *fault, mlirplug_error **error) {
  bool failed =
      fault->found.failed || fault->expected.failed || fault->remedy.failed;
  mlirplug_status status =
      failed ? error_set_memory(error)
             : error_set(error, &(mlirplug_error){
                                    .doing = fault->doing,
                                    .subject = fault->subject,
                                    .found = fault->found.bytes,
                                    .expected = fault->expected.bytes,
                                    .remedy = fault->remedy.bytes,
                                });
  text_release(&fault->found);
  text_release(&fault->expected);
  text_release(&fault->remedy);
  return status;
}
