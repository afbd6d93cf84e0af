// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any text as a pipeline, as flags and as options of a pass. What is accepted
// is printed, and what is printed must be accepted and printed the same; so
// must the pipeline that an error tells to write.

#include "../unit/pipeline_passes.h"

#include "pipeline/limit.h"
#include "pipeline/option.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition, const char *what, const char *text) {
  if (condition)
    return;
  fprintf(stderr, "%s: %s\n", what, text);
  abort();
}

static size_t depth(const struct pipeline_node *node) {
  size_t deepest = 0;
  for (const struct pipeline_node *child = node->first_child; child;
       child = child->next) {
    size_t below = depth(child);
    deepest = below > deepest ? below : deepest;
  }
  return deepest + node->is_nest;
}

/// Parses and resolves what was printed, and prints it again.
static void expect_same(const char *printed, struct arena *arena) {
  struct pipeline_node *root = NULL;
  mlirplug_error *error = NULL;
  expect(pipeline_tree_parse(printed, arena, &root, &error) == MLIRPLUG_OK,
         "printed pipeline is not parsed", printed);
  mlirplug_status status =
      pipeline_tree_resolve(root, &known_lookup, false, printed, arena, &error);
  expect(status == MLIRPLUG_OK, "printed pipeline is refused",
         error ? error->message : printed);
  expect(strcmp(pipeline_tree_print(root, arena), printed) == 0,
         "pipeline is printed in another way", printed);
}

static void check_remedy(const mlirplug_error *error,
                         const struct pipeline_node *root,
                         struct arena *arena) {
  bool shows = error->remedy && strncmp(error->remedy, "write ", 6) == 0 &&
               strstr(error->found, "' runs on ");
  // The corrected pipeline may be some levels deeper.
  if (shows && depth(root) + 2 <= PIPELINE_DEPTH_LIMIT)
    expect_same(error->remedy + 6, arena);
}

static void try_tree(struct pipeline_node *root, bool nest_freely,
                     const char *text, struct arena *arena) {
  mlirplug_error *error = NULL;
  if (pipeline_tree_resolve(root, &known_lookup, nest_freely, text, arena,
                            &error) == MLIRPLUG_OK)
    expect_same(pipeline_tree_print(root, arena), arena);
  else
    check_remedy(error, root, arena);
  mlirplug_error_destroy(error);
}

static void try_pipeline(const char *text, struct arena *arena) {
  struct pipeline_node *root = NULL;
  mlirplug_error *error = NULL;
  if (pipeline_tree_parse(text, arena, &root, &error) == MLIRPLUG_OK)
    try_tree(root, false, text, arena);
  mlirplug_error_destroy(error);
}

static void try_flags(const char *text, struct arena *arena) {
  struct pipeline_node *root = NULL;
  mlirplug_error *error = NULL;
  if (pipeline_tree_parse_elements("builtin.module", text, arena, &root,
                                   &error) == MLIRPLUG_OK)
    try_tree(root, true, text, arena);
  mlirplug_error_destroy(error);
}

static void try_options(const char *text, struct arena *arena) {
  const mlirplug_pass_description *pass = known_pass("every");
  const void *options = NULL;
  mlirplug_error *error = NULL;
  if (option_parse(pass, text, arena, &options, &error) == MLIRPLUG_OK) {
    const char *printed = option_print(pass, options, arena);
    expect(option_parse(pass, printed, arena, &options, &error) == MLIRPLUG_OK,
           "printed options are refused", printed);
    expect(strcmp(option_print(pass, options, arena), printed) == 0,
           "options are printed in another way", printed);
  }
  mlirplug_error_destroy(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct arena arena = {0};
  const char *text = arena_copy_bytes(&arena, (const char *)data, size);
  if (text) {
    try_pipeline(text, &arena);
    try_flags(text, &arena);
    try_options(text, &arena);
  }
  arena_release(&arena);
  return 0;
}
