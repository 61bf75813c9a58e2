"""Runs the tests that need neither browser nor PostgreSQL on every Python from 3.11 up on this machine.

It looks for ``python3.N`` on the path and among pyenv's; as root on Debian it first installs the versions
that only the archive has. Each version gets an environment of its own with the packages these tests need. If
pip can't install them, a tested version fails; a newer one is only reported, as packages may be missing.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from ledger.keeping.doctor import TESTED_PYTHONS

ROOT = Path(__file__).resolve().parents[1]
TESTS = (
    *(f"tests/engine/{name}" for name in ("games", "phases", "record", "scoring", "words")),
    *("tests/engine/notation", "tests/engine/test_properties.py", "tests/engine/test_examples.py"),
    "tests/ledger/test_whole_evening.py",
    "--ignore=tests/engine/notation/test_compact_grammar.py",  # compares a page with the reader
    "--ignore=tests/engine/notation/test_json_schema.py",  # and a schema
)
"""Every module of the engine, and one evening on the service's pages and API, which runs every layer.

Left out are long tests that compare the engine with itself: a version differs in its language and library.
"""
TESTS_OF_A_PATCH = (
    "tests/engine/notation",
    "--ignore=tests/engine/notation/test_compact_grammar.py",
    "--ignore=tests/engine/notation/test_json_schema.py",
)
"""Those for another patch of the minor version that ran every test: 3.11.4 misread regular expressions."""
NEEDED = r"(hypothesis|pytest|pytest-xdist)\b(?!-)"
AT_ONCE = 2
SECONDS = 900
"""The limit for all versions together; an idle machine takes two or three minutes."""

_WITH_PACKAGES = """
import os, site, sys
sys.path.insert(0, os.getcwd())  # pip may be installing the program again meanwhile
site.addsitedir(sys.argv.pop(1))
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""
"""Runs pytest with the packages in a folder: its first argument."""

_BEGAN = time.monotonic()

_PROBE = """
import json, sys, ensurepip, venv
print(json.dumps([sys.implementation.name, sys.version_info[:3], sys.version_info.releaselevel]))
"""


class Python(NamedTuple):
    """An interpreter that can make environments."""

    version: tuple[int, int, int]
    level: str
    path: Path

    @property
    def minor(self) -> str:
        """Return its version without the patch, such as ``3.12``."""
        return ".".join(map(str, self.version[:2]))

    def __str__(self) -> str:
        """Return its version and its place."""
        level = "" if self.level == "final" else f" {self.level}"
        return f"Python {'.'.join(map(str, self.version))}{level} ({self.path})"


def installed_pythons() -> dict[tuple[int, int, int], Python]:
    """Return one CPython of each version from 3.11 up, in order."""
    pythons: dict[tuple[int, int, int], Python] = {}
    for path in _candidates():
        python = _probe(path)
        if python is not None:
            pythons.setdefault(python.version, python)
    return dict(sorted(pythons.items()))


def _candidates() -> Iterator[Path]:
    yield Path(sys.executable)
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for folder in (*map(Path, folders), *sorted(pyenv.glob("versions/*/bin"))):
        if folder.is_dir():
            names = (each for each in folder.iterdir() if re.fullmatch(r"python3\.\d+", each.name))
            yield from sorted(names)


def _probe(path: Path) -> Python | None:
    """Return the interpreter at a path; None if it is too old, not CPython, or without venv."""
    try:
        answer = subprocess.run(  # noqa: S603 - an interpreter of this machine
            [path, "-I", "-c", _PROBE], capture_output=True, text=True, check=True, timeout=30
        )
        name, version, level = json.loads(answer.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    major, minor, patch = version
    if name != "cpython" or (major, minor) < (3, 11):
        return None
    return Python((major, minor, patch), level, path)


def install_others(pythons: Iterable[Python]) -> None:
    """Install the versions that Debian's archive has and this machine lacks, if that is possible."""
    if not shutil.which("apt-cache") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    listing = ["apt-cache", "--names-only", "search", r"^python3\.[0-9]+$"]
    known = subprocess.run(listing, capture_output=True, text=True, check=False, timeout=60).stdout  # noqa: S603
    present = {python.minor for python in pythons}
    for minor in re.findall(r"^python(3\.\d+) ", known, re.MULTILINE):
        if int(minor[2:]) >= 11 and minor not in present:
            packages = [f"python{minor}", f"python{minor}-venv"]
            installing = ["apt-get", "-qq", "install", "--yes", "--no-install-recommends"]
            subprocess.run([*installing, *packages], capture_output=True, check=False, timeout=300)  # noqa: S603


def run_tests(python: Python, folder: Path) -> tuple[bool, str]:
    """Run the tests on one version; return whether they passed, and a report to print.

    Another patch of the version that runs this shares its packages; others get an environment of their own.
    """
    began = time.monotonic()
    home = folder / ".".join(map(str, python.version))
    if python.version[:2] == sys.version_info[:2]:
        packages = sysconfig.get_path("purelib")
        command: tuple[object, ...] = (python.path, "-I", "-c", _WITH_PACKAGES, packages)
        tests = TESTS_OF_A_PATCH
    else:
        own = home / ("Scripts" if os.name == "nt" else "bin") / "python"
        if why := _install(python, own, home):
            if python.minor in TESTED_PYTHONS:
                return False, f"{python}: not every package can be installed. {why}"
            return True, f"{python}: not tried, as not every package is there for it yet. {why}"
        command, tests = (own, "-Im", "pytest"), TESTS
    ready = time.monotonic()
    ran = _run(*command, "-q", "-m", "not browser and not postgres", *tests)
    shutil.rmtree(home, ignore_errors=True)
    lines = ran.stdout.strip().splitlines() or [ran.stderr[-2000:]]
    took = f"installed in {ready - began:.0f} s"
    if ran.returncode:
        return False, f"{python}: {took}\n{ran.stdout[-20_000:]}{ran.stderr[-2000:]}"
    return True, f"{python}: {took}; {lines[-1]}"


def _install(python: Python, own: Path, home: Path) -> str:
    """Make an environment with the packages that the tests need; return why it can't be made, or nothing."""
    # This Python's pip installs for the other one, as giving each a pip of its own takes seconds.
    _run(python.path, "-Im", "venv", "--without-pip", home)
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]["test"]
    needed = [each for each in extra if re.match(NEEDED, each)]
    quietly = ("install", "--quiet", "--no-user", "--no-compile")
    pip = (sys.executable, "-Im", "pip", "--python", own)
    installed = _run(*pip, *quietly, "--editable", ".[postgres,metrics]", *needed)
    if not installed.returncode:
        return ""
    lines = [line for line in installed.stderr.splitlines() if line.startswith("ERROR")]
    return " ".join(lines[-2:]) or installed.stderr[-2000:] or "pip printed no reason"


def _run(*command: object) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603
            [str(part) for part in command],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=max(1, _BEGAN + SECONDS - time.monotonic()),
        )
    except subprocess.TimeoutExpired as error:
        so_far = (error.stdout or b"").decode(errors="replace")
        return subprocess.CompletedProcess(command, 1, so_far, f"stopped: {SECONDS} s are over")


def main() -> int:
    """Run the tests on each version that is not the one running this; return the exit status."""
    install_others(installed_pythons().values())
    pythons = installed_pythons()
    own = pythons.pop(tuple(sys.version_info[:3]), None)
    print(f"{own} ran every test before.")
    all_passed = True
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        for passed, text in pool.map(
            lambda python: run_tests(python, Path(folder)), pythons.values()
        ):
            print(text, flush=True)
            all_passed = all_passed and passed
    here = {python.minor for python in (own, *pythons.values()) if python}
    if missing := [minor for minor in TESTED_PYTHONS if minor not in here]:
        print(f"Not on this machine: Python {', '.join(missing)}.")
    return int(not all_passed)


if __name__ == "__main__":
    sys.exit(main())
