# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imported when the Python in this process was started for plugins. Nobody ends
it, so what they print goes out when they print it, and what they want done at
exit is done by `leave`."""

import atexit
import gc
import io
import sys

for _stream in (sys.stdout, sys.stderr):
    if hasattr(_stream, "reconfigure"):
        _stream.reconfigure(line_buffering=True, write_through=True)


def leave():
    """The process ends."""
    atexit._run_exitfuncs()
    for thing in gc.get_objects():
        if isinstance(thing, io.TextIOWrapper) and not thing.closed and thing.writable():
            thing.flush()
