// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug.json: which one an input has, whose is used, and `mlirplug trust`.

#include "directory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Runs in the directory of the test, as the command of a user who has
/// installed nothing.
#define COMMAND COMMAND_WITH_DEFAULTS

/// Two projects with the passes dir-one and dir-two, and inputs below them.
static void projects_make(void) {
  two_make();
  setenv("XDG_STATE_HOME", marks, 1);
  struct command_result made =
      command_shell("cd %s && mkdir -p p/src/deep q/plugins && mv one.so p && "
                    "mv two.so q/plugins && cp " TWICE " p/src/deep/x.mlir && "
                    "cp " TWICE " q/x.mlir && "
                    "echo '{\"plugins\": [\"one.so\"]}' >p/mlirplug.json && "
                    "echo '{\"directories\": [\"plugins\"]}' >q/mlirplug.json",
                    directory);
  expect_exit(&made, 0);
  command_release(&made);
  cr_assert_eq(chdir(directory), 0);
}

static void projects_forget(void) {
  cr_assert_eq(chdir("/"), 0);
  directory_forget();
}

TestSuite(a_configuration, .init = projects_make, .fini = projects_forget,
          .timeout = 120);

#define ONE_RUN(...) "opt --dir-one -o /dev/null " __VA_ARGS__
#define TWO_RUN(...) "opt --dir-two -o /dev/null " __VA_ARGS__

static struct command_result run(const char *arguments) {
  return command_shell(COMMAND " %s", arguments);
}

static void trust(const char *arguments) {
  struct command_result result = command_shell(COMMAND " trust %s", arguments);
  expect_exit(&result, 0);
  expect_text(result.errors, "");
  command_release(&result);
}

/// The run works, and its pass says so.
static void expect_ran(const char *arguments, const char *pass) {
  struct command_result result = run(arguments);
  expect_exit(&result, 0);
  expect_contains(result.errors, pass);
  expect_contains(result.errors, " ran");
  expect_lacks(result.errors, "warning");
  command_release(&result);
}

/// The run ends so, after one warning with `part`.
static void expect_one_warning(const char *arguments, int exit_code,
                               const char *part) {
  struct command_result result = run(arguments);
  expect_exit(&result, exit_code);
  const char *warning = strstr(result.errors, "mlirplug: warning: ");
  cr_assert(warning, "no warning:\n%s", result.errors);
  expect_lacks(warning + 1, "mlirplug: warning: ");
  expect_line(result.errors, LINE("warning: ", part));
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Found
//===----------------------------------------------------------------------===//

Test(a_configuration, runs_nothing_before_it_is_trusted) {
  expect_one_warning("opt --cse -o /dev/null p/src/deep/x.mlir", 0,
                     "mlirplug trust '");
  struct command_result result = run(ONE_RUN("p/src/deep/x.mlir"));
  expect_exit(&result, 2);
  expect_line(result.errors, LINE("note: it may be in", "p/mlirplug.json",
                                  "you have not trusted it"));
  command_release(&result);
  expect_loaded("dir-one", false);
}

Test(a_configuration, runs_once_the_command_of_the_warning_was_given) {
  struct command_result result = run("opt --cse -o /dev/null p/src");
  expect_exit(&result, 1); // No input is in that directory.
  char *command = strstr(result.errors, "mlirplug trust '");
  cr_assert(command, "%s", result.errors);
  command[strcspn(command, "\n")] = '\0';
  struct command_result trusted =
      command_shell(MLIRPLUG_BUILD_DIRECTORY "/bin/%s", command);
  expect_exit(&trusted, 0);
  expect_contains(trusted.output, in_directory("p/mlirplug.json"));
  expect_contains(trusted.output, in_directory("p/one.so"));
  command_release(&trusted);
  command_release(&result);
  expect_loaded("dir-one", false);
  expect_ran(ONE_RUN("p/src/deep/x.mlir"), "dir-one");
  expect_loaded("dir-one", true);
}

Test(a_configuration, names_directories) {
  trust("q");
  expect_ran(TWO_RUN("q/x.mlir"), "dir-two");
}

Test(a_configuration, is_found_for_each_kind_of_input) {
  trust("p");
  expect_ran(ONE_RUN("p/src/deep"), "dir-one");
  expect_ran(ONE_RUN("--no-default-plugins p/src/deep/x.mlir"), "dir-one");
  struct command_result result = command_shell(
      "cd p/src && " COMMAND " opt --dir-one <deep/x.mlir && "
      "cat deep/x.mlir | " COMMAND " opt --dir-one - && " COMMAND
      " opt --dir-one /dev/stdin <deep/x.mlir && " COMMAND " list");
  expect_exit(&result, 0);
  expect_lacks(result.errors, "warning");
  expect_contains(result.output, in_directory("p/one.so  (configuration)"));
  command_release(&result);
}

Test(a_configuration, is_that_of_the_file_behind_a_link) {
  trust("p");
  cr_assert_eq(symlink("p/src", "away"), 0);
  cr_assert_eq(symlink("../p/src/deep/x.mlir", "q/link.mlir"), 0);
  expect_ran(ONE_RUN("away/deep/x.mlir"), "dir-one");
  expect_ran(ONE_RUN("q/link.mlir"), "dir-one");
  // And a trusted directory by another name is the same.
  cr_assert_eq(symlink("p", "other"), 0);
  trust("--remove other");
  trust("other/");
  expect_ran(ONE_RUN("p/src/deep/x.mlir"), "dir-one");
}

Test(a_configuration, that_links_to_a_trusted_one_is_that_one) {
  trust("p");
  cr_assert_eq(mkdir("r", 0755), 0);
  cr_assert_eq(symlink("../p/mlirplug.json", "r/mlirplug.json"), 0);
  cr_assert_eq(rename("q/x.mlir", "r/x.mlir"), 0);
  expect_ran(ONE_RUN("r/x.mlir"), "dir-one");
}

Test(a_configuration, nearest_to_the_input_is_the_one) {
  trust("p");
  struct command_result result =
      command_shell("echo '{}' >p/src/mlirplug.json && " COMMAND
                    " trust p/src && " COMMAND " " ONE_RUN("p/src/deep"));
  expect_exit(&result, 2);
  expect_loaded("dir-one", false);
  command_release(&result);
}

Test(a_configuration, that_has_changed_has_to_be_trusted_again) {
  trust("p");
  file_write("p/mlirplug.json", "{\"plugins\": [\"./one.so\"]}", 25);
  expect_one_warning("opt --cse -o /dev/null p/src/deep/x.mlir", 0,
                     "has changed since you trusted it; look at what is in "
                     "it, then: mlirplug trust '");
  expect_loaded("dir-one", false);
  trust("p");
  expect_ran(ONE_RUN("p/src/deep/x.mlir"), "dir-one");
}

Test(a_configuration, that_others_can_write_is_not_used) {
  trust("p");
  cr_assert_eq(chmod("p/mlirplug.json", 0666), 0);
  struct command_result result = run(ONE_RUN("p/src/deep/x.mlir"));
  expect_exit(&result, 2);
  expect_line(result.errors,
              LINE("warning: cannot trust the configuration", "chmod o-w"));
  expect_loaded("dir-one", false);
  command_release(&result);
  cr_assert_eq(chmod("p/mlirplug.json", 0644), 0);
  cr_assert_eq(chmod("p", 0777), 0);
  result = run(ONE_RUN("p/src/deep/x.mlir"));
  expect_exit(&result, 2);
  expect_line(result.errors,
              LINE("warning: cannot trust the configuration", "directory"));
  command_release(&result);
}

Test(a_configuration, that_cannot_be_used_does_not_stop_a_run) {
  static const char *const commands[] = {
      "rm mlirplug.json; mkfifo mlirplug.json",
      "rm mlirplug.json; mkdir mlirplug.json",
      "ln -sf /nowhere mlirplug.json",
      "ln -sf mlirplug.json mlirplug.json",
      "ln -sf /dev/zero mlirplug.json",
      "truncate -s 1G mlirplug.json"};
  trust("p");
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
    struct command_result result = command_shell("cd p && %s", commands[i]);
    command_release(&result);
    expect_one_warning("opt --cse -o /dev/null p/src/deep/x.mlir", 0,
                       "mlirplug.json': ");
    result = command_shell("rm -rf p/mlirplug.json");
    command_release(&result);
    file_write("p/mlirplug.json", "{}", 2);
  }
}

Test(a_configuration, must_be_one_for_all_inputs) {
  trust("p q");
  struct command_result result =
      run(ONE_RUN("p/src/deep/x.mlir q/x.mlir " TWICE));
  expect_refusal(&result, 1);
  expect_line(result.errors, LINE("p/mlirplug.json", "q/mlirplug.json",
                                  "--config=FILE", "--no-config"));
  expect_loaded("dir-one", false);
  command_release(&result);
  expect_ran(ONE_RUN("p/src/deep/x.mlir " TWICE), "dir-one");
  result = run("opt --no-config --cse -o /dev/null p/src/deep/x.mlir q/x.mlir");
  expect_silent_success(&result);
  command_release(&result);
}

Test(a_configuration, is_no_use_where_it_is_not_wanted) {
  trust("p");
  struct command_result result = run(ONE_RUN("--no-config p/src/deep/x.mlir"));
  expect_exit(&result, 2);
  expect_lacks(result.errors, "mlirplug.json");
  command_release(&result);
}

Test(a_configuration, is_part_of_what_the_doctor_looks_at) {
  struct command_result result =
      command_shell("cd p/src && " COMMAND " doctor --no-default-plugins");
  expect_exit(&result, 1);
  expect_contains(result.output, "mlirplug trust '");
  command_release(&result);
  trust("p");
  result = command_shell("cd p/src && " COMMAND " doctor --json");
  expect_contains(result.output, in_directory("p/one.so"));
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Named
//===----------------------------------------------------------------------===//

Test(a_configuration, that_is_named_needs_no_trust) {
  expect_ran(ONE_RUN("--config=p/mlirplug.json " TWICE), "dir-one");
  expect_ran(ONE_RUN("--config=p/mlirplug.json q/x.mlir"), "dir-one");
  expect_ran(ONE_RUN("--no-config --config=p/mlirplug.json q/x.mlir"),
             "dir-one");
}

Test(a_configuration, that_is_named_and_fails_is_an_error) {
  static const char *const texts[][2] = {
      {"{\"plugins\": [\"missing.so\"]}", "missing.so"},
      {"{\"directories\": [\"missing\"]}", "missing"},
      {"{\"plugin\": []}", "did you mean \"plugins\"?"},
      {"{", "at line 1, column 1"}};
  for (size_t i = 0; i < 4; ++i) {
    file_write("bad.json", texts[i][0], strlen(texts[i][0]));
    struct command_result result =
        run("opt --cse -o /dev/null --config=bad.json " TWICE);
    expect_refusal(&result, 1);
    expect_contains(result.errors, texts[i][1]);
    command_release(&result);
  }
  struct command_result result = run("opt --config=nowhere.json " TWICE);
  expect_refusal(&result, 1);
  expect_line(result.errors, LINE("nowhere.json", "No such file"));
  command_release(&result);
}

Test(a_configuration, comes_after_the_flags_and_before_the_installed) {
  trust("q");
  struct command_result result = command_shell(
      "cd q && mkdir ../installed ../flag && MLIRPLUG_PATH=%s " COMMAND
      " list --plugin-dir=../flag",
      in_directory("installed"));
  expect_exit(&result, 0);
  const char *searched = strstr(result.output, "\nSearched:\n");
  cr_assert(searched);
  expect_order(searched, "/flag  (named directory)",
               "/q/plugins  (configuration)");
  expect_order(searched, "/q/plugins  (configuration)",
               "/installed  (MLIRPLUG_PATH)");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// mlirplug trust
//===----------------------------------------------------------------------===//

Test(a_configuration, is_trusted_until_that_is_taken_back) {
  trust("p q");
  struct command_result result = run("trust --list");
  expect_silent_success(&result);
  expect_order(result.output, in_directory("p/mlirplug.json\n"),
               in_directory("q/mlirplug.json\n"));
  command_release(&result);
  trust("--remove p");
  struct command_result again = run("trust --remove p");
  expect_refusal(&again, 1);
  expect_contains(again.errors, "it is not trusted");
  command_release(&again);
  result = run("trust --list");
  expect_lacks(result.output, in_directory("p/mlirplug.json"));
  expect_contains(result.output, in_directory("q/mlirplug.json"));
  command_release(&result);
  result = command_shell("rm -r q && " COMMAND " trust --list && " COMMAND
                         " trust --remove q && " COMMAND " trust --list");
  expect_silent_success(&result);
  char *line = NULL;
  cr_assert_geq(asprintf(&line, "%s  (changed or gone, not used)\n",
                         in_directory("q/mlirplug.json")),
                0);
  expect_text(result.output, line);
  free(line);
  command_release(&result);
}

Test(a_configuration, cannot_be_trusted_if_it_is_bad_or_not_there) {
  file_write("p/mlirplug.json", "{\"plugins\": [1]}", 16);
  cr_assert_eq(chmod("q", 0777), 0);
  static const char *const directories[][2] = {
      {"p", "item 1 of \"plugins\" is a number"},
      {"q", "everybody may write to the directory"},
      {"nowhere", "No such file"},
      {"p/one.so", "Not a directory"}};
  for (size_t i = 0; i < 4; ++i) {
    struct command_result result =
        command_shell(COMMAND " trust %s", directories[i][0]);
    expect_refusal(&result, 1);
    expect_contains(result.errors, directories[i][1]);
    expect_lacks(result.errors, "--trust=any"); // It does not help here.
    command_release(&result);
  }
  struct command_result result = run("trust --list");
  expect_text(result.output, "");
  command_release(&result);
}

Test(a_configuration, is_not_trusted_if_that_cannot_be_shown) {
  struct command_result result = run("trust p >/dev/full");
  expect_exit(&result, 1);
  command_release(&result);
  result = run("trust --list");
  expect_text(result.output, "");
  command_release(&result);
}

Test(a_configuration, is_not_used_if_the_record_cannot_be_read) {
  trust("p");
  struct command_result result =
      command_shell("echo x >%s/mlirplug/trusted.json", marks);
  command_release(&result);
  expect_one_warning("opt --cse -o /dev/null p/src/deep/x.mlir", 0,
                     "trusted.json': it is damaged");
  result = run("trust p");
  expect_exit(&result, 1);
  expect_line(result.errors, LINE("it is damaged", "rm '"));
  command_release(&result);
  result = command_shell("chmod 666 %s/mlirplug/trusted.json", marks);
  command_release(&result);
  expect_one_warning("opt --cse -o /dev/null p/src/deep/x.mlir", 0,
                     "everybody may write to the file");
  expect_loaded("dir-one", false);
}

Test(a_configuration, of_many_directories_can_be_trusted_at_once) {
  struct command_result result = command_shell(
      "for i in $(seq 20); do mkdir d$i; echo '{}' >d$i/mlirplug.json; done; "
      "for i in $(seq 20); do " COMMAND " trust d$i & done; wait; " COMMAND
      " trust --list | grep -c /d; ls %s/mlirplug",
      marks);
  expect_exit(&result, 0);
  expect_text(result.errors, "");
  expect_contains(result.output, "\n20\ntrusted.json\ntrusted.json.lock\n");
  command_release(&result);
}

Test(a_configuration, is_trusted_by_a_command_that_makes_sense) {
  static const char *const wrong[] = {
      "trust",          "trust --list p", "trust --list --remove",
      "trust --remove", "trust ''",       "trust --lst"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    struct command_result result = run(wrong[i]);
    expect_refusal(&result, 2);
    command_release(&result);
  }
}
