// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A provider whose MLIR is in a library of its own, after somebody has loaded
// another library in its place. The copy is a real one: nothing but its place
// tells it from the right one.

#include "provider/binding.h"

#include "provider_files.h"
#include "support/command.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RIGHT "/usr/lib/llvm-22/lib/libMLIR.so.22.1"

static char *directory;
static mlirplug_error *error;
static const struct binding *binding;

static void directory_open(void) { directory = directory_create(); }

static void directory_close(void) {
  mlirplug_error_destroy(error);
  free(directory);
}

TestSuite(provider_dependency, .init = directory_open, .fini = directory_close,
          .timeout = 120);

struct path {
  char bytes[4096];
};

/// A copy of libMLIR with `soname`, which has the length of its own.
static const char *mlir_copy(struct path *path, const char *soname) {
  (void)snprintf(path->bytes, sizeof path->bytes, "%s/%s", directory, soname);
  struct command_result result =
      command_shell("LC_ALL=C sed s/libMLIR.so.22.1/%s/g <" RIGHT " >'%s'",
                    soname, path->bytes);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
  return path->bytes;
}

static void expect_refused(const char *const *words) {
  cr_assert_eq(binding_open("shared", &binding, &error), MLIRPLUG_FAILED);
  for (; *words; ++words)
    cr_expect(strstr(error->message, *words), "%s, not '%s'", error->message,
              *words);
}

Test(provider_dependency, of_the_same_name_loaded_before_is_refused) {
  struct path path;
  const char *copy = mlir_copy(&path, "libMLIR.so.22.1");
  cr_assert(dlopen(copy, RTLD_NOW | RTLD_LOCAL), "%s", dlerror());
  expect_refused((const char *const[]){
      "libmlirplug-mlir22-shared.so", "it is linked to '" RIGHT "'", copy,
      "which was loaded before", "--provider=static", NULL});
  // One that has MLIR inside does not care.
  cr_expect_eq(binding_open("static", &binding, NULL), MLIRPLUG_OK);
}

Test(provider_dependency, that_takes_its_symbols_is_refused) {
  struct path path;
  const char *copy = mlir_copy(&path, "libXLIR.so.22.1");
  cr_assert(dlopen(copy, RTLD_NOW | RTLD_GLOBAL), "%s", dlerror());
  expect_refused((const char *const[]){"libmlirplug-mlir22-shared.so", copy,
                                       "which it does not depend on", NULL});
}

Test(provider_dependency, loaded_before_by_its_own_path_is_right) {
  cr_assert(dlopen(RIGHT, RTLD_NOW | RTLD_GLOBAL), "%s", dlerror());
  cr_assert_eq(binding_open("shared", &binding, &error), MLIRPLUG_OK, "%s",
               error ? error->message : "");
}

Test(provider_dependency, of_another_name_loaded_before_does_not_matter) {
  struct path path;
  cr_assert(dlopen(mlir_copy(&path, "libXLIR.so.22.1"), RTLD_NOW | RTLD_LOCAL),
            "%s", dlerror());
  cr_assert_eq(binding_open("shared", &binding, &error), MLIRPLUG_OK, "%s",
               error ? error->message : "");
}
