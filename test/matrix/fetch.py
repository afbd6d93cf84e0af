# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fetches other people's MLIR: Debian packages and wheels, unpacked and not
installed. What is there stays; what cannot be had is an Unavailable."""

import hashlib
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ATTEMPTS = 3
TIME_LIMIT = 600  # seconds for one attempt

# Of a Debian release, what building and running a provider takes.
DEBIAN_PACKAGES = ("libmlir-{}-dev", "libmlir-{}", "libllvm{}", "llvm-{}-dev")


class Unavailable(Exception):
    """Why a provider cannot be tried."""


def attempt(command: list[str], directory: Path, repair: list[str] | None = None):
    """Runs `command` until it succeeds, with `repair` after the first failure."""
    for number in range(ATTEMPTS):
        if number:
            time.sleep(2**number)
        said = run_once(command, directory)
        if said is None:
            return
        if repair and number == 0:
            run_once(repair, directory)
    raise Unavailable(f"{Path(command[0]).name}: {said}")


def run_once(command: list[str], directory: Path) -> str | None:
    """None if `command` succeeds, else the last error that it said."""
    try:
        done = subprocess.run(
            command,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIME_LIMIT,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    errors = [line for line in said if line.startswith(("ERROR:", "E:"))]
    return (errors or said or [f"exit status {done.returncode}"])[-1]


def unpack_once(directory: Path, key: str, unpack) -> None:
    """Has `unpack` fill `directory`, unless that was done for the same `key`."""
    stamp = directory / ".complete"
    if stamp.is_file() and stamp.read_text() == key:
        return
    shutil.rmtree(directory, ignore_errors=True)
    partial = directory.with_name(directory.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    unpack(partial)
    (partial / ".complete").write_text(key)
    partial.rename(directory)


# Debian


def fetch_debian(release: int, store: Path) -> Path:
    """Returns the root of MLIR `release`, unpacked below `store`."""
    packages = [name.format(release) for name in DEBIAN_PACKAGES]
    directory = store / f"debian-{release}"
    unpack_once(
        directory,
        " ".join(packages),
        lambda partial: unpack_debian(packages, store / "debs", partial),
    )
    return directory / f"usr/lib/llvm-{release}"


def unpack_debian(packages: list[str], archives: Path, directory: Path) -> None:
    """apt checks what it downloads against its signed lists."""
    archives.mkdir(parents=True, exist_ok=True)
    update = ["apt-get", "update", "-q"]
    for package in packages:
        attempt(["apt-get", "download", "-q", package], archives, update)
        found = sorted(archives.glob(f"{package}_*.deb"), key=os.path.getmtime)
        unpack_deb(found[-1], directory)


def unpack_deb(archive: Path, directory: Path) -> None:
    """Without LLVM's archives, which are large and which nothing here needs."""
    left_out = ["--wildcards", "--exclude=*/libLLVM[A-Z]*.a", "--exclude=./usr/share"]
    with subprocess.Popen(
        ["dpkg-deb", "--fsys-tarfile", archive], stdout=subprocess.PIPE
    ) as packed:
        unpacked = subprocess.run(
            ["tar", "-x", "-C", directory, *left_out], stdin=packed.stdout
        )
    if packed.returncode or unpacked.returncode:
        raise Unavailable(f"dpkg-deb cannot unpack {archive.name}")


# Wheels


def fetch_wheels(name: str, requirements: list[str], python: str, store: Path) -> Path:
    """Returns the directory in which the wheels are unpacked as one tree."""
    directory = store / name
    key = "\n".join([python, *requirements])
    if any("--hash" not in requirement for requirement in requirements):
        key += f"\n{time.time()}"  # what is newest may have changed
    unpack_once(
        directory,
        key,
        lambda partial: unpack_wheels(requirements, python, store, partial),
    )
    return directory


def unpack_wheels(
    requirements: list[str], python: str, store: Path, directory: Path
) -> None:
    """Unpacks what pip downloads; it checks the sums that are given."""
    for wheel in download_wheels(requirements, python, store):
        try:
            zipfile.ZipFile(wheel).extractall(directory)
        except zipfile.BadZipFile as error:
            wheel.unlink()
            raise Unavailable(f"{wheel.name}: {error}") from error
    # Files that an installation puts beside the others.
    for library in directory.glob("*.data/*lib"):
        shutil.copytree(library, directory, dirs_exist_ok=True)
        shutil.rmtree(library)


def download_wheels(requirements: list[str], python: str, store: Path) -> list[Path]:
    """The wheels for `requirements`, in a directory of their own."""
    text = "\n".join(requirements)
    label = hashlib.sha256((python + text).encode()).hexdigest()[:12]
    directory = store / "wheels" / label
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "requirements.txt").write_text(text + "\n")
    options = ["--no-deps", "--only-binary=:all:", "--ignore-requires-python"]
    attempt(
        [sys.executable, "-m", "pip", "download", "-q", *options]
        + ["--python-version", python]
        + ["-d", ".", "-r", "requirements.txt"],
        directory,
    )
    return sorted(directory.glob("*.whl"))


def wheel_sums(requirements: list[str], python: str, store: Path) -> list[str]:
    """The sums of the wheels that are there for `requirements`."""
    wheels = download_wheels(requirements, python, store)
    return [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels]
