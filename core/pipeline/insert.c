// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/insert.h"

#include "base/text.h"
#include "pipeline/closest.h"
#include "pipeline/nesting.h"
#include "pipeline/request.h"

#include <stdio.h>
#include <string.h>

struct insertion {
  struct request request;
  struct pipeline_node *root;
  const char *text;
  struct pipeline_node *elements; ///< The first of what is new.
  void (*tell)(void *user_data, const char *line);
  void *user_data;
  struct arena *arena;
  mlirplug_error **error;
};

/// Where something can be linked in, and the nest that it is in.
struct spot {
  struct pipeline_node **link;
  const struct pipeline_node *nest;
};

//===----------------------------------------------------------------------===//
// What is new
//===----------------------------------------------------------------------===//

/// Finds which of the passes are plugins' and what they run on.
static mlirplug_status elements_identify(const struct insertion *insertion,
                                         const struct pipeline_lookup *lookup) {
  for (struct pipeline_node *node = insertion->elements; node;
       node = node->next) {
    struct pipeline_match match = {0};
    if (lookup->find(lookup->user_data, node->name, &match, insertion->error) !=
        MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
    if (!node->is_nest)
      node->pass = match.pass;
  }
  return MLIRPLUG_OK;
}

/// The first of the elements that cannot stand in a nest on `anchor`, or null.
/// What MLIR's own passes run on is not known here.
static const struct pipeline_node *
misfit_find(const struct insertion *insertion, const char *anchor) {
  const struct pipeline_node *node = insertion->elements;
  while (node && (!node->pass || nesting_allows(node->pass, anchor)))
    node = node->next;
  return node;
}

/// Links copies of the elements in, and returns where the last one links on;
/// null if memory runs out. Printed passes have their options as written, so
/// the copies know no pass.
static struct pipeline_node **elements_link(const struct insertion *insertion,
                                            struct pipeline_node **link) {
  struct pipeline_node *behind = *link;
  for (const struct pipeline_node *node = insertion->elements; node;
       node = node->next) {
    struct pipeline_node *copy = arena_allocate(insertion->arena, sizeof *copy);
    if (!copy)
      return NULL;
    *copy = *node;
    copy->pass = NULL;
    *link = copy;
    link = &copy->next;
  }
  *link = behind;
  return link;
}

//===----------------------------------------------------------------------===//
// Refusing
//===----------------------------------------------------------------------===//

static void anchors_add(struct text *text,
                        const mlirplug_pass_description *pass) {
  for (size_t i = 0; i < pass->anchor_count; ++i)
    text_format(text, "%s%s",
                i == 0                       ? ""
                : i + 1 < pass->anchor_count ? ", "
                                             : " or ",
                pass->anchors[i]);
}

/// How the request would put the misfit into a nest of its own.
static void nest_suggest(struct text *remedy, const struct insertion *insertion,
                         const struct pipeline_node *misfit) {
  const struct request *request = &insertion->request;
  bool alone = misfit == insertion->elements && !misfit->next;
  const char *anchor = nesting_own_anchor(misfit->pass);
  if (!alone || nesting_allows(misfit->pass, "builtin.module"))
    return;
  text_add(remedy, "write ");
  text_add_bytes(remedy, request->beginning.begin,
                 (size_t)(request->beginning.end - request->beginning.begin));
  text_format(remedy, "%s(%s)", anchor, request->elements);
}

static mlirplug_status misfit_refuse(const struct insertion *insertion,
                                     const struct pipeline_node *misfit,
                                     const char *anchor) {
  struct text found = {0}, remedy = {0};
  text_format(&found, "%s runs on ", misfit->name);
  anchors_add(&found, misfit->pass);
  text_format(&found, ", the place asked for is inside %s", anchor);
  if (strcmp(anchor, insertion->root->name) == 0)
    nest_suggest(&remedy, insertion, misfit);
  mlirplug_status status =
      found.failed || remedy.failed
          ? error_set_memory(insertion->error)
          : request_refuse(&insertion->request, found.bytes, NULL, remedy.bytes,
                           insertion->error);
  text_release(&found);
  text_release(&remedy);
  return status;
}

static void names_consider(const struct pipeline_node *nest,
                           struct span written, struct closest *closest) {
  for (const struct pipeline_node *node = nest->first_child; node;
       node = node->next) {
    closest_consider(
        closest, written,
        (struct span){node->name, node->name + strlen(node->name)});
    names_consider(node, written, closest);
  }
}

static mlirplug_status target_refuse(const struct insertion *insertion,
                                     size_t count) {
  const struct request *request = &insertion->request;
  struct span target = request->target;
  int length = (int)(target.end - target.begin);
  if (count)
    return request_refuse(
        request,
        error_text("%.*s stands %zu time%s in the pipeline '%s'", length,
                   target.begin, count, count > 1 ? "s" : "", insertion->text),
        error_text("a number up to that, not %zu", request->number), NULL,
        insertion->error);
  struct closest closest = {0};
  names_consider(insertion->root, target, &closest);
  return request_refuse(
      request,
      error_text("no pass named %.*s in the pipeline '%s'", length,
                 target.begin, insertion->text),
      NULL,
      closest.name.begin ? error_text("did you mean '%s'?", closest.name.begin)
                         : NULL,
      insertion->error);
}

//===----------------------------------------------------------------------===//
// Where it goes
//===----------------------------------------------------------------------===//

/// Finds the element that the request names, in the order of the text; counts
/// those of the name. As deep as the parser allows.
static void target_find(const struct insertion *insertion,
                        struct pipeline_node *nest, size_t *count,
                        struct spot *spot) {
  const struct request *request = &insertion->request;
  size_t wanted = request->number ? request->number : 1;
  for (struct pipeline_node **link = &nest->first_child; *link;
       link = &(*link)->next) {
    struct pipeline_node *node = *link;
    if (scan_equal(request->target, node->name) && ++*count == wanted)
      *spot = (struct spot){
          request->place == REQUEST_AFTER ? &node->next : link, nest};
    target_find(insertion, node, count, spot);
  }
}

/// Says that the first was taken, of several.
static void several_tell(const struct insertion *insertion, size_t count) {
  const struct request *request = &insertion->request;
  if (count < 2 || request->number || !insertion->tell)
    return;
  int length = (int)(request->target.end - request->target.begin);
  struct text line = {0};
  text_format(&line,
              "--insert=%s: %.*s stands %zu times in the pipeline, and the "
              "first is taken; write %.*s#1 to say so, or up to #%zu",
              request->text, length, request->target.begin, count, length,
              request->target.begin, count);
  if (!line.failed)
    insertion->tell(insertion->user_data, line.bytes);
  text_release(&line);
}

static mlirplug_status spot_find(const struct insertion *insertion,
                                 struct spot *spot) {
  struct pipeline_node *root = insertion->root;
  struct pipeline_node **link = &root->first_child;
  size_t count = 0;
  *spot = (struct spot){NULL, root};
  switch (insertion->request.place) {
  case REQUEST_START:
    break;
  case REQUEST_END:
    while (*link)
      link = &(*link)->next;
    break;
  default:
    target_find(insertion, root, &count, spot);
    if (!spot->link) {
      (void)target_refuse(insertion, count);
      return MLIRPLUG_FAILED;
    }
    several_tell(insertion, count);
    return MLIRPLUG_OK;
  }
  spot->link = link;
  return MLIRPLUG_OK;
}

static mlirplug_status insert_once(const struct insertion *insertion) {
  struct spot spot;
  if (spot_find(insertion, &spot) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  const struct pipeline_node *misfit = misfit_find(insertion, spot.nest->name);
  if (misfit)
    return misfit_refuse(insertion, misfit, spot.nest->name);
  return elements_link(insertion, spot.link)
             ? MLIRPLUG_OK
             : error_set_memory(insertion->error);
}

/// Inserts behind every element of `nest` and of those in it, where it can
/// stand; false if memory runs out.
static bool insert_in(const struct insertion *insertion,
                      struct pipeline_node *nest, size_t *count) {
  bool fits = !misfit_find(insertion, nest->name);
  for (struct pipeline_node **link = &nest->first_child; *link;) {
    struct pipeline_node *node = *link;
    if (node->is_nest && !insert_in(insertion, node, count))
      return false;
    link = fits ? elements_link(insertion, &node->next) : &node->next;
    if (!link)
      return false;
    *count += fits;
  }
  return true;
}

static mlirplug_status insert_each(const struct insertion *insertion) {
  size_t count = 0;
  if (!insert_in(insertion, insertion->root, &count))
    return error_set_memory(insertion->error);
  if (count)
    return MLIRPLUG_OK;
  const struct pipeline_node *misfit =
      misfit_find(insertion, insertion->root->name);
  if (!misfit || !insertion->root->first_child)
    return request_refuse(
        &insertion->request,
        error_text("there is no pass in the pipeline '%s'", insertion->text),
        NULL, "use start or end", insertion->error);
  struct text found = {0};
  text_format(&found, "%s runs on ", misfit->name);
  anchors_add(&found, misfit->pass);
  text_format(&found, ", and no pass in the pipeline '%s' does",
              insertion->text);
  mlirplug_status status =
      found.failed ? error_set_memory(insertion->error)
                   : request_refuse(&insertion->request, found.bytes, NULL,
                                    NULL, insertion->error);
  text_release(&found);
  return status;
}

mlirplug_status
pipeline_tree_insert(struct pipeline_node *root, const char *text,
                     const char *request, const struct pipeline_lookup *lookup,
                     void (*tell)(void *user_data, const char *line),
                     void *user_data, struct arena *arena,
                     mlirplug_error **error) {
  struct insertion insertion = {.root = root,
                                .text = text,
                                .tell = tell,
                                .user_data = user_data,
                                .arena = arena,
                                .error = error};
  struct pipeline_node *list;
  if (request_parse(request, &insertion.request, error) != MLIRPLUG_OK ||
      pipeline_tree_parse_elements("any", insertion.request.elements, arena,
                                   &list, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  insertion.elements = list->first_child;
  if (elements_identify(&insertion, lookup) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  return insertion.request.place == REQUEST_EACH ? insert_each(&insertion)
                                                 : insert_once(&insertion);
}
