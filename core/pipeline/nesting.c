// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree is read as a sequence of passes, each with the nests it stands in;
// those of a pass in a wrong place are changed; and the sequence is put
// together again, where passes that follow one another share the nests they
// have in common. So the order of the passes always stays.

#include "pipeline/nesting.h"

#include "pipeline/limit.h"

#include <string.h>

/// A property, such as "@function": which operations have it shows in the IR. A
/// module is no function, and as a symbol it is reached in "any".
static bool property_allows(const char *anchor) {
  return strcmp(anchor, "builtin.module") != 0;
}

bool nesting_allows(const mlirplug_pass_description *pass, const char *anchor) {
  if (pass->anchor_count == 0)
    return true;
  if (pass->anchor_count > 1 && strcmp(anchor, "any") == 0)
    return true;
  for (size_t i = 0; i < pass->anchor_count; ++i)
    if (pass->anchors[i][0] == '@' ? property_allows(anchor)
                                   : strcmp(pass->anchors[i], anchor) == 0)
      return true;
  return false;
}

const char *nesting_own_anchor(const mlirplug_pass_description *pass) {
  bool is_one = pass->anchor_count == 1 && pass->anchors[0][0] != '@';
  return is_one ? pass->anchors[0] : "any";
}

/// True if `anchor` was likely meant to be the nest that `pass` wants: "any",
/// or "func" for "func.func".
static bool is_meant(const mlirplug_pass_description *pass,
                     const char *anchor) {
  const char *dot = strrchr(nesting_own_anchor(pass), '.');
  return strcmp(anchor, "any") == 0 || (dot && strcmp(dot + 1, anchor) == 0);
}

/// How many of `nests` enclose the innermost that suits `pass`, itself
/// included; 0 if none does.
static size_t suitable_depth(const mlirplug_pass_description *pass,
                             struct pipeline_node *const *nests, size_t count) {
  while (count && !nesting_allows(pass, nests[count - 1]->name))
    --count;
  return count;
}

/// Modules enclose what other operations there are, so a pass on one can't be
/// put deeper.
static bool wants_module(const mlirplug_pass_description *pass) {
  return pass->anchor_count && nesting_allows(pass, "builtin.module");
}

bool nesting_would_help(const mlirplug_pass_description *pass,
                        struct pipeline_node *const *nests, size_t count) {
  return suitable_depth(pass, nests, count) == 0 && !wants_module(pass) &&
         !is_meant(pass, nests[count - 1]->name);
}

//===----------------------------------------------------------------------===//
// Putting a sequence together
//===----------------------------------------------------------------------===//

struct level {
  const struct pipeline_node *origin; ///< Null for a nest that was added.
  struct pipeline_node *copy;
  struct pipeline_node **tail;
};

struct builder {
  struct arena *arena;
  struct pipeline_node *root;
  struct level levels[PIPELINE_DEPTH_LIMIT + 2]; ///< Open, outermost first.
  size_t depth;
  struct pipeline_node *path[PIPELINE_DEPTH_LIMIT + 1]; ///< In the original.
  bool failed;
};

/// Appends a copy of `node` to the innermost open nest.
static struct pipeline_node *append(struct builder *builder,
                                    struct pipeline_node node) {
  struct pipeline_node *copy = arena_allocate(builder->arena, sizeof *copy);
  if (!copy) {
    builder->failed = true;
    return NULL;
  }
  node.next = NULL;
  node.first_child = NULL;
  *copy = node;
  if (builder->depth) {
    struct level *parent = &builder->levels[builder->depth - 1];
    *parent->tail = copy;
    parent->tail = &copy->next;
  } else {
    builder->root = copy;
  }
  return copy;
}

/// Makes the nest at `depth` one on `origin`, or, where that is null, an added
/// one on `anchor`; keeps the one that is open if it will do.
static void open_level(struct builder *builder, size_t depth,
                       const struct pipeline_node *origin, const char *anchor,
                       size_t position) {
  if (builder->failed)
    return;
  if (depth < builder->depth) {
    const struct level *open = &builder->levels[depth];
    bool same = origin && open->origin == origin;
    bool added = !origin || !open->origin;
    if (same || (added && strcmp(open->copy->name, anchor) == 0))
      return;
    builder->depth = depth;
  }
  struct pipeline_node *copy = append(
      builder, (struct pipeline_node){
                   .name = anchor, .position = position, .is_nest = true});
  if (!copy)
    return;
  builder->levels[builder->depth++] =
      (struct level){origin, copy, &copy->first_child};
}

/// Opens the first `count` nests of the path.
static void open_path(struct builder *builder, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const struct pipeline_node *nest = builder->path[i];
    open_level(builder, i, nest, nest->name, nest->position);
  }
}

/// Opens the nests in which `node`, which stands in `count` nests, can run, and
/// returns their number.
static size_t open_suitable(struct builder *builder,
                            const struct pipeline_node *node, size_t count) {
  const mlirplug_pass_description *pass = node->pass;
  if (!pass || nesting_allows(pass, builder->path[count - 1]->name)) {
    open_path(builder, count);
    return count;
  }
  size_t suitable = suitable_depth(pass, builder->path, count);
  if (suitable) {
    open_path(builder, suitable);
    return suitable;
  }
  // The outermost nest must stay: something encloses every other one.
  if (count > 1 && is_meant(pass, builder->path[count - 1]->name))
    --count;
  open_path(builder, count);
  open_level(builder, count, NULL, nesting_own_anchor(pass), node->position);
  return count + 1;
}

static void add_node(struct builder *builder, struct pipeline_node *node,
                     size_t depth) {
  if (!node->is_nest) {
    size_t count = open_suitable(builder, node, depth);
    if (builder->failed)
      return;
    builder->depth = count;
    append(builder, *node);
    return;
  }
  builder->path[depth] = node;
  if (!node->first_child)
    open_path(builder, depth + 1);
  for (struct pipeline_node *child = node->first_child; child;
       child = child->next)
    add_node(builder, child, depth + 1);
}

static bool contains_module_pass(const struct pipeline_node *node) {
  if (node->pass)
    return wants_module(node->pass);
  for (node = node->first_child; node; node = node->next)
    if (contains_module_pass(node))
      return true;
  return false;
}

struct pipeline_node *nesting_correct(const struct pipeline_node *root,
                                      struct arena *arena) {
  struct builder *builder = arena_allocate(arena, sizeof *builder);
  struct pipeline_node *copy = arena_allocate(arena, sizeof *copy);
  struct pipeline_node *module = arena_allocate(arena, sizeof *module);
  if (!builder || !copy || !module)
    return NULL;
  builder->arena = arena;
  *copy = *root;
  // "any", "module" and "func" are not what a pipeline runs on.
  if (!strchr(root->name, '.'))
    copy->name = "builtin.module";
  if (strcmp(copy->name, "builtin.module") != 0 && contains_module_pass(root)) {
    *module = (struct pipeline_node){
        .name = "builtin.module", .is_nest = true, .first_child = copy};
    copy = module;
  }
  add_node(builder, copy, 0);
  return builder->failed ? NULL : builder->root;
}
