# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations by the names that they are symbols under."""

from . import _mlirplug


class SymbolTable:
    """The symbols of an operation that has a region of one block.

    It reads the IR each time, so it is right whatever was changed since."""

    def __init__(self, operation):
        operation = getattr(operation, "operation", operation)
        if not isinstance(operation, _mlirplug.ir.Operation):
            raise TypeError(f"expected an Operation, not {type(operation)}")
        regions = operation.regions
        if len(regions) != 1 or len(regions[0].blocks) != 1:
            raise TypeError("Operation is not a Symbol Table.")
        self._operation = operation

    def _symbols(self):
        for op in self._operation.regions[0].blocks[0]:
            name = op.attributes.get("sym_name")
            if isinstance(name, _mlirplug.ir.StringAttr):
                yield name.value, op

    def __getitem__(self, name):
        for symbol, op in self._symbols():
            if symbol == name:
                return op
        raise KeyError(f"Symbol '{name}' not in the symbol table.")

    def __contains__(self, name):
        return any(symbol == name for symbol, _ in self._symbols())

    def __delitem__(self, name):
        self[name].erase()

    def erase(self, operation):
        if getattr(operation, "operation", operation).parent != self._operation:
            raise ValueError("the operation is not in the symbol table")
        operation.erase()

    def insert(self, operation):
        """Puts a symbol into the table, under a new name if its own is taken.
        Returns the name, an attribute."""
        operation = getattr(operation, "operation", operation)
        name = self.get_symbol_name(operation).value
        taken = {symbol for symbol, op in self._symbols() if op != operation}
        fresh, count = name, 0
        while fresh in taken:
            fresh, count = f"{name}_{count}", count + 1
        if fresh != name:
            self.set_symbol_name(operation, fresh)
        if operation.block is None:
            block = self._operation.regions[0].blocks[0]
            _mlirplug.ir.InsertionPoint(block).insert(operation)
        return self.get_symbol_name(operation)

    @staticmethod
    def get_symbol_name(symbol):
        name = symbol.attributes.get("sym_name")
        if name is None:
            raise ValueError("Expected operation to have a symbol name.")
        return name

    @staticmethod
    def set_symbol_name(symbol, name):
        SymbolTable.get_symbol_name(symbol)
        symbol.attributes["sym_name"] = _mlirplug.ir.StringAttr.get(name, symbol.context)

    @staticmethod
    def get_visibility(symbol):
        visibility = symbol.attributes.get("sym_visibility")
        if visibility is None:
            visibility = _mlirplug.ir.StringAttr.get("public", symbol.context)
        return visibility

    @staticmethod
    def set_visibility(symbol, visibility):
        if visibility not in ("public", "private", "nested"):
            raise ValueError("Expected visibility to be 'public', 'private' or 'nested'")
        symbol.attributes["sym_visibility"] = _mlirplug.ir.StringAttr.get(
            visibility, symbol.context
        )
