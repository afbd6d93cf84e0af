// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins that Python packages bring, without a Python.

#include "directory.h"

#include <stdlib.h>

static char *site;

/// A directory as pip makes it, with the package `tried` 1.5 and what `shell`
/// adds, a line of it.
static void site_make(const char *shell) {
  site = directory_create();
  struct command_result made = command_shell(
      "cd '%s' && mkdir -p tried/plugins tried-1.5.dist-info && cp '%s' "
      "tried/plugins/ && printf '[mlirplug.plugins]\\nx = tried.plugins\\n' "
      ">tried-1.5.dist-info/entry_points.txt && printf 'Name: tried\\n"
      "Version: 1.5\\n' >tried-1.5.dist-info/METADATA && %s",
      site, ONE, shell);
  cr_assert_eq(made.exit_code, 0, "%s", made.errors);
  command_release(&made);
}

static void site_forget(void) { free(site); }

TestSuite(python_packages_bring_plugins, .fini = site_forget);

/// Runs the command with `arguments`, with the site as Python's path.
static struct command_result run(const char *arguments) {
  return mlirplug_shell("MLIRPLUG_PYTHON_PATH='%s' " COMMAND_WITH_DEFAULTS
                        " %s",
                        site, arguments);
}

Test(python_packages_bring_plugins, that_are_listed_with_their_package) {
  site_make("true");
  struct command_result result = run("list");
  expect_silent_success(&result);
  expect_line(result.output, LINE("tried/plugins/directory-one.so",
                                  "(Python package: tried 1.5)"));
  command_release(&result);
  result = run("list --json");
  expect_silent_success(&result);
  expect_contains(result.output, "\"origin\": \"Python package\"");
  expect_contains(result.output, "\"name\": \"tried\"");
  expect_contains(result.output, "\"version\": \"1.5\"");
  command_release(&result);
}

Test(python_packages_bring_plugins, that_run) {
  site_make("true");
  struct command_result result = run("opt --dir-one " TWICE " -o /dev/null");
  expect_exit(&result, 0);
  command_release(&result);
}

Test(python_packages_bring_plugins, or_are_refused_with_a_reason) {
  site_make("mkdir lost-1.dist-info && printf '[mlirplug.plugins]\\n"
            "x = lost.plugins\\n' >lost-1.dist-info/entry_points.txt");
  struct command_result result = run("list");
  expect_exit(&result, 0);
  expect_line(result.output,
              LINE("the Python package 'lost'", "'lost.plugins'",
                   "lost-1.dist-info/entry_points.txt", "MLIRPLUG_PATH"));
  expect_contains(result.output, "(Python package: tried 1.5)");
  command_release(&result);
  result = run("opt --dir-one " TWICE " -o /dev/null");
  expect_exit(&result, 0);
  expect_line(result.errors, LINE("warning", "the Python package 'lost'"));
  command_release(&result);
}

Test(python_packages_bring_plugins, unless_others_may_write_there) {
  site_make("chmod 777 tried/plugins");
  struct command_result result = run("opt --dir-one " TWICE " -o /dev/null");
  expect_exit(&result, 2);
  expect_line(result.errors, LINE("tried/plugins", "chmod"));
  command_release(&result);
}

Test(python_packages_bring_plugins, unless_no_directory_is_to_be_searched) {
  site_make("true");
  struct command_result result = run("list --no-default-plugins");
  expect_lacks(result.output, "tried");
  command_release(&result);
}
