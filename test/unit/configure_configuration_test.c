// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "configure/configuration.h"

#include "configure/content.h"
#include "support/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mlirplug_configuration *configuration;
static mlirplug_error *error;

static void release(void) {
  mlirplug_configuration_destroy(configuration);
  mlirplug_error_destroy(error);
}

TestSuite(configuration_text, .fini = release);

/// Parses `length` bytes as the file /p/mlirplug.json.
static mlirplug_status parse_bytes(const char *path, const char *bytes,
                                   size_t length) {
  release();
  configuration = NULL;
  error = NULL;
  const struct configuration_text text = {
      .path = (char *)path,
      .bytes = (char *)bytes,
      .length = length,
      .checksum = configuration_checksum_of(bytes, length)};
  return configuration_parse(&text, &configuration, &error);
}

static void parse(const char *text) {
  mlirplug_status status = parse_bytes("/p/mlirplug.json", text, strlen(text));
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
}

Test(configuration_text, names_plugins_and_directories) {
  parse("{\"plugins\": [\"a.so\", \"/b/c.so\"], \"directories\": [\"d\"]}");
  cr_expect_str_eq(configuration->path, "/p/mlirplug.json");
  cr_assert_eq(configuration->plugin_count, 2);
  cr_expect_str_eq(configuration->plugins[0], "/p/a.so");
  cr_expect_str_eq(configuration->plugins[1], "/b/c.so");
  cr_assert_eq(configuration->directory_count, 1);
  cr_expect_str_eq(configuration->directories[0], "/p/d");
}

Test(configuration_text, has_requests_as_they_are_written) {
  parse("{\"insert\": [\"after:cse:./x{a=b}\", \"nonsense\"]}");
  cr_assert_eq(configuration->insertion_count, 2);
  cr_expect_str_eq(configuration->insertions[0], "after:cse:./x{a=b}");
  cr_expect_str_eq(configuration->insertions[1], "nonsense");
}

Test(configuration_text, may_leave_everything_out) {
  parse(" {\n} ");
  cr_expect_eq(configuration->plugin_count, 0);
  cr_expect_eq(configuration->directory_count, 0);
  parse("{\"directories\": []}");
  cr_expect_eq(configuration->directory_count, 0);
}

Test(configuration_text, has_paths_that_begin_at_its_directory) {
  static const char *const paths[][2] = {{"./a.so", "/p/a.so"},
                                         {".///./a.so", "/p/a.so"},
                                         {"../a.so", "/p/../a.so"},
                                         {"a///", "/p/a"},
                                         {"/", "/"},
                                         {"///", "/"},
                                         {".", "/p/."},
                                         {"~/a.so", "/p/~/a.so"},
                                         {"\\u00e9.so", "/p/\xc3\xa9.so"}};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
    char text[256];
    (void)snprintf(text, sizeof text, "{\"plugins\": [\"%s\"]}", paths[i][0]);
    parse(text);
    cr_expect_str_eq(configuration->plugins[0], paths[i][1]);
  }
  static const char root[] = "{\"plugins\": [\"a.so\"]}";
  cr_assert_eq(parse_bytes("/mlirplug.json", root, strlen(root)), MLIRPLUG_OK);
  cr_expect_str_eq(configuration->plugins[0], "/a.so");
}

static const struct {
  const char *text;
  const char *found; ///< Is in the message, and so is
  const char *help;
} bad[] = {
    {"", "end of file", "JSON"},
    {"{\n \"plugins\": [\"a.so\",]}", "at line 2, column ", "JSON"},
    {"{} x", "at line 1, column 4", "JSON"},
    {"{\"plugins\": [], \"plugins\": []}", "duplicate object key", "JSON"},
    {"{\"plugins\": [\"\xff\"]}", "at line 1", "JSON"},
    {"{\"plugins\": [\"\\u0000\"]}", "at line 1", "JSON"},
    {"[\"a.so\"]", "it is a list", "an object"},
    {"{\"plugin\": []}", "unknown key \"plugin\"", "mean \"plugins\"?"},
    {"{\"pipelines\": []}", "unknown key \"pipelines\"", "newer mlirplug"},
    {"{\"insertions\": []}", "unknown key \"insertions\"", "\"insert\"?"},
    {"{\"insert\": \"end:x\"}", "\"insert\" is a string",
     "a list of requests, such as [\"after:cse:my-pass\"]"},
    {"{\"insert\": [\"\"]}", "item 1 of \"insert\" is an empty string",
     "a list of requests"},
    {"{\"plugins\": \"a.so\"}", "\"plugins\" is a string", "a list of paths"},
    {"{\"plugins\": null}", "\"plugins\" is null", "a list of paths"},
    {"{\"directories\": {}}", "\"directories\" is an object", "a list"},
    {"{\"plugins\": [\"a\", 1.5]}", "item 2 of \"plugins\" is a number",
     "a list of paths"},
    {"{\"plugins\": [true]}", "item 1 of \"plugins\" is true or false",
     "a list of paths"},
    {"{\"directories\": [\"\"]}", "item 1 of \"directories\" is an empty",
     "a list of paths"},
};

Test(configuration_text, is_refused_with_the_place_and_what_to_write) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    cr_assert_eq(
        parse_bytes("/p/mlirplug.json", bad[i].text, strlen(bad[i].text)),
        MLIRPLUG_FAILED, "%s", bad[i].text);
    const char *begin = "cannot read the configuration '/p/mlirplug.json': ";
    cr_expect_eq(strncmp(error->message, begin, strlen(begin)), 0, "%s",
                 error->message);
    cr_expect(strstr(error->message, bad[i].found), "no '%s' in: %s",
              bad[i].found, error->message);
    cr_expect(strstr(error->message, bad[i].help), "no '%s' in: %s",
              bad[i].help, error->message);
  }
}

Test(configuration_text, cannot_be_nested_without_end) {
  enum { length = 1 << 20 };
  char *text = malloc(length);
  memset(text, '[', length);
  cr_expect_eq(parse_bytes("/p/mlirplug.json", text, length), MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, "depth"), "%s", error->message);
  free(text);
}

Test(configuration_text, has_a_checksum_of_every_byte) {
  // BLAKE2b with 32 bytes, of nothing.
  static const unsigned char empty[] = {
      0x0e, 0x57, 0x51, 0xc0, 0x26, 0xe5, 0x43, 0xb2, 0xe8, 0xab, 0x2e,
      0xb0, 0x60, 0x99, 0xda, 0xa1, 0xd1, 0xe5, 0xdf, 0x47, 0x77, 0x8f,
      0x77, 0x87, 0xfa, 0xab, 0x45, 0xcd, 0xf1, 0x2f, 0xe3, 0xa8};
  struct configuration_checksum checksum = configuration_checksum_of("", 0);
  cr_expect_eq(memcmp(checksum.bytes, empty, sizeof empty), 0);
  parse("{}");
  checksum = configuration_checksum_of("{}", 2);
  cr_expect_eq(
      memcmp(configuration_checksum(configuration), &checksum, sizeof checksum),
      0);
  struct configuration_checksum other = configuration_checksum_of("{} ", 3);
  cr_expect_neq(memcmp(&checksum, &other, sizeof other), 0);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

static void enter(void) {
  char *directory = directory_create();
  cr_assert_eq(chdir(directory), 0);
  free(directory);
}

TestSuite(configuration_file, .init = enter, .fini = release);

Test(configuration_file, behind_a_link_is_in_its_own_directory) {
  struct command_result result = command_shell(
      "mkdir real && echo '{}' >real/file.json && ln -s real/file.json l");
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
  struct file file;
  struct configuration_text text;
  cr_assert_eq(content_open("cannot read", "l", NULL, &file, &error),
               MLIRPLUG_OK);
  cr_assert_eq(configuration_read(&file, &text, &error), MLIRPLUG_OK);
  char *real = realpath("real/file.json", NULL);
  cr_expect_str_eq(text.path, real);
  cr_expect_eq(text.length, 3);
  cr_expect_eq(memcmp(text.bytes, "{}\n", 3), 0);
  free(real);
  configuration_text_release(&text);
  file_close(&file);
}

Test(configuration_file, that_is_replaced_meanwhile_is_not_used) {
  file_write("mlirplug.json", "{}", 2);
  file_write("other", "{}", 2);
  struct file file;
  struct configuration_text text;
  cr_assert_eq(content_open("cannot read", "mlirplug.json", NULL, &file, NULL),
               MLIRPLUG_OK);
  cr_assert_eq(rename("other", "mlirplug.json"), 0);
  cr_assert_eq(configuration_read(&file, &text, &error), MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, "replaced while"), "%s", error->message);
  file_close(&file);
}

Test(configuration_file, is_in_a_directory) {
  char *directory = configuration_directory("/a/b/c.json");
  cr_expect_str_eq(directory, "/a/b");
  free(directory);
  directory = configuration_directory("/c.json");
  cr_expect_str_eq(directory, "/");
  free(directory);
}
