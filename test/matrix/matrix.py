#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the same plugins on every MLIR that can be had.

    matrix.py             all of it; writes docs/compatibility.md
    matrix.py --quick     the providers that ./dev test runs
    matrix.py --only WORD the providers whose names begin with WORD
    matrix.py --update    takes what it finds as what is expected from now on

Exits with 1 if a cell is worse than expected.tsv says. What is fetched stays in
build/matrix.
"""

import argparse
import os
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import report
from build import ROOT, Broken, build_plugins, build_provider, build_stand_ins
from features import FEATURES, Result, Runner
from fetch import Unavailable, fetch_debian, fetch_wheels, wheel_sums

HERE = Path(__file__).resolve().parent


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plugins on every MLIR")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", action="append", default=[], metavar="WORD")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    return parser.parse_args()


def load_providers() -> list[dict]:
    return tomllib.loads((HERE / "providers.toml").read_text())["provider"]


def is_chosen(provider: dict, arguments: argparse.Namespace) -> bool:
    if arguments.quick and not provider.get("quick"):
        return False
    return not arguments.only or provider["name"].startswith(tuple(arguments.only))


def same_row(provider: dict, providers: list[dict], store: Path) -> str | None:
    """The row that has the release which is the newest, if one has."""
    if "like" not in provider:
        return None
    try:
        found = wheel_sums(provider["wheels"], provider["python"], store)
    except Unavailable:
        return None  # run_provider says why
    for other in providers:
        if found[0] in " ".join(other.get("wheels", [])):
            return other["name"]
    return None


def find_library(provider: dict, store: Path, build: Path) -> Path:
    """Fetches and builds the library with the C API of `provider`."""
    if "debian" in provider:
        release = provider["debian"]
        return build_provider(release, fetch_debian(release, store), store)
    if "wheels" not in provider:
        return build / provider["library"]
    tree = fetch_wheels(
        provider["name"], provider["wheels"], provider["python"], store
    )
    return tree / provider["library"]


def run_provider(
    provider: dict, store: Path, build: Path, runner: Runner
) -> report.Row:
    """A row of the matrix."""
    like = provider.get("like", "")
    row = report.Row(provider["name"], provider["title"], {}, like=like)
    try:
        library = find_library(provider, store, build)
        if not library.is_file():
            raise Unavailable(f"there is no {provider['library']}")
        preload = build_stand_ins(library)
    except Unavailable as error:
        row.unavailable = str(error)
        return row
    except Broken as error:
        broken = Result("wrong", str(error))
        row.cells = {feature.name: broken for feature in FEATURES}
        return row
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        cells = pool.map(
            lambda feature: runner.cell(library, preload, feature), FEATURES
        )
        row.cells = {feature.name: cell for feature, cell in zip(FEATURES, cells)}
    return row


def run_chosen(
    chosen: list[dict], store: Path, build: Path, runner: Runner
) -> list[report.Row]:
    """The rows of the matrix, but for a newest release that has one already."""
    rows = []
    for provider in chosen:
        print(f"{provider['name']}: {provider['title']}", flush=True)
        same = same_row(provider, load_providers(), store)
        if same:
            print(f"  is {same}")
        else:
            rows.append(run_provider(provider, store, build, runner))
    return rows


def conclude(rows: list[report.Row], arguments: argparse.Namespace) -> int:
    """Says what is worse than it was, and how much was looked at."""
    if arguments.update:
        report.save_expected(rows)
    bad, good = report.worse(rows)
    for line in bad:
        print(f"worse: {line}")
    for line in good:
        print(f"better: {line}; ./dev matrix --update keeps it so")
    total = sum(len(row.cells) for row in rows)
    skipped = len(FEATURES) * len(rows) - total
    print(f"matrix: {total - len(bad)} passed, {len(bad)} failed, {skipped} skipped")
    return 1 if bad or not total else 0


def write_document(rows: list[report.Row], plugins: dict[str, Path]) -> None:
    """Only if it would be whole."""
    if any(row.unavailable and not row.like for row in rows):
        print(f"{report.DOCUMENT.name} stays as it was, since not all could be had")
    else:
        report.DOCUMENT.write_text(report.document(rows, plugins))


def main() -> int:
    arguments = parse_arguments()
    store = ROOT / "build/matrix"
    store.mkdir(parents=True, exist_ok=True)
    plugins = build_plugins(store)
    build = arguments.build.resolve()
    runner = Runner(build / "test/run-features", plugins, store)
    chosen = [one for one in load_providers() if is_chosen(one, arguments)]
    rows = run_chosen(chosen, store, build, runner)
    text = report.table(rows, plugins)
    (store / "table.txt").write_text(text)
    print("\n" + text, flush=True)
    if len(chosen) == len(load_providers()):
        write_document(rows, plugins)
    return conclude(rows, arguments)


if __name__ == "__main__":
    sys.exit(main())
