// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "catalog/encoding.h"

#include "support/mlir.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdlib.h>
#include <string.h>

static mlirplug_plugin_description *read_plugin(const char *path) {
  mlirplug_plugin_description *description;
  mlirplug_error *error = NULL;
  cr_assert_eq(mlirplug_plugin_read(path, &description, &error), MLIRPLUG_OK,
               "%s", error ? error->message : "");
  return description;
}

static struct text encode(const mlirplug_plugin_description *description) {
  struct text bytes = {0};
  description_encode(description, &bytes);
  cr_assert_not(bytes.failed);
  return bytes;
}

#define SHIPPED(name) MLIRPLUG_BUILD_DIRECTORY "/lib/mlirplug/plugins/" name

static const char *const plugins[] = {
    MLIR_PLUGIN("anchor"),      MLIR_PLUGIN("diagnose"),
    MLIR_PLUGIN("record"),      MLIR_PLUGIN("service"),
    MLIR_PLUGIN("state"),       SHIPPED("op-histogram.so"),
    SHIPPED("linalg-survey.so")};

Test(description_as_bytes, comes_back_as_it_was) {
  for (size_t i = 0; i < sizeof plugins / sizeof plugins[0]; ++i) {
    mlirplug_plugin_description *before = read_plugin(plugins[i]);
    struct text bytes = encode(before);
    mlirplug_plugin_description *after =
        description_decode("/elsewhere.so", bytes.bytes, bytes.length);
    cr_assert_not_null(after, "%s", plugins[i]);
    cr_expect_str_eq(after->path, "/elsewhere.so");
    struct text again = encode(after);
    cr_expect_eq(again.length, bytes.length);
    cr_expect_arr_eq(again.bytes, bytes.bytes, bytes.length);
    text_release(&again);
    text_release(&bytes);
    mlirplug_plugin_description_destroy(before);
    mlirplug_plugin_description_destroy(after);
  }
}

Test(description_as_bytes, shows_every_field) {
  mlirplug_plugin_description *before = read_plugin(MLIR_PLUGIN("service"));
  struct text bytes = encode(before);
  mlirplug_plugin_description *after =
      description_decode(before->path, bytes.bytes, bytes.length);
  cr_assert_not_null(after);
  cr_expect_str_eq(after->id, before->id);
  cr_expect_str_eq(after->version, before->version);
  cr_expect_str_eq(after->sdk, before->sdk);
  cr_expect_eq(after->abi_major, before->abi_major);
  cr_expect_eq(after->abi_minor, before->abi_minor);
  cr_assert_eq(after->import_count, before->import_count);
  cr_expect_str_eq(after->imports[0], before->imports[0]);
  cr_assert_eq(after->pass_count, before->pass_count);
  for (size_t i = 0; i < after->pass_count; ++i) {
    cr_expect_str_eq(after->passes[i]->name, before->passes[i]->name);
    cr_expect_str_eq(after->passes[i]->summary, before->passes[i]->summary);
    cr_expect_eq(after->passes[i]->option_count,
                 before->passes[i]->option_count);
    cr_expect_eq(after->passes[i]->statistic_count,
                 before->passes[i]->statistic_count);
  }
  text_release(&bytes);
  mlirplug_plugin_description_destroy(before);
  mlirplug_plugin_description_destroy(after);
}

Test(description_as_bytes, that_are_cut_short_or_too_long_is_none) {
  mlirplug_plugin_description *description = read_plugin(MLIR_PLUGIN("state"));
  struct text bytes = encode(description);
  for (size_t i = 0; i < bytes.length; ++i)
    cr_expect_null(description_decode("/x.so", bytes.bytes, i));
  text_add(&bytes, "x");
  cr_expect_null(description_decode("/x.so", bytes.bytes, bytes.length));
  text_release(&bytes);
  mlirplug_plugin_description_destroy(description);
}

Test(description_as_bytes, that_were_changed_does_no_harm) {
  mlirplug_plugin_description *description = read_plugin(MLIR_PLUGIN("state"));
  struct text bytes = encode(description);
  for (size_t i = 0; i < bytes.length; ++i)
    for (unsigned bit = 0; bit < 8; ++bit) {
      bytes.bytes[i] = (char)(bytes.bytes[i] ^ 1 << bit);
      mlirplug_plugin_description_destroy(
          description_decode("/x.so", bytes.bytes, bytes.length));
      bytes.bytes[i] = (char)(bytes.bytes[i] ^ 1 << bit);
    }
  text_release(&bytes);
  mlirplug_plugin_description_destroy(description);
}
