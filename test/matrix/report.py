# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The matrix as a table, as docs/compatibility.md, and against expected.tsv."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from features import FEATURES, Result, shorten

HERE = Path(__file__).resolve().parent
EXPECTED = HERE / "expected.tsv"
DOCUMENT = HERE.parent.parent / "docs/compatibility.md"

# From best to worst.
WORDS = ["works", "refused", "not run", "wrong", "hangs", "crashed"]


@dataclass
class Row:
    """A provider and what became of it: cells, or the reason for none."""

    name: str
    title: str
    cells: dict[str, Result]
    unavailable: str = ""
    like: str = ""  # the row whose results are expected, if not its own


def plain(text: str) -> str:
    """`text` without the directories of this machine."""
    return re.sub(r"/(?:[^\s/'\")]+/)+", "", text)


def reasons(rows: list[Row]) -> list[tuple[str, str]]:
    """What there is to say of cells, once for all cells that it is true of."""
    said: dict[str, list[str]] = {}
    for row in rows:
        if row.unavailable:
            said.setdefault(f"not run: {row.unavailable}", []).append(row.name)
        of_row: dict[str, list[str]] = {}
        for feature, result in row.cells.items():
            if result.reason:
                text = f"{result.word}: {shorten(result.reason)}"
                of_row.setdefault(text, []).append(feature)
        for text, features in of_row.items():
            every = len(features) == len(row.cells)
            cells = "all" if every else ", ".join(features)
            said.setdefault(text, []).append(f"{row.name} ({cells})")
    return [(", ".join(cells), text) for text, cells in said.items()]


def sums(plugins: dict[str, Path]) -> list[tuple[str, str]]:
    """The plugins with their SHA-256."""
    return [
        (path.name, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in plugins.values()
    ]


def cell_word(row: Row, feature: str) -> str:
    return row.cells[feature].word if feature in row.cells else "not run"


# The table


def table(rows: list[Row], plugins: dict[str, Path]) -> str:
    """For the terminal."""
    names = [feature.name for feature in FEATURES]
    lines = [["", *names]]
    lines += [[row.name, *(cell_word(row, name) for name in names)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = "".join(
        "  ".join(map(str.ljust, line, widths)).rstrip() + "\n" for line in lines
    )
    text += "\n" + "".join(f"{cells}\n    {why}\n" for cells, why in reasons(rows))
    return text + "\n" + "".join(f"{sum}  {name}\n" for name, sum in sums(plugins))


# The document

HEADING = """\
# Compatibility

<!-- Written by ./dev matrix; do not edit. -->

The same plugin files, compiled once, on every MLIR that the tests can get: Debian's packages and the libraries inside
Python wheels. `./dev matrix` fetches them (nothing is installed), runs each plugin in a process of its own on each of
them and compares what it did with what it should have done.

| word | meaning |
|---|---|
| works | it did exactly what it should |
| refused | it was refused before it ran, with a reason, which stands below |
| not run | there is nothing to run it on: below |
| wrong, hangs, crashed | a bug |
"""


def document(rows: list[Row], plugins: dict[str, Path]) -> str:
    """docs/compatibility.md, without rows that change from day to day."""
    rows = [row for row in rows if not row.like]
    names = [feature.name for feature in FEATURES]
    lines = [HEADING]
    lines.append("| provider | " + " | ".join(names) + " |")
    lines.append("|---" * (len(names) + 1) + "|")
    for row in rows:
        cells = " | ".join(cell_word(row, name) for name in names)
        lines.append(f"| {row.title} | {cells} |")
    lines += ["", "| column | what is tried |", "|---|---|"]
    lines += [f"| {feature.name} | {feature.summary} |" for feature in FEATURES]
    lines += ["", "## Reasons", ""]
    lines += [f"- {cells}: {plain(why)}" for cells, why in reasons(rows)]
    lines += ["", "## Plugins", "", "| file | SHA-256 |", "|---|---|"]
    lines += [f"| {name} | `{sum}` |" for name, sum in sums(plugins)]
    return "\n".join(lines) + "\n"


# What is expected


def load_expected(path: Path = EXPECTED) -> dict[tuple[str, str], Result]:
    """The results by provider and feature."""
    if not path.is_file():
        return {}
    lines = path.read_text().splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    return {(row[0], row[1]): Result(row[2], count=int(row[3])) for row in rows}


def save_expected(rows: list[Row], path: Path = EXPECTED) -> None:
    """Writes what was found; what was not looked at stays as it was."""
    expected = load_expected(path)
    for row in rows:
        for feature, result in row.cells.items():
            if not row.like:
                expected[row.name, feature] = result
    lines = ["provider\tfeature\tresult\tcount"]
    for (provider, feature), result in expected.items():
        lines.append(f"{provider}\t{feature}\t{result.word}\t{result.count}")
    path.write_text("\n".join(lines) + "\n")


def badness(result: Result) -> tuple[int, int]:
    """Greater for what is worse."""
    return WORDS.index(result.word), -result.count


def result_text(result: Result) -> str:
    return f"{result.word} ({result.count})" if result.count else result.word


def worse(
    rows: list[Row], path: Path = EXPECTED
) -> tuple[list[str], list[str]]:
    """What is worse than expected, and what is better, a line each."""
    expected = load_expected(path)
    bad, good = [], []
    for row in rows:
        for feature, result in row.cells.items():
            before = expected.get((row.like or row.name, feature), Result("works"))
            text = f"{result_text(result)}, expected {result_text(before)}"
            if badness(result) > badness(before):
                bad.append(f"{row.name} {feature}: {text}")
            elif badness(result) < badness(before):
                good.append(f"{row.name} {feature}: {text}")
    return bad, good
