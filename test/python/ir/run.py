#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py BUILD COMPILER: the tests of mlirplug.ir on every Python that is
found, with the same extension; the survey of test/kernels; 10,000 misuses with
the extension under sanitizers. Prints a line each; ends with 1 if one fails."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from run import MINORS, python_find  # noqa: E402

SEEDS = range(1, 5)
COUNT = 2500  # of misuses for each seed, 10,000 in all
TIME_LIMIT = 120


def run(command, environment):
    """The last line that it said, and whether it went well."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT,
                             env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return f"not done in {TIME_LIMIT} seconds", False
    said = (ran.stdout + ran.stderr).strip()
    if ran.returncode:
        print(said[-4000:])
    return said.splitlines()[-1] if said else "", ran.returncode == 0


def test_on(build, minor):
    python = python_find(minor)
    if not python:
        return "not run (no such Python)", True
    path = build / "lib/mlirplug/python"
    return run([python, str(HERE / "ir_test.py")], {"PYTHONPATH": str(path)})


def library_of(compiler, name):
    found = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True)
    path = found.stdout.strip()
    return path if os.path.isabs(path) else None


def test_misuse(build, compiler):
    extension = build / "test/python/ir/sanitized/_mlirplug.abi3.so"
    libraries = [library_of(compiler, name) for name in ("libasan.so", "libubsan.so",
                                                         "libstdc++.so.6")]
    # The Python that loads a sanitizer first must be one of the system's.
    python = shutil.which("python3", path="/usr/bin:/bin")
    if not extension.exists() or None in libraries or not python:
        yield "not run (no sanitizer, or no Python of the system)", True
        return
    with tempfile.TemporaryDirectory() as directory:
        package = Path(directory) / "mlirplug"
        shutil.copytree(build / "lib/mlirplug/python/mlirplug", package)
        shutil.copy(extension, package)
        environment = {
            "LD_PRELOAD": " ".join(libraries), "PYTHONPATH": directory, "PYTHONMALLOC": "malloc",
            # What is freed is overwritten, so that MLIR trips over it, too.
            "ASAN_OPTIONS": "detect_leaks=0:max_free_fill_size=65536:free_fill_byte=221",
            "UBSAN_OPTIONS": "halt_on_error=1",
        }
        for seed in SEEDS:
            command = [python, "-s", str(HERE / "misuse.py"), str(seed), str(COUNT)]
            yield run(command, environment)


def main():
    build, compiler = Path(sys.argv[1]), sys.argv[2]
    good = True
    for minor in MINORS:
        said, passed = test_on(build, minor)
        print(f"python3.{minor}: {said}")
        good = good and passed
    said, passed = run([sys.executable, str(HERE / "survey_test.py"), str(build)], {})
    print(f"survey: {said}")
    good = good and passed
    for said, passed in test_misuse(build, compiler):
        print(f"misuse: {said}")
        good = good and passed
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
