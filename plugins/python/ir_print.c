// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations as text and bytecode, and whether they are valid.

#include "ir_operation.h"

struct options {
  int binary, debug_info, pretty, generic, local_scope, name_prefix;
  int assume_verified, skip_regions;
  PyObject *elements_limit, *resource_limit, *file;
};

static bool limit_get(PyObject *object, intptr_t *limit) {
  *limit = object && object != Py_None ? PyLong_AsSsize_t(object) : -1;
  return !PyErr_Occurred();
}

/// The text of an operation. One that MLIR could not look through safely is
/// printed in the generic form, which asks for nothing.
static bool print_to(PyObject *self, const struct options *options,
                     struct ir_text *text) {
  intptr_t elements, resources;
  if (!limit_get(options->elements_limit, &elements) ||
      !limit_get(options->resource_limit, &resources))
    return false;
  struct ir_handle *handle = ir_handle_check_inside(self);
  if (!handle)
    return false;
  const struct ir_api *api = handle->tree->context->api;
  MlirOperation operation = {handle->pointer};
  if (!IR_NEED(api, mlirOpPrintingFlagsCreate))
    return false;
  int sound = ir_operation_can_print(handle->tree, operation);
  if (sound < 0)
    return false;
  MlirOpPrintingFlags flags = api->mlirOpPrintingFlagsCreate();
  if (elements >= 0)
    api->mlirOpPrintingFlagsElideLargeElementsAttrs(flags, elements);
  if (resources >= 0)
    api->mlirOpPrintingFlagsElideLargeResourceString(flags, resources);
  if (options->debug_info)
    api->mlirOpPrintingFlagsEnableDebugInfo(flags, true, options->pretty);
  if (options->generic || !sound)
    api->mlirOpPrintingFlagsPrintGenericOpForm(flags);
  if (options->local_scope)
    api->mlirOpPrintingFlagsUseLocalScope(flags);
  if (options->name_prefix)
    api->mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
  // It is, or the form does not matter; else MLIR would see for itself.
  api->mlirOpPrintingFlagsAssumeVerified(flags);
  if (options->skip_regions)
    api->mlirOpPrintingFlagsSkipRegions(flags);
  api->mlirOperationPrintWithFlags(operation, flags, ir_text_append, text);
  api->mlirOpPrintingFlagsDestroy(flags);
  return true;
}

PyObject *ir_operation_generic(struct ir_handle *handle) {
  const struct ir_api *api = handle->tree->context->api;
  struct ir_text text = {0};
  MlirOpPrintingFlags flags = api->mlirOpPrintingFlagsCreate();
  api->mlirOpPrintingFlagsPrintGenericOpForm(flags);
  api->mlirOpPrintingFlagsAssumeVerified(flags);
  api->mlirOperationPrintWithFlags(ir_handle_operation(handle), flags,
                                   ir_text_append, &text);
  api->mlirOpPrintingFlagsDestroy(flags);
  return ir_text_take(&text);
}

PyObject *ir_operation_string(PyObject *self) {
  struct options options = {0};
  struct ir_text text = {0};
  return print_to(self, &options, &text) ? ir_text_take(&text) : NULL;
}

PyObject *ir_operation_get_asm(PyObject *self, PyObject *arguments,
                               PyObject *keywords) {
  static char *names[] = {"binary",
                          "large_elements_limit",
                          "large_resource_limit",
                          "enable_debug_info",
                          "pretty_debug_info",
                          "print_generic_op_form",
                          "use_local_scope",
                          "use_name_loc_as_prefix",
                          "assume_verified",
                          "skip_regions",
                          NULL};
  struct options options = {0};
  struct ir_text text = {0};
  if (!PyArg_ParseTupleAndKeywords(
          arguments, keywords, "|pOOppppppp:get_asm", names, &options.binary,
          &options.elements_limit, &options.resource_limit, &options.debug_info,
          &options.pretty, &options.generic, &options.local_scope,
          &options.name_prefix, &options.assume_verified,
          &options.skip_regions))
    return NULL;
  if (!print_to(self, &options, &text))
    return NULL;
  return options.binary ? ir_text_take_bytes(&text) : ir_text_take(&text);
}

static PyObject *write_to(PyObject *file, PyObject *content) {
  PyObject *written =
      content ? PyObject_CallMethod(file, "write", "O", content) : NULL;
  Py_XDECREF(content);
  if (!written)
    return NULL;
  Py_DECREF(written);
  Py_RETURN_NONE;
}

PyObject *ir_operation_print(PyObject *self, PyObject *arguments,
                             PyObject *keywords) {
  static char *names[] = {"large_elements_limit",
                          "large_resource_limit",
                          "enable_debug_info",
                          "pretty_debug_info",
                          "print_generic_op_form",
                          "use_local_scope",
                          "use_name_loc_as_prefix",
                          "assume_verified",
                          "file",
                          "binary",
                          "skip_regions",
                          NULL};
  struct options options = {0};
  struct ir_text text = {0};
  if (!PyArg_ParseTupleAndKeywords(
          arguments, keywords, "|OOppppppOpp:print", names,
          &options.elements_limit, &options.resource_limit, &options.debug_info,
          &options.pretty, &options.generic, &options.local_scope,
          &options.name_prefix, &options.assume_verified, &options.file,
          &options.binary, &options.skip_regions))
    return NULL;
  if (!print_to(self, &options, &text))
    return NULL;
  MlirStringRef newline = {"\n", 1};
  bool to_screen = !options.file || options.file == Py_None;
  if (to_screen) {
    ir_text_append(newline, &text);
    options.file = PySys_GetObject("stdout");
  }
  PyObject *content =
      options.binary ? ir_text_take_bytes(&text) : ir_text_take(&text);
  if (!options.file) {
    Py_XDECREF(content);
    Py_RETURN_NONE;
  }
  return write_to(options.file, content);
}

/// The writer takes for granted what MLIR calls valid, and that nothing outside
/// has to do with it.
static bool can_write(PyObject *self) {
  PyObject *valid = ir_operation_verify(self, NULL);
  struct ir_handle *handle = valid ? ir_handle_check_inside(self) : NULL;
  Py_XDECREF(valid);
  if (!handle)
    return false;
  const struct ir_api *api = handle->tree->context->api;
  MlirOperation operation = {handle->pointer};
  bool crossing;
  if (!IR_NEED(api, mlirOperationWriteBytecode) ||
      !ir_operation_is_closed(api, operation))
    return false;
  if (!ir_operation_is_used(handle->tree->scope, operation, &crossing))
    return true;
  PyErr_SetString(PyExc_ValueError,
                  "the results of the operation, or values in it, are used "
                  "outside of it, so it cannot be written alone");
  return false;
}

PyObject *ir_operation_write_bytecode(PyObject *self, PyObject *arguments,
                                      PyObject *keywords) {
  static char *names[] = {"file", NULL};
  PyObject *file;
  struct ir_text text = {0};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O:write_bytecode",
                                   names, &file))
    return NULL;
  if (!can_write(self))
    return NULL;
  struct ir_handle *handle = ir_handle_check(self);
  if (!handle)
    return NULL;
  MlirOperation operation = {handle->pointer};
  handle->tree->context->api->mlirOperationWriteBytecode(operation,
                                                         ir_text_append, &text);
  PyObject *content = ir_text_take_bytes(&text);
  if (!PyUnicode_Check(file) || !content)
    return write_to(file, content);
  PyObject *io = PyImport_ImportModule("io");
  PyObject *opened =
      io ? PyObject_CallMethod(io, "open", "Os", file, "wb") : NULL;
  Py_XDECREF(io);
  if (!opened) {
    Py_DECREF(content);
    return NULL;
  }
  PyObject *result = write_to(opened, content);
  PyObject *closed = result ? PyObject_CallMethod(opened, "close", NULL) : NULL;
  Py_DECREF(opened);
  Py_XDECREF(result);
  return closed;
}

PyObject *ir_operation_verify(PyObject *self, PyObject *ignored) {
  (void)ignored;
  struct ir_handle *handle = ir_handle_check_inside(self);
  MlirOperation operation = {handle ? handle->pointer : NULL};
  if (!handle || !IR_NEED(handle->tree->context->api, mlirOperationVerify) ||
      !ir_operation_is_sound(handle->tree, operation))
    return NULL;
  struct ir_capture *capture =
      ir_capture_begin((PyObject *)handle->tree->context, false);
  if (!capture)
    return NULL;
  if (!ir_operation_is_valid(handle->tree, operation)) {
    ir_capture_raise(capture, "Verification failed");
    return NULL;
  }
  ir_capture_drop(capture);
  Py_RETURN_TRUE;
}
