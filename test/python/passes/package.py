# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes on the objects of the package whose module they run on."""

import time

import mlirplug
from mlirplug import ir as own


@mlirplug.pass_("demo-package", anchor="builtin.module", objects="package",
                options={"text": mlirplug.String("", "What to write down")})
def package(op, run):
    """Writes a text on the module"""
    ir = __import__(type(op).__module__, fromlist=["StringAttr"])
    with op.context:
        op.attributes["demo.text"] = ir.StringAttr.get(run.options.text)
    run.record({"class": repr(type(op))})


@mlirplug.pass_("demo-divide", objects="package")
def divide(op):
    """Fails"""
    return 1 / 0


@mlirplug.pass_("demo-forever", objects="package")
def forever(op):
    """Never ends"""
    while True:
        time.sleep(0.01)


@mlirplug.pass_("demo-own", anchor="builtin.module")
def own_objects(op, run):
    """The same with objects of mlirplug.ir"""
    names = []

    def visit(inner):
        names.append(inner.name)
        return own.WalkResult.ADVANCE

    op.walk(visit, own.WalkOrder.PRE_ORDER)
    op.attributes["demo.own"] = own.StringAttr.get(names[0])
    run.record({"operations": len(names)})
