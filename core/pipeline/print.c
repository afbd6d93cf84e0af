// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/keep.h"
#include "pipeline/option.h"
#include "pipeline/tree.h"

static void pass_print(struct text *text, const struct pipeline_node *node,
                       struct arena *arena) {
  const char *options =
      node->pass ? option_print(node->pass, node->filled_options, arena)
                 : node->options;
  if (node->pass && !options)
    text->failed = true;
  text_add(text, node->name);
  if (options && *options)
    text_format(text, "{%s}", options);
}

// The parser bounds the depth, and with it this recursion.
static void node_print(struct text *text, const struct pipeline_node *node,
                       struct arena *arena) {
  if (!node->is_nest) {
    pass_print(text, node, arena);
    return;
  }
  text_format(text, "%s(", node->name);
  for (const struct pipeline_node *child = node->first_child; child;
       child = child->next) {
    if (child != node->first_child)
      text_add(text, ",");
    node_print(text, child, arena);
  }
  text_add(text, ")");
}

const char *pipeline_tree_print(const struct pipeline_node *root,
                                struct arena *arena) {
  struct text text = {0};
  node_print(&text, root, arena);
  return text_keep(&text, arena);
}

const char *pipeline_pass_print(const struct pipeline_node *pass,
                                struct arena *arena) {
  struct text text = {0};
  pass_print(&text, pass, arena);
  return text_keep(&text, arena);
}
