// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions, and which function an import is on each: on providers that have
// what the ledger says of a version, and nothing behind it.

#include "provider/resolve.h"

#include "find/file.h"
#include "provider/ledger.h"
#include "read/descriptor.h"
#include "support/command.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

/// What a provider has.
struct provider {
  const char *version; // all that the ledger has for it
  const char *lacking; // but for this
  bool tells_version;  // it has LLVMGetVersion
  bool has_extension;  // ours
};

static unsigned said_version[3];

static void version_get(unsigned *major, unsigned *minor, unsigned *patch) {
  *major = said_version[0];
  *minor = said_version[1];
  *patch = said_version[2];
}

/// Stands for all functions; never called.
static void function(void) {}

static void (*own_find(const void *data, const char *name))(void) {
  const struct provider *provider = data;
  if (strcmp(name, "LLVMGetVersion") == 0) {
    said_version[0] = (unsigned)strtoul(provider->version, NULL, 10);
    said_version[1] = !strstr(provider->version, "git");
    said_version[2] = 8;
    return provider->tells_version ? (void (*)(void))version_get : NULL;
  }
  if (provider->has_extension && strcmp(name, "mlirplugExtEmit") == 0)
    return function;
  if (provider->lacking && strcmp(provider->lacking, name) == 0)
    return NULL;
  const struct ledger_entry *entry = ledger_find(name);
  return entry && ledger_has_version(entry->seen, provider->version) ? function
                                                                     : NULL;
}

static struct resolution resolve(const struct provider *provider) {
  struct resolution resolution;
  struct own_functions own = {own_find, provider};
  mlirplug_error *error = NULL;
  cr_assert_eq(resolution_make(&resolution, &own, "a test", &error),
               MLIRPLUG_OK, "%s", error ? error->message : "");
  return resolution;
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

static void expect_version(struct provider provider, const char *expected) {
  struct own_functions own = {own_find, &provider};
  struct version version = version_find(&own);
  char *text = version_text(&version);
  cr_expect_str_eq(text, expected);
  free(text);
}

Test(provider_version, is_what_llvm_says) {
  expect_version((struct provider){.version = "15", .tells_version = true},
                 "MLIR 15.1.8");
  expect_version((struct provider){.version = "22", .tells_version = true},
                 "MLIR 22.1.8");
  expect_version((struct provider){.version = "24git", .tells_version = true},
                 "MLIR 24 git");
}

Test(provider_version, is_told_by_the_functions_else) {
  expect_version((struct provider){.version = "15"},
                 "MLIR 15 (by its functions)");
  expect_version((struct provider){.version = "16"},
                 "MLIR 16 to 18 (by its functions)");
  expect_version((struct provider){.version = "19"},
                 "MLIR 17 to 22 (by its functions)");
  expect_version((struct provider){.version = "22"},
                 "MLIR 20 to 22 (by its functions)");
  expect_version(
      (struct provider){.version = "22", .lacking = "mlirDisctinctAttrCreate"},
      "MLIR 20 or newer (by its functions)");
  expect_version((struct provider){.version = "23git"},
                 "MLIR 23 git or newer (by its functions)");
  expect_version((struct provider){.version = "24git"},
                 "MLIR 24 git (by its functions)");
  expect_version((struct provider){.version = "none"},
                 "MLIR of unknown version");
}

static enum version_signature signature_in(unsigned low, unsigned high,
                                           const char *name) {
  struct version version = {.low = low, .high = high};
  return version_signature(&version, name);
}

Test(provider_version, decides_which_signature_a_function_has) {
  const char *name = "mlirInferTypeOpInterfaceInferReturnTypes";
  cr_expect_eq(signature_in(16, 16, name), VERSION_OLDER);
  cr_expect_eq(signature_in(17, 17, name), VERSION_UNKNOWN);
  cr_expect_eq(signature_in(17, 0, name), VERSION_UNKNOWN);
  cr_expect_eq(signature_in(15, 19, name), VERSION_UNKNOWN);
  cr_expect_eq(signature_in(19, 19, name), VERSION_FROZEN);
  cr_expect_eq(signature_in(25, 0, name), VERSION_FROZEN);
  cr_expect_eq(signature_in(0, 0, "mlirOperationWalk"), VERSION_FROZEN);
}

//===----------------------------------------------------------------------===//
// The table of adapters and the ledger
//===----------------------------------------------------------------------===//

/// The n-th word of `words`, or null; in a buffer of its own.
static const char *word_at(const char *words, size_t n) {
  static char word[128];
  for (; *words; words += strspn(words, " ")) {
    size_t length = strcspn(words, " ");
    cr_assert_lt(length, sizeof word);
    memcpy(word, words, length);
    word[length] = '\0';
    if (n-- == 0)
      return word;
    words += length;
  }
  return NULL;
}

static const struct ledger_older *older_find(const char *name) {
  for (size_t i = 0; i < ledger_older_count; ++i)
    if (strcmp(ledger_olders[i].name, name) == 0)
      return &ledger_olders[i];
  return NULL;
}

/// Whether a slot has a place for what an adapter calls.
static bool has_place(const struct adapt_slot *slot, const char *name) {
  for (size_t i = 0; i < slot->member_count; ++i)
    if (strcmp(slot->members[i].name, name) == 0)
      return true;
  return false;
}

Test(adapters, are_for_functions_of_the_ledger_by_functions_of_the_ledger) {
  const struct adapt_slot *slot = adapt_slots[0];
  cr_assert_gt(slot->adapter_count, 50);
  for (size_t i = 0; i < slot->adapter_count; ++i) {
    const struct adapter *adapter = &slot->adapters[i];
    cr_expect_not_null(ledger_find(adapter->name), "%s", adapter->name);
    const char *need;
    for (size_t j = 0; (need = word_at(adapter->needs, j)); ++j) {
      // Which version it is may be all that is asked of one.
      cr_expect(has_place(slot, need) ||
                    strcmp(need, "mlirPassManagerCreateOnOperation") == 0,
                "%s of %s", need, adapter->name);
      char *name = strndup(need, strcspn(need, "/"));
      if (strchr(need, '/'))
        cr_expect_not_null(older_find(name), "%s", name);
      else
        cr_expect(ledger_find(name) || strcmp(name, "mlirplugExtEmit") == 0,
                  "%s", name);
      free(name);
    }
  }
}

Test(adapters, are_the_same_in_each_slot_and_each_has_its_own) {
  for (size_t i = 1; i < ADAPT_SLOTS; ++i) {
    cr_assert_eq(adapt_slots[i]->adapter_count, adapt_slots[0]->adapter_count);
    for (size_t j = 0; j < adapt_slots[0]->adapter_count; ++j)
      cr_expect_str_eq(adapt_slots[i]->adapters[j].name,
                       adapt_slots[0]->adapters[j].name);
    cr_expect_neq(adapt_slots[i]->members[0].place,
                  adapt_slots[0]->members[0].place);
  }
}

/// Functions with an older signature that cannot be had there: what they do
/// now they could not do then.
static const char *const not_to_be_had[] = {"mlirPassManagerEnableIRPrinting"};

static bool is_not_to_be_had(const char *name) {
  for (size_t i = 0; i < sizeof not_to_be_had / sizeof *not_to_be_had; ++i)
    if (strcmp(not_to_be_had[i], name) == 0)
      return true;
  return false;
}

Test(adapters, are_there_for_each_older_signature_from_15_on) {
  static const char *const versions[] = {"15", "16", "19"};
  for (size_t i = 0; i < sizeof versions / sizeof *versions; ++i) {
    struct provider provider = {.version = versions[i], .tells_version = true};
    struct resolution resolution = resolve(&provider);
    for (size_t j = 0; j < ledger_older_count; ++j) {
      const struct ledger_older *older = &ledger_olders[j];
      if (!ledger_has_version(older->versions, versions[i]))
        continue;
      cr_expect_eq(resolution_adapts(&resolution, older->name),
                   !is_not_to_be_had(older->name), "%s on %s", older->name,
                   versions[i]);
      cr_expect_neq(resolution_find(&resolution, older->name), function,
                    "%s on %s", older->name, versions[i]);
    }
    resolution_release(&resolution);
  }
}

//===----------------------------------------------------------------------===//
// What plugins get
//===----------------------------------------------------------------------===//

/// What cannot be had on MLIR 15, so that linalg-survey is refused there.
static const char *const since_16[] = {"mlirAttributeIsADenseI32Array",
                                       "mlirDenseArrayGetNumElements",
                                       "mlirDenseI32ArrayGetElement"};

static bool can_be_had(const char *name, const char *version) {
  for (size_t i = 0; i < sizeof since_16 / sizeof *since_16; ++i)
    if (strcmp(since_16[i], name) == 0)
      return strcmp(version, "15") != 0;
  return true;
}

static void expect_all_imports(const char *path,
                               const struct resolution *resolution,
                               const char *version) {
  struct file file;
  mlirplug_error *error = NULL;
  mlirplug_plugin_description *description = NULL;
  cr_assert_eq(file_open(path, &file, &error), MLIRPLUG_OK, "%s",
               error ? error->message : "");
  cr_assert_eq(descriptor_read(&file, &description, &error), MLIRPLUG_OK, "%s",
               error ? error->message : "");
  for (size_t i = 0; i < description->import_count; ++i) {
    const char *name = description->imports[i];
    if (strncmp(name, "mlirplug_", strlen("mlirplug_")) != 0)
      cr_expect_eq(!!resolution_find(resolution, name),
                   can_be_had(name, version), "%s needs %s on MLIR %s", path,
                   name, version);
  }
  mlirplug_plugin_description_destroy(description);
  file_close(&file);
}

Test(plugins_of_this_project, find_all_functions_on_each_mlir) {
  glob_t paths;
  cr_assert_eq(glob(MLIRPLUG_BUILD_DIRECTORY "/lib/mlirplug/plugins/*.so", 0,
                    NULL, &paths),
               0);
  cr_assert_eq(glob(MLIRPLUG_BUILD_DIRECTORY "/examples/*.so", GLOB_APPEND,
                    NULL, &paths),
               0);
  cr_assert_gt(paths.gl_pathc, 5);
  for (size_t i = 0; ledger_versions[i]; ++i) {
    const char *version = ledger_versions[i];
    if (strtoul(version, NULL, 10) < 15)
      continue;
    struct provider provider = {.version = version, .tells_version = true};
    struct resolution resolution = resolve(&provider);
    for (size_t j = 0; j < paths.gl_pathc; ++j)
      expect_all_imports(paths.gl_pathv[j], &resolution, version);
    resolution_release(&resolution);
  }
  globfree(&paths);
}

static void expect_found(const struct provider *provider, const char *name,
                         bool is_there) {
  struct resolution resolution = resolve(provider);
  cr_expect_eq(!!resolution_find(&resolution, name), is_there, "%s on %s", name,
               provider->version);
  resolution_release(&resolution);
}

Test(plugins_of_others, get_warnings_from_our_own_providers) {
  struct provider provider = {.version = "22", .tells_version = true};
  expect_found(&provider, "mlirEmitWarning", false);
  provider.has_extension = true;
  expect_found(&provider, "mlirEmitWarning", true);
  expect_found(&provider, "mlirEmitRemark", true);
}

Test(plugins_of_others, get_no_half_functions) {
  struct provider provider = {.version = "15", .tells_version = true};
  expect_found(&provider, "mlirPassManagerCreateOnOperation", false);
  struct resolution resolution = resolve(&provider);
  cr_expect_not_null(resolution_find_for_core(
      &resolution, "mlirPassManagerCreateOnOperation"));
}

Test(plugins_of_others, get_the_function_itself_where_it_is) {
  struct provider provider = {.version = "22", .tells_version = true};
  struct resolution resolution = resolve(&provider);
  cr_expect_eq(resolution_find(&resolution, "mlirOperationWalk"), function);
  cr_expect_not(resolution_adapts(&resolution, "mlirOperationWalk"));
  provider.lacking = "mlirOperationWalk";
  resolution = resolve(&provider);
  cr_expect_neq(resolution_find(&resolution, "mlirOperationWalk"), function);
  cr_expect(resolution_adapts(&resolution, "mlirOperationWalk"));
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

Test(copies_of_mlir_that_lack_functions, are_at_most_eight) {
  struct provider provider = {.version = "16", .tells_version = true};
  struct own_functions own = {own_find, &provider};
  struct resolution resolutions[ADAPT_SLOTS + 1];
  for (size_t i = 0; i < ADAPT_SLOTS; ++i) {
    resolutions[i] = resolve(&provider);
    for (size_t j = 0; j < i; ++j)
      cr_expect_neq(resolution_find(&resolutions[i], "mlirOperationWalk"),
                    resolution_find(&resolutions[j], "mlirOperationWalk"));
  }
  mlirplug_error *error = NULL;
  cr_assert_eq(
      resolution_make(&resolutions[ADAPT_SLOTS], &own, "/lib/x.so", &error),
      MLIRPLUG_FAILED);
  cr_expect_str_eq(error->message,
                   "cannot attach the provider '/lib/x.so': it is one copy of "
                   "MLIR too many: there are 8 in this process that lack "
                   "functions; expected at most 8; use it in another process");
  mlirplug_error_destroy(error);
  resolution_release(&resolutions[3]);
  cr_expect_eq(resolution_make(&resolutions[3], &own, "/lib/x.so", NULL),
               MLIRPLUG_OK);
}
