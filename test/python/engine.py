# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled functions on numpy arrays: right results, or exceptions.

engine.py BUILD; ends with 77 where there is no numpy."""

import ctypes
import os
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(sys.argv.pop(1), "lib/mlirplug/python"))

try:
    import numpy as np
except ImportError:
    sys.exit(77)

from mlirplug import Error, ir, run
from mlirplug._guard import guard
from mlirplug.execution_engine import ExecutionEngine, function_types
from mlirplug.runtime import (get_ranked_memref_descriptor, get_unranked_memref_descriptor, ranked_memref_to_numpy,
                              unranked_memref_to_numpy)

FUNCTIONS = """
#one = affine_map<(i) -> (i)>
func.func @saxpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%p: f32, %q: f32):
    %m = arith.mulf %a, %p : f32
    %s = arith.addf %m, %q : f32
    linalg.yield %s : f32
  }
  return
}
func.func @add(%a: tensor<4x?xf64>, %b: tensor<4x?xf64>) -> tensor<4x?xf64> {
  %r = linalg.add ins(%a, %b : tensor<4x?xf64>, tensor<4x?xf64>) outs(%a : tensor<4x?xf64>) -> tensor<4x?xf64>
  return %r : tensor<4x?xf64>
}
func.func @same(%a: i32, %b: i1, %c: index, %h: f16, %z: complex<f64>, %s: bf16)
    -> (i32, i1, index, f16, complex<f64>, bf16) {
  return %a, %b, %c, %h, %z, %s : i32, i1, index, f16, complex<f64>, bf16
}
func.func @one(%a: i8) -> i8 {
  return %a : i8
}
func.func @corner(%a: memref<?x4xf32, strided<[?, 1], offset: 3>>) -> f32 {
  %c = arith.constant 1 : index
  %v = memref.load %a[%c, %c] : memref<?x4xf32, strided<[?, 1], offset: 3>>
  return %v : f32
}
func.func @column(%a: memref<2x3xf32, strided<[1, 2]>>) -> f32 {
  %i = arith.constant 1 : index
  %j = arith.constant 2 : index
  %v = memref.load %a[%i, %j] : memref<2x3xf32, strided<[1, 2]>>
  return %v : f32
}
func.func @rank(%a: memref<*xf32>) -> index {
  %r = memref.rank %a : memref<*xf32>
  return %r : index
}
func.func @vector(%a: vector<4xf32>) {
  return
}
"""


class Functions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.context = ir.Context()
        cls.engine = ExecutionEngine(ir.Module.parse(FUNCTIONS, cls.context))

    def refuse(self, error, words, name, *arguments):
        with self.assertRaisesRegex(error, words):
            self.engine[name](*arguments)

    def test_memref_is_the_array(self):
        x, y = np.arange(10, dtype=np.float32), np.ones(10, np.float32)
        self.assertIsNone(self.engine.saxpy(2.0, x, y))
        np.testing.assert_array_equal(y, 2 * x + 1)
        self.assertIs(self.engine.saxpy, self.engine.saxpy)

    def test_empty_array(self):
        self.engine.saxpy(2.0, np.zeros(0, np.float32), np.zeros(0, np.float32))

    def test_tensor_is_a_value(self):
        a, b = np.random.rand(4, 5), np.random.rand(4, 5)
        a.flags.writeable = False
        before = a.copy()
        np.testing.assert_array_equal(self.engine.add(a, b), before + b)
        np.testing.assert_array_equal(a, before)

    def test_numbers(self):
        self.assertEqual(self.engine.same(-3, np.bool_(True), 2**40, 1.5, 1 + 2j, 2.5),
                         (-3, True, 2**40, 1.5, 1 + 2j, 2.5))
        for given, got in ((np.int64(-5), -5), (255, -1), (-128, -128), (127, 127)):
            self.assertEqual(self.engine.one(given), got)
        for wrong in (256, -129, 2**64, -2**64):
            self.refuse(OverflowError, "does not fit", "one", wrong)
        self.refuse(TypeError, "argument 1, i8", "one", 1.5)
        self.refuse(OverflowError, "does not fit", "saxpy", 1e300, np.zeros(1, "f4"), np.zeros(1, "f4"))

    def test_strides_of_the_type(self):
        a = np.arange(32, dtype=np.float32).reshape(4, 8)
        self.assertEqual(self.engine.corner(a[:, :4]), a[1, 1])
        self.assertEqual(self.engine.corner(a[::2, 2:6]), a[2, 3])
        self.refuse(ValueError, "strides", "corner", a.T[:, :4])
        b = np.arange(6, dtype=np.float32).reshape(3, 2)
        self.assertEqual(self.engine.column(b.T), b.T[1, 2])
        self.refuse(ValueError, "strides", "column", np.ascontiguousarray(b.T))
        self.assertEqual(self.engine.rank(a), 2)

    def test_wrong_arrays(self):
        x, y = np.arange(10, dtype=np.float32), np.ones(10, np.float32)
        self.refuse(TypeError, "not of float64", "saxpy", 1, x.astype(np.float64), y)
        self.refuse(TypeError, "not of int32", "saxpy", 1, x.astype(np.int32), y)
        self.refuse(TypeError, "float32", "saxpy", 1, x.astype(x.dtype.newbyteorder()), y)
        self.refuse(TypeError, "list", "saxpy", 1, [1.0], y)
        self.refuse(TypeError, "3 arguments", "saxpy", 1, x)
        self.refuse(ValueError, "ascontiguousarray", "saxpy", 1, x[::2], y)
        self.refuse(ValueError, "ascontiguousarray", "saxpy", 1, x[::-1], y)
        self.refuse(ValueError, "2 dimensions", "saxpy", 1, x.reshape(2, 5), y)
        self.refuse(ValueError, "0 dimensions", "saxpy", 1, np.zeros((), np.float32), y)
        self.refuse(ValueError, "shape", "add", np.zeros((3, 5)), np.zeros((4, 5)))
        self.refuse(ValueError, "ascontiguousarray", "add", np.zeros((5, 4)).T, np.zeros((4, 5)))
        self.refuse(ValueError, "aligned", "saxpy", 1, np.frombuffer(bytearray(41), np.uint8)[1:].view(np.float32), y)
        y.flags.writeable = False
        self.refuse(ValueError, "read-only", "saxpy", 1, x, y)

    def test_no_such_function(self):
        with self.assertRaisesRegex(AttributeError, "vector<4xf32>"):
            self.engine.vector
        with self.assertRaisesRegex(AttributeError, "the module has add"):
            self.engine.nothing


class Upstream(unittest.TestCase):
    PIPELINE = ("builtin.module(convert-linalg-to-loops,convert-scf-to-cf,finalize-memref-to-llvm,"
                "convert-func-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)")

    def setUp(self):
        self.context = ir.Context()

    def lowered(self, text):
        module = ir.Module.parse(text, self.context)
        types = function_types(module)
        run(module, self.PIPELINE)
        return module, types

    def test_invoke(self):
        module, types = self.lowered(FUNCTIONS[:FUNCTIONS.index("func.func @add")])
        engine = ExecutionEngine(module, opt_level=3, shared_libs=[], types=types)
        x, y = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
        pointers = [ctypes.pointer(ctypes.pointer(get_ranked_memref_descriptor(one))) for one in (x, y)]
        engine.invoke("saxpy", ctypes.pointer(ctypes.c_float(2.0)), *pointers)
        np.testing.assert_array_equal(y, [1, 3, 5, 7])
        engine.saxpy(1, x, y)
        np.testing.assert_array_equal(y, [1, 4, 7, 10])
        with self.assertRaisesRegex(AttributeError, "function_types"):
            ExecutionEngine(module).saxpy
        with self.assertRaisesRegex(RuntimeError, "Unknown function nothing"):
            engine.lookup("nothing")
        with tempfile.TemporaryDirectory() as folder:
            engine.dump_to_object_file(os.path.join(folder, "saxpy.o"))
            self.assertGreater(os.path.getsize(os.path.join(folder, "saxpy.o")), 100)

    def test_callback(self):
        module, types = self.lowered("""
            func.func private @note(f32) attributes {llvm.emit_c_interface}
            func.func @call(%a: f32) {
              call @note(%a) : (f32) -> ()
              return
            }""")
        engine, seen = ExecutionEngine(module, types=types), []
        engine.register_runtime("note", ctypes.CFUNCTYPE(None, ctypes.c_float)(seen.append))
        engine.call(2.5)
        self.assertEqual(seen, [2.5])

    def test_another_convention(self):
        engine = ExecutionEngine(
            ir.Module.parse("func.func @g(%x: memref<3xf32>) { return }", self.context),
            pipeline="builtin.module(convert-func-to-llvm{use-bare-ptr-memref-call-conv=1})")
        with self.assertRaisesRegex(AttributeError, "another way"):
            engine.g

    def test_descriptors(self):
        a = np.arange(24, dtype=np.float64).reshape(4, 6)[:, ::2]
        back = ranked_memref_to_numpy(ctypes.pointer(get_ranked_memref_descriptor(a)))
        np.testing.assert_array_equal(back, a)
        back[0, 0] = 7
        self.assertEqual(a[0, 0], 7)
        for b in (a, np.array(3 + 4j), np.ones(3, np.float16)):
            unranked = ctypes.pointer(get_unranked_memref_descriptor(b))
            np.testing.assert_array_equal(unranked_memref_to_numpy(unranked, b.dtype), b)


class Guard(unittest.TestCase):
    def test_what_ends_the_process(self):
        module = ir.Module.parse("""
            llvm.func @f(%p: !llvm.ptr) {
              %v = llvm.load %p : !llvm.ptr -> vector<[4]xf32>
              %w = llvm.fadd %v, %v : vector<[4]xf32>
              llvm.store %w, %p : vector<[4]xf32>, !llvm.ptr
              llvm.return
            }""", ir.Context())
        with self.assertRaisesRegex(Error, "cannot compile the module: it ends the process with .*LLVM ERROR"):
            ExecutionEngine(module)

    def test_what_takes_too_long(self):
        start = time.monotonic()
        with self.assertRaisesRegex(Error, "after 0.2 seconds"):
            guard("cannot wait", lambda: time.sleep(60), time_limit=0.2)
        self.assertLess(time.monotonic() - start, 10)

    def test_what_is_harmless(self):
        guard("cannot fail", lambda: 1 / 0)


if __name__ == "__main__":
    unittest.main()
