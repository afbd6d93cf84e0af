// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a manager shows of its passes: the IR around them, times, statistics.

#include "support/command.h"
#include "support/mlir.h"

#include "host/host.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static struct mlir_session session;

static void session_open(bool threads) {
  mlir_open(&session, "static", threads);
  mlir_add(&session, MLIR_PLUGIN("anchor"));
  mlir_add(&session, MLIR_PLUGIN("diagnose"));
  mlir_add(&session, MLIR_PLUGIN("service"));
  mlir_add(&session, MLIR_PLUGIN("state"));
}

static void with_threads(void) { session_open(true); }
static void without_threads(void) { session_open(false); }
static void session_close(void) { mlir_close(&session); }

TestSuite(ir_dumps, .init = without_threads, .fini = session_close);
TestSuite(times, .init = without_threads, .fini = session_close);
TestSuite(statistics_report, .init = with_threads, .fini = session_close);
TestSuite(unwatched, .init = without_threads, .fini = session_close);

/// What was shown so far, and how often.
struct shown {
  char text[1 << 16];
  size_t length;
  size_t count;
};

static struct shown shown;

static void show(const char *text, size_t length, void *user_data) {
  struct shown *to = user_data;
  cr_assert_lt(to->length + length, sizeof to->text);
  memcpy(to->text + to->length, text, length);
  to->length += length;
  to->text[to->length] = '\0';
  ++to->count;
}

static const char two_functions[] = "module {\n"
                                    "  func.func @f(%x: i32) -> i32 {\n"
                                    "    %a = arith.addi %x, %x : i32\n"
                                    "    %b = arith.addi %x, %x : i32\n"
                                    "    %c = arith.muli %a, %b : i32\n"
                                    "    return %c : i32 }\n"
                                    "  func.func private @d() }";

static struct mlir_pipeline made;

static mlirplug_status
create(const char *text, const mlirplug_manager_configuration *configuration) {
  made = (struct mlir_pipeline){NULL, NULL};
  mlirplug_error_destroy(session.error);
  session.error = NULL;
  cr_assert_eq(mlirplug_pipeline_parse(session.host, text, &made.pipeline,
                                       &session.error),
               MLIRPLUG_OK, "%s", mlir_message(&session));
  return mlirplug_manager_create(made.pipeline, session.context, configuration,
                                 &made.manager, &session.error);
}

static mlirplug_status run(void) {
  mlirplug_error_destroy(session.error);
  session.error = NULL;
  MlirModule module = mlir_parse(session.context, two_functions);
  mlirplug_status status =
      mlirplug_manager_run(made.manager, mlirModuleGetOperation(module),
                           "input.mlir", &session.error);
  mlirModuleDestroy(module);
  return status;
}

/// Runs `text` and shows the IR as `dumps` says.
static mlirplug_status dump(const char *text, mlirplug_ir_dumps dumps) {
  dumps.size = sizeof dumps;
  dumps.show = show;
  dumps.user_data = &shown;
  shown = (struct shown){.length = 0};
  mlirplug_manager_configuration configuration = {
      .size = sizeof configuration, .verify = true, .ir_dumps = &dumps};
  mlirplug_status status = create(text, &configuration);
  memset(&dumps, 0xAA, sizeof dumps); // it was copied
  if (status == MLIRPLUG_OK)
    status = run();
  mlir_pipeline_destroy(&made);
  return status;
}

static void expect_shown(const char *part) {
  cr_expect(strstr(shown.text, part), "no '%s' in: %s", part, shown.text);
}

static void expect_refused(mlirplug_status status, const char *part) {
  cr_assert_eq(status, MLIRPLUG_FAILED);
  cr_expect(strstr(mlir_message(&session), part), "%s", mlir_message(&session));
}

//===----------------------------------------------------------------------===//
// The IR
//===----------------------------------------------------------------------===//

Test(ir_dumps, name_passes_of_plugins_and_of_mlir) {
  static const char *const before[] = {"options", "cse"};
  static const char *const after[] = {"count"};
  cr_expect_eq(dump("builtin.module(func.func(count),options{number=3},cse)",
                    (mlirplug_ir_dumps){.before = before,
                                        .before_count = 2,
                                        .after = after,
                                        .after_count = 1}),
               MLIRPLUG_OK, "%s", session.diagnostics.bytes);
  cr_expect_eq(shown.count, 4); // two functions, two modules
  expect_shown("// -----// IR Dump After count (count) //----- //\n"
               "func.func private @d()\n");
  expect_shown("// -----// IR Dump Before options (options{number=3}) //----- "
               "//\nmodule {\n");
  expect_shown("// -----// IR Dump Before CSE (cse) //----- //\nmodule {\n");
}

Test(ir_dumps, of_all_passes_are_as_many_as_there_are_runs) {
  cr_expect_eq(dump("builtin.module(anything,func.func(count))",
                    (mlirplug_ir_dumps){.before_all = true, .after_all = true}),
               MLIRPLUG_OK);
  cr_expect_eq(shown.count, 6);
}

Test(ir_dumps, can_be_of_changes_only) {
  cr_expect_eq(
      dump("builtin.module(cse,options,cse)",
           (mlirplug_ir_dumps){.after_all = true, .only_changed = true}),
      MLIRPLUG_OK);
  cr_expect_eq(shown.count, 1);
  expect_shown("// -----// IR Dump After CSE (cse)");
}

Test(ir_dumps, can_be_of_failures_only) {
  cr_expect_eq(dump("builtin.module(cse,fail-silently,cse)",
                    (mlirplug_ir_dumps){.only_failed = true}),
               MLIRPLUG_FAILED);
  cr_expect_eq(shown.count, 1);
  expect_shown("// -----// IR Dump After fail-silently Failed");
}

Test(ir_dumps, can_be_of_all_of_the_ir) {
  static const char *const after[] = {"count"};
  cr_expect_eq(dump("builtin.module(func.func(count))",
                    (mlirplug_ir_dumps){
                        .after = after, .after_count = 1, .whole = true}),
               MLIRPLUG_OK);
  expect_shown("count (count) ('func.func' operation: @d) //----- //\n"
               "module {\n");
}

Test(ir_dumps, are_printed_as_the_flags_say) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  cr_expect_eq(dump("builtin.module(options)",
                    (mlirplug_ir_dumps){.after_all = true, .flags = flags}),
               MLIRPLUG_OK);
  mlirOpPrintingFlagsDestroy(flags);
  expect_shown("\"arith.addi\"(");
}

Test(ir_dumps, of_a_pass_that_nobody_has_are_refused) {
  static const char *const names[] = {"coumt"};
  expect_refused(
      dump("builtin.module(cse)",
           (mlirplug_ir_dumps){.after = names, .after_count = 1}),
      "cannot show the IR around the pass 'coumt': no plugin has a pass of "
      "this name");
  cr_expect(strstr(mlir_message(&session), "did you mean 'count'?"));
}

Test(ir_dumps, without_anybody_to_see_them_are_refused) {
  mlirplug_ir_dumps dumps = {.size = sizeof dumps, .after_all = true};
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .ir_dumps = &dumps};
  expect_refused(create("builtin.module(cse)", &configuration),
                 "nothing takes the IR around passes");
  mlir_pipeline_destroy(&made);
}

Test(ir_dumps, of_older_callers_have_what_those_know) {
  mlirplug_ir_dumps dumps = {.size = offsetof(mlirplug_ir_dumps, after_all),
                             .show = show,
                             .user_data = &shown,
                             .before_all = true,
                             .after_all = true};
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .ir_dumps = &dumps};
  cr_assert_eq(create("builtin.module(options)", &configuration), MLIRPLUG_OK,
               "%s", mlir_message(&session));
  cr_expect_eq(run(), MLIRPLUG_OK);
  cr_expect_eq(shown.count, 1);
  mlir_pipeline_destroy(&made);
}

Test(ir_dumps, go_to_a_tree_of_files) {
  char *directory = directory_create();
  char *root = NULL;
  cr_assert_gt(asprintf(&root, "%s/a/b", directory), 0);
  cr_expect_eq(dump("builtin.module(options{text=/x},func.func(count,cse))",
                    (mlirplug_ir_dumps){.after_all = true, .directory = root}),
               MLIRPLUG_OK, "%s", session.diagnostics.bytes);
  cr_expect_eq(shown.count, 0);
  struct command_result result =
      command_shell("cd '%s' && find -type f | sort", root);
  cr_expect_str_eq(
      result.output,
      "./builtin_module_no-symbol-name/0_options.mlir\n"
      "./builtin_module_no-symbol-name/func_func_d/0_0_count.mlir\n"
      "./builtin_module_no-symbol-name/func_func_d/0_1_cse.mlir\n"
      "./builtin_module_no-symbol-name/func_func_f/0_0_count.mlir\n"
      "./builtin_module_no-symbol-name/func_func_f/0_1_cse.mlir\n");
  command_release(&result);
  free(root);
  free(directory);
}

Test(ir_dumps, in_files_are_not_written_over_by_other_runs) {
  char *directory = directory_create();
  mlirplug_ir_dumps dumps = {
      .size = sizeof dumps, .after_all = true, .directory = directory};
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .ir_dumps = &dumps};
  cr_assert_eq(create("builtin.module(cse)", &configuration), MLIRPLUG_OK);
  for (int i = 0; i < 3; ++i)
    cr_expect_eq(run(), MLIRPLUG_OK);
  mlir_pipeline_destroy(&made);
  struct command_result result =
      command_shell("cd '%s' && find -type f | sort", directory);
  cr_expect_str_eq(result.output,
                   "./builtin_module_no-symbol-name/0_cse.mlir\n"
                   "./builtin_module_no-symbol-name/1_cse.mlir\n"
                   "./builtin_module_no-symbol-name/2_cse.mlir\n");
  command_release(&result);
  free(directory);
}

Test(ir_dumps, that_cannot_be_written_are_warned_of_once) {
  char *directory = directory_create();
  char *file = NULL;
  cr_assert_gt(asprintf(&file, "%s/file", directory), 0);
  file_write(file, "", 0);
  cr_expect_eq(dump("builtin.module(options,func.func(count))",
                    (mlirplug_ir_dumps){.after_all = true, .directory = file}),
               MLIRPLUG_OK);
  const char *said = strstr(session.diagnostics.bytes, "cannot write the IR");
  cr_assert(said, "%s", session.diagnostics.bytes);
  cr_expect(strstr(said, "Not a directory"), "%s", said);
  cr_expect_null(strstr(said + 1, "cannot write the IR"));
  free(file);
  free(directory);
}

Test(statistics_report, of_all_of_the_ir_need_a_context_without_threads) {
  expect_refused(dump("builtin.module(cse)",
                      (mlirplug_ir_dumps){.after_all = true, .whole = true}),
                 "all of the IR is to be shown around passes, while other "
                 "threads change it");
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

static void time_run(bool list, bool json) {
  mlirplug_timing_configuration how = {
      .size = sizeof how, .list = list, .json = json};
  mlirplug_timing *timing = NULL;
  shown = (struct shown){.length = 0};
  cr_assert_eq(
      mlirplug_timing_create(session.host, &how, &timing, &session.error),
      MLIRPLUG_OK, "%s", mlir_message(&session));
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .timing = timing};
  cr_assert_eq(
      create("builtin.module(options,func.func(count))", &configuration),
      MLIRPLUG_OK, "%s", mlir_message(&session));
  mlirplug_timing_begin(timing, "Outer");
  mlirplug_timing_begin(timing, "Inner");
  mlirplug_timing_end(timing);
  mlirplug_timing_end(timing);
  mlirplug_timing_end(timing); // nothing has begun
  cr_expect_eq(run(), MLIRPLUG_OK);
  mlirplug_timing_finish(timing, show, &shown);
  mlir_pipeline_destroy(&made);
}

Test(times, of_passes_and_sections_are_a_tree) {
  time_run(false, false);
  expect_shown("... Execution time report ...");
  expect_shown("  Outer\n");
  expect_shown("    Inner\n");
  expect_shown("  options\n");
  expect_shown("  'func.func' Pipeline\n");
  expect_shown("    count\n");
}

Test(times, can_be_a_list) {
  time_run(true, false);
  expect_shown("  Inner\n");
  expect_shown("  count\n");
}

Test(times, can_be_json) {
  time_run(false, true);
  json_error_t problem;
  json_t *report = json_loads(shown.text, 0, &problem);
  cr_assert(report, "%s: %s", problem.text, shown.text);
  cr_expect(json_is_array(report));
  const char *name =
      json_string_value(json_object_get(json_array_get(report, 0), "name"));
  cr_expect_str_eq(name, "Outer");
  json_decref(report);
}

Test(times, of_nothing_are_nothing) {
  mlirplug_timing_begin(NULL, "x");
  mlirplug_timing_end(NULL);
  mlirplug_timing_finish(NULL, show, &shown);
}

Test(times, need_no_reader) {
  mlirplug_timing *timing = NULL;
  cr_assert_eq(
      mlirplug_timing_create(session.host, NULL, &timing, &session.error),
      MLIRPLUG_OK);
  mlirplug_timing_begin(timing, "Never ended");
  mlirplug_timing_finish(timing, NULL, NULL);
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

static void count(const char *pipeline, bool measure, bool as_list) {
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .measure = measure};
  shown = (struct shown){.length = 0};
  cr_assert_eq(create(pipeline, &configuration), MLIRPLUG_OK, "%s",
               mlir_message(&session));
  cr_expect_eq(run(), MLIRPLUG_OK);
  cr_expect_eq(mlirplug_manager_report_statistics(made.manager, as_list, show,
                                                  &shown, &session.error),
               MLIRPLUG_OK);
  cr_expect_eq(shown.count, 1);
  mlir_pipeline_destroy(&made);
}

#define TITLE                                                                  \
  "===-----------------------------------------------------------------------" \
  "--"                                                                         \
  "===\n                         ... Pass statistics report ...\n"             \
  "===-----------------------------------------------------------------------" \
  "--"                                                                         \
  "===\n"

static const char counting[] =
    "builtin.module(cse,func.func(count,cse),func.func(count),options)";

Test(statistics_report, follows_the_pipeline) {
  count(counting, false, false);
  cr_expect_str_eq(shown.text, TITLE "cse\n"
                                     "'func.func' Pipeline\n"
                                     "  count\n"
                                     "    (S) 2 runs - How often the pass ran\n"
                                     "  cse\n"
                                     "'func.func' Pipeline\n"
                                     "  count\n"
                                     "    (S) 2 runs - How often the pass ran\n"
                                     "options\n"
                                     "\n");
}

Test(statistics_report, can_be_a_list_by_name) {
  count(counting, false, true);
  cr_expect_str_eq(shown.text, TITLE "  count\n"
                                     "    (S) 4 runs - How often the pass ran\n"
                                     "\n");
}

/// Clones for threads are counted to the pass they were made of.
Test(statistics_report, measures_what_counts_nothing) {
  for (int i = 0; i < 10; ++i) {
    count(counting, true, false);
    cr_expect_str_eq(
        shown.text,
        TITLE "CSE\n"
              "  (S) 0 ops-added   - Operations more than before\n"
              "  (S) 1 ops-changed - Operations that it ran on and changed\n"
              "  (S) 1 ops-removed - Operations less than before\n"
              "  (S) 1 ops-visited - Operations that it ran on\n"
              "'func.func' Pipeline\n"
              "  count\n"
              "    (S) 2 runs - How often the pass ran\n"
              "  CSE\n"
              "    (S) 0 ops-added   - Operations more than before\n"
              "    (S) 0 ops-changed - Operations that it ran on and changed\n"
              "    (S) 0 ops-removed - Operations less than before\n"
              "    (S) 2 ops-visited - Operations that it ran on\n"
              "'func.func' Pipeline\n"
              "  count\n"
              "    (S) 2 runs - How often the pass ran\n"
              "options\n"
              "  (S) 0 ops-added   - Operations more than before\n"
              "  (S) 0 ops-changed - Operations that it ran on and changed\n"
              "  (S) 0 ops-removed - Operations less than before\n"
              "  (S) 1 ops-visited - Operations that it ran on\n"
              "\n");
  }
}

Test(statistics_report, shows_passes_that_other_passes_run) {
  count(
      "builtin.module(inline{default-pipeline=canonicalize},func.func(count))",
      true, false);
  expect_shown("Inliner\n");
  expect_shown("Passes inside of others\n  Canonicalizer\n    (S) ");
}

//===----------------------------------------------------------------------===//
// Where it cannot be had
//===----------------------------------------------------------------------===//

static const char *const hidden[] = {
    "mlirplugExtDumpIR",  "mlirplugExtTimingCreate", "mlirplugExtTimingAttach",
    "mlirplugExtMeasure", "mlirplugExtLastPass",     NULL};

Test(unwatched, mlir_without_the_extension_says_so) {
  mlirplug_timing *timing = NULL;
  cr_assert_eq(
      mlirplug_timing_create(session.host, NULL, &timing, &session.error),
      MLIRPLUG_OK);
  const struct binding *whole = session.host->binding;
  cr_assert_eq(
      binding_open_without("static", hidden, &session.host->binding, NULL),
      MLIRPLUG_OK);
  expect_refused(
      dump("builtin.module(cse)", (mlirplug_ir_dumps){.after_all = true}),
      "cannot show the IR around passes; expected a provider of "
      "mlirplug; use --provider=static or --provider=shared");
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .timing = timing};
  expect_refused(create("builtin.module(cse)", &configuration),
                 "cannot take the times of passes");
  mlir_pipeline_destroy(&made);
  mlirplug_timing *none = NULL;
  mlirplug_error_destroy(session.error);
  session.error = NULL;
  expect_refused(
      mlirplug_timing_create(session.host, NULL, &none, &session.error),
      "cannot take times");
  count("builtin.module(cse,func.func(count))", true, false);
  cr_expect_str_eq(shown.text, TITLE "cse\n"
                                     "'func.func' Pipeline\n"
                                     "  count\n"
                                     "    (S) 2 runs - How often the pass ran\n"
                                     "\n");
  session.host->binding = whole; // for what closing calls
  mlirplug_timing_finish(timing, NULL, NULL);
}
