// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin files in test/golden/plugins, kept as bytes from the releases that
// they were built for, are read and run as they were then.

#include "run.h"

#include <stdlib.h>
#include <string.h>

#define PLUGINS MLIRPLUG_SOURCE_DIRECTORY "/test/golden/plugins"

static void skip_elsewhere(void) {
#ifndef __x86_64__
  cr_skip_test("not for this machine: the files are for x86-64");
#endif
}

/// Runs a line of shell in the directory of release 1.0, which must succeed.
static char *shell_1_0(const char *line) {
  struct command_result result =
      command_shell("cd " PLUGINS "/1.0 && %s", line);
  cr_assert(result.exit_code == 0, "%s%s", result.output, result.errors);
  free(result.errors);
  return result.output;
}

Test(the_plugins_of_1_0, are_the_bytes_that_were_released) {
  free(shell_1_0("sha256sum --check --strict --quiet SHA256SUMS"));
  char *unlisted = shell_1_0("for file in *.so; do grep -q \"  $file$\" "
                             "SHA256SUMS || echo $file; done");
  expect_text(unlisted, "");
  free(unlisted);
  char *count = shell_1_0("ls *.so | wc -l");
  expect_text(count, "6\n");
  free(count);
}

Test(the_plugins_of_1_0, are_small) {
  char *large = shell_1_0("find . -name '*.so' -size +20000c");
  expect_text(large, "");
  free(large);
}

/// The plugin says and does what test/golden/plugins/1.0/NAME.txt tells.
static void expect_as_released(const char *name) {
  skip_elsewhere();
  struct command_result result = command_shell(
      PLUGINS "/say.sh " COMMAND_MLIRPLUG " " PLUGINS "/1.0 %s", name);
  expect_silent_success(&result);
  char *path = NULL;
  cr_assert(asprintf(&path, PLUGINS "/1.0/%s.txt", name) >= 0);
  expect_file(result.output, path);
  free(path);
  command_release(&result);
}

Test(the_plugins_of_1_0, run_add_to_mul) { expect_as_released("add-to-mul"); }

Test(the_plugins_of_1_0, run_cxx) { expect_as_released("cxx"); }

Test(the_plugins_of_1_0, run_everything) { expect_as_released("everything"); }

Test(the_plugins_of_1_0, run_linalg_survey) {
  expect_as_released("linalg-survey");
}

Test(the_plugins_of_1_0, run_op_count) { expect_as_released("op-count"); }

Test(the_plugins_of_1_0, run_op_histogram) {
  expect_as_released("op-histogram");
}

Test(the_plugins_of_1_0, run_together) {
  skip_elsewhere();
  char *output = shell_1_0(
      COMMAND_MLIRPLUG " opt --plugin-dir=. --pass-pipeline='builtin.module("
                       "func.func(op-count,everything,cxx-everything),"
                       "add-to-mul,op-histogram,linalg-survey)' --records=- "
                       "input.mlir 2>&1");
  expect_contains(output, "remark: 3 operations");
  expect_contains(output, "{\"arith.addf\": 1, \"arith.muli\": 2,");
  expect_contains(output, "\"pass\": \"linalg-survey\", \"ops\": 10");
  expect_lacks(output, "error");
  free(output);
}
