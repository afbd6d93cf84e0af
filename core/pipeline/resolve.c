// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/fault.h"
#include "pipeline/limit.h"
#include "pipeline/nesting.h"
#include "pipeline/option.h"
#include "pipeline/scan.h"
#include "pipeline/tree.h"

#include <string.h>

struct resolver {
  struct pipeline_node *root;
  const struct pipeline_lookup *lookup;
  bool nest_freely;
  bool must_correct; ///< With nest_freely: a pass wants a nest of its own.
  const char *text;
  struct arena *arena;
  mlirplug_error **error;
  struct pipeline_node *path[PIPELINE_DEPTH_LIMIT]; ///< Enclosing nests.
};

static struct fault resolver_fault(const struct resolver *resolver,
                                   const struct pipeline_node *node) {
  struct fault fault = {.doing = "cannot use the pipeline",
                        .subject = resolver->text};
  text_format(&fault.found, "at character %zu: ",
              scan_character(resolver->text, resolver->text + node->position));
  return fault;
}

//===----------------------------------------------------------------------===//
// Which elements are plugin passes, and their options
//===----------------------------------------------------------------------===//

static mlirplug_status refuse_pass_as_nest(const struct resolver *resolver,
                                           const struct pipeline_node *node) {
  struct fault fault = resolver_fault(resolver, node);
  text_format(&fault.found, "'%s' is a pass, and passes cannot be nested on it",
              node->name);
  text_add(&fault.expected, "an operation before the '('");
  text_format(&fault.remedy, "options go into braces: %s{…}", node->name);
  return fault_raise(&fault, resolver->error);
}

static mlirplug_status refuse_two_plugins(const struct resolver *resolver,
                                          const struct pipeline_node *node,
                                          const char *other) {
  struct fault fault = resolver_fault(resolver, node);
  text_format(&fault.found, "two plugins have a pass '%s': '%s' and '%s'",
              node->name, node->plugin->path, other);
  text_add(&fault.remedy, "use one of the two files: remove the other, or do "
                          "not search its directory (--no-default-plugins)");
  return fault_raise(&fault, resolver->error);
}

/// Reads the options of a plugin pass; its error says where the pass stands.
static mlirplug_status resolve_options(const struct resolver *resolver,
                                       struct pipeline_node *node) {
  mlirplug_error *inner = NULL;
  if (option_parse(node->pass, node->options, resolver->arena,
                   &node->filled_options, &inner) == MLIRPLUG_OK)
    return MLIRPLUG_OK;
  if (!inner->subject) { // Out of memory.
    mlirplug_error_destroy(inner);
    return error_set_memory(resolver->error);
  }
  struct fault fault = resolver_fault(resolver, node);
  text_add(&fault.found, inner->found);
  if (inner->expected)
    text_add(&fault.expected, inner->expected);
  if (inner->remedy)
    text_add(&fault.remedy, inner->remedy);
  mlirplug_error_destroy(inner);
  return fault_raise(&fault, resolver->error);
}

static mlirplug_status identify(const struct resolver *resolver,
                                struct pipeline_node *node) {
  const struct pipeline_lookup *lookup = resolver->lookup;
  struct pipeline_match match = {0};
  if (lookup->find(lookup->user_data, node->name, &match, resolver->error) !=
      MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (match.pass) {
    node->pass = match.pass;
    node->plugin = match.plugin;
    if (match.other)
      return refuse_two_plugins(resolver, node, match.other);
    if (node->is_nest)
      return refuse_pass_as_nest(resolver, node);
    if (resolve_options(resolver, node) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  }
  for (struct pipeline_node *child = node->first_child; child;
       child = child->next)
    if (identify(resolver, child) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  return MLIRPLUG_OK;
}

//===----------------------------------------------------------------------===//
// Where each may run
//===----------------------------------------------------------------------===//

static void add_anchors(struct text *text,
                        const mlirplug_pass_description *pass) {
  for (size_t i = 0; i < pass->anchor_count; ++i) {
    bool last = i + 1 == pass->anchor_count;
    if (i)
      text_add(text, last ? " or " : ", ");
    text_add(text, pass->anchors[i]);
  }
}

static mlirplug_status refuse_place(const struct resolver *resolver,
                                    const struct pipeline_node *node,
                                    const char *anchor) {
  const struct pipeline_node *corrected =
      nesting_correct(resolver->root, resolver->arena);
  const char *shown =
      corrected ? pipeline_tree_print(corrected, resolver->arena) : NULL;
  if (!shown)
    return error_set_memory(resolver->error);
  struct fault fault = resolver_fault(resolver, node);
  text_format(&fault.found, "pass '%s' runs on ", node->name);
  add_anchors(&fault.found, node->pass);
  if (strcmp(anchor, "any") == 0)
    text_add(&fault.found, ", not on any operation");
  else
    text_format(&fault.found, ", not on %s", anchor);
  text_format(&fault.remedy, "write %s", shown);
  return fault_raise(&fault, resolver->error);
}

/// `depth` nests enclose `node`.
static mlirplug_status check_place(struct resolver *resolver,
                                   struct pipeline_node *node, size_t depth) {
  const struct pipeline_node *nest = depth ? resolver->path[depth - 1] : NULL;
  if (node->pass && nest && !nesting_allows(node->pass, nest->name)) {
    if (!resolver->nest_freely || depth == PIPELINE_DEPTH_LIMIT ||
        !nesting_would_help(node->pass, resolver->path, depth))
      return refuse_place(resolver, node, nest->name);
    resolver->must_correct = true;
  }
  if (node->is_nest)
    resolver->path[depth] = node;
  for (struct pipeline_node *child = node->first_child; child;
       child = child->next)
    if (check_place(resolver, child, depth + 1) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  return MLIRPLUG_OK;
}

mlirplug_status pipeline_tree_resolve(struct pipeline_node *root,
                                      const struct pipeline_lookup *lookup,
                                      bool nest_freely, const char *text,
                                      struct arena *arena,
                                      mlirplug_error **error) {
  struct resolver resolver = {.root = root,
                              .lookup = lookup,
                              .nest_freely = nest_freely,
                              .text = text,
                              .arena = arena,
                              .error = error};
  if (identify(&resolver, root) != MLIRPLUG_OK ||
      check_place(&resolver, root, 0) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (!resolver.must_correct)
    return MLIRPLUG_OK;
  const struct pipeline_node *corrected = nesting_correct(root, arena);
  if (!corrected)
    return error_set_memory(error);
  *root = *corrected;
  return MLIRPLUG_OK;
}
