// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two libraries with MLIR 22, asked directly: what they export, and what
// the extension answers.

#include "support/command.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <mlirplug/ir.h>
#include <string.h>

#define DIRECTORY MLIRPLUG_BUILD_DIRECTORY "/lib/mlirplug/"
static const char static_library[] = DIRECTORY "libmlirplug-mlir22.so";
static const char shared_library[] = DIRECTORY "libmlirplug-mlir22-shared.so";

static void *function_of(void *library, const char *name) {
  void *function = dlsym(library, name);
  cr_assert_not_null(function, "%s is not there", name);
  return function;
}

/// Declares `name` as the provider's function of that name.
#define TAKE(library, name)                                                    \
  __typeof__(&name) taken_##name =                                             \
      (__typeof__(&name))function_of(library, #name)

static void *library_open(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  cr_assert_not_null(library, "%s", dlerror());
  return library;
}

/// A context in which every dialect of MLIR can be loaded.
static MlirContext context_create(void *library) {
  TAKE(library, mlirDialectRegistryCreate);
  TAKE(library, mlirDialectRegistryDestroy);
  TAKE(library, mlirContextCreateWithRegistry);
  MlirDialectRegistry registry = taken_mlirDialectRegistryCreate();
  ((void (*)(MlirDialectRegistry))function_of(
      library, "mlirRegisterAllDialects"))(registry);
  MlirContext context = taken_mlirContextCreateWithRegistry(registry, false);
  taken_mlirDialectRegistryDestroy(registry);
  return context;
}

static void context_destroy(void *library, MlirContext context) {
  TAKE(library, mlirContextDestroy);
  taken_mlirContextDestroy(context);
}

//===----------------------------------------------------------------------===//
// Exports
//===----------------------------------------------------------------------===//

static const char *const ledger[] = {
#define LEDGER_FUNCTION(result, name, parameters, versions) #name " " versions,
#define LEDGER_PROCEDURE(name, parameters, versions) #name " " versions,
#define LEDGER_NAME(name, versions)
#include "provider/ledger.inc"
};

/// Every function of ir.h that the ledger has seen in 22.
static void expect_all_functions(const char *path) {
  void *library = library_open(path);
  size_t seen = 0;
  for (size_t i = 0; i < sizeof ledger / sizeof *ledger; ++i) {
    if (!strstr(ledger[i], " 22"))
      continue;
    ++seen;
    char *name = strndup(ledger[i], strcspn(ledger[i], " "));
    cr_expect_not_null(dlsym(library, name), "%s lacks %s", path, name);
    free(name);
  }
  cr_expect_gt(seen, 700);
}

Test(provider_exports, static_library_has_every_function_of_the_sdk) {
  expect_all_functions(static_library);
}

Test(provider_exports, shared_library_has_every_function_of_the_sdk) {
  expect_all_functions(shared_library);
}

static void expect_c_only(const char *path) {
  struct command_result symbols = command_shell(
      "nm -D --defined-only %s | "
      "grep -v -E ' T (mlir[A-Za-z0-9_]+|LLVM[A-Z][A-Za-z0-9]+)$'",
      path);
  cr_expect_str_eq(symbols.output, "");
  cr_expect_str_eq(symbols.errors, "");
  command_release(&symbols);
}

Test(provider_exports, nothing_of_cxx_leaves_the_static_library) {
  expect_c_only(static_library);
}

Test(provider_exports, nothing_of_cxx_leaves_the_shared_library) {
  expect_c_only(shared_library);
}

Test(provider_exports, static_library_needs_no_llvm_in_the_system) {
  struct command_result needed = command_shell("readelf -d %s | grep -c -E "
                                               "'NEEDED.*(LLVM|MLIR|stdc|gcc)'",
                                               static_library);
  cr_expect_str_eq(needed.output, "0\n");
  command_release(&needed);
}

static void expect_version_22(const char *path) {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  ((void (*)(unsigned *, unsigned *, unsigned *))function_of(
      library_open(path), "LLVMGetVersion"))(&major, &minor, &patch);
  cr_expect_eq(major, 22);
}

Test(provider_exports, static_library_says_version_22) {
  expect_version_22(static_library);
}

Test(provider_exports, shared_library_says_version_22) {
  expect_version_22(shared_library);
}

//===----------------------------------------------------------------------===//
// The extension
//===----------------------------------------------------------------------===//

static void expect_traits(const char *path) {
  static const struct {
    const char *name;
    int32_t traits;
  } expected[] = {
      {"func.func", 1 | 2 | 4},
      {"builtin.module", 1 | 2},
      {"gpu.func", 1 | 2 | 4},
      {"scf.for", 1},
      {"linalg.generic", 1},
      {"func.nothing", 0},
      {"nowhere.op", 0},
      {"func", 0},
      {".", 0},
      {"", 0},
  };
  void *library = library_open(path);
  MlirContext context = context_create(library);
  int32_t (*traits)(MlirContext, MlirStringRef) =
      (int32_t (*)(MlirContext, MlirStringRef))function_of(
          library, "mlirplugExtOperationTraits");
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    MlirStringRef name = {expected[i].name, strlen(expected[i].name)};
    int32_t found = traits(context, name);
    cr_expect_eq(found, expected[i].traits, "%s: %d, expected %d", name.data,
                 found, expected[i].traits);
  }
  context_destroy(library, context);
}

Test(provider_extension, traits_are_known_on_the_static_library) {
  expect_traits(static_library);
}

// Fails if the extension was compiled by another compiler than libMLIR.so.
Test(provider_extension, traits_are_known_on_the_shared_library) {
  expect_traits(shared_library);
}

/// What a handler was given.
struct received {
  void *library;
  MlirDiagnosticSeverity severity;
  char text[64];
  size_t length;
};

static void append(MlirStringRef part, void *user_data) {
  struct received *received = user_data;
  cr_assert_lt(received->length + part.length, sizeof received->text);
  memcpy(received->text + received->length, part.data, part.length);
  received->length += part.length;
}

static MlirLogicalResult receive(MlirDiagnostic diagnostic, void *user_data) {
  struct received *received = user_data;
  TAKE(received->library, mlirDiagnosticGetSeverity);
  TAKE(received->library, mlirDiagnosticPrint);
  received->severity = taken_mlirDiagnosticGetSeverity(diagnostic);
  taken_mlirDiagnosticPrint(diagnostic, append, received);
  return (MlirLogicalResult){1};
}

Test(provider_extension, diagnostics_have_any_severity_and_their_own_text) {
  static const char text[] = "100% {0} %s\n\"as it is\"";
  void *library = library_open(static_library);
  MlirContext context = context_create(library);
  TAKE(library, mlirContextAttachDiagnosticHandler);
  TAKE(library, mlirLocationUnknownGet);
  void (*emit)(MlirLocation, int32_t, MlirStringRef) =
      (void (*)(MlirLocation, int32_t, MlirStringRef))function_of(
          library, "mlirplugExtEmit");
  static const MlirDiagnosticSeverity severities[] = {
      MlirDiagnosticError, MlirDiagnosticWarning, MlirDiagnosticRemark,
      MlirDiagnosticNote};
  for (size_t i = 0; i < sizeof severities / sizeof *severities; ++i) {
    struct received received = {.library = library};
    taken_mlirContextAttachDiagnosticHandler(context, receive, &received, NULL);
    emit(taken_mlirLocationUnknownGet(context), (int32_t)severities[i],
         (MlirStringRef){text, sizeof text - 1});
    cr_expect_eq(received.severity, severities[i]);
    cr_expect_str_eq(received.text, text);
  }
  context_destroy(library, context);
}
