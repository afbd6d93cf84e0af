# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The IR of MLIR, with the names of the upstream bindings (mlir.ir).

Objects are checked: using one whose operation was erased, or whose run of a
pass has ended, raises RuntimeError and never does more."""

from . import _mlirplug
from ._ir import (
    DiagnosticInfo,
    DiagnosticSeverity,
    MLIRError,
    NamedAttribute,
    OpOperand,
    WalkOrder,
    WalkResult,
)
from ._symbol_table import SymbolTable

Diagnostic = DiagnosticInfo

_classes = {name: value for name, value in vars(_mlirplug.ir).items() if isinstance(value, type)}
globals().update(_classes)

__all__ = [
    "Diagnostic",
    "DiagnosticInfo",
    "DiagnosticSeverity",
    "MLIRError",
    "NamedAttribute",
    "OpOperand",
    "SymbolTable",
    "WalkOrder",
    "WalkResult",
    *(name for name in _classes if not name.startswith("_")),
]
