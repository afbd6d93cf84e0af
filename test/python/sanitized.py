#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sanitized.py BUILD COMPILER [SCRIPT...]: the tests of the extension with
AddressSanitizer and UndefinedBehaviorSanitizer in it: each test/python/*/
*_test.py, or those that are named. Runs in a virtual environment with numpy,
made in the build directory. Prints a line each; ends with 1 if one fails."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from run import Result, Row, environment_make, last_line

HERE = Path(__file__).resolve().parent
NOT_ALONE = {"survey_test.py"}  # takes arguments
TIME_LIMIT = 900


def library_of(compiler, name):
    found = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True)
    path = found.stdout.strip()
    return path if os.path.isabs(path) else None


def package_make(build, directory):
    """The package with the sanitized extension, in `directory`."""
    package = directory / "mlirplug"
    shutil.copytree(build / "lib/mlirplug/python/mlirplug", package)
    shutil.copy(build / "test/python/ir/sanitized/_mlirplug.abi3.so", package)


def test(script, python, environment):
    """What it said last, and whether it went well."""
    try:
        ran = subprocess.run([python, str(script)], capture_output=True, text=True,
                             timeout=TIME_LIMIT, env=environment)
    except subprocess.TimeoutExpired:
        return f"not done in {TIME_LIMIT} seconds", False
    said = ran.stderr + ran.stdout
    good = ran.returncode == 0 and "Sanitizer" not in said and "runtime error:" not in said
    if not good:
        print(said[-6000:])
    return last_line(said), good


def main():
    build, compiler = Path(sys.argv[1]).resolve(), sys.argv[2]
    scripts = [Path(name).resolve() for name in sys.argv[3:]] or [
        path for path in sorted(HERE.glob("*/*_test.py")) if path.name not in NOT_ALONE]
    libraries = [library_of(compiler, name) for name in ("libasan.so", "libubsan.so", "libstdc++.so.6")]
    # The Python that loads a sanitizer first must be one of the system's.
    python = shutil.which("python3", path="/usr/bin:/bin")
    if None in libraries or not python:
        print("sanitized: not run (no sanitizer, or no Python of the system)")
        return 0
    row = Row("numpy for sanitizers", ["numpy"], [])
    store = build / "matrix"
    store.mkdir(parents=True, exist_ok=True)
    venv = environment_make(row, python, sys.version_info.minor, store)
    if isinstance(venv, Result):
        print(f"sanitized: not run ({venv.reason})")
        return 0
    good = True
    with tempfile.TemporaryDirectory() as directory:
        package_make(build, Path(directory))
        environment = {
            **os.environ,
            "LD_PRELOAD": " ".join(libraries),
            "PYTHONPATH": directory,
            "PYTHONMALLOC": "malloc",
            # What is freed is overwritten, so that MLIR trips over it, too.
            "ASAN_OPTIONS": "detect_leaks=0:max_free_fill_size=65536:free_fill_byte=221",
            "UBSAN_OPTIONS": "halt_on_error=1",
        }
        for script in scripts:
            said, passed = test(script, str(venv / "bin/python"), environment)
            print(f"sanitized {script.parent.name}/{script.name}: {said}", flush=True)
            good = good and passed
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
