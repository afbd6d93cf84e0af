// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about configuration files and the record of what is trusted.

#include "errors_doc.h"

#include "configure/approval.h"
#include "configure/content.h"
#include "configure/record.h"
#include "support/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static mlirplug_error *error;

static void expect_said(mlirplug_status status) {
  errors_doc_expect_failure(status, &error);
}

static void warning_expect(const char *line, void *user_data) {
  (void)user_data;
  errors_doc_expect(line);
}

static mlirplug_host *host_make(void) {
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .warn = warning_expect};
  mlirplug_host *host = NULL;
  cr_assert_eq(mlirplug_host_create(&configuration, &host, &error),
               MLIRPLUG_OK);
  return host;
}

static void file_says(const char *path) {
  mlirplug_host *host = host_make();
  expect_said(mlirplug_host_add_configuration(host, path, &error));
  mlirplug_host_destroy(host);
}

static void text_says(const char *text) {
  file_write("bad.json", text, strlen(text));
  file_says("bad.json");
}

/// One that becomes another while it is read.
static void changing_file_says(void) {
  struct file file;
  struct configuration_text text;
  file_write("a.json", "{}", 2);
  file_write("b.json", "{}", 2);
  cr_assert_eq(
      content_open(CONFIGURATION_READING, "a.json", NULL, &file, &error),
      MLIRPLUG_OK);
  cr_assert_eq(rename("b.json", "a.json"), 0);
  expect_said(configuration_read(&file, &text, &error));
  file_close(&file);
  cr_assert_eq(
      content_open(CONFIGURATION_READING, "a.json", NULL, &file, &error),
      MLIRPLUG_OK);
  file_write("a.json", "{   }", 5);
  expect_said(configuration_read(&file, &text, &error));
  file_close(&file);
}

static void files_say(void) {
  file_says("missing.json");
  file_says("");
  file_says(".");
  file_says("/dev/null");
  file_write("large.json", "", 0);
  cr_assert_eq(truncate("large.json", content_size_at_most + 1), 0);
  file_says("large.json");
  text_says("{");
  text_says("[]");
  text_says("{\"plugin\": []}");
  text_says("{\"insert\": 1}");
  text_says("{\"insert\": [1]}");
  text_says("{\"nothing\": []}");
  text_says("{\"plugins\": 1}");
  text_says("{\"plugins\": [1]}");
  text_says("{\"plugins\": [\"~/nowhere.so\"]}");
  changing_file_says();
  file_write("open.json", "{}", 2);
  cr_assert_eq(chmod("open.json", 0666), 0);
  file_says("open.json");
}

static void approve(const char *directory) {
  mlirplug_configuration *configuration = NULL;
  cr_assert_eq(mlirplug_configuration_read(directory, &configuration, &error),
               MLIRPLUG_OK);
  cr_assert_eq(mlirplug_configuration_approve(configuration, &error),
               MLIRPLUG_OK);
  mlirplug_configuration_destroy(configuration);
}

/// What is found for `input` is warned of.
static void input_says(const char *input) {
  mlirplug_host *host = host_make();
  cr_expect_eq(mlirplug_host_find_configuration(host, input, &error),
               MLIRPLUG_OK);
  mlirplug_host_destroy(host);
}

/// A request of a file that was found, which does not suit a pipeline.
static void request_says(void) {
  static const char text[] = "{\"insert\": [\"after:licm:cse\"]}";
  file_write("p/mlirplug.json", text, strlen(text));
  approve("p");
  mlirplug_host *host = host_make();
  mlirplug_pipeline *pipeline = NULL, *result = NULL;
  cr_assert_eq(mlirplug_host_find_configuration(host, "p", &error),
               MLIRPLUG_OK);
  cr_assert_eq(
      mlirplug_pipeline_parse(host, "builtin.module(cse)", &pipeline, &error),
      MLIRPLUG_OK);
  cr_expect_eq(mlirplug_pipeline_insert_configured(pipeline, &result, &error),
               MLIRPLUG_OK);
  cr_expect_str_eq(mlirplug_pipeline_text(result), "builtin.module(cse)");
  mlirplug_pipeline_destroy(result);
  mlirplug_pipeline_destroy(pipeline);
  mlirplug_host_destroy(host);
}

static void inputs_say(void) {
  static const char text[] = "{\"directories\": [\"missing\"]}";
  cr_assert_eq(mkdir("p", 0755), 0);
  cr_assert_eq(mkdir("q", 0755), 0);
  file_write("p/mlirplug.json", text, strlen(text));
  file_write("q/mlirplug.json", "{}", 2);
  input_says("p");
  approve("p");
  input_says("p");
  file_write("p/mlirplug.json", "{}", 2);
  input_says("p");
  request_says();
  file_write("p/mlirplug.json", "{}", 2);
  approve("p");
  approve("q");
  mlirplug_host *host = host_make();
  cr_assert_eq(mlirplug_host_find_configuration(host, "p", &error),
               MLIRPLUG_OK);
  expect_said(mlirplug_host_find_configuration(host, "q", &error));
  mlirplug_host_destroy(host);
  cr_assert_eq(mlirplug_configuration_withdraw("q", &error), MLIRPLUG_OK);
}

static void record_says(void) {
  struct configuration_checksum checksum = {{0}};
  enum approval approval;
  expect_said(mlirplug_configuration_withdraw("q", &error));
  expect_said(approval_add("/\xff", &checksum, &error));
  cr_assert_eq(chmod("mlirplug/trusted.json", 0666), 0);
  expect_said(approval_find("/p", &checksum, &approval, &error));
  input_says("p");
  cr_assert_eq(chmod("mlirplug/trusted.json", 0600), 0);
  file_write("mlirplug/trusted.json", "{", 1);
  expect_said(approval_find("/p", &checksum, &approval, &error));
  cr_assert_eq(unlink("mlirplug/trusted.json"), 0);
  cr_assert_eq(mkdir("mlirplug/trusted.json", 0700), 0);
  expect_said(approval_find("/p", &checksum, &approval, &error));
  json_t *nothing = json_object();
  expect_said(record_write("/proc/trusted.json", nothing, &error));
  json_decref(nothing);
  unsetenv("XDG_STATE_HOME");
  setenv("HOME", "relative", 1);
  expect_said(approval_find("/p", &checksum, &approval, &error));
}

void configurations_say(void) {
  char *directory = directory_create();
  cr_assert_eq(chdir(directory), 0);
  setenv("XDG_STATE_HOME", directory, 1);
  mode_t mask = umask(022);
  files_say();
  inputs_say();
  record_says();
  umask(mask);
  cr_assert_eq(chdir("/"), 0);
  free(directory);
}
