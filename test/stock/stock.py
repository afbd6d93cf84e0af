#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hands plugins to other people's tools as they are.

    stock.py              all of it; writes the table in docs/stock-tools.md
    stock.py --quick      the tools that ./dev test runs
    stock.py --only WORD  the tools whose names begin with WORD
    stock.py --try NAME   only the columns of that name
    stock.py --update     takes what it finds as what is expected from now on

Exits with 1 if a cell is worse than expected.tsv says. What is fetched stays in
build/matrix.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(HERE.parent / "matrix"))

import report  # noqa: E402
from bench import Bench, Stop  # noqa: E402
from build import Broken, build_plugins  # noqa: E402
from checks import FEATURES, Feature  # noqa: E402
from features import Result  # noqa: E402
from fetch import Unavailable  # noqa: E402
from manual import MANUAL  # noqa: E402
from tools import Tool, fetch_tool, find_core, load_tools  # noqa: E402

EXPECTED = HERE / "expected.tsv"
SLOW = ("valgrind",)  # not with --quick


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plugins in stock tools")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", action="append", default=[], metavar="WORD")
    parser.add_argument("--try", action="append", default=[], metavar="NAME")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--store", type=Path, default=ROOT / "build/matrix")
    return parser.parse_args()


def is_chosen(tool: Tool, arguments: argparse.Namespace) -> bool:
    if arguments.quick and not tool.quick:
        return False
    return not arguments.only or tool.name.startswith(tuple(arguments.only))


def is_tried(feature: Feature, tool: Tool, arguments: argparse.Namespace) -> bool:
    names = getattr(arguments, "try")
    if names and feature.name not in names:
        return False
    if arguments.quick and feature.name in SLOW:
        return False
    if feature.tools:
        return tool.name in feature.tools
    return not tool.only or feature.name in tool.only


def try_feature(feature: Feature, bench: Bench) -> Result:
    """The cell: what is wrong is refused if the tool or the core said so."""
    directory = bench.directory / feature.name
    directory.mkdir()
    bench = replace(bench, directory=directory)
    try:
        return feature.check(bench) or Result("works")
    except Unavailable as error:
        return Result("not run", str(error))
    except Broken as error:
        return Result("wrong", str(error))
    except subprocess.TimeoutExpired as late:
        return Result("hangs", f"not done after {late.timeout:.0f} s")
    except Stop as stop:
        refusal = bench.refusal()
        if stop.result.word == "wrong" and refusal:
            return Result("refused", refusal)
        return stop.result


def run_tool(tool: Tool, store: Path, arguments: argparse.Namespace) -> report.Row:
    """A row of the table."""
    row = report.Row(tool.name, tool.title, {})
    build = arguments.build.resolve()
    with tempfile.TemporaryDirectory() as made:
        directory = Path(made)
        try:
            fetch_tool(tool, store)
            core = find_core(tool, build, store, directory)
        except Unavailable as error:
            row.unavailable = str(error)
            return row
        except Broken as error:
            row.cells["pass"] = Result("wrong", str(error))
            return row
        thorough = not arguments.quick and tool.name == "mlir-opt-22"
        bench = Bench(tool, build, core, store, directory, thorough)
        tried = [one for one in FEATURES if is_tried(one, tool, arguments)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            cells = pool.map(lambda feature: try_feature(feature, bench), tried)
            row.cells = {one.name: cell for one, cell in zip(tried, cells)}
    return row


# The table


def cell_text(row: report.Row, feature: Feature) -> str:
    return row.cells[feature.name].word if feature.name in row.cells else ""


def markdown(rows: list[report.Row]) -> str:
    """A line for each feature, since there are more of them than tools."""
    names = ", ".join(f"{row.name}: {row.title}" for row in rows)
    lines = [f"{names}. An empty cell was not tried.", ""]
    lines += ["| | " + " | ".join(row.name for row in rows) + " |"]
    lines.append("|---" * (len(rows) + 1) + "|")
    for feature in FEATURES:
        cells = " | ".join(cell_text(row, feature) for row in rows)
        lines.append(f"| {feature.name}: {feature.summary} | {cells} |")
    said = report.reasons(rows)
    lines += ["", *(f"- {cells}: {report.plain(why)}" for cells, why in said)]
    return "\n".join(lines) + "\n"


def terminal(rows: list[report.Row]) -> str:
    lines = [["", *(row.name for row in rows)]]
    for feature in FEATURES:
        lines.append([feature.name, *(cell_text(row, feature) for row in rows)])
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = "".join(
        "  ".join(map(str.ljust, line, widths)).rstrip() + "\n" for line in lines
    )
    said = report.reasons(rows)
    return text + "".join(f"{cells}\n    {why}\n" for cells, why in said)


def write_manual(rows: list[report.Row]) -> None:
    """Between the marks, and only if the table would be whole."""
    if any(row.unavailable for row in rows):
        print(f"{MANUAL.name} stays as it was, since not all could be had")
        return
    marks = r"(<!-- table:[^\n]*-->\n).*?(<!-- end -->)"
    table = markdown(rows)
    text, count = re.subn(
        marks, lambda m: m[1] + table + m[2], MANUAL.read_text(), flags=re.S
    )
    if count != 1:
        raise Broken(f"{MANUAL.name} has no marks for the table")
    MANUAL.write_text(text)


def conclude(rows: list[report.Row], arguments: argparse.Namespace) -> int:
    """Says what is worse than it was, and how much was looked at."""
    if arguments.update:
        report.save_expected(rows, EXPECTED)
    bad, good = report.worse(rows, EXPECTED)
    for line in bad:
        print(f"worse: {line}")
    for line in good:
        print(f"better: {line}; ./dev stock --update keeps it so")
    total = sum(len(row.cells) for row in rows)
    skipped = sum(bool(row.unavailable) for row in rows)
    print(f"stock: {total - len(bad)} passed, {len(bad)} failed, {skipped} skipped")
    return 1 if bad or not total else 0


def main() -> int:
    arguments = parse_arguments()
    store = arguments.store.absolute()
    store.mkdir(parents=True, exist_ok=True)
    build_plugins(store)
    rows = []
    for tool in load_tools():
        if is_chosen(tool, arguments):
            print(f"{tool.name}: {tool.title}", flush=True)
            rows.append(run_tool(tool, store, arguments))
    print("\n" + terminal(rows), flush=True)
    whole = not (arguments.quick or arguments.only or getattr(arguments, "try"))
    if whole:
        write_manual(rows)
    return conclude(rows, arguments)


if __name__ == "__main__":
    sys.exit(main())
