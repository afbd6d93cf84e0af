# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands of docs/stock-tools.md, run as they stand there."""

import os
import re
from pathlib import Path

from bench import Bench, expect, wrong
from tools import run_command

ROOT = Path(__file__).resolve().parent.parent.parent
MANUAL = ROOT / "docs/stock-tools.md"


def section(title: str) -> str:
    pattern = rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)"
    found = re.search(pattern, MANUAL.read_text(), re.M | re.S)
    if not found:
        raise wrong(f"{MANUAL.name} has no section '{title}'")
    return found[1]


def sessions(title: str) -> list[tuple[str, str]]:
    """The commands of a section, each with the output that is shown, if any."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", section(title), re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def tree(bench: Bench) -> Path:
    """Where the paths of the manual lead to this build and this tool."""
    root = bench.directory / "manual"
    (root / "bin").mkdir(parents=True, exist_ok=True)
    links = {"build": bench.build, "examples": ROOT / "examples", "test": ROOT / "test"}
    if bench.tool.wheels:
        links["xtc"] = bench.tool.tree
    for name, target in links.items():
        if not (root / name).is_symlink():
            (root / name).symlink_to(target)
    return root


# The names that packages install, by the name of the file.
NAMES = {
    "mlir-opt": ["mlir-opt-22", "mlir-opt"],
    "fir-opt": ["fir-opt-22"],
    "flang-22": ["flang-new-22"],
    "bbc": ["bbc-22"],
    "tco": ["tco-22"],
    "iree-opt": ["iree-opt"],
}


def link_tools(bench: Bench, directory: Path) -> None:
    """As a shell would find them; scripts, since tools look beside themselves."""
    for file, names in NAMES.items():
        program = bench.tool.path.with_name(file)
        for name in names if program.is_file() else []:
            script = directory / name
            script.write_text(f'#!/bin/sh\nexec "{program}" "$@"\n')
            script.chmod(0o755)


def check(bench: Bench) -> None:
    root = tree(bench)
    link_tools(bench, root / "bin")
    environment = bench.tool.environment()
    environment["MLIRPLUG_LIBRARY"] = f"{root}/build/lib/libmlirplug.so.1"
    environment["PATH"] = f"{root / 'bin'}:{os.environ['PATH']}"
    commands = sessions(bench.tool.section)
    if not commands:
        raise wrong(f"the section '{bench.tool.section}' has no commands")
    for command, output in commands:
        shell = ["bash", "-c", f"exec 2>&1; {command}"]
        bench.last = run_command(shell, environment, root)
        expect(bench.last.status, 0, f"{command}: {bench.last.output}")
        if output:
            expect(bench.last.output, output, command)
