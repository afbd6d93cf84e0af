# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Doing what may end the process in another one first.

LLVM ends the process when it finds code that it cannot make instructions for,
and so do failed assertions. A child of this process, which has all that this one
has, tries it; if the child ends well, this process does it as well.
"""

import contextlib
import os
import resource
import select
import signal
import tempfile
import time
import warnings

from ._mlirplug import Error, is_threaded

LIMIT = 120.0  # seconds


def _error(doing, found, expected, remedy):
    error = Error(f"{doing}: {found}; expected {expected}: {remedy}")
    error.doing, error.found, error.expected, error.remedy = doing, found, expected, remedy
    error.subject, error.diagnostics = None, []
    return error


@contextlib.contextmanager
def _alone(context):
    """Without MLIR's threads, of which a child would have none."""
    threads = context is not None and is_threaded(context)
    if threads:
        context.enable_multithreading(False)
    try:
        yield
    finally:
        if threads:
            context.enable_multithreading(True)


def _child(attempt, output):
    """Never returns."""
    code = 1
    try:
        for number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE):
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for stream in (1, 2):
            os.dup2(output, stream)
        try:
            attempt()
        except Exception:
            # It will happen here once more, with all that belongs to it.
            pass
        code = 0
    finally:
        os._exit(code)


def _wait(process, limit):
    """The status of the child, or None if it took too long and was ended."""
    end = time.monotonic() + limit
    try:
        handle = os.pidfd_open(process)
    except (AttributeError, OSError):  # Python 3.9 on an old kernel
        handle = None
    pause = 0.0005
    while True:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            break
        left = end - time.monotonic()
        if left <= 0:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            status = None
            break
        if handle is not None:
            select.select([handle], [], [], left)
        else:
            time.sleep(min(pause, left))
            pause = min(pause * 2, 0.05)
    if handle is not None:
        os.close(handle)
    return status


def _reason(text):
    """What LLVM said before it ended the process: not where in itself."""
    lines = []
    for line in text.splitlines():
        if line.startswith(("PLEASE submit", "Stack dump")):
            break
        lines.append(line)
    return "\n".join(lines[-8:]).strip()


def guard(doing, attempt, *, time_limit=LIMIT, context=None, remedy="change what is asked for"):
    """Calls `attempt()` in a child of this process; what it does there has no
    effect here. Raises mlirplug.Error, with what LLVM printed, if that ends the
    child, or takes longer than `time_limit` seconds. Exceptions of `attempt` are
    ignored: they harm nobody. `context` is an mlirplug.ir.Context that is used."""
    with tempfile.TemporaryFile() as output, _alone(context):
        with warnings.catch_warnings():
            # Python 3.12 warns of threads: nothing of other threads is used.
            warnings.simplefilter("ignore", DeprecationWarning)
            process = os.fork()
        if process == 0:
            _child(attempt, output.fileno())
        try:
            status = _wait(process, time_limit)
        except BaseException:  # KeyboardInterrupt
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
            raise
        if status == 0:
            return
        output.seek(0)
        text = _reason(output.read().decode("utf-8", "replace"))
    if status is None:
        raise _error(doing, f"it was not done after {time_limit:g} seconds", "an end", "give a longer time_limit")
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            end = f"it ends the process with {signal.Signals(number).name}"
        except ValueError:
            end = f"it ends the process with signal {number}"
    else:
        end = f"it ends the process with status {os.WEXITSTATUS(status)}"
    raise _error(doing, f"{end}, saying: {text}" if text else end, "that it returns", remedy)
