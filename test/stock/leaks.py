# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A run under Valgrind, which finds nothing in the tool alone."""

import shutil

from bench import Bench, Stop, expect_match, wrong
from features import INPUTS, Result
from tools import Ran, run_command

OPTIONS = ["--leak-check=full", "--show-leak-kinds=definite,possible"]


def run_valgrind(bench: Bench, *arguments: str) -> Ran:
    tool = [bench.tool.path, "--allow-unregistered-dialect", *arguments]
    command = ["valgrind", *OPTIONS, *tool, INPUTS / "counts.mlir"]
    return run_command(command, bench.environment(), bench.directory)


def summary(ran: Ran) -> str:
    """How many errors there were, leaks included."""
    return expect_match(r"ERROR SUMMARY: (\d+) errors", ran.errors, "Valgrind")[1]


def check(bench: Bench) -> None:
    if not shutil.which("valgrind"):
        raise Stop(Result("not run", "there is no valgrind"))
    alone = run_valgrind(bench, "--pass-pipeline=builtin.module(cse)")
    pipeline = "op-histogram{out=/dev/null},func.func(tag-functions,totals)"
    plugins = ("op-histogram", "tag-functions", "totals")
    loads = [f"--load-pass-plugin={bench.plugin(name)}" for name in plugins]
    ran = run_valgrind(bench, *loads, f"--pass-pipeline=builtin.module({pipeline})")
    if ran.status or int(summary(ran)) > int(summary(alone)):
        lines = [line for line in ran.errors.splitlines() if "==" in line]
        report = bench.store / "valgrind.txt"
        report.write_text("\n".join(lines) + "\n")
        raise wrong(
            f"exit status {ran.status}, {summary(ran)} errors, {summary(alone)} of the "
            f"tool alone: {report}"
        )
