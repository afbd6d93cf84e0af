// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit/read_plugin.h"

Test(a_good_plugin, is_described_in_full) {
  mlirplug_plugin_description *plugin = expect_read("good");
  cr_expect_str_eq(plugin->id, "org.example.variant");
  cr_expect_str_eq(plugin->version, "1.2.3");
  cr_expect_str_eq(plugin->sdk, "1.0.0");
  cr_expect_eq(plugin->abi_major, 1);
  cr_expect_eq(plugin->abi_minor, 0);
  cr_expect_eq(plugin->warning_count, 0, "%s", plugin->warnings[0]);
  cr_assert_eq(plugin->pass_count, 2);

  const mlirplug_pass_description *pass = plugin->passes[0];
  cr_expect_str_eq(pass->name, "first-pass");
  cr_expect_str_eq(pass->summary, "The first pass");
  cr_expect_str_eq(pass->description, "Two lines\nof text.");
  cr_assert_eq(pass->anchor_count, 2);
  cr_expect_str_eq(pass->anchors[0], "func.func");
  cr_expect_str_eq(pass->anchors[1], "builtin.module");
  cr_assert_eq(pass->dialect_count, 2);
  cr_expect_str_eq(pass->dialects[0], "arith");
  cr_expect_str_eq(pass->dialects[1], "func");
  cr_assert_eq(pass->option_count, 2);
  cr_expect_eq(pass->options_size, 16);
  cr_expect_str_eq(pass->options[0]->name, "top");
  cr_expect_str_eq(pass->options[0]->help, "Only so many");
  cr_expect_eq(pass->options[0]->kind, MLIRPLUG_KIND_INT);
  cr_expect_eq(pass->options[0]->default_integer, 3);
  cr_expect_str_eq(pass->options[1]->name, "fast");
  cr_expect_eq(pass->options[1]->offset, 8);
  cr_assert_eq(pass->statistic_count, 1);
  cr_expect_str_eq(pass->statistics[0]->name, "seen");
  cr_expect_str_eq(pass->statistics[0]->help, "Operations seen");
  cr_assert_eq(pass->name_count, 2);
  cr_expect_str_eq(pass->names[1], "linalg.generic");

  pass = plugin->passes[1];
  cr_expect_str_eq(pass->name, "second-pass");
  cr_expect_str_eq(pass->description, "");
  cr_expect_eq(pass->anchor_count, 0);
  cr_expect_eq(pass->option_count, 0);
  mlirplug_plugin_description_destroy(plugin);
}

Test(a_good_plugin, lists_what_it_imports_once_and_sorted) {
  mlirplug_plugin_description *plugin = expect_read("missing-function");
  cr_assert_eq(plugin->import_count, 2);
  cr_expect_str_eq(plugin->imports[0], "mlirNoHostHasThisFunction");
  cr_expect_str_eq(plugin->imports[1], "mlirOperationGetName");
  // The plugin calls it and also asks for it: that makes it optional.
  cr_assert_eq(plugin->optional_import_count, 1);
  cr_expect_str_eq(plugin->optional_imports[0], "mlirOperationVerify");
  mlirplug_plugin_description_destroy(plugin);
}

Test(a_good_plugin, is_the_same_from_memory) {
  struct bytes file = plugin_bytes("good");
  mlirplug_plugin_description *plugin = NULL;
  cr_assert_eq(
      descriptor_read_memory("somewhere", file.data, file.size, &plugin, NULL),
      MLIRPLUG_OK);
  // Nothing in the description points into the file.
  memset(file.data, 0xff, file.size);
  free(file.data);
  cr_expect_str_eq(plugin->path, "somewhere");
  cr_expect_str_eq(plugin->passes[0]->options[1]->help, "Hurry");
  mlirplug_plugin_description_destroy(plugin);
  mlirplug_plugin_description_destroy(NULL);
}

Test(a_plugin_of_another_sdk, is_accepted_when_nothing_is_lost) {
  mlirplug_plugin_description *plugin = expect_read("newer-minor");
  cr_expect_eq(plugin->abi_minor, 7);
  mlirplug_plugin_description_destroy(plugin);
  plugin = expect_read("reserved");
  mlirplug_plugin_description_destroy(plugin);
  plugin = expect_read("larger-descriptor");
  cr_expect_eq(plugin->import_count, 1);
  mlirplug_plugin_description_destroy(plugin);
  plugin = expect_read("smaller-pass");
  cr_expect_eq(plugin->pass_count, 2);
  mlirplug_plugin_description_destroy(plugin);
  plugin = expect_read("smaller-descriptor");
  cr_expect_eq(plugin->import_count, 0, "the field is not there");
  cr_expect_eq(plugin->optional_import_count, 0);
  mlirplug_plugin_description_destroy(plugin);
}

Test(a_plugin_without_a_version, is_shown_so) {
  mlirplug_plugin_description *plugin = expect_read("no-version");
  cr_expect_str_eq(plugin->version, "(none)");
  mlirplug_plugin_description_destroy(plugin);
}

/// NAME.so is read with one warning, which has `part` in it.
static void expect_warning(const char *name, const char *part) {
  mlirplug_plugin_description *plugin = expect_read(name);
  cr_assert_eq(plugin->warning_count, 1, "%s has %zu warnings", name,
               plugin->warning_count);
  cr_expect_not_null(strstr(plugin->warnings[0], part), "no \"%s\" in: %s",
                     part, plugin->warnings[0]);
  mlirplug_plugin_description_destroy(plugin);
}

Test(an_odd_plugin, is_accepted_with_a_warning) {
  expect_warning("no-passes", "no passes");
  expect_warning("p-name", "'p-first' begins with \"p-\"");
  expect_warning("finish-alone",
                 "what clones of pass 'first-pass' count for other threads is "
                 "lost before 'finish'; give it merge and reset");
  expect_warning("further-export", "further_export");
  expect_warning("other-file", "other_pass");
  expect_warning("unique-symbol", "GNU_UNIQUE");
  expect_warning("unique-symbol", "one_for_all");
  expect_warning("needs-mlir", "libMLIRFake.so");
}

struct refusal {
  const char *name;
  const char *part;
};

static void expect_all_refused(const struct refusal *refusals, size_t count) {
  for (size_t i = 0; i < count; ++i)
    expect_refused(refusals[i].name, refusals[i].part);
}

#define EXPECT_ALL_REFUSED(...)                                                \
  do {                                                                         \
    static const struct refusal refusals[] = {__VA_ARGS__};                    \
    expect_all_refused(refusals, sizeof refusals / sizeof *refusals);          \
  } while (0)

Test(a_plugin_of_another_abi, is_refused_with_both_versions) {
  EXPECT_ALL_REFUSED(
      {"abi-newer", "the plugin wants ABI 2; expected ABI 1, which this loader "
                    "has; get a newer mlirplug"},
      {"abi-older", "the plugin wants ABI 0; expected ABI 1, which this loader "
                    "has; rebuild the plugin"});
}

Test(a_corrupt_descriptor, is_refused) {
  EXPECT_ALL_REFUSED(
      {"size-zero", "corrupt descriptor: the size of mlirplug_descriptor is 0"},
      {"size-huge",
       "corrupt descriptor: the size of mlirplug_descriptor is 65537"},
      {"magic-wrong", "not a plugin of this SDK"},
      {"magic-wrong", "\"MLIRPLUX\"; expected \"MLIRPLUG\""},
      {"no-id", "the plugin has no name"}, {"id-space", "the id 'org example'"},
      {"passes-null", "corrupt descriptor: 1000000 elements"},
      {"passes-null-few", "corrupt descriptor: it is null, but"},
      {"passes-many", "corrupt descriptor"}, {"passes-beyond", "passes"},
      {"pass-null", "the table of passes, field '0': it is null"},
      {"pass-elsewhere", "outside the file"}, {"pass-itself", "pass 0"},
      {"imports-odd", "imports do not fit each other"},
      {"imports-reversed", "imports do not fit each other"},
      {"imports-half", "imports do not fit each other"},
      {"imports-many", "65537 imports"});
}

Test(a_wrong_pass, is_refused_by_name) {
  EXPECT_ALL_REFUSED(
      {"pass-size-zero",
       "pass 0: its size is 0; begin the pass with MLIRPLUG_PASS("},
      {"pass-size-huge", "the size of pass 0 is 65537"},
      {"same-names", "two passes called 'second-pass'"},
      {"name-null", "is empty, so it cannot be used in a pipeline"},
      {"name-empty", "is empty, so it cannot be used in a pipeline"},
      {"name-space", "('first pass') has a space in it"},
      {"name-brace", "('first{pass') has a brace in it"},
      {"name-comma", "('first,pass') has a comma in it"},
      {"name-dash", "('-first') begins with '-'"},
      {"no-run", "pass 'first-pass' has no run callback"},
      {"run-data", "'first-pass'), field 'run': it points to no code"},
      {"create-only", "has the callback create but not destroy"},
      {"merge-alone", "pass 'first-pass' has merge but not reset: what a clone "
                      "has counted would be added again after the next run"},
      {"destroy-free",
       "pass 0 ('first-pass'), field 'destroy': it is the function 'free' of "
       "another library (R_"},
      {"destroy-free", "; wrap it in a function of the plugin"},
      {"anchor-space", "the anchor 'func func'"},
      {"anchor-twice", "the anchor 'func.func' twice"},
      {"anchor-hole", "the anchor ''"}, {"anchor-any", "the anchor 'any'"},
      {"dialect-dot", "the dialect 'arith.addi'"});
}

Test(a_wrong_text, is_refused_by_its_field) {
  EXPECT_ALL_REFUSED(
      {"text-long", "field 'summary': its text is longer than 64 KiB"},
      {"text-no-utf8", "field 'summary': byte 3 is not valid UTF-8"},
      {"text-control", "field 'summary': byte 4 is a control character"},
      {"text-unfilled", "field 'summary': it points to no text in the file"});
}

Test(a_wrong_option, is_refused_by_name) {
  EXPECT_ALL_REFUSED(
      {"option-size-zero", "the size of mlirplug_option is 0"},
      {"option-size-odd", "no multiple of 8"},
      {"option-size-small", "option 1 of pass 0 ('first-pass')"},
      {"options-null", "field 'options': corrupt descriptor: it is null"},
      {"options-many", "field 'options': corrupt descriptor: 4097 elements"},
      {"option-name", "the option 't=p' of pass 'first-pass'"},
      {"option-twice", "two options called 'fast'"},
      {"option-kind", "the option 'top' of pass 'first-pass' is of the unknown "
                      "kind 9"},
      {"option-outside", "outside the pass's structure"},
      {"option-unaligned", "not aligned"},
      {"statistic-size-huge", "the size of mlirplug_statistic is 131072"},
      {"statistic-name", "statistic 0 of pass 'first-pass' has no name"});
}

Test(a_descriptor_that_is_filled_in_at_run_time, is_refused_with_the_cure) {
  EXPECT_ALL_REFUSED({"dynamic", "all zero in the file"},
                     {"dynamic", "make it constinit"},
                     {"dynamic-partly", "field 'id': it is null"},
                     {"dynamic-partly", "make it constinit"});
}

Test(another_kind_of_plugin, is_told_where_it_belongs) {
  EXPECT_ALL_REFUSED(
      {"foreign", "no symbol mlirplug_plugin"},
      {"foreign-function", "mlirplug_plugin is a function"},
      {"foreign-mlir", "by its symbol mlirGetPassPluginInfo it is an MLIR pass "
                       "plugin"},
      {"foreign-mlir", "no symbol mlirplug_plugin"},
      {"foreign-mlir", "--load-pass-plugin=FILE"},
      {"foreign-dialect", "--load-dialect-plugin=FILE"},
      {"foreign-llvm", "opt with -load-pass-plugin=FILE"},
      {"foreign-clang", "a clang plugin"}, {"foreign-gcc", "a GCC plugin"},
      {"foreign-python", "by its symbol PyInit_speed it is a Python extension "
                         "module"});
}
