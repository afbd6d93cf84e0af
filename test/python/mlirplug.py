# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""As much of <mlirplug/host.h> as the tests need, through ctypes.

Nothing here is special to Python: it is the sequence of calls that any program
makes which has MLIR objects of a copy of MLIR that somebody else brought."""

import ctypes

POINTER = ctypes.c_void_p
TEXT = ctypes.c_char_p


class Error(ctypes.Structure):
    _fields_ = [(part, TEXT) for part in
                ("doing", "subject", "found", "expected", "remedy", "message")]


class ManagerConfiguration(ctypes.Structure):
    RECORD = ctypes.CFUNCTYPE(None, POINTER, ctypes.c_size_t, POINTER)
    _fields_ = [("size", ctypes.c_size_t), ("record", RECORD),
                ("user_data", POINTER), ("verify", ctypes.c_bool)]


class Statistic(ctypes.Structure):
    _fields_ = [("pass_", TEXT), ("place", ctypes.c_size_t), ("name", TEXT),
                ("help", TEXT), ("value", ctypes.c_uint64)]


class Refused(Exception):
    """The message of a mlirplug_error."""


def capsule_of(thing):
    """The name of the capsule of an object of Python bindings, and the pointer
    in it: the handle of the C API."""
    capsule = thing._CAPIPtr
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = TEXT, [ctypes.py_object]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = POINTER, [ctypes.py_object, TEXT]
    name = name_of(capsule)
    return name.decode(), pointer_of(capsule, name)


class Library:
    """libmlirplug.so at `path`."""

    def __init__(self, path):
        self._library = ctypes.CDLL(path)

    def call(self, function, *arguments):
        """Calls a function that can fail; its last parameter is the error."""
        error = ctypes.POINTER(Error)()
        if getattr(self._library, function)(*arguments, ctypes.byref(error)):
            message = error.contents.message.decode()
            self._library.mlirplug_error_destroy(error)
            raise Refused(message)

    def get(self, function, result, *arguments):
        called = getattr(self._library, function)
        called.restype = result
        return called(*arguments)


class Host:
    def __init__(self, library):
        self._library = library
        self._host = POINTER()
        library.call("mlirplug_host_create", None, ctypes.byref(self._host))

    def attach_package(self, package):
        self._library.call("mlirplug_host_attach_package", self._host,
                           package.encode())

    def attach_process(self):
        self._library.call("mlirplug_host_attach_process", self._host)

    def attach_library(self, path):
        self._library.call("mlirplug_host_attach_library", self._host,
                           path.encode())

    def provider(self):
        return self._library.get("mlirplug_host_provider", TEXT,
                                 self._host).decode()

    def add_plugin(self, path):
        self._library.call("mlirplug_host_add_plugin", self._host,
                           path.encode(), None)

    def run(self, pipeline, operation, context):
        """Runs it in place on an operation of Python bindings. Returns the
        records, and the sums of the statistics by name."""
        parsed, manager, records = POINTER(), POINTER(), []

        def collect(line, length, user_data):
            records.append(ctypes.string_at(line, length).decode())

        configuration = ManagerConfiguration(
            ctypes.sizeof(ManagerConfiguration),
            ManagerConfiguration.RECORD(collect), None, False)
        call = self._library.call
        call("mlirplug_pipeline_parse", self._host, pipeline.encode(),
             ctypes.byref(parsed))
        try:
            call("mlirplug_manager_create", parsed,
                 POINTER(capsule_of(context)[1]), ctypes.byref(configuration),
                 ctypes.byref(manager))
            call("mlirplug_manager_run", manager,
                 POINTER(capsule_of(operation)[1]), None)
            return records, self._statistics(manager)
        finally:
            self._library.get("mlirplug_manager_destroy", None, manager)
            self._library.get("mlirplug_pipeline_destroy", None, parsed)

    def _statistics(self, manager):
        count = self._library.get("mlirplug_manager_statistic_count",
                                  ctypes.c_size_t, manager)
        sums = {}
        for i in range(count):
            one = self._library.get("mlirplug_manager_statistic", Statistic,
                                    manager, ctypes.c_size_t(i))
            name = one.name.decode()
            sums[name] = sums.get(name, 0) + one.value
        return sums
