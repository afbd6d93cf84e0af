# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Descriptors of memrefs as ctypes structures, with the names of the upstream
bindings. ExecutionEngine's functions take arrays themselves and check them; this
is for invoke."""

import ctypes

import numpy as np

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

__all__ = [
    "BF16", "C64", "C128", "F16", "F8E5M2", "UnrankedMemRefDescriptor", "as_ctype",
    "get_ranked_memref_descriptor", "get_unranked_memref_descriptor", "make_nd_memref_descriptor",
    "make_zero_d_memref_descriptor", "move_aligned_ptr_by_offset", "ranked_memref_to_numpy", "to_numpy",
    "unranked_memref_to_numpy",
]


class C128(ctypes.Structure):
    """complex<f64>"""

    _fields_ = [("real", ctypes.c_double), ("imag", ctypes.c_double)]


class C64(ctypes.Structure):
    """complex<f32>"""

    _fields_ = [("real", ctypes.c_float), ("imag", ctypes.c_float)]


class F16(ctypes.Structure):
    """f16, as its bits."""

    _fields_ = [("f16", ctypes.c_int16)]


class BF16(ctypes.Structure):
    """bf16, as its bits."""

    _fields_ = [("bf16", ctypes.c_int16)]


class F8E5M2(ctypes.Structure):
    """f8E5M2, as its bits."""

    _fields_ = [("f8E5M2", ctypes.c_int8)]


_CTYPES = {np.dtype(np.complex128): C128, np.dtype(np.complex64): C64, np.dtype(np.float16): F16}
_NUMPY = {C128: np.complex128, C64: np.complex64, F16: np.float16}
for _class, _name in ((BF16, "bfloat16"), (F8E5M2, "float8_e5m2")):
    _type = getattr(ml_dtypes, _name, None)
    if _type is not None:
        _CTYPES[np.dtype(_type)] = _class
        _NUMPY[_class] = _type


def as_ctype(dtp):
    """The type of ctypes for one of numpy."""
    dtype = np.dtype(dtp)
    return _CTYPES.get(dtype) or np.ctypeslib.as_ctypes_type(dtype)


def to_numpy(array):
    """An array of the structures above as one of numpy's numbers."""
    dtype = array.dtype
    for structure, type in _NUMPY.items():
        if dtype == np.dtype(structure):
            return array.view(type)
    if dtype in (np.dtype(BF16), np.dtype(F8E5M2)):
        raise ValueError(f"arrays of {dtype.names[0]} take the package ml_dtypes: pip install ml_dtypes")
    return array


def make_nd_memref_descriptor(rank, dtype):
    """The structure for `rank` dimensions, at least one."""
    class MemRefDescriptor(ctypes.Structure):
        _fields_ = [
            ("allocated", ctypes.c_longlong),
            ("aligned", ctypes.POINTER(dtype)),
            ("offset", ctypes.c_longlong),
            ("shape", ctypes.c_longlong * rank),
            ("strides", ctypes.c_longlong * rank),
        ]

    return MemRefDescriptor


def make_zero_d_memref_descriptor(dtype):
    """The structure for no dimension."""
    class MemRefDescriptor(ctypes.Structure):
        _fields_ = [
            ("allocated", ctypes.c_longlong),
            ("aligned", ctypes.POINTER(dtype)),
            ("offset", ctypes.c_longlong),
        ]

    return MemRefDescriptor


class UnrankedMemRefDescriptor(ctypes.Structure):
    """A rank, and a pointer to the descriptor of that rank."""

    _fields_ = [("rank", ctypes.c_longlong), ("descriptor", ctypes.c_void_p)]


def get_ranked_memref_descriptor(nparray):
    """The descriptor of an array, which has to outlive it."""
    element = as_ctype(nparray.dtype)
    address = nparray.ctypes.data
    if nparray.ndim == 0:
        descriptor = make_zero_d_memref_descriptor(element)()
    else:
        descriptor = make_nd_memref_descriptor(nparray.ndim, element)()
        for stride in nparray.strides:
            if stride % nparray.itemsize:
                raise ValueError(f"the strides {nparray.strides} are no multiples of an element's "
                                 f"{nparray.itemsize} bytes: pass numpy.ascontiguousarray(array)")
        descriptor.shape = nparray.ctypes.shape
        descriptor.strides = type(descriptor.strides)(*(stride // nparray.itemsize for stride in nparray.strides))
    descriptor.allocated = address
    descriptor.aligned = ctypes.cast(address, ctypes.POINTER(element))
    descriptor.offset = 0
    return descriptor


def get_unranked_memref_descriptor(nparray):
    """The same for a memref whose rank the function finds out."""
    ranked = get_ranked_memref_descriptor(nparray)
    descriptor = UnrankedMemRefDescriptor()
    descriptor.rank = nparray.ndim
    descriptor.descriptor = ctypes.cast(ctypes.pointer(ranked), ctypes.c_void_p)
    descriptor._ranked = ranked  # kept as long
    return descriptor


def move_aligned_ptr_by_offset(aligned_ptr, offset):
    """The pointer to the element with that number."""
    address = ctypes.cast(aligned_ptr, ctypes.c_void_p).value + offset * ctypes.sizeof(aligned_ptr._type_)
    return ctypes.cast(address, type(aligned_ptr))


def _view(descriptor, element, shape, strides):
    pointer = move_aligned_ptr_by_offset(ctypes.cast(descriptor.aligned, ctypes.POINTER(element)), descriptor.offset)
    if not shape:
        return to_numpy(np.ctypeslib.as_array(pointer, shape=(1,))).reshape(())
    size = ctypes.sizeof(element)
    flat = np.ctypeslib.as_array(pointer, shape=tuple(shape))
    return to_numpy(np.lib.stride_tricks.as_strided(flat, tuple(shape), [stride * size for stride in strides]))


def ranked_memref_to_numpy(ranked_memref):
    """What a pointer to a descriptor describes, as an array that shares memory."""
    descriptor = ranked_memref[0]
    element = descriptor.aligned._type_
    shape = tuple(descriptor.shape) if hasattr(descriptor, "shape") else ()
    return _view(descriptor, element, shape, tuple(getattr(descriptor, "strides", ())))


def unranked_memref_to_numpy(unranked_memref, np_dtype):
    """The same for a pointer to an UnrankedMemRefDescriptor."""
    element, described = as_ctype(np_dtype), unranked_memref[0]
    rank = described.rank
    structure = make_nd_memref_descriptor(rank, element) if rank else make_zero_d_memref_descriptor(element)
    return ranked_memref_to_numpy(ctypes.cast(described.descriptor, ctypes.POINTER(structure)))
