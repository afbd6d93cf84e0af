#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long `mlirplug opt` takes on a small file, against mlir-opt-22.

Runs both, one after the other, with the same pipeline on the same file, and
prints the median of each one's wall time and of the ratios of the pairs.

usage: start_up.py [BUILD_DIRECTORY [PAIRS]]
"""

import pathlib
import statistics
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PIPELINE = "--pass-pipeline=builtin.module(func.func(canonicalize),cse)"
INPUT = SOURCE / "test/cases/04-add-to-mul/input.mlir"


def milliseconds(command):
    """The wall time of one run of `command`, which must succeed."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - begin) * 1e3


def main():
    """Measures and prints a line for each provider."""
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else SOURCE / "build")
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    theirs = ["mlir-opt-22", PIPELINE, INPUT]
    for provider in ("static", "shared"):
        ours = [build / "bin/mlirplug", "opt", f"--provider={provider}",
                PIPELINE, INPUT]
        milliseconds(ours), milliseconds(theirs)  # warm the file cache
        times = [(milliseconds(ours), milliseconds(theirs))
                 for _ in range(pairs)]
        print(f"{provider}: mlirplug {statistics.median(a for a, _ in times):.1f} ms,"
              f" mlir-opt-22 {statistics.median(b for _, b in times):.1f} ms,"
              f" ratio {statistics.median(a / b for a, b in times):.2f}"
              f" ({pairs} pairs)")


if __name__ == "__main__":
    main()
