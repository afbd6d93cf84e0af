// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reproducers: written when a run fails, run again by us and by mlir-opt.

#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FORBID EXAMPLE("forbid")
#define CRASH MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/crash.so"
#define FAULT MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/fault.so"
#define MLIR_OPT "mlir-opt-22"

static const char additions[] = "func.func @f(%x: i32) -> i32 {\n"
                                "  %0 = arith.addi %x, %x : i32\n"
                                "  %1 = arith.addi %x, %x : i32\n"
                                "  %2 = arith.muli %0, %1 : i32\n"
                                "  return %2 : i32\n"
                                "}\n";

/// A new directory with additions.mlir in it, and case 07 as input.mlir.
static char *directory_make(void) {
  char *directory = directory_create();
  file_write(path_in(directory, "additions.mlir"), additions,
             strlen(additions));
  char *forbidden = file_content(FORBIDDEN);
  file_write(path_in(directory, "input.mlir"), forbidden, strlen(forbidden));
  free(forbidden);
  return directory;
}

/// The file r.mlir in `directory`, to be freed.
static char *written(const char *directory) {
  return file_content(path_in(directory, "r.mlir"));
}

#define FAILING                                                                \
  "cd %s && $MLIRPLUG opt " LOAD(FORBID) " " LOAD(                             \
      SHIPPED("op-histogram")) " --pass-pipeline='builtin.module(forbid,op-"   \
                               "histogram)' input.mlir "                       \
                               "--mlir-pass-pipeline-crash-reproducer=r.mlir"

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Test(reproducers, are_written_when_a_pass_fails) {
  char *directory = directory_make();
  struct command_result result = mlirplug_shell(FAILING, directory);
  expect_exit(&result, 1);
  expect_text(result.output, "");
  expect_text(
      result.errors,
      "input.mlir:4:10: error: operation is marked forbidden\n"
      "    %0 = arith.addi %a, %a {forbidden} : i32\n"
      "         ^\n"
      "input.mlir:1:1: error: Failures have been detected while processing an "
      "MLIR pass pipeline\n"
      "module {\n"
      "^\n"
      "input.mlir:1:1: note: Pipeline failed while executing [`forbid` on "
      "'builtin.module' operation]: reproducer generated at `r.mlir`\n");
  char *text = written(directory);
  expect_contains(text, "arith.addi %arg0, %arg0 {forbidden}");
  expect_contains(text, "pipeline: \"builtin.module(forbid,op-histogram)\"");
  expect_contains(text, "plugin_0_id: \"org.example.forbid\"");
  expect_contains(text, "plugin_0_version: \"1.0.0\"");
  expect_contains(text, "plugin_0_path: \"" FORBID "\"");
  expect_contains(text, "plugin_0_blake2b: \"");
  expect_contains(text, "plugin_1_id: \"org.mlirplug.op-histogram\"");
  free(text);
  command_release(&result);
  result = command_shell("cd %s && grep -o \"$(b2sum <" FORBID
                         " | cut -d' ' -f1)\" r.mlir | wc -l",
                         directory);
  expect_text(result.output, "1\n");
  command_release(&result);
  free(directory);
}

Test(reproducers, are_not_written_when_all_is_well) {
  char *directory = directory_make();
  struct command_result result =
      mlirplug_shell("cd %s && $MLIRPLUG opt --cse additions.mlir -o /dev/null "
                     "--mlir-pass-pipeline-crash-reproducer=r.mlir",
                     directory);
  expect_silent_success(&result);
  cr_expect_not(file_exists(path_in(directory, "r.mlir")));
  command_release(&result);
  free(directory);
}

Test(reproducers, of_the_failing_pass_alone_if_asked_for) {
  char *directory = directory_make();
  struct command_result result =
      mlirplug_shell(FAILING " --mlir-pass-pipeline-local-reproducer "
                             "--mlir-disable-threading",
                     directory);
  expect_exit(&result, 1);
  expect_contains(result.errors,
                  "note: Pipeline failed while executing `forbid` on "
                  "'builtin.module' operation: reproducer generated at "
                  "`r.mlir`\n");
  char *text = written(directory);
  expect_contains(text, "pipeline: \"builtin.module(forbid)\"");
  expect_contains(text, "disable_threading: true");
  expect_contains(text, "plugin_0_");
  expect_lacks(text, "plugin_1_");
  free(text);
  command_release(&result);
  free(directory);
}

Test(reproducers, of_one_pass_need_a_single_thread) {
  char *directory = directory_make();
  struct command_result result = mlirplug_shell(
      FAILING " --mlir-pass-pipeline-local-reproducer", directory);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "--mlir-disable-threading");
  command_release(&result);
  free(directory);
}

Test(reproducers, are_written_when_a_pass_crashes) {
#ifdef MLIRPLUG_SANITIZED
  return;
#endif
  static const char *const passes[] = {"fault", "abort", "send", "overflow"};
  for (size_t i = 0; i < sizeof passes / sizeof *passes; ++i) {
    char *directory = directory_make();
    struct command_result result = command_shell(
        "cd %s && " COMMAND_MLIRPLUG
        " opt " LOAD(CRASH) " --cse --crash-%s additions.mlir "
                            "--mlir-pass-pipeline-crash-reproducer=r.mlir",
        directory, passes[i]);
    cr_expect(result.exit_code > 128 || result.signal, "%s", result.errors);
    expect_contains(result.errors,
                    "mlirplug: reproducer generated at 'r.mlir'\n");
    char *text = written(directory);
    expect_contains(text, "arith.addi %arg0, %arg0");
    expect_contains(text, "plugin_0_path: \"" CRASH "\"");
    free(text);
    command_release(&result);
    result = command_shell(
        "cd %s && " COMMAND_MLIRPLUG " opt --run-reproducer r.mlir", directory);
    cr_expect(result.exit_code > 128 || result.signal, "%s", result.errors);
    expect_contains(result.errors, "crash");
    command_release(&result);
    free(directory);
  }
}

Test(reproducers, are_written_when_a_pass_ends_the_command, .timeout = 60) {
#ifdef MLIRPLUG_SANITIZED
  return;
#endif
  static const struct {
    const char *kind, *before;
  } ways[] = {{"exit", ""}, {"hang", ""}, {"hang", "timeout -s INT 1"}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    char *directory = directory_make();
    // Functions called bad… end the process.
    struct command_result result = command_shell(
        "cd %s && sed -i s/@f/@bad/ additions.mlir && %s " COMMAND_MLIRPLUG
        " opt " LOAD(FAULT) " %s additions.mlir --pass-pipeline="
                            "'builtin.module(func.func(fault{kind=%s}))' "
                            "--mlir-pass-pipeline-crash-reproducer=r.mlir",
        directory, ways[i].before, *ways[i].before ? "" : "--pass-timeout=0.3",
        ways[i].kind);
    cr_expect_neq(result.exit_code, 0);
    expect_contains(result.errors,
                    "mlirplug: reproducer generated at 'r.mlir'\n");
    char *text = written(directory);
    expect_contains(text, "plugin_0_path: \"" FAULT "\"");
    free(text);
    command_release(&result);
    free(directory);
  }
}

Test(reproducers, that_a_crash_cannot_write_are_said) {
#ifdef MLIRPLUG_SANITIZED
  return;
#endif
  char *directory = directory_make();
  struct command_result result = command_shell(
      "cd %s && " COMMAND_MLIRPLUG
      " opt " LOAD(CRASH) " --crash-fault additions.mlir "
                          "--mlir-pass-pipeline-crash-reproducer=no/r.mlir",
      directory);
  cr_expect(result.exit_code > 128 || result.signal, "%s", result.errors);
  expect_contains(result.errors, "mlirplug: cannot write the reproducer "
                                 "'no/r.mlir': No such file or directory\n");
  command_release(&result);
  free(directory);
}

Test(reproducers, need_no_crash) {
  char *directory = directory_make();
  struct command_result result =
      mlirplug_shell("cd %s && $MLIRPLUG opt --cse additions.mlir "
                     "--mlir-generate-reproducer=r.mlir",
                     directory);
  expect_silent_success(&result);
  struct command_result again = mlirplug_shell(
      "cd %s && $MLIRPLUG opt --run-reproducer r.mlir", directory);
  expect_silent_success(&again);
  expect_text(again.output, result.output);
  command_release(&again);
  command_release(&result);
  free(directory);
}

Test(reproducers, can_go_to_standard_output) {
  char *directory = directory_make();
  struct command_result result = mlirplug_shell(
      "cd %s && $MLIRPLUG opt --cse additions.mlir -o /dev/null "
      "--mlir-generate-reproducer=- | $MLIRPLUG opt --run-reproducer",
      directory);
  expect_silent_success(&result);
  expect_contains(result.output, "arith.muli");
  command_release(&result);
  free(directory);
}

Test(reproducers, that_cannot_be_written_are_said) {
  char *directory = directory_make();
  struct command_result result =
      mlirplug_shell("cd %s && $MLIRPLUG opt --cse additions.mlir "
                     "--mlir-generate-reproducer=no/r.mlir",
                     directory);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "cannot write the reproducer 'no/r.mlir'");
  command_release(&result);
  free(directory);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The reproducer of FAILING in a new directory.
static char *failure_make(void) {
  char *directory = directory_make();
  struct command_result result = mlirplug_shell(FAILING, directory);
  expect_exit(&result, 1);
  command_release(&result);
  return directory;
}

/// Changes r.mlir in `directory` by an expression of sed.
static void reproducer_change(const char *directory, const char *expression) {
  struct command_result result =
      command_shell("cd %s && sed -i '%s' r.mlir", directory, expression);
  expect_exit(&result, 0);
  command_release(&result);
}

static struct command_result replay(const char *directory,
                                    const char *arguments) {
  return mlirplug_shell("cd %s && $MLIRPLUG opt --run-reproducer r.mlir %s",
                        directory, arguments);
}

Test(replaying, loads_the_plugins_by_itself) {
  char *directory = failure_make();
  struct command_result result = replay(directory, "");
  expect_exit(&result, 1);
  expect_text(result.output, "");
  expect_text(result.errors,
              "r.mlir:6:10: error: operation is marked forbidden\n"
              "    %0 = arith.addi %arg0, %arg0 {forbidden} : i32\n"
              "         ^\n");
  command_release(&result);
  result = mlirplug_shell("cd %s && $MLIRPLUG opt --run-reproducer - <r.mlir",
                          directory);
  expect_exit(&result, 1);
  expect_contains(result.errors, "operation is marked forbidden");
  command_release(&result);
  free(directory);
}

Test(replaying, names_what_is_missing_and_where_it_looked) {
  char *directory = failure_make();
  reproducer_change(directory, "s,/examples/forbid.so,/gone/forbid.so,");
  struct command_result result = replay(directory, "");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "cannot replay 'r.mlir': it needs the plugin "
                                 "'org.example.forbid' 1.0.0");
  expect_contains(result.errors, "/gone/forbid.so': No such file");
  expect_contains(result.errors, "'./forbid.so': No such file");
  expect_contains(result.errors, "--load-pass-plugin=FILE");
  command_release(&result);
  result = replay(directory, LOAD(FORBID));
  expect_exit(&result, 1);
  expect_contains(result.errors, "operation is marked forbidden");
  command_release(&result);
  free(directory);
}

Test(replaying, takes_plugins_that_lie_beside) {
  char *directory = failure_make();
  reproducer_change(directory, "s,/examples/forbid.so,/gone/forbid.so,");
  struct command_result result =
      command_shell("cp " FORBID " %s && chmod 755 %s %s/forbid.so", directory,
                    directory, directory);
  expect_exit(&result, 0);
  command_release(&result);
  result = replay(directory, "");
  expect_exit(&result, 1);
  expect_contains(result.errors, "operation is marked forbidden");
  expect_lacks(result.errors, "warning");
  command_release(&result);
  free(directory);
}

Test(replaying, trusts_plugins_no_more_than_others_that_are_found) {
  char *directory = failure_make();
  reproducer_change(directory, "s,/examples/forbid.so,/gone/forbid.so,");
  struct command_result result = command_shell(
      "cp " FORBID " %s && chmod 777 %s/forbid.so", directory, directory);
  command_release(&result);
  result = replay(directory, "");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "cannot trust the plugin");
  command_release(&result);
  result = replay(directory, "--trust=any");
  expect_exit(&result, 1);
  expect_contains(result.errors, "operation is marked forbidden");
  command_release(&result);
  free(directory);
}

Test(replaying, warns_of_plugins_that_have_changed) {
  char *directory = failure_make();
  reproducer_change(directory, "s,plugin_0_blake2b: \"..,&ff,");
  struct command_result result = replay(directory, "");
  expect_exit(&result, 1);
  expect_contains(result.errors,
                  "warning: the plugin '" FORBID
                  "' is not the file that 'r.mlir' was made with");
  expect_contains(result.errors, "operation is marked forbidden");
  command_release(&result);
  reproducer_change(directory, "s,0_version: \"1.0.0,0_version: \"0.9,");
  result = replay(directory, "");
  expect_contains(result.errors,
                  "is version 1.0.0 of org.example.forbid; 'r.mlir' was made "
                  "with 0.9");
  command_release(&result);
  free(directory);
}

Test(replaying, keeps_the_settings_of_the_run) {
  char *directory = directory_make();
  static const char unknown[] = "\"nobody.knows\"() : () -> ()\n";
  file_write(path_in(directory, "u.mlir"), unknown, strlen(unknown));
  struct command_result result = mlirplug_shell(
      "cd %s && $MLIRPLUG opt --allow-unregistered-dialect --verify-each=false "
      "--mlir-disable-threading --cse u.mlir "
      "--mlir-generate-reproducer=r.mlir",
      directory);
  expect_silent_success(&result);
  char *text = written(directory);
  expect_contains(text, "disable_threading: true");
  expect_contains(text, "verify_each: false");
  free(text);
  struct command_result again = replay(directory, "");
  expect_silent_success(&again);
  expect_text(again.output, result.output);
  command_release(&again);
  command_release(&result);
  free(directory);
}

Test(replaying, runs_further_passes_behind) {
  char *directory = directory_make();
  struct command_result result = mlirplug_shell(
      "cd %s && $MLIRPLUG opt additions.mlir --mlir-generate-reproducer=r.mlir "
      "--pass-pipeline='builtin.module(func.func(cse))' -o /dev/null",
      directory);
  expect_silent_success(&result);
  command_release(&result);
  static const char *const further[] = {
      "", "--convert-arith-to-llvm --canonicalize",
      "--pass-pipeline='builtin.module(func.func(convert-arith-to-llvm))'"};
  for (size_t i = 0; i < sizeof further / sizeof *further; ++i) {
    result = replay(directory, further[i]);
    expect_silent_success(&result);
    struct command_result known =
        mlirplug_shell("cd %s && $MLIRPLUG opt --cse additions.mlir | "
                       "$MLIRPLUG opt %s",
                       directory, further[i]);
    expect_silent_success(&known);
    expect_text(result.output, known.output);
    command_release(&known);
    command_release(&result);
  }
  result = replay(directory, "--pass-pipeline='func.func(cse)'");
  expect_refusal(&result, 1);
  command_release(&result);
  free(directory);
}

Test(replaying, takes_one_input_that_says_what_to_run) {
  char *directory = directory_make();
  struct command_result result = mlirplug_shell(
      "cd %s && $MLIRPLUG opt --run-reproducer additions.mlir input.mlir",
      directory);
  expect_refusal(&result, 2);
  command_release(&result);
  result = mlirplug_shell("cd %s && $MLIRPLUG opt --run-reproducer "
                          "--split-input-file additions.mlir",
                          directory);
  expect_refusal(&result, 2);
  command_release(&result);
  result = mlirplug_shell(
      "cd %s && $MLIRPLUG opt --run-reproducer additions.mlir", directory);
  expect_exit(&result, 0);
  expect_contains(result.output, "func.func @f");
  expect_contains(result.errors, "'additions.mlir' is no reproducer");
  command_release(&result);
  free(directory);
}

//===----------------------------------------------------------------------===//
// Together with mlir-opt
//===----------------------------------------------------------------------===//

Test(replaying, works_in_mlir_opt_with_what_we_have_written) {
  char *directory = directory_make();
  struct command_result result =
      mlirplug_shell("cd %s && $MLIRPLUG opt --cse additions.mlir "
                     "--mlir-generate-reproducer=r.mlir",
                     directory);
  expect_silent_success(&result);
  struct command_result theirs =
      command_shell("cd %s && " MLIR_OPT " --run-reproducer r.mlir", directory);
  expect_exit(&theirs, 0);
  // What follows is our part of the reproducer, which it hands through.
  char *end = strstr(theirs.output, "{-#");
  cr_assert(end, "%s", theirs.output);
  *end = '\0';
  expect_text(theirs.output, result.output);
  command_release(&theirs);
  command_release(&result);
  free(directory);
}

Test(replaying, works_with_what_mlir_opt_has_written) {
  static const char *const pipelines[] = {
      "builtin.module(cse,transform-interpreter,canonicalize)",
      "builtin.module(func.func(canonicalize{max-iterations=3},"
      "transform-interpreter))",
  };
  for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; ++i) {
    char *directory = directory_make();
    struct command_result theirs = command_shell(
        "cd %s && " MLIR_OPT " additions.mlir --pass-pipeline='%s' "
        "--mlir-pass-pipeline-crash-reproducer=r.mlir",
        directory, pipelines[i]);
    expect_exit(&theirs, 1);
    command_release(&theirs);
    theirs = command_shell("cd %s && " MLIR_OPT " --run-reproducer r.mlir",
                           directory);
    struct command_result ours = replay(directory, "");
    cr_expect_eq(ours.exit_code, theirs.exit_code);
    expect_text(ours.output, theirs.output);
    expect_text(ours.errors, theirs.errors);
    command_release(&theirs);
    command_release(&ours);
    free(directory);
  }
}
