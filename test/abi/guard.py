#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Guards what was released: the ABI in test/golden against today's headers.

    guard.py check [--tree DIR] [--library FILE]
        Exit 1, and say what, if something that was released moved, changed or
        went. Additions pass.
    guard.py write [--tree DIR]
        Write the golden files anew, which is right before a release and after
        an addition, and never to silence `check`. See docs/abi-policy.md.

The golden files, in test/golden:

    libmlirplug.abi  what the library's headers declare, for abidiff
    plugin.abi       every type of the SDK's headers, for abidiff
    imports.tsv      every function that plugins can import, with its types
    growing.txt      which structures may grow at their end, and why

DIR holds sdk/ and core/, of this repository unless given. FILE is a libmlirplug
to compare as well. Both .abi files come from the headers alone, so that neither
flags nor internals of the library are in them. Needs abidw and abidiff
(abigail-tools) and a C compiler with DWARF, on x86-64.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "test/golden"

# Exit code of abidiff, a bit each: it failed itself; there is a change; the
# change breaks programs. It sets the last one only when a function went, so
# that a change is bad unless it is known to be harmless.
ERRORS = 1 | 2
CHANGE = 4

# A function of the library, with its name; and what makes a definition of it.
DECLARATION = re.compile(r"^(MLIRPLUG_API\b[^;{(]*\b(\w+)\([^;{]*);", re.MULTILINE)
TRAP = " { __builtin_trap(); }"

# The SDK's headers, in which each import shows itself as IMPORT(…).
IMPORTS = """
#include <mlirplug/import.h>
#undef MLIRPLUG_FUNCTION
#undef MLIRPLUG_PROCEDURE
#define MLIRPLUG_FUNCTION(result, name, parameters, arguments) \\
  IMPORT | name | result | parameters | arguments |
#define MLIRPLUG_PROCEDURE(name, parameters, arguments) \\
  IMPORT | name | void | parameters | arguments |
#undef bool
#include <mlirplug/ir.h>
#include <mlirplug/json.h>
"""


def compiler(tree, *arguments, source):
    """Runs the C compiler on a text, with the headers of `tree`."""
    command = ["cc", "-x", "c", "-", "-D_GNU_SOURCE"]
    command += [f"-I{tree}/sdk/include", f"-I{tree}/core/include", *arguments]
    done = subprocess.run(command, input=source, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"guard: the headers of {tree} do not compile:\n{done.stderr}")
    return done.stdout


# What the golden files are made of


def host_source(tree):
    """A library that has every function of its headers, without doing anything."""
    return DECLARATION.sub(r"\1" + TRAP, library_headers(tree))


def library_headers(tree):
    """The text of the library's headers, without what includes one of them."""
    headers = sorted((tree / "core/include/mlirplug").glob("*.h"))
    text = "".join(header.read_text() for header in headers)
    for header in headers:
        text = text.replace(f"#include <mlirplug/{header.name}>\n", "")
    return text


def public_types(tree):
    """The names of all types in the SDK's headers."""
    names = set()
    for header in sorted((tree / "sdk/include").rglob("*.h")):
        text = header.read_text()
        names.update(re.findall(r"^} (\w+);", text, re.MULTILINE))
        for typedef in re.findall(r"^typedef [^{;]*;", text, re.MULTILINE):
            pointer = re.search(r"\(\*(\w+)\)", typedef)
            names.add((pointer or re.search(r"(\w+);$", typedef)).group(1))
    return sorted(names)


def plugin_source(tree):
    """A library with a function for each type of the SDK's headers.

    abidiff looks at what functions reach; a type that went takes its function.
    """
    text = "#include <mlirplug/ir.h>\n#include <mlirplug/json.h>\n"
    for name in public_types(tree):
        text += f"void type_{name}({name} *value);\n"
        text += f"void type_{name}({name} *value){TRAP}\n"
    return text


def imports_text(tree):
    """A line for each import: name, result and parameters without names."""
    text = " ".join(compiler(tree, "-E", "-P", source=IMPORTS).split())
    lines = set()
    for found in re.finditer(r"IMPORT \|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|", text):
        name, result, parameters, arguments = (part.strip() for part in found.groups())
        for argument in re.findall(r"\w+", arguments):
            parameters = re.sub(rf"\b{argument}\b(?=[,)\[])", "", parameters)
        # What is left are the names in the parameters of callbacks.
        parameters = re.sub(r"(\w+ |\*)(?<!const )\w+(?=[,)])", r"\1", parameters)
        parameters = re.sub(r" (?=[,)\[])", "", parameters)
        lines.add(f"{name}\t{result}\t{parameters}\n")
    return "".join(sorted(lines))


def build(tree, source, path):
    """Builds a library with debug information."""
    compiler(
        tree,
        *("-g", "-O0", "-fPIC", "-shared", "-Wl,-soname,libmlirplug.so.1"),
        *("-Wno-unused-parameter", "-o", str(path)),
        source=source,
    )


LIBRARIES = {"libmlirplug": host_source, "plugin": plugin_source}


# Commands


def write(tree):
    """Writes the golden files."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, source in LIBRARIES.items():
            library = Path(scratch) / f"{name}.so"
            build(tree, source(tree), library)
            subprocess.run(
                ["abidw", "--no-show-locs", "--no-corpus-path"]
                + ["--no-comp-dir-path", "--no-elf-needed"]
                + ["--type-id-style", "hash"]
                + ["--out-file", GOLDEN / f"{name}.abi", library],
                check=True,
            )
    (GOLDEN / "imports.tsv").write_text(imports_text(tree))


def growing(name):
    """The structures that may grow, of those in the file NAME.abi."""
    lines = (GOLDEN / "growing.txt").read_text().splitlines()
    return [line.split()[1] for line in lines if line.startswith(f"{name} ")]


def is_growth(block, structures):
    """Whether a part of abidiff's report is a structure that may grow and did:
    nothing but new fields behind its old end."""
    head = re.match(
        r"'struct (\w+)' changed:\n"
        r"  type size changed from (\d+) to \d+ \(in bits\)\n"
        r"  \d+ data member insertions?:\n"
        r"((?:    '[^\n]*', at offset \d+ \(in bits\)\n)+)$",
        block,
    )
    if not head or head.group(1) not in structures:
        return False
    offsets = re.findall(r"at offset (\d+) \(in bits\)\n", head.group(3))
    return all(int(offset) >= int(head.group(2)) for offset in offsets)


def compare(name, library, *options):
    """Compares a library with a golden file; returns what is wrong, or ""."""
    done = subprocess.run(
        ["abidiff", "--leaf-changes-only", "--no-added-syms", "--no-show-locs"]
        + ["--fail-no-debug-info", "--no-default-suppression", *options]
        + [GOLDEN / f"{name}.abi", library],
        text=True,
        capture_output=True,
    )
    if done.returncode & ERRORS:
        sys.exit(f"guard: abidiff failed on {library}:\n{done.stderr}{done.stdout}")
    if done.returncode == 0:
        return ""
    # The report is a summary, then a block for each change; a block goes on in
    # the lines that are indented.
    summary, *blocks = re.split(r"\n(?=\S)", done.stdout.rstrip() + "\n")
    while blocks and re.match(r"\S.* summary: ", blocks[0]):
        summary += "\n" + blocks.pop(0)
    structures = growing(name)
    bad = [b for b in blocks if not is_growth(b.rstrip() + "\n", structures)]
    if done.returncode == CHANGE and blocks and not bad:
        return ""
    return (
        f"{name}: not what test/golden/{name}.abi says "
        f"(abidiff: {done.returncode}):\n" + "\n".join(bad or [done.stdout])
    )


def check_imports(tree):
    """What went from the list of imports, or changed in it."""
    now = set(imports_text(tree).splitlines())
    released = (GOLDEN / "imports.tsv").read_text().splitlines()
    return "".join(
        f"imports: gone or changed: {line}\n" for line in released if line not in now
    )


# What stock tools and plugins look for (sdk/include/mlirplug/stock.h).
STOCK = ["mlirGetPassPluginInfo", "mlirplug_stock_register"]


def check_exports(tree, library):
    """What the library exports beside the functions of its headers."""
    done = subprocess.run(
        ["nm", "-D", "--defined-only", "--format=just-symbols", library],
        text=True,
        capture_output=True,
        check=True,
    )
    declared = [name for _, name in DECLARATION.findall(library_headers(tree))]
    declared += STOCK
    return "".join(
        f"{library}: exports {name}, which no header has\n"
        for name in done.stdout.split()
        if name not in declared
    )


def check(tree, library):
    """Returns what is wrong, or ""."""
    wrong = check_imports(tree)
    with tempfile.TemporaryDirectory() as scratch:
        for name, source in LIBRARIES.items():
            path = Path(scratch) / f"{name}.so"
            build(tree, source(tree), path)
            wrong += compare(name, path)
    if library:
        headers = ["--headers-dir2", f"{tree}/sdk/include"]
        headers += ["--headers-dir2", f"{tree}/core/include"]
        wrong += compare("libmlirplug", library, "--drop-private-types", *headers)
        wrong += check_exports(tree, library)
    return wrong


def main():
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["check", "write"])
    parser.add_argument("--tree", type=Path, default=ROOT)
    parser.add_argument("--library", type=Path)
    arguments = parser.parse_args()
    tree = arguments.tree.resolve()
    if arguments.command == "write":
        write(tree)
        return
    wrong = check(tree, arguments.library)
    if wrong:
        sys.exit(wrong)


if __name__ == "__main__":
    main()
