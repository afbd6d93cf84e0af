# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What functions of an engine return."""

import ctypes
import struct

from ._mlirplug import EngineFunction
from ._signature import Array, Element, number

_free = None


def _release(address):
    """To where memref.alloc takes it from."""
    global _free
    if _free is None:
        _free = ctypes.CDLL(None).free
        _free.argtypes, _free.restype = [ctypes.c_void_p], None
    _free(address)


def _dtype(element):
    import numpy

    if element.name == "bfloat16":
        try:
            from ml_dtypes import bfloat16
        except ImportError:
            return numpy.dtype("uint16")  # its bits
        return numpy.dtype(bfloat16)
    return numpy.dtype(element.name)


def _array(descriptor, rank, element):
    """A copy as a numpy array, and the address that was allocated."""
    import numpy

    numbers = struct.unpack_from(f"={3 + 2 * rank}q", descriptor)
    allocated, aligned, offset = numbers[:3]
    sizes, strides = numbers[3:3 + rank], numbers[3 + rank:]
    dtype = _dtype(element)
    if 0 in sizes:
        return numpy.empty(sizes, dtype), allocated
    extent = element.size * (1 + sum((size - 1) * stride for size, stride in zip(sizes, strides)))
    memory = (ctypes.c_char * extent).from_address(aligned + offset * element.size)
    view = numpy.ndarray(sizes, dtype, memory, 0, [stride * element.size for stride in strides])
    return view.copy(order="C"), allocated


def _finish(signature, frees):
    offsets, _ = signature.layout()

    def finish(data, arguments):
        made, taken = [], set()
        for one, offset in zip(signature.results, offsets):
            if isinstance(one, Element):
                made.append(number(one, data[offset:offset + one.size]))
                continue
            rank, descriptor = len(one.shape), data[offset:]
            if one.is_unranked:
                rank, address = struct.unpack_from("=qq", descriptor)
                descriptor = ctypes.string_at(address, 24 + 16 * rank)
                taken.add(address)
            array, allocated = _array(descriptor, rank, one.element)
            made.append(array)
            taken.add(allocated)
        if frees:
            for address in taken - {0}:
                _release(address)
        return made[0] if len(made) == 1 else tuple(made)

    return finish


def function(engine, address, signature, frees):
    """Calls what is at `address`, as `signature` says. With `frees`, the arrays
    that it returns are the caller's, to be freed."""
    _, size = signature.layout()
    results = signature.results
    one = results[0].packed if len(results) == 1 and isinstance(results[0], Element) and \
        results[0].name not in ("float16", "bfloat16") else None
    return EngineFunction(engine, address, signature.name, signature.parameters(), one, size,
                          _finish(signature, frees))
