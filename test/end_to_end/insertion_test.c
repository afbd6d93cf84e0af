// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of plugins in places that the user's pipeline does not name: inserted
// on request, asked for by MLIR itself, and those of C++ plugins.

#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEMO MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/demo.so"
#define CXX(name) MLIRPLUG_BUILD_DIRECTORY "/test/plugins/cxx/" name ".so"
#define STATE MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/state.so"

static const char two_functions[] = "module {\n"
                                    "  func.func @f() {\n"
                                    "    return\n"
                                    "  }\n"
                                    "  func.func @g() {\n"
                                    "    call @f() : () -> ()\n"
                                    "    return\n"
                                    "  }\n"
                                    "}\n";

#define opt_run(...)                                                           \
  mlirplug_run_with(two_functions,                                             \
                    (const char *const[]){"opt", __VA_ARGS__, NULL})

static size_t count(const char *text, const char *part) {
  size_t found = 0;
  for (; (text = strstr(text, part)); text += strlen(part))
    ++found;
  return found;
}

//===----------------------------------------------------------------------===//
// On request
//===----------------------------------------------------------------------===//

/// The run works, and the pipeline was this.
static void expect_pipeline(struct command_result result,
                            const char *pipeline) {
  char line[512];
  expect_exit(&result, 0);
  (void)snprintf(line, sizeof line, "pipeline: %s\n", pipeline);
  const char *last = NULL;
  for (const char *at = result.errors; (at = strstr(at, "pipeline: ")); ++at)
    last = at;
  cr_assert_not_null(last, "%s", result.errors);
  cr_expect(strncmp(last, line, strlen(line)) == 0, "not '%s': %s", line, last);
  command_release(&result);
}

Test(inserted_passes, run_where_they_were_asked_for) {
  expect_pipeline(
      opt_run(LOAD(DEMO), "--plugin-debug",
              "--pass-pipeline=builtin.module(func.func(cse),symbol-dce)",
              "--insert=after:cse:demo-tag{name=here}"),
      "builtin.module(func.func(cse,demo-tag{name=here}),symbol-dce)");
  expect_pipeline(opt_run(LOAD(DEMO), "--plugin-debug", "--cse", "--symbol-dce",
                          "--insert=each:demo-hist",
                          "--insert=start:func.func(demo-tag)"),
                  "builtin.module(func.func(demo-tag),cse,demo-hist,symbol-dce,"
                  "demo-hist)");
  expect_pipeline(opt_run(LOAD(DEMO), "--plugin-debug", "--insert=end:cse"),
                  "builtin.module(cse)");
  struct command_result result =
      opt_run(LOAD(DEMO), "--cse", "--insert=end:func.func(demo-tag)");
  expect_silent_success(&result);
  cr_expect_eq(count(result.output, "attributes {tagged}"), 2);
  command_release(&result);
}

Test(inserted_passes, are_refused_with_what_to_write) {
  struct command_result result =
      opt_run(LOAD(DEMO), "--cse", "--insert=end:demo-tag");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "write end:func.func(demo-tag)");
  command_release(&result);
  result = opt_run(LOAD(DEMO), "--cse", "--insert=after:licm:demo-hist");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "no pass named licm in the pipeline");
  command_release(&result);
  result =
      opt_run(LOAD(DEMO), "--cse", "--cse", "--insert=after:cse:demo-hist");
  expect_exit(&result, 0);
  expect_contains(result.errors, "warning: --insert=after:cse:demo-hist: cse "
                                 "stands 2 times");
  command_release(&result);
}

/// Runs in a project whose mlirplug.json names the plugin and `insert`.
static struct command_result project_run(const char *insert,
                                         const char *arguments) {
  char *directory = directory_create();
  struct command_result made = command_shell(
      "cd %s && cp " TWICE " in.mlir && echo '{\"plugins\": [\"" DEMO
      "\"], \"insert\": [%s]}' >mlirplug.json && export XDG_STATE_HOME=%s "
      "&& " COMMAND_WITH_DEFAULTS " trust . && " COMMAND_WITH_DEFAULTS
      " opt %s",
      directory, insert, directory, arguments);
  free(directory);
  return made;
}

Test(inserted_passes, come_from_the_configuration_of_a_project) {
  struct command_result result =
      project_run("\"end:func.func(demo-tag{name=twice})\"", "--cse in.mlir");
  expect_exit(&result, 0);
  expect_text(result.errors, "");
  expect_contains(result.output,
                  "insertion end:func.func(demo-tag{name=twice})");
  expect_contains(result.output, "attributes {twice}");
  command_release(&result);
  // Nothing is inserted where nothing runs.
  result = project_run("\"end:func.func(demo-tag{name=twice})\"", "in.mlir");
  expect_exit(&result, 0);
  expect_lacks(result.output, "attributes {twice}");
  command_release(&result);
}

Test(inserted_passes, of_a_project_are_left_out_where_they_do_not_suit) {
  static const char two[] =
      "\"after:licm:demo-hist\", \"end:func.func(demo-tag)\"";
  struct command_result result = project_run(two, "--cse in.mlir");
  expect_exit(&result, 0);
  expect_contains(result.errors, "warning: the configuration '");
  expect_contains(result.errors, "no pass named licm in the pipeline");
  expect_contains(result.output, "attributes {tagged}");
  command_release(&result);
  result = project_run(two, "--config=mlirplug.json --cse in.mlir");
  expect_exit(&result, 1);
  expect_contains(result.errors, "no pass named licm in the pipeline");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Asked for by MLIR
//===----------------------------------------------------------------------===//

#define INLINE(pipeline) "--pass-pipeline=builtin.module(inline{" pipeline "})"

Test(passes_by_name, run_in_pipelines_inside_of_options) {
  static const char *const providers[] = {"static", "shared"};
  for (size_t i = 0; i < 2; ++i) {
    char provider[32];
    (void)snprintf(provider, sizeof provider, "--provider=%s", providers[i]);
    struct command_result result = opt_run(
        LOAD(DEMO), provider,
        INLINE("op-pipelines=func.func(canonicalize,demo-tag{name=in})"));
    expect_silent_success(&result);
    cr_expect_eq(count(result.output, "attributes {in}"), 2, "%s",
                 result.output);
    command_release(&result);
  }
}

Test(passes_by_name, have_their_options_checked) {
  struct command_result result =
      opt_run(LOAD(DEMO), INLINE("op-pipelines=func.func(demo-tag{nam=in})"));
  expect_exit(&result, 1);
  expect_contains(result.errors,
                  "pass 'demo-tag' has no option 'nam'; expected "
                  "name; did you mean 'name'?");
  command_release(&result);
  result = opt_run(LOAD(DEMO), INLINE("op-pipelines=func.func(demo-hist)"));
  expect_exit(&result, 1);
  expect_contains(result.errors, "runs on builtin.module, not on func.func");
  command_release(&result);
}

/// A transform script that applies `passes` to all functions beside it.
static struct command_result transform_run(const char *passes,
                                           const char *threading) {
  return mlirplug_shell(
      "$MLIRPLUG opt " LOAD(
          DEMO) " --transform-interpreter %s <<'END'\n"
                "module attributes {transform.with_named_sequence} {\n"
                "  func.func @f() {\n    return\n  }\n"
                "  func.func @g() {\n    return\n  }\n"
                "  transform.named_sequence @__transform_main(%%m: "
                "!transform.any_op) {\n"
                "    %%f = transform.structured.match ops{[\"func.func\"]} in "
                "%%m : "
                "(!transform.any_op) -> !transform.any_op\n"
                "    %s\n"
                "    transform.yield\n"
                "  }\n"
                "}\n"
                "END\n",
      threading, passes);
}

#define APPLY(pass, to, options)                                               \
  "transform.apply_registered_pass \"" pass "\"" options " to " to             \
  " : (!transform.any_op) -> !transform.any_op\n"

Test(passes_by_name, are_applied_by_transform_scripts) {
  static const char *const threading[] = {"", "--mlir-disable-threading"};
  for (size_t i = 0; i < 2; ++i) {
    struct command_result result = transform_run(
        "%1 = " APPLY(
            "demo-tag", "%f",
            " with options = {\"name\" = \"one\"}") "%2 = " APPLY("demo-tag-"
                                                                  "functions",
                                                                  "%1", ""),
        threading[i]);
    expect_silent_success(&result);
    cr_expect_eq(count(result.output, "attributes {one, tagged}"), 2, "%s",
                 result.output);
    command_release(&result);
  }
}

#define COUNT(to) APPLY("count", to, "")

Test(passes_by_name, count_and_report_with_the_run) {
  struct command_result result = transform_run(
      "%1 = " COUNT("%f") "%2 = " COUNT("%1"), "--records=- " LOAD(STATE));
  expect_exit(&result, 0);
  expect_text(result.output,
              "{\"file\": \"<stdin>\", \"pass\": \"count\", \"runs\": 4}\n");
  command_release(&result);
  result =
      transform_run("%1 = " APPLY("demo-tag", "%f", "") "%2 = " APPLY(
                        "demo-tag", "%1", " with options = {\"name\" = \"x\"}"),
                    "--mlir-pass-statistics");
  expect_exit(&result, 0);
  expect_contains(result.errors, "(S) 4 tagged - Operations that were tagged");
  command_release(&result);
  result = opt_run(LOAD(DEMO), "--mlir-pass-statistics",
                   INLINE("op-pipelines=func.func(canonicalize,demo-tag)"));
  expect_exit(&result, 0);
  expect_contains(result.errors, "tagged - Operations that were tagged");
  command_release(&result);
}

Test(passes_by_name, fail_as_passes_of_mlir_do) {
  struct command_result result = transform_run(
      "%1 = " APPLY("demo-tag", "%f", " with options = {\"nam\" = \"one\"}"),
      "");
  expect_exit(&result, 1);
  expect_contains(result.errors, "<stdin>:10:10: error: ");
  expect_contains(result.errors, "pass 'demo-tag' has no option 'nam'");
  command_release(&result);
  result = transform_run("%1 = " APPLY("demo-hist", "%f", ""), "");
  expect_exit(&result, 1);
  expect_contains(result.errors, "error: ");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Of C++ plugins
//===----------------------------------------------------------------------===//

Test(cxx_plugins, run_on_the_shared_provider) {
  static const char *const plugins[] = {LOAD(CXX("linked")), LOAD(CXX("free"))};
  for (size_t i = 0; i < 2; ++i) {
    struct command_result result =
        opt_run(plugins[i], LOAD(DEMO), "--provider=shared", "--cxx-tag",
                "--insert=end:func.func(cxx-tag{name=inner},demo-tag)");
    expect_silent_success(&result);
    expect_contains(result.output, "module attributes {cxx.tagged}");
    cr_expect_eq(count(result.output, "attributes {inner, tagged}"), 2);
    command_release(&result);
  }
}

Test(cxx_plugins, are_refused_where_they_do_not_fit) {
  static const struct {
    const char *provider;
    const char *plugin;
    const char *said;
  } refused[] = {
      {"--provider=static", LOAD(CXX("linked")), "use --provider=shared"},
      {"--provider=shared", LOAD(CXX("other")),
       "it is linked to libMLIR.so.19.1; expected libMLIR.so.22.1"},
      {"--provider=shared", LOAD(CXX("later")), "has the version 2"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    struct command_result result =
        opt_run(refused[i].plugin, refused[i].provider, "--cse");
    expect_refusal(&result, 1);
    expect_contains(result.errors, "cannot load the C++ plugin '");
    expect_contains(result.errors, refused[i].said);
    command_release(&result);
  }
}

Test(cxx_plugins, are_no_plugins_to_be_listed) {
  struct command_result result =
      mlirplug_run("opt", LOAD(CXX("linked")), "--list-passes");
  expect_exit(&result, 0);
  expect_contains(result.errors, "note: '" CXX("linked") "' is a plugin of "
                                                         "MLIR's own kind");
  command_release(&result);
  result = mlirplug_run("list", CXX("linked"));
  expect_exit(&result, 1);
  expect_contains(result.errors, "use 'mlirplug opt --provider=shared'");
  command_release(&result);
}
