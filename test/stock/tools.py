# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stock tools: where they come from and how they are started."""

import os
import shutil
import signal
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from build import build_provider, must
from fetch import Unavailable, fetch_debian, fetch_wheels, unpack_debian, unpack_once
from matrix import load_providers

HERE = Path(__file__).resolve().parent
TIME_LIMIT = 120  # seconds for one run


@dataclass
class Tool:
    """A row of tools.toml, and where it is on this machine."""

    name: str
    title: str
    program: str
    quick: bool = False
    libraries: list[str] = field(default_factory=list)
    debian: list[str] = field(default_factory=list)
    provider: str = ""
    wheels: list[str] = field(default_factory=list)
    python: str = ""
    archives: str = ""
    like: str = ""
    only: list[str] = field(default_factory=list)
    section: str = ""
    tree: Path = Path("/")  # what is unpacked
    path: Path = Path()

    def environment(self) -> dict[str, str]:
        """That of a user, with the tool's libraries."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("MLIRPLUG_", "LD_"))
        }
        if self.libraries:
            kept["LD_LIBRARY_PATH"] = ":".join(self.libraries)
        return kept


@dataclass
class Ran:
    """What a run left."""

    status: int
    output: str
    errors: str

    def died(self) -> str | None:
        """The signal that ended it, if one did."""
        return signal.Signals(-self.status).name if self.status < 0 else None


def load_tools() -> list[Tool]:
    rows = tomllib.loads((HERE / "tools.toml").read_text())["tool"]
    return [Tool(**row) for row in rows]


def unpack_tool(tool: Tool, store: Path) -> Path:
    """The directory in which the files of `tool` are."""
    if tool.provider:
        row = next(row for row in load_providers() if row["name"] == tool.provider)
        return fetch_wheels(row["name"], row["wheels"], row["python"], store)
    if tool.wheels:
        return fetch_wheels(tool.name, tool.wheels, tool.python, store)
    if not tool.debian:
        return Path("/")
    tree = store / f"tools-{tool.debian[0]}"
    unpack_once(
        tree,
        " ".join(tool.debian),
        lambda partial: unpack_debian(tool.debian, store / "debs", partial),
    )
    return tree


def fetch_tool(tool: Tool, store: Path) -> None:
    """Has `tool` below `store` and makes its paths absolute."""
    tool.tree = unpack_tool(tool, store)
    tool.path = tool.tree / tool.program
    tool.libraries = [str(tool.tree / directory) for directory in tool.libraries]
    if not tool.path.is_file():
        raise Unavailable(f"there is no {tool.program}")
    if not os.access(tool.path, os.X_OK):
        tool.path.chmod(0o755)  # zipfile drops the mode


def find_provider(tool: Tool, store: Path) -> str:
    """What `mlirplug opt --provider` runs on the same MLIR as `tool`."""
    if not tool.like.isdigit():
        return tool.like
    release = int(tool.like)
    return str(build_provider(release, fetch_debian(release, store), store))


def find_core(tool: Tool, build: Path, store: Path, directory: Path) -> Path:
    """The core, with the C API for the MLIR of `tool` where the core looks for it:
    an installation has that of Debian's MLIR 22."""
    core = build / "lib/libmlirplug.so.1"
    if not tool.archives and not tool.like.isdigit():
        return core
    beside = directory / "lib/mlirplug"
    beside.mkdir(parents=True)
    if tool.archives:
        link_api(tool.tree / tool.archives, beside / "libmlirplug-ir22-checks.so")
    else:
        name = f"libmlirplug-ir{tool.like}.so"
        library = Path(find_provider(tool, store)).with_name(name)
        (beside / name).symlink_to(library)
    return Path(shutil.copy(core, beside.parent))


def link_api(archives: Path, library: Path) -> None:
    """As docs/stock-tools.md says."""
    whole = [archives / "libMLIRCAPIIR.a", archives / "libMLIRCAPIInterfaces.a"]
    must(
        ["c++", "-shared", "-o", str(library), "-Wl,--whole-archive"]
        + [str(archive) for archive in whole]
        + ["-Wl,--no-whole-archive,-u,mlirApplyPatternsAndFoldGreedily"]
        + [str(archives / "libMLIRCAPITransforms.a")]
        + ["-Wl,-Bsymbolic,--gc-sections,-z,now"]
    )


def run_command(
    command: list[str | Path], environment: dict[str, str], directory: Path
) -> Ran:
    """The run of `command` to its end, in bytes that are read as Latin-1, so that
    what is equal as text is equal."""
    done = subprocess.run(
        command,
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIME_LIMIT,
    )
    output, errors = done.stdout.decode("latin-1"), done.stderr.decode("latin-1")
    return Ran(done.returncode, output, errors)
