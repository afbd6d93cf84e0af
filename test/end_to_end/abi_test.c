// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/cases/11-abi-mismatch/variants.tsv: descriptors that do not fit are
// refused with both values, before any code of the plugin runs.

#include "run.h"

#include <stdlib.h>
#include <string.h>

#define VARIANT(name)                                                          \
  MLIRPLUG_BUILD_DIRECTORY "/test/plugins/descriptor/" name ".so"

struct refused_variant {
  const char *path;
  const char *says[3];
};

static const struct refused_variant refused_variants[] = {
    {VARIANT("abi-newer"), {"ABI", "2", "1"}},
    {VARIANT("abi-older"), {"ABI", "0", "1"}},
    {VARIANT("size-zero"), {"size", "0"}},
    {VARIANT("size-huge"), {"size", "65537"}},
    {VARIANT("magic-wrong"), {"MLIRPLUX", "MLIRPLUG"}},
    {VARIANT("no-id"), {"id"}},
    {VARIANT("passes-null"), {"1000000"}},
    {VARIANT("same-names"), {"second-pass"}},
    {VARIANT("name-null"), {"name"}},
    {VARIANT("name-empty"), {"name"}},
    {VARIANT("name-space"), {"first pass"}},
    {VARIANT("name-brace"), {"first{pass"}},
    {VARIANT("name-comma"), {"first,pass"}},
    {VARIANT("no-run"), {"first-pass", "run"}},
    {VARIANT("foreign-function"), {"mlirplug_plugin"}},
    {VARIANT("foreign-mlir"), {"mlirGetPassPluginInfo"}},
};

Test(a_descriptor_that_does_not_fit, is_refused_with_its_file_and_values) {
  for (size_t i = 0; i < sizeof refused_variants / sizeof *refused_variants;
       ++i) {
    const struct refused_variant *variant = &refused_variants[i];
    struct command_result result = mlirplug_run(
        "opt", "--load-pass-plugin", variant->path, "--first-pass", TWICE);
    expect_refusal(&result, 1);
    expect_contains(result.errors, variant->path);
    for (size_t j = 0; j < 3 && variant->says[j]; ++j)
      expect_contains(result.errors, variant->says[j]);
    command_release(&result);
  }
}

static const char *const accepted_variants[] = {
    VARIANT("good"),
    VARIANT("newer-minor"),
    VARIANT("smaller-descriptor"),
    VARIANT("smaller-pass"),
    VARIANT("larger-descriptor"),
    VARIANT("no-version"),
};

Test(a_descriptor_that_fits, is_listed_and_runs) {
  for (size_t i = 0; i < sizeof accepted_variants / sizeof *accepted_variants;
       ++i) {
    struct command_result result =
        mlirplug_run("opt", "--load-pass-plugin", accepted_variants[i],
                     "--first-pass", TWICE);
    expect_exit(&result, 0);
    expect_contains(result.output, "@twice");
    struct command_result list = mlirplug_run("list", accepted_variants[i]);
    expect_exit(&list, 0);
    expect_contains(list.output, "first-pass");
    command_release(&result);
    command_release(&list);
  }
}

Test(a_plugin_without_a_version, is_shown_so) {
  struct command_result result = mlirplug_run("list", VARIANT("no-version"));
  expect_exit(&result, 0);
  expect_contains(result.output, "(none)");
  command_release(&result);
}

Test(a_plugin_without_passes, is_accepted_with_a_warning) {
  struct command_result result = mlirplug_run(
      "opt", "--load-pass-plugin", VARIANT("no-passes"), "--cse", TWICE);
  expect_exit(&result, 0);
  expect_contains(result.errors, "mlirplug: warning: ");
  expect_contains(result.errors, VARIANT("no-passes"));
  expect_contains(result.output, "@twice");
  command_release(&result);
}

Test(a_plugin, that_needs_what_this_mlir_lacks_is_refused_by_its_name) {
  struct command_result result =
      mlirplug_run("opt", "--load-pass-plugin", VARIANT("missing-function"),
                   "--first-pass", TWICE);
  expect_refusal(&result, 1);
  expect_contains(result.errors, VARIANT("missing-function"));
  expect_contains(result.errors, "mlirNoHostHasThisFunction");
  command_release(&result);
}
