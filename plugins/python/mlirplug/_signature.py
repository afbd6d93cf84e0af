# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How functions are called from Python: what their types say before they are
lowered, and what lowering must have made of that."""

import math
import struct

from . import ir

# engine_kind in engine.h
_INTEGER, _SIGNED, _UNSIGNED, _BOOLEAN, _FLOAT, _COMPLEX, _BITS = range(7)

_FLOATS = {"f32": (_FLOAT, 4, "float32", "f32"), "f64": (_FLOAT, 8, "float64", "f64"),
           "f16": (_BITS, 2, "float16", "f16"), "bf16": (_BITS, 2, "bfloat16", "bf16"),
           "index": (_INTEGER, 8, "int64", "i64"),
           "complex<f32>": (_COMPLEX, 8, "complex64", "struct<(f32, f32)>"),
           "complex<f64>": (_COMPLEX, 16, "complex128", "struct<(f64, f64)>")}
_SIGNS = {"i": (_INTEGER, "int"), "si": (_SIGNED, "int"), "ui": (_UNSIGNED, "uint")}


class Unsupported(TypeError):
    """A function that Python cannot call."""


def _half_bits(number):
    return struct.unpack("<H", struct.pack("<e", float(number)))[0]


def _bfloat_bits(number):
    value = float(number)
    if math.isnan(value):
        return 0x7fc0
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16


def _bits_value(name, bits):
    if name == "float16":
        return struct.unpack("<e", struct.pack("<H", bits))[0]
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


_CONVERT = {"float16": _half_bits, "bfloat16": _bfloat_bits}


class Element:
    """A number."""

    def __init__(self, text):
        self.text = text
        if text in _FLOATS:
            self.kind, self.size, self.name, self.lowered = _FLOATS[text]
        elif text == "i1":
            self.kind, self.size, self.name, self.lowered = _BOOLEAN, 1, "bool", "i1"
        else:
            sign = text.rstrip("0123456789")
            bits = text[len(sign):]
            if sign not in _SIGNS or bits not in ("8", "16", "32", "64"):
                raise Unsupported(f"{text} is no type that numpy has")
            self.kind, name = _SIGNS[sign]
            self.size, self.name, self.lowered = int(bits) // 8, name + bits, "i" + bits
        self.packed = (self.kind, self.size, self.name)
        self.alignment = self.size // 2 if self.kind == _COMPLEX else self.size


class Array:
    """A memref or tensor. Sizes and strides are None where they are dynamic;
    strides are None if they follow from the sizes."""

    def __init__(self, type, tensor_results=False):
        self.is_tensor = isinstance(type, (ir.RankedTensorType, ir.UnrankedTensorType))
        self.is_unranked = isinstance(type, (ir.UnrankedTensorType, ir.UnrankedMemRefType))
        self.element = Element(str(type.element_type))
        self.shape, self.strides, self.offset = (), None, 0
        space = None if self.is_tensor else getattr(type, "memory_space", None)
        self.space = "" if space is None else f"<{str(space).split(' ')[0]}>"
        if self.is_tensor and getattr(type, "encoding", None) is not None:
            raise Unsupported(f"{type} has an encoding")
        if self.is_unranked:
            return
        dynamic = type.get_dynamic_size()
        self.shape = tuple(None if size == dynamic else size for size in type.shape)
        if not self.is_tensor:
            self._layout(type)

    def _layout(self, type):
        try:
            strides, offset = type.get_strides_and_offset()
        except Exception:
            raise Unsupported(f"{type} has a layout that is not one of strides") from None
        if type.affine_map == ir.AffineMap.get_identity(len(self.shape), type.context):
            return
        dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
        self.strides = tuple(None if stride == dynamic else stride for stride in strides)
        self.offset = None if offset == dynamic else offset

    def packed(self, written):
        return (self.is_unranked, written, self.shape, self.strides, self.offset)

    def arguments(self):
        """What lowering makes of it as an argument."""
        pointer = "ptr" + self.space
        if self.is_unranked:
            return ["i64", "ptr"]
        return [pointer, pointer, "i64"] + ["i64"] * (2 * len(self.shape))

    def result(self):
        pointer, rank = "ptr" + self.space, len(self.shape)
        if self.is_unranked:
            return "struct<(i64, ptr)>"
        sizes = f", array<{rank} x i64>, array<{rank} x i64>" if rank else ""
        return f"struct<({pointer}, {pointer}, i64{sizes})>"


def _one(type):
    if isinstance(type, (ir.RankedTensorType, ir.UnrankedTensorType, ir.MemRefType, ir.UnrankedMemRefType)):
        return Array(type)
    return Element(str(type))


class Signature:
    """What a function takes and returns."""

    def __init__(self, name, type, keeps_tensors=False):
        self.name, self.text = name, str(type)
        self.input_texts = [str(one) for one in type.inputs]
        self.inputs = [_one(one) for one in type.inputs]
        self.results = [_one(one) for one in type.results]
        self.keeps_tensors = keeps_tensors

    @property
    def lowered(self):
        """The type that it has in the LLVM dialect."""
        results = [one.result() if isinstance(one, Array) else one.lowered for one in self.results]
        if len(results) > 1:
            results = ["struct<(" + ", ".join(results) + ")>"]
        inputs = []
        for one in self.inputs:
            inputs += one.arguments() if isinstance(one, Array) else [one.lowered]
        return f"!llvm.func<{results[0] if results else 'void'} ({', '.join(inputs)})>"

    def parameters(self):
        """For EngineFunction."""
        made = []
        for text, one in zip(self.input_texts, self.inputs):
            element = one.element if isinstance(one, Array) else one
            written = isinstance(one, Array) and not (one.is_tensor and self.keeps_tensors)
            made.append((text, element.packed, _CONVERT.get(element.name),
                         one.packed(written) if isinstance(one, Array) else None))
        return tuple(made)

    def layout(self):
        """(offset in bytes of each result, size of all)"""
        offsets, end, widest = [], 0, 1
        for one in self.results:
            size, alignment = (one.size, one.alignment) if isinstance(one, Element) else \
                (16 if one.is_unranked else 24 + 16 * len(one.shape), 8)
            end = -(-end // alignment) * alignment
            offsets.append(end)
            end, widest = end + size, max(widest, alignment)
        return offsets, -(-end // widest) * widest


def number(element, bytes):
    """The number that these bytes are."""
    if element.kind == _BITS:
        return _bits_value(element.name, int.from_bytes(bytes, "little"))
    code = {_FLOAT: {4: "f", 8: "d"}, _BOOLEAN: {1: "?"}, _COMPLEX: {8: "2f", 16: "2d"},
            _UNSIGNED: {1: "B", 2: "H", 4: "I", 8: "Q"}}.get(element.kind, {1: "b", 2: "h", 4: "i", 8: "q"})
    values = struct.unpack("=" + code[element.size], bytes)
    if element.kind == _BOOLEAN:
        return bool(bytes[0] & 1)
    return complex(*values) if element.kind == _COMPLEX else values[0]


def signatures(module, keeps_tensors=False):
    """Name: Signature, or an Unsupported that says why there is none, for each
    public function with a body in `module` that is not lowered yet."""
    found = {}
    for operation in module.body.operations:
        operation = operation.operation
        if operation.name != "func.func" or not len(operation.regions[0].blocks):
            continue
        attributes = operation.attributes
        name = ir.StringAttr(attributes["sym_name"]).value
        type = ir.FunctionType(ir.TypeAttr(attributes["function_type"]).value)
        try:
            found[name] = Signature(name, type, keeps_tensors)
        except Unsupported as reason:
            found[name] = reason
    return found
