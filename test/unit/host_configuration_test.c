// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/text.h"
#include "support/command.h"
#include "support/mlir.h"
#include "support/system.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static mlirplug_host *host;
static mlirplug_error *error;
static struct text warnings;
static size_t warning_count;

static void warning_collect(const char *line, void *user_data) {
  (void)user_data;
  text_add(&warnings, line);
  text_add(&warnings, "\n");
  ++warning_count;
}

static void host_make(bool trust_any) {
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .warn = warning_collect,
                                               .trust_any = trust_any};
  mlirplug_host_destroy(host);
  text_release(&warnings);
  warning_count = 0;
  cr_assert_eq(mlirplug_host_create(&configuration, &host, &error),
               MLIRPLUG_OK);
}

static void shell(const char *command) {
  struct command_result result = command_shell("%s", command);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
}

/// A project with a plugin, and an input below it.
static void enter(void) {
  char *directory = directory_create();
  cr_assert_eq(chdir(directory), 0);
  umask(022);
  setenv("XDG_STATE_HOME", directory, 1);
  free(directory);
  shell("mkdir -p p/src p/plugins q && touch p/src/x.mlir q/x.mlir && "
        "cp " MLIR_PLUGIN("version-1") " p/one.so && cp " MLIR_PLUGIN(
            "diagnose") " p/plugins/two.so && echo '{\"plugins\": "
                        "[\"one.so\"], \"directories\": [\"plugins\"]}' "
                        ">p/mlirplug.json && echo '{}' >q/mlirplug.json");
  host_make(false);
}

static void release(void) {
  mlirplug_host_destroy(host);
  mlirplug_error_destroy(error);
  text_release(&warnings);
}

TestSuite(host_configuration, .init = enter, .fini = release);

static void approve(const char *directory) {
  mlirplug_configuration *configuration = NULL;
  mlirplug_status status =
      mlirplug_configuration_read(directory, &configuration, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
  status = mlirplug_configuration_approve(configuration, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
  mlirplug_configuration_destroy(configuration);
}

static void find(const char *input) {
  mlirplug_status status =
      mlirplug_host_find_configuration(host, input, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
}

static void expect_warning(const char *part) {
  cr_expect_eq(warning_count, 1, "%s", warnings.bytes ? warnings.bytes : "");
  cr_expect(warnings.bytes && strstr(warnings.bytes, part), "no '%s' in: %s",
            part, warnings.bytes ? warnings.bytes : "");
}

static void expect_none(void) {
  cr_expect_eq(mlirplug_host_plugin_count(host), 0);
  cr_expect_eq(mlirplug_host_directory_count(host), 0);
}

static void expect_failure(mlirplug_status status, const char *part) {
  cr_assert_eq(status, MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, part), "no '%s' in: %s", part,
            error->message);
  mlirplug_error_destroy(error);
  error = NULL;
}

//===----------------------------------------------------------------------===//
// Found
//===----------------------------------------------------------------------===//

Test(host_configuration, is_refused_once_until_it_is_approved) {
  find("p/src/x.mlir");
  find("p/src");
  expect_warning("mlirplug trust '");
  expect_none();
  cr_assert_eq(mlirplug_host_refusal_count(host), 1);
  const mlirplug_refusal *refusal = mlirplug_host_refusal(host, 0);
  cr_expect(strstr(refusal->path, "/p/mlirplug.json"));
  cr_expect_not(refusal->error->untrusted);
  cr_expect_str_eq(mlirplug_host_configuration_file(host), refusal->path);
}

Test(host_configuration, is_used_once_it_is_approved) {
  approve("p");
  find("p/src/x.mlir");
  cr_expect_eq(warning_count, 0, "%s", warnings.bytes);
  cr_assert_eq(mlirplug_host_plugin_count(host), 2);
  for (size_t i = 0; i < 2; ++i)
    cr_expect_str_eq(mlirplug_host_plugin_directory(host, i)->origin,
                     "configuration");
  cr_expect(strstr(mlirplug_host_plugin(host, 0)->path, "/p/one.so"));
  cr_expect(strstr(mlirplug_host_plugin(host, 1)->path, "/p/plugins/two.so"));
  cr_assert_eq(mlirplug_host_directory_count(host), 1);
  cr_expect_eq(mlirplug_host_refusal_count(host), 0);
}

Test(host_configuration, is_refused_when_it_has_changed) {
  approve("p");
  shell("echo >>p/mlirplug.json");
  find("p/src/x.mlir");
  expect_warning("has changed since you trusted it");
  expect_none();
}

Test(host_configuration, is_approved_as_it_was_when_it_was_read) {
  mlirplug_configuration *configuration = NULL;
  cr_assert_eq(mlirplug_configuration_read("p", &configuration, &error),
               MLIRPLUG_OK);
  shell("echo >>p/mlirplug.json");
  cr_assert_eq(mlirplug_configuration_approve(configuration, &error),
               MLIRPLUG_OK);
  mlirplug_configuration_destroy(configuration);
  find("p");
  expect_warning("has changed since you trusted it");
}

Test(host_configuration, can_lose_its_approval) {
  approve("p");
  approve("q");
  cr_assert_eq(mlirplug_configuration_withdraw("p/src/..", &error),
               MLIRPLUG_OK);
  expect_failure(mlirplug_configuration_withdraw("p", &error),
                 "it is not trusted");
  find("p");
  expect_warning("you have not trusted it");
  shell("rm -r q");
  cr_expect_eq(mlirplug_configuration_withdraw("q/", &error), MLIRPLUG_OK);
}

static void approval_collect(const char *path, bool current, void *user_data) {
  struct text *text = user_data;
  text_format(text, "%s=%d ", strrchr(path, '/') - 1, current);
}

Test(host_configuration, is_listed_with_what_became_of_it) {
  approve("p");
  approve("q");
  shell("mkdir r && echo '{}' >r/mlirplug.json");
  approve("r");
  shell("echo >>q/mlirplug.json; rm -r r");
  struct text text = {0};
  cr_assert_eq(
      mlirplug_configuration_list_approved(approval_collect, &text, &error),
      MLIRPLUG_OK);
  cr_expect_str_eq(text.bytes,
                   "p/mlirplug.json=1 q/mlirplug.json=0 r/mlirplug.json=0 ");
  text_release(&text);
}

Test(host_configuration, keeps_its_approval_when_memory_runs_out_for_another) {
  approve("p");
  mlirplug_configuration *configuration = NULL;
  cr_assert_eq(mlirplug_configuration_read("q", &configuration, &error),
               MLIRPLUG_OK);
  system_exhaust_json();
  expect_failure(mlirplug_configuration_approve(configuration, &error),
                 "out of memory");
  mlirplug_configuration_destroy(configuration);
  find("p/src/x.mlir");
  cr_expect_eq(warning_count, 0, "%s", warnings.bytes);
  cr_expect_eq(mlirplug_host_plugin_count(host), 2);
}

Test(host_configuration, is_one_for_all_inputs) {
  approve("p");
  approve("q");
  find("p/src/x.mlir");
  find("/proc");
  expect_failure(mlirplug_host_find_configuration(host, "q/x.mlir", &error),
                 "--no-config");
}

Test(host_configuration, that_is_refused_does_not_keep_another_from_use) {
  approve("p");
  find("q/x.mlir");
  expect_warning("/q/mlirplug.json': you have not trusted it");
  find("p/src/x.mlir");
  find("q/x.mlir");
  find("p/src");
  cr_expect_eq(warning_count, 1);
  cr_expect_eq(mlirplug_host_plugin_count(host), 2);
  const char *used = mlirplug_host_configuration_file(host);
  cr_expect_not_null(strstr(used, "/p/mlirplug.json"), "%s", used);
}

Test(host_configuration, that_is_refused_leaves_the_used_one_in_use) {
  approve("p");
  find("p/src/x.mlir");
  find("q/x.mlir");
  expect_warning("/q/mlirplug.json': you have not trusted it");
  const char *used = mlirplug_host_configuration_file(host);
  cr_expect_not_null(strstr(used, "/p/mlirplug.json"), "%s", used);
  approve("q");
  find("q/x.mlir"); // which was refused for this host
  cr_expect_eq(warning_count, 1);
}

Test(host_configuration, of_the_working_directory_is_that_of_no_input) {
  approve("p");
  cr_assert_eq(chdir("p/src"), 0);
  find(NULL);
  cr_expect_eq(mlirplug_host_plugin_count(host), 2);
}

Test(host_configuration, is_not_looked_for_with_more_rights_than_the_user) {
  approve("p");
  system_set_secure();
  find("p/src/x.mlir");
  expect_none();
  cr_expect_null(mlirplug_host_configuration_file(host));
  cr_expect_eq(warning_count, 0);
}

Test(host_configuration, that_others_can_write_is_refused) {
  approve("p");
  cr_assert_eq(chmod("p/mlirplug.json", 0666), 0);
  find("p/src/x.mlir");
  expect_warning("cannot trust the configuration '");
  expect_none();
  cr_expect(mlirplug_host_refusal(host, 0)->error->untrusted);
  mlirplug_configuration *configuration;
  expect_failure(mlirplug_configuration_read("p", &configuration, &error),
                 "everybody may write");
}

Test(host_configuration, needs_an_approval_even_where_trust_is_off) {
  cr_assert_eq(chmod("p/mlirplug.json", 0666), 0);
  host_make(true);
  find("p/src/x.mlir");
  cr_expect(strstr(warnings.bytes, "trust is off: cannot trust the config"));
  cr_expect(strstr(warnings.bytes, "you have not trusted it"));
  expect_none();
}

Test(host_configuration, that_is_bad_is_refused) {
  approve("p");
  shell("rm p/mlirplug.json && mkfifo p/mlirplug.json");
  find("p/src/x.mlir");
  expect_warning("it is no regular file");
  expect_none();
}

Test(host_configuration, is_refused_while_the_record_cannot_be_used) {
  approve("p");
  shell("echo x >mlirplug/trusted.json");
  find("p/src/x.mlir");
  expect_warning("whether you trust it cannot be told");
  expect_none();
}

Test(host_configuration, has_its_own_failures_as_warnings) {
  shell("echo text >p/text.so && echo '{\"plugins\": [\"text.so\", "
        "\"one.so\"], \"directories\": [\"missing\"]}' >p/mlirplug.json");
  approve("p");
  find("p");
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
  cr_expect_eq(mlirplug_host_refusal_count(host), 1);
  cr_expect_eq(warning_count, 2, "%s", warnings.bytes);
  cr_expect(strstr(warnings.bytes, "/p/text.so"));
  cr_expect(strstr(warnings.bytes, "/p/missing', which does not exist"));
}

Test(host_configuration, whose_plugin_others_can_write_does_not_load_it) {
  cr_assert_eq(chmod("p/one.so", 0666), 0);
  approve("p");
  find("p");
  expect_warning("cannot trust the plugin '");
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
}

Test(host_configuration, fails_where_a_named_plugin_has_the_pass) {
  cr_assert_eq(
      mlirplug_host_add_plugin(host, MLIR_PLUGIN("version-2"), NULL, &error),
      MLIRPLUG_OK);
  approve("p");
  expect_failure(mlirplug_host_find_configuration(host, "p", &error),
                 "/p/one.so");
  cr_expect_eq(mlirplug_host_refusal_count(host), 1);
  cr_expect_eq(mlirplug_host_plugin_count(host), 2);
}

//===----------------------------------------------------------------------===//
// Named
//===----------------------------------------------------------------------===//

static mlirplug_status name(const char *path) {
  return mlirplug_host_add_configuration(host, path, &error);
}

Test(host_configuration, that_is_named_needs_no_approval) {
  // Wherever it lies; but what it names is trusted like what is found.
  shell("mv p/mlirplug.json p/other.json && chmod 777 p");
  expect_failure(name("p/other.json"), "everybody may write to the directory");
  host_make(false);
  shell("echo '{\"directories\": [\"'$PWD'/p/plugins\"]}' >q/other.json && "
        "chmod 755 p && chmod 777 q");
  cr_assert_eq(name("q/other.json"), MLIRPLUG_OK, "%s",
               error ? error->message : "");
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
}

Test(host_configuration, that_is_named_is_the_only_one) {
  cr_assert_eq(name("p/mlirplug.json"), MLIRPLUG_OK);
  cr_assert_eq(name("p/src/../mlirplug.json"), MLIRPLUG_OK);
  cr_expect_eq(mlirplug_host_plugin_count(host), 2);
  find("q/x.mlir");
  cr_expect_eq(warning_count, 0);
  expect_failure(name("q/mlirplug.json"), "/p/mlirplug.json' is used already");
}

Test(host_configuration, that_is_named_has_its_failures_as_errors) {
  shell("echo text >p/text.so && echo '{\"plugins\": [\"text.so\", "
        "\"missing.so\", \"one.so\"], \"directories\": [\"missing\"]}' "
        ">p/mlirplug.json");
  expect_failure(name("p/mlirplug.json"), "/p/text.so");
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
  cr_expect_eq(mlirplug_host_refusal_count(host), 0);
  cr_expect_eq(warning_count, 2, "%s", warnings.bytes);
  cr_expect(strstr(warnings.bytes, "/p/missing.so"));
  cr_expect(strstr(warnings.bytes, "directory '"));
}

Test(host_configuration, that_is_named_and_bad_is_an_error) {
  expect_failure(name("missing.json"), "No such file");
  expect_failure(name(""), "the path is empty");
  expect_failure(name(NULL), "the path is empty");
  shell("echo '{\"plugin\": []}' >p/mlirplug.json");
  expect_failure(name("p/mlirplug.json"), "unknown key \"plugin\"");
  cr_assert_eq(chmod("q/mlirplug.json", 0666), 0);
  expect_failure(name("q/mlirplug.json"), "everybody may write");
  cr_expect_null(mlirplug_host_configuration_file(host));
}
