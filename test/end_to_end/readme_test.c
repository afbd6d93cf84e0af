// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the README's first screen shows is what happens.

#include "run.h"

#include <stdlib.h>
#include <string.h>

/// The content of the first block that begins with `fence`, to be freed.
static char *block_find(const char *fence) {
  char *readme = file_content(MLIRPLUG_SOURCE_DIRECTORY "/README.md");
  char *begin = strstr(readme, fence);
  cr_assert(begin != NULL, "the README has no %s", fence);
  begin += strlen(fence);
  char *end = strstr(begin, "```");
  cr_assert(end != NULL);
  char *block = strndup(begin, (size_t)(end - begin));
  free(readme);
  return block;
}

/// A directory in which the README's paths lead to this build.
static char *root_create(void) {
  char *root = directory_create();
  struct command_result made =
      command_shell("cd %s && ln -s %s/examples examples && ln -s %s build",
                    root, MLIRPLUG_SOURCE_DIRECTORY, MLIRPLUG_BUILD_DIRECTORY);
  cr_assert(made.exit_code == 0, "%s", made.errors);
  command_release(&made);
  return root;
}

Test(the_readme, shows_the_source_of_the_first_example) {
  char *shown = block_find("```c\n");
  char *source =
      file_content(MLIRPLUG_SOURCE_DIRECTORY "/examples/op-count/op_count.c");
  // The licence line is the file's own.
  expect_text(strchr(source, '\n') + 1, shown);
  free(source);
  free(shown);
}

Test(the_readme, shows_commands_that_run_and_print_what_it_shows) {
  char *root = root_create();
  char *block = block_find("```console\n");
  char *rest = block;
  size_t commands = 0;
  for (char *line; (line = strsep(&rest, "\n")) && *line; ++commands) {
    cr_assert(strncmp(line, "$ ", 2) == 0, "not a command: %s", line);
    // What follows up to the next command is its output.
    char *next =
        rest && strncmp(rest, "$ ", 2) != 0 ? strstr(rest, "\n$ ") : NULL;
    size_t length = 0;
    if (rest && strncmp(rest, "$ ", 2) != 0)
      length = next ? (size_t)(next + 1 - rest) : strlen(rest);
    char *expected = strndup(rest ? rest : "", length);
    struct command_result result =
        command_shell("cd %s && (%s) 2>&1", root, line + 2);
    expect_exit(&result, 0);
    expect_text(result.output, expected);
    command_release(&result);
    free(expected);
    rest += length;
  }
  cr_expect(commands == 2, "%zu commands", commands);
  free(block);
  free(root);
}
