# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pass for misuse.py, which uses its objects when it has ended, and in its
runs on other threads."""

import sys

import mlirplug


@mlirplug.pass_("keep", anchor="func.func")
def keep(op):
    """Keep what a pass may use in its own run only"""
    sys.modules["__main__"].CURRENT.visit(op)
