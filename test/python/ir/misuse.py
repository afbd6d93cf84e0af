#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses objects of mlirplug.ir in wrong ways, at random: erased operations,
those of other contexts, of passes that have ended, on other threads.

misuse.py [SEED [COUNT]]

Every step may raise; none may crash. To be run with a sanitizer underneath.
Prints how many steps raised, by exception."""

import collections
import os
import random
import sys
import threading

import mlirplug
from mlirplug import ir

TEXT = """
module {
  func.func @loop(%a: memref<?xf32>, %n: index) -> f32 {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %init = arith.constant 0.0 : f32
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> f32 {
      %x = memref.load %a[%i] : memref<?xf32>
      %next = arith.addf %acc, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @branch(%c: i1, %x: i32) -> i32 {
    cf.cond_br %c, ^one, ^two(%x : i32)
  ^one:
    %k = arith.constant 7 : i32
    cf.br ^two(%k : i32)
  ^two(%r: i32):
    return %r : i32
  }
  func.func @pair(%c: i1) -> (i32, i32) {
    %a, %b = scf.if %c -> (i32, i32) {
      %p = arith.constant 1 : i32
      scf.yield %p, %p : i32, i32
    } else {
      %q = arith.constant 2 : i32
      scf.yield %q, %q : i32, i32
    }
    return %a, %b : i32, i32
  }
}
"""

ATTRIBUTES = [
    "1 : i32", "-3 : i64", "true", '"text"', "[1, 2.0, @f]", "{a = 1 : i8, b}", "@f::@g", "unit",
    "affine_map<(d0, d1)[s0] -> (d1, d0 + s0)>", "dense<[1, 2, 3]> : tensor<3xi32>", "f32",
    "array<i32: 1, 2>", "dense<1.5> : tensor<4xf32>", "2.5 : f64", "123456789012345678901 : i128",
    "array<i1: true>", "array<f64: 1.0>", "strided<[?, 1], offset: 3>", "loc(unknown)",
    "#arith.fastmath<fast>", "dense<true> : tensor<2xi1>", "affine_set<(d0) : (d0 >= 0)>",
]
TYPES = [
    "f32", "i1", "ui8", "index", "tensor<2x?xf32>", "memref<4x4xf32, strided<[?, 1], offset: ?>>",
    "vector<4x[4]xf32>", "(i32, f32) -> i1", "tuple<i32, f32>", "complex<f32>", "tensor<*xf32>",
    "memref<*xi8>", "none", "!llvm.ptr", "bf16", "memref<2xf32, 3>",
]


CURRENT = None  # For the pass.


class Misuse:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.outcomes = collections.Counter()
        self.handles = []
        self.values = []
        self.contexts = [ir.Context(), ir.Context()]
        self.contexts[1].allow_unregistered_dialects = True
        for context in self.contexts:
            self.refill(context)

    def refill(self, context):
        self.add(ir.Module.parse(TEXT, context))
        for text in self.random.sample(ATTRIBUTES, 6):
            self.add(ir.Attribute.parse(text, context))
        for text in self.random.sample(TYPES, 4):
            self.add(ir.Type.parse(text, context))
        self.add(ir.Location.file("f.py", 1, 2, context=context))
        self.add(ir.AffineExpr.get_dim(self.random.randrange(3), context))

    def add(self, thing):
        """Remembers what could be of use later; the oldest are forgotten."""
        if isinstance(thing, (list, tuple)):
            for each in thing[:4]:
                self.add(each)
        elif type(thing).__module__ in ("mlirplug.ir", "mlirplug._ir"):
            self.handles.append(thing)
            if len(self.handles) > 400:
                del self.handles[self.random.randrange(len(self.handles))]

    def any(self, *kinds):
        """Some object, mostly one of these classes."""
        pool = self.handles
        if kinds and self.random.random() < 0.95:
            pool = [thing for thing in pool if isinstance(thing, kinds)] or pool
        return self.random.choice(pool)

    def number(self):
        return self.random.choice([0, 0, 1, 1, 2, 3, -1, 7, 64, 100, 1 << 31, -(1 << 63), 1 << 70])

    def argument(self):
        choice = self.random.random()
        if choice < 0.2:
            return self.number()
        if choice < 0.3:
            return self.random.choice([None, True, "f", "sym_name", "arith.addi", b"x", 1.5, "\ud800"])
        if choice < 0.4:
            return [self.any() for _ in range(self.random.randrange(4))]
        if choice < 0.45:
            return [self.number() for _ in range(self.random.randrange(4))]
        return self.any()

    def attempt(self, action, *arguments, **keywords):
        try:
            result = action(*arguments, **keywords)
        except RecursionError:
            raise
        except Exception as error:  # noqa: BLE001: any is right but a crash
            self.outcomes[type(error).__name__] += 1
            return None
        self.outcomes["done"] += 1
        self.add(result)
        return result

    # Steps

    def step_attribute(self):
        thing = self.any()
        names = [name for name in dir(thing) if not name.startswith("__")]
        name = self.random.choice(names)
        if name in ("print", "dump", "write_bytecode", "enable_multithreading",
                    "attach_diagnostic_handler", "emit_error", "walk"):
            return
        value = self.attempt(getattr, thing, name)
        if callable(value) or (value is None and hasattr(type(thing), name)):
            count = self.random.choice([0, 1, 1, 1, 2, 2, 3])
            self.attempt(lambda: getattr(thing, name)(*(self.argument() for _ in range(count))))

    def step_read(self):
        thing = self.any()
        action = self.random.choice([
            str, repr, hash, len, list, iter, bool, int,
            lambda x: x == self.any(), lambda x: x[self.number()], lambda x: x[1:],
            lambda x: x + self.any(), lambda x: x * 3, lambda x: x % 2, lambda x: self.any() in x,
            lambda x: next(iter(x)), lambda x: x.parent, lambda x: x.owner, lambda x: x.operands,
        ])
        self.attempt(action, thing)

    def step_navigate(self):
        op = self.any(ir.Operation, ir.Module)
        op = self.attempt(lambda: op.operation) or op
        for _ in range(3):
            block = self.attempt(lambda: self.random.choice(
                [b for r in op.regions for b in r.blocks]))
            op = block and self.attempt(lambda: self.random.choice(list(block.operations)))
            if not op:
                return
            self.attempt(lambda: list(op.operands))
            self.attempt(lambda: list(op.results))
            self.attempt(lambda: list(block.arguments))

    def step_erase(self):
        op = self.any(ir.Operation)
        self.attempt(self.random.choice([
            lambda: op.erase(), lambda: op.detach_from_parent(), lambda: op.erase(),
            lambda: op.block.erase_argument(self.number()),
        ]))

    def step_move(self):
        op, other = self.any(ir.Operation), self.any(ir.Operation)
        self.attempt(self.random.choice([
            lambda: op.move_before(other), lambda: op.move_after(other),
            lambda: self.any(ir.Block).append(op), lambda: self.any(ir.InsertionPoint).insert(op),
            lambda: op.clone(ip=self.random.choice([False, None, ir.InsertionPoint(other)])),
            lambda: self.any(ir.Block).append_to(self.any(ir.Region)),
            lambda: ir.InsertionPoint(op).insert(other),
        ]))

    def step_values(self):
        one, two = self.any(ir.Value), self.any(ir.Value)
        op = self.any(ir.Operation)

        def assign():
            op.operands[self.random.randrange(3)] = one

        self.attempt(self.random.choice([
            lambda: one.replace_all_uses_with(two), lambda: list(one.uses), assign,
            lambda: op.replace_uses_of_with(one, two), lambda: one.set_type(self.any(ir.Type)),
            lambda: one.replace_all_uses_except(two, op), lambda: one.get_name(),
        ]))

    def step_create(self):
        name = self.random.choice(
            ["arith.addi", "arith.constant", "func.return", "scf.if", "foo.bar", "cf.br", "builtin.module",
             "func.func", "linalg.generic", "scf.yield", "arith.cmpi", "memref.load", ""])
        operands = [self.any(ir.Value) for _ in range(self.random.randrange(3))]
        attributes = {key: self.any(ir.Attribute) for key in
                      self.random.sample(["value", "predicate", "a", "sym_name", "function_type"],
                                         self.random.randrange(3))}
        blocks = [self.any(ir.Block)] if self.random.random() < 0.2 else None
        ip = self.random.choice([None, False, self.any(ir.InsertionPoint)])
        self.attempt(lambda: ir.Operation.create(
            name, results=[self.any(ir.Type) for _ in range(self.random.randrange(3))],
            operands=operands, attributes=attributes, successors=blocks,
            regions=self.random.choice([0, 0, 1, 2]), loc=self.any(ir.Location), ip=ip))

    def step_insertion_point(self):
        self.attempt(self.random.choice([
            lambda: ir.InsertionPoint(self.any(ir.Block)),
            lambda: ir.InsertionPoint(self.any(ir.Operation)),
            lambda: ir.InsertionPoint.at_block_begin(self.any(ir.Block)),
            lambda: ir.InsertionPoint.at_block_terminator(self.any(ir.Block)),
            lambda: ir.InsertionPoint.after(self.any(ir.Operation)),
        ]))

    def step_blocks(self):
        block, region = self.any(ir.Block), self.any(ir.Region)
        kind = self.any(ir.Type)
        self.attempt(self.random.choice([
            lambda: block.create_before(kind), lambda: block.create_after(kind, kind),
            lambda: ir.Block.create_at_start(region, [kind]), lambda: region.blocks.append(kind),
            lambda: block.add_argument(kind, self.any(ir.Location)), lambda: list(block),
        ]))

    def step_attributes(self):
        op = self.any(ir.Operation)
        key = self.random.choice(["sym_name", "value", "a", "function_type", "operandSegmentSizes"])

        def assign():
            op.attributes[key] = self.any(ir.Attribute)

        def delete():
            del op.attributes[key]

        self.attempt(self.random.choice([assign, assign, delete, lambda: list(op.attributes.items())]))

    def step_check(self):
        op = self.any(ir.Operation)
        self.attempt(self.random.choice([
            lambda: op.verify(), lambda: str(op), lambda: op.get_asm(print_generic_op_form=True),
            lambda: op.get_asm(enable_debug_info=True, use_local_scope=True),
            lambda: op.write_bytecode(open("/dev/null", "wb")),
        ]))

    def step_walk(self):
        op = self.any(ir.Operation)

        def callback(visited):
            self.add(visited)
            if self.random.random() < 0.15:
                self.random.choice([self.step_erase, self.step_move, self.step_values,
                                    lambda: self.attempt(visited.erase)])()
            return self.random.choice(list(ir.WalkResult) + [ir.WalkResult.ADVANCE] * 8)

        self.attempt(op.walk, callback, self.random.choice(list(ir.WalkOrder)))

    def step_loop(self):
        block = self.any(ir.Block)

        def loop():
            for op in block:
                self.add(op)
                if self.random.random() < 0.3:
                    self.random.choice([self.step_erase, self.step_move])()

        self.attempt(loop)

    def step_cast(self):
        classes = [c for c in vars(ir).values()
                   if isinstance(c, type) and issubclass(c, (ir.Attribute, ir.Type, ir.Value,
                                                             ir.AffineExpr))]
        chosen = self.random.choice(classes)
        self.attempt(chosen, self.any(ir.Attribute, ir.Type, ir.Value))
        makers = [name for name in dir(chosen) if name.startswith("get")]
        if makers:
            maker = getattr(chosen, self.random.choice(makers))
            arguments = [self.argument() for _ in range(self.random.randrange(4))]
            with self.random.choice(self.contexts), ir.Location.unknown():
                self.attempt(maker, *arguments)

    def step_with(self):
        thing = self.any(ir.Context, ir.Location, ir.InsertionPoint)

        def enter():
            with thing:
                self.step_create()
                self.step_cast()

        self.attempt(enter)

    def step_forget(self):
        self.random.shuffle(self.handles)
        del self.handles[self.random.randrange(100, 300):]
        if self.random.random() < 0.05:
            self.contexts[0] = ir.Context()
        self.refill(self.random.choice(self.contexts))

    def visit(self, op):
        """What the pass does."""
        self.add(op)
        for region in op.regions:
            for block in region.blocks:
                self.add(block)
                for inner in block.operations:
                    self.add(inner)
        for _ in range(5):
            self.attempt(self.random.choice(self.steps))

    def step_pass(self):
        if self.random.random() < 0.3:
            target = self.any(ir.Operation, ir.Module)
        else:
            target = ir.Module.parse(TEXT, self.random.choice(self.contexts))
            self.add(target)
        self.attempt(mlirplug.run, target, "builtin.module(func.func(keep,canonicalize))")

    def step_thread(self):
        steps = [self.random.choice(self.steps) for _ in range(3)]
        threads = [threading.Thread(target=self.attempt, args=[step]) for step in steps]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def run(self, count):
        weights = {"step_forget": 0.05, "step_thread": 0.1, "step_pass": 0.1, "step_erase": 0.5}
        names = [name for name in dir(self) if name.startswith("step_")]
        # Waiting for the threads of one context on those of another may take for
        # ever: a pass parses nothing and runs no passes.
        waiting = ("step_thread", "step_pass", "step_forget", "step_check")
        self.steps = [getattr(self, name) for name in names if name not in waiting]
        chosen = self.random.choices(names, [weights.get(name, 1) for name in names], k=count)
        for index, name in enumerate(chosen):
            if TRACE:
                print(index, name, file=sys.stderr, flush=True)
            self.attempt(getattr(self, name))


TRACE = len(sys.argv) > 3


def main():
    global CURRENT
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    sys.setswitchinterval(1e-5)
    mlirplug.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "keep.py"))
    CURRENT = misuse = Misuse(seed)
    misuse.run(count)
    outcomes = ", ".join(f"{count} {name}" for name, count in misuse.outcomes.most_common())
    misuse.handles.clear()
    print(f"seed {seed}: {outcomes}")


if __name__ == "__main__":
    main()
