# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is tried with each tool."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass

import fortran
import kernels
import leaks
import manual
from bench import Bench, expect, expect_match, read_records, wrong
from build import must
from features import (
    COUNTS_F,
    COUNTS_G,
    COUNTS_MODULE,
    INPUTS,
    THREAD_FUNCTIONS,
    Result,
    thread_counts,
    thread_input,
)

THREAD_RUNS = 50
TAG = "func.func(tag-functions{attribute=checked})"


@dataclass
class Feature:
    """One column; without a tool that has it, that of every tool."""

    name: str
    summary: str
    check: Callable[[Bench], Result | None]
    tools: tuple[str, ...] = ()


def operations(records: list[dict]) -> list[dict]:
    return [record["operations"] for record in records]


# Pipelines


def check_pass(bench: Bench) -> None:
    ran = bench.succeed("op-histogram", "op-histogram{out=stderr}")
    expect_match(r'"arith.addi": 2', ran.errors, "counts")


def check_options(bench: Bench) -> None:
    records = bench.survey("op-histogram", "op-histogram{top=1 out=/dev/null}")
    expect(operations(records), [{"arith.addi": 2}], "counts with top=1")
    ran = bench.run("op-histogram", "op-histogram{tpo=1}")
    expect_match(r"no option 'tpo'", ran.errors, "a wrong option")
    expect(ran.status, 1, "exit status of a wrong option")


def check_nested(bench: Bench) -> None:
    records = bench.survey("op-histogram", "func.func(op-histogram)")
    expect(operations(records), [COUNTS_F, COUNTS_G], "counts below func.func")
    records = bench.survey("op-histogram", "any(op-histogram)")
    expect(operations(records), [COUNTS_F, COUNTS_G], "counts below any")
    # As with its own passes, the tool nests below the module by itself.
    ran = bench.succeed("tag-functions", "tag-functions{attribute=checked}")
    expect(ran.output.count("checked"), 2, "marked functions")
    ran = bench.run("anchor", "func.func(insert-index)")  # which wants modules
    expect_match(r"builtin\.module", ran.errors, "a pass at the wrong place")
    expect(ran.status, 1, "exit status of a pass at the wrong place")


def check_two(bench: Bench) -> None:
    """Each plugin must hand over itself."""
    pipeline = f"op-histogram,{TAG},func.func(totals)"
    records = bench.survey("op-histogram tag-functions totals", pipeline)
    expect(operations(records), [COUNTS_MODULE, 8], "records")
    expect(bench.last.output.count("checked"), 2, "marked functions")


def check_rewrite(bench: Bench) -> None:
    ran = bench.succeed("add-to-mul", "add-to-mul", source="add.mlir")
    expect("addi" in ran.output, False, "additions that are left")
    expect(len(re.findall(r"arith\.muli", ran.output)), 3, "multiplications")


def check_dialect(bench: Bench) -> None:
    pipeline = "func.func(insert-constant)"
    ran = bench.succeed("matrix", pipeline, source="function.mlir")
    expect_match(r"arith\.constant 7 : i32", ran.output, "IR")
    ran = bench.run("matrix", "needs-nowhere", source="function.mlir")
    expect_match(r"'nowhere'", ran.errors, "a dialect that nobody has")
    expect(ran.status, 1, "exit status of a dialect that nobody has")


def check_threads(bench: Bench) -> None:
    source = bench.directory / "threads.mlir"
    source.write_text(thread_input())
    pipeline = "func.func(op-histogram{out=/dev/null}),func.func(tag-functions)"
    plugins = "op-histogram tag-functions"
    alone = "--mlir-disable-threading"
    expected = bench.survey(plugins, pipeline, alone, source=source)
    output = bench.last.output
    counts = [thread_counts(number) for number in range(THREAD_FUNCTIONS)]
    expect(operations(expected), counts, "counts")
    for _ in range(THREAD_RUNS if bench.thorough else 5):
        expect(bench.survey(plugins, pipeline, source=source), expected, "records")
        expect(bench.last.output == output, True, "equal output")


def check_inputs(bench: Bench) -> None:
    source = bench.directory / "split.mlir"
    counts = (INPUTS / "counts.mlir").read_text()
    source.write_text(f"{counts}// -----\n{counts}")
    split = "--split-input-file"
    records = bench.survey("op-histogram", "op-histogram", split, source=source)
    expect(operations(records), [COUNTS_MODULE] * 2, "counts of two inputs")
    text = bench.succeed("tag-functions", TAG).output
    packed = bench.directory / "counts.mlirbc"
    bench.succeed("tag-functions", TAG, "--emit-bytecode", "-o", packed)
    expect(bench.succeed("", "", source=packed).output, text, "bytecode, as text")


# What the tool says of passes


def check_timing(bench: Bench) -> None:
    ran = bench.succeed("tag-functions", TAG, "--mlir-timing")
    expect_match(r"\d.*tag-functions", ran.errors, "--mlir-timing")


def check_print(bench: Bench) -> None:
    ran = bench.succeed("tag-functions", TAG, "--mlir-print-ir-after-all")
    expect_match(r"IR Dump After .*tag-functions", ran.errors, "the dump")
    expect_match(r"\bchecked\b", ran.errors, "the dump")


def check_pipeline(bench: Bench) -> None:
    """What is printed must mean the same."""
    ran = bench.succeed("tag-functions", TAG, "--dump-pass-pipeline")
    printed = r"builtin\.module\((.*tag-functions\{.*\}.*)\)"
    line = re.sub(r"\n *", "", ran.errors)  # some print a line for each pass
    pipeline = expect_match(printed, line, "--dump-pass-pipeline")[1]
    again = bench.succeed("tag-functions", pipeline)
    expect(again.output == ran.output, True, "equal output of the printed pipeline")
    expect(again.output.count("checked"), 2, "marked functions")


def check_reproducer(bench: Bench) -> None:
    path = bench.directory / "reproducer.mlir"
    written = f"--mlir-pass-pipeline-crash-reproducer={path}"
    ran = bench.run("forbid", "forbid{attribute=text}", written)
    expect(ran.status, 1, "exit status")
    if not path.is_file():
        raise wrong("no reproducer was written")
    expect_match(r"forbid\{attribute=text *\}", path.read_text(), "reproducer")
    load = f"--load-pass-plugin={bench.plugin('forbid')}"
    ran = bench.start(
        load, "--run-reproducer", "--allow-unregistered-dialect", path
    )
    expect(ran.status, 1, "exit status of the reproducer")
    expect_match(r"error: .*marked forbidden", ran.errors, "the reproducer")


def check_statistics(bench: Bench) -> None:
    ran = bench.succeed("totals", "func.func(totals)", "--mlir-pass-statistics")
    said = ran.output + ran.errors
    expect_match(r"2 functions - Functions looked at", said, "statistics")


def check_records(bench: Bench) -> None:
    pipeline = "op-histogram{out=/dev/null},func.func(op-histogram{out=/dev/null})"
    records = bench.survey("op-histogram", pipeline)
    expect(operations(records), [COUNTS_MODULE, COUNTS_F, COUNTS_G], "records")
    path = bench.directory / "records.jsonl"
    expect(read_records(path), records, "records read again")
    # A second run begins anew.
    expect(bench.survey("op-histogram", pipeline), records, "records of a second run")
    bench.succeed("op-histogram", pipeline, "-o", "/dev/null", MLIRPLUG_RECORDS="-")
    expect(bench.last.output.count('"operations"'), 3, "records on standard output")


# Failures


def check_fail(bench: Bench) -> None:
    ran = bench.run("forbid", "forbid", source="forbidden.mlir")
    expect(ran.status, 1, "exit status")
    places = re.findall(r":(\d+):10: error: operation is marked", ran.errors)
    expect(places, ["4", "5"], "lines with errors")
    expect(ran.output, "", "output")


def check_clash(bench: Bench) -> None:
    """The tool's own pass must be the one that runs, if one runs."""
    source = bench.directory / "twice.mlir"
    twice = '"arith.addi"(%a, %a) : (i32, i32) -> i32'
    source.write_text(
        "func.func @f(%a: i32) -> (i32, i32) {\n"
        f"  %0 = {twice}\n  %1 = {twice}\n  return %0, %1 : i32, i32\n}}\n"
    )
    ran = bench.run("clash", "cse", source=source)
    expect_match(r"mlirplug: .*'cse'", ran.errors, "a name that MLIR has")
    if ran.status == 0:
        expect(ran.output.count("arith.addi"), 1, "additions after MLIR's cse")


def check_function(bench: Bench) -> None:
    ran = bench.run("needs-unknown", "load")
    expect_match(r"mlirNowhereSet", ran.errors, "a function that no MLIR has")
    expect(ran.status, 1, "exit status")


def check_library(bench: Bench) -> None:
    nowhere = "/nowhere/libmlirplug.so.1"
    ran = bench.run("op-histogram", "op-histogram", MLIRPLUG_LIBRARY=nowhere)
    expect_match(r"mlirplug: .*MLIRPLUG_LIBRARY", ran.errors, "a wrong path")
    expect(ran.status, 1, "exit status")


# Other ways in


def check_found(bench: Bench) -> None:
    """The core beside the plugin, and where the plugin was compiled for."""
    for name in ("libmlirplug.so.1", "mlirplug"):
        (bench.directory / name).symlink_to(bench.core.with_name(name))
    beside = shutil.copy(bench.plugin("tag-functions"), bench.directory)
    compiled = bench.directory / "compiled/tag-functions.so"
    compiled.parent.mkdir()
    place = f'-DMLIRPLUG_LIBRARY_DIRECTORY="{bench.core.parent}"'
    flags = ["-shared", "-fPIC", "-fvisibility=hidden", "-Isdk/include", place]
    source = "examples/tag-functions/tag_functions.c"
    must(["cc", *flags, source, "-o", str(compiled)])
    for plugin in (beside, compiled):
        ran = bench.start(
            f"--load-pass-plugin={plugin}",
            "--pass-pipeline=builtin.module(func.func(tag-functions))",
            "--allow-unregistered-dialect",
            INPUTS / "counts.mlir",
            MLIRPLUG_LIBRARY="",
        )
        expect(ran.status, 0, f"exit status, with {ran.errors.strip()}")
        expect(ran.output.count("{tagged}"), 2, "marked functions")


def check_directory(bench: Bench) -> None:
    path = bench.directory / "records.jsonl"
    path.unlink(missing_ok=True)
    load = f"--load-pass-plugin={bench.core}"
    pipeline = "--pass-pipeline=builtin.module(op-histogram)"
    rest = ["--allow-unregistered-dialect", INPUTS / "counts.mlir"]
    plugins = bench.plugin("op-histogram").parent
    ran = bench.start(
        load, pipeline, *rest, MLIRPLUG_PATH=plugins, MLIRPLUG_RECORDS=path
    )
    expect(ran.status, 0, f"exit status, with {ran.errors.strip()}")
    expect(operations(read_records(path)), [COUNTS_MODULE], "records")


def check_flag(bench: Bench) -> None:
    """Tools fix their flags before they load plugins."""
    load = f"--load-pass-plugin={bench.plugin('op-histogram')}"
    ran = bench.start(load, "--op-histogram", INPUTS / "counts.mlir")
    if ran.status:
        expect_match(r"--pass-pipeline", ran.errors, "the form that works")


def check_preload(bench: Bench) -> None:
    rest = ["--allow-unregistered-dialect", INPUTS / "counts.mlir"]
    plugins = bench.plugin("op-histogram").parent
    ran = bench.start(
        "--op-histogram=top=1 out=stderr",
        *rest,
        LD_PRELOAD=bench.core,
        MLIRPLUG_PATH=plugins,
    )
    expect(ran.status, 0, f"exit status, with {ran.errors.strip()}")
    expect_match(r'\{"arith.addi": 2\}', ran.errors, "counts")
    both = f"{bench.core} {bench.plugin('tag-functions')}"
    ran = bench.start("--tag-functions", *rest, LD_PRELOAD=both)
    expect(ran.output.count("{tagged}"), 2, "marked functions")


FEATURES = [
    Feature("pass", "a pass runs by its name in --pass-pipeline", check_pass),
    Feature(
        "options",
        "options in the pipeline's text, and a wrong one refused by its name",
        check_options,
    ),
    Feature(
        "nested",
        "a pass below func.func and below any; one at the wrong place is refused",
        check_nested,
    ),
    Feature("two", "three plugins in one run", check_two),
    Feature("rewrite", "add-to-mul rewrites the IR", check_rewrite),
    Feature(
        "dialect",
        "a pass has a dialect loaded; one that nobody has is refused",
        check_dialect,
    ),
    Feature(
        "threads",
        f"{THREAD_FUNCTIONS} functions on the tool's threads: output and records as "
        f"without threads ({THREAD_RUNS} runs with mlir-opt-22)",
        check_threads,
    ),
    Feature("inputs", "--split-input-file and --emit-bytecode", check_inputs),
    Feature("timing", "--mlir-timing names the pass", check_timing),
    Feature("print-ir", "--mlir-print-ir-after-all names the pass", check_print),
    Feature(
        "dump-pipeline",
        "--dump-pass-pipeline prints it with its options, and that runs again",
        check_pipeline,
    ),
    Feature(
        "reproducer",
        "a crash reproducer of a failing pass is written and fails again when run",
        check_reproducer,
    ),
    Feature("statistics", "--mlir-pass-statistics shows the pass's", check_statistics),
    Feature("records", "MLIRPLUG_RECORDS= has the records, in order", check_records),
    Feature(
        "fail", "a failing pass: errors at their places, exit status 1", check_fail
    ),
    Feature("clash", "a pass named as one of MLIR's is refused", check_clash),
    Feature(
        "function", "a plugin that needs what no MLIR has is refused", check_function
    ),
    Feature("library", "a wrong MLIRPLUG_LIBRARY is said", check_library),
    Feature(
        "found",
        "the core is found beside the plugin, and where that was compiled for",
        check_found,
    ),
    Feature(
        "directory",
        "--load-pass-plugin=libmlirplug.so.1 takes what is in MLIRPLUG_PATH",
        check_directory,
    ),
    Feature("flag", "--PASS works, or the message says what does", check_flag),
    Feature(
        "preload",
        "--PASS, with libmlirplug.so.1 in LD_PRELOAD and MLIRPLUG_PATH",
        check_preload,
    ),
    Feature(
        "kernels",
        "op-histogram, linalg-survey and add-to-mul on test/kernels: output and "
        "records (but for their file) as those of mlirplug opt, byte for byte",
        kernels.check,
        ("mlir-opt-22", "mlir-opt-19"),
    ),
    Feature(
        "fortran",
        "loops in Fortran, compiled by flang and surveyed",
        fortran.check_survey,
        ("fir-opt-22",),
    ),
    Feature(
        "preload-fortran",
        "--PASS on Fortran or FIR, as in preload",
        fortran.check_preload,
        ("bbc-22", "tco-22"),
    ),
    Feature(
        "valgrind", "no error and no leak under Valgrind", leaks.check, ("mlir-opt-22",)
    ),
    Feature(
        "manual",
        "the commands of docs/stock-tools.md, as they stand there",
        manual.check,
        ("mlir-opt-22", "fir-opt-22", "bbc-22", "iree-opt", "xtc"),
    ),
]
