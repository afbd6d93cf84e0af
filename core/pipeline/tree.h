// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline as it was written: "builtin.module(a{x=1},func.func(b,c))".
//
// parse.c    text to tree; knows no pass
// resolve.c  which elements are plugin passes, their options, where they run
// nesting.h  where a pass may stand, and a tree put right
// print.c    tree to text

#ifndef MLIRPLUG_PIPELINE_TREE_H
#define MLIRPLUG_PIPELINE_TREE_H

#include "base/arena.h"
#include "base/error.h"

/// A pass, or a nest: an anchor with elements inside.
struct pipeline_node {
  const char *name;    ///< Of the pass or the anchor.
  const char *options; ///< Between the braces, as written; null if no braces.
  size_t position;     ///< Of the name in the text, in bytes from 0.
  bool is_nest;
  struct pipeline_node *first_child; ///< Of a nest.
  struct pipeline_node *next;        ///< In the same nest.

  // Filled by resolve.c for plugin passes; null otherwise.
  const mlirplug_pass_description *pass;
  const mlirplug_plugin_description *plugin;
  const void *filled_options; ///< The pass's own structure.
};

/// Parses `text`, one nest. Everything is made in `arena`. Errors name the
/// character, counted from 1, and show the text there.
mlirplug_status pipeline_tree_parse(const char *text, struct arena *arena,
                                    struct pipeline_node **root,
                                    mlirplug_error **error);

/// Parses a list of elements, as it stands inside a nest, and puts it under a
/// nest called `anchor`.
mlirplug_status pipeline_tree_parse_elements(const char *anchor,
                                             const char *text,
                                             struct arena *arena,
                                             struct pipeline_node **root,
                                             mlirplug_error **error);

/// The tree as text that parses to the same tree; plugin passes with their
/// options as option_print gives them. Made in `arena`; null if memory runs
/// out.
const char *pipeline_tree_print(const struct pipeline_node *root,
                                struct arena *arena);

/// One pass as it stands in that text, "my-pass{top=3}"; likewise.
const char *pipeline_pass_print(const struct pipeline_node *pass,
                                struct arena *arena);

/// A plugin pass of some name.
struct pipeline_match {
  const mlirplug_pass_description *pass; ///< Null if no plugin has it.
  const mlirplug_plugin_description *plugin;
  const char *other; ///< The file of another plugin that has it, or null.
};

/// Finds a pass by name: the catalogue, seen from the pipeline. `match` is
/// empty at first.
struct pipeline_lookup {
  mlirplug_status (*find)(void *user_data, const char *name,
                          struct pipeline_match *match, mlirplug_error **error);
  void *user_data;
};

/// Marks the plugin passes of a tree, reads their options and checks that each
/// runs where it stands: one with anchors stands in a nest on one of them; one
/// with several also in "any"; one with a property, such as "@function", in any
/// nest but on builtin.module. The error of a pass in a wrong place shows the
/// whole pipeline as it would be right. `text` is what the tree was parsed
/// from.
///
/// With `nest_freely` (flag forms) a pass that only wants for a nest is put
/// into one on its anchor (nesting_own_anchor), which neighbours share. It
/// is still refused in "any", and where an enclosing nest would have suited it.
///
/// A name that two plugins have is refused with both files.
///
/// A plugin pass may not be written like a nest, "my-pass(…)". After a failure
/// the tree is of no use.
mlirplug_status pipeline_tree_resolve(struct pipeline_node *root,
                                      const struct pipeline_lookup *lookup,
                                      bool nest_freely, const char *text,
                                      struct arena *arena,
                                      mlirplug_error **error);

#endif // MLIRPLUG_PIPELINE_TREE_H
