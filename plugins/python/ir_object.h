// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the objects of mlirplug.ir are made of.
//
//     Attribute, Type, Location, AffineMap, …     Operation, Region, Block,
//     Value
//        struct ir_unique                            struct ir_handle
//               │                                           │
//               ▼                                           ▼
//        struct ir_context  ◀───────────────────────  struct ir_tree
//               ▲                                           │
//               └────────────  struct ir_scope  ◀───────────┘
//
// A unique belongs to the context, never changes, and is good as long as that.
// A handle is part of the IR, which changes and ends under it. So handles are
// registered, one for each thing, in the table of their scope: whoever destroys
// IR looks up all that goes and takes the pointers out of the handles. Those of
// a tree (a module, or an operation that is in none) share the life of its
// root. A scope is where changes can be seen: the run of a pass, or for a
// context that Python code works with, everything else.

#ifndef MLIRPLUG_PYTHON_IR_OBJECT_H
#define MLIRPLUG_PYTHON_IR_OBJECT_H

#include "ir_api.h"
#include "ir_table.h"

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// Where a group of handles can be used.
struct ir_scope {
  size_t references;
  struct ir_context *context; ///< Outlives it: trees hold references.
  struct ir_table table;
  struct ir_tree *trees; ///< All of them.
  struct ir_walk *walks; ///< Those under way.
  MlirOperation root;    ///< Of the pass; null in a context's own scope.
  unsigned long thread;  ///< Of the pass.
  bool open;
  /// Python code has connected operations, so that IR may be in a state that
  /// only checks tell from a sound one.
  bool tainted;
  /// It has changed operations, so that some may be invalid for MLIR.
  bool edited;
  Py_ssize_t frame;      ///< The thread's stack at the beginning.
  struct ir_scope *next; ///< Of the same context.
};

struct ir_context {
  PyObject_HEAD;
  struct ir_types *types;
  struct ir_api *api;
  MlirContext context;
  bool owned;
  bool alive;
  bool threaded; ///< MLIR may run passes of it on several threads.
  /// Code without the GIL works in it: how often, and who began.
  unsigned runs;
  unsigned long runner;
  struct ir_scope *own;    ///< For what Python code makes by itself.
  struct ir_scope *scopes; ///< Of the passes that run.
  struct ir_tree *orphans; ///< Trees that nobody has but whose values are used.
  struct handler *handlers; ///< DiagnosticHandlers that are attached.
  struct ir_context *next;  ///< In types->contexts.
};

/// IR that hangs together: a root operation and all in it.
struct ir_tree {
  size_t references; ///< Of its handles, mostly.
  struct ir_context *context;
  struct ir_scope *scope;
  MlirOperation root;   ///< Null once it is destroyed, or not ours.
  MlirModule module;    ///< If the root is one that was made as such.
  MlirOperation given;  ///< Where somebody else's tree was entered.
  unsigned locks;       ///< Other code works on it.
  struct ir_tree *into; ///< The tree it became a part of, then.
  struct ir_tree *next; ///< In scope->trees, or context->orphans.
};

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// Attribute, Type, Location, AffineExpr, AffineMap.
struct ir_unique {
  PyObject_HEAD;
  struct ir_context *context;
  const void *pointer;
};

/// Operation, Region, Block, Value. An OpView has no tree, and `pointer` is its
/// Operation.
struct ir_handle {
  PyObject_HEAD;
  struct ir_tree *tree;
  void *pointer;       ///< Null when what it stood for is gone.
  MlirOperation owner; ///< Of a region, which cannot be asked for it.
};

/// What a list is of.
enum ir_list_kind {
  IR_LIST_OPERANDS,
  IR_LIST_RESULTS,
  IR_LIST_REGIONS,
  IR_LIST_SUCCESSORS,
  IR_LIST_BLOCKS,
  IR_LIST_ARGUMENTS,
  IR_LIST_BLOCK_SUCCESSORS,
  IR_LIST_OPERATIONS,
  IR_LIST_COUNT
};

enum { IR_TYPE_KINDS = 32, IR_ATTRIBUTE_KINDS = 32, IR_AFFINE_KINDS = 16 };

/// The classes. Borrowed by the objects, owned by the extension module.
struct ir_types {
  PyTypeObject *context, *location, *module, *insertion_point;
  PyTypeObject *operation_base, *operation, *op_view;
  PyTypeObject *region, *block, *value, *op_result, *block_argument;
  PyTypeObject *attribute, *type, *affine_expr, *affine_map;
  PyTypeObject *diagnostic_handler, *operation_iterator, *attribute_map;
  PyTypeObject *lists[IR_LIST_COUNT];
  /// Those of ir_kind.c, from the most derived on.
  PyTypeObject *type_classes[IR_TYPE_KINDS];
  PyTypeObject *attribute_classes[IR_ATTRIBUTE_KINDS];
  PyTypeObject *affine_classes[IR_AFFINE_KINDS];
  PyObject *support; ///< The module mlirplug._ir, where Python classes are.
  PyObject *error;   ///< Its MLIRError.
  PyObject *views;   ///< Names of operations and their subclasses of OpView.
  PyObject *key;     ///< Of a thread's stack, in the thread's dictionary.
  struct ir_context *contexts; ///< All that live.
};

//===----------------------------------------------------------------------===//
// Making classes (ir_types.c)
//===----------------------------------------------------------------------===//

/// Makes the class mlirplug.ir.`name` and adds it to the module. `base` may be
/// null. Borrowed by the caller, null with an exception set.
PyTypeObject *ir_class_make(PyObject *module, const char *name, size_t size,
                            PyTypeObject *base, const PyType_Slot *slots);

/// Makes `function` (without arguments) what `class`.NAME is.
int ir_class_property(struct ir_types *types, PyTypeObject *class,
                      PyMethodDef *function);

/// An object of a class whose structure begins with a PyObject; the rest is 0.
void *ir_object_new(PyTypeObject *class);
/// Frees the memory of one.
void ir_object_free(PyObject *self);

//===----------------------------------------------------------------------===//
// Contexts (ir_context.c, ir_frame.c)
//===----------------------------------------------------------------------===//

/// Raises if nothing of `context` can be used now.
bool ir_context_check(const struct ir_context *context);

/// The context to use where a function has an argument for it: `object` unless
/// that is null or None, else the current one. Borrowed; null if there is none.
struct ir_context *ir_context_default(PyObject *object);

/// The location to use likewise. Borrowed.
struct ir_unique *ir_location_default(PyObject *object);

/// What `with` has set up on this thread: borrowed, null without an exception
/// if there is none.
struct ir_context *ir_frame_context(struct ir_types *types);
PyObject *ir_frame_location(struct ir_types *types);
PyObject *ir_frame_insertion_point(struct ir_types *types);

/// For the methods __enter__ and __exit__ of contexts, locations, insertion
/// points: `insertion_point` and `location` may be null.
int ir_frame_push(struct ir_types *types, PyObject *context,
                  PyObject *insertion_point, PyObject *location);
int ir_frame_pop(struct ir_types *types, PyObject *object);
Py_ssize_t ir_frame_depth(struct ir_types *types);
void ir_frame_cut(struct ir_types *types, Py_ssize_t depth);

//===----------------------------------------------------------------------===//
// Uniques (ir_unique.c)
//===----------------------------------------------------------------------===//

PyObject *ir_unique_new(struct ir_context *context, PyTypeObject *class,
                        const void *pointer);
PyObject *ir_attribute_new(struct ir_context *context, MlirAttribute attribute);
PyObject *ir_type_new(struct ir_context *context, MlirType type);
PyObject *ir_location_new(struct ir_context *context, MlirLocation location);
PyObject *ir_affine_map_new(struct ir_context *context, MlirAffineMap map);
PyObject *ir_affine_expr_new(struct ir_context *context, MlirAffineExpr expr);

/// `self`, whose class is known to be one of a unique, if its context is
/// alive; else null with an exception set.
struct ir_unique *ir_unique_check(PyObject *self);

/// `object`, an argument that should be of `class` (named `expected`) and of
/// `context`, unless that is null.
struct ir_unique *ir_unique_argument(PyObject *object, PyTypeObject *class,
                                     const struct ir_context *context,
                                     const char *expected);
bool ir_type_argument(PyObject *object, const struct ir_context *context,
                      MlirType *type);
bool ir_attribute_argument(PyObject *object, const struct ir_context *context,
                           MlirAttribute *attribute);

/// Common methods and slots.
void ir_unique_dealloc(PyObject *self);
Py_hash_t ir_unique_hash(PyObject *self);
PyObject *ir_unique_compare(PyObject *self, PyObject *other, int operation);
PyObject *ir_unique_context(PyObject *self, void *closure);

//===----------------------------------------------------------------------===//
// Trees, scopes and handles (ir_scope.c, ir_tree.c)
//===----------------------------------------------------------------------===//

struct ir_scope *ir_scope_new(struct ir_context *context);
void ir_scope_release(struct ir_scope *scope);
/// All handles of it are dead from now on; what was detached is destroyed.
void ir_scope_close(struct ir_scope *scope);
/// Destroys what can be destroyed by now of context->orphans.
void ir_orphans_destroy(struct ir_context *context);
/// Where operations made now on this thread belong.
struct ir_scope *ir_scope_current(struct ir_context *context);

/// The orphan with that root, which somebody is about to have a handle to
/// again; null if there is none.
struct ir_tree *ir_orphan_adopt(struct ir_context *context, MlirOperation root);

/// A tree for `root`, which it owns if `owned`. The caller releases it.
struct ir_tree *ir_tree_new(struct ir_scope *scope, MlirOperation root,
                            bool owned);
struct ir_tree *ir_tree_retain(struct ir_tree *tree);
void ir_tree_release(struct ir_tree *tree);
/// Destroys what `tree` owns, and owns nothing then; not if its values are
/// used.
bool ir_tree_try_destroy(struct ir_tree *tree);
/// The tree that `handle` is a part of by now.
struct ir_tree *ir_tree_resolve(struct ir_handle *handle);
/// The root of `tree` was inserted somewhere in `into`.
void ir_tree_merge(struct ir_tree *tree, struct ir_tree *into);
/// `operation`, which was in `tree`, was detached: it becomes one of its own.
int ir_tree_split(struct ir_tree *tree, MlirOperation operation);

/// The handles to `operation` and all in it are dead from now on.
void ir_operation_forget(struct ir_scope *scope, MlirOperation operation);
/// The handle to one thing is.
void ir_pointer_forget(struct ir_scope *scope, const void *pointer);
/// The operation that a handle is, or is part of.
MlirOperation ir_handle_operation(const struct ir_handle *handle);

/// Calls `visit` for `operation` and each operation in it, outermost first.
void ir_operations_visit(const struct ir_api *api, MlirOperation operation,
                         void (*visit)(MlirOperation operation, void *data),
                         void *data);
/// Whether `operation` is `outer` or in it.
bool ir_operation_is_in(const struct ir_api *api, MlirOperation operation,
                        MlirOperation outer);
MlirOperation ir_operation_top(const struct ir_api *api,
                               MlirOperation operation);
/// The operation or block that `value` belongs to.
MlirOperation ir_value_operation(const struct ir_api *api, MlirValue value);
MlirBlock ir_value_block(const struct ir_api *api, MlirValue value);

/// Whether values of `operation` or in it are used by others. `crossing` is
/// then whether some are used where they cannot be by MLIR's rules.
bool ir_operation_is_used(const struct ir_scope *scope, MlirOperation operation,
                          bool *crossing);

/// Destroys an operation that is in no block, or in one, with all handles to
/// it. If values of it are used elsewhere, raises and does nothing.
int ir_operation_destroy(struct ir_tree *tree, MlirOperation operation);

/// Raises unless every operand of all in `operation` is defined in the same
/// tree, which is what verification, printing and passes take for granted.
bool ir_operation_is_sound(struct ir_tree *tree, MlirOperation operation);

/// Whether MLIR calls `operation`, and what it is in, valid: diagnostics go to
/// the handlers of the context. MLIR's own functions look at what an operation
/// is in as if that were valid.
bool ir_operation_is_valid(struct ir_tree *tree, MlirOperation operation);

/// Whether MLIR can print `operation` as it usually does; -1 with an exception
/// set.
int ir_operation_can_print(struct ir_tree *tree, MlirOperation operation);
/// The text of the operation that `handle` belongs to in the form that asks for
/// nothing (ir_print.c).
PyObject *ir_operation_generic(struct ir_handle *handle);

/// Raises unless all that `operation` uses is in it.
bool ir_operation_is_closed(const struct ir_api *api, MlirOperation operation);

/// The handle for something in `tree`.
PyObject *ir_handle_new(struct ir_tree *tree, PyTypeObject *class,
                        void *pointer);
PyObject *ir_operation_new(struct ir_tree *tree, MlirOperation operation);
PyObject *ir_region_new(struct ir_tree *tree, MlirOperation owner,
                        MlirRegion region);
PyObject *ir_block_new(struct ir_tree *tree, MlirBlock block);
PyObject *ir_value_new(struct ir_tree *tree, MlirValue value);
/// The same, by the tree that its owner is in.
PyObject *ir_value_find(struct ir_tree *tree, MlirValue value);
PyObject *ir_operation_find(struct ir_tree *tree, MlirOperation operation);

/// `self`, whose class is known, if what it stands for is there and may be
/// used; else null with an exception set. For an OpView, its Operation.
struct ir_handle *ir_handle_check(PyObject *self);
/// The same if it may be walked into and changed.
struct ir_handle *ir_handle_check_inside(PyObject *self);
/// The same for an argument of `class`, to be used together with `scope`
/// unless that is null.
struct ir_handle *ir_handle_argument(PyObject *object, PyTypeObject *class,
                                     const struct ir_scope *scope,
                                     const char *expected);
bool ir_is_inside(const struct ir_tree *tree, MlirOperation operation);

/// The Operation in a Module, an OpView, or the object itself: new. Null with
/// an exception set.
PyObject *ir_operation_of(PyObject *object);

/// The Operation in a Module.
PyObject *ir_module_operation(PyObject *self);

PyObject *ir_handle_context(PyObject *self, void *closure);
/// For classes without a constructor.
PyObject *ir_handle_make(PyTypeObject *class, PyObject *arguments,
                         PyObject *keywords);
void ir_handle_dealloc(PyObject *self);
Py_hash_t ir_handle_hash(PyObject *self);
PyObject *ir_handle_compare(PyObject *self, PyObject *other, int operation);

/// A call of MLIR that may hand work to its threads and wait for them. They may
/// run passes written in Python, so the GIL is not held meanwhile, and nobody
/// can use `tree`, which may be null.
struct ir_pause {
  struct ir_context *context;
  struct ir_tree *tree;
  PyThreadState *state; ///< Null if MLIR has no threads.
};
struct ir_pause ir_pause_begin(struct ir_context *context,
                               struct ir_tree *tree);
void ir_pause_end(struct ir_pause pause);

//===----------------------------------------------------------------------===//
// Insertion points (ir_insertion.c)
//===----------------------------------------------------------------------===//

/// A place for an operation.
struct ir_place {
  struct ir_scope *scope;
  struct ir_tree *tree; ///< Null for nowhere: it stays detached.
  MlirBlock block;
  MlirOperation before; ///< Null for the end of the block.
};

/// Where `point` says: an InsertionPoint; False for nowhere; null or None for
/// the current one, or nowhere if there is none.
bool ir_place_find(struct ir_context *context, PyObject *point,
                   struct ir_place *place);
/// Raises unless an operation with `successors` may stand there.
bool ir_place_takes(const struct ir_place *place, const MlirBlock *successors,
                    Py_ssize_t count);
/// Puts `operation`, which is in no tree yet, there. Takes it, also on failure.
PyObject *ir_place_insert(const struct ir_place *place,
                          MlirOperation operation);
/// Puts a detached Operation there; None.
PyObject *ir_operation_put(PyObject *self, const struct ir_place *place);
/// A Value of `scope`, or the result of an operation that has one.
bool ir_value_argument(PyObject *object, const struct ir_scope *scope,
                       MlirValue *value);

//===----------------------------------------------------------------------===//
// Text (ir_text.c)
//===----------------------------------------------------------------------===//

/// Text that MLIR prints, piece by piece.
struct ir_text {
  char *data;
  size_t length;
  size_t capacity;
  bool failed;
};
void ir_text_append(MlirStringRef piece, void *user_data);
/// As a str (or bytes); frees the text.
PyObject *ir_text_take(struct ir_text *text);
PyObject *ir_text_take_bytes(struct ir_text *text);
/// As "Class(text)", for the class of `object`.
PyObject *ir_text_take_as(struct ir_text *text, PyObject *object);
PyObject *ir_string_new(MlirStringRef string);
/// Of a str or bytes, whose bytes are kept in `bytes`, which is null or such.
bool ir_string_argument(PyObject *object, MlirStringRef *string,
                        PyObject **bytes);
/// A variable that loses its reference where it goes out of scope.
#define IR_KEPT __attribute__((cleanup(ir_release)))
void ir_release(PyObject **object);
static inline MlirStringRef ir_string(const char *text) {
  return (MlirStringRef){text, __builtin_strlen(text)};
}

/// An array of `count` elements made from a sequence, by PyMem_Malloc; at least
/// one byte. Null with an exception set.
void *ir_array_new(Py_ssize_t count, size_t size);
/// A sequence as a tuple or list; null stands for an empty one.
PyObject *ir_sequence(PyObject *object, const char *expected);
bool ir_integers(PyObject *object, const char *expected, int64_t **values,
                 Py_ssize_t *count);

//===----------------------------------------------------------------------===//
// Adding the classes (each in its own file)
//===----------------------------------------------------------------------===//

int ir_register_error(PyObject *module, struct ir_types *types);
int ir_register_context(PyObject *module, struct ir_types *types);
int ir_register_location(PyObject *module, struct ir_types *types);
int ir_register_type(PyObject *module, struct ir_types *types);
int ir_register_attribute(PyObject *module, struct ir_types *types);
int ir_register_affine(PyObject *module, struct ir_types *types);
int ir_register_operation(PyObject *module, struct ir_types *types);
int ir_register_region(PyObject *module, struct ir_types *types);
int ir_register_value(PyObject *module, struct ir_types *types);
int ir_register_list(PyObject *module, struct ir_types *types);
int ir_register_insertion(PyObject *module, struct ir_types *types);
int ir_register_module(PyObject *module, struct ir_types *types);

/// Raises MLIRError with what `capture` kept, which it ends.
void ir_capture_raise(struct ir_capture *capture, const char *message);
/// Ends `capture` and prints nothing of it.
void ir_capture_drop(struct ir_capture *capture);

#endif // MLIRPLUG_PYTHON_IR_OBJECT_H
