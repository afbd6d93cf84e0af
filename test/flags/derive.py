#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints the flags of mlir-opt that docs/flags.md has to speak of, a line each:
#   KIND NAME
# flag      an option of mlir-opt that is in neither llc nor opt, and is no pass
# pipeline  a pass pipeline, which mlir-opt shows among its passes
# option    an option of such a pipeline, written behind its name
# All is taken from what the tools themselves say: --help-hidden, --list-passes.

import re
import subprocess
import sys

LINE = re.compile(r"^( +)-{1,2}([A-Za-z0-9][^\s=<\[]*)")
# Not among those: options that the others have, too.
ALSO = ["o", "verify-each", "load-pass-plugin"]


def names(tool, argument):
    """Each name that the tool shows, with how far it is indented."""
    run = subprocess.run([tool, argument], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{tool} {argument}: {run.stderr}")
    matches = map(LINE.match, run.stdout.splitlines())
    found = {}
    for match in filter(None, matches):
        found.setdefault(match[2], len(match[1]))
    return found


def derive(version):
    theirs = names(f"mlir-opt-{version}", "--help-hidden")
    others = names(f"llc-{version}", "--help-hidden")
    others.update(names(f"opt-{version}", "--help-hidden"))
    passes = names(f"mlir-opt-{version}", "--list-passes")
    own = {n: at for n, at in theirs.items() if n not in others | passes}
    # Passes and pipelines are indented below "Compiler passes to run", their
    # options further.
    columns = sorted(set(own.values()))
    kinds = dict(zip(columns, ["flag", "pipeline", "option"]))
    rows = [(kinds[at], name) for name, at in own.items()]
    return sorted(rows + [("flag", name) for name in ALSO])


if __name__ == "__main__":
    for kind, name in derive(sys.argv[1] if len(sys.argv) > 1 else "22"):
        print(kind, name)
