# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""add-to-mul: every arith.addi becomes an arith.muli."""

import mlirplug
from mlirplug import ir


def multiply(add):
    """A multiplication of what `add` adds, at the same place in the source. The
    flags of an addition (overflow<nsw>) need not hold for it and are dropped."""
    made = ir.Operation.create("arith.muli", results=[add.results[0].type],
                               operands=list(add.operands), loc=add.location,
                               ip=ir.InsertionPoint(add))
    add.results[0].replace_all_uses_with(made.results[0])
    add.erase()


@mlirplug.pass_("add-to-mul", dialects="arith")
def add_to_mul(op):
    """Turn integer additions into multiplications"""

    def visit(inner):
        if inner.name == "arith.addi":
            multiply(inner)
        return ir.WalkResult.ADVANCE

    # After what is inside it, so that the visited operation may go.
    op.walk(visit, ir.WalkOrder.POST_ORDER)
