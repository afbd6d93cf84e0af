// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that write records.

#include <mlirplug/plugin.h>

#include <mlirplug/ir/BuiltinAttributes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct text_options {
  const char *json;
};

static const mlirplug_option text_options[] = {
    MLIRPLUG_STRING(struct text_options, json, "json", "{}",
                    "The record to write"),
};

static mlirplug_status write_text(const mlirplug_run *run, MlirOperation root) {
  (void)root;
  const struct text_options *options = run->options;
  // Its failure alone must do.
  (void)mlirplug_record_write(
      run, (MlirStringRef){options->json, strlen(options->json)});
  return MLIRPLUG_OK;
}

static const mlirplug_pass record_text = {
    MLIRPLUG_PASS("record-text", "Writes its option as a record"),
    MLIRPLUG_OPTIONS(struct text_options, text_options),
    .run = write_text,
};

static mlirplug_status write_name(const mlirplug_run *run, MlirOperation root) {
  static const char attribute[] = "sym_name";
  MlirStringRef name = mlirStringAttrGetValue(mlirOperationGetAttributeByName(
      root, (MlirStringRef){attribute, sizeof attribute - 1}));
  for (int part = 0; part < 2; ++part) {
    char text[128];
    int length =
        snprintf(text, sizeof text, "{\"name\": \"%.*s\", \"part\": %d}",
                 (int)name.length, name.data, part);
    mlirplug_status status =
        mlirplug_record_write(run, (MlirStringRef){text, (size_t)length});
    if (status != MLIRPLUG_OK)
      return status;
    // Threads overtake one another.
    usleep(name.length && name.data[name.length - 1] % 3 == 0 ? 300 : 1);
  }
  return MLIRPLUG_OK;
}

static mlirplug_status write_end(const mlirplug_run *run) {
  static const char text[] = "{\"end\": true}";
  return mlirplug_record_write(run, (MlirStringRef){text, sizeof text - 1});
}

static const mlirplug_pass record_name = {
    MLIRPLUG_PASS("record-name", "Writes two records for each function"),
    .anchor = "func.func",
    .run = write_name,
    .finish = write_end,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.record", "1.0.0", &record_text,
                &record_name);
