// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/measure.h"

#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

/// Whether there is anything to measure with, and for.
static bool manager_measures(const struct mlirplug_manager *manager) {
  const struct provider_api *api = manager->session.api;
  return manager->configuration.measure && api->measure && api->last_pass;
}

static struct measure *measure_add(struct measures *measures,
                                   const struct pipeline_node *node,
                                   const void *pass, const char *name,
                                   MlirStringRef title) {
  struct measure *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  char *copy = strndup(title.data, title.length);
  *made = (struct measure){.node = node,
                           .pass = pass,
                           .name = intern(name),
                           .title = copy ? intern(copy) : NULL};
  free(copy);
  if (!made->name || !made->title) {
    free(made);
    return NULL;
  }
  if (measures->last)
    measures->last->next = made;
  else
    measures->first = made;
  return measures->last = made;
}

mlirplug_status measures_note(struct mlirplug_manager *manager,
                              const struct pipeline_node *node,
                              MlirOpPassManager passes,
                              mlirplug_error **error) {
  if (!manager_measures(manager))
    return MLIRPLUG_OK;
  MlirStringRef title;
  const void *pass = manager->session.api->last_pass(passes, &title);
  return measure_add(&manager->measures, node, pass, node->name, title)
             ? MLIRPLUG_OK
             : error_set_memory(error);
}

/// "my-pass" of "my-pass{top=3}", to be freed.
static char *name_alone(MlirStringRef argument) {
  const char *brace = memchr(argument.data, '{', argument.length);
  return strndup(argument.data,
                 brace ? (size_t)(brace - argument.data) : argument.length);
}

/// The pass of this name that stands in the pipeline, if there is one of it.
static struct measure *only_of_name(struct measures *measures,
                                    const char *name) {
  struct measure *found = NULL;
  for (struct measure *known = measures->first; known; known = known->next)
    if (known->node && strcmp(known->name, name) == 0) {
      if (found)
        return NULL;
      found = known;
    }
  return found;
}

/// A pass inside of what stands in the pipeline, such as one that another pass
/// runs, is known by its name alone. So is the clone of a clone, which threads
/// in a nest in a nest have.
static struct measure *measure_of(struct measures *measures, const void *pass,
                                  MlirStringRef title, MlirStringRef argument) {
  struct measure *known = measures->first;
  while (known && known->pass != pass)
    known = known->next;
  if (known)
    return known;
  char *name = name_alone(argument.length ? argument : title);
  if (!name)
    return NULL;
  known = only_of_name(measures, name);
  struct measure *other = measures->first;
  while (!known && other && (other->node || strcmp(other->name, name) != 0))
    other = other->next;
  if (!known)
    known = other;
  if (!known)
    known = measure_add(measures, NULL, NULL, name, title);
  free(name);
  return known;
}

/// MLIR holds a lock meanwhile.
static void on_measured(const void *pass, MlirStringRef name,
                        MlirStringRef argument, bool changed, int64_t added,
                        void *user_data) {
  struct measures *measures = user_data;
  struct measure *measure = measure_of(measures, pass, name, argument);
  if (!measure) {
    ++measures->lost;
    return;
  }
  ++measure->runs;
  measure->changes += changed;
  if (added > 0)
    measure->added += (uint64_t)added;
  else
    measure->removed += -(uint64_t)added;
}

void measures_begin(struct mlirplug_manager *manager) {
  if (manager_measures(manager))
    manager->session.api->measure(manager->passes, on_measured,
                                  &manager->measures);
}

const struct measure *measures_find(const struct measures *measures,
                                    const struct pipeline_node *node) {
  const struct measure *known = measures->first;
  while (known && known->node != node)
    known = known->next;
  return known;
}

void measures_release(struct measures *measures) {
  while (measures->first) {
    struct measure *next = measures->first->next;
    free(measures->first);
    measures->first = next;
  }
  *measures = (struct measures){0};
}
