// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug opt on one input: what mlir-opt users are used to.

#include "run.h"

#include <stdlib.h>

/// The same arguments for both must give the same text.
static void expect_like_mlir_opt(const char *arguments) {
  struct command_result ours = mlirplug_shell("$MLIRPLUG opt %s", arguments);
  struct command_result theirs = command_shell("mlir-opt-22 %s", arguments);
  expect_exit(&ours, theirs.exit_code);
  expect_text(ours.output, theirs.output);
  expect_text(ours.errors, theirs.errors);
  command_release(&ours);
  command_release(&theirs);
}

Test(opt, prints_what_mlir_opt_prints) { expect_like_mlir_opt(ADD_TO_MUL); }

Test(opt, reads_standard_input) { expect_like_mlir_opt("< " ADD_TO_MUL); }

Test(opt, reads_standard_input_by_name) {
  expect_like_mlir_opt("--mlir-print-debuginfo - < " ADD_TO_MUL);
}

Test(opt, reads_a_pipe) {
  struct command_result result =
      mlirplug_shell("cat " ADD_TO_MUL " | $MLIRPLUG opt | mlir-opt-22 --cse");
  expect_silent_success(&result);
  expect_contains(result.output, "arith.addi");
  command_release(&result);
}

Test(opt, takes_an_empty_input) { expect_like_mlir_opt("< /dev/null"); }

Test(opt, prints_locations) {
  expect_like_mlir_opt("--mlir-print-debuginfo " ADD_TO_MUL);
}

Test(opt, prints_the_generic_form) {
  expect_like_mlir_opt("--mlir-print-op-generic " ADD_TO_MUL);
}

Test(opt, runs_passes_of_mlir_in_order) {
  expect_like_mlir_opt("--canonicalize=top-down=false -cse " ADD_TO_MUL);
}

Test(opt, runs_a_pipeline_of_mlir) {
  expect_like_mlir_opt("-pass-pipeline='builtin.module(func.func(cse),"
                       "canonicalize)' " ADD_TO_MUL);
}

Test(opt, takes_the_value_of_an_option_from_the_next_argument) {
  expect_like_mlir_opt("--pass-pipeline 'builtin.module(cse)' " ADD_TO_MUL);
}

Test(opt, takes_booleans_in_all_their_forms) {
  expect_like_mlir_opt(
      "--mlir-print-op-generic=false --verify-each=true "
      "-mlir-disable-threading --mlir-print-debuginfo=1 " ADD_TO_MUL);
}

Test(opt, takes_names_that_begin_with_a_dash) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && cp " TWICE " ./--cse && $MLIRPLUG opt -- --cse", directory);
  expect_silent_success(&result);
  expect_contains(result.output, "@twice");
  command_release(&result);
  free(directory);
}

Test(opt, refuses_unregistered_dialects) {
  struct command_result result = mlirplug_run("opt", UNREGISTERED);
  expect_exit(&result, 1);
  expect_text(result.output, "");
  expect_contains(result.errors, "unregistered");
  command_release(&result);
}

Test(opt, allows_unregistered_dialects) {
  expect_like_mlir_opt("--allow-unregistered-dialect " UNREGISTERED);
}

Test(opt, writes_the_bytecode_of_mlir_opt) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && $MLIRPLUG opt --emit-bytecode " ADD_TO_MUL " -o a.mlirbc && "
      "$MLIRPLUG opt --emit-bytecode " ADD_TO_MUL " > b.mlirbc && "
      "mlir-opt-22 --emit-bytecode " ADD_TO_MUL " -o c.mlirbc && "
      "cmp a.mlirbc b.mlirbc && cmp a.mlirbc c.mlirbc",
      directory);
  expect_silent_success(&result);
  command_release(&result);
  free(directory);
}

Test(opt, reads_bytecode) {
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt --emit-bytecode " ADD_TO_MUL " | $MLIRPLUG opt");
  expect_silent_success(&result);
  struct command_result text = mlirplug_run("opt", ADD_TO_MUL);
  expect_text(result.output, text.output);
  command_release(&result);
  command_release(&text);
}

Test(opt, does_the_same_on_the_shared_provider) {
  struct command_result ours =
      mlirplug_run("opt", "--provider=shared", LOAD(EXAMPLE("add-to-mul")),
                   "--add-to-mul", ADD_TO_MUL);
  expect_silent_success(&ours);
  expect_file(ours.output, COMMAND_CASES "/04-add-to-mul/expected.mlir");
  command_release(&ours);
}

Test(opt, refuses_a_provider_that_is_not_there) {
  struct command_result result =
      mlirplug_run("opt", "--provider=/nowhere/mlir.so", TWICE);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "/nowhere/mlir.so");
  command_release(&result);
}

Test(opt, says_each_decision_when_asked) {
  struct command_result quiet =
      mlirplug_run("opt", LOAD(EXAMPLE("add-to-mul")), "--add-to-mul", TWICE);
  struct command_result option =
      mlirplug_run("opt", "--plugin-debug", LOAD(EXAMPLE("add-to-mul")),
                   "--add-to-mul", TWICE);
  struct command_result variable =
      mlirplug_shell("MLIRPLUG_DEBUG=1 $MLIRPLUG opt " LOAD(
          EXAMPLE("add-to-mul")) " --add-to-mul " TWICE);
  expect_silent_success(&quiet);
  expect_exit(&option, 0);
  expect_contains(option.errors, "mlirplug: debug: ");
  expect_contains(option.errors, "add-to-mul.so");
  expect_contains(variable.errors, "mlirplug: debug: ");
  expect_text(option.output, quiet.output);
  command_release(&quiet);
  command_release(&option);
  command_release(&variable);
}

Test(opt, stops_at_a_pipeline_mlir_does_not_know) {
  struct command_result result = mlirplug_run(
      "opt", "--pass-pipeline=builtin.module(no-such-pass)", TWICE);
  expect_exit(&result, 1);
  expect_text(result.output, "");
  expect_contains(result.errors, "mlirplug: ");
  expect_contains(result.errors, "no-such-pass");
  command_release(&result);
}

Test(opt, stops_at_a_wrong_option_of_a_pass_of_mlir) {
  struct command_result result =
      mlirplug_run("opt", "--canonicalize=top-downn=false", TWICE);
  expect_exit(&result, 1);
  expect_text(result.output, "");
  expect_contains(result.errors, "top-downn");
  command_release(&result);
}

Test(opt, verifies_only_when_asked) {
  static const char breaks_ir[] =
      "#include <mlirplug/plugin.h>\n"
      "static MlirWalkResult visit(MlirOperation op, void *unused) {\n"
      "  (void)unused;\n"
      "  mlirOperationRemoveAttributeByName(op,\n"
      "      mlirStringRefCreateFromCString(\"function_type\"));\n"
      "  return MlirWalkResultAdvance;\n"
      "}\n"
      "static mlirplug_status run(const mlirplug_run *r, MlirOperation op) {\n"
      "  (void)r;\n"
      "  mlirOperationWalk(op, visit, 0, MlirWalkPreOrder);\n"
      "  return MLIRPLUG_OK;\n"
      "}\n"
      "static const mlirplug_pass pass = {MLIRPLUG_PASS(\"break-ir\", \"\"),\n"
      "                                   .run = run};\n"
      "MLIRPLUG_PLUGIN(\"test.break\", \"1\", &pass);\n";
  char *directory = directory_create();
  file_write(path_in(directory, "b.c"), breaks_ir, sizeof breaks_ir - 1);
  struct command_result verified = mlirplug_shell(
      "cd %s && cc -shared -fPIC -fvisibility=hidden "
      "-I" MLIRPLUG_SOURCE_DIRECTORY "/sdk/include b.c -o b.so && "
      "$MLIRPLUG opt --load-pass-plugin=b.so --break-ir " TWICE,
      directory);
  expect_exit(&verified, 1);
  expect_text(verified.output, "");
  expect_contains(verified.errors, "function_type");
  struct command_result unverified = mlirplug_shell(
      "cd %s && $MLIRPLUG opt --load-pass-plugin=b.so --break-ir "
      "--verify-each=false " TWICE,
      directory);
  expect_exit(&unverified, 0);
  expect_contains(unverified.output, "\"func.func\"");
  command_release(&verified);
  command_release(&unverified);
  free(directory);
}

static const char counts_functions[] =
    "#include <mlirplug/plugin.h>\n"
    "static const mlirplug_statistic statistics[] = {\n"
    "    {\"functions\", \"Functions seen\"}};\n"
    "static mlirplug_status run(const mlirplug_run *run, MlirOperation op) {\n"
    "  (void)op;\n"
    "  mlirplug_statistic_add(run, 0, 1);\n"
    "  return MLIRPLUG_OK;\n"
    "}\n"
    "static const mlirplug_pass pass = {MLIRPLUG_PASS(\"count\", \"\"),\n"
    "                                   .anchor = \"func.func\",\n"
    "                                   MLIRPLUG_STATISTICS(statistics),\n"
    "                                   .run = run};\n"
    "MLIRPLUG_PLUGIN(\"test.count\", \"1\", &pass);\n";

Test(opt, prints_statistics_of_all_inputs_at_the_end) {
  char *directory = directory_create();
  file_write(path_in(directory, "c.c"), counts_functions,
             sizeof counts_functions - 1);
  struct command_result result = mlirplug_shell(
      "cd %s && cc -shared -fPIC -fvisibility=hidden "
      "-I" MLIRPLUG_SOURCE_DIRECTORY "/sdk/include c.c -o c.so && "
      "$MLIRPLUG opt --load-pass-plugin=c.so --count "
      "--mlir-pass-statistics " HISTOGRAM " " TWICE " -o /dev/null",
      directory);
  expect_exit(&result, 0);
  expect_text(result.output, "");
  expect_contains(result.errors, "... Pass statistics report ...");
  expect_contains(result.errors,
                  "  count\n    (S) 4 functions - Functions seen\n");
  command_release(&result);
  free(directory);
}
