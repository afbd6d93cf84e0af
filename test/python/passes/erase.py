# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a pass may do with operations that it erases."""

import mlirplug
from mlirplug import ir

ARITH = "arith."


def collect(op, wanted):
    found = []

    def visit(inner):
        if wanted(inner):
            found.append(inner)
        return ir.WalkResult.ADVANCE

    op.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


@mlirplug.pass_("demo-dce")
def dce(op):
    """Removes arith operations without uses"""
    for inner in reversed(collect(op, lambda one: one.name.startswith(ARITH))):
        if not any(list(result.uses) for result in inner.results):
            inner.erase()


@mlirplug.pass_("demo-erase-if")
def erase_if(op):
    """Erases each scf.if, although it is used"""
    for inner in collect(op, lambda one: one.name == "scf.if"):
        inner.erase()


@mlirplug.pass_("demo-erase-walk")
def erase_walk(op):
    """Erases what is visited before what is in it"""

    def visit(inner):
        if inner.name.startswith(ARITH) and not any(
                list(result.uses) for result in inner.results):
            inner.erase()
        return ir.WalkResult.ADVANCE

    op.walk(visit, ir.WalkOrder.PRE_ORDER)


@mlirplug.pass_("demo-keep", anchor="func.func")
def keep(op, run):
    """Keeps a handle to what it erased"""
    added = collect(op, lambda one: one.name == "arith.xori")[0]
    added.erase()
    str(added)
