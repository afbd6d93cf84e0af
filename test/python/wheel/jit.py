# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a function with the MLIR of the wheel and calls it.

jit.py LIBRARY"""

import ctypes
import sys

FUNCTION = b"""
func.func @add(%a: i64, %b: i64) -> i64 attributes {llvm.emit_c_interface} {
  %c = arith.addi %a, %b : i64
  return %c : i64
}
"""
PIPELINE = b"convert-arith-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts"


class Handle(ctypes.Structure):
    _fields_ = [("pointer", ctypes.c_void_p)]


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class Result(ctypes.Structure):
    _fields_ = [("value", ctypes.c_int8)]


def text(data):
    return Text(data, len(data))


def main():
    library = ctypes.CDLL(sys.argv[1])

    def call(name, *arguments, result=Handle):
        function = getattr(library, name)
        function.restype = result
        return function(*arguments)

    registry = call("mlirDialectRegistryCreate")
    call("mlirRegisterAllDialects", registry, result=None)
    call("mlirRegisterAllPasses", result=None)
    context = call("mlirContextCreateWithRegistry", registry, ctypes.c_bool(False))
    call("mlirRegisterAllLLVMTranslations", context, result=None)
    module = call("mlirModuleCreateParse", context, text(FUNCTION))
    manager = call("mlirPassManagerCreate", context)
    passes = call("mlirPassManagerGetAsOpPassManager", manager)
    complain = ctypes.CFUNCTYPE(None, Text, ctypes.c_void_p)(lambda said, _: print(said.data))
    parsed = call("mlirOpPassManagerAddPipeline", passes, text(PIPELINE), complain, None,
                  result=Result)
    operation = call("mlirModuleGetOperation", module)
    ran = call("mlirPassManagerRunOnOp", manager, operation, result=Result)
    if not (parsed.value and ran.value):
        sys.exit("jit.py: the pipeline failed")
    engine = call("mlirExecutionEngineCreate", module, 2, 0, None, ctypes.c_bool(False),
                  ctypes.c_bool(False))
    if not engine.pointer:
        sys.exit("jit.py: there is no JIT")
    address = call("mlirExecutionEngineLookup", engine, text(b"add"), result=ctypes.c_void_p)
    add = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(address)
    if add(40, 2) != 42:
        sys.exit(f"jit.py: 40 + 2 is {add(40, 2)}")
    call("mlirExecutionEngineDestroy", engine, result=None)
    print("jit.py: all is well")


main()
