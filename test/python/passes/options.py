# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An option of each kind."""

import mlirplug


@mlirplug.pass_("demo-options", anchor="builtin.module", options={
    "flag": mlirplug.Bool(True, "A truth"),
    "number": mlirplug.Int(-1, "A number", min=-10, max=10),
    "count": mlirplug.Uint(2**64 - 1, "A large number"),
    "ratio": mlirplug.Double(0.5, "A ratio"),
    "some-text": mlirplug.String("a b", "A text"),
    "mode": mlirplug.Enum("exact", "fast,exact", "One of several"),
    "numbers": mlirplug.List(mlirplug.Int(min=0), [1, 2], "Numbers"),
    "flags": mlirplug.List(mlirplug.Bool(), [], "Truths"),
    "texts": mlirplug.List(mlirplug.String(), ["x"], "Texts"),
    "modes": mlirplug.List(mlirplug.Enum("a", ["a", "b"]), ["b", "a"], "Modes"),
})
def options(op, run):
    """Writes its options down"""
    run.record({name: getattr(run.options, name) for name in sorted(vars(run.options))})
