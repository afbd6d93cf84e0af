# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds what the matrix needs: provider libraries, plugins, stand-ins."""

import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# Each plugin and its sources. They are compiled once, as their authors would,
# and the same files go to every provider.
PLUGINS = {
    "op-histogram": ["plugins/op-histogram/op_histogram.c"],
    "linalg-survey": [
        "plugins/linalg-survey/linalg_survey.c",
        "plugins/linalg-survey/linalg_op.c",
    ],
    "add-to-mul": ["examples/add-to-mul/add_to_mul.c"],
    "forbid": ["examples/forbid/forbid.c"],
    "matrix": ["test/matrix/matrix_plugin.c"],
    "needs-unknown": ["-DNEEDS_UNKNOWN", "test/plugins/pass/load.c"],
}


class Broken(Exception):
    """What is here cannot be built: that is a failure, not a lack."""


def must(command: list[str]) -> str:
    """The output of `command`; Broken if it fails."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise Broken(f"{command[0]}: {said[-1] if said else 'it failed'}")
    return done.stdout


def build_plugins(store: Path) -> dict[str, Path]:
    """Without debug information, in which the path of the tree would be."""
    directory = store / "plugins"
    directory.mkdir(parents=True, exist_ok=True)
    flags = ["-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-Isdk/include"]
    built = {}
    for name, sources in PLUGINS.items():
        built[name] = directory / f"{name}.so"
        must(["cc", *flags, *sources, "-o", str(built[name])])
    return built


def build_provider(release: int, root: Path, store: Path) -> Path:
    """The provider library on the MLIR below `root`."""
    directory = store / f"provider-{release}"
    must(
        ["cmake", "-G", "Ninja", "-S", str(HERE / "provider"), "-B", str(directory)]
        + ["-DCMAKE_CXX_COMPILER=clang++-22", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
        + [f"-DMLIRPLUG_MLIR_ROOT={root}", f"-DMLIRPLUG_MLIR_VERSION={release}"]
    )
    must(["cmake", "--build", str(directory)])
    return directory / f"libmlirplug-mlir{release}-shared.so"


def build_stand_ins(library: Path) -> Path | None:
    """A library with the functions and data of Python that `library` wants when
    it is opened, and that the C API of MLIR never uses; None if it wants none.
    """
    listed = must(["nm", "-D", "--undefined-only", str(library)])
    names = sorted({line.split()[-1].split("@")[0] for line in listed.splitlines()})
    wanted = [name for name in names if name.startswith(("Py", "_Py"))]
    if not wanted:
        return None
    source = library.with_name("python-stand-ins.c")
    lines = (f"char {name}[64] __attribute__((aligned(16)));\n" for name in wanted)
    source.write_text("".join(lines))
    made = source.with_suffix(".so")
    must(["cc", "-shared", "-fPIC", str(source), "-o", str(made)])
    return made
