# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes what jax compiles, with the wheel mlirplug and no MLIR but jax's.

in_jax.py REPLACE.SO"""

import sys

import jax
import mlirplug
import numpy


def main():
    mlirplug.load(sys.argv[1])
    x = numpy.arange(0, 8, 2, dtype=numpy.float32)
    lowered = jax.jit(lambda x: x + 1).lower(x)
    mlirplug.run(lowered.compiler_ir(),
                 "builtin.module(replace{from=stablehlo.add to=stablehlo.subtract})")
    found = lowered.compile()(x).tolist()
    if found != [-1, 1, 3, 5]:
        sys.exit(f"in_jax.py: {found}")


main()
