# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What mlirplug.ir has that needs no C: exceptions, enumerations, records."""

import enum
import sys


class ClassProperty:
    """What a function without arguments returns, as a property of a class."""

    def __init__(self, getter):
        self._getter = getter

    def __get__(self, instance, owner=None):
        return self._getter()


class WalkResult(enum.IntEnum):
    """What the callback of a walk wants next."""

    ADVANCE = 0
    INTERRUPT = 1
    SKIP = 2

    __repr__ = __str__ = enum.Enum.__str__


class WalkOrder(enum.IntEnum):
    PRE_ORDER = 0
    POST_ORDER = 1

    __repr__ = __str__ = enum.Enum.__str__


class DiagnosticSeverity(enum.IntEnum):
    ERROR = 0
    WARNING = 1
    NOTE = 2
    REMARK = 3

    __repr__ = __str__ = enum.Enum.__str__


class DiagnosticInfo:
    """A diagnostic: where, how bad, what, and notes, which are such, too."""

    __slots__ = ("location", "message", "notes", "severity")

    def __init__(self, severity, location, message, notes):
        self.severity = DiagnosticSeverity(severity)
        self.location = location
        self.message = message
        self.notes = notes

    def __str__(self):
        return self.message


def _diagnostic_lines(diagnostic, indent=""):
    # A location prints as loc("file":1:2).
    place = str(diagnostic.location)[4:-1]
    word = diagnostic.severity.name.lower()
    yield f"{indent}{word}: {place}: {diagnostic.message}"
    for note in diagnostic.notes:
        yield from _diagnostic_lines(note, indent + " ")


class MLIRError(Exception):
    """MLIR refused something; its diagnostics say why."""

    def __init__(self, message, error_diagnostics=None):
        super().__init__(message, error_diagnostics)
        self.message = message
        self.error_diagnostics = list(error_diagnostics or ())

    def __str__(self):
        if not self.error_diagnostics:
            return self.message
        lines = [self.message + ":"]
        for diagnostic in self.error_diagnostics:
            lines.extend(_diagnostic_lines(diagnostic))
        return "\n".join(lines)


class NamedAttribute:
    """An attribute and its name."""

    __slots__ = ("attr", "name")

    def __init__(self, name, attr):
        self.name = name
        self.attr = attr

    def __repr__(self):
        return f"NamedAttribute({self.name}={self.attr})"


class OpOperand:
    """A use of a value: the operation, and which of its operands it is."""

    __slots__ = ("operand_number", "owner")

    def __init__(self, owner, operand_number):
        self.owner = owner
        self.operand_number = operand_number


def dump(thing):
    """Prints to stderr."""
    print(thing, file=sys.stderr)


for _class in (WalkResult, WalkOrder, DiagnosticSeverity, DiagnosticInfo):
    _class.__module__ = "mlirplug.ir"
for _class in (MLIRError, NamedAttribute, OpOperand):
    _class.__module__ = "mlirplug.ir"
del _class
