// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that cannot serve as a provider, and some that can although they do
// not look like it.

#include "provider/binding.h"

#include "provider_files.h"
#include "support/command.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *directory;

static void directory_open(void) { directory = directory_create(); }

static void directory_close(void) { free(directory); }

TestSuite(provider_library, .init = directory_open, .fini = directory_close,
          .timeout = 120);

/// A file in the test's directory.
#define PATH(name) path_in(&(struct path){{0}}, name)

struct path {
  char bytes[4096];
};

static const char *path_in(struct path *path, const char *name) {
  (void)snprintf(path->bytes, sizeof path->bytes, "%s/%s", directory, name);
  return path->bytes;
}

static void expect_refused(const char *path, const char *found) {
  const struct binding *binding = NULL;
  mlirplug_error *error = NULL;
  cr_assert_eq(binding_open(path, &binding, &error), MLIRPLUG_FAILED, "%s",
               path);
  cr_expect_str_eq(error->doing, "cannot attach the provider");
  cr_expect(strstr(error->found, found), "%s: %s, not '%s'", path,
            error->message, found);
  cr_expect(error->expected && *error->expected, "%s", error->message);
  cr_expect_null(binding);
  mlirplug_error_destroy(error);
}

//===----------------------------------------------------------------------===//
// Those that cannot
//===----------------------------------------------------------------------===//

#define DEBIAN "/usr/lib/x86_64-linux-gnu/"
#define NOTHING "it exports no C API of MLIR"

Test(provider_library, of_another_kind_is_refused) {
  static const struct {
    const char *path;
    const char *found;
  } others[] = {
      {"/usr/lib/llvm-22/lib/libMLIR.so", NOTHING ", and its file is stripped"},
      {"/usr/lib/llvm-22/lib/libLLVM.so", NOTHING ", and its file is stripped"},
      {DEBIAN "libpython3.11.so.1.0", NOTHING},
      {DEBIAN "libstdc++.so.6", NOTHING ", and its file is stripped"},
      {DEBIAN "libc.so.6", NOTHING},
      {MLIRPLUG_BUILD_DIRECTORY "/lib/libmlirplug.so.1", "no C API of MLIR"},
      // It calls functions of these names, by functions of these names.
      {MLIRPLUG_BUILD_DIRECTORY "/lib/mlirplug/plugins/op-histogram.so",
       "no C API of MLIR"},
      {MLIRPLUG_BUILD_DIRECTORY "/bin/mlirplug", ""},
      {"/bin/sh", ""},
      {"/usr/lib/llvm-22/lib/libMLIRCAPIIR.a", "an ar archive"},
      {MLIRPLUG_SOURCE_DIRECTORY "/README.md", "it looks like text"},
      {"/dev/null", "a device"},
      {"/", "a directory"},
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (access(others[i].path, F_OK) == 0)
      expect_refused(others[i].path, others[i].found);
    else // A warning would be a failure.
      cr_log_info("not there: %s", others[i].path);
}

/// The system's loader would map it and end the process when it reads what is
/// not there.
Test(provider_library, that_was_cut_short_is_refused) {
  static const off_t sizes[] = {1, 63, 64, 500, 4096, 100000, 600000, 1000000};
  expect_refused(PATH("nowhere.so"), "No such file");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    provider_copy(PATH("cut.so"), NULL);
    cr_assert_eq(truncate(PATH("cut.so"), sizes[i]), 0);
    expect_refused(PATH("cut.so"), sizes[i] < 4 ? "looks like" : "shorter");
  }
  file_write(PATH("empty.so"), "", 0);
  expect_refused(PATH("empty.so"), "empty");
}

Test(provider_library, that_was_cut_short_without_sections_is_refused) {
  provider_copy(PATH("cut.so"), "strip \"$0\"; printf "
                                "\"\\\\000\\\\000\\\\000\\\\000\\\\000\\\\000"
                                "\\\\000\\\\000\" | dd of=\"$0\" bs=1 seek=40 "
                                "conv=notrunc 2>/dev/null");
  cr_assert_eq(truncate(PATH("cut.so"), 500000), 0);
  expect_refused(PATH("cut.so"), "shorter than its headers say");
}

Test(provider_library, without_what_it_needs_is_refused) {
  struct command_result result = command_shell(
      "cd '%s' && echo 'int absent(void); int x(void){return absent();}' >x.c "
      "&& cc -shared -fPIC x.c -o x.so",
      directory);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
  expect_refused(PATH("x.so"), "undefined symbol: absent");
}

Test(provider_library, with_hidden_functions_and_no_symbols_is_refused) {
  provider_copy_hidden(PATH("stripped.so"), "strip \"$0\"");
  expect_refused(PATH("stripped.so"),
                 NOTHING ", and its file is stripped (no .symtab)");
}

//===----------------------------------------------------------------------===//
// Local functions
//===----------------------------------------------------------------------===//

Test(provider_library, with_hidden_functions_serves_by_its_file) {
  const struct binding *hidden = NULL, *shared = NULL;
  mlirplug_error *error = NULL;
  provider_copy_hidden(PATH("hidden.so"), NULL);
  cr_assert_eq(binding_open(PATH("hidden.so"), &hidden, &error), MLIRPLUG_OK,
               "%s", error->message);
  cr_assert_eq(binding_open("shared", &shared, &error), MLIRPLUG_OK, "%s",
               error->message);
  void *library = dlopen(PATH("hidden.so"), RTLD_NOW | RTLD_NOLOAD);
  cr_assert(library);
  cr_expect_null(dlsym(library, "mlirContextCreate"));
  cr_expect(binding_find(hidden, "mlirContextCreate"));
  cr_expect_neq(binding_find(hidden, "mlirContextCreate"),
                binding_find(shared, "mlirContextCreate"));
  cr_expect_null(binding_find(hidden, "mlirNowhereGet"));
  cr_expect(binding_has_passes(hidden));
  // Its functions work.
  MlirContext (*create)(void) =
      (MlirContext (*)(void))binding_find(hidden, "mlirContextCreate");
  void (*destroy)(MlirContext) =
      (void (*)(MlirContext))binding_find(hidden, "mlirContextDestroy");
  MlirContext context = create();
  cr_expect(context.ptr);
  destroy(context);
}

/// As pip does with a package that is in use.
Test(provider_library, whose_file_was_replaced_is_refused) {
  provider_copy_hidden(PATH("replaced.so"), NULL);
  cr_assert(dlopen(PATH("replaced.so"), RTLD_NOW | RTLD_LOCAL), "%s",
            dlerror());
  provider_copy(PATH("new.so"), "cp " PROVIDER_STATIC " \"$0\"");
  cr_assert_eq(rename(PATH("new.so"), PATH("replaced.so")), 0);
  // A path that is the same is the object that is there.
  const struct binding *binding = NULL;
  mlirplug_error *error = NULL;
  mlirplug_status status = binding_open(PATH("replaced.so"), &binding, &error);
  cr_expect_eq(status, MLIRPLUG_FAILED);
  cr_expect(error && strstr(error->found, "replaced after it was loaded"), "%s",
            error ? error->message : "");
  mlirplug_error_destroy(error);
}
