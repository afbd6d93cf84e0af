#!python
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command mlirplug as pip installs it: a program in the package mlirplug,
which is told of the Python that it belongs to."""

import os
import sys
from importlib.machinery import PathFinder

# The first entry is the directory of this script.
path = sys.path[0 if getattr(sys.flags, "safe_path", False) else 1:]
# Only found, not imported: the program starts as fast as it can.
package = PathFinder.find_spec("mlirplug", path)
if not package or not package.origin:
    sys.exit(f"mlirplug: {sys.executable} has no package mlirplug: pip install mlirplug")
program = os.path.join(os.path.dirname(package.origin), "bin", "mlirplug")

# Where packages with plugins are, and which Python runs plugins in Python.
directories = [entry for entry in path if os.path.isabs(entry) and ":" not in entry]
os.environ["MLIRPLUG_PYTHON_PATH"] = ":".join(directories)
if sys.prefix != sys.base_prefix:
    os.environ["VIRTUAL_ENV"] = sys.prefix
else:
    os.environ.pop("VIRTUAL_ENV", None)
    places = [os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]
    os.environ["PATH"] = os.pathsep.join(filter(None, places))
try:
    os.execv(program, ["mlirplug", *sys.argv[1:]])
except OSError as error:
    sys.exit(f"mlirplug: cannot run {program}: {error.strerror}; reinstall mlirplug")
