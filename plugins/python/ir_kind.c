// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asking what a type or attribute is takes MLIR a call for each class; so it is
// remembered by TypeID.

#include "ir_kind.h"

#include <stdlib.h>
#include <string.h>

int ir_kinds_register(PyObject *module, const struct ir_kind *kinds,
                      PyTypeObject *base, PyTypeObject **classes) {
  size_t count = 0;
  while (kinds[count].name)
    ++count;
  // Bases stand behind what derives from them.
  for (size_t i = count; i-- > 0;) {
    PyTypeObject *parent = base;
    for (size_t j = 0; kinds[i].base && j < count; ++j)
      if (strcmp(kinds[j].name, kinds[i].base) == 0)
        parent = classes[j];
    classes[i] = ir_class_make(module, kinds[i].name, sizeof(struct ir_unique),
                               parent, kinds[i].slots);
    if (!classes[i])
      return -1;
  }
  return 0;
}

static bool same_group(const struct ir_kind *one, const struct ir_kind *two) {
  return one->group && two->group && strcmp(one->group, two->group) == 0;
}

/// The first of the group that kind `index` is in.
static size_t group_begin(const struct ir_kind *kinds, size_t index) {
  while (index > 0 && same_group(&kinds[index - 1], &kinds[index]))
    --index;
  return index;
}

/// Not to remember it costs time only.
static void remember(struct ir_kinds *known, const void *type_id,
                     size_t group) {
  struct ir_kind_entry *entries =
      realloc(known->entries, (known->count + 1) * sizeof(*known->entries));
  if (!entries)
    return;
  entries[known->count++] = (struct ir_kind_entry){type_id, group};
  known->entries = entries;
}

/// The index of the last one, whose name is null, if none fits.
static size_t search(const struct ir_kind *kinds, const struct ir_api *api,
                     struct ir_kinds *known, const void *type_id,
                     const void *pointer) {
  for (size_t i = 0; type_id && i < known->count; ++i)
    if (known->entries[i].type_id == type_id) {
      size_t index = known->entries[i].group;
      const struct ir_kind *first = &kinds[index];
      while (same_group(first, &kinds[index]) && !kinds[index].is(api, pointer))
        ++index;
      return same_group(first, &kinds[index]) || !first->group
                 ? index
                 : (size_t)(first - kinds);
    }
  size_t index = 0;
  while (kinds[index].name && !kinds[index].is(api, pointer))
    ++index;
  if (type_id)
    remember(known, type_id, group_begin(kinds, index));
  return index;
}

PyTypeObject *ir_kinds_find(const struct ir_kind *kinds,
                            PyTypeObject *const *classes,
                            const struct ir_api *api, struct ir_kinds *known,
                            const void *type_id, const void *pointer,
                            PyTypeObject *otherwise) {
  size_t index = search(kinds, api, known, type_id, pointer);
  return kinds[index].name && kinds[index].is ? classes[index] : otherwise;
}

/// Whether `unique` is what `class`, or the nearest of its bases that is known
/// here, stands for.
static bool fits(const struct ir_kind *kinds, PyTypeObject *const *classes,
                 PyTypeObject *class, const struct ir_unique *unique) {
  for (size_t i = 0; kinds[i].name; ++i)
    if (PyType_IsSubtype(class, classes[i]))
      return kinds[i].is(unique->context->api, unique->pointer);
  return true;
}

PyObject *ir_kinds_cast(const struct ir_kind *kinds,
                        PyTypeObject *const *classes, PyTypeObject *class,
                        PyTypeObject *family, const char *word,
                        PyObject *arguments, PyObject *keywords) {
  PyObject *object;
  static char *names[] = {"cast_from", NULL};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O", names, &object))
    return NULL;
  struct ir_unique *unique = ir_unique_argument(object, family, NULL, word);
  if (!unique)
    return NULL;
  if (fits(kinds, classes, class, unique))
    return ir_unique_new(unique->context, class, unique->pointer);
  PyObject *name = PyObject_GetAttrString((PyObject *)class, "__name__");
  if (name)
    PyErr_Format(PyExc_ValueError, "Cannot cast %s to %U (from %R)",
                 strchr(word, ' ') + 1, name, object);
  Py_XDECREF(name);
  return NULL;
}

PyObject *ir_kinds_is(const struct ir_kind *kinds, PyTypeObject *const *classes,
                      PyObject *class, PyTypeObject *family, PyObject *object) {
  if (!PyObject_TypeCheck(object, family))
    Py_RETURN_FALSE;
  struct ir_unique *unique = ir_unique_check(object);
  return unique ? PyBool_FromLong(
                      fits(kinds, classes, (PyTypeObject *)class, unique))
                : NULL;
}

bool ir_location_for(struct ir_context *context, PyObject *loc,
                     MlirLocation *location) {
  PyObject *current = ir_frame_location(context->types);
  if (loc && loc != Py_None) {
    struct ir_unique *given = ir_unique_argument(loc, context->types->location,
                                                 context, "a Location");
    if (given)
      location->ptr = given->pointer;
    return given != NULL;
  }
  if (current && ((struct ir_unique *)current)->context == context)
    location->ptr = ((struct ir_unique *)current)->pointer;
  else
    *location = context->api->mlirLocationUnknownGet(context->context);
  return true;
}
