#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mlirplug.ir: what the upstream bindings do, and that handles are checked.

ir_test.py, with mlirplug on the path."""

import array
import ast
import gc
import io
import os
import threading
import unittest

from mlirplug import ir

ADD = """
module {
  func.func @add(%a: i32, %b: i32) -> i32 {
    %sum = arith.addi %a, %b : i32
    return %sum : i32
  }
}
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.context = ir.Context()
        self.context.__enter__()
        self.location = ir.Location.unknown()
        self.location.__enter__()

    def tearDown(self):
        self.location.__exit__(None, None, None)
        self.context.__exit__(None, None, None)

    def parse(self, text=ADD):
        self.module = ir.Module.parse(text)
        self.function = self.module.body.operations[0]
        self.block = self.function.regions[0].blocks[0]
        return self.module

    def says(self, kind, text, action, *arguments):
        with self.assertRaises(kind) as caught:
            action(*arguments)
        self.assertIn(text, str(caught.exception))


class Contexts(Case):
    def test_the_innermost_context_is_the_current_one(self):
        with ir.Context() as inner:
            self.assertIs(ir.Context.current, inner)
            self.assertIs(ir.Type.parse("f32").context, inner)
        self.assertIs(ir.Context.current, self.context)

    def test_without_a_context_there_is_advice(self):
        def other():
            try:
                ir.Type.parse("f32")
            except RuntimeError as error:
                said.append(str(error))

        said = []
        thread = threading.Thread(target=other)  # It has entered none.
        thread.start()
        thread.join()
        self.assertIn("with Context():", said[0])

    def test_contexts_are_left_in_order(self):
        self.says(RuntimeError, "entered last", self.context.__exit__, None, None, None)

    def test_things_of_two_contexts_do_not_mix(self):
        other = ir.Context()
        foreign = ir.Type.parse("f32", other)
        self.says(ValueError, "another context", ir.RankedTensorType.get, [2], ir.F32Type.get(),
                  ir.Attribute.parse("1 : i32", other))
        self.says(ValueError, "another context", ir.FunctionType.get, [foreign], [])

    def test_parse_errors_have_places(self):
        with self.assertRaises(ir.MLIRError) as caught:
            ir.Module.parse("module { nonsense }")
        self.assertEqual(caught.exception.message, "Unable to parse module assembly")
        diagnostic = caught.exception.error_diagnostics[0]
        self.assertEqual(diagnostic.severity, ir.DiagnosticSeverity.ERROR)
        self.assertIn("nonsense", diagnostic.message)
        self.assertIn('error: "-":1:10', str(caught.exception))

    def test_handlers_hear_of_errors(self):
        heard = []
        handler = self.context.attach_diagnostic_handler(lambda d: heard.append(str(d)) or True)
        ir.Location.file("f", 1, 2).emit_error("oops")
        handler.detach()
        self.assertEqual(heard, ["oops"])
        self.assertFalse(handler.attached)


class Reading(Case):
    def test_a_module_reads_back(self):
        self.assertIn("arith.addi %arg0, %arg1 : i32", str(self.parse()))
        self.assertEqual(self.module.operation.name, "builtin.module")
        self.assertTrue(self.module.operation.verify())

    def test_an_operation_has_parts(self):
        self.parse()
        add = self.block.operations[0]
        self.assertEqual(add.name, "arith.addi")
        self.assertEqual([str(o.type) for o in add.operands], ["i32", "i32"])
        self.assertEqual(add.result, add.results[0])
        self.assertEqual(add.parent, self.function)
        self.assertEqual(self.function.parent, self.module.operation)
        self.assertEqual(add.operands[1].arg_number, 1)
        self.assertEqual(add.operands[1].owner, self.block)
        self.assertIsInstance(add.operands[0], ir.BlockArgument)
        self.assertIsInstance(add.result, ir.OpResult)
        self.assertEqual(add.result.get_name(), "%0")
        self.assertEqual([(u.owner.name, u.operand_number) for u in add.result.uses],
                         [("func.return", 0)])
        self.assertEqual(len(self.block.operations), 2)
        self.assertEqual([op.name for op in self.block], ["arith.addi", "func.return"])
        self.assertEqual(self.block.operations[-1].name, "func.return")
        self.assertEqual(self.function.results.types, [])

    def test_one_thing_has_one_object(self):
        self.parse()
        self.assertIs(self.block.operations[0], self.block.operations[0])
        self.assertEqual(len({self.block, self.function.regions[0].blocks[0]}), 1)
        self.assertEqual(self.function.opview, self.function)

    def test_attributes_by_name_and_index(self):
        attributes = self.parse() and self.function.attributes
        self.assertEqual(attributes["sym_name"].value, "add")
        self.assertIn("function_type", attributes)
        self.assertEqual(sorted(attributes), ["function_type", "sym_name"])
        self.assertEqual(attributes[0].name, "function_type")
        attributes["extra"] = ir.UnitAttr.get()
        self.assertEqual(len(attributes), 3)
        del attributes["extra"]
        self.assertIsNone(attributes.get("extra"))
        self.assertRaises(KeyError, lambda: attributes["extra"])
        self.assertRaises(IndexError, lambda: attributes[7])

    def test_walks_have_an_order(self):
        def names(order):
            found = []
            self.module.operation.walk(lambda op: found.append(op.name), order)
            return found

        self.parse()
        inner = ["arith.addi", "func.return"]
        self.assertEqual(names(ir.WalkOrder.PRE_ORDER), ["builtin.module", "func.func", *inner])
        self.assertEqual(names(ir.WalkOrder.POST_ORDER), [*inner, "func.func", "builtin.module"])

    def test_walks_skip_and_stop(self):
        def skip(op):
            found.append(op.name)
            return ir.WalkResult.SKIP if op.name == "func.func" else ir.WalkResult.ADVANCE

        found = []
        self.parse().operation.walk(skip, ir.WalkOrder.PRE_ORDER)
        self.assertEqual(found, ["builtin.module", "func.func"])
        found = []
        self.module.operation.walk(lambda op: found.append(op.name) or ir.WalkResult.INTERRUPT)
        self.assertEqual(found, ["arith.addi"])

    def test_text_has_options(self):
        self.parse()
        generic = self.function.get_asm(print_generic_op_form=True)
        self.assertTrue(generic.startswith('"func.func"()'))
        file = io.StringIO()
        self.module.operation.print(file=file, enable_debug_info=True)
        self.assertIn("loc(", file.getvalue())
        bytecode = io.BytesIO()
        self.module.operation.write_bytecode(bytecode)
        self.assertEqual(str(ir.Module.parse(bytecode.getvalue())), str(self.module))

    def test_locations_have_parts(self):
        location = ir.Location.name("n", ir.Location.file("f.py", 3, 4))
        self.assertEqual(str(location), 'loc("n"("f.py":3:4))')
        self.assertEqual((location.name_str, location.child_loc.start_line), ("n", 3))
        fused = ir.Location.fused([location, ir.Location.file("g.py", 1, 1)])
        self.assertEqual(len(fused.locations), 2)
        self.assertRaises(ValueError, lambda: fused.filename)
        self.assertEqual(ir.Location.from_attr(location.attr), location)


class Values(Case):
    def test_types_have_classes(self):
        shaped = ir.Type.parse("tensor<2x?xf32>")
        self.assertIsInstance(shaped, ir.RankedTensorType)
        self.assertIsInstance(shaped, ir.ShapedType)
        self.assertEqual(shaped.shape, [2, ir.ShapedType.get_dynamic_size()])
        self.assertEqual(shaped.element_type, ir.F32Type.get())
        self.assertIsInstance(shaped.element_type, ir.FloatType)
        self.assertEqual(repr(ir.IntegerType.get_signed(8)), "IntegerType(si8)")
        memref = ir.MemRefType.get([2, 3], ir.F32Type.get(),
                                   ir.StridedLayoutAttr.get(5, [4, 1]),
                                   ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 3))
        self.assertEqual(str(memref), "memref<2x3xf32, strided<[4, 1], offset: 5>, 3>")
        self.assertEqual(memref.get_strides_and_offset(), ([4, 1], 5))
        self.assertEqual(str(ir.VectorType.get([4], ir.F32Type.get(), scalable=[True])),
                         "vector<[4]xf32>")
        function = ir.FunctionType.get([memref], [shaped])
        self.assertEqual((function.inputs, function.results), ([memref], [shaped]))
        self.assertEqual(ir.TupleType.get_tuple([shaped]).get_type(0), shaped)
        self.assertIs(type(ir.Type.parse("!llvm.ptr")), ir.Type)

    def test_casts_are_checked(self):
        self.says(ValueError, "Cannot cast type to IntegerType", ir.IntegerType, ir.F32Type.get())
        self.assertEqual(ir.FloatType(ir.F32Type.get()), ir.F32Type.get())
        self.assertTrue(ir.IntegerType.isinstance(ir.IntegerType.get_signless(3)))
        self.says(ValueError, "Cannot cast", ir.IntegerAttr.__new__, ir.IntegerAttr,
                  ir.StringAttr.get("x"))

    def test_bad_types_are_errors(self):
        self.says(ir.MLIRError, "Invalid type", ir.VectorType.get, [-1], ir.F32Type.get())
        self.says(ValueError, "bits", ir.IntegerType.get_signless, 1 << 30)
        self.says(ValueError, "complex", ir.ComplexType.get, ir.IndexType.get())

    def test_attributes_have_classes(self):
        expected = {
            "1 : i32": (ir.IntegerAttr, 1), "true": (ir.BoolAttr, True), '"s"': (ir.StringAttr, "s"),
            "2.5 : f64": (ir.FloatAttr, 2.5), "@f": (ir.FlatSymbolRefAttr, "f"),
            "@f::@g": (ir.SymbolRefAttr, ["f", "g"]), "-1 : si8": (ir.IntegerAttr, -1),
            "18446744073709551615 : ui64": (ir.IntegerAttr, 2**64 - 1),
            "-170141183460469231731687303715884105728 : i128": (ir.IntegerAttr, -(2**127)),
        }
        for text, (kind, value) in expected.items():
            attribute = ir.Attribute.parse(text)
            self.assertIs(type(attribute), kind, text)
            self.assertEqual(attribute.value, value, text)
        self.assertEqual(ir.Attribute.parse("affine_map<(d0, d1) -> (d1)>").value.n_dims, 2)
        self.assertEqual([a.value for a in ir.Attribute.parse("[1 : i8, 2 : i8]")], [1, 2])
        self.assertEqual(ir.DictAttr.get({"a": ir.UnitAttr.get()})["a"], ir.UnitAttr.get())
        self.assertEqual(list(ir.DenseI64ArrayAttr.get([1, -2]) + [3]), [1, -2, 3])
        self.assertEqual(list(ir.DenseBoolArrayAttr.get([True, False])), [True, False])

    def test_integers_that_do_not_fit_are_errors(self):
        i8 = ir.IntegerType.get_signless(8)
        self.assertEqual(ir.IntegerAttr.get(i8, 255).value, -1)
        self.assertRaises(OverflowError, ir.IntegerAttr.get, i8, 256)
        i200 = ir.IntegerType.get_signless(200)
        self.assertEqual(ir.IntegerAttr.get(i200, 1 << 150).value, 1 << 150)
        self.assertRaises(OverflowError, ir.DenseI8ArrayAttr.get, [128])

    def test_constants_come_from_arrays(self):
        dense = ir.DenseElementsAttr.get(array.array("f", [1.0, 2.5]))
        self.assertEqual(str(dense), "dense<[1.000000e+00, 2.500000e+00]> : tensor<2xf32>")
        self.assertEqual(list(dense), [1.0, 2.5])
        numbers = memoryview(array.array("i", range(6))).cast("B").cast("i", (2, 3))
        self.assertEqual(ir.DenseElementsAttr.get(numbers).type.shape, [2, 3])
        self.says(ValueError, "fit", lambda: ir.DenseElementsAttr.get(
            array.array("d", [1.0]), type=ir.RankedTensorType.get([2], ir.F32Type.get())))
        splat = ir.DenseElementsAttr.get_splat(ir.RankedTensorType.get([4], ir.F32Type.get()),
                                               ir.FloatAttr.get_f32(1.5))
        self.assertTrue(splat.is_splat)
        self.assertEqual((len(splat), splat[3], splat.get_splat_value().value), (4, 1.5, 1.5))

    def test_affine_maps_are_what_they_are_made_of(self):
        d0, d1 = ir.AffineDimExpr.get(0), ir.AffineExpr.get_dim(1)
        symbol = ir.AffineSymbolExpr.get(0)
        made = ir.AffineMap.get(2, 1, [d0 + symbol * 2, d1 % 4 - 1])
        self.assertEqual(str(made), "(d0, d1)[s0] -> (d0 + s0 * 2, d1 mod 4 - 1)")
        self.assertIsInstance(made.results[0], ir.AffineAddExpr)
        self.assertEqual(made.results[0].lhs, d0)
        self.assertTrue(ir.AffineMap.get_permutation([1, 0]).is_permutation)
        self.assertEqual(ir.AffineMap.get_identity(2).get_submap([1]), ir.AffineMap.get(2, 0, [d1]))
        self.says(ValueError, "does not have", ir.AffineMap.get, 1, 0, [d1])


class Changing(Case):
    def test_operations_are_made_where_the_insertion_point_is(self):
        self.parse()
        i32 = ir.IntegerType.get_signless(32)
        add = self.block.operations[0]
        with ir.InsertionPoint(add):
            made = ir.Operation.create("arith.muli", results=[i32], operands=list(add.operands))
        add.result.replace_all_uses_with(made.result)
        add.erase()
        self.assertEqual([op.name for op in self.block], ["arith.muli", "func.return"])
        self.assertTrue(self.module.operation.verify())

    def test_functions_can_be_built(self):
        module = ir.Module.create()
        i32 = ir.IntegerType.get_signless(32)
        with ir.InsertionPoint(module.body):
            function = ir.Operation.create(
                "func.func", regions=1,
                attributes={"sym_name": ir.StringAttr.get("twice"),
                            "function_type": ir.TypeAttr.get(ir.FunctionType.get([i32], [i32]))})
        block = function.regions[0].blocks.append(i32)
        with ir.InsertionPoint(block):
            x = block.arguments[0]
            double = ir.Operation.create("arith.addi", operands=[x, x], infer_type=True)
            ir.Operation.create("func.return", operands=[double])
        self.assertTrue(module.operation.verify())
        self.assertIn("func.func @twice(%arg0: i32) -> i32", str(module))
        self.assertEqual(ir.SymbolTable(module.operation)["twice"], function)
        self.assertEqual(ir.SymbolTable(module.operation).insert(function.clone(ip=False)).value,
                         "twice_0")

    def test_unknown_operations_are_refused(self):
        self.says(ValueError, "allow_unregistered_dialects", ir.Operation.create, "foo.bar")
        self.context.allow_unregistered_dialects = True
        self.assertEqual(ir.Operation.create("foo.bar").name, "foo.bar")

    def test_invalid_operations_say_why(self):
        made = ir.Operation.create("arith.addi")
        self.says(ir.MLIRError, "requires one result", made.verify)
        self.assertIn('"arith.addi"()', str(made))

    def test_operations_move(self):
        self.parse(ADD.replace("return", "%more = arith.muli %sum, %a : i32\n    return"))
        first, second, last = self.block
        second.move_before(first)
        self.assertEqual(list(self.block), [second, first, last])
        self.assertTrue(second.is_before_in_block(first))
        second.move_after(first)
        second.detach_from_parent()
        self.assertIsNone(second.parent)
        ir.InsertionPoint(last).insert(second)
        self.assertEqual(list(self.block), [first, second, last])
        self.says(ValueError, "into itself", self.block.append, self.function)

    def test_blocks_and_arguments_come_and_go(self):
        self.parse()
        argument = self.block.add_argument(ir.F32Type.get(), ir.Location.unknown())
        self.assertEqual(len(self.block.arguments), 3)
        self.block.erase_argument(2)
        self.says(RuntimeError, "gone", lambda: argument.type)
        self.says(RuntimeError, "still used", self.block.erase_argument, 0)
        after = self.block.create_after(ir.IndexType.get())
        self.assertEqual(list(self.function.regions[0]), [self.block, after])

    def test_branches_stay_in_their_region(self):
        self.parse("func.func @f() { cf.br ^next\n^next: return }")
        branch = self.block.operations[0]
        self.assertEqual(branch.successors[0], self.function.regions[0].blocks[1])
        self.says(ValueError, "successors", branch.detach_from_parent)
        self.says(ValueError, "same region", lambda: ir.Operation.create(
            "cf.br", successors=[self.block], ip=False))


class Stubs(unittest.TestCase):
    def test_stubs_name_what_there_is(self):
        path = os.path.join(os.path.dirname(ir.__file__), "ir.pyi")
        with open(path, encoding="utf-8") as file:
            stubs = {node.name: node for node in ast.parse(file.read()).body
                     if isinstance(node, ast.ClassDef)}
        for name in ir.__all__:
            kind = getattr(ir, name)
            if kind.__name__ == "DiagnosticInfo" or issubclass(kind, (int, Exception)):
                continue
            self.assertIn(name, stubs)
            has = {getattr(node, "name", None) or getattr(getattr(node, "target", None), "id", None)
                   for node in stubs[name].body}
            for member in vars(kind):
                if not member.startswith("_"):
                    self.assertIn(member, has, name)


class Checked(Case):
    def test_what_was_erased_raises(self):
        self.parse(ADD.replace("return", "%gone = arith.muli %a, %a : i32\n    return"))
        gone = self.block.operations[1]
        result = gone.result
        gone.erase()
        self.says(RuntimeError, "this operation is gone", lambda: gone.name)
        self.says(RuntimeError, "gone", lambda: result.type)
        self.assertIn("gone", repr(gone))
        self.assertNotEqual(gone, self.block.operations[0])

    def test_all_inside_goes_too(self):
        self.parse()
        add = self.block.operations[0]
        self.function.erase()
        for handle in (add, self.block):
            self.says(RuntimeError, "gone", lambda: handle.context and list(handle.operations)
                      if handle is self.block else handle.name)

    def test_used_values_keep_their_operation(self):
        self.parse()
        self.says(RuntimeError, "still used", self.block.operations[0].erase)

    def test_a_use_keeps_what_nobody_holds(self):
        self.parse()
        ret = self.block.operations[1]
        i32 = ir.IntegerType.get_signless(32)
        lone = ir.Operation.create("arith.constant", results=[i32],
                                   attributes={"value": ir.IntegerAttr.get(i32, 1)}, ip=False)
        ret.operands[0] = lone.result
        del lone
        gc.collect()
        self.assertIn("arith.constant", str(ret.operands[0].owner))
        self.says(RuntimeError, "not inserted", self.module.operation.verify)
        ret.operands[0].owner.move_before(ret)
        self.assertTrue(self.module.operation.verify())

    def test_loops_may_erase_the_current_operation(self):
        self.parse()
        for op in reversed(list(self.block)):
            op.erase()
        self.assertEqual(len(self.block.operations), 0)

    def test_loops_notice_that_the_next_was_erased(self):
        self.parse()

        def loop():
            for _ in self.block:
                self.block.operations[1].erase()

        self.says(RuntimeError, "erased in it", loop)

    def test_walks_survive_what_the_callback_does(self):
        def callback(op):
            seen.append(op.name)
            if op.name == "arith.addi":
                for use in list(op.result.uses):
                    use.owner.erase()
                op.erase()

        seen = []
        self.parse().operation.walk(callback)
        self.assertEqual(seen, ["arith.addi", "func.func", "builtin.module"])

    def test_a_module_lives_as_long_as_something_in_it(self):
        self.parse()
        add = self.block.operations[0]
        del self.module, self.function, self.block
        gc.collect()
        self.assertEqual(add.parent.attributes["sym_name"].value, "add")

    def test_handles_work_on_any_thread(self):
        def read():
            names.append([op.name for op in self.block])

        names = []
        self.parse()
        threads = [threading.Thread(target=read) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(names, [["arith.addi", "func.return"]] * 8)

    def test_classes_cannot_be_made_from_nothing(self):
        for kind in (ir.Operation, ir.Block, ir.Region, ir.Location, ir.AffineMap):
            self.says(TypeError, "no constructor", kind)


if __name__ == "__main__":
    unittest.main()
