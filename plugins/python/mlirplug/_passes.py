# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes written in Python: the decorator, and what the extension calls."""

import copy
import inspect
import linecache
import os
import sys
import threading
import traceback
import types

from ._options import Option


class Failure(Exception):
    """Fails the pass with an error at `at`, an operation or location, without a
    traceback: for what is wrong with the input, not with the pass."""

    def __init__(self, text, at=None):
        super().__init__(text)
        self.at = at


def _names(what, value):
    """A list of names as the loader wants it; `what` has them."""
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, (list, tuple)) or not all(isinstance(one, str) for one in value):
        raise TypeError(f"{what} is {value!r}, neither a name nor a list of names")
    return ",".join(value)


def _check_dict(what, value):
    if not isinstance(value, dict):
        raise TypeError(f"{what} is {value!r}, no dict")


def _document(thing, summary, description):
    """Summary and description, by default from the documentation."""
    lines = (inspect.getdoc(thing) or "").strip()
    first, _, rest = lines.partition("\n\n")
    if summary is None:
        summary = " ".join(first.split())
    if description is None:
        description = rest.strip()
    return summary, description


def _arity(function):
    """How many positional arguments it takes, at most."""
    count = 0
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind == parameter.VAR_POSITIONAL:
            return 2
        count += parameter.kind in (parameter.POSITIONAL_ONLY,
                                    parameter.POSITIONAL_OR_KEYWORD)
    return count


class _Pass:
    """A pass that was declared. Its instances are what `create` makes."""

    def __init__(self, thing, name, anchor, summary, description, dialects, options, statistics,
                 objects):
        self.thing, self.name = thing, name
        self.anchor = _names(f"anchor of pass {name!r}", anchor)
        self.dialects = _names(f"dialects of pass {name!r}", dialects)
        self.summary, self.description = _document(thing, summary, description)
        _check_dict(f"options of pass {name!r}", options)
        _check_dict(f"statistics of pass {name!r}", statistics)
        self.options = []
        for key, option in options.items():
            if not isinstance(option, Option):
                raise TypeError(f"option {key!r} of pass {name!r} is {option!r}, no mlirplug.Int, "
                                "mlirplug.Bool or the like")
            self.options.append(option.fields(key))
        self.statistics = list(statistics.items())
        if objects not in ("mlirplug", "package"):
            raise ValueError(f"objects of pass {name!r} are {objects!r}; they can be 'mlirplug' or "
                             "'package'")
        self.wants_package = objects == "package"
        if not callable(thing):
            raise TypeError(f"pass {name!r} is {thing!r}, neither a function nor a class")
        self.is_class = isinstance(thing, type)
        has = (lambda method: callable(getattr(thing, method, None))) if self.is_class else (
            lambda method: False)
        if self.is_class and not has("run"):
            raise TypeError(f"the class of pass {name!r} has no method run(self, op, run)")
        self.has_initialize, self.has_finish = has("initialize"), has("finish")
        self.has_merge, self.has_clone = has("merge"), has("clone")
        self.has_own_reset = has("reset")
        self.has_reset = self.has_own_reset or self.has_merge
        self.takes_run = _arity(thing.run) > 2 if self.is_class else _arity(thing) > 1
        self.takes_options = self.is_class and self._init_takes_options()

    def _init_takes_options(self):
        if self.thing.__init__ is object.__init__:
            return False
        return _arity(self.thing.__init__) > 1

    # What the extension calls. An instance is an object of the class, or None
    # for a function.

    def create(self, options):
        if not self.is_class:
            return None
        return self.thing(options) if self.takes_options else self.thing()

    def clone(self, instance):
        if not self.is_class:
            return None
        return instance.clone() if self.has_clone else copy.deepcopy(instance)

    def run(self, instance, op, run):
        call = self.thing if instance is None else instance.run
        if self.takes_run:
            call(op, run)
        else:
            call(op)

    def initialize(self, instance, run):
        instance.initialize(run)

    def merge(self, instance, other):
        instance.merge(other)

    def finish(self, instance, run):
        instance.finish(run)

    def reset(self, instance, options):
        """The instance for another run: the same one, or a new one."""
        if self.has_own_reset:
            instance.reset()
            return instance
        return self.create(options)


def pass_(name, *, anchor=None, summary=None, description=None, dialects=(), options={},
          statistics={}, objects="mlirplug"):
    """Makes a function or a class a pass called `name`.

    A function is called with the operation that the pass runs on, an
    mlirplug.ir.Operation, and, if it takes a second argument, the run: its
    options, diagnostics, records and statistics. Of a class each place in a
    pipeline gets an instance, and so does each thread: a deep copy, or what
    `clone` makes. See README.md for its methods.

    anchor      operations that it runs on: a name or several; None for any
    dialects    those that it makes operations, types or attributes of
    options     names and mlirplug.Int(default, help) or the like
    statistics  names and help texts of what run.count adds to
    objects     "package": the pass wants objects of the Python package whose
                module it runs on, such as jaxlib.mlir.ir.Operation
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a pass is {name!r}, no text; write @mlirplug.pass_(\"name\")")

    def declare(thing):
        declared = _Pass(thing, name, anchor, summary, description, dialects, options, statistics,
                         objects)
        module = sys.modules.get(thing.__module__)
        if module is not None:
            vars(module).setdefault("__mlirplug_passes__", []).append(declared)
        return thing

    return declare


# Files

_lock = threading.Lock()
_count = 0


def _module_name(path):
    global _count
    stem = os.path.splitext(os.path.basename(path))[0]
    with _lock:
        _count += 1
        return f"_mlirplug_file_{_count}_{stem}"


def open_file(path, source):
    """Runs the file, whose bytes are `source`. Returns its id, its version and
    its passes."""
    module = types.ModuleType(_module_name(path))
    module.__file__ = path
    code = compile(source, path, "exec", dont_inherit=True)
    # What was run is what tracebacks show, whatever is in the file by then.
    text = source.decode("utf-8", "replace")
    linecache.cache[path] = (len(source), None, text.splitlines(True), path)
    sys.modules[module.__name__] = module
    try:
        exec(code, vars(module))
    except BaseException:
        del sys.modules[module.__name__]
        raise
    passes = getattr(module, "__mlirplug_passes__", [])
    stem = os.path.splitext(os.path.basename(path))[0]
    identity = str(getattr(module, "__plugin__", stem))
    version = getattr(module, "__version__", None)
    return identity, None if version is None else str(version), passes


# Exceptions

_HERE = os.path.dirname(os.path.abspath(__file__))


def _is_own(filename):
    return os.path.dirname(os.path.abspath(filename)) == _HERE


def _explain(kind, value, trace):
    """The text of an exception, and the traceback as [(file, line, text)], its
    innermost call first, without mlirplug's own calls."""
    frames = []
    for frame in traceback.extract_tb(trace):
        if not _is_own(frame.filename):
            line = (frame.line or "").strip()
            frames.append((frame.filename, frame.lineno or 0,
                           f"in {frame.name}: {line}" if line else f"in {frame.name}"))
    frames.reverse()
    text = "".join(traceback.format_exception_only(kind, value)).strip()
    if isinstance(value, SyntaxError):
        text = f"{kind.__name__}: {value.msg}"
        frames.insert(0, (value.filename or "?", value.lineno or 0, (value.text or "").strip()))
    return text, frames


def _bytes(text):
    return text.encode("utf-8", "backslashreplace")


def explain(kind, value, trace):
    """An exception as (text, where, [(file, line, text)])."""
    if isinstance(value, Failure):
        return _bytes(str(value)), value.at, []
    text, frames = _explain(kind, value, trace)
    return _bytes(text), None, [(_bytes(file), line, _bytes(code)) for file, line, code in frames]


def explain_opening(path, kind, value, trace):
    """The same in one line, for a file that cannot be opened."""
    text, frames = _explain(kind, value, trace)
    for file, line, _ in frames:
        if file == path:
            return _bytes(f"line {line}: {text}")
    return _bytes(text)
