# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses the plugins that the package of examples/python-package brings.

with_package.py INPUT"""

import pathlib
import sys

import mlirplug
from mlirplug import ir


def main():
    mlirplug.load_packages()
    text = pathlib.Path(sys.argv[1]).read_text()
    with ir.Context() as context, ir.Location.unknown(context):
        module = ir.Module.parse(text)
        result = mlirplug.run(module, "builtin.module(func.func(mark-functions),count-marked)")
    if [record["marked"] for record in result.records] != [1]:
        sys.exit(f"with_package.py: {result.records}")


main()
