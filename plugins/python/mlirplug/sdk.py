# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What plugins in C are compiled with, and what other tools are given.

    cc -shared -fPIC $(python -m mlirplug.sdk --cflags) pass.c -o pass.so
    MLIRPLUG_LIBRARY=$(python -m mlirplug.sdk --library) mlir-opt-22 \\
        --load-pass-plugin=pass.so ..."""

import os
import sys

def _prefix() -> str:
    """The directory with include/ and lib/: the package itself if pip installed
    it, else what the package is in, lib/mlirplug/python/mlirplug."""
    package = os.path.dirname(os.path.abspath(__file__))
    above = os.path.normpath(os.path.join(package, *[os.pardir] * 4))
    return package if os.path.isdir(os.path.join(package, "include")) else above


def include_directory() -> str:
    """The directory with the headers, <mlirplug/plugin.h>."""
    return os.path.join(_prefix(), "include")


def cflags() -> list:
    """What a C or C++ compiler needs for a plugin beside -shared and -fPIC."""
    return ["-I" + include_directory(), "-fvisibility=hidden"]


def library() -> str:
    """libmlirplug, for MLIRPLUG_LIBRARY."""
    return os.path.join(_prefix(), "lib", "libmlirplug.so.1")


def _main(arguments: list) -> int:
    answers = {"--cflags": " ".join(cflags()), "--library": library(),
               "--include-directory": include_directory()}
    if len(arguments) != 1 or arguments[0] not in answers:
        print("usage: python -m mlirplug.sdk", " | ".join(answers), file=sys.stderr)
        return 2
    print(answers[arguments[0]])
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
