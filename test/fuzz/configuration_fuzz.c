// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a configuration file, and as the record of what is trusted. What
// is accepted has absolute paths only; what is not, an error that says
// something.

#include "configure/configuration.h"
#include "configure/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "%s\n", what);
  abort();
}

static void expect_error(mlirplug_error *error) {
  expect(error && error->subject &&
             strlen(error->message) > strlen(error->subject) + 20,
         "the error says nothing");
  mlirplug_error_destroy(error);
}

static void expect_paths(const char *const *paths, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    size_t length = strlen(paths[i]);
    expect(paths[i][0] == '/', "a path is relative");
    expect(length == 1 || paths[i][length - 1] != '/', "a path ends in '/'");
  }
}

static void try_configuration(const char *bytes, size_t length) {
  const struct configuration_text text = {
      .path = (char *)"/home/me/project/mlirplug.json",
      .bytes = (char *)bytes,
      .length = length,
      .checksum = configuration_checksum_of(bytes, length)};
  mlirplug_configuration *configuration = NULL;
  mlirplug_error *error = NULL;
  if (configuration_parse(&text, &configuration, &error) != MLIRPLUG_OK) {
    expect_error(error);
    return;
  }
  expect(strcmp(configuration->path, text.path) == 0, "another path");
  expect_paths(configuration->plugins, configuration->plugin_count);
  expect_paths(configuration->directories, configuration->directory_count);
  mlirplug_configuration_destroy(configuration);
}

static void try_record(const char *bytes, size_t length) {
  json_t *trusted = NULL;
  mlirplug_error *error = NULL;
  if (record_parse("/home/me/trusted.json", bytes, length, &trusted, &error) !=
      MLIRPLUG_OK) {
    expect_error(error);
    return;
  }
  const char *path;
  json_t *checksum;
  json_object_foreach(trusted, path, checksum) {
    expect(path[0] == '/' && json_string_value(checksum), "a bad approval");
  }
  json_decref(trusted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try_configuration((const char *)data, size);
  try_record((const char *)data, size);
  return 0;
}
