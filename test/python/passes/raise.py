# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions of all kinds."""

import mlirplug


def divide(number):
    return 1 / number


@mlirplug.pass_("demo-raise", anchor="func.func",
                options={"function": mlirplug.String("", "The function that fails")})
def fail_in(op, run):
    """Fails in one function"""
    if op.attributes["sym_name"].value == run.options.function:
        divide(0)


@mlirplug.pass_("demo-failure")
def failure(op):
    """Says what is wrong with the input"""
    raise mlirplug.Failure("this input will not do", op)


@mlirplug.pass_("demo-exit")
def leave(op):
    """Wants to end the program"""
    raise SystemExit(3)
