# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pass that wants to run passes."""

import mlirplug
from mlirplug import ir


@mlirplug.pass_("demo-inner", anchor="func.func")
def inner(operation):
    with ir.Context():
        module = ir.Module.parse("module {}")
        mlirplug.run(module, "builtin.module(cse)")
