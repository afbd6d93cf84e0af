// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What test/abi/layout.c prints keeps every line of test/golden/layout-1.0.txt,
// which never changes. A later version of the ABI adds a file of its own.

#include "support/command.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#define LAYOUT MLIRPLUG_SOURCE_DIRECTORY "/test/golden/layout-1.0.txt"

/// The first line of `golden` that does not follow, in its order, in `now`, or
/// null. Both are changed.
static const char *first_missing(char *golden, char *now) {
  char *rest = now;
  char *of_golden = NULL;
  for (const char *line = strtok_r(golden, "\n", &of_golden); line;
       line = strtok_r(NULL, "\n", &of_golden)) {
    char *found = strsep(&rest, "\n");
    while (found && strcmp(found, line) != 0)
      found = strsep(&rest, "\n");
    if (!found)
      return line;
  }
  return NULL;
}

Test(the_layout, of_abi_1_0_never_changes) {
  struct command_result now =
      command_shell(MLIRPLUG_BUILD_DIRECTORY "/test/layout");
  cr_assert(now.exit_code == 0);
  char *golden = file_content(LAYOUT);
  cr_assert(strlen(golden) > 1000);
  char *whole = strdup(now.output);
  const char *missing = first_missing(golden, now.output);
  cr_expect(!missing, "%s has '%s', which is not or not there in:\n%s", LAYOUT,
            missing, whole);
  free(whole);
  free(golden);
  command_release(&now);
}

/// All but mlirplug_json, which stays inside the plugin.
Test(the_layout, lists_every_type_of_the_headers) {
  struct command_result missing = command_shell(
      "cd " MLIRPLUG_SOURCE_DIRECTORY "/sdk/include && "
      "sed -n -E 's/^(} |typedef struct \\w+ )(\\w+);/\\2/p' "
      "mlirplug/*.h mlirplug/ir/*.h | grep -vx mlirplug_json | "
      "while read -r type; do grep -q -E \"^$type( [0-9]|, may grow)\" " LAYOUT
      " || echo \"$type\"; done");
  cr_assert(missing.exit_code == 0);
  cr_expect(missing.output[0] == '\0', "not in %s:\n%s", LAYOUT,
            missing.output);
  command_release(&missing);
}
