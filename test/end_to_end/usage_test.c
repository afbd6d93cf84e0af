// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines that make no sense, and how the command explains itself.

#include "run.h"

#include <stdlib.h>
#include <string.h>

struct wrong_usage {
  const char *arguments;
  const char *says[3];
};

static const struct wrong_usage wrong_usages[] = {
    {"", {"opt", "list", "info"}},
    {"optt x", {"'optt'", "did you mean 'opt'?"}},
    {"frobnicate", {"'frobnicate'", "expected opt, list, info"}},
    {TWICE, {"mlirplug opt " TWICE}},
    {"--cse " TWICE, {"mlirplug opt --cse"}},
    {"help frobnicate", {"'frobnicate'"}},
    {"help opt list", {"one command"}},
    {"list --jsn", {"'--jsn'", "did you mean '--json'?"}},
    {"info --frobnicate", {"'--frobnicate'", "mlirplug help"}},
    {"info", {"no plugin", "mlirplug info FILE"}},
    {"doctor x.so", {"'x.so'", "doctor --load-pass-plugin=FILE"}},
    {"opt --load-pass-plugin", {"--load-pass-plugin=FILE"}},
    {"opt --load-pass-plugin= " TWICE, {"--load-pass-plugin=FILE"}},
    {"opt --pass-pipeline= " TWICE, {"--pass-pipeline=TEXT"}},
    {"opt " TWICE " -o", {"-o FILE"}},
    {"opt " TWICE " -o=", {"-o FILE"}},
    {"opt " TWICE " -o a -o b", {"twice", "'a'", "'b'"}},
    {"opt " TWICE " --provider=static --provider=shared", {"--provider"}},
    {"opt " TWICE " --pass-pipeline=a --pass-pipeline=b", {"--pass-pipeline"}},
    {"opt " TWICE " --verify-each=maybe", {"maybe", "true or false"}},
    {"opt " TWICE " --trust=some", {"'--trust'", "'some'", "--trust=any"}},
    {"list --trust", {"--trust=any"}},
    {"opt --plugin-dir", {"--plugin-dir=DIR"}},
    {"info --trust=any x.so", {"'--trust'"}},
    {"opt ''", {"empty"}},
    {"opt --=x " TWICE, {"'--=x'"}},
    {"opt ---cse " TWICE, {"'---cse'"}},
    {"opt '--cse{a=1 b=2}' " TWICE, {"write '--cse=a=1 b=2'"}},
    {"opt '-cse{a=1' " TWICE, {"write '-cse=a=1'"}},
    {"opt --debug " TWICE,
     {"'--debug' is a flag of mlir-opt", "does not have", "--log-actions-to"}},
    {"opt --canonicalise " TWICE,
     {"'--canonicalise'", "did you mean '--canonicalize'?"}},
    {"opt --canonicalzie " TWICE,
     {"'--canonicalzie'", "did you mean '--canonicalize'?"}},
    {"opt --canonicalizee " TWICE,
     {"'--canonicalizee'", "did you mean '--canonicalize'?"}},
    {"opt --cannicalize " TWICE, {"'--cannicalize'", "22", "plugin"}},
    {"opt --split-input-fill " TWICE,
     {"'--split-input-fill'", "did you mean '--split-input-file'?"}},
    {"opt '--builtin.module(cse)' " TWICE, {"'--builtin.module(cse)'"}},
    {"opt --cse --pass-pipeline='builtin.module(cse)' " TWICE,
     {"'--cse'", "--pass-pipeline"}},
    {"opt '--cse=a},b{c' " TWICE, {"'--cse=a},b{c'", "brace"}},
    {"opt '--cse={' " TWICE, {"'--cse={'", "brace"}},
    {"opt --no-such-pass " TWICE, {"'--no-such-pass'", "22", "plugin"}},
    {"opt --pass-pipline=x " TWICE,
     {"'--pass-pipline'", "did you mean '--pass-pipeline'?"}},
    {"opt " LOAD(EXAMPLE("add-to-mul")) " --add-to-mull " TWICE,
     {"'--add-to-mull'", "did you mean '--add-to-mul'?"}},
    {"opt " TWICE " --records=- -o -", {"--records", "standard output"}},
    {"opt " TWICE " --records=/tmp/x -o /tmp/x", {"--records", "'/tmp/x'"}},
    {"opt " TWICE " --records=" TWICE, {"--records", TWICE}},
};

Test(wrong_usage, is_explained_in_a_line_and_exits_with_2) {
  for (size_t i = 0; i < sizeof wrong_usages / sizeof wrong_usages[0]; ++i) {
    const struct wrong_usage *usage = &wrong_usages[i];
    struct command_result result =
        mlirplug_shell("$MLIRPLUG %s < /dev/null", usage->arguments);
    cr_expect(result.exit_code == 2, "exit code %d of: mlirplug %s",
              result.exit_code, usage->arguments);
    if (result.exit_code == 2)
      expect_refusal(&result, 2);
    for (size_t j = 0; j < 3 && usage->says[j]; ++j)
      cr_expect(strstr(result.errors, usage->says[j]),
                "mlirplug %s\nsays %sand not %s", usage->arguments,
                result.errors, usage->says[j]);
    command_release(&result);
  }
}

Test(wrong_usage, leaves_an_input_that_records_would_overwrite) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && cp " TWICE " x.mlir && ln x.mlir y.mlir && "
      "$MLIRPLUG opt x.mlir --records=y.mlir; echo $?; cmp x.mlir " TWICE,
      directory);
  expect_text(result.output, "2\n");
  command_release(&result);
  free(directory);
}

/// Two outputs of which one would overwrite the other, by whatever name.
static const char *const overlaps[] = {
    "in.mlir -o out --records=./out",     "in.mlir -o out --records=$PWD/out",
    "in.mlir -o real --records=link",     "in.mlir -o d/ --records=d/in.mlir",
    "in.mlir -o - --records=/dev/stdout", "in.mlir other.mlir -o linked/",
};

Test(wrong_usage, lets_no_output_overwrite_another_or_an_input) {
  char *directory = directory_create();
  for (size_t i = 0; i < sizeof overlaps / sizeof overlaps[0]; ++i) {
    struct command_result result = mlirplug_shell(
        "cd %s && cp " TWICE " in.mlir && cp " TWICE " other.mlir && "
        "mkdir -p d linked && touch real && ln -sf real link && "
        "ln -sf ../other.mlir linked/in.mlir && $MLIRPLUG opt %s; "
        "echo exit status $?; cmp in.mlir " TWICE " && cmp other.mlir " TWICE,
        directory, overlaps[i]);
    cr_expect_str_eq(result.output, "exit status 2\n", "%s", overlaps[i]);
    command_release(&result);
  }
  struct command_result null_device =
      mlirplug_run("opt", TWICE, "-o", "/dev/null", "--records=/dev/null");
  expect_silent_success(&null_device);
  command_release(&null_device);
  free(directory);
}

Test(a_pass, with_the_name_of_an_option_is_warned_of) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && cc -shared -fPIC -I" MLIRPLUG_SOURCE_DIRECTORY
      "/sdk/include -DID='\"org.named\"' "
      "-DNAME='\"records\"' " MLIRPLUG_SOURCE_DIRECTORY
      "/test/plugins/sdk/named.c -o n.so && "
      "$MLIRPLUG opt --load-pass-plugin=n.so " TWICE " -o /dev/null && "
      "$MLIRPLUG opt --load-pass-plugin=n.so " TWICE " -o /dev/null "
      "--pass-pipeline='builtin.module(records)'",
      directory);
  expect_exit(&result, 0);
  expect_contains(result.errors, "warning: pass 'records' of '");
  expect_contains(result.errors, "can be reached only in --pass-pipeline");
  cr_expect(line_count(result.errors) == 1, "%s", result.errors);
  command_release(&result);
  free(directory);
}

Test(unknown_flags, are_all_named) {
  struct command_result result = mlirplug_run("opt", "--first-unknown", "--cse",
                                              "--second-unknown=a=1", TWICE);
  expect_exit(&result, 2);
  expect_text(result.output, "");
  expect_contains(result.errors, "'--first-unknown'");
  expect_contains(result.errors, "'--second-unknown'");
  expect_lacks(result.errors, "'--cse'");
  command_release(&result);
}

Test(help, is_shown_in_every_way_of_asking) {
  static const char *const forms[][3] = {
      {"--help"}, {"-h"}, {"-help"}, {"help"}};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i) {
    struct command_result result =
        mlirplug_run_with(NULL, (const char *const[]){forms[i][0], NULL});
    expect_silent_success(&result);
    expect_contains(result.output, "Usage: mlirplug COMMAND");
    expect_contains(result.output, "Exit status:");
    command_release(&result);
  }
}

Test(help, of_a_command_is_the_same_from_both_sides) {
  static const char *const commands[] = {"opt", "list", "info"};
  for (size_t i = 0; i < 3; ++i) {
    struct command_result ours = mlirplug_run("help", commands[i]);
    struct command_result theirs = mlirplug_run(commands[i], "--help");
    expect_silent_success(&ours);
    expect_silent_success(&theirs);
    expect_text(ours.output, theirs.output);
    expect_contains(ours.output, commands[i]);
    expect_contains(ours.output, "--plugin-debug");
    command_release(&ours);
    command_release(&theirs);
  }
}

Test(help, names_a_plugin_that_fails_and_shows_the_rest) {
  struct command_result result = mlirplug_run(
      "opt", "--help", LOAD("/nowhere/x.so"), LOAD(EXAMPLE("add-to-mul")));
  expect_exit(&result, 1);
  expect_contains(result.errors, "/nowhere/x.so");
  expect_contains(result.output, "--add-to-mul");
  command_release(&result);
}

Test(list_passes, without_a_plugin_says_why_it_is_empty) {
  struct command_result result = mlirplug_run("opt", "--list-passes");
  expect_exit(&result, 0);
  expect_text(result.output, "");
  expect_contains(result.errors, "--load-pass-plugin=FILE");
  command_release(&result);
}

Test(version, is_one_line) {
  struct command_result result = mlirplug_run("--version");
  expect_silent_success(&result);
  cr_expect(strncmp(result.output, "mlirplug ", 9) == 0);
  cr_expect(line_count(result.output) == 1);
  command_release(&result);
}
