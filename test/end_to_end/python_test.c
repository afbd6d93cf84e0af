// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes in .py files: they say and do what the same passes in C do. Which
// Python runs them is python_choice_test.c's affair.

#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PYTHON(name)                                                           \
  LOAD(MLIRPLUG_SOURCE_DIRECTORY "/examples/python/" name ".py")
#define TESTED(name)                                                           \
  LOAD(MLIRPLUG_SOURCE_DIRECTORY "/test/python/passes/" name ".py")
#define C(name) LOAD(EXAMPLE(name))
#define STATE COMMAND_CASES "/05-instance-state/input.mlir"
#define ERASE COMMAND_CASES "/09-erase-safely/input.mlir"

/// Passes cannot be tried where there is no Python for them.
static void skip_without_python(void) {
  command_forgive_leaks();
  struct command_result result = mlirplug_run("list", MLIRPLUG_SOURCE_DIRECTORY
                                              "/examples/python/totals.py");
  bool is_there = result.exit_code == 0;
  bool is_missing = strstr(result.errors, "python3 is on PATH") ||
                    strstr(result.errors, "without a shared libpython") ||
                    strstr(result.errors, "not a shared library");
  cr_assert(is_there || is_missing, "%s", result.errors);
  if (is_missing)
    cr_skip_test("no Python with a shared libpython");
  command_release(&result);
}

TestSuite(a_pass_in_python, .init = skip_without_python);

/// Both say the same and end in the same way.
static void expect_same(const char *c, const char *python) {
  struct command_result of_c = mlirplug_shell("$MLIRPLUG opt %s", c);
  struct command_result of_python = mlirplug_shell("$MLIRPLUG opt %s", python);
  expect_text(of_python.output, of_c.output);
  expect_text(of_python.errors, of_c.errors);
  expect_exit(&of_python, of_c.exit_code);
  command_release(&of_c);
  command_release(&of_python);
}

#define SAME(name, file, options)                                              \
  expect_same(C(name) " " options, PYTHON(file) " " options)

//===----------------------------------------------------------------------===//
// The same as in C
//===----------------------------------------------------------------------===//

Test(a_pass_in_python, rewrites_as_one_in_c_does) {
  struct command_result result =
      mlirplug_run("opt", PYTHON("add_to_mul"), "--add-to-mul", ADD_TO_MUL);
  expect_silent_success(&result);
  expect_file(result.output, COMMAND_CASES "/04-add-to-mul/expected.mlir");
  command_release(&result);
  SAME("add-to-mul", "add_to_mul",
       "--add-to-mul --mlir-print-debuginfo " ADD_TO_MUL);
  SAME("add-to-mul", "add_to_mul",
       "--add-to-mul --add-to-mul --verify-each " ADD_TO_MUL);
}

Test(a_pass_in_python, fails_as_one_in_c_does) {
  SAME("forbid", "forbid", "--forbid " FORBIDDEN);
  SAME("forbid", "forbid", "--forbid=attribute=absent " FORBIDDEN);
  SAME("forbid", "forbid", "--forbid=attribut=absent " FORBIDDEN);
  SAME("forbid", "forbid", "--forbid --cse " FORBIDDEN);
}

#define TOTALS                                                                 \
  "--totals --records=- --mlir-pass-statistics -o /dev/null " STATE            \
  " " ADD_TO_MUL " " TWICE

Test(a_pass_in_python, counts_as_one_in_c_does) {
  SAME("totals", "totals", TOTALS);
  SAME("totals", "totals", "--mlir-disable-threading " TOTALS);
}

Test(a_pass_in_python, is_described_as_one_in_c_is) {
  struct command_result of_c =
      mlirplug_run("list", "--json", EXAMPLE("totals"));
  struct command_result of_python = mlirplug_run(
      "list", "--json", MLIRPLUG_SOURCE_DIRECTORY "/examples/python/totals.py");
  expect_exit(&of_python, 0);
  const char *passes = strstr(of_c.output, "\"passes\"");
  const char *end = strstr(passes, "\"origin\"");
  char *expected = strndup(passes, (size_t)(end - passes));
  expect_contains(of_python.output, expected);
  expect_contains(of_python.output, "\"language\": \"Python\"");
  free(expected);
  command_release(&of_c);
  command_release(&of_python);
}

//===----------------------------------------------------------------------===//
// State and threads
//===----------------------------------------------------------------------===//

#define PLACES                                                                 \
  TESTED("demo_count")                                                         \
  " --pass-pipeline='builtin.module(func.func(demo-count,canonicalize,demo-"   \
  "count))' --records=- -o /dev/null "

Test(a_pass_in_python, has_a_state_at_each_place) {
  static const char expected[] =
      "{\"file\": \"" STATE "\", \"pass\": \"demo-count\", \"runs\": 3}\n"
      "{\"file\": \"" STATE "\", \"pass\": \"demo-count\", \"runs\": 3}\n";
  struct command_result threads = mlirplug_shell("$MLIRPLUG opt " PLACES STATE);
  struct command_result serial =
      mlirplug_shell("$MLIRPLUG opt --mlir-disable-threading " PLACES STATE);
  expect_silent_success(&threads);
  expect_text(threads.output, expected);
  expect_text(serial.output, expected);
  command_release(&threads);
  command_release(&serial);
}

/// A module with functions f0 to f199.
static const char *functions_write(void) {
  char *directory = directory_create();
  const char *path = path_in(directory, "many.mlir");
  FILE *file = fopen(path, "w");
  for (int i = 0; i < 200; ++i)
    fprintf(file,
            "func.func @f%d(%%a: i32) -> i32 {\n"
            "  %%b = arith.addi %%a, %%a : i32\n"
            "  return %%b : i32\n}\n",
            i);
  fclose(file);
  free(directory);
  return path;
}

Test(a_pass_in_python, gives_the_same_on_any_threads, .timeout = 300) {
  const char *path = functions_write();
  static const char line[] = "$MLIRPLUG opt %s " PYTHON(
      "add_to_mul") " " PYTHON("totals") " --pass-pipeline='builtin.module("
                                         "func.func(totals,add-to-mul,"
                                         "totals))' --records=- %s";
  struct command_result serial =
      mlirplug_shell(line, "--mlir-disable-threading", path);
  expect_silent_success(&serial);
  for (int i = 0; i < 50; ++i) {
    struct command_result threads = mlirplug_shell(line, "", path);
    expect_silent_success(&threads);
    expect_text(threads.output, serial.output);
    command_release(&threads);
  }
  command_release(&serial);
}

//===----------------------------------------------------------------------===//
// What goes wrong
//===----------------------------------------------------------------------===//

Test(a_pass_in_python, that_raises_gives_one_error_where_it_was) {
  const char *path = functions_write();
  for (int i = 0; i < 5; ++i) {
    struct command_result result = mlirplug_shell(
        "$MLIRPLUG opt " TESTED("raise") " --demo-raise=function=f99 %s", path);
    expect_exit(&result, 1);
    expect_text(result.output, "");
    const char *error = strstr(result.errors, "error: ");
    cr_assert(error && !strstr(error + 1, "error: "), "%s", result.errors);
    expect_contains(result.errors, "many.mlir:397:1: error: ZeroDivisionError: "
                                   "division by zero");
    expect_contains(result.errors,
                    "raise.py:8:0: note: in divide: return 1 / number");
    expect_contains(result.errors,
                    "raise.py:16:0: note: in fail_in: divide(0)");
    command_release(&result);
  }
}

Test(a_pass_in_python, may_say_what_is_wrong_with_the_input) {
  struct command_result result =
      mlirplug_run("opt", TESTED("raise"), "--demo-failure", TWICE);
  expect_exit(&result, 1);
  expect_contains(result.errors, "error: this input will not do");
  expect_lacks(result.errors, "raise.py");
  command_release(&result);
}

Test(a_pass_in_python, cannot_end_the_program) {
  struct command_result result =
      mlirplug_run("opt", TESTED("raise"), "--demo-exit", TWICE);
  expect_exit(&result, 1);
  expect_contains(result.errors, "error: SystemExit: 3");
  command_release(&result);
}

Test(a_pass_in_python, gets_its_options_by_their_types) {
  struct command_result result = mlirplug_run(
      "opt", TESTED("options"),
      "--demo-options=flag=false number=10 count=3 ratio=1e-3 some-text='x y' "
      "mode=fast numbers=3,4 flags=true,false texts=a,b modes=a",
      "--records=-", "-o", "/dev/null", TWICE);
  expect_silent_success(&result);
  expect_contains(
      result.output,
      "\"count\": 3, \"flag\": false, \"flags\": [true, false], \"mode\": "
      "\"fast\", \"modes\": [\"a\"], \"number\": 10, \"numbers\": [3, 4], "
      "\"ratio\": 0.001, \"some_text\": \"x y\", \"texts\": [\"a\", \"b\"]}");
  command_release(&result);
  result = mlirplug_run("opt", TESTED("options"), "--records=-", "-o",
                        "/dev/null", TWICE, "--demo-options");
  expect_contains(
      result.output,
      "\"count\": 18446744073709551615, \"flag\": true, \"flags\": [], "
      "\"mode\": \"exact\", \"modes\": [\"b\", \"a\"], \"number\": -1, "
      "\"numbers\": [1, 2], \"ratio\": 0.5, \"some_text\": \"a b\", "
      "\"texts\": [\"x\"]}");
  command_release(&result);
}

Test(a_pass_in_python, has_options_that_are_checked) {
  struct command_result result =
      mlirplug_run("opt", TESTED("options"), "--demo-options=number=11", TWICE);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "option 'number' of pass 'demo-options' wants "
                                 "an integer from -10 to 10, found '11'");
  command_release(&result);
}

/// A file with `text`, opened.
static struct command_result text_open(const char *text) {
  char *directory = directory_create();
  const char *path = path_in(directory, "bad.py");
  file_write(path, text, strlen(text));
  free(directory);
  return mlirplug_shell("$MLIRPLUG opt --load-pass-plugin=%s " TWICE, path);
}

static void expect_text_refused(const char *text, const char *reason) {
  struct command_result result = text_open(text);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "cannot open the plugin '");
  expect_contains(result.errors, reason);
  command_release(&result);
}

Test(a_pass_in_python, is_refused_with_the_line_that_is_wrong) {
  expect_text_refused("\ndef\n", "bad.py': line 2: SyntaxError: ");
  expect_text_refused("import sys\nimport no_such_module\n",
                      "line 2: ModuleNotFoundError: No module named "
                      "'no_such_module'");
  expect_text_refused("import mlirplug\n"
                      "@mlirplug.pass_('x', options={'n': 3})\n"
                      "def x(op): pass\n",
                      "line 2: TypeError: option 'n' of pass 'x' is 3, no "
                      "mlirplug.Int, mlirplug.Bool or the like");
  expect_text_refused("import mlirplug\n"
                      "@mlirplug.pass_('x')\n"
                      "class X: pass\n",
                      "the class of pass 'x' has no method run(self, op, run)");
  expect_text_refused("import sys\nsys.exit(7)\n", "line 2: SystemExit: 7");
}

Test(a_pass_in_python, is_refused_where_it_is_declared_wrongly) {
  expect_text_refused("import mlirplug\n@mlirplug.pass_\ndef x(op): pass\n",
                      "line 2: TypeError: the name of a pass is <function x");
  expect_text_refused("import mlirplug\n"
                      "@mlirplug.pass_('x', anchor=3)\n"
                      "def x(op): pass\n",
                      "line 2: TypeError: anchor of pass 'x' is 3, neither a "
                      "name nor a list of names");
  expect_text_refused("import mlirplug\n"
                      "@mlirplug.pass_('x', dialects=[3])\n"
                      "def x(op): pass\n",
                      "line 2: TypeError: dialects of pass 'x' is [3], neither "
                      "a name nor a list of names");
  expect_text_refused("import mlirplug\n"
                      "@mlirplug.pass_('x', statistics=['n'])\n"
                      "def x(op): pass\n",
                      "line 2: TypeError: statistics of pass 'x' is ['n'], no "
                      "dict");
}

Test(a_pass_in_python, is_checked_as_one_in_c_is) {
  struct command_result result = text_open("import mlirplug\n"
                                           "@mlirplug.pass_('two words')\n"
                                           "def x(op): pass\n");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "the name of pass 0 ('two words')");
  command_release(&result);
  result = text_open("import mlirplug\n"
                     "@mlirplug.pass_('x', options={'n': mlirplug.Int(5, "
                     "max=4)})\n"
                     "def x(op): pass\n");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "option 'n' of pass 'x'");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Erasing
//===----------------------------------------------------------------------===//

Test(a_pass_in_python, erases_what_has_no_uses) {
  struct command_result result =
      mlirplug_run("opt", TESTED("erase"), "--demo-dce", ERASE);
  expect_silent_success(&result);
  expect_file(result.output,
              COMMAND_CASES "/09-erase-safely/expected-dce.mlir");
  command_release(&result);
}

Test(a_pass_in_python, cannot_erase_what_is_used) {
  struct command_result result =
      mlirplug_run("opt", TESTED("erase"), "--demo-erase-if", ERASE);
  expect_exit(&result, 1);
  expect_contains(result.errors, "error: ");
  expect_contains(result.errors, "in erase_if: inner.erase()");
  command_release(&result);
}

Test(a_pass_in_python, may_erase_what_it_walks_on) {
  struct command_result result =
      mlirplug_run("opt", TESTED("erase"), "--demo-erase-walk", ERASE);
  cr_assert(result.signal == 0);
  cr_assert(result.exit_code == 0 || strstr(result.errors, "error: "), "%s",
            result.errors);
  command_release(&result);
}

Test(a_pass_in_python, cannot_use_what_it_erased) {
  struct command_result result =
      mlirplug_run("opt", TESTED("erase"), "--demo-keep", ERASE);
  expect_exit(&result, 1);
  expect_contains(result.errors, "in keep: str(added)");
  command_release(&result);
}

Test(a_pass_in_python, cannot_run_passes) {
  struct command_result result =
      mlirplug_run("opt", TESTED("inner"), "--demo-inner", ERASE);
  expect_exit(&result, 1);
  expect_contains(result.errors, "cannot be called from inside a pass");
  command_release(&result);
}

Test(a_pass_in_python, is_replayed_from_a_reproducer) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd '%s' && $MLIRPLUG opt " PYTHON(
          "forbid") " --forbid " FORBIDDEN
                    " --mlir-pass-pipeline-crash-reproducer=r.mlir; "
                    "$MLIRPLUG opt --run-reproducer r.mlir",
      directory);
  expect_exit(&result, 1);
  expect_contains(result.errors, "r.mlir:6:10: error: operation is marked");
  command_release(&result);
  free(directory);
}

Test(a_pass_in_python, is_isolated_as_one_in_c_is) {
  SAME("add-to-mul", "add_to_mul", "--add-to-mul --isolate " ADD_TO_MUL);
  SAME("forbid", "forbid", "--forbid --isolate " FORBIDDEN);
}

Test(a_pass_in_python, is_inserted_as_one_in_c_is) {
  SAME("add-to-mul", "add_to_mul",
       "--cse --insert=after:cse:add-to-mul " ADD_TO_MUL);
}

// They have no sanitizer's runtime, which the core would need.
#ifndef MLIRPLUG_SANITIZED

//===----------------------------------------------------------------------===//
// In stock tools
//===----------------------------------------------------------------------===//

#define HOST MLIRPLUG_BUILD_DIRECTORY "/lib/mlirplug/hosts/python.so"
#define EXAMPLES MLIRPLUG_SOURCE_DIRECTORY "/examples/python/"

Test(a_pass_in_python, runs_in_mlir_opt) {
  struct command_result result = command_shell("command -v mlir-opt-22");
  if (result.exit_code != 0)
    cr_skip_test("no mlir-opt-22");
  command_release(&result);
  result = command_shell(
      "MLIRPLUG_PLUGINS=" EXAMPLES "add_to_mul.py:" EXAMPLES "forbid.py "
      "mlir-opt-22 --load-pass-plugin=" HOST
      " --pass-pipeline='builtin.module(add-to-mul)' " ADD_TO_MUL);
  expect_silent_success(&result);
  expect_file(result.output, COMMAND_CASES "/04-add-to-mul/expected.mlir");
  command_release(&result);
  result =
      command_shell("MLIRPLUG_PLUGINS=" EXAMPLES "forbid.py "
                    "mlir-opt-22 --load-pass-plugin=" HOST
                    " --pass-pipeline='builtin.module(forbid)' " FORBIDDEN);
  expect_exit(&result, 1);
  expect_contains(result.errors,
                  "input.mlir:4:10: error: operation is marked forbidden");
  command_release(&result);
}

#endif
