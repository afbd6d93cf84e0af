# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""forbid: an error for every operation that carries an attribute."""

import mlirplug
from mlirplug import ir


@mlirplug.pass_("forbid", options={
    "attribute": mlirplug.String("forbidden", "The attribute that marks an operation")})
def forbid(op, run):
    """Refuse operations that carry an attribute"""

    def visit(inner):
        if run.options.attribute in inner.attributes:
            run.error("operation is marked forbidden", inner)
        return ir.WalkResult.ADVANCE

    op.walk(visit, ir.WalkOrder.PRE_ORDER)
