# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options that a pass declares: a name, a type, a default and a help text.

A pass finds their values in ``run.options``, by name, with '_' for '-'."""

_BOOL, _INT, _UINT, _DOUBLE, _STRING, _ENUM, _LIST = 1, 2, 3, 4, 5, 6, 16


class Option:
    """What all options have in common. Checked by the loader, like C's."""

    kind = 0

    def __init__(self, default, help=""):
        self.default, self.help = default, help

    choices = None
    range = None

    def text(self, value):
        """A value as it is written in a pipeline."""
        return str(value)

    def fields(self, name):
        """What the extension makes an option of."""
        integer, real, text = 0, 0.0, None
        if self.kind == _DOUBLE:
            real = float(self.default)
        elif self.kind == _STRING:
            text = str(self.default)
        elif self.kind == _ENUM:
            integer = self.position(self.default)
        elif self.kind in (_BOOL, _INT, _UINT):
            integer = int(self.default)
        low, high = self.range or (0, 0)
        return (name, self.help, self.kind, integer, real, text, self.choices,
                self.range is not None, low, high)


class Bool(Option):
    kind = _BOOL

    def __init__(self, default=False, help=""):
        super().__init__(bool(default), help)

    def text(self, value):
        return "true" if value else "false"


class _Number(Option):
    lowest = highest = None

    def __init__(self, default=0, help="", *, min=None, max=None):
        super().__init__(default, help)
        if min is not None or max is not None:
            self.range = (self.lowest if min is None else min,
                          self.highest if max is None else max)


class Int(_Number):
    kind, lowest, highest = _INT, -2**63, 2**63 - 1


class Uint(_Number):
    kind, lowest, highest = _UINT, 0, 2**64 - 1


class Double(_Number):
    kind, lowest, highest = _DOUBLE, -float("inf"), float("inf")

    def text(self, value):
        return repr(float(value))


class String(Option):
    kind = _STRING

    def __init__(self, default="", help=""):
        super().__init__(default, help)

    def text(self, value):
        return '"' + value + '"'


class Enum(Option):
    """One of `choices`; a pass gets it as text."""

    kind = _ENUM

    def __init__(self, default, choices, help=""):
        super().__init__(default, help)
        self.values = tuple(choices.split(",") if isinstance(choices, str) else choices)
        self.choices = ",".join(self.values)
        self.position(default)

    def position(self, value):
        if value not in self.values:
            raise ValueError(f"the default {value!r} is none of the choices {self.choices}")
        return self.values.index(value)


class List(Option):
    """Several of another option, whose own default does not count."""

    def __init__(self, of, default=(), help=""):
        super().__init__(tuple(default), help or of.help)
        self.kind = of.kind | _LIST
        self.of, self.range, self.choices = of, of.range, of.choices

    def fields(self, name):
        text = ",".join(self.of.text(value) for value in self.default)
        low, high = self.range or (0, 0)
        return (name, self.help, self.kind, 0, 0.0, text, self.choices,
                self.range is not None, low, high)
