#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the wheels in fresh virtual environments, on each Python of this machine.

wheels.py [--dist DIRECTORY] [--store DIRECTORY] [--minors N,N]

The same two files everywhere, and one wheel of examples/python-package. Prints a
line for each Python and step; ends with 1 if a step fails."""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from run import MINORS, last_line, python_find

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLE = ROOT / "examples/python-package"
CASE = ROOT / "test/cases/04-add-to-mul"
TIME_LIMIT = 600  # seconds for one command


class Failed(Exception):
    """What a step found."""


class NotRun(Exception):
    """Why a step could not be tried."""


def expect(good: bool, text: str) -> None:
    if not good:
        raise Failed(text)


class Environment:
    """A virtual environment of `python`, made anew, with the wheels at hand."""

    def __init__(self, python: str, directory: Path, places: list[Path]):
        self.directory = directory
        self.links = [word for place in places for word in ("--find-links", place)]
        self.python = directory / "bin/python"
        shutil.rmtree(directory, ignore_errors=True)
        command = [python, "-m", "venv", str(directory)]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode:
            raise NotRun(last_line(made.stderr or made.stdout))

    def run(self, *command: object, code: int | None = 0) -> subprocess.CompletedProcess:
        """Runs a command of the environment, from a directory without anything;
        `code` is what it must end with, null for anything."""
        program = self.directory / "bin" / str(command[0])
        words = [str(program if program.exists() else command[0]), *map(str, command[1:])]
        variables = {key: value for key, value in os.environ.items()
                     if not key.startswith(("MLIRPLUG", "PYTHON", "VIRTUAL_ENV"))}
        ran = subprocess.run(words, capture_output=True, text=True, timeout=TIME_LIMIT,
                             cwd=self.directory, env=variables)
        said = f"{ran.stdout}{ran.stderr}".strip()
        expect(code is None or ran.returncode == code,
               f"{' '.join(map(str, command))} ended with {ran.returncode}: {said}")
        return ran

    def pip(self, *words: object) -> None:
        self.run("python", "-m", "pip", "-q", "--disable-pip-version-check", *words)

    def install(self, *what: object) -> None:
        self.pip("install", "--no-index", *self.links, *what)

    def listed(self) -> dict:
        return json.loads(self.run("mlirplug", "list", "--json").stdout)


# Steps


def without_mlir(environment: Environment) -> None:
    """mlirplug alone: what needs no MLIR of its own works, the rest says what to
    install."""
    environment.install("mlirplug")
    environment.run("python", "-c", "import mlirplug; mlirplug.list()")
    plugins = environment.listed()["plugins"]
    names = {one["name"] for plugin in plugins for one in plugin["passes"]}
    expect({"op-histogram", "linalg-survey"} <= names, f"mlirplug list has {names}")
    for plugin in plugins:
        expect((plugin["distribution"] or {}).get("name") == "mlirplug",
               f"{plugin['id']} is of {plugin['distribution']}")
    said = environment.run("mlirplug", "opt", CASE / "input.mlir", code=1).stderr
    expect("pip install 'mlirplug[mlir]'" in said, f"without MLIR: {said}")


def plugin_compile(environment: Environment, source: Path) -> Path:
    """With the headers of the wheel."""
    flags = environment.run("python", "-m", "mlirplug.sdk", "--cflags").stdout.split()
    plugin = environment.directory / f"{source.stem}.so"
    environment.run("cc", "-shared", "-fPIC", *flags, source, "-o", plugin)
    return plugin


def expect_case(ran: subprocess.CompletedProcess) -> None:
    expect(ran.stdout == (CASE / "expected.mlir").read_text(), f"add-to-mul gives {ran.stdout}")


def with_mlir(environment: Environment) -> None:
    """A plugin in C in the command, and MLIR's JIT."""
    environment.install("mlirplug[mlir]")
    plugin = plugin_compile(environment, ROOT / "examples/add-to-mul/add_to_mul.c")
    load = [f"--load-pass-plugin={plugin}", "--add-to-mul", CASE / "input.mlir"]
    expect_case(environment.run("mlirplug", "opt", *load))
    library = Path(environment.run("python", "-m", "mlirplug.sdk", "--library").stdout.strip())
    provider = library.parent / "mlirplug/libmlirplug-mlir22.so"
    environment.run("python", HERE / "wheel/jit.py", provider)


def in_stock_tool(environment: Environment) -> None:
    """The plugin in mlir-opt, which finds the libmlirplug of the wheel."""
    tool = shutil.which("mlir-opt-22")
    if not tool:
        raise NotRun("there is no mlir-opt-22")
    library = environment.run("python", "-m", "mlirplug.sdk", "--library").stdout.strip()
    plugin = environment.directory / "add_to_mul.so"
    expect_case(environment.run("env", f"MLIRPLUG_LIBRARY={library}", tool,
                                f"--load-pass-plugin={plugin}",
                                "--pass-pipeline=builtin.module(add-to-mul)",
                                CASE / "input.mlir"))


def in_python(environment: Environment) -> None:
    environment.run("python", HERE / "wheel/in_wheel.py", environment.directory / "add_to_mul.so",
                    CASE / "input.mlir", CASE / "expected.mlir")


def with_package(environment: Environment) -> None:
    """Another distribution brings plugins, until it is uninstalled."""
    environment.install("mlirplug-example")
    of_example = [plugin for plugin in environment.listed()["plugins"]
                  if (plugin["distribution"] or {}).get("name") == "mlirplug-example"]
    files = sorted(Path(plugin["path"]).name for plugin in of_example)
    expect(files == ["count_marked.py", "mark-functions.so"], f"mlirplug-example has {files}")
    text = environment.run("mlirplug", "list").stdout
    expect(text.count("(Python package: mlirplug-example 1.0.0)") >= 2, f"the list is {text}")
    pipeline = "builtin.module(func.func(mark-functions),count-marked)"
    ran = environment.run("mlirplug", "opt", f"--pass-pipeline={pipeline}", "--records=-",
                          "-o", "/dev/null", CASE / "input.mlir")
    record = json.loads(ran.stdout)
    expect(record.get("marked") == 1, f"count-marked gives {record}")
    environment.run("python", HERE / "wheel/with_package.py", CASE / "input.mlir")
    environment.pip("uninstall", "-y", "mlirplug-example")
    text = environment.run("mlirplug", "list").stdout
    expect("mlirplug-example" not in text, f"the list still is {text}")


def in_jax(environment: Environment) -> None:
    """In a process with jax, whose MLIR is the only one."""
    environment.pip("uninstall", "-y", "mlirplug-mlir22")
    try:
        environment.pip("install", "--only-binary=:all:", "jax==0.5.3", "jaxlib==0.5.3")
    except Failed as reason:
        raise NotRun(last_line(str(reason))) from reason
    plugin = plugin_compile(environment, ROOT / "test/plugins/pass/replace.c")
    environment.run("python", HERE / "wheel/in_jax.py", plugin)


STEPS = [without_mlir, with_mlir, in_stock_tool, in_python, with_package]
ONCE = [in_jax]  # on one Python: it takes a hundred megabytes
JAX_MINORS = (12, 11, 13)  # those that it is for, the most usual first


# The example's wheel


def example_build(python: str, dist: Path, store: Path) -> Path:
    """Built once, for all of them, into the directory that this returns.
    setuptools comes from the registry."""
    copy, made = store / "python-package", store / "example"
    for directory in (copy, made):
        shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(EXAMPLE, copy)
    environment = Environment(python, store / "venv-build", [dist])
    try:
        environment.pip("wheel", "--no-deps", *environment.links, "-w", made, copy)
    except Failed as reason:
        raise NotRun(last_line(str(reason))) from reason
    return made


# The table


def steps_run(
    python: str, minor: int, further: list, places: list[Path], store: Path, results: list[str]
) -> None:
    environment = None
    for step in [*STEPS, *further]:
        try:
            if not environment:
                environment = Environment(python, store / f"venv-3.{minor}", places)
            if step is with_package and len(places) == 1:
                raise NotRun("the example was not built")
            step(environment)
            result, reason = "passed", ""
        except NotRun as found:
            result, reason = "not run", f" ({found})"
        except (Failed, subprocess.TimeoutExpired, ValueError) as found:
            result, reason = "failed", f" ({found})"
        results.append(result)
        print(f"3.{minor} {step.__name__}: {result}{reason}", flush=True)
    shutil.rmtree(store / f"venv-3.{minor}", ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dist", type=Path, default=ROOT / "build/wheels/dist")
    parser.add_argument("--store", type=Path, default=ROOT / "build/wheels/venvs")
    parser.add_argument("--minors", help="of Python 3, such as 9,13")
    chosen = parser.parse_args()
    dist, store = chosen.dist.resolve(), chosen.store.resolve()
    store.mkdir(parents=True, exist_ok=True)
    minors = [int(one) for one in chosen.minors.split(",")] if chosen.minors else list(MINORS)
    pythons = {minor: python_find(minor) for minor in minors}
    results: list[str] = []
    found = [python for python in pythons.values() if python]
    places = [dist]
    try:
        places.append(example_build(found[-1] if found else sys.executable, dist, store))
    except NotRun as reason:
        print(f"examples/python-package: not built ({reason})")
    with_jax = [minor for minor in JAX_MINORS if pythons.get(minor)][:1]
    for minor, python in pythons.items():
        if python:
            further = ONCE if minor in with_jax else []
            steps_run(python, minor, further, places, store, results)
        else:
            results.append("not run")
            print(f"3.{minor}: not run (there is no python3.{minor})")
    passed, failed = results.count("passed"), results.count("failed")
    print(f"wheels: {passed} passed, {failed} failed, {results.count('not run')} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
