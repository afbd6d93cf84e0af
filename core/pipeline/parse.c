// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text to tree. The grammar is that of MLIR's textual pipelines; two things
// differ: braces inside quoted option values do not count, and a nest that is
// not the outermost may be empty.

#include "pipeline/fault.h"
#include "pipeline/limit.h"
#include "pipeline/scan.h"
#include "pipeline/tree.h"

#include <string.h>

/// A nest that is not closed yet.
struct open_nest {
  struct pipeline_node *node;
  struct pipeline_node **tail; ///< Where its next element is linked.
  const char *parenthesis;     ///< Its '('; null for the outermost list.
};

struct parser {
  const char *text;
  const char *at;
  struct arena *arena;
  mlirplug_error **error;
  struct open_nest stack[PIPELINE_DEPTH_LIMIT + 1];
  size_t depth; ///< Of the innermost open nest; 0 is the outermost list.
  size_t limit;
};

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static struct fault parser_fault(const struct parser *parser) {
  return (struct fault){.doing = "cannot parse the pipeline",
                        .subject = parser->text};
}

static void add_place(struct text *found, const struct parser *parser,
                      const char *at) {
  text_format(found, " at character %zu", scan_character(parser->text, at));
}

static mlirplug_status refuse_unclosed(const struct parser *parser,
                                       const char *opening,
                                       const char *expected,
                                       const char *remedy) {
  struct fault fault = parser_fault(parser);
  text_format(&fault.found, "the %s", *opening == '\'' ? "quote \"" : "'");
  text_format(&fault.found, "%c%s", *opening, *opening == '\'' ? "\"" : "'");
  add_place(&fault.found, parser, opening);
  text_add(&fault.found, " is never closed");
  text_add(&fault.expected, expected);
  text_add(&fault.remedy, remedy);
  return fault_raise(&fault, parser->error);
}

static mlirplug_status refuse_open_nest(const struct parser *parser) {
  return refuse_unclosed(parser, parser->stack[parser->depth].parenthesis,
                         "',' or ')'", "add the missing ')'");
}

static mlirplug_status refuse_extra(const struct parser *parser) {
  struct fault fault = parser_fault(parser);
  text_format(&fault.found, "the '%c'", *parser->at);
  add_place(&fault.found, parser, parser->at);
  text_add(&fault.found, " closes nothing");
  text_add(&fault.remedy, "remove it");
  return fault_raise(&fault, parser->error);
}

/// Refuses what stands at the parser's place.
static mlirplug_status refuse_here(const struct parser *parser,
                                   const char *expected, const char *remedy) {
  struct fault fault = parser_fault(parser);
  struct span shown = scan_excerpt(parser->at);
  if (shown.begin == shown.end) {
    text_add(&fault.found, "the text ends");
  } else {
    text_add(&fault.found, "'");
    text_add_bytes(&fault.found, shown.begin,
                   (size_t)(shown.end - shown.begin));
    text_add(&fault.found, "'");
  }
  add_place(&fault.found, parser, parser->at);
  text_add(&fault.expected, expected);
  if (remedy)
    text_add(&fault.remedy, remedy);
  return fault_raise(&fault, parser->error);
}

static mlirplug_status refuse_depth(const struct parser *parser) {
  struct fault fault = parser_fault(parser);
  text_add(&fault.found, "the '('");
  add_place(&fault.found, parser, parser->at);
  text_format(&fault.found, " opens nest %d in one another",
              PIPELINE_DEPTH_LIMIT + 1);
  text_format(&fault.expected, "at most %d", PIPELINE_DEPTH_LIMIT);
  return fault_raise(&fault, parser->error);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static void skip_spaces(struct parser *parser) {
  while (scan_is_space(*parser->at))
    ++parser->at;
}

static bool is_name_character(char c) {
  return c && !scan_is_space(c) && !strchr(",(){}", c);
}

/// The node of the name that begins here; null if memory runs out.
static struct pipeline_node *parse_name(struct parser *parser) {
  struct open_nest *nest = &parser->stack[parser->depth];
  const char *begin = parser->at;
  while (is_name_character(*parser->at))
    ++parser->at;
  struct pipeline_node *node = arena_allocate(parser->arena, sizeof *node);
  char *name =
      arena_copy_bytes(parser->arena, begin, (size_t)(parser->at - begin));
  if (!node || !name)
    return NULL;
  node->name = name;
  node->position = (size_t)(begin - parser->text);
  *nest->tail = node;
  nest->tail = &node->next;
  return node;
}

static mlirplug_status parse_options(struct parser *parser,
                                     struct pipeline_node *node) {
  struct span rest = {parser->at, parser->at + strlen(parser->at)};
  const char *end;
  switch (scan_piece(rest, SCAN_BRACE, &end)) {
  case SCAN_QUOTE:
    return refuse_unclosed(parser, end, "another one like it",
                           "close it, or put the value in the other kind");
  case SCAN_OPEN_BRACE:
  case SCAN_CLOSING_BRACE:
    return refuse_unclosed(parser, end, "'}'", "add the missing '}'");
  case SCAN_FINE:
    break;
  }
  struct span options = scan_trim((struct span){parser->at + 1, end});
  node->options = arena_copy_bytes(parser->arena, options.begin,
                                   (size_t)(options.end - options.begin));
  parser->at = end + 1;
  return node->options ? MLIRPLUG_OK : error_set_memory(parser->error);
}

static mlirplug_status open_nest(struct parser *parser,
                                 struct pipeline_node *node) {
  if (parser->depth == parser->limit)
    return refuse_depth(parser);
  node->is_nest = true;
  parser->stack[++parser->depth] =
      (struct open_nest){node, &node->first_child, parser->at};
  ++parser->at;
  return MLIRPLUG_OK;
}

/// What is wrong where a name should be.
static mlirplug_status refuse_missing_name(const struct parser *parser) {
  if (!*parser->at && parser->depth)
    return refuse_open_nest(parser);
  if (*parser->at == '}' || (*parser->at == ')' && !parser->depth))
    return refuse_extra(parser);
  const char *before = parser->at;
  while (before > parser->text && scan_is_space(before[-1]))
    --before;
  bool trailing = before > parser->text && before[-1] == ',';
  return refuse_here(parser,
                     trailing ? "the name of a pass after the ','"
                              : "the name of a pass or of an operation",
                     trailing ? "remove the ','" : NULL);
}

/// One element up to what follows it; of a nest, up to its '('.
static mlirplug_status parse_element(struct parser *parser, bool *opened) {
  *opened = false;
  if (!is_name_character(*parser->at)) {
    bool empty = *parser->at == ')' && parser->depth &&
                 !parser->stack[parser->depth].node->first_child;
    return empty ? MLIRPLUG_OK : refuse_missing_name(parser);
  }
  struct pipeline_node *node = parse_name(parser);
  if (!node)
    return error_set_memory(parser->error);
  skip_spaces(parser);
  if (*parser->at == '(') {
    *opened = true;
    return open_nest(parser, node);
  }
  if (*parser->at != '{')
    return MLIRPLUG_OK;
  if (parse_options(parser, node) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  skip_spaces(parser);
  if (*parser->at == '(' || *parser->at == '{')
    return refuse_here(parser,
                       parser->depth ? "',' or ')' after the options"
                                     : "',' or the end after the options",
                       "a pass has its options in one pair of braces, and a "
                       "nest on an operation has none");
  return MLIRPLUG_OK;
}

/// The parentheses that close behind an element, and the comma or the end.
static mlirplug_status parse_separator(struct parser *parser, bool *ended) {
  skip_spaces(parser);
  while (*parser->at == ')' && parser->depth) {
    --parser->depth;
    ++parser->at;
    skip_spaces(parser);
  }
  *ended = !*parser->at;
  if (*ended)
    return parser->depth ? refuse_open_nest(parser) : MLIRPLUG_OK;
  if (*parser->at == ')' || *parser->at == '}')
    return refuse_extra(parser);
  if (*parser->at != ',')
    return refuse_here(parser, parser->depth ? "',' or ')'" : "',' or the end",
                       NULL);
  ++parser->at;
  return MLIRPLUG_OK;
}

/// The whole text, a list of elements, into `list`.
static mlirplug_status parse_list(const char *text, size_t limit,
                                  struct pipeline_node *list,
                                  struct arena *arena, mlirplug_error **error) {
  struct parser parser = {
      .text = text, .at = text, .arena = arena, .error = error, .limit = limit};
  parser.stack[0] = (struct open_nest){list, &list->first_child, NULL};
  skip_spaces(&parser);
  bool ended = !*parser.at, opened;
  while (!ended) {
    skip_spaces(&parser);
    if (parse_element(&parser, &opened) != MLIRPLUG_OK ||
        (!opened && parse_separator(&parser, &ended) != MLIRPLUG_OK))
      return MLIRPLUG_FAILED;
  }
  return MLIRPLUG_OK;
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// Shows how a list without an anchor is written as a pipeline.
static void add_whole_pipeline(struct text *remedy, const char *text,
                               const struct pipeline_node *first) {
  bool on_module = false;
  for (const struct pipeline_node *node = first; node; node = node->next)
    on_module = on_module || strcmp(node->name, "builtin.module") == 0;
  bool alone = first && !first->next;
  if (alone && !first->is_nest && !first->options && strchr(first->name, '.')) {
    text_format(remedy, "write %s(cse), with its passes in parentheses",
                first->name);
  } else if (on_module) {
    text_add(remedy, "put all of it into one builtin.module(…)");
  } else {
    struct span inner = scan_trim((struct span){text, text + strlen(text)});
    text_add(remedy, "write builtin.module(");
    if (first)
      text_add_bytes(remedy, inner.begin, (size_t)(inner.end - inner.begin));
    else
      text_add(remedy, "cse");
    text_add(remedy, ")");
  }
}

static mlirplug_status refuse_whole(const char *text,
                                    const struct pipeline_node *first,
                                    mlirplug_error **error) {
  struct fault fault = {.doing = "cannot parse the pipeline", .subject = text};
  if (!first) {
    text_add(&fault.found, "there is nothing in it");
  } else {
    const struct pipeline_node *odd = first->is_nest ? first->next : first;
    text_format(&fault.found, "'%s' at character %zu stands in no nest",
                odd->name, scan_character(text, text + odd->position));
  }
  text_add(&fault.expected, "one operation with its passes in parentheses");
  add_whole_pipeline(&fault.remedy, text, first);
  return fault_raise(&fault, error);
}

mlirplug_status pipeline_tree_parse(const char *text, struct arena *arena,
                                    struct pipeline_node **root,
                                    mlirplug_error **error) {
  struct pipeline_node list = {0};
  if (parse_list(text, PIPELINE_DEPTH_LIMIT, &list, arena, error) !=
      MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  struct pipeline_node *first = list.first_child;
  if (!first || !first->is_nest || first->next)
    return refuse_whole(text, first, error);
  *root = first;
  return MLIRPLUG_OK;
}

mlirplug_status pipeline_tree_parse_elements(const char *anchor,
                                             const char *text,
                                             struct arena *arena,
                                             struct pipeline_node **root,
                                             mlirplug_error **error) {
  struct pipeline_node *nest = arena_allocate(arena, sizeof *nest);
  char *name = arena_copy(arena, anchor);
  if (!nest || !name)
    return error_set_memory(error);
  nest->name = name;
  nest->is_nest = true;
  if (parse_list(text, PIPELINE_DEPTH_LIMIT - 1, nest, arena, error) !=
      MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  *root = nest;
  return MLIRPLUG_OK;
}
