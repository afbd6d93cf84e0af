// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading what stands behind the IR of a reproducer.

#include <mlirplug/host.h>

#include <criterion/criterion.h>
#include <string.h>

static mlirplug_reproducer *read_text(const char *text, const char *path) {
  mlirplug_reproducer *reproducer = NULL;
  mlirplug_error *error = NULL;
  cr_assert_eq(
      mlirplug_reproducer_read(text, strlen(text), path, &reproducer, &error),
      MLIRPLUG_OK, "%s", error ? error->message : "");
  return reproducer;
}

Test(reading_reproducers, of_mlir_itself) {
  mlirplug_reproducer *reproducer =
      read_text("module {\n}\n\n"
                "{-#\n"
                "  dialect_resources: {\n"
                "    builtin: {\n"
                "      blob: \"0x0400000001000000\"\n"
                "    }\n"
                "  },\n"
                "  external_resources: {\n"
                "    mlir_reproducer: {\n"
                "      pipeline: \"builtin.module(func.func(cse, a{b=c}))\",\n"
                "      disable_threading: true,\n"
                "      verify_each: false\n"
                "    }\n"
                "  }\n"
                "#-}\n",
                "r.mlir");
  cr_expect_str_eq(reproducer->path, "r.mlir");
  cr_expect_str_eq(reproducer->pipeline,
                   "builtin.module(func.func(cse, a{b=c}))");
  cr_expect_eq(reproducer->disable_threading, 1);
  cr_expect_eq(reproducer->verify, 0);
  cr_expect_not(reproducer->allow_unregistered_dialects);
  cr_expect_null(reproducer->provider);
  cr_expect_eq(reproducer->plugin_count, 0);
  mlirplug_reproducer_destroy(reproducer);
}

Test(reading_reproducers, with_plugins_in_any_order) {
  mlirplug_reproducer *reproducer = read_text(
      "{-# external_resources: { mlirplug: {\n"
      "  plugin_10_path: \"/tmp/b.so\", plugin_2_path: "
      "\"/t\\22\\\\\\C3\\A4.so\","
      "  plugin_2_id: \"a\", plugin_10_id: \"b\", plugin_2_version: \"2.1\",\n"
      "  plugin_2_blake2b: \"00ff\", plugin_2_colour: \"red\", "
      "  allow_unregistered_dialect: true, provider: \"MLIR 22\", later: true\n"
      "} } #-}\n"
      "module {}\n"
      "{-# external_resources: { mlir_reproducer: { pipeline: \"any(a)\" } } "
      "#-}",
      NULL);
  cr_expect_null(reproducer->path);
  cr_expect_str_eq(reproducer->pipeline, "any(a)");
  cr_expect_eq(reproducer->disable_threading, -1);
  cr_expect_eq(reproducer->verify, -1);
  cr_expect(reproducer->allow_unregistered_dialects);
  cr_expect_str_eq(reproducer->provider, "MLIR 22");
  cr_assert_eq(reproducer->plugin_count, 2);
  const mlirplug_reproducer_plugin *first = reproducer->plugins[0];
  cr_expect_str_eq(first->id, "a");
  cr_expect_str_eq(first->version, "2.1");
  cr_expect_str_eq(first->path, "/t\"\\\xc3\xa4.so");
  cr_expect_str_eq(first->checksum, "00ff");
  const mlirplug_reproducer_plugin *second = reproducer->plugins[1];
  cr_expect_str_eq(second->id, "b");
  cr_expect_str_eq(second->version, "(none)");
  cr_expect_null(second->checksum);
  mlirplug_reproducer_destroy(reproducer);
}

Test(reading_reproducers, takes_what_only_looks_like_one_for_nothing) {
  static const char *const texts[] = {
      "",
      "module {}",
      "// {-# external_resources: { mlir_reproducer: { pipeline: \"a\" } } #-}",
      "\"a.b\"() {a = \"{-# external_resources: {\\\" {-# x\"} : () -> ()",
      "{-# external_resources: { other: { pipeline: \"a\", b: true } } #-}",
      "{-# dialect_resources: { mlir_reproducer: { pipeline: \"a\" } } #-}",
      "{-# #-}",
      "{-# external_resources: { mlir_reproducer: { } } #-}",
      "{-# mlir_reproducer: { pipeline: { pipeline: \"a\" } } #-}",
      "ML\xefR {-# external_resources: { mlir_reproducer: { pipeline: 1",
      "a string that does not end: \"\nand then {-# // #-}\n #-}",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    mlirplug_reproducer *reproducer = read_text(texts[i], NULL);
    cr_expect_null(reproducer->pipeline, "%s", texts[i]);
    cr_expect_eq(reproducer->plugin_count, 0);
    mlirplug_reproducer_destroy(reproducer);
  }
}

#define GROUP(name, entries)                                                   \
  "module {}\n{-#\n external_resources: { " name ": { " entries " } }\n#-}"

Test(reading_reproducers, refuses_what_mlir_would) {
  static const struct {
    const char *text, *found;
  } faults[] = {
      {GROUP("mlir_reproducer", "pipelin: \"a\""),
       "line 3 has a key that mlir_reproducer does not have"},
      {GROUP("mlir_reproducer", "pipeline: true"),
       "line 3 has a value that is no text"},
      {GROUP("mlir_reproducer", "verify_each: \"true\""),
       "line 3 has a value that is neither true nor false"},
      {GROUP("mlir_reproducer", "pipeline: \"a"),
       "line 3 has a string that does not end in its line"},
      {GROUP("mlir_reproducer", "pipeline \"a\""),
       "line 3 has no ':' behind a name"},
      {GROUP("mlir_reproducer", "pipeline: "),
       "line 3 has no name or value where one should stand"},
      {GROUP("mlir_reproducer", "verify_each: true true"),
       "line 3 has no ',' and no end behind a value"},
      {GROUP("mlir_reproducer", "pipeline: \"a\\00b\""),
       "line 3 has a value that is no text"},
      {GROUP("a", "b: {c: {d: {e: {f: {g: {h: true}}}}}}"),
       "line 3 has too many braces"},
      {GROUP("mlirplug", "plugin_0_path: \"/a.so\""), "its plugin 0 has no id"},
      {GROUP("mlirplug", "plugin_7_id: \"a\", plugin_7_path: \"a.so\""),
       "its plugin 7 has no absolute path"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    mlirplug_reproducer *reproducer = NULL;
    mlirplug_error *error = NULL;
    cr_expect_eq(mlirplug_reproducer_read(faults[i].text,
                                          strlen(faults[i].text), "r.mlir",
                                          &reproducer, &error),
                 MLIRPLUG_FAILED, "%s", faults[i].text);
    cr_expect_null(reproducer);
    cr_assert(error);
    cr_expect_str_eq(error->found, faults[i].found);
    cr_expect_str_eq(error->subject, "r.mlir");
    mlirplug_error_destroy(error);
  }
}

Test(reading_reproducers, refuses_a_string_with_a_nul) {
  static const char text[] =
      GROUP("mlir_reproducer", "pipeline: \"builtin.module(\0cse)\"");
  mlirplug_reproducer *reproducer = NULL;
  mlirplug_error *error = NULL;
  cr_expect_eq(mlirplug_reproducer_read(text, sizeof text - 1, "r.mlir",
                                        &reproducer, &error),
               MLIRPLUG_FAILED);
  cr_assert(error);
  cr_expect_str_eq(error->found, "line 3 has a value that is no text");
  mlirplug_error_destroy(error);
}
