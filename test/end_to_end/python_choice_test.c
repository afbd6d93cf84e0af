// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which Python a .py file runs in, and which ones will not do. Those are shell
// scripts here that answer as such a Python would.

#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_IN_PYTHON MLIRPLUG_SOURCE_DIRECTORY "/examples/python/totals.py"

/// Makes BELOW/NAME in `directory`, a program that prints `answer`.
static void program_write(const char *directory, const char *below,
                          const char *name, const char *answer) {
  char *text = NULL;
  const char *path = path_in(path_in(directory, below), name);
  mkdir(path_in(directory, below), 0755);
  cr_assert(asprintf(&text, "#!/bin/sh\nprintf '%s'\n", answer) >= 0);
  file_write(path, text, strlen(text));
  cr_assert(chmod(path, 0755) == 0);
  free(text);
}

/// The refusal when python3 is a program that answers so, and the only one.
static struct command_result answer_try(const char *answer) {
  char *directory = directory_create();
  program_write(directory, "bin", "python3", answer);
  struct command_result result = mlirplug_shell(
      "unset VIRTUAL_ENV; PATH=%s/bin /bin/sh $MLIRPLUG list " FILE_IN_PYTHON,
      directory);
  free(directory);
  return result;
}

static void expect_answer_refused(const char *answer, const char *reason) {
  struct command_result result = answer_try(answer);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "cannot open the plugin '" FILE_IN_PYTHON "'");
  expect_contains(result.errors, reason);
  command_release(&result);
}

TestSuite(the_python, .init = command_forgive_leaks);

Test(the_python, without_a_shared_library_is_refused_with_its_package) {
  expect_answer_refused("/opt/python3\\n3.12.4\\ngil\\ncpython\\n\\n",
                        "was built without a shared libpython; expected "
                        "libpython3.12.so; install "
                        "it (Debian, Ubuntu: apt install libpython3.12;");
}

Test(the_python, without_a_gil_is_refused) {
  expect_answer_refused("/opt/python3\\n3.13.0\\nfree\\ncpython\\n/x.so\\n",
                        "is a free-threaded build of Python 3.13.0");
}

Test(the_python, that_is_too_old_is_refused) {
  expect_answer_refused("/opt/python3\\n3.8.18\\ngil\\ncpython\\n/x.so\\n",
                        "is Python 3.8.18; expected Python 3.9 or newer");
}

Test(the_python, that_is_not_cpython_is_refused) {
  expect_answer_refused("/opt/python3\\n3.10.1\\ngil\\npypy\\n/x.so\\n",
                        "is pypy; expected CPython");
}

Test(the_python, that_does_not_answer_is_refused) {
  expect_answer_refused("nonsense", "does not work as a Python");
}

Test(the_python, whose_library_cannot_be_loaded_is_refused) {
  expect_answer_refused(
      "/opt/python3\\n3.12.4\\ngil\\ncpython\\n/no/such.so\\n",
      "the libpython of '/opt/python3' cannot be loaded");
}

Test(the_python, that_is_nowhere_is_missed) {
  struct command_result result =
      mlirplug_shell("unset VIRTUAL_ENV; PATH=/nowhere /bin/sh $MLIRPLUG "
                     "list " FILE_IN_PYTHON);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "no python3 is on PATH");
  command_release(&result);
}

Test(the_python, of_the_active_environment_is_the_only_one) {
  char *directory = directory_create();
  program_write(directory, "bin", "python",
                "/opt/python3\\n3.8.1\\ngil\\ncpython\\n/x.so\\n");
  struct command_result result = mlirplug_shell(
      "VIRTUAL_ENV=%s $MLIRPLUG list " FILE_IN_PYTHON, directory);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "/bin/python' is Python 3.8.1");
  command_release(&result);
  result =
      mlirplug_shell("VIRTUAL_ENV=/no/such $MLIRPLUG list " FILE_IN_PYTHON);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "(VIRTUAL_ENV=/no/such) has no bin/python");
  command_release(&result);
  free(directory);
}

/// The first Python that can be loaded, of those on PATH.
Test(the_python, brings_the_packages_of_its_environment, .timeout = 120) {
  char *directory = directory_create();
  struct command_result result = command_shell(
      "python3 -m venv --without-pip %s/venv && "
      "mkdir -p %s/venv/lib/python3.*/site-packages && "
      "echo 'text = \"from the environment\"' > "
      "$(echo %s/venv/lib/python3.*/site-packages)/only_there.py && "
      "printf 'import only_there\\nprint(only_there.text)\\n' > %s/file.py",
      directory, directory, directory, directory);
  if (result.exit_code != 0)
    cr_skip_test("no python3 that makes environments");
  command_release(&result);
  result = mlirplug_shell("VIRTUAL_ENV=%s/venv $MLIRPLUG list %s/file.py",
                          directory, directory);
  if (strstr(result.errors, "without a shared libpython"))
    cr_skip_test("no Python with a shared libpython");
  expect_exit(&result, 0);
  expect_contains(result.output, "from the environment");
  command_release(&result);
  free(directory);
}

/// What is not of Python stays out of processes that use no Python.
Test(the_python, is_not_loaded_without_need) {
  struct command_result result = mlirplug_shell(
      "LD_DEBUG=files $MLIRPLUG opt " LOAD(EXAMPLE("totals")) " --totals " TWICE
                                                              " -o /dev/null");
  expect_exit(&result, 0);
  expect_lacks(result.errors, "python");
  command_release(&result);
  result = command_shell("nm -D " MLIRPLUG_BUILD_DIRECTORY
                         "/lib/mlirplug/hosts/python.so | grep -E ' _?Py'");
  expect_text(result.output, "");
  command_release(&result);
}

#ifndef MLIRPLUG_SANITIZED // that Python has no sanitizers
/// Each Python on this machine, with the one binary of the extension.
Test(a_python_process, runs_plugins_on_its_modules, .timeout = 300) {
  static const char script[] =
      "PYTHONPATH=" MLIRPLUG_BUILD_DIRECTORY
      "/lib/mlirplug/python PYTHONDONTWRITEBYTECODE=1 "
      "%s " MLIRPLUG_SOURCE_DIRECTORY
      "/test/python/package/own.py " EXAMPLE("add-to-mul");
  size_t count = 0;
  for (int minor = 9; minor <= 14; ++minor) {
    // On PATH, or one of pyenv's.
    struct command_result found = command_shell(
        "for p in python3.%d ~/.pyenv/versions/3.%d.*/bin/python3; do "
        "\"$p\" -c pass 2>/dev/null && { printf %%s \"$p\"; break; }; done; "
        "true",
        minor, minor);
    if (*found.output) {
      struct command_result result = command_shell(script, found.output);
      expect_exit(&result, 0);
      expect_contains(result.output, "own.py: all is well");
      command_release(&result);
      ++count;
    }
    command_release(&found);
  }
  if (!count)
    cr_skip_test("no python3.9 to python3.14");
}
#endif
