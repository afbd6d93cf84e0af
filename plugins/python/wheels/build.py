#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the two wheels out of an installed prefix.

build.py PREFIX DIRECTORY

`mlirplug` is the prefix without MLIR, as a Python package; `mlirplug-mlir22` is
one library, which lies in the place where the other looks for it. The same
prefix gives the same bytes."""

import argparse
import base64
import hashlib
import os
import platform
import re
import stat
import sys
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# The libraries whose archives are in the binaries.
INSIDE = {
    "mlirplug": ["libelf-dev", "libjansson-dev", "libsodium-dev", "libxxhash-dev", "zlib1g-dev"],
    "mlirplug-mlir22": ["libmlir-22-dev", "libstdc++-12-dev", "libzstd-dev", "zlib1g-dev"],
}


@dataclass
class Wheel:
    """What is in one: the bytes of each file, by its name in the archive."""

    name: str
    version: str
    python_tag: str
    platforms: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    programs: set[str] = field(default_factory=set)

    @property
    def stem(self) -> str:
        return f"{self.name.replace('-', '_')}-{self.version}"

    @property
    def tags(self) -> list[str]:
        return [f"{self.python_tag}-{one}" for one in self.platforms]

    def add(self, name: str, path: Path) -> None:
        self.files[name] = path.read_bytes()
        if name.startswith((f"{self.name}/bin/", f"{self.stem}.data/scripts/")):
            self.programs.add(name)

    def add_tree(self, name: str, root: Path, pattern: str = "*") -> None:
        for path in sorted(root.rglob(pattern)):
            if path.is_file() and "__pycache__" not in path.parts:
                self.add(f"{name}/{path.relative_to(root)}", path)


def version_of_project() -> str:
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(mlirplug VERSION (\S+)", text)[1]


# Metadata


def metadata_add(wheel: Wheel) -> None:
    """The *.dist-info of the wheel, but for the list of the files."""
    directory = f"{wheel.stem}.dist-info"
    licenses = {"LICENSE": ROOT / "LICENSE"}
    for package in INSIDE[wheel.name]:
        licenses[f"{package}.copyright"] = Path(f"/usr/share/doc/{package}/copyright")
    if wheel.name == "mlirplug-mlir22":
        licenses["LICENSE.mlir22"] = ROOT / "core/provider/bundle/LICENSE"
    for name, path in licenses.items():
        wheel.files[f"{directory}/licenses/{name}"] = path.read_bytes()
    text = (HERE / f"{wheel.name}.metadata").read_text()
    text = text.replace("@VERSION@", wheel.version)
    lines = "".join(f"License-File: {name}\n" for name in sorted(licenses))
    header, description = text.split("\n\n", 1)
    wheel.files[f"{directory}/METADATA"] = f"{header}\n{lines}\n{description}".encode()
    pure = "Wheel-Version: 1.0\nGenerator: mlirplug\nRoot-Is-Purelib: false\n"
    tags = "".join(f"Tag: {tag}\n" for tag in wheel.tags)
    wheel.files[f"{directory}/WHEEL"] = (pure + tags).encode()


def record_make(wheel: Wheel) -> bytes:
    name = f"{wheel.stem}.dist-info/RECORD"
    lines = []
    for path in sorted(wheel.files):
        digest = hashlib.sha256(wheel.files[path]).digest()
        encoded = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        lines.append(f"{path},sha256={encoded},{len(wheel.files[path])}\n")
    return "".join([*lines, f"{name},,\n"]).encode()


# The archive


def time_of_files() -> tuple:
    """SOURCE_DATE_EPOCH, or the earliest time of an archive."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return time.gmtime(max(int(epoch), 315532800))[:6] if epoch else (1980, 1, 1, 0, 0, 0)


def wheel_write(wheel: Wheel, directory: Path) -> Path:
    metadata_add(wheel)
    record = f"{wheel.stem}.dist-info/RECORD"
    wheel.files[record] = record_make(wheel)
    tag = f"{wheel.python_tag}-{'.'.join(wheel.platforms)}"
    path = directory / f"{wheel.stem}-{tag}.whl"
    # The metadata last, where installers look for it.
    names = sorted(wheel.files, key=lambda name: (".dist-info/" in name, name == record, name))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in names:
            entry = zipfile.ZipInfo(name, time_of_files())
            mode = 0o755 if name in wheel.programs else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, wheel.files[name])
    return path


# What is in them


def mlirplug_make(prefix: Path, version: str, machine: str) -> Wheel:
    platforms = [f"manylinux_2_17_{machine}", f"manylinux2014_{machine}"]
    wheel = Wheel("mlirplug", version, "cp39-abi3", platforms)
    library = prefix / "lib/mlirplug"
    wheel.add_tree("mlirplug", library / "python/mlirplug")
    if "mlirplug/_mlirplug.abi3.so" not in wheel.files:
        sys.exit(f"build.py: {prefix} has no extension for Python; install python3-dev and "
                 "build it again")
    wheel.add("mlirplug/bin/mlirplug", prefix / "bin/mlirplug")
    wheel.add("mlirplug/lib/libmlirplug.so.1", prefix / "lib/libmlirplug.so.1")
    for folder in ("plugins", "hosts"):
        wheel.add_tree(f"mlirplug/lib/mlirplug/{folder}", library / folder, "*.so")
    wheel.add_tree("mlirplug/include", prefix / "include")
    wheel.add("mlirplug/lib/pkgconfig/mlirplug.pc", prefix / "lib/pkgconfig/mlirplug.pc")
    wheel.add("mlirplug/lib/cmake/mlirplug/plugin.map", prefix / "lib/cmake/mlirplug/plugin.map")
    wheel.add(f"{wheel.stem}.data/scripts/mlirplug", HERE / "command.py")
    # Its own plugins are found beside its library; this tells whose they are.
    points = "[mlirplug.plugins]\nmlirplug = mlirplug.lib.mlirplug.plugins\n"
    wheel.files[f"{wheel.stem}.dist-info/entry_points.txt"] = points.encode()
    return wheel


def mlir_make(prefix: Path, version: str, machine: str) -> Wheel:
    wheel = Wheel("mlirplug-mlir22", version, "py3-none", [f"manylinux_2_34_{machine}"])
    # The second is the C API for tools that have MLIR 22 without it.
    for name in ("libmlirplug-mlir22.so", "libmlirplug-ir22.so"):
        wheel.add(f"mlirplug/lib/mlirplug/{name}", prefix / "lib/mlirplug" / name)
    return wheel


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prefix", type=Path)
    parser.add_argument("directory", type=Path)
    chosen = parser.parse_args()
    chosen.directory.mkdir(parents=True, exist_ok=True)
    for make in (mlirplug_make, mlir_make):
        wheel = make(chosen.prefix, version_of_project(), platform.machine())
        path = wheel_write(wheel, chosen.directory)
        print(f"{path} {path.stat().st_size}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
