# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plugins in this process, and pipelines on modules of whatever bindings."""

import json
import os
import re
import sys
import threading
import typing

from . import _mlirplug


class Pass(typing.NamedTuple):
    """A pass, as its plugin describes it."""

    name: str
    summary: str
    anchors: tuple
    options: tuple  # of (name, help)


class Plugin(typing.NamedTuple):
    """A plugin, as its file describes it."""

    path: str
    id: str
    version: str
    language: typing.Optional[str]  # "Python" for a .py file, None for a .so
    passes: tuple


class Result:
    """What a run brought: its records, statistics and diagnostics."""

    def __init__(self, lines, statistics, diagnostics):
        self._lines = lines
        # (pass with its options, place, name): value
        self.statistics = {(which, place, name): value
                           for which, place, name, value in statistics}
        self.diagnostics = diagnostics

    @property
    def records(self):
        return [json.loads(line) for line in self._lines]

    def __repr__(self):
        return f"<mlirplug.Result: {len(self._lines)} records, statistics {self.statistics}>"


_FILE, _DIRECTORY, _PACKAGES = 0, 1, 2  # load_kind in host.h


def load(path):
    """Adds the plugin at `path`, a .so or .py file. It can be used from now on,
    on modules of all packages."""
    _mlirplug.load(os.fspath(path), _FILE)


def load_directory(path):
    """Adds the plugins in a directory."""
    _mlirplug.load(os.fspath(path), _DIRECTORY)


def load_packages(path=None):
    """Adds the plugins that installed packages bring (the entry points
    mlirplug.plugins), those on sys.path or in the directories of `path`."""
    entries = sys.path if path is None else [os.fspath(entry) for entry in path]
    entries = [entry for entry in entries if os.path.isabs(entry) and ":" not in entry]
    _mlirplug.load(":".join(entries), _PACKAGES)


def list():
    """The plugins that were loaded."""
    return [Plugin(path, identity, version, language, tuple(Pass(*one) for one in passes))
            for path, identity, version, language, passes in _mlirplug.list()]


def pipeline(text):
    """Checks a pipeline: names, places and options of plugin passes. Returns it
    as it is understood."""
    return _mlirplug.pipeline(text)


def _is_main():
    return threading.current_thread() is threading.main_thread()


class Diagnostic(typing.NamedTuple):
    """What a pass or MLIR said, as text."""

    severity: str  # "error", "warning", "note" or "remark"
    location: str
    message: str
    notes: tuple

    def __str__(self):
        lines = [f"{self.location}: {self.severity}: {self.message}"]
        return "\n".join(lines + [str(note) for note in self.notes])


def _digest(diagnostics):
    """Diagnostics as text, which outlives the context."""
    digested = []
    for diagnostic in diagnostics:
        severity = diagnostic.severity
        severity = getattr(severity, "name", str(severity).rpartition(".")[2]).lower()
        where = str(diagnostic.location).removeprefix("loc(").removesuffix(")")
        where = re.sub(r'^"(.*)"(:\d+:\d+)', r"\1\2", where)
        digested.append(Diagnostic(severity, where, diagnostic.message,
                                   tuple(_digest(diagnostic.notes))))
    return digested


def run(module, pipeline, *, verify=True):
    """Runs a pipeline on a module or operation, in place: of mlirplug.ir, or of
    jax, iree, torch_mlir, circt or mlir. Other objects of the same package that
    are inside of it are not to be used afterwards."""
    operation = module
    if not type(module).__module__.startswith("mlirplug."):
        operation = getattr(module, "operation", module)
        # As PassManager.run of these bindings does.
        context = getattr(operation, "context", None)
        clear = getattr(context, "_clear_live_operations_inside", None)
        if clear is not None:
            clear(operation)
    try:
        result = Result(*_mlirplug.run(operation, pipeline, verify, _is_main(), _digest))
    except _mlirplug.Error as error:
        error.args = ("\n".join(map(str, [error, *error.diagnostics])),)
        raise
    # What is worth knowing of a run that went well, where MLIR prints it.
    for diagnostic in result.diagnostics or ():
        print(diagnostic, file=sys.stderr)
    return result
