// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about what is read: plugin files and pipelines.

#include "errors_doc.h"

#include "catalog/cache_write.h"
#include "catalog/plugin.h"
#include "end_to_end/bad_files.h"
#include "find/directory.h"
#include "pipeline_passes.h"
#include "read/descriptor.h"
#include "read/validate.h"
#include "read/validate_options.h"
#include "support/mlir.h"

#include <stdlib.h>
#include <unistd.h>

static mlirplug_error *error;

static void expect_said(mlirplug_status status) {
  errors_doc_expect_failure(status, &error);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Each line of `text`, without what comes before the message.
static void expect_lines(char *text) {
  static const char *const marks[] = {"mlirplug: ", "warning: "};
  for (char *line; (line = strsep(&text, "\n"));) {
    for (size_t i = 0; i < MLIRPLUG_COUNT(marks); ++i)
      if (strncmp(line, marks[i], strlen(marks[i])) == 0)
        line += strlen(marks[i]);
    if (*line)
      errors_doc_expect(line);
  }
}

void bad_files_say(void) {
  char *directory = directory_create();
  for (size_t i = 0; i < bad_file_count; ++i) {
    char *path = bad_file_make(&bad_files[i], directory);
    struct command_result result = bad_file_opt(&bad_files[i], path);
    expect_lines(result.errors);
    command_release(&result);
    free(path);
  }
  free(directory);
}

/// Root may read everything, unless it gives that up.
void closed_directory_says(void) {
  char *directory = directory_create();
  struct command_result result = command_shell(
      "mkdir -m 0 %s/closed && %s %s list --plugin-dir=%s/closed", directory,
      geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search"
                     : "",
      COMMAND_MLIRPLUG, directory);
  expect_lines(result.errors);
  command_release(&result);
  free(directory);
}

/// Reads the plugin at `path`, which may be a good one.
static void plugin_says(const char *path) {
  mlirplug_plugin_description *plugin = NULL;
  if (mlirplug_plugin_read(path, &plugin, &error) != MLIRPLUG_OK) {
    expect_said(MLIRPLUG_FAILED);
    return;
  }
  for (size_t i = 0; i < plugin->warning_count; ++i) {
    char line[2048];
    (void)snprintf(line, sizeof line, "plugin '%s': %s", path,
                   plugin->warnings[i]);
    errors_doc_expect(line);
  }
  mlirplug_plugin_description_destroy(plugin);
}

void descriptors_say(void) {
  static const char *const directories[] = {
      MLIRPLUG_BUILD_DIRECTORY "/test/plugins/descriptor",
      MLIRPLUG_BUILD_DIRECTORY "/test/plugins/bad"};
  for (size_t i = 0; i < MLIRPLUG_COUNT(directories); ++i) {
    struct directory_listing listing;
    int descriptor;
    cr_assert_eq(directory_open(directories[i], true, &descriptor, NULL),
                 MLIRPLUG_OK);
    cr_assert_eq(directory_list(directories[i], descriptor, "", &listing, NULL),
                 MLIRPLUG_OK);
    close(descriptor);
    for (size_t j = 0; j < listing.count; ++j) {
      char path[4096];
      (void)snprintf(path, sizeof path, "%s/%s", directories[i],
                     listing.names[j]);
      plugin_says(path);
    }
    directory_listing_release(&listing);
  }
}

void other_files_say(void) {
  mlirplug_plugin_description *plugin = NULL;
  plugin_says("");
  expect_said(descriptor_read_memory("x.so", "", 0, &plugin, &error));
  char *directory = directory_create();
  cr_assert_eq(chdir(directory), 0);
  file_write("file", "", 0);
  plugin_says("nowhere.so");
  plugin_says("file/plugin.so");
  cr_assert_eq(unlink("file"), 0);
  cr_assert_eq(rmdir(directory), 0);
  plugin_says("x.so");
  mlirplug_host *host = NULL;
  cr_assert_eq(mlirplug_host_create(NULL, &host, &error), MLIRPLUG_OK);
  expect_said(mlirplug_host_add_directory(host, "plugins", &error));
  expect_said(mlirplug_host_add_directory(host, "", &error));
  mlirplug_host_destroy(host);
  cr_assert_eq(chdir("/"), 0);
  free(directory);
}

//===----------------------------------------------------------------------===//
// Descriptors that no compiler is needed for
//===----------------------------------------------------------------------===//

static const mlirplug_option bad_options[] = {
    {.name = "", .kind = MLIRPLUG_KIND_INT},
    {.name = "o", .kind = MLIRPLUG_KIND_BOOL, .default_integer = 2},
    {.name = "o", .kind = MLIRPLUG_KIND_ENUM},
    {.name = "o", .kind = MLIRPLUG_KIND_ENUM, .choices = "a,b c"},
    {.name = "o", .kind = MLIRPLUG_KIND_ENUM, .choices = "a,a"},
    {.name = "o",
     .kind = MLIRPLUG_KIND_ENUM,
     .choices = "a,b",
     .default_integer = 5},
    {.name = "o", .kind = MLIRPLUG_KIND_STRING, .flags = MLIRPLUG_OPTION_RANGE},
    {.name = "o",
     .kind = MLIRPLUG_KIND_INT,
     .flags = MLIRPLUG_OPTION_RANGE,
     .minimum = 1},
    {.name = "o",
     .kind = MLIRPLUG_KIND_INT,
     .flags = MLIRPLUG_OPTION_RANGE,
     .minimum = 1,
     .maximum = 2},
};

void descriptions_say(void) {
  struct arena arena = {0};
  struct warning_list warnings = {.arena = &arena};
  for (size_t i = 0; i < MLIRPLUG_COUNT(bad_options); ++i) {
    const mlirplug_option *option = &bad_options[i];
    mlirplug_pass_description pass = {
        .name = "p", .options = &option, .option_count = 1, .options_size = 64};
    expect_said(validate_options("x.so", &pass, &arena, &error));
  }
  mlirplug_pass_description nameless = {
      .name = "p", .names = (const char *const[]){""}, .name_count = 1};
  struct pass_callbacks callbacks = {.run = true};
  expect_said(
      validate_pass("x.so", 0, &nameless, &callbacks, &warnings, &error));
  mlirplug_plugin_description plugin = {.path = "x.so",
                                        .id = "x",
                                        .imports =
                                            (const char *const[]){"not one"},
                                        .import_count = 1};
  expect_said(validate_plugin(&plugin, &warnings, &error));
  arena_release(&arena);
}

//===----------------------------------------------------------------------===//
// Pipelines and options
//===----------------------------------------------------------------------===//

static const char *const bad_pipelines[] = {
    "",
    "cse",
    "builtin.module(cse",
    "builtin.module(every{top=1)",
    "builtin.module(every{label=')",
    "builtin.module(cse))",
    "builtin.module(,cse)",
    "builtin.module(cse,)",
    "builtin.module(cse cse)",
    "builtin.module(cse) x",
    "builtin.module(every{}{})",
    "every{}{}",
    "every{}(cse)",
    "builtin.module(every(cse))",
    "builtin.module(tag-functions)",
    "any(op-histogram)",
    "builtin.module(every{tops=1})",
    "builtin.module(every{nothing-like-it})",
    "builtin.module(tag-functions{x})",
    "builtin.module(every{top=1 top=2})",
    "builtin.module(every{tiles=1 tiles=2})",
    "builtin.module(every{top})",
    "builtin.module(every{tiles})",
    "builtin.module(every{label=})",
    "builtin.module(every{top=x})",
    "builtin.module(every{top=1,level=2})",
    "builtin.module(every{level=11})",
    "builtin.module(every{mode=fats})",
    "builtin.module(every{label='a'b})",
    "builtin.module(every{tiles=1,,2})",
    "builtin.module(every{ =1})",
    "builtin.module(bad-default)",
    "builtin.module(twice)",
};

static const mlirplug_option *const default_table[] = {
    OPTION({.name = "tiles",
            .kind = MLIRPLUG_KIND_INT | MLIRPLUG_KIND_LIST,
            .default_text = "x"}),
};
static const mlirplug_pass_description more_passes[] = {
    {.name = "bad-default",
     .options = default_table,
     .option_count = 1,
     .options_size = 16},
};

/// The passes of pipeline_passes.h and those above.
static mlirplug_status more_find(void *user_data, const char *name,
                                 struct pipeline_match *match,
                                 mlirplug_error **given) {
  for (size_t i = 0; i < MLIRPLUG_COUNT(more_passes); ++i)
    if (strcmp(more_passes[i].name, name) == 0)
      *match = (struct pipeline_match){&more_passes[i], &known_plugin, NULL};
  return match->pass ? MLIRPLUG_OK : known_find(user_data, name, match, given);
}

/// A plugin whose description is neither in the cache any more nor in the file.
void cached_plugins_say(void) {
  const struct cache_entry entry = {.pass_names = "record-name",
                                    .pass_count = 1};
  struct text bytes = {0};
  cache_encode(&(struct cache_content){.directory = "/"}, &bytes);
  struct cache *cache = cache_open_memory("/", "", bytes.bytes, bytes.length);
  struct plugin *plugin =
      plugin_create_cached(cache, &entry, MLIR_PLUGIN("record"));
  cr_expect_null(plugin_describe(plugin, &error));
  errors_doc_expect_error(error);
  error = NULL;
  plugin_release(plugin);
  cache_release(cache);
  text_release(&bytes);
}

static void pipeline_says(const char *text) {
  static const struct pipeline_lookup lookup = {more_find, NULL};
  struct arena arena = {0};
  struct pipeline_node *root = NULL;
  mlirplug_status status = pipeline_tree_parse(text, &arena, &root, &error);
  if (status == MLIRPLUG_OK)
    status = pipeline_tree_resolve(root, &lookup, false, text, &arena, &error);
  expect_said(status);
  arena_release(&arena);
}

void pipelines_say(void) {
  for (size_t i = 0; i < MLIRPLUG_COUNT(bad_pipelines); ++i)
    pipeline_says(bad_pipelines[i]);
  char deep[4 * 300 + 1] = "";
  for (size_t i = 0; i < 300; ++i)
    memcpy(deep + 4 * i, "any(", 5);
  pipeline_says(deep);
}
