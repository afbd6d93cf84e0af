# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiling modules to memory and calling their functions.

    engine = ExecutionEngine(module)         # with functions on memrefs or tensors
    engine.saxpy(2.0, x, y)                  # numpy arrays, checked against the types

As in the upstream bindings, a module of the LLVM dialect and ctypes do as well:

    engine = ExecutionEngine(lowered, opt_level=3)
    engine.invoke("saxpy", *pointers)
"""

import ctypes
import os

from . import _engine_result, ir
from ._guard import LIMIT, guard as _guard
from ._host import run as _run
from ._mlirplug import Engine, Error
from ._signature import Unsupported, signatures

__all__ = ["ExecutionEngine", "function_types"]

# The same as what object files are made with (core/object/lower.c).
_TO_BUFFERS = (
    "builtin.module(canonicalize,cse,linalg-generalize-named-ops,linalg-fuse-elementwise-ops,"
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map "
    "allow-return-allocs-from-loops},canonicalize,cse)")
_TO_FREED_BUFFERS = "builtin.module(buffer-deallocation-pipeline)"
_TO_LLVM = (
    "builtin.module(convert-bufferization-to-memref,convert-linalg-to-loops,convert-vector-to-scf{full-unroll=true},"
    "expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-vector-to-llvm,convert-math-to-llvm,"
    "convert-complex-to-llvm,finalize-memref-to-llvm,convert-math-to-libm,convert-func-to-llvm,convert-arith-to-llvm,"
    "convert-index-to-llvm,convert-cf-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts)")


def function_types(module):
    """What the functions of `module` take and return, before it is lowered: for
    ExecutionEngine(lowered, types=function_types(module))."""
    return signatures(module)


def _has(module, name):
    found = []

    def look(operation):
        if operation.operation.name == name:
            found.append(True)
            return ir.WalkResult.INTERRUPT
        return ir.WalkResult.ADVANCE

    module.operation.walk(look)
    return bool(found)


def _is_lowered(module):
    return not any(operation.operation.name == "func.func" and len(operation.operation.regions[0].blocks)
                   for operation in module.body.operations)


def _keep_tensors(module):
    """Tensors are values: functions get copies where they would write to them."""
    with module.context:
        no = ir.BoolAttr.get(False)
        for operation in module.body.operations:
            operation = operation.operation
            if operation.name != "func.func" or not len(operation.regions[0].blocks):
                continue
            inputs = ir.FunctionType(ir.TypeAttr(operation.attributes["function_type"]).value).inputs
            given = operation.attributes["arg_attrs"] if "arg_attrs" in operation.attributes else None
            made = []
            for index, type in enumerate(inputs):
                one = {named.name: named.attr for named in ir.DictAttr(given[index])} if given is not None else {}
                if isinstance(type, (ir.RankedTensorType, ir.UnrankedTensorType)):
                    one.setdefault("bufferization.writable", no)
                made.append(ir.DictAttr.get(one))
            if made:
                operation.attributes["arg_attrs"] = ir.ArrayAttr.get(made)


class ExecutionEngine:
    """A module, compiled for this machine. Its public functions are attributes:
    engine.NAME(...), with numbers and with numpy arrays for memrefs and tensors.
    Arrays are checked against the types that functions had before they were
    lowered, and a memref is the array itself. One result is returned as such,
    several as a tuple.

    A module whose functions are not lowered yet is lowered as a copy: by
    `pipeline`, or by default from linalg, tensor, memref, scf and what these
    bring. For one that is lowered already, `types` are those that function_types
    returned before.

    Everything is tried in a child process first, which gets `time_limit`
    seconds, since LLVM ends the process for what it cannot compile. `guard=False`
    does without."""

    def __init__(self, module, opt_level=2, shared_libs=None, enable_object_dump=True, enable_pic=False, *,
                 pipeline=None, types=None, guard=True, time_limit=LIMIT):
        self._functions, self._names, self._dumps = {}, [], enable_object_dump
        if not isinstance(module, ir.Module):
            module = ir.Module(module.operation)
        self._frees = False
        self._types = dict(types) if types is not None else {}
        if pipeline is not None or not _is_lowered(module):
            module = self._lower(module, pipeline, guard, time_limit)
        self._lowered = {}
        for operation in module.body.operations:
            operation = operation.operation
            if operation.name == "llvm.func" and len(operation.regions[0].blocks):
                name = ir.StringAttr(operation.attributes["sym_name"]).value
                self._lowered[name] = str(ir.TypeAttr(operation.attributes["function_type"]).value)
        libraries = tuple(os.fspath(path) for path in shared_libs or ())
        for path in libraries:
            if not os.path.exists(path):
                raise FileNotFoundError(f"no shared library {path}")

        def make():
            return Engine(module, opt_level, libraries, enable_object_dump, enable_pic)

        if guard:
            _guard("cannot compile the module", lambda: self._try(make), time_limit=time_limit,
                   context=module.context, remedy="compile for what this processor has, or lower it further")
        self._engine = make()

    def _lower(self, module, pipeline, guard, time_limit):
        copy = ir.Module(module.operation.clone(ip=False))
        self._types = {**signatures(copy, keeps_tensors=pipeline is None), **self._types}
        steps = [pipeline] if pipeline is not None else [_TO_BUFFERS, _TO_FREED_BUFFERS, _TO_LLVM]
        if pipeline is None:
            _keep_tensors(copy)
            # MLIR refuses to free buffers where some are freed already.
            if _has(copy, "memref.dealloc"):
                steps.remove(_TO_FREED_BUFFERS)
            else:
                self._frees = True

        def lower():
            for step in steps:
                _run(copy, step)

        if guard:
            _guard("cannot lower the module", lower, time_limit=time_limit, context=module.context,
                   remedy="change the pipeline")
        lower()
        return copy

    def _try(self, make):
        engine = make()
        for name in self._lowered:
            if engine.lookup(name):
                break

    # The names of the upstream bindings

    def raw_lookup(self, name):
        """The address of the function that takes a list of pointers, or None."""
        return self._engine.lookup(name) or None

    def lookup(self, name):
        """A ctypes function that takes such a list, for the one that
        llvm.emit_c_interface makes."""
        address = self.raw_lookup("_mlir_ciface_" + name)
        if not address:
            raise RuntimeError(f"Unknown function {name}{self._why(name)}")
        return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)

    def invoke(self, name, *ctypes_args):
        """Calls it with pointers to the arguments, and to the result if there is
        one."""
        function = self.lookup(name)
        packed = (ctypes.c_void_p * len(ctypes_args))()
        for index, argument in enumerate(ctypes_args):
            packed[index] = ctypes.cast(argument, ctypes.c_void_p)
        function(packed)

    def raw_register_runtime(self, name, callback):
        address = ctypes.cast(callback, ctypes.c_void_p).value
        self._engine.symbol(name, address)
        self._functions["callback " + name] = callback

    def register_runtime(self, name, ctypes_callback):
        """Says what the function that is declared as `name`, with
        llvm.emit_c_interface, is."""
        self.raw_register_runtime("_mlir_ciface_" + name, ctypes_callback)

    def initialize(self):
        """There for scripts that call it: all is ready."""

    def dump_to_object_file(self, file_name):
        if not self._dumps:
            raise Error("the engine was made with enable_object_dump=False, so it has kept no object file")
        self._engine.dump(os.fspath(file_name))
        if not os.path.exists(file_name):
            raise OSError(f"the object file {file_name} could not be written")

    def _why(self, name):
        if "_mlir_ciface_" + name in self._lowered:
            return ": it calls what is neither in a shared library nor was registered by register_runtime"
        if name in self._lowered:
            return ": it has no attribute llvm.emit_c_interface"
        return f": the module has {', '.join(sorted(self._lowered)) or 'no functions'}"

    # Functions as attributes

    def __dir__(self):
        return [*super().__dir__(), *self._types]

    def __getattr__(self, name):
        if name.startswith("__") or "_engine" not in self.__dict__:
            raise AttributeError(name)
        try:
            function = self._function(name)
        except Unsupported as reason:
            raise AttributeError(f"{name}: {reason}") from None
        self.__dict__[name] = function  # found at once from now on
        return function

    __getitem__ = __getattr__

    def _function(self, name):
        signature = self._types.get(name)
        if signature is None:
            if name in self._lowered:
                raise Unsupported("its type before it was lowered is not known: make the engine of the module as it "
                                  "was, or give types=function_types(module); lookup and invoke do without")
            raise Unsupported(f"the module has {', '.join(sorted(self._types or self._lowered)) or 'no functions'}")
        if isinstance(signature, Unsupported):
            raise signature
        found = self._lowered.get(name)
        if found is None:
            raise Unsupported("lowering left nothing of it")
        if found != signature.lowered:
            raise Unsupported(f"lowering made {found} of {signature.text}, which is called in another way than "
                              f"{signature.lowered}")
        address = self._engine.lookup(name)
        if not address:
            raise Error(f"cannot compile {name}: it calls what is neither in a shared library nor was registered by "
                        "raw_register_runtime")
        return _engine_result.function(self._engine, address, signature, self._frees)
