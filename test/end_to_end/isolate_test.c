// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugin passes in processes of their own (--isolate): whatever one does is an
// error of its input, and what it is for comes out as without.

#include "run.h"

#include <stdlib.h>
#include <string.h>

#define FAULT LOAD(MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/fault.so")
#define PIPELINE(kind)                                                         \
  "--pass-pipeline='builtin.module(cse,func.func(cse,fault{kind=" kind         \
  "},canonicalize))'"

static const char bad_input[] = "module {\n"
                                "  func.func @good(%a: i32) -> i32 {\n"
                                "    return %a : i32\n"
                                "  }\n"
                                "  func.func @bad(%a: i32) -> i32 {\n"
                                "    return %a : i32\n"
                                "  }\n"
                                "}\n";
static const char good_input[] = "module {\n"
                                 "  func.func @fine() {\n"
                                 "    return\n"
                                 "  }\n"
                                 "}\n";

/// The directory of a test, with bad.mlir and good.mlir in it.
static char *place_create(void) {
  char *directory = directory_create();
  file_write(path_in(directory, "bad.mlir"), bad_input, strlen(bad_input));
  file_write(path_in(directory, "good.mlir"), good_input, strlen(good_input));
  return directory;
}

static struct command_result
faulty_run(const char *directory, const char *options, const char *pipeline) {
  return mlirplug_shell("cd '%s' && TMPDIR='%s' $MLIRPLUG opt " FAULT
                        " --isolate %s %s bad.mlir good.mlir",
                        directory, directory, options, pipeline);
}

/// The path behind "--run-reproducer ", to be freed.
static char *reproducer_of(const char *errors) {
  static const char mark[] = "note: to run it again: mlirplug opt "
                             "--run-reproducer ";
  const char *found = strstr(errors, mark);
  cr_assert(found, "no reproducer in:\n%s", errors);
  found += strlen(mark);
  return strndup(found, strcspn(found, "\n"));
}

/// One error, at `place`, which says `what`; good.mlir has come through; and
/// the reproducer says the same again.
static void expect_contained(const char *kind_pipeline, const char *options,
                             const char *place, const char *what) {
  char *directory = place_create();
  struct command_result result = faulty_run(directory, options, kind_pipeline);
  expect_exit(&result, 1);
  expect_text(result.output, "module {\n  func.func @fine() {\n    return\n"
                             "  }\n}\n\n");
  char line[4096];
  (void)snprintf(line, sizeof line,
                 "%s: error: pass 'fault' of plugin 'org.mlirplug.test.fault' "
                 "1.2.0 (" MLIRPLUG_BUILD_DIRECTORY
                 "/test/plugins/pass/fault.so) %s\n",
                 place, what);
  cr_assert(strncmp(result.errors, line, strlen(line)) == 0,
            "found:\n%s\nexpected:\n%s", result.errors, line);
  cr_assert(!strstr(result.errors + strlen(line), "error:"), "found:\n%s",
            result.errors);
  char *reproducer = reproducer_of(result.errors);
  char *text = file_content(reproducer);
  expect_contains(text, "func.func @bad(");
  expect_contains(text, "mlir_reproducer: {");
  expect_contains(text, "builtin.module(func.func(fault");
  struct command_result again =
      mlirplug_shell("TMPDIR='%s' $MLIRPLUG opt --isolate %s --run-reproducer "
                     "'%s'",
                     directory, options, reproducer);
  expect_exit(&again, 1);
  expect_contains(again.errors, what);
  command_release(&again);
  command_release(&result);
  free(text);
  free(reproducer);
  free(directory);
}

#define IN_BAD "bad.mlir:5:3"
#define IN_ALL "bad.mlir:1:1"

Test(an_isolated_pass, that_faults_is_an_error) {
  expect_contained(PIPELINE("segment"), "", IN_BAD, "crashed (SIGSEGV)");
}

Test(an_isolated_pass, that_aborts_is_an_error) {
  expect_contained(PIPELINE("abort"), "", IN_BAD, "crashed (SIGABRT)");
}

Test(an_isolated_pass, that_needs_too_much_stack_is_an_error) {
  expect_contained(PIPELINE("overflow"), "", IN_BAD, "crashed (SIGSEGV)");
  expect_contained(PIPELINE("overflow"), "--mlir-disable-threading", IN_BAD,
                   "crashed (SIGSEGV)");
}

Test(an_isolated_pass, that_exits_is_an_error) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers have an exit status of their own");
#endif
  expect_contained(PIPELINE("exit"), "", IN_BAD,
                   "ended the process with exit status 3");
}

Test(an_isolated_pass, that_exits_at_once_is_an_error) {
  expect_contained(PIPELINE("exit-at-once"), "", IN_ALL,
                   "ended the process with exit status 0");
}

Test(an_isolated_pass, that_is_killed_is_an_error) {
  expect_contained(PIPELINE("kill"), "", IN_ALL,
                   "was killed (SIGKILL), as the system does when memory runs "
                   "out");
}

Test(an_isolated_pass, that_uses_up_its_memory_is_an_error) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers need all address space there is");
#endif
  expect_contained(PIPELINE("memory"), "--isolate-memory=1024", IN_BAD,
                   "had no memory left (the limit is 1024 MiB) and crashed "
                   "(SIGSEGV)");
}

Test(an_isolated_pass, that_has_no_room_for_mlir_says_so) {
#ifdef MLIRPLUG_SANITIZED
  cr_skip_test("sanitizers need all address space there is");
#endif
  struct command_result result =
      mlirplug_shell("$MLIRPLUG opt " FAULT " --isolate --isolate-memory=100 "
                     "--fault " TWICE);
  expect_exit(&result, 1);
  expect_contains(result.errors, "cannot be isolated: cannot ");
  expect_contains(result.errors, "failed to map segment");
  command_release(&result);
}

Test(an_isolated_pass, that_llvm_gives_up_on_is_an_error) {
  expect_contained(PIPELINE("fatal"), "", IN_BAD,
                   "ended in a fatal error of LLVM: Can't add pass 'lost' "
                   "restricted to 'func.func' on a PassManager intended to run "
                   "on 'builtin.module', did you intend to nest?");
}

Test(an_isolated_pass, that_hangs_is_an_error) {
  expect_contained(PIPELINE("hang"), "--pass-timeout=0.5", IN_BAD,
                   "took longer than 0.5 s and was stopped");
}

Test(an_isolated_pass, that_writes_to_descriptors_of_others_is_an_error) {
  expect_contained(PIPELINE("scribble"), "", IN_ALL,
                   "wrote to descriptors that are not its own, and was "
                   "stopped");
}

Test(an_isolated_pass, that_does_not_even_begin_is_an_error) {
  char *directory = place_create();
  struct command_result result =
      mlirplug_shell("cd '%s' && TMPDIR='%s' $MLIRPLUG opt " FAULT
                     " --isolate --fault-initialize bad.mlir",
                     directory, directory);
  expect_exit(&result, 1);
  expect_contains(result.errors,
                  "bad.mlir:1:1: error: pass 'fault-initialize' of ");
  expect_contains(result.errors, " crashed (SIGABRT)\n");
  command_release(&result);
  free(directory);
}

Test(an_isolated_pass, leaves_no_process_behind) {
  char *directory = place_create();
  struct command_result result = mlirplug_shell(
      "cd '%s' && timeout 20 $MLIRPLUG opt " FAULT
      " --isolate " PIPELINE("leave-child") " bad.mlir; echo ended $?; "
                                            "pgrep -g 0 -f isolated-pass",
      directory);
  expect_contains(result.output, "ended 0\n");
  expect_text(result.errors, "");
  command_release(&result);
  // A descriptor of the child that was left would have kept the shell waiting.
  free(directory);
}

Test(an_isolated_pass, ends_with_the_command) {
  char *directory = place_create();
  struct command_result result = mlirplug_shell(
      "cd '%s' && { $MLIRPLUG opt " FAULT " --isolate " PIPELINE(
          "hang") " bad.mlir & parent=$!; child=; "
                  "runs() { grep -q '^State:.[RSD]' /proc/$child/status; }; "
                  "while [ -z \"$child\" ]; do "
                  "sleep 0.1; child=$(pgrep -P $parent); done; "
                  "sleep 0.5; runs && echo runs; kill -9 $parent; "
                  "for i in 1 2 3 4 5 6 7 8 9 10; do runs || break; "
                  "sleep 0.1; done; runs || echo gone; } 2>/dev/null",
      directory);
  expect_text(result.output, "runs\ngone\n");
  command_release(&result);
  free(directory);
}

Test(an_isolated_pass, says_and_does_what_it_would_without) {
  char *directory = place_create();
  static const char *const options[] = {"", "--mlir-disable-threading",
                                        "--verify-each=0"};
  for (size_t i = 0; i < 3; ++i) {
    struct command_result isolated = mlirplug_shell(
        "cd '%s' && $MLIRPLUG opt " FAULT " --isolate %s --fault-tell "
        "--mlir-print-op-generic --records=r1 good.mlir bad.mlir",
        directory, options[i]);
    struct command_result usual = mlirplug_shell(
        "cd '%s' && $MLIRPLUG opt " FAULT " %s --fault-tell "
        "--mlir-print-op-generic --records=r2 good.mlir bad.mlir",
        directory, options[i]);
    expect_exit(&isolated, 1);
    expect_contains(isolated.output, "seen");
    expect_text(isolated.output, usual.output);
    expect_text(isolated.errors, usual.errors);
    expect_contains(isolated.errors, "good.mlir:2:3: warning: seen\n");
    expect_contains(isolated.errors, "good.mlir:2:3: note: by fault-tell\n");
    expect_contains(isolated.errors, "bad.mlir:5:3: error: this is bad\n");
    char *records = file_content(path_in(directory, "r1"));
    expect_file(records, path_in(directory, "r2"));
    expect_contains(records, "{\"file\": \"good.mlir\", \"pass\": "
                             "\"fault-tell\", \"n\": 1}\n");
    free(records);
    command_release(&isolated);
    command_release(&usual);
  }
  free(directory);
}

Test(an_isolated_pass, counts_its_statistics) {
  char *directory = place_create();
  struct command_result result = mlirplug_shell(
      "cd '%s' && $MLIRPLUG opt " FAULT " --isolate --fault-tell "
      "--mlir-pass-statistics good.mlir bad.mlir",
      directory);
  expect_exit(&result, 1);
  expect_contains(result.errors, "(S) 3 functions");
  command_release(&result);
  free(directory);
}

Test(isolated_passes, change_kernels_as_others_do, .timeout = 240) {
  static const char *const kinds[] = {"", "--isolate"};
  struct command_result results[2];
  for (size_t i = 0; i < 2; ++i)
    results[i] = mlirplug_shell(
        "$MLIRPLUG opt " LOAD(EXAMPLE("add-to-mul")) " " LOAD(
            EXAMPLE("op-count")) " %s '--pass-pipeline=builtin.module(cse,"
                                 "func.func(op-count),func.func("
                                 "canonicalize,add-to-mul,cse))' " KERNELS,
        kinds[i]);
  // Four kernels cannot be parsed.
  expect_exit(&results[0], 1);
  expect_exit(&results[1], 1);
  expect_text(results[1].output, results[0].output);
  expect_text(results[1].errors, results[0].errors);
  cr_expect(strlen(results[0].output) > 10000);
  command_release(&results[0]);
  command_release(&results[1]);
}

Test(isolate_options, that_make_no_sense_are_refused) {
  struct command_result result = mlirplug_run("opt", "--pass-timeout=0", TWICE);
  expect_refusal(&result, 2);
  expect_contains(result.errors, "'--pass-timeout' is '0'; expected a number "
                                 "of seconds, such as 10 or 0.5");
  command_release(&result);
  result = mlirplug_run("opt", "--isolate", "--isolate-memory=much", TWICE);
  expect_refusal(&result, 2);
  expect_contains(result.errors, "'--isolate-memory' is 'much'; expected a "
                                 "number of MiB, such as 4096");
  command_release(&result);
  result = mlirplug_run("opt", "--isolate-memory=100", TWICE);
  expect_refusal(&result, 2);
  expect_contains(result.errors, "give --isolate, too");
  command_release(&result);
}

Test(isolated_pass_command, is_for_no_user) {
  struct command_result result = command_shell(
      MLIRPLUG_BUILD_DIRECTORY "/bin/mlirplug isolated-pass </dev/null");
  expect_refusal(&result, 2);
  expect_contains(result.errors, "use 'mlirplug opt --isolate'");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Without --isolate
//===----------------------------------------------------------------------===//

static struct command_result unisolated_run(const char *directory,
                                            const char *kind) {
  return mlirplug_shell("cd '%s' && $MLIRPLUG opt " FAULT
                        " --pass-timeout=0.3 '--pass-pipeline=builtin.module("
                        "func.func(fault{kind=%s}))' bad.mlir good.mlir",
                        directory, kind);
}

#define LATE                                                                   \
  "pass 'fault' of plugin 'org.mlirplug.test.fault' "                          \
  "1.2.0 (" MLIRPLUG_BUILD_DIRECTORY                                           \
  "/test/plugins/pass/fault.so) takes longer than 0.3 s (--pass-timeout) on "  \
  "'bad.mlir' and is asked to end\n"

Test(pass_timeout, names_the_pass_and_lets_the_others_go_on) {
  char *directory = place_create();
  struct command_result result = unisolated_run(directory, "slow");
  expect_exit(&result, 1);
  expect_contains(result.errors, LATE);
  expect_contains(result.output, "func.func @fine()");
  command_release(&result);
  free(directory);
}

Test(pass_timeout, ends_the_command_if_nothing_else_helps) {
  char *directory = place_create();
  struct command_result result = unisolated_run(directory, "hang");
  expect_exit(&result, 1);
  expect_contains(result.errors, LATE);
  expect_contains(result.errors, "it does not end, so the command does; "
                                 "--isolate stops such a pass and goes on\n");
  expect_text(result.output, "");
  command_release(&result);
  free(directory);
}

Test(pass_timeout, is_no_matter_of_passes_that_are_done) {
  struct command_result result =
      mlirplug_run("opt", LOAD(EXAMPLE("op-count")), "--op-count",
                   "--pass-timeout=20", TWICE);
  expect_exit(&result, 0);
  expect_lacks(result.errors, "takes longer");
  command_release(&result);
}
