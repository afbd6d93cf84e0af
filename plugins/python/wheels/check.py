#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the wheels: their sizes, and what they claim to run on.

check.py DIRECTORY [--tools DIRECTORY]

By the symbols of each file auditwheel says how old a system may be, and
abi3audit how old a Python; both are fetched into a virtual environment of their
own. Ends with 1 if a wheel's name claims more, or a wheel is too large."""

import argparse
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LARGEST = {"mlirplug": 1_000_000, "mlirplug_mlir22": 60_000_000}
TOOLS = ("auditwheel", "abi3audit")
# In the limited API since 3.11, and the same since 3.0: plugins/python/buffer.h.
EXCEPTIONS = {"PyObject_GetBuffer", "PyBuffer_Release"}


class Unavailable(Exception):
    """Why the tools cannot be had."""


def tools_get(directory: Path) -> Path:
    """Where the tools are, installed at the first call."""
    place = directory / "bin"
    if all((place / tool).exists() for tool in TOOLS):
        return place
    for command in (
        [sys.executable, "-m", "venv", str(directory)],
        [str(place / "python"), "-m", "pip", "install", "-q", *TOOLS],
    ):
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            lines = (ran.stderr or ran.stdout).strip().splitlines()
            raise Unavailable(lines[-1] if lines else f"{command[0]} failed")
    return place


def size_check(wheel: Path) -> bool:
    size, largest = wheel.stat().st_size, LARGEST[wheel.name.split("-")[0]]
    print(f"{wheel.name}: {size:,} bytes, at most {largest:,}")
    return size <= largest


def paths_check(wheel: Path) -> bool:
    """Nothing of the machine that it was built on is in the files."""
    good = True
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if str(ROOT).encode() in archive.read(name):
                print(f"{wheel.name}: {name} has the path {ROOT} in it")
                good = False
    return good


def tag_check(wheel: Path, tools: Path) -> bool:
    """The oldest tag that auditwheel grants is one that the name has."""
    command = [str(tools / "auditwheel"), "show", str(wheel)]
    ran = subprocess.run(command, capture_output=True, text=True)
    said = " ".join(ran.stdout.split())
    granted = re.search(r'consistent with the following platform tag: "([^"]+)"', said)
    if ran.returncode or not granted:
        print(f"{wheel.name}: auditwheel says: {ran.stdout}{ran.stderr}")
        return False
    claimed = wheel.stem.split("-")[-1].split(".")
    print(f"{wheel.name}: auditwheel grants {granted[1]}")
    if granted[1] not in claimed:
        print(ran.stdout)
        print("a function of a newer glibc belongs into core/portable/old_glibc.c")
    return granted[1] in claimed


def python_check(wheel: Path, tools: Path) -> bool:
    """Each extension keeps to the limited API of the Python in the name, but for
    the exceptions."""
    if "-abi3-" not in wheel.name:
        return True
    command = [str(tools / "abi3audit"), "--report", str(wheel)]
    ran = subprocess.run(command, capture_output=True, text=True)
    try:
        report = json.loads(ran.stdout)["specs"][str(wheel)]["wheel"]
    except (ValueError, KeyError):
        print(f"{wheel.name}: abi3audit says: {ran.stdout}{ran.stderr}")
        return False
    good = "_mlirplug.abi3.so" in {extension["name"] for extension in report}
    for extension in report:
        result = extension["result"]
        bad = {*result["non_abi3_symbols"], *result["future_abi3_objects"]} - EXCEPTIONS
        print(f"{wheel.name}: abi3audit on {extension['name']}, for {result['baseline']}: "
              f"{', '.join(sorted(bad)) or 'nothing but the exceptions'}")
        good = good and result["is_abi3"] and result["baseline"] == "3.9" and not bad
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--tools", type=Path, default=ROOT / "build/wheels/tools")
    chosen = parser.parse_args()
    wheels = [wheel for name in LARGEST for wheel in chosen.directory.glob(f"{name}-*.whl")]
    good = all([len(wheels) == 2, *map(size_check, wheels), *map(paths_check, wheels)])
    try:
        tools = tools_get(chosen.tools)
        for check in (tag_check, python_check):
            good = all([check(wheel, tools) for wheel in wheels]) and good
    except Unavailable as reason:
        print(f"{' and '.join(TOOLS)}: not run ({reason})")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
