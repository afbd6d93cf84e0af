#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What plugin directories cost `mlirplug opt`, against an empty one.

Makes a directory of 1,000 plugins with a pass each, and one of 100,000 files
that are none, and runs the command on a small file with each of them and with
an empty directory, one after the other. Prints the median of the pairs'
differences in wall time and in processor time.

usage: scan.py [BUILD_DIRECTORY [PAIRS]]
"""

import os
import pathlib
import statistics
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
INPUT = SOURCE / "test/cases/04-add-to-mul/input.mlir"
PLUGINS, JUNK = 1000, 100000
PASS = b"add-to-mul"


def plugins_make(template, directory):
    """Fills `directory` with plugins that differ in the name of their pass."""
    content = template.read_bytes()
    assert content.count(PASS + b"\0")
    directory.mkdir()
    for number in range(PLUGINS):
        name = f"pass-{number:05}".encode()
        plugin = content.replace(PASS + b"\0", name + b"\0")
        (directory / f"plugin-{number:04}.so").write_bytes(plugin)


def junk_make(directory):
    """Fills `directory` with files that do not look like plugins."""
    directory.mkdir()
    for number in range(JUNK):
        (directory / f"junk-{number}.txt").touch()


def run(command, environment):
    """Wall time and processor time of one run in milliseconds."""
    output = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    begin = time.perf_counter()
    child = os.posix_spawn(command[0], command, environment,
                           file_actions=output)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - begin
    assert status == 0, f"{command} failed"
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3


def compare(what, command, directory, empty, environment, pairs):
    """Prints what `directory` costs over the empty one."""
    costs = []
    for _ in range(pairs):
        ours = run([*command, f"--plugin-dir={directory}"], environment)
        theirs = run([*command, f"--plugin-dir={empty}"], environment)
        costs.append([a - b for a, b in zip(ours, theirs)])
    wall, processor = (statistics.median(column) for column in zip(*costs))
    print(f"{what}: {wall:+.2f} ms wall, {processor:+.2f} ms processor"
          f" ({pairs} pairs)")


def main():
    """Makes the directories and measures."""
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else SOURCE / "build")
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    command = [str(build / "bin/mlirplug"), "opt", "--no-default-plugins",
               str(INPUT)]
    with tempfile.TemporaryDirectory() as root:
        root = pathlib.Path(root)
        environment = {**os.environ, "XDG_CACHE_HOME": str(root / "cache")}
        empty = root / "empty"
        empty.mkdir()
        plugins_make(build / "examples/add-to-mul.so", root / "plugins")
        junk_make(root / "junk")
        (empty / "one.so").write_bytes(
            (build / "examples/add-to-mul.so").read_bytes())
        time.sleep(3)  # What was changed just now is not kept.
        compare("1,000 plugins, each read", [*command, "--no-cache"],
                root / "plugins", empty, environment, max(pairs // 10, 3))
        run([*command, f"--plugin-dir={root / 'plugins'}"], environment)
        compare("1,000 plugins, unchanged", command, root / "plugins", empty,
                environment, pairs)
        compare("100,000 files that are no plugins", command, root / "junk",
                empty, environment, max(pairs // 10, 3))


if __name__ == "__main__":
    main()
