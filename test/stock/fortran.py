# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops in Fortran: compiled by flang, surveyed by a plugin."""

import re
from collections import Counter
from pathlib import Path

from bench import Bench, expect, expect_match, wrong
from tools import run_command

SOURCE = Path(__file__).resolve().parent / "loops.f90"

# The loops of each subroutine, as one reads them in the source.
LOOPS = {"saxpy": 1, "dot": 1, "stencil": 2, "matmul_plain": 3}


def compile_loops(bench: Bench) -> Path:
    """loops.f90 as HLFIR, by the flang beside the tool."""
    made = bench.directory / "loops.mlir"
    flang = bench.tool.path.with_name("flang-22")
    command = [flang, "-fc1", "-emit-hlfir", SOURCE, "-o", made]
    ran = run_command(command, bench.tool.environment(), bench.directory)
    expect(ran.status, 0, f"exit status of flang, with {ran.errors.strip()}")
    return made


def count_text(generic: str) -> dict[str, int]:
    """How often each operation occurs in IR in the generic form."""
    return dict(Counter(re.findall(r'"([a-z_]+\.[\w.]+)"\(', generic)))


def check_survey(bench: Bench) -> None:
    loops = compile_loops(bench)
    quiet = "op-histogram{out=/dev/null}"
    module = bench.survey(
        "op-histogram", quiet, "--mlir-print-op-generic", source=loops
    )
    counted = count_text(bench.last.output)
    expect(module[0]["operations"], counted, "counts of the module")
    functions = bench.survey("op-histogram", f"func.func({quiet})", source=loops)
    found = [record["operations"].get("fir.do_loop", 0) for record in functions]
    expect(found, list(LOOPS.values()), "loops")


def check_preload(bench: Bench) -> None:
    """bbc takes Fortran, tco what bbc or flang makes of it."""
    source = SOURCE if bench.tool.path.name == "bbc" else compile_loops(bench)
    ran = bench.start(
        "--op-histogram=out=stderr",
        source,
        "-o",
        "-",
        LD_PRELOAD=bench.core,
        MLIRPLUG_PATH=bench.plugin("op-histogram").parent,
    )
    if ran.status:
        raise wrong(f"exit status {ran.status}: {ran.errors.strip()}")
    expect_match(r'"fir.do_loop": 7\b', ran.errors, "loops")
