// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The methods of Operation and OpView, by file.

#ifndef MLIRPLUG_PYTHON_IR_OPERATION_H
#define MLIRPLUG_PYTHON_IR_OPERATION_H

#include "ir_object.h"

/// Operation.create and Operation.parse (ir_create.c)
PyObject *ir_operation_create(PyObject *class, PyObject *arguments,
                              PyObject *keywords);
PyObject *ir_operation_parse(PyObject *class, PyObject *arguments,
                             PyObject *keywords);
PyObject *ir_operation_clone(PyObject *self, PyObject *arguments,
                             PyObject *keywords);

/// Moving and erasing (ir_change.c)
PyObject *ir_operation_erase(PyObject *self, PyObject *ignored);
PyObject *ir_operation_detach(PyObject *self, PyObject *ignored);
PyObject *ir_operation_move_before(PyObject *self, PyObject *other);
PyObject *ir_operation_move_after(PyObject *self, PyObject *other);
PyObject *ir_operation_is_before(PyObject *self, PyObject *object);
PyObject *ir_operation_replace_uses(PyObject *self, PyObject *arguments);
/// Raises unless `operation` may leave its place, or go.
bool ir_operation_is_movable(struct ir_tree *tree, MlirOperation operation);

/// Text (ir_print.c)
PyObject *ir_operation_print(PyObject *self, PyObject *arguments,
                             PyObject *keywords);
PyObject *ir_operation_get_asm(PyObject *self, PyObject *arguments,
                               PyObject *keywords);
PyObject *ir_operation_write_bytecode(PyObject *self, PyObject *arguments,
                                      PyObject *keywords);
PyObject *ir_operation_verify(PyObject *self, PyObject *ignored);
PyObject *ir_operation_string(PyObject *self);

/// A list of what `owner` has (ir_list.c).
PyObject *ir_list_new(PyObject *owner, enum ir_list_kind kind);
/// Over the blocks of a region, or the operations of a block.
PyObject *ir_iterator_new(PyObject *object, enum ir_list_kind kind);
/// BlockList.append (ir_region.c)
PyObject *ir_blocks_append(PyObject *region, PyObject *arguments,
                           PyObject *keywords);
/// OpAttributeMap (ir_attribute_map.c)
PyObject *ir_attribute_map_new(PyObject *owner);
int ir_attribute_map_register(PyObject *module, struct ir_types *types);

#endif // MLIRPLUG_PYTHON_IR_OPERATION_H
