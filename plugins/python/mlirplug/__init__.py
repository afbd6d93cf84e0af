# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR passes in Python, and C plugins in other people's Python.

A pass in a .py file, for `mlirplug opt --load-pass-plugin=FILE.py` or a
directory of plugins:

    import mlirplug

    @mlirplug.pass_("tag-kernels", anchor="func.func",
                    options={"limit": mlirplug.Int(10, "At most so many")})
    def tag_kernels(op, run):
        ...

Plugins on modules of jax, iree, torch_mlir, circt or mlir, in place:

    mlirplug.load("my_pass.so")
    mlirplug.run(module, "builtin.module(my-pass)")
"""

from ._columns import columns
from ._host import Diagnostic, Pass, Plugin, Result, list, load, load_directory, load_packages, pipeline, run
from ._mlirplug import Error, version
from ._options import Bool, Double, Enum, Int, List, Option, String, Uint
from ._passes import Failure, pass_

__version__ = version()
__all__ = [
    "Bool", "Diagnostic", "Double", "Enum", "Error", "Failure", "Int", "List", "Option", "Pass", "Plugin",
    "Result", "String", "Uint", "columns", "list", "load", "load_directory", "load_packages", "pass_", "pipeline", "run",
    "version",
]
