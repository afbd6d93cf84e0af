// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"

#include "ir_object.h"

#include <string.h>

/// EngineFunction(engine, address, name, parameters, result, size, finish)
struct function_object {
  PyObject_HEAD;
  PyObject *engine; ///< Owns the code.
  PyObject *name;
  void (*code)(void **arguments);
  struct engine_parameter *parameters;
  Py_ssize_t count;
  size_t slots; ///< That a call takes, without the result.
  size_t pointers;
  size_t views;
  bool has_number; ///< It returns one number, and nothing else.
  struct engine_element result;
  size_t result_size; ///< In bytes; 0 if it returns nothing.
  PyObject *finish;   ///< finish(bytes, arguments) makes what is returned.
};

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

static int argument_put(const struct function_object *self, Py_ssize_t which,
                        PyObject *object, struct engine_frame *frame) {
  const struct engine_parameter *parameter = &self->parameters[which];
  int result = parameter->is_array
                   ? engine_array_put(parameter, object, frame)
                   : engine_number_put(parameter, object, frame);
  if (result == 0)
    return 0;
  PyObject *class, *value, *traceback;
  PyErr_Fetch(&class, &value, &traceback);
  PyObject *text = value ? PyObject_Str(value) : NULL;
  if (text)
    PyErr_Format(class, "%U, argument %zd%s%s: %U", self->name, which + 1,
                 parameter->is_array ? "" : ", ",
                 parameter->is_array ? "" : parameter->type, text);
  else
    PyErr_Restore(class, value, traceback);
  if (text) {
    Py_XDECREF(class);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
  }
  Py_XDECREF(text);
  return -1;
}

static PyObject *result_make(const struct function_object *self,
                             const void *bytes, PyObject *arguments) {
  if (self->has_number)
    return engine_number_make(&self->result, bytes);
  if (!self->result_size)
    Py_RETURN_NONE;
  return PyObject_CallFunction(self->finish, "y#O", (const char *)bytes,
                               (Py_ssize_t)self->result_size, arguments);
}

static PyObject *frame_call(const struct function_object *self,
                            PyObject *arguments, char *memory) {
  struct python_buffer *views = (struct python_buffer *)memory;
  void **pointers = (void **)(views + self->views);
  uint64_t *slots = (uint64_t *)(pointers + self->pointers + 1);
  struct engine_frame frame = {slots, pointers, views};
  void *result = slots + self->slots;
  int status = 0;
  for (Py_ssize_t i = 0; status == 0 && i < self->count; ++i)
    status = argument_put(self, i, PyTuple_GetItem(arguments, i), &frame);
  if (status == 0) {
    *frame.pointer = result;
    void (*code)(void **) = self->code;
    Py_BEGIN_ALLOW_THREADS;
    code(pointers);
    Py_END_ALLOW_THREADS;
  }
  PyObject *made = status == 0 ? result_make(self, result, arguments) : NULL;
  for (struct python_buffer *view = views; view < frame.view; ++view)
    python_buffer_release(view);
  return made;
}

static PyObject *function_call(PyObject *object, PyObject *arguments,
                               PyObject *keywords) {
  struct function_object *self = (struct function_object *)object;
  if (keywords && PyDict_Size(keywords)) {
    PyErr_Format(PyExc_TypeError, "%U takes no keyword arguments", self->name);
    return NULL;
  }
  if (PyTuple_Size(arguments) != self->count) {
    PyErr_Format(PyExc_TypeError, "%U takes %zd arguments, not %zd", self->name,
                 self->count, PyTuple_Size(arguments));
    return NULL;
  }
  size_t size = self->views * sizeof(struct python_buffer) +
                (self->pointers + 1) * sizeof(void *) +
                self->slots * sizeof(uint64_t) + self->result_size;
  uint64_t small[128];
  char *memory =
      size <= sizeof small ? (char *)small : (char *)PyMem_Malloc(size);
  if (!memory)
    return PyErr_NoMemory();
  PyObject *made = frame_call(self, arguments, memory);
  if (memory != (char *)small)
    PyMem_Free(memory);
  return made;
}

//===----------------------------------------------------------------------===//
// Making one
//===----------------------------------------------------------------------===//

static char *text_copy(PyObject *text) {
  PyObject *bytes = PyUnicode_AsUTF8String(text);
  char *copy = NULL;
  if (bytes) {
    size_t size = (size_t)PyBytes_Size(bytes) + 1;
    if ((copy = PyMem_Malloc(size)))
      memcpy(copy, PyBytes_AsString(bytes), size);
    else
      PyErr_NoMemory();
    Py_DECREF(bytes);
  }
  return copy;
}

/// Of (kind, size, name)
static int element_read(PyObject *tuple, struct engine_element *element) {
  int kind;
  Py_ssize_t size;
  PyObject *name;
  if (!PyArg_ParseTuple(tuple, "inU", &kind, &size, &name))
    return -1;
  element->kind = (enum engine_kind)kind;
  element->size = (size_t)size;
  element->name = text_copy(name);
  return element->name ? 0 : -1;
}

/// Of (shape, strides or None, offset), where None stands for any number.
static int numbers_read(PyObject *list, int64_t **numbers, int *count) {
  Py_ssize_t length = PyTuple_Size(list);
  if (length < 0)
    return -1;
  if (length > ENGINE_RANK) {
    PyErr_Format(PyExc_ValueError, "more than %d dimensions", ENGINE_RANK);
    return -1;
  }
  *numbers = ir_array_new(length, sizeof **numbers);
  if (!*numbers)
    return -1;
  *count = (int)length;
  for (Py_ssize_t i = 0; i < length; ++i) {
    PyObject *number = PyTuple_GetItem(list, i);
    (*numbers)[i] = number == Py_None ? ENGINE_ANY : PyLong_AsLongLong(number);
    if (PyErr_Occurred())
      return -1;
  }
  return 0;
}

static int array_read(PyObject *layout, struct engine_parameter *parameter) {
  PyObject *shape, *strides, *offset;
  int unranked, written, count;
  if (!PyArg_ParseTuple(layout, "ppOOO", &unranked, &written, &shape, &strides,
                        &offset))
    return -1;
  parameter->is_array = true;
  parameter->is_unranked = unranked;
  parameter->is_written = written;
  parameter->is_identity = strides == Py_None;
  if (numbers_read(shape, &parameter->shape, &parameter->rank) != 0)
    return -1;
  parameter->offset =
      offset == Py_None ? ENGINE_ANY : PyLong_AsLongLong(offset);
  if (PyErr_Occurred())
    return -1;
  if (parameter->is_identity)
    return 0;
  if (numbers_read(strides, &parameter->strides, &count) != 0)
    return -1;
  if (count == parameter->rank)
    return 0;
  PyErr_SetString(PyExc_ValueError, "as many strides as dimensions");
  return -1;
}

/// Of (type, element, convert or None, layout or None)
static int parameter_read(PyObject *tuple, struct engine_parameter *parameter) {
  PyObject *type, *element, *convert, *layout;
  if (!PyArg_ParseTuple(tuple, "UOOO", &type, &element, &convert, &layout) ||
      !(parameter->type = text_copy(type)) ||
      element_read(element, &parameter->element) != 0)
    return -1;
  if (convert != Py_None) {
    Py_INCREF(convert);
    parameter->convert = convert;
  }
  return layout == Py_None ? 0 : array_read(layout, parameter);
}

/// What a call takes of its frame for one argument.
static void space_add(struct function_object *self,
                      const struct engine_parameter *parameter) {
  size_t rank = parameter->is_unranked ? ENGINE_RANK : (size_t)parameter->rank;
  size_t fields = parameter->is_array ? 3 + 2 * rank : 1;
  // A complex number takes two.
  self->slots += parameter->is_unranked ? fields + 2
                 : parameter->is_array  ? fields
                                        : 2;
  self->pointers += parameter->is_unranked ? 2 : fields;
  self->views += parameter->is_array;
}

static int parameters_read(struct function_object *self, PyObject *tuple) {
  self->count = PyTuple_Size(tuple);
  if (self->count < 0)
    return -1;
  self->parameters =
      PyMem_Calloc((size_t)self->count + 1, sizeof *self->parameters);
  if (!self->parameters) {
    PyErr_NoMemory();
    self->count = 0;
    return -1;
  }
  for (Py_ssize_t i = 0; i < self->count; ++i) {
    if (parameter_read(PyTuple_GetItem(tuple, i), &self->parameters[i]) != 0)
      return -1;
    space_add(self, &self->parameters[i]);
  }
  return 0;
}

static PyObject *function_new(PyTypeObject *class, PyObject *arguments,
                              PyObject *keywords) {
  PyObject *engine, *address, *name, *parameters, *result, *finish;
  Py_ssize_t size;
  if ((keywords && PyDict_Size(keywords)) ||
      !PyArg_ParseTuple(arguments, "OOUOOnO", &engine, &address, &name,
                        &parameters, &result, &size, &finish))
    return NULL;
  void *code = PyLong_AsVoidPtr(address);
  if (PyErr_Occurred())
    return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(class, Py_tp_alloc);
  struct function_object *self = (struct function_object *)allocate(class, 0);
  if (!self)
    return NULL;
  Py_INCREF(engine);
  Py_INCREF(name);
  Py_INCREF(finish);
  self->engine = engine;
  self->name = name;
  self->finish = finish;
  self->result_size = (size_t)size;
  self->has_number = result != Py_None;
  memcpy(&self->code, &code, sizeof code);
  if (parameters_read(self, parameters) != 0 ||
      (self->has_number && element_read(result, &self->result) != 0))
    Py_CLEAR(self);
  return (PyObject *)self;
}

static void function_dealloc(PyObject *object) {
  struct function_object *self = (struct function_object *)object;
  for (Py_ssize_t i = 0; i < self->count; ++i) {
    struct engine_parameter *parameter = &self->parameters[i];
    PyMem_Free(parameter->type);
    PyMem_Free(parameter->element.name);
    PyMem_Free(parameter->shape);
    PyMem_Free(parameter->strides);
    Py_XDECREF(parameter->convert);
  }
  PyMem_Free(self->parameters);
  PyMem_Free(self->result.name);
  Py_XDECREF(self->name);
  Py_XDECREF(self->finish);
  Py_XDECREF(self->engine);
  PyTypeObject *class = Py_TYPE(object);
  ((freefunc)PyType_GetSlot(class, Py_tp_free))(object);
  Py_DECREF(class);
}

int engine_function_register(PyObject *module) {
  static PyType_Slot slots[] = {
      {Py_tp_doc, "A function of an engine, called with numbers and arrays."},
      {Py_tp_new, function_new},
      {Py_tp_call, function_call},
      {Py_tp_dealloc, function_dealloc},
      {0, NULL},
  };
  static PyType_Spec spec = {
      .name = "mlirplug._mlirplug.EngineFunction",
      .basicsize = sizeof(struct function_object),
      .flags = Py_TPFLAGS_DEFAULT,
      .slots = slots,
  };
  PyObject *type = PyType_FromSpec(&spec);
  if (type && PyModule_AddObject(module, "EngineFunction", type) == 0)
    return 0;
  Py_XDECREF(type);
  return -1;
}
