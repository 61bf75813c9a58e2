"""Finding a program that tests need, and what happens when the machine lacks it.

The rule: on a person's machine the test skips with one sentence about the installation; under
continuous integration (`CI` set) nothing is skipped, so the same sentence is a failure.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import pytest


def in_ci() -> bool:
    """Whether `CI` is set to anything but nothing, `0` or `false`."""
    return os.environ.get("CI", "").strip().lower() not in {"", "0", "false"}


def unavailable(sentence: str) -> NoReturn:
    """Skip the running test with `sentence`, or fail it with the same words under CI."""
    if in_ci():
        pytest.fail(f"CI skips nothing. {sentence}", pytrace=False)
    pytest.skip(sentence)


def executable(variable: str, names: Iterable[str], applications: Iterable[Path]) -> str | None:
    """Return the program named by an environment variable, else the first one installed, else None."""
    if named := os.environ.get(variable):
        return shutil.which(named)
    on_path = (shutil.which(name) for name in names)
    in_place = (str(path) for path in applications if path.exists())
    return next((path for path in (*on_path, *in_place) if path), None)
