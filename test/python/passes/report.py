# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a pass may report, and where."""

import mlirplug
from mlirplug import ir

kept = []


@mlirplug.pass_("demo-report", anchor="builtin.module")
def report(op, run):
    """Reports at all kinds of places"""
    run.remark("nowhere")
    run.remark("at the module", op)
    run.warning("at its location", op.location)
    run.remark("elsewhere", ir.Location.file("other.mlir", 3, 4))
    for place in (3, "text", ir.Location.unknown(ir.Context())):
        try:
            run.remark("at something else", place)
        except (TypeError, ValueError):
            run.count
        else:
            raise AssertionError(place)
    kept.append((op, run))


@mlirplug.pass_("demo-kept", anchor="builtin.module")
def use_kept(op, run):
    """Uses what another pass was given"""
    for other, its_run in kept:
        for action in (lambda: str(other), lambda: other.name, lambda: its_run.remark("late"),
                       lambda: its_run.options, lambda: run.remark("there", other)):
            try:
                action()
            except Exception:
                continue
            raise AssertionError("what was kept can be used")
    run.remark(f"kept {len(kept)}")


@mlirplug.pass_("demo-spin")
def spin(op):
    """Never ends"""
    while True:
        pass
