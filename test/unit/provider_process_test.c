// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding the copy of MLIR that somebody else has brought, in processes that
// look like those of Python. Here the directories are those of packages, and
// the libraries in them are ours.

#include "provider/process.h"

#include "provider_files.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODULE MLIR_PLUGIN("version-1")

static char *directory;
static mlirplug_host *host;
static mlirplug_error *error;

static void host_open(void) {
  directory = directory_create();
  cr_assert_eq(mlirplug_host_create(NULL, &host, NULL), MLIRPLUG_OK);
}

static void host_close(void) {
  mlirplug_error_destroy(error);
  mlirplug_host_destroy(host);
  free(directory);
}

TestSuite(attach_process, .init = host_open, .fini = host_close,
          .timeout = 120);
TestSuite(attach_package, .init = host_open, .fini = host_close,
          .timeout = 120);

struct path {
  char bytes[4096];
};

static const char *path_in(struct path *path, const char *name) {
  (void)snprintf(path->bytes, sizeof path->bytes, "%s/%s", directory, name);
  return path->bytes;
}

#define PATH(name) path_in(&(struct path){{0}}, name)

enum content { EXPORTS, HIDDEN, STRIPPED, NONE };

/// Makes a library and loads it as Python does.
static void load(const char *name, enum content content) {
  const char *path = PATH(name);
  if (content == EXPORTS)
    provider_copy(path, NULL);
  else if (content == NONE)
    provider_copy(path, "cp " MODULE " \"$0\"");
  else
    provider_copy_hidden(path, content == STRIPPED ? "strip \"$0\"" : NULL);
  cr_assert(dlopen(path, RTLD_NOW | RTLD_LOCAL), "%s", dlerror());
}

static void make_package(const char *name) {
  struct command_result result =
      command_shell("mkdir -p '%s/%s' && : >'%s/%s/__init__.py'", directory,
                    name, directory, name);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
}

/// The host runs on the library `name`.
static void expect_attached(mlirplug_status status, const char *name) {
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
  cr_expect(strstr(mlirplug_host_provider(host), PATH(name)), "%s",
            mlirplug_host_provider(host));
}

static void expect_refused(mlirplug_status status, const char *const *words) {
  cr_assert_eq(status, MLIRPLUG_FAILED);
  for (; *words; ++words)
    cr_expect(strstr(error->message, *words), "%s, not '%s'", error->message,
              *words);
  cr_expect_null(mlirplug_host_provider(host));
  mlirplug_error_destroy(error);
  error = NULL;
}

#define WORDS(...)                                                             \
  (const char *const[]) { __VA_ARGS__, NULL }

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

Test(attach_process, says_what_was_looked_at_when_there_is_nothing) {
  load("libtriton.so", STRIPPED);
  expect_refused(
      mlirplug_host_attach_process(host, &error),
      WORDS("cannot attach the provider 'this process': none of its ",
            " objects has the C API of MLIR", "/libMLIR.so.22.1'", "stripped",
            "import or load the compiler before"));
}

Test(attach_process, takes_the_only_copy) {
  load("capi.so", EXPORTS);
  load("module.so", NONE);
  expect_attached(mlirplug_host_attach_process(host, &error), "capi.so");
}

Test(attach_process, takes_local_functions) {
  load("libjax_common.so", HIDDEN);
  expect_attached(mlirplug_host_attach_process(host, &error),
                  "libjax_common.so");
}

Test(attach_process, does_not_guess) {
  load("capi.so", EXPORTS);
  load("libjax_common.so", HIDDEN);
  expect_refused(mlirplug_host_attach_process(host, &error),
                 WORDS("it has several copies of MLIR", PATH("capi.so"),
                       PATH("libjax_common.so"),
                       "choose one with mlirplug_host_attach_package or "
                       "mlirplug_host_attach_library"));
  expect_attached(mlirplug_host_attach_library(host, PATH("capi.so"), &error),
                  "capi.so");
}

Test(attach_process, attaches_a_host_once) {
  load("capi.so", EXPORTS);
  expect_attached(mlirplug_host_attach_process(host, &error), "capi.so");
  cr_expect_eq(mlirplug_host_attach_process(host, &error), MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, "the host already runs on"));
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

Test(attach_package, finds_the_library_beside_the_modules) {
  load("torch_mlir/_mlir_libs/_mlir.so", NONE);
  load("torch_mlir/_mlir_libs/libCAPI.so", EXPORTS);
  load("elsewhere.so", EXPORTS);
  expect_attached(mlirplug_host_attach_package(host, "torch_mlir", &error),
                  "torch_mlir/_mlir_libs/libCAPI.so");
}

Test(attach_package, finds_the_library_further_up) {
  make_package("jaxlib");
  load("jaxlib/mlir/_mlir_libs/_mlir.so", NONE);
  load("jaxlib/libjax_common.so", HIDDEN);
  load("jax_plugins/other.so", EXPORTS);
  expect_attached(mlirplug_host_attach_package(
                      host, "jaxlib.mlir.ir.Module._CAPIPtr", &error),
                  "jaxlib/libjax_common.so");
}

Test(attach_package, takes_the_nearest_library) {
  make_package("jaxlib");
  load("jaxlib/xla_extension.so", HIDDEN);
  load("jaxlib/mlir/_mlir_libs/libjaxlib_mlir_capi.so", EXPORTS);
  expect_attached(mlirplug_host_attach_package(host, "jaxlib.mlir", &error),
                  "jaxlib/mlir/_mlir_libs/libjaxlib_mlir_capi.so");
}

Test(attach_package, tells_packages_of_like_names_apart) {
  make_package("jaxlib");
  load("jaxlib/mlir/_mlir_libs/one.so", EXPORTS);
  load("mlir/_mlir_libs/two.so", EXPORTS);
  expect_attached(mlirplug_host_attach_package(host, "mlir", &error),
                  "mlir/_mlir_libs/two.so");
}

Test(attach_package, must_have_been_imported) {
  load("mlir/_mlir_libs/capi.so", EXPORTS);
  expect_refused(mlirplug_host_attach_package(host, "torch_mlir", &error),
                 WORDS("'torch_mlir': none of the ", "torch_mlir/_mlir_libs/",
                       "import it before"));
}

Test(attach_package, does_not_guess) {
  load("mlir/_mlir_libs/one.so", EXPORTS);
  load("mlir/_mlir_libs/two.so", EXPORTS);
  expect_refused(mlirplug_host_attach_package(host, "mlir", &error),
                 WORDS("it has several: ", PATH("mlir/_mlir_libs/one.so"),
                       PATH("mlir/_mlir_libs/two.so")));
  load("other/mlir/_mlir_libs/one.so", EXPORTS);
  expect_refused(mlirplug_host_attach_package(host, "mlir", &error),
                 WORDS("it was imported from two places",
                       PATH("mlir/_mlir_libs/"),
                       PATH("other/mlir/_mlir_libs/one.so")));
}

Test(attach_package, says_why_it_cannot_be_used) {
  load("cutlass/_mlir/_mlir_libs/libCutlass.so", STRIPPED);
  expect_refused(
      mlirplug_host_attach_package(host, "cutlass._mlir.ir.Module._CAPIPtr",
                                   &error),
      WORDS("has no C API of MLIR that can be reached",
            "libCutlass.so': it exports no C API of MLIR, and its file is "
            "stripped"));
}

Test(attach_package, is_given_by_a_name) {
  static const char *const names[] = {"",      ".",       "a/b", "mlir.",
                                      ".mlir", "../mlir", "a b", ".ir.Module"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    expect_refused(mlirplug_host_attach_package(host, names[i], &error),
                   WORDS("it is no name of a Python package"));
}

//===----------------------------------------------------------------------===//
// Several copies at work
//===----------------------------------------------------------------------===//

Test(attach_package, runs_one_plugin_on_several_copies_in_turn) {
  load("mlir/_mlir_libs/_mlir.so", NONE);
  load("mlir/_mlir_libs/capi.so", HIDDEN);
  struct mlir_session one, other;
  mlir_open(&one, "static", true);
  cr_assert_eq(mlirplug_host_attach_package(host, "mlir", &error), MLIRPLUG_OK,
               "%s", error ? error->message : "");
  mlir_open(&other, PATH("mlir/_mlir_libs/capi.so"), true);
  cr_expect_str_eq(mlirplug_host_provider(other.host),
                   mlirplug_host_provider(host));
  mlir_add(&one, MLIR_PLUGIN("replace"));
  mlir_add(&other, MLIR_PLUGIN("replace"));
  struct mlir_session *const turns[] = {&one, &other, &one, &other};
  for (size_t i = 0; i < 4; ++i) {
    mlir_use(turns[i]);
    cr_expect_eq(mlir_run(turns[i], "builtin.module(func.func(replace))",
                          "func.func @f(%a: i32) -> i32 {\n"
                          "  %b = arith.addi %a, %a : i32\n"
                          "  return %b : i32 }"),
                 MLIRPLUG_OK, "%s", mlir_message(turns[i]));
    cr_expect(strstr(turns[i]->printed.bytes, "arith.muli"));
  }
  mlir_close(&one);
  mlir_close(&other);
}
