// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/remarks.h"

#include "cli/extension.h"

#include <string.h>

/// The text, or an empty one for none.
static MlirStringRef string_of(const char *text) {
  return mlirStringRefCreateFromCString(text ? text : "");
}

static bool is_wanted(const struct arguments *arguments) {
  return arguments->remarks || arguments->remarks_passed ||
         arguments->remarks_missed || arguments->remarks_analysis ||
         arguments->remarks_failed;
}

static const char *file_of(const struct arguments *arguments, bool bitstream) {
  const char *format = arguments->remark_format;
  if (!format || strcmp(format, "emitRemark") == 0)
    return NULL;
  if (arguments->remarks_output)
    return arguments->remarks_output;
  return bitstream ? "mlir-remarks.bitstream" : "mlir-remarks.yaml";
}

bool remarks_enable(const struct arguments *arguments, MlirContext context,
                    struct console *console) {
  if (!is_wanted(arguments))
    return true;
  if (!MLIRPLUG_HAS(mlirplugExtEnableRemarks)) {
    console_error(console, "'--remarks-filter' and its like need a provider of "
                           "mlirplug for MLIR 22 or later (--provider=static "
                           "or shared)");
    return false;
  }
  const char *format = arguments->remark_format;
  const char *policy = arguments->remark_policy;
  bool bitstream = format && strcmp(format, "bitstream") == 0;
  const char *file = file_of(arguments, bitstream);
  const struct extension_remarks wanted = {
      .all = string_of(arguments->remarks),
      .passed = string_of(arguments->remarks_passed),
      .missed = string_of(arguments->remarks_missed),
      .analysis = string_of(arguments->remarks_analysis),
      .failed = string_of(arguments->remarks_failed),
      .file = string_of(file),
      .bitstream = bitstream,
      .only_final = policy && strcmp(policy, "final") == 0};
  if (mlirplugExtEnableRemarks(context, &wanted))
    return true;
  console_error(console, "cannot write the remarks that were asked for%s%s%s",
                file ? " to '" : "", file ? file : "", file ? "'" : "");
  return false;
}
