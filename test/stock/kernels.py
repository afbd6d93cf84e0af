# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same plugins on the same kernels in a stock tool and in mlirplug opt."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench import Bench, Stop, wrong
from features import KERNELS, Result
from tools import find_provider, run_command

PIPELINES = {
    "op-histogram": "builtin.module(op-histogram{out=/dev/null})",
    "linalg-survey": "builtin.module(linalg-generalize-named-ops,linalg-survey)",
    "add-to-mul": "builtin.module(add-to-mul)",
}


def outcome(
    bench: Bench, command: list, records: Path, environment: dict[str, str]
) -> tuple[int, str, str]:
    """The exit status, the output and the records of a run."""
    ran = run_command(command, environment, bench.directory)
    if ran.died():
        raise Stop(Result("crashed", f"{ran.died()}: {command[-1]}"))
    written = records.read_text() if records.is_file() else ""
    records.unlink(missing_ok=True)
    # Only mlirplug opt knows the input that a record is of.
    written = re.sub(r'^\{"file": "[^"]*", ', "{", written, flags=re.M)
    return min(ran.status, 1), ran.output, written


def compare(bench: Bench, provider: str, plugin: str, kernel: Path) -> bool:
    """False if neither reads `kernel`."""
    label = f"{plugin}-{kernel.name}"
    load = f"--load-pass-plugin={bench.plugin(plugin)}"
    pipeline = f"--pass-pipeline={PIPELINES[plugin]}"
    records = bench.directory / f"{label}-stock.jsonl"
    there = outcome(
        bench,
        [bench.tool.path, load, pipeline, kernel],
        records,
        bench.environment(MLIRPLUG_RECORDS=records),
    )
    records = bench.directory / f"{label}-own.jsonl"
    own = [f"--provider={provider}", "--no-default-plugins", f"--records={records}"]
    here = outcome(
        bench,
        [bench.build / "bin/mlirplug", "opt", *own, load, pipeline, kernel],
        records,
        dict(os.environ),
    )
    for part, mine, theirs in zip(("exit status", "output", "records"), here, there):
        if mine != theirs:
            raise wrong(f"{plugin} on {kernel.name}: another {part} than mlirplug opt")
    return here[0] == 0


def check(bench: Bench) -> Result:
    provider = find_provider(bench.tool, bench.store)
    kernels = sorted(KERNELS.glob("*.mlir"))
    pairs = [(plugin, kernel) for kernel in kernels for plugin in PIPELINES]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        same = list(pool.map(lambda pair: compare(bench, provider, *pair), pairs))
    return Result("works", f"{sum(same)} of {len(pairs)} outputs", sum(same))
