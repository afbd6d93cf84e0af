# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses the package mlirplug of this Python, with the MLIR of its wheel.

in_wheel.py ADD-TO-MUL.SO INPUT EXPECTED"""

import pathlib
import sys
import tempfile

import mlirplug
from mlirplug import ir

# The same as the plugin in C.
PASS = """
import mlirplug

@mlirplug.pass_("py-add-to-mul", options={"name": mlirplug.String("arith.addi", "What")})
def add_to_mul(op, run):
    "Turn integer additions into multiplications"
    from mlirplug import ir
    found = []
    def look(op):
        if op.name == run.options.name:
            found.append(op)
        return ir.WalkResult.ADVANCE
    op.walk(look)
    for add in found:
        with ir.InsertionPoint(add), add.location:
            new = ir.Operation.create("arith.muli", results=[r.type for r in add.results],
                                      operands=list(add.operands))
        add.results[0].replace_all_uses_with(new.results[0])
        add.erase()
"""


def run(text, pipeline):
    with ir.Context() as context, ir.Location.unknown(context):
        module = ir.Module.parse(text)
        mlirplug.run(module, pipeline)
        return str(module)


def main():
    plugin, source, wanted = sys.argv[1], *(pathlib.Path(p).read_text() for p in sys.argv[2:])
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "add_to_mul.py"
        path.write_text(PASS)
        mlirplug.load(plugin)
        mlirplug.load(path)
        for name in ("add-to-mul", "py-add-to-mul"):
            found = run(source, f"builtin.module({name})")
            if found.strip() != wanted.strip():
                sys.exit(f"in_wheel.py: {name} gives {found}")
        try:
            run(source, "builtin.module(no-such-pass)")
        except mlirplug.Error as error:
            if "no-such-pass" not in str(error):
                raise
        else:
            sys.exit("in_wheel.py: no-such-pass is not refused")


main()
