// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics, in the form in which MLIR reports those of its own passes.

#include "base/error.h"
#include "base/text.h"
#include "pass/manager.h"
#include "pass/measure.h"
#include "pass/named.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t mlirplug_manager_statistic_count(const mlirplug_manager *manager) {
  size_t count = 0;
  for (size_t i = 0; i < manager->place_count; ++i)
    count += manager->places[i]->node->pass->statistic_count;
  return count;
}

mlirplug_statistic_value
mlirplug_manager_statistic(const mlirplug_manager *manager, size_t index) {
  for (size_t i = 0; i < manager->place_count; ++i) {
    const struct place *place = manager->places[i];
    const mlirplug_pass_description *pass = place->node->pass;
    if (index < pass->statistic_count)
      return (mlirplug_statistic_value){.pass = place->label,
                                        .place = i,
                                        .name = pass->statistics[index]->name,
                                        .help = pass->statistics[index]->help,
                                        .value = place->totals[index]};
    index -= pass->statistic_count;
  }
  return (mlirplug_statistic_value){0};
}

//===----------------------------------------------------------------------===//
// One pass
//===----------------------------------------------------------------------===//

struct line {
  const char *name;
  const char *help; ///< May be null.
  uint64_t value;
};

/// A pass with what it has counted, or what was measured of it.
struct entry {
  const char *title;
  const char *name; ///< Those of one name are one in the list.
  struct line *lines;
  size_t line_count;
};

static int line_compare(const void *left, const void *right) {
  const struct line *a = left, *b = right;
  return strcmp(a->name, b->name);
}

static const struct place *place_of(const mlirplug_manager *manager,
                                    const struct pipeline_node *node) {
  for (size_t i = 0; i < manager->place_count; ++i)
    if (manager->places[i]->node == node)
      return manager->places[i];
  return NULL;
}

/// The first place of a pass that MLIR has asked for by its name; null if there
/// is none.
static const struct place *named_place(const mlirplug_manager *manager,
                                       const char *name) {
  for (size_t i = 0; i < manager->place_count; ++i)
    if (strcmp(manager->places[i]->node->name, name) == 0 &&
        named_has(manager, manager->places[i]))
      return manager->places[i];
  return NULL;
}

/// What the pass of `place` has counted there. One that was asked for by name
/// counts in all of its places.
static uint64_t total_of(const mlirplug_manager *manager,
                         const struct place *place, size_t statistic) {
  if (!named_has(manager, place))
    return place->totals[statistic];
  uint64_t total = 0;
  for (size_t i = 0; i < manager->place_count; ++i)
    if (manager->places[i]->node->pass == place->node->pass &&
        named_has(manager, manager->places[i]))
      total += manager->places[i]->totals[statistic];
  return total;
}

static void lines_count(struct entry *entry, const mlirplug_manager *manager,
                        const struct place *place) {
  const mlirplug_pass_description *pass = place->node->pass;
  for (size_t i = 0; i < pass->statistic_count; ++i)
    entry->lines[entry->line_count++] =
        (struct line){pass->statistics[i]->name, pass->statistics[i]->help,
                      total_of(manager, place, i)};
}

static void lines_measure(struct entry *entry, const struct measure *measure) {
  const struct line lines[] = {
      {"ops-added", "Operations more than before", measure->added},
      {"ops-changed", "Operations that it ran on and changed",
       measure->changes},
      {"ops-removed", "Operations less than before", measure->removed},
      {"ops-visited", "Operations that it ran on", measure->runs},
  };
  entry->line_count = sizeof lines / sizeof *lines;
  memcpy(entry->lines, lines, sizeof lines);
}

enum { MEASURED_LINES = 4 };

/// Fills `entry` for the pass of `node`, or if that is null, for one that was
/// only measured. False if memory runs out.
static bool entry_make(const mlirplug_manager *manager,
                       const struct pipeline_node *node,
                       const struct measure *measure, struct entry *entry) {
  const struct place *place =
      node ? place_of(manager, node) : named_place(manager, measure->name);
  size_t counted = place ? place->node->pass->statistic_count : 0;
  *entry = (struct entry){.title = measure ? measure->title : node->name,
                          .name = measure ? measure->name : node->name};
  if (place && node)
    entry->title = place->label;
  entry->lines = calloc(counted + MEASURED_LINES, sizeof *entry->lines);
  if (!entry->lines)
    return false;
  if (counted)
    lines_count(entry, manager, place);
  else if (measure)
    lines_measure(entry, measure);
  if (entry->line_count)
    qsort(entry->lines, entry->line_count, sizeof *entry->lines, line_compare);
  return true;
}

/// The name of the pass at `index` if MLIR has asked for it by that, and
/// nothing was measured of it; null otherwise, and for further places of it.
static const char *unmeasured_name(const mlirplug_manager *manager,
                                   size_t index) {
  const struct place *place = manager->places[index];
  const char *name = place->node->name;
  if (!place->node->pass->statistic_count ||
      named_place(manager, name) != place)
    return NULL;
  const struct measure *measure = manager->measures.first;
  while (measure && (measure->node || strcmp(measure->name, name) != 0))
    measure = measure->next;
  return measure ? NULL : name;
}

/// Visits passes that ran, but inside of others. `visit` owns the lines. False
/// if memory runs out.
static bool others_visit(const mlirplug_manager *manager,
                         bool (*visit)(struct entry *entry, void *user_data),
                         void *user_data) {
  struct entry entry;
  for (const struct measure *measure = manager->measures.first; measure;
       measure = measure->next)
    if (!measure->node && (!entry_make(manager, NULL, measure, &entry) ||
                           !visit(&entry, user_data)))
      return false;
  for (size_t i = 0; i < manager->place_count; ++i) {
    const char *name = unmeasured_name(manager, i);
    const struct measure nothing = {.name = name, .title = name};
    if (name && (!entry_make(manager, NULL, &nothing, &entry) ||
                 !visit(&entry, user_data)))
      return false;
  }
  return true;
}

static void entry_print(struct text *text, int indent, const char *title,
                        const struct entry *entry) {
  int name_width = 0, value_width = 0;
  text_format(text, "%*s%s\n", indent, "", title);
  for (size_t i = 0; i < entry->line_count; ++i) {
    int name = (int)strlen(entry->lines[i].name);
    int value = snprintf(NULL, 0, "%" PRIu64, entry->lines[i].value);
    name_width = name > name_width ? name : name_width;
    value_width = value > value_width ? value : value_width;
  }
  for (size_t i = 0; i < entry->line_count; ++i) {
    const struct line *line = &entry->lines[i];
    bool helps = line->help && *line->help;
    text_format(text, "%*s(S) %*" PRIu64 " %-*s%s%s\n", indent + 2, "",
                value_width, line->value, helps ? name_width : 0, line->name,
                helps ? " - " : "", helps ? line->help : "");
  }
}

//===----------------------------------------------------------------------===//
// As a pipeline
//===----------------------------------------------------------------------===//

static bool pipeline_print(const mlirplug_manager *manager,
                           const struct pipeline_node *nest, int indent,
                           struct text *text) {
  for (const struct pipeline_node *node = nest->first_child; node;
       node = node->next) {
    struct entry entry;
    if (node->is_nest) {
      text_format(text, "%*s'%s' Pipeline\n", indent, "", node->name);
      if (!pipeline_print(manager, node, indent + 2, text))
        return false;
      continue;
    }
    if (!entry_make(manager, node, measures_find(&manager->measures, node),
                    &entry))
      return false;
    entry_print(text, indent, entry.title, &entry);
    free(entry.lines);
  }
  return true;
}

struct others {
  struct text *text;
  bool has_title;
};

static bool other_print(struct entry *entry, void *user_data) {
  struct others *others = user_data;
  if (!others->has_title)
    text_add(others->text, "Passes inside of others\n");
  others->has_title = true;
  entry_print(others->text, 2, entry->title, entry);
  free(entry->lines);
  return true;
}

//===----------------------------------------------------------------------===//
// As a list
//===----------------------------------------------------------------------===//

struct list {
  struct entry *entries;
  size_t count;
};

/// Takes `entry`, whether it fails or not.
static bool list_add(struct list *list, struct entry *entry) {
  for (size_t i = 0; i < list->count; ++i) {
    struct entry *same = &list->entries[i];
    if (strcmp(same->name, entry->name) != 0 ||
        same->line_count != entry->line_count)
      continue;
    for (size_t j = 0; j < entry->line_count; ++j)
      same->lines[j].value += entry->lines[j].value;
    free(entry->lines);
    return true;
  }
  struct entry *entries =
      reallocarray(list->entries, list->count + 1, sizeof *entries);
  if (!entries || !entry->line_count) {
    list->entries = entries ? entries : list->entries;
    free(entry->lines);
    return entries != NULL;
  }
  list->entries = entries;
  list->entries[list->count++] = *entry;
  return true;
}

static bool list_collect(const mlirplug_manager *manager,
                         const struct pipeline_node *nest, struct list *list) {
  bool complete = true;
  for (const struct pipeline_node *node = nest->first_child; node && complete;
       node = node->next) {
    struct entry entry;
    if (node->is_nest)
      complete = list_collect(manager, node, list);
    else
      complete = entry_make(manager, node,
                            measures_find(&manager->measures, node), &entry) &&
                 list_add(list, &entry);
  }
  return complete;
}

static bool other_add(struct entry *entry, void *list) {
  return list_add(list, entry);
}

static int entry_compare(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  return strcmp(a->name, b->name);
}

static bool list_print(const mlirplug_manager *manager, struct text *text) {
  struct list list = {0};
  bool complete = list_collect(manager, manager->session.pipeline->root, &list);
  complete = complete && others_visit(manager, other_add, &list);
  if (list.count)
    qsort(list.entries, list.count, sizeof *list.entries, entry_compare);
  for (size_t i = 0; i < list.count; ++i) {
    entry_print(text, 2, list.entries[i].name, &list.entries[i]);
    free(list.entries[i].lines);
  }
  free(list.entries);
  return complete;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

mlirplug_status mlirplug_manager_report_statistics(
    const mlirplug_manager *manager, bool as_list,
    void (*write)(const char *text, size_t length, void *user_data),
    void *user_data, mlirplug_error **error) {
  static const char line[] = "===---------------------------------------------"
                             "----------------------------===\n";
  struct text text = {0};
  struct others others = {&text, false};
  text_format(&text, "%s%25s... Pass statistics report ...\n%s", line, "",
              line);
  bool complete = as_list
                      ? list_print(manager, &text)
                      : pipeline_print(manager, manager->session.pipeline->root,
                                       0, &text) &&
                            others_visit(manager, other_print, &others);
  text_add(&text, "\n");
  complete = complete && !text.failed && !manager->measures.lost;
  if (complete)
    write(text.bytes, text.length, user_data);
  text_release(&text);
  return complete ? MLIRPLUG_OK : error_set_memory(error);
}
