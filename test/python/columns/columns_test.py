#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""columns_test.py: mlirplug.columns against what walking over the objects of
mlirplug.ir finds. Needs numpy."""

import sys
import tempfile
import unittest
from pathlib import Path

import numpy

import mlirplug
from mlirplug import ir

TEXT = """
module {
  func.func @f(%n: index, %x: i1) -> i32 attributes {small} {
    %0 = arith.constant 1 : i32
    %1 = arith.constant -7 : i32
    %2 = arith.constant 18446744073709551616 : i128
    scf.if %x { scf.if %x { "x.y"(%0, %0, %1) {note = "a\\00b"} : (i32, i32, i32) -> () } } else { "x.z"() : () -> () }
    return %0 : i32
  }
  "x.empty"() ({}, {}) : () -> ()
  "x.blocks"() ({ "x.in"() {flag = true, w = 2.5, to = @f, deep = @f::@g, t = i32, xs = [1, 2]} : () -> () }, {}, { "x.last"() {flag = false} : () -> () }) : () -> ()
  func.func private @g()
} loc("top")
"""


def parse(text=TEXT):
    context = ir.Context()
    context.allow_unregistered_dialects = True
    return ir.Module.parse(text, context=context)


def rows_of(operation):
    """The table by the objects of mlirplug.ir."""
    found, rows = {}, []

    def visit(op):
        parent = op.parent
        rows.append((op.name, -1 if op == operation else found[parent], len(op.operands), len(op.results)))
        found[op] = len(rows) - 1
        return ir.WalkResult.ADVANCE

    operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return rows


class Columns(unittest.TestCase):
    def rows(self, table, names=("name", "parent", "operands", "results")):
        return list(zip(*(table[name].tolist() for name in names)))

    def test_is_what_a_walk_finds(self):
        module = parse()
        self.assertEqual(self.rows(mlirplug.columns(module)), rows_of(module.operation))

    def test_empty_blocks_are_passed_over(self):
        module = parse()
        with module.context, ir.Location.unknown():
            operation = ir.Operation.create("x.blocks", regions=4, ip=ir.InsertionPoint(module.body))
            for number, region in enumerate(operation.regions):
                for place in range(3):
                    block = region.blocks.append()
                    if number in (1, 3) and place == 1:
                        ir.Operation.create("x.in", ip=ir.InsertionPoint(block))
            ir.Operation.create("x.last", ip=ir.InsertionPoint(module.body))
        self.assertEqual(self.rows(mlirplug.columns(module)), rows_of(module.operation))

    def test_an_operation_is_the_root(self):
        operation = parse().body.operations[0]
        self.assertEqual(self.rows(mlirplug.columns(operation)), rows_of(operation.operation))

    def test_more_rows_than_fit_at_first_and_deeper_than_the_stack(self):
        module = parse()
        with module.context, ir.Location.unknown():
            block = module.body
            for _ in range(3000):
                operation = ir.Operation.create("x.deep", regions=1, ip=ir.InsertionPoint(block))
                block = operation.regions[0].blocks.append()
        table = mlirplug.columns(module)
        self.assertEqual(self.rows(table), rows_of(module.operation))
        self.assertEqual((table["name"] == "x.deep").sum(), 3000)

    def test_columns_have_one_length_and_their_types(self):
        table = mlirplug.columns(parse(), ["small"])
        self.assertEqual(list(table), ["name", "parent", "operands", "results", "file", "line", "column", "small"])
        self.assertEqual({len(column) for column in table.values()}, {len(rows_of(parse().operation))})
        for name in ("parent", "operands", "results", "line", "column"):
            self.assertEqual(table[name].dtype, numpy.int32)
            self.assertTrue(table[name].flags.writeable)

    def attribute(self, name, text=TEXT):
        return mlirplug.columns(parse(text), [name])[name]

    def present(self, name):
        return [value for value in self.attribute(name).tolist() if value is not None]

    def test_attributes_are_values(self):
        self.assertEqual(self.present("sym_name"), ["f", "g"])
        self.assertEqual(self.present("note"), ["a\0b"])
        self.assertEqual(self.present("flag"), [True, False])
        self.assertEqual(self.present("to"), ["f"])
        self.assertEqual(self.present("deep"), ["@f::@g"])
        self.assertEqual(self.present("small"), [True])
        self.assertEqual(self.present("t"), ["i32"])
        self.assertEqual(self.present("xs"), ["[1, 2]"])
        self.assertEqual(self.present("value"), [1, -7, 1 << 64])
        self.assertEqual(self.present("none-has-it"), [])

    def test_arrays_of_numbers_where_all_are(self):
        root = '"x.a"() ({{ "x.b"() {{v = {}}} : () -> () }}) {{v = {}}} : () -> ()'
        for first, second, kind in (("true", "false", numpy.bool_), ("1", "2", numpy.int64),
                                    ("1 : ui64", "18446744073709551615 : ui64", object),
                                    ("1.5", "2.5", numpy.float64), ("1", "2.5", object)):
            operation = parse(root.format(first, second)).body.operations[0]
            self.assertEqual(mlirplug.columns(operation, ["v"])["v"].dtype, kind)
        floats = self.attribute("w")
        self.assertEqual(floats.dtype, numpy.float64)
        self.assertEqual(floats[~numpy.isnan(floats)].tolist(), [2.5])

    def test_locations_lead_to_files(self):
        places = {
            'loc("a.c":3:4)': ("a.c", 3, 4),
            'loc("n"("a.c":3:4))': ("a.c", 3, 4),
            'loc(callsite("a.c":3:4 at "b.c":5:6))': ("a.c", 3, 4),
            'loc(fused["a.c":3:4, "b.c":5:6])': ("a.c", 3, 4),
            'loc(fused<"x">[callsite("n"("a.c":3:4) at "b.c":5:6)])': ("a.c", 3, 4),
            'loc("n")': (None, 0, 0),
            "loc(unknown)": (None, 0, 0),
        }
        for text, place in places.items():
            table = mlirplug.columns(parse(f'"x.a"() : () -> () {text}').body.operations[0])
            self.assertEqual(self.rows(table, ("file", "line", "column")), [place], text)

    def test_without_locations(self):
        table = mlirplug.columns(parse(), location=False)
        self.assertEqual(list(table), ["name", "parent", "operands", "results"])

    def test_several_become_one_table(self):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "a.mlir"
            path.write_text('"x.a"() {n = 1} : () -> ()\n"x.b"() ({ "x.a"() {n = 2} : () -> () }) {n = 3} : () -> ()')
            own = parse('"x.b"() {n = 4} : () -> ()')
            table = mlirplug.columns([path, own, str(path)], ["n"])
        self.assertEqual(table["input"].tolist(), [0] * 4 + [1] * 2 + [2] * 4)
        self.assertEqual(table["parent"].tolist(), [-1, 0, 0, 2, -1, 4, -1, 6, 6, 8])
        self.assertEqual(table["n"].tolist(), [None, 1, 3, 2, None, 4, None, 1, 3, 2])
        self.assertEqual(table["name"].tolist()[4:6], ["builtin.module", "x.b"])
        self.assertEqual(table["file"].tolist()[1], str(path))
        empty = mlirplug.columns([], ["n"])
        self.assertEqual({len(column) for column in empty.values()}, {0})

    def test_categories_stay_the_same(self):
        categories = {}
        first = mlirplug.columns(parse('"x.a"() : () -> ()'), categories=categories)
        again = mlirplug.columns(parse('"x.b"() : () -> ()\n"x.a"() : () -> ()'), categories=categories)
        self.assertEqual(categories["name"], ["builtin.module", "x.a", "x.b"])
        self.assertEqual([first["name"].tolist(), again["name"].tolist()], [[0, 1], [0, 2, 1]])
        none = mlirplug.columns(parse('"x.a"() : () -> () loc(unknown)').body.operations[0], categories=categories)
        self.assertEqual(none["file"].tolist(), [-1])

    def test_what_is_wrong_is_an_exception(self):
        module = parse()
        gone = module.body.operations[1].operation
        gone.erase()
        for error, arguments in ((RuntimeError, [gone]), (TypeError, [5]), (TypeError, [module, "value"]),
                                 (ValueError, [module, ["name"]]), (ValueError, [module, ["a", "a"]]),
                                 (ir.MLIRError, ["/there/is/none.mlir"]), (AttributeError, [module, [1]])):
            with self.assertRaises(error):
                mlirplug.columns(*arguments)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    print(f"{result.testsRun} tests, {len(result.failures) + len(result.errors)} failed")
    sys.exit(not result.wasSuccessful())
