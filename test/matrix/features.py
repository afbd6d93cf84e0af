# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the matrix tries on each provider, and how the result is judged."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
INPUTS = HERE / "inputs"
KERNELS = HERE.parent / "kernels"
TIME_LIMIT = 60  # seconds for one run


@dataclass
class Result:
    """A cell of the matrix."""

    word: str  # works, refused, wrong, crashed, hangs or not run
    reason: str = ""
    count: int = 0  # of inputs, where not every provider reads all


@dataclass
class Run:
    """What run-features said, and how it ended."""

    lines: list[tuple[str, str]]
    fatal: Result | None = None

    def all(self, word: str) -> list[str]:
        """The texts of all lines that begin with `word`."""
        return [text for found, text in self.lines if found == word]

    def records(self) -> list[dict]:
        """The records, without the directories of their files."""
        records = [json.loads(text) for text in self.all("record")]
        for record in records:
            record["file"] = os.path.basename(record["file"])
        return records


@dataclass
class Feature:
    """One column. `pipelines` are ways to say the same, the best first."""

    name: str
    summary: str
    plugins: list[str]
    pipelines: list[str]
    judge: Callable[[Run], Result]
    inputs: list[str] = field(default_factory=lambda: ["counts.mlir"])
    rounds: int = 1


# Judging


def expect(found: object, expected: object, what: str) -> Result:
    """works if both are equal."""
    if found == expected:
        return Result("works")
    return Result("wrong", f"{what}: {shorten(found)}, expected {shorten(expected)}")


def shorten(value: object) -> str:
    """`value` as text of one line, not all of it."""
    text = str(value)
    return text if len(text) < 400 else text[:400] + "…"


def judge_sound(run: Run) -> Result:
    """wrong if anything failed that should not."""
    said = run.all("diagnostic")
    for word in ("unread", "failed", "invalid"):
        if run.all(word):
            what = said[0] if said else run.all(word)[0]
            return Result("wrong", f"{word}: {shorten(what)}")
    return Result("works")


def sound(judge: Callable[[Run], Result]) -> Callable[[Run], Result]:
    """`judge` for runs in which nothing may fail."""

    def both(run: Run) -> Result:
        result = judge_sound(run)
        return judge(run) if result.word == "works" else result

    return both


COUNTS_F = {
    "arith.addi": 1,
    "arith.muli": 1,
    "func.func": 1,
    "func.return": 1,
    "unknown.op": 1,
}
COUNTS_G = {"arith.addi": 1, "func.func": 1, "func.return": 1}
COUNTS_MODULE = {
    "arith.addi": 2,
    "arith.muli": 1,
    "builtin.module": 1,
    "func.func": 2,
    "func.return": 2,
    "unknown.op": 1,
}


def operations(run: Run) -> list[dict]:
    """The counts of all records of op-histogram."""
    return [record["operations"] for record in run.records()]


def judge_histogram(run: Run) -> Result:
    return expect(operations(run), [COUNTS_MODULE], "counts")


def judge_shape(file: str, times: int) -> Callable[[Run], Result]:
    """Compares the IR with `file`."""
    expected = (INPUTS / file).read_text().splitlines() * times
    return sound(lambda run: expect(run.all("shape"), expected, "IR"))


def judge_forbid(run: Run) -> Result:
    said = [text for text in run.all("diagnostic") if "marked forbidden" in text]
    places = [f":{line}:10" in text for line, text in zip((4, 5), said)]
    if not run.all("failed"):
        return Result("wrong", "the pipeline did not fail")
    if any(not text.startswith("error: ") for text in said):
        return Result("wrong", f"no errors: {shorten(said)}")
    return expect(places, [True, True], f"places in {shorten(said)}")


def judge_records(run: Run) -> Result:
    """Two passes on two inputs: first the module's, then function by function."""
    found = [(record["file"], record["operations"]) for record in run.records()]
    counts = [COUNTS_MODULE, COUNTS_F, COUNTS_G]
    files = ["counts.mlir", "counts.mlir"]
    return expect(found, [(file, c) for file in files for c in counts], "records")


# A crash of the leak checker itself, which says nothing of the program.
NO_LEAK_CHECK = "LeakSanitizer has encountered a fatal error"

THREAD_FUNCTIONS = 200


def thread_counts(number: int) -> dict:
    counts = {"func.func": 1, "func.return": 1, "unknown.op": number % 7 + 1}
    return dict(sorted(counts.items()))


def thread_input() -> str:
    """A module with many functions, of which no two neighbours are alike."""
    functions = []
    for number in range(THREAD_FUNCTIONS):
        body = '"unknown.op"() : () -> ()\n' * (number % 7 + 1)
        functions.append(
            f'"func.func"() ({{\n{body}"func.return"() : () -> ()\n}}) '
            f'{{sym_name = "f{number}", function_type = () -> ()}} : () -> ()\n'
        )
    return '"builtin.module"() ({\n' + "".join(functions) + "}) : () -> ()\n"


def judge_threads(run: Run) -> Result:
    expected = [thread_counts(number) for number in range(THREAD_FUNCTIONS)]
    return expect(operations(run), expected, "records")


def judge_again(run: Run) -> Result:
    """Two contexts, two runs in each, all of them alike."""
    after = {**COUNTS_MODULE, "unknown.new": 1}
    del after["unknown.op"]
    return expect(operations(run), [COUNTS_MODULE, after] * 4, "counts")


# The kernels


def reference() -> dict[str, list[str]]:
    """The rows of test/kernels/reference.tsv by file."""
    lines = (KERNELS / "reference.tsv").read_text().splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    return {row[0] + ".mlir": row for row in rows if row[1] == "ok"}


def survey_row(record: dict) -> list[str]:
    """A record as a row of the reference."""
    keys = ("ops", "generics", "reduction_generics", "non_identity_input_maps")
    numbers = [str(record[key]) for key in keys]
    kernel = record["file"].removesuffix(".mlir")
    functions = ",".join(record["functions_with_reduction"])
    return [kernel, "ok", *numbers, functions]


def judge_survey(run: Run) -> Result:
    known = reference()
    said = run.all("diagnostic")
    if any("mlirLinalgGetIndexingMapsAttribute" in text for text in said):
        return Result("refused", shorten(said[0]))
    unread = {os.path.basename(path) for path in run.all("unread")}
    records = {record["file"]: record for record in run.records()}
    if not records and unread >= set(known):
        return Result("not run", f"it reads no kernel: {shorten(said[0])}")
    for file, row in known.items():
        if file in unread:
            continue
        if file not in records:
            return Result("wrong", f"{file} has no record")
        result = expect(survey_row(records[file]), row, file)
        if result.word != "works":
            return result
    read = len(set(known) - unread)
    return Result("works", f"{read} of {len(known)} kernels", read)


# Refusals


def judge_refusal(expected: str) -> Callable[[Run], Result]:
    """works if it is refused for the right reason; see cell_result."""

    def judge(run: Run) -> Result:
        refused = run.all("refused")
        if refused and expected in refused[0]:
            return Result("works")
        return Result("wrong", f"not refused: {shorten(refused or run.lines[-1:])}")

    return judge


FEATURES = [
    Feature(
        "op-histogram",
        "the plugin op-histogram counts the operations of a module",
        ["op-histogram"],
        ["builtin.module(op-histogram)"],
        sound(judge_histogram),
    ),
    Feature(
        "linalg-survey",
        "the plugin linalg-survey agrees with the reference on every kernel of "
        "test/kernels that this MLIR reads",
        ["linalg-survey"],
        [
            "builtin.module(linalg-generalize-named-ops,linalg-survey)",
            "builtin.module(func.func(linalg-generalize-named-ops),linalg-survey)",
            "builtin.module(linalg-survey{generalize=true})",
        ],
        judge_survey,
        sorted(os.path.basename(path) for path in KERNELS.glob("*.mlir")),
    ),
    Feature(
        "add-to-mul",
        "the plugin add-to-mul rewrites the IR",
        ["add-to-mul"],
        ["builtin.module(add-to-mul)"],
        judge_shape("add.shape", 1),
        ["add.mlir"],
    ),
    Feature(
        "forbid",
        "the plugin forbid reports errors at their places and fails the run",
        ["forbid"],
        ["builtin.module(forbid)"],
        judge_forbid,
        ["forbidden.mlir"],
    ),
    Feature(
        "threads",
        f"a pass nested under func.func runs on {THREAD_FUNCTIONS} functions, on "
        "MLIR's threads if it has them; the records are in order",
        ["op-histogram"],
        ["builtin.module(func.func(op-histogram))"],
        sound(judge_threads),
        ["threads.mlir"],
    ),
    Feature(
        "dialect",
        "a pass has a dialect loaded and makes an operation of it",
        ["matrix"],
        ["builtin.module(func.func(insert-constant))"],
        judge_shape("function.shape", 1),
        ["function.mlir"],
    ),
    Feature(
        "again",
        "a second run of a manager, and a second context in the process; what is "
        "counted is rewritten and counted again",
        ["op-histogram", "matrix"],
        ["builtin.module(op-histogram,rename-unknown,op-histogram)"],
        sound(judge_again),
        rounds=2,
    ),
    Feature(
        "records",
        "records of two passes and two inputs, in order",
        ["op-histogram"],
        ["builtin.module(op-histogram,func.func(op-histogram))"],
        sound(judge_records),
        ["counts.mlir", "counts.mlir"],
    ),
    Feature(
        "no-function",
        "a plugin that needs a function no MLIR has is refused by its name",
        ["needs-unknown"],
        ["builtin.module(load)"],
        judge_refusal("mlirNowhereSet"),
    ),
    Feature(
        "no-dialect",
        "a pass that needs a dialect nobody has is refused by its name",
        ["matrix"],
        ["builtin.module(needs-nowhere)"],
        judge_refusal("'nowhere'"),
    ),
]


# Running


@dataclass
class Runner:
    """How run-features is run."""

    program: Path
    plugins: dict[str, Path]
    store: Path  # for inputs that are made

    def input_path(self, name: str) -> Path:
        for directory in (INPUTS, KERNELS):
            if (directory / name).is_file():
                return directory / name
        made = self.store / name
        made.write_text(thread_input())
        return made

    def run(
        self, library: Path, preload: Path | None, feature: Feature, pipeline: str
    ) -> Run:
        plugins = ",".join(str(self.plugins[name]) for name in feature.plugins)
        inputs = [str(self.input_path(name)) for name in feature.inputs]
        command = [str(self.program), str(library), pipeline, str(feature.rounds)]
        environment = dict(os.environ)
        if preload:
            environment["LD_PRELOAD"] = str(preload)
        run = run_program([*command, plugins, *inputs], environment)
        if run.fatal and run.fatal.reason == NO_LEAK_CHECK:
            options = environment.get("ASAN_OPTIONS", "")
            environment["ASAN_OPTIONS"] = f"{options}:detect_leaks=0"
            run = run_program([*command, plugins, *inputs], environment)
        return run

    def cell(self, library: Path, preload: Path | None, feature: Feature) -> Result:
        """Tries the pipelines until one is not refused."""
        for pipeline in feature.pipelines:
            run = self.run(library, preload, feature, pipeline)
            result = cell_result(feature, run)
            if result.word != "refused":
                break
        return result


def run_program(command: list[str], environment: dict[str, str]) -> Run:
    process = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    try:
        output, errors = process.communicate(timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return Run([], Result("hangs", f"not done after {TIME_LIMIT} s"))
    words = [line.partition("\t")[::2] for line in output.splitlines()]
    return Run(words, fatal_result(process.returncode, words, errors))


def fatal_result(status: int, words: list, errors: str) -> Result | None:
    """How a process ended that did not end in order."""
    if status == 0:
        return None
    if NO_LEAK_CHECK in errors:
        return Result("crashed", NO_LEAK_CHECK)
    lines = errors.strip().splitlines()
    said = f": {shorten(lines[-1])}" if lines else ""
    last = f" after '{words[-1][0]}'" if words else ""
    name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
    return Result("crashed", name + last + said)


def cell_result(feature: Feature, run: Run) -> Result:
    if run.fatal:
        return run.fatal
    refused = run.all("refused")
    if not refused:
        return feature.judge(run)
    # A refusal may be what is wanted, but not of the provider itself.
    if feature.name.startswith("no-") and run.all("provider"):
        result = feature.judge(run)
        if result.word == "works":
            return result
    return Result("refused", refused[0])
