# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""totals: how many operations the functions of an input have, all together."""

import mlirplug
from mlirplug import ir


@mlirplug.pass_("totals", anchor="func.func",
                statistics={"functions": "Functions looked at, in all inputs"})
class Totals:
    """Count the operations of an input's functions"""

    def __init__(self):
        self.operations = 0

    def run(self, op, run):
        def count(_):
            self.operations += 1
            return ir.WalkResult.ADVANCE

        op.walk(count, ir.WalkOrder.PRE_ORDER)
        run.count("functions")

    def merge(self, other):
        """Adds what another thread's copy has counted."""
        self.operations += other.operations

    def finish(self, run):
        """The end of an input."""
        run.record({"operations": self.operations})
