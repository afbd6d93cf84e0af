// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What policies demand, and that none loosens another's demand. The system's
// policy is system/policy.json here, the user's is user/mlirplug/policy.json.

#include "sign/demand.h"
#include "sign/policy.h"

#include "sign_files.h"
#include "support/system.h"

#include <sys/stat.h>

//===----------------------------------------------------------------------===//
// Policy files
//===----------------------------------------------------------------------===//

TestSuite(policies, .init = sign_directory_begin);

static mlirplug_error *policy_of(const char *text, struct policy *policy) {
  mlirplug_error *error = NULL;
  sign_write("policy.json", text);
  mlirplug_status status = policy_read("policy.json", policy, &error);
  cr_expect_eq(status, error ? MLIRPLUG_FAILED : MLIRPLUG_OK);
  return error;
}

Test(policies, say_what_they_demand) {
  struct policy policy;
  sign_expect_none(policy_of("{}", &policy));
  cr_expect(!policy.require_signature && !policy.key_directories);
  sign_expect_none(policy_of("{\"require-signature\": false}", &policy));
  cr_expect(!policy.require_signature);
  sign_expect_none(policy_of(
      "{\"key-directories\": [\"/a\", \"/b\"], \"require-signature\": true}",
      &policy));
  cr_expect(policy.require_signature);
  cr_assert_eq(policy.key_directory_count, 2);
  cr_expect_str_eq(policy.key_directories[1], "/b");
  policy_release(&policy);
  mlirplug_error *error = NULL;
  cr_expect_eq(policy_read("missing/policy.json", &policy, &error),
               MLIRPLUG_OK);
  cr_expect(!policy.require_signature);
}

Test(policies, that_are_damaged_are_errors) {
  static const char *const defects[][2] = {
      {"", "it is no JSON: line 1"},
      {"{\"require-signature\": true", "it is no JSON: line 1"},
      {"{\"require-signature\": true,\n}", "it is no JSON: line 2"},
      {"{\"require-signature\": true, \"require-signature\": false}",
       "it is no JSON: line 1: duplicate object key"},
      {"true", "it is no JSON object"},
      {"[]", "it is no JSON object"},
      {"{\"require-signature\": 1}",
       "'require-signature' is neither true nor false"},
      {"{\"require-signature\": \"true\"}", "is neither true nor false"},
      {"{\"require-signatures\": true}",
       "the unknown key 'require-signatures', perhaps for 'require-signature'"},
      {"{\"other\": true}", "it has the unknown key 'other'; expected"},
      {"{\"require-signature\": true, \"key-directories\": \"/a\"}",
       "'key-directories' is no list of directories"},
      {"{\"require-signature\": true, \"key-directories\": []}",
       "'key-directories' is no list of directories"},
      {"{\"require-signature\": true, \"key-directories\": [1]}",
       "has an entry that is no absolute path"},
      {"{\"require-signature\": true, \"key-directories\": [\"/a\", \"b\"]}",
       "has an entry that is no absolute path"},
      {"{\"key-directories\": [\"/a\"]}",
       "it names key directories, but does not demand signatures"},
  };
  for (size_t i = 0; i < sizeof defects / sizeof *defects; ++i) {
    struct policy policy;
    sign_expect_error(policy_of(defects[i][0], &policy), defects[i][1]);
  }
}

static void expect_absent(const char *path) {
  struct policy policy = {.require_signature = true};
  mlirplug_error *error = NULL;
  cr_expect_eq(policy_read(path, &policy, &error), MLIRPLUG_OK);
  sign_expect_none(error);
  cr_expect(!policy.require_signature);
}

static void expect_unknown(const char *path, const char *part) {
  struct policy policy;
  mlirplug_error *error = NULL;
  cr_expect_eq(policy_read(path, &policy, &error), MLIRPLUG_FAILED, "%s", path);
  sign_expect_error(error, part);
}

Test(policies, that_are_not_there_demand_nothing) {
  sign_shell("mkdir real && ln -s real link");
  expect_absent("policy.json");
  expect_absent("missing/policy.json");
  expect_absent("missing/mlirplug/policy.json");
  expect_absent("real/policy.json");
  expect_absent("link/policy.json");
  expect_absent("link/mlirplug/policy.json");
  expect_absent("/nowhere/mlirplug/policy.json");
}

Test(policies, behind_what_leads_nowhere_are_errors) {
  sign_shell("ln -s nowhere policy.json && ln -s nowhere dangling && "
             "ln -s policy.json real && touch file && ln -s file alias");
  expect_unknown("policy.json", "/policy.json' leads to no file");
  expect_unknown("real", "/real' leads to no file");
  expect_unknown("dangling/policy.json", "/dangling' leads to no directory");
  expect_unknown("dangling/mlirplug/policy.json", "/dangling' leads to no dir");
  expect_unknown("file/policy.json", "/file' leads to no directory");
  expect_unknown("file/mlirplug/policy.json", "/file' leads to no directory");
  expect_unknown("alias/policy.json", "/alias' leads to no directory");
}

//===----------------------------------------------------------------------===//
// Demands
//===----------------------------------------------------------------------===//

/// Two keys: a.pub, which signed f.so, and b.pub, which did not.
static void demands_begin(void) {
  char *directory = sign_directory_enter();
  sign_shell("minisign -G -W -p b.pub -s b.key && mkdir -p other "
             "system/keys user/mlirplug/keys && cp b.pub other");
  char *user = NULL;
  cr_assert_gt(asprintf(&user, "%s/user", directory), 0);
  setenv("XDG_CONFIG_HOME", user, 1);
  free(user);
  free(directory);
}

TestSuite(demands, .init = demands_begin);

/// The error of making the demands, or of checking f.so; null if it is taken.
/// `demanded` says whether anybody demands anything.
static mlirplug_error *demand(bool required, const char *key_directory,
                              bool demanded) {
  struct demands *demands = NULL;
  struct file file;
  mlirplug_error *error = NULL;
  if (demands_create("system", required, key_directory, &demands, &error) !=
      MLIRPLUG_OK) {
    cr_assert_not_null(error);
    cr_expect_null(demands);
    return error;
  }
  cr_expect_eq(demands != NULL, demanded);
  cr_assert_eq(file_open("f.so", &file, &error), MLIRPLUG_OK);
  mlirplug_status status = demands_check(demands, &file, &error);
  cr_expect_eq(status, error ? MLIRPLUG_FAILED : MLIRPLUG_OK);
  file_close(&file);
  demands_destroy(demands);
  return error;
}

#define DEMANDING "{\"require-signature\": true}"

/// A policy that demands keys in `directory`.
static void policy_write(const char *path, const char *directory) {
  char *absolute = realpath(directory, NULL), *text = NULL;
  cr_assert_gt(asprintf(&text,
                        "{\"require-signature\": true, "
                        "\"key-directories\": [\"%s\"]}",
                        absolute ? absolute : directory),
               0);
  sign_write(path, text);
  free(text);
  free(absolute);
}

Test(demands, are_none_by_default) {
  sign_shell("rm f.so.minisig");
  sign_expect_none(demand(false, NULL, false));
  // A directory of keys does not demand anything either.
  sign_expect_none(demand(false, "keys", false));
}

Test(demands, of_the_embedder_are_met_by_its_keys) {
  sign_expect_none(demand(true, "keys", true));
  sign_expect_error(demand(true, "other", true), "which is not among");
  sign_expect_error(demand(true, "missing", true), "cannot read the keys in");
  sign_expect_error(demand(true, NULL, true),
                    "and there are no keys to check that");
  sign_shell("cp keys/a.pub user/mlirplug/keys");
  sign_expect_none(demand(true, NULL, true));
  sign_shell("mv user/mlirplug/keys/a.pub system/keys");
  sign_expect_none(demand(true, NULL, true));
  sign_shell("rm f.so.minisig");
  sign_expect_error(demand(true, NULL, true), "it is not signed");
}

Test(demands, of_the_system_are_not_met_by_the_users_keys) {
  sign_write("system/policy.json", DEMANDING);
  sign_shell("cp keys/a.pub user/mlirplug/keys");
  sign_expect_error(demand(false, NULL, true),
                    "system/keys', as 'system/policy.json' demands");
  sign_expect_error(demand(true, "keys", true), "system/policy.json' demands");
  sign_shell("cp keys/a.pub system/keys");
  sign_expect_none(demand(false, NULL, true));
  // Where it names directories, those count and no others.
  policy_write("system/policy.json", "other");
  sign_expect_error(demand(true, "keys", true),
                    "/other', as 'system/policy.json' demands");
  policy_write("system/policy.json", "keys");
  sign_expect_none(demand(true, "keys", true));
}

Test(demands, of_the_system_are_not_loosened_by_the_user) {
  policy_write("system/policy.json", "other");
  sign_write("user/mlirplug/policy.json", "{\"require-signature\": false}");
  sign_expect_error(demand(false, NULL, true), "system/policy.json' demands");
  policy_write("user/mlirplug/policy.json", "keys");
  sign_expect_error(demand(false, NULL, true), "system/policy.json' demands");
}

Test(demands, add_up) {
  policy_write("system/policy.json", "keys");
  policy_write("user/mlirplug/policy.json", "other");
  sign_expect_error(demand(false, NULL, true),
                    "user/mlirplug/policy.json' demands");
  policy_write("user/mlirplug/policy.json", "keys");
  sign_expect_none(demand(false, NULL, true));
  sign_expect_error(demand(true, "other", true), "which is not among");
}

Test(demands, of_the_user_are_met_by_the_keys_of_both) {
  sign_write("user/mlirplug/policy.json", DEMANDING);
  sign_expect_error(demand(false, NULL, true), "there are no keys");
  sign_shell("cp keys/a.pub system/keys");
  sign_expect_none(demand(false, NULL, true));
  sign_shell("mv system/keys/a.pub user/mlirplug/keys");
  sign_expect_none(demand(false, NULL, true));
}

Test(demands, of_the_user_do_not_count_in_a_privileged_process) {
  sign_write("user/mlirplug/policy.json", DEMANDING);
  sign_shell("cp keys/a.pub user/mlirplug/keys");
  system_set_secure();
  sign_expect_none(demand(false, NULL, false));
  sign_write("system/policy.json", DEMANDING);
  sign_expect_error(demand(true, NULL, true), "system/policy.json' demands");
}

Test(demands, that_cannot_be_told_are_errors) {
  static const char *const policies[] = {"system/policy.json",
                                         "user/mlirplug/policy.json"};
  for (size_t i = 0; i < 2; ++i) {
    const char *path = policies[i];
    sign_write(path, "{\"require-signature\": tru}");
    sign_expect_error(demand(false, NULL, true), "it is no JSON");
    sign_write(path, "{\"require-signature\": false}");
    sign_expect_none(demand(false, NULL, false));
    system_set_mode(path, 0666);
    sign_expect_error(demand(false, NULL, true), "everybody may write to");
    system_set_mode(path, 0644);
    system_set_owner(path, 4321, 4321);
    sign_expect_error(demand(false, NULL, true), "belongs to another user");
    system_set_owner(path, geteuid(), getegid());
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(symlink("policy.json", path), 0);
    sign_expect_error(demand(false, NULL, true), "Too many levels");
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(mkfifo(path, 0600), 0);
    sign_expect_error(demand(false, NULL, true), "it is no regular file");
    cr_assert_eq(unlink(path), 0);
    policy_write(path, "/nowhere/keys");
    sign_expect_error(demand(false, NULL, true),
                      "cannot read the keys in '/nowhere/keys'");
    cr_assert_eq(unlink(path), 0);
  }
}
