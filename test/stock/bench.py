# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tool on which plugins are tried: running it and saying what is wrong."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from features import INPUTS, Result, shorten
from tools import Ran, Tool, run_command

# The lines by which a tool, or the core in it, refuses a plugin.
REFUSAL = re.compile(
    r"mlirplug: .*|.*nknown command line argument '--?(load-pass-|op-histogram).*"
)


class Stop(Exception):
    """What a check ends with, unless all is well."""

    def __init__(self, result: Result):
        super().__init__(result.reason)
        self.result = result


def wrong(reason: str) -> Stop:
    return Stop(Result("wrong", reason))


def expect(found: object, expected: object, what: str) -> None:
    if found != expected:
        raise wrong(f"{what}: {shorten(found)}, expected {shorten(expected)}")


def expect_match(pattern: str, text: str, what: str) -> re.Match:
    found = re.search(pattern, text)
    if not found:
        raise wrong(f"{what}: no '{pattern}' in {shorten(text.strip() or 'nothing')}")
    return found


@dataclass
class Bench:
    """A tool, the plugins in the build directory, and a directory to work in."""

    tool: Tool
    build: Path
    core: Path  # libmlirplug.so.1
    store: Path
    directory: Path
    thorough: bool
    last: Ran | None = None  # what the last run left

    def plugin(self, name: str) -> Path:
        """The file of a plugin that ships, of an example or of the tests."""
        places = ("lib/mlirplug/plugins", "examples", "test/plugins/pass")
        for place in places:
            if (self.build / place / f"{name}.so").is_file():
                return self.build / place / f"{name}.so"
        made = self.store / "plugins" / f"{name}.so"  # of the matrix
        if made.is_file():
            return made
        raise wrong(f"{name}.so is not built")

    def environment(self, **more: object) -> dict[str, str]:
        """MLIRPLUG_LIBRARY says where the core is, unless `more` says so."""
        environment = self.tool.environment()
        environment["MLIRPLUG_LIBRARY"] = str(self.core)
        environment.update((name, str(value)) for name, value in more.items())
        return environment

    def start(self, *arguments: str | Path, **environment: object) -> Ran:
        """Runs the tool, which may not crash."""
        command = [self.tool.path, *arguments]
        variables = self.environment(**environment)
        self.last = run_command(command, variables, self.directory)
        if self.last.died():
            said = self.last.errors.strip().splitlines()
            text = f": {shorten(said[-1])}" if said else ""
            raise Stop(Result("crashed", f"{self.last.died()}{text}"))
        return self.last

    def run(
        self,
        plugins: str,
        pipeline: str,
        *arguments: str | Path,
        source: str | Path = "counts.mlir",
        **environment: object,
    ) -> Ran:
        """Runs `pipeline` of the module with `plugins` (separated by spaces)."""
        loads = [f"--load-pass-plugin={self.plugin(name)}" for name in plugins.split()]
        return self.start(
            *loads,
            f"--pass-pipeline=builtin.module({pipeline})",
            "--allow-unregistered-dialect",
            INPUTS / source,
            *arguments,
            **environment,
        )

    def succeed(self, *arguments, **others) -> Ran:
        """The same, and it must work."""
        ran = self.run(*arguments, **others)
        if ran.status:
            raise wrong(f"exit status {ran.status}: {shorten(ran.errors.strip())}")
        return ran

    def survey(self, *arguments, **others) -> list[dict]:
        """The records that a run writes."""
        path = self.directory / "records.jsonl"
        path.unlink(missing_ok=True)
        self.succeed(*arguments, MLIRPLUG_RECORDS=path, **others)
        if not path.is_file():
            raise wrong("there are no records")
        return read_records(path)

    def refusal(self) -> str | None:
        """The line by which the last run refused the plugin, if it did."""
        errors = self.last.errors if self.last else ""
        found = REFUSAL.search(errors)
        return found.group(0) if found and self.last.status else None


def read_records(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]
