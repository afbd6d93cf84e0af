// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugins that are built with the project.

#include "sdk/build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SHIPPED                                                                \
  MLIRPLUG_BUILD_DIRECTORY                                                     \
  "/lib/mlirplug/plugins/*.so " MLIRPLUG_BUILD_DIRECTORY "/examples/*.so"

/// With sanitizers they need their libraries.
#ifdef MLIRPLUG_SANITIZED
#define DISABLED_WITH_SANITIZERS .disabled = true
#else
#define DISABLED_WITH_SANITIZERS .disabled = false
#endif

Test(a_shipped_plugin, needs_only_libc_and_has_20_kilobytes,
     DISABLED_WITH_SANITIZERS) {
  char *directory = directory_create();
  char *stripped = build_path(directory, "stripped.so");
  char *paths = build_shell("ls " SHIPPED);
  size_t count = 0;
  for (char *path = strtok(paths, "\n"); path; path = strtok(NULL, "\n")) {
    build_expect_plain(path);
    free(build_shell("strip -o %s %s", stripped, path));
    struct stat status;
    cr_assert(stat(stripped, &status) == 0);
    cr_expect(status.st_size <= 20000, "%s has %ld bytes", path,
              (long)status.st_size);
    ++count;
  }
  cr_expect(count == 7, "%zu plugins", count);
  free(paths);
  free(stripped);
  free(directory);
}

/// A copy of MLIR is reached through its binding only, also by adapters.
Test(libmlirplug, calls_no_function_of_mlir_by_name) {
  char *sections =
      build_shell("readelf -SW " MLIRPLUG_BUILD_DIRECTORY
                  "/lib/libmlirplug.so.1 | grep -o mlirplug_imports || true");
  cr_expect_str_eq(sections, "");
  free(sections);
  char *symbols =
      build_shell("readelf --dyn-syms -W " MLIRPLUG_BUILD_DIRECTORY
                  "/lib/libmlirplug.so.1 | grep -o ' UND mlir[A-Z].*' || true");
  cr_expect_str_eq(symbols, "");
  free(symbols);
}

Test(op_count, has_at_most_25_lines) {
  char *lines = build_shell("wc -l < " MLIRPLUG_SOURCE_DIRECTORY
                            "/examples/op-count/op_count.c");
  cr_expect(strtol(lines, NULL, 10) <= 25, "%s", lines);
  free(lines);
}

/// The records of totals over three inputs.
static char *count_totals(const char *flag) {
  return build_shell("cd " MLIRPLUG_SOURCE_DIRECTORY
                     "/examples && " COMMAND_MLIRPLUG
                     " opt --load-pass-plugin=" MLIRPLUG_BUILD_DIRECTORY
                     "/examples/totals.so --totals --records=- %s "
                     "op-count/input.mlir tag-functions/input.mlir "
                     "op-count/input.mlir",
                     flag);
}

Test(totals, are_the_same_with_and_without_threads) {
  char *threads = count_totals("");
  char *none = count_totals("--mlir-disable-threading");
  cr_expect_str_eq(threads, none);
  // The third as the first: nothing is left over from other inputs.
  build_expect(threads, "{\"file\": \"op-count/input.mlir\", \"pass\": "
                        "\"totals\", \"operations\": 10}\n"
                        "{\"file\": \"tag-functions/input.mlir\"");
  build_expect(threads, "}\n{\"file\": \"op-count/input.mlir\", \"pass\": "
                        "\"totals\", \"operations\": 10}\n");
  free(none);
  free(threads);
}

/// The records of linalg-survey over all kernels, but for the names of the
/// operations.
static char *survey(const char *passes) {
  return build_shell(
      "{ " COMMAND_MLIRPLUG " opt --load-pass-plugin=" MLIRPLUG_BUILD_DIRECTORY
      "/lib/mlirplug/plugins/linalg-survey.so --records=- "
      "--pass-pipeline='builtin.module(%s)' " MLIRPLUG_SOURCE_DIRECTORY
      "/test/kernels || test $? = 1; } | sed 's/\"op\": \"[^\"]*\"//g'",
      passes);
}

Test(linalg_survey, counts_named_operations_as_the_generics_they_stand_for) {
  char *generalised = survey("linalg-generalize-named-ops,linalg-survey");
  char *named = survey("linalg-survey{generalize=true}");
  char *generics_only = survey("linalg-survey");
  cr_expect_str_eq(named, generalised);
  cr_expect_str_neq(generics_only, generalised);
  build_expect(named, "\"iterators\": [\"parallel\", \"reduction\"]");
  free(generics_only);
  free(named);
  free(generalised);
}

Test(op_histogram, adds_a_line_to_its_file_for_each_run) {
  char *directory = directory_create();
  char *counts = build_shell(
      "cd %s && " COMMAND_MLIRPLUG
      " opt --load-pass-plugin=" MLIRPLUG_BUILD_DIRECTORY
      "/lib/mlirplug/plugins/op-histogram.so --pass-pipeline='builtin.module("
      "func.func(op-histogram{out=counts top=1}),op-histogram{out=counts})' "
      "%s -o /dev/null && sort counts",
      directory, COMMAND_CASES "/01-plugin-load-errors/input.mlir");
  cr_expect_str_eq(
      counts,
      "{\"arith.constant\": 1, \"arith.muli\": 1, \"builtin.module\": 1, "
      "\"func.func\": 1, \"func.return\": 1}\n{\"arith.constant\": 1}\n");
  free(counts);
  free(directory);
}

Test(op_histogram, that_cannot_write_fails_and_says_why) {
  char *said = build_refusal(COMMAND_MLIRPLUG
                             " opt --load-pass-plugin=" MLIRPLUG_BUILD_DIRECTORY
                             "/lib/mlirplug/plugins/op-histogram.so "
                             "--op-histogram=out=/dev/full %s -o /dev/null",
                             COMMAND_CASES "/01-plugin-load-errors/input.mlir");
  build_expect(said, "cannot write the counts to '/dev/full': No space left on "
                     "device; name another place with out=FILE");
  free(said);
}
