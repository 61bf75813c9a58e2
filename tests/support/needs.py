"""What happens when the machine lacks something a test wants.

The rule: on a person's machine the test skips with one sentence about the installation; under
continuous integration (`CI` set) nothing is skipped, so the same sentence is a failure.
"""

import os
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
