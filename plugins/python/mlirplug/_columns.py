# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules as tables: a row for each operation, a numpy array for each column."""

import os

from . import _mlirplug

# As enum column in columns.h.
_NAMES = ("name", "parent", "operands", "results", "file", "line", "column")


def _joined(numpy, parts):
    """One array of several; the same if it is one."""
    if len(parts) == 1:
        return parts[0]
    return numpy.concatenate([numpy.empty(0, numpy.int32), *parts])


class _Numbers:
    """A column of numbers."""

    def __init__(self):
        self._parts = []

    def add(self, numpy, part):
        self._parts.append(part)

    def array(self, numpy):
        return _joined(numpy, self._parts)


class _Texts:
    """A column of texts that are few: codes, and what they stand for."""

    def __init__(self, known=()):
        self.texts = list(known)
        self._codes = {text: code for code, text in enumerate(self.texts)}
        self._parts = []

    def add(self, numpy, codes, texts):
        own = self._codes
        new = [own.setdefault(text, len(own)) for text in texts]
        self.texts.extend(list(own)[len(self.texts):])
        if new != list(range(len(new))):
            # -1, which is for none, takes the last.
            codes = numpy.array([*new, -1], numpy.int32)[codes]
        self._parts.append(codes)

    def codes(self, numpy):
        return _joined(numpy, self._parts)

    def array(self, numpy):
        return _take(numpy, [*self.texts, None], object, self.codes(numpy))


class _Values:
    """A column of an attribute's values."""

    def __init__(self):
        self._values = []
        self._parts = []

    def add(self, numpy, codes, values):
        if self._values:
            codes = numpy.where(codes < 0, -1, codes + numpy.int32(len(self._values)))
        self._parts.append(codes)
        self._values.extend(values)

    def array(self, numpy):
        codes = _joined(numpy, self._parts)
        kinds = set(map(type, self._values))
        has_gaps = bool(len(codes)) and int(codes.min()) < 0
        if kinds == {float}:
            return _take(numpy, [*self._values, float("nan")], numpy.float64, codes)
        if kinds == {bool} and not has_gaps:
            return _take(numpy, self._values, numpy.bool_, codes)
        if kinds == {int} and not has_gaps and -1 << 63 <= min(self._values) and max(self._values) < 1 << 63:
            return _take(numpy, self._values, numpy.int64, codes)
        return _take(numpy, [*self._values, None], object, codes)


def _take(numpy, values, kind, codes):
    table = numpy.empty(len(values), kind)
    table[:] = values
    return table[codes]


def _modules(sources):
    """The modules that `sources` are or name, each as long as it is looked at."""
    context = None
    for source in sources:
        if not isinstance(source, (str, bytes, os.PathLike)):
            # Of other bindings, the module has no capsule that tells its kind.
            is_own = type(source).__module__.startswith("mlirplug.")
            yield source if is_own else getattr(source, "operation", source)
            continue
        from . import ir
        if context is None:
            context = ir.Context()
            context.allow_unregistered_dialects = True
        yield ir.Module.parseFile(os.fspath(source), context=context)


def columns(source, attributes=(), *, location=True, categories=None):
    """A module as a table: a dict of numpy arrays, with a row for each
    operation, outermost first.

    `source` is a Module or an Operation (of mlirplug.ir, or of jax, iree,
    torch_mlir, circt or mlir), the path of an .mlir file, or an iterable of
    such, which become one table.

    The columns:
        name       "func.func"
        parent     the row of the operation that it is in; -1 if there is none
        operands   how many
        results    how many
        file       where it comes from, if its location leads to a file; else
                   None, and 0 for the numbers. Not with location=False.
        line
        column
        input      with several sources: which one, from 0 on
    and one for each name in `attributes`: str, bool, int and float as such, the
    name of a symbol, True for a unit, the text of other attributes, and None
    where there is none. Where all are numbers, the array is one of int64, bool
    or float64, with NaN for missing floats.

    With a dict for `categories`, `name` and `file` are codes (-1 for None),
    and categories["name"] and categories["file"] are lists of what they stand
    for. Given to the next call, codes stay the same. So for pandas:
        pandas.Categorical.from_codes(table["name"], categories["name"])"""
    import numpy

    if isinstance(attributes, (str, bytes)):
        raise TypeError("attributes are a sequence of names, not one")
    attributes = list(attributes)
    several = not isinstance(source, (str, bytes, os.PathLike)) and not hasattr(source, "operation")
    names = _NAMES if location else _NAMES[:4]
    taken = [name for name in attributes if name in (*_NAMES, "input")]
    if taken or len(set(attributes)) < len(attributes):
        raise ValueError(f"two columns would have one name: {taken or attributes}")
    encoded = tuple(name.encode("utf-8", "surrogateescape") for name in attributes)

    known = {} if categories is None else categories
    table = {name: _Texts(known.get(name, ())) if name in ("name", "file") else _Numbers() for name in names}
    if several:
        table["input"] = _Numbers()
    table.update((name, _Values()) for name in attributes)
    start = 0  # The row that the next module begins with.
    for number, module in enumerate(_modules(source if several else [source])):
        arrays, *stand_for = _mlirplug.columns(module, encoded, location)
        parts = [None if array is None else numpy.frombuffer(array, numpy.int32) for array in arrays]
        part = dict(zip((*_NAMES, *attributes), parts))
        length = len(part["name"])
        if start:
            part["parent"] = numpy.where(part["parent"] < 0, -1, part["parent"] + numpy.int32(start))
        if several:
            part["input"] = numpy.full(length, number, numpy.int32)
        stand_for = dict(zip(("name", "file", *attributes), stand_for))
        for name, column in table.items():
            if name in stand_for:
                column.add(numpy, part[name], stand_for[name])
            else:
                column.add(numpy, part[name])
        start += length
    if categories is None:
        return {name: column.array(numpy) for name, column in table.items()}
    categories.update((name, table[name].texts) for name in ("name", "file") if name in table)
    return {name: column.codes(numpy) if isinstance(column, _Texts) else column.array(numpy)
            for name, column in table.items()}
