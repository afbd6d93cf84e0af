// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug doctor: what is wrong, what to do, and that nothing can keep it from
// saying so.

#include "directory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROVIDERS MLIRPLUG_BUILD_DIRECTORY "/lib/mlirplug"
#define STATIC PROVIDERS "/libmlirplug-mlir22.so"
#define SHARED PROVIDERS "/libmlirplug-mlir22-shared.so"
#define BAD(name) MLIRPLUG_BUILD_DIRECTORY "/test/plugins/bad/" name ".so"
#define NEEDS_LATER MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/needs-later.so"

TestSuite(doctor, .init = two_make, .fini = directory_forget);

//===----------------------------------------------------------------------===//
// Reading the report
//===----------------------------------------------------------------------===//

static json_t *report_read(const struct command_result *result) {
  json_error_t error;
  json_t *report = json_loads(result->output, 0, &error);
  cr_assert(report, "%s at %d:\n%s", error.text, error.position,
            result->output);
  return report;
}

static const char *string_of(const json_t *object, const char *key) {
  const char *string = json_string_value(json_object_get(object, key));
  cr_assert(string, "there is no string '%s'", key);
  return string;
}

static bool is_true(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  cr_assert(json_is_boolean(value), "there is no boolean '%s'", key);
  return json_is_true(value);
}

/// The element of report[list] whose `key` ends in `ending`.
static const json_t *entry_of(const json_t *report, const char *list,
                              const char *key, const char *ending) {
  size_t index;
  const json_t *entry;
  json_array_foreach(json_object_get(report, list), index, entry) {
    const char *value = string_of(entry, key);
    size_t length = strlen(value), wanted = strlen(ending);
    if (length >= wanted && strcmp(value + length - wanted, ending) == 0)
      return entry;
  }
  cr_assert_fail("no entry of '%s' has the %s %s", list, key, ending);
  return NULL;
}

static void expect_problem(const json_t *report, const char *subject,
                           const char *about, const char *what,
                           const char *remedy) {
  const json_t *problem = entry_of(report, "problems", "subject", subject);
  expect_text(string_of(problem, "about"), about);
  expect_contains(string_of(problem, "what"), what);
  expect_contains(string_of(problem, "remedy"), remedy);
}

static size_t problem_count(const json_t *report) {
  return json_array_size(json_object_get(report, "problems"));
}

//===----------------------------------------------------------------------===//
// Health
//===----------------------------------------------------------------------===//

Test(doctor, finds_nothing_wrong_where_nothing_is) {
  struct command_result result =
      mlirplug_run("doctor", "--plugin-dir", directory);
  expect_silent_success(&result);
  static const char *const parts[] = {"\n  static (in use): MLIR 22.",
                                      STATIC,
                                      "(beside libmlirplug)",
                                      "\n  shared: MLIR 22.",
                                      SHARED,
                                      "libmlirplug.so.1",
                                      "plugin ABI 1.",
                                      "\nNo problems.\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    expect_contains(result.output, parts[i]);
  expect_line(result.output,
              LINE(directory, "(named directory)", "plugins: 2"));
  expect_line(result.output, LINE(in_directory("one.so"), "passes: 1"));
  expect_lacks(result.output, "Refused");
  expect_lacks(result.output, "refused");
  expect_loaded("dir-one", false);
  command_release(&result);
}

Test(doctor, says_the_same_as_json) {
  struct command_result result = mlirplug_shell(
      "XDG_DATA_HOME=/x MLIRPLUG_PATH=%s:/nowhere " COMMAND_WITH_DEFAULTS
      " doctor --json",
      directory);
  json_t *report = report_read(&result);
  expect_text(string_of(json_object_get(report, "mlirplug"), "abi"), "1.0");
  const json_t *provider = entry_of(report, "providers", "name", "static");
  cr_expect(is_true(provider, "in_use") && is_true(provider, "usable") &&
            is_true(provider, "extension") && is_true(provider, "runs_passes"));
  expect_text(string_of(provider, "path"), STATIC);
  expect_text(string_of(provider, "origin"), "beside libmlirplug");
  cr_expect_eq(json_array_size(json_object_get(provider, "missing")), 0);
  const json_t *found = entry_of(report, "directories", "path", directory);
  cr_expect_eq(json_integer_value(json_object_get(found, "plugin_count")), 2);
  cr_expect(
      !is_true(entry_of(report, "directories", "path", "/nowhere"), "exists"));
  const json_t *plugin = entry_of(report, "plugins", "path", "/one.so");
  cr_expect(
      is_true(entry_of(plugin, "providers", "provider", "shared"), "runs"));
  expect_text(
      string_of(json_object_get(report, "environment"), "XDG_DATA_HOME"), "/x");
  json_decref(report);
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Plugins
//===----------------------------------------------------------------------===//

Test(doctor, says_of_each_refused_file_what_to_do) {
  struct command_result result = mlirplug_shell(
      "cd %s && echo text >text.so && head -c 3000 one.so >cut.so && "
      "ln -s nowhere.so gone.so && chmod 666 two.so && touch \"$(printf "
      "'\\377')\".so && "
      "mkdir dir.so && mkfifo pipe.so && "
      "$MLIRPLUG doctor --json --plugin-dir=$PWD",
      directory);
  expect_exit(&result, 1);
  expect_text(result.errors, "");
  json_t *report = report_read(&result);
  expect_problem(report, "/text.so", "refused", "it looks like text", ".so");
  expect_problem(report, "/cut.so", "refused", "shorter", "again");
  expect_problem(report, "/gone.so", "refused", "No such file", "check");
  expect_problem(report, "/two.so", "refused", "everybody may write",
                 "chmod o-w");
  expect_problem(report, "/two.so", "refused", "", "--trust=any");
  expect_problem(report, "/?.so", "refused", "empty", "");
  cr_expect_eq(problem_count(report), 7);
  cr_expect_eq(json_array_size(json_object_get(report, "refused")), 7);
  cr_expect_eq(json_array_size(json_object_get(report, "warnings")), 0);
  const json_t *searched = entry_of(report, "directories", "path", directory);
  cr_expect_eq(json_integer_value(json_object_get(searched, "refused_count")),
               7);
  json_decref(report);
  command_release(&result);
}

Test(doctor, shows_some_of_many_refusals) {
  struct command_result result = mlirplug_shell(
      "cd %s && for i in $(seq 300); do echo text >$i.so; done; "
      "$MLIRPLUG doctor --plugin-dir=. --provider=/nowhere/mlir.so",
      directory);
  expect_exit(&result, 1);
  expect_contains(result.output, "\nProblems (301):\n  1. cannot attach the "
                                 "provider '/nowhere/mlir.so'");
  expect_contains(result.output, "\n  and 280 more; --json has them all\n");
  expect_contains(result.output, "and 280 more that were refused");
  cr_expect_lt(line_count(result.output), 120);
  command_release(&result);
}

Test(doctor, checks_what_is_named) {
  struct command_result result = mlirplug_run(
      "doctor", "--json", "--load-pass-plugin=/nowhere/plugin.so",
      "--load-pass-plugin=" NEEDS_LATER, "--plugin-dir=/nowhere/plugins");
  expect_exit(&result, 1);
  json_t *report = report_read(&result);
  expect_problem(report, "/nowhere/plugin.so", "plugin", "No such file", "");
  expect_problem(report, "/nowhere/plugins", "directory", "No such file", "");
  expect_problem(report, NEEDS_LATER, "plugin",
                 "mlirDynamicOpTraitDestroy (seen in ", "use another provider");
  const json_t *plugin = entry_of(report, "plugins", "path", NEEDS_LATER);
  const json_t *runs = entry_of(plugin, "providers", "provider", "static");
  cr_expect(!is_true(runs, "runs"));
  expect_contains(string_of(runs, "found"), "mlirDynamicOpTraitDestroy");
  cr_expect_eq(problem_count(report), 3);
  json_decref(report);
  command_release(&result);
}

Test(doctor, names_both_plugins_that_have_one_pass) {
  struct command_result result = mlirplug_shell(
      "cp %s/one.so %s/copy.so && $MLIRPLUG doctor --plugin-dir=%s", directory,
      directory, directory);
  expect_exit(&result, 1);
  expect_line(strstr(result.output, "\nProblems (1):"),
              LINE("1. two plugins", "'dir-one'", in_directory("copy.so"),
                   in_directory("one.so")));
  command_release(&result);
}

Test(doctor, tells_of_a_search_path_that_cannot_be_used) {
  struct command_result result = mlirplug_shell(
      "MLIRPLUG_PATH=plugins " COMMAND_WITH_DEFAULTS " doctor; code=$?; "
      "chmod 777 %s; MLIRPLUG_PATH=%s " COMMAND_WITH_DEFAULTS " doctor; "
      "exit $((code * 10 + $?))",
      directory, directory);
  expect_exit(&result, 11);
  expect_line(result.output, LINE("1. ", "MLIRPLUG_PATH", "'plugins'"));
  expect_line(result.output, LINE(directory, "(MLIRPLUG_PATH) refused:",
                                  "everybody may write"));
  expect_line(result.output, LINE("To do: ", "chmod"));
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Providers
//===----------------------------------------------------------------------===//

/// Runs it in a prefix of its own, whose providers `setup` makes.
static struct command_result prefix_run(const char *setup,
                                        const char *arguments) {
  return mlirplug_shell("cd %s && mkdir -p bin lib/mlirplug && "
                        "cp " COMMAND_WITH_DEFAULTS " bin && "
                        "cp -P " MLIRPLUG_BUILD_DIRECTORY
                        "/lib/libmlirplug.so* lib && "
                        "cd lib/mlirplug && { %s; } && cd ../.. && "
                        "bin/mlirplug doctor --no-default-plugins %s",
                        marks, setup, arguments);
}

Test(doctor, survives_that_there_is_no_mlir) {
  struct command_result result = prefix_run("true", "--json");
  expect_exit(&result, 1);
  json_t *report = report_read(&result);
  const json_t *provider = entry_of(report, "providers", "name", "static");
  cr_expect(!is_true(provider, "installed") && !is_true(provider, "usable"));
  expect_contains(string_of(provider, "found"), "No such file");
  expect_problem(report, "/libmlirplug-mlir22.so", "provider", "No such file",
                 "reinstall mlirplug");
  // Nobody asked for the shared one.
  cr_expect_eq(problem_count(report), 1);
  json_decref(report);
  command_release(&result);
  result = prefix_run("ln -s " SHARED " libmlirplug-mlir22-shared.so",
                      "--provider=shared");
  expect_silent_success(&result);
  expect_contains(result.output, "\n  static: not installed\n");
  expect_contains(result.output, "\n  shared (in use): MLIR 22.");
  command_release(&result);
}

Test(doctor, survives_providers_that_are_damaged) {
  struct command_result result =
      prefix_run("head -c 1000000 " STATIC " >libmlirplug-mlir22.so; "
                 "seq 1000 >libmlirplug-mlir22-shared.so",
                 "");
  expect_exit(&result, 1);
  expect_text(result.errors, "");
  const char *problems = strstr(result.output, "\nProblems (2):\n");
  cr_assert(problems, "%s", result.output);
  expect_line(problems, LINE("1. ", "/libmlirplug-mlir22.so", "shorter than"));
  expect_line(problems,
              LINE("2. ", "/libmlirplug-mlir22-shared.so", "not a shared"));
  expect_line(problems, LINE("To do: ", "reinstall mlirplug"));
  command_release(&result);
}

Test(doctor, survives_providers_that_end_the_process) {
  static const struct {
    const char *path;
    const char *says;
  } ending[] = {
      {BAD("aborting"), "ends the process: Aborted"},
      {BAD("exiting"), "ends the process with status 0"},
      {BAD("exiting-like-a-survivor"), "ends the process with status 77"}};
  for (size_t i = 0; i < sizeof ending / sizeof *ending; ++i) {
    struct command_result result =
        mlirplug_run("doctor", "--json", "--provider", ending[i].path);
    expect_exit(&result, 1);
    json_t *report = report_read(&result);
    expect_problem(report, ending[i].path, "provider", ending[i].says,
                   "--provider=PATH");
    cr_expect_eq(problem_count(report), 1);
    json_decref(report);
    command_release(&result);
  }
}

Test(doctor, survives_them_where_nobody_waits_for_children) {
  // Not by the usual script: shells wait for theirs.
  struct command_result result = mlirplug_shell(
      "env --ignore-signal=CHLD " COMMAND_WITH_DEFAULTS
      " doctor --no-default-plugins --no-config --provider " BAD("aborting"));
  expect_exit(&result, 1);
  expect_line(result.output, LINE("1. ", "ends the process: Aborted"));
  command_release(&result);
}

Test(doctor, says_nothing_that_a_provider_says) {
  struct command_result result =
      mlirplug_run("doctor", "--json", "--provider", BAD("printing"));
  expect_exit(&result, 1);
  json_t *report = report_read(&result);
  expect_problem(report, BAD("printing"), "provider", "it has no C API", "");
  expect_lacks(result.output, "noise");
  json_decref(report);
  command_release(&result);
}

Test(doctor, describes_a_provider_that_is_named) {
  struct command_result result =
      mlirplug_run("doctor", "--provider", EXAMPLE("forbid"));
  expect_exit(&result, 1);
  expect_line(result.output,
              LINE(EXAMPLE("forbid"), "cannot be opened: it exports no C API "
                                      "of MLIR"));
  expect_lacks(result.output, "(in use)");
  expect_line(result.output,
              LINE("To do: use another provider, such as --provider=static"));
  command_release(&result);
  result = mlirplug_run("doctor", "--provider", SHARED);
  expect_silent_success(&result);
  expect_contains(result.output, "\n  " SHARED " (in use): MLIR 22.");
  command_release(&result);
  result = mlirplug_run("doctor", "--provider=sahred");
  expect_exit(&result, 1);
  expect_line(result.output, LINE("To do: did you mean 'shared'?"));
  command_release(&result);
  result = mlirplug_run("doctor", "--provider=other");
  expect_exit(&result, 1);
  expect_line(result.output, LINE("1. ", "'other'",
                                  "no provider has this "
                                  "name"));
  command_release(&result);
}

Test(doctor, is_no_other_than_opt_about_a_provider_that_is_cut_short) {
  struct command_result result =
      mlirplug_shell("head -c 1000000 " STATIC " >%s/mlir.so; $MLIRPLUG opt "
                     "--provider=%s/mlir.so " TWICE,
                     marks, marks);
  expect_refusal(&result, 1);
  expect_line(result.errors, LINE("cannot attach the provider", "/mlir.so",
                                  "shorter than its headers"));
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Around it
//===----------------------------------------------------------------------===//

Test(doctor, has_help_that_tells_its_exit_status) {
  struct command_result result = mlirplug_run("help", "doctor");
  expect_silent_success(&result);
  expect_contains(result.output, "a problem is exit status 1");
  static const char *const options[] = {
      "--plugin-dir",  "--load-pass-plugin", "--no-default-plugins",
      "--trust=any",   "--provider",         "--json",
      "--plugin-debug"};
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
    expect_contains(result.output, options[i]);
  expect_lacks(result.output, "--pass-pipeline");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Signatures, the configuration, the environment
//===----------------------------------------------------------------------===//

/// With a user's policy and keys, both broken.
Test(doctor, reports_the_rest_where_policies_and_keys_are_broken) {
  struct command_result result = mlirplug_shell(
      "cd %s && mkdir -p mlirplug/keys && echo '{' >mlirplug/policy.json && "
      "echo x >mlirplug/keys/x.pub && export XDG_CONFIG_HOME=$PWD && "
      "$MLIRPLUG doctor --json --plugin-dir=$PWD --require-signature "
      "--key-dir=/nowhere",
      directory);
  expect_exit(&result, 1);
  expect_text(result.errors, "");
  json_t *report = report_read(&result);
  expect_problem(report, "/policy.json", "policy", "it is no JSON", "correct");
  expect_problem(report, "/x.pub", "keys", "first line", "copy the .pub");
  expect_problem(report, "/nowhere", "keys", "No such file", "directory");
  cr_expect_eq(problem_count(report), 3);
  entry_of(report, "plugins", "path", "/one.so");
  cr_expect(is_true(entry_of(report, "providers", "name", "static"), "usable"));
  const json_t *policy = entry_of(report, "signatures", "path",
                                  in_directory("mlirplug/policy.json"));
  expect_text(string_of(policy, "kind"), "policy");
  cr_expect(is_true(policy, "exists") && !is_true(policy, "usable"));
  json_decref(report);
  command_release(&result);
}

Test(doctor, shows_what_is_in_force) {
  struct command_result result = mlirplug_shell(
      "cd %s && mkdir -p mlirplug/keys && "
      "echo '{\"require-signature\": true}' >mlirplug/policy.json && "
      "echo '{}' >mlirplug.json && XDG_CONFIG_HOME=$PWD XDG_CACHE_HOME=/cache "
      "HOME=/home/x " COMMAND_WITH_DEFAULTS
      " doctor --config=mlirplug.json --no-default-plugins",
      directory);
  expect_exit(&result, 0);
  expect_line(result.output,
              LINE("policy", in_directory("mlirplug/policy.json"),
                   "demands signatures"));
  expect_line(result.output,
              LINE("keys", in_directory("mlirplug/keys"), ": 0"));
  expect_contains(result.output, "\n  keys   /etc/mlirplug/keys: ");
  expect_contains(result.output, "\n  cache /cache/mlirplug\n");
  expect_line(result.output, LINE(in_directory("mlirplug.json")));
  expect_contains(result.output, "\n  HOME=/home/x\n");
  expect_contains(result.output, "\n  LD_PRELOAD is not set\n");
  command_release(&result);
}

Test(doctor, says_each_thing_once) {
  struct command_result result = mlirplug_shell(
      "cd %s && mkdir other && cp one.so other && "
      "$MLIRPLUG doctor --load-pass-plugin=one.so --plugin-dir=other "
      "--plugin-dir=$PWD/other",
      directory);
  expect_exit(&result, 1);
  const char *problems = strstr(result.output, "\nProblems (1):");
  cr_assert(problems, "%s", result.output);
  expect_line(problems, LINE("1. cannot add plugin", "/other/one.so"));
  expect_line(problems, LINE("To do: use one of the two files: remove the "
                             "other, or do not search its directory "
                             "(--no-default-plugins)"));
  command_release(&result);
}

Test(doctor, trusts_anything_when_told_to) {
  struct command_result result = mlirplug_shell(
      "chmod 666 %s/two.so; $MLIRPLUG doctor --trust=any --plugin-dir=%s",
      directory, directory);
  expect_silent_success(&result);
  expect_line(strstr(result.output, "\nWarnings:"),
              LINE("trust is off", in_directory("two.so")));
  command_release(&result);
}

Test(doctor, says_what_it_decides) {
  struct command_result result =
      mlirplug_run("doctor", "--plugin-debug", "--plugin-dir", directory);
  expect_exit(&result, 0);
  expect_line(result.errors, LINE("debug: searching", directory));
  command_release(&result);
}
