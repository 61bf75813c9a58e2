"""Repetition of writes that the database broke off: by a conflict of transactions or a lost connection."""

import time
from collections.abc import Callable
from random import uniform
from typing import TypeVar

from ledger.words.problems import Busy, ConnectionLost, Overtaken, Unreachable

T = TypeVar("T")

PAUSES = (0.01, 0.05, 0.25)
"""The seconds before each repetition, give or take a half, so that two writers don't meet again."""

SECONDS = 2.0
"""The seconds after which no repetition begins: a server that hangs has used them up with the first call."""


def repeat(write: Callable[[], T]) -> T:
    """Call ``write`` until it succeeds, at most four times, and return its result.

    It is called again after ``Overtaken`` and ``ConnectionLost``, after each of ``PAUSES``, and not later
    than ``SECONDS`` after the start. Its idempotency key makes that safe: a write that was saved although its
    connection was lost returns its stored response. Any other failure, and the last one, is raised; but if an
    earlier call may have saved, that call's failure, because a later one would claim that nothing was saved.
    """
    until = time.monotonic() + SECONDS
    unknown: Unreachable | None = None
    for pause in (*PAUSES, None):
        try:
            return write()
        except (Busy, Unreachable) as problem:
            if isinstance(problem, Unreachable) and problem.message == problem.not_known:
                unknown = unknown or problem
            is_passing = isinstance(problem, Overtaken | ConnectionLost)
            if pause is None or not is_passing or time.monotonic() > until:
                if unknown is None or unknown is problem:
                    raise
                raise unknown from problem
        time.sleep(uniform(pause / 2, pause * 3 / 2))  # noqa: S311 (a pause, not a key)
    raise AssertionError("the last call returns or raises")
