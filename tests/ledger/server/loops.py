"""Loops for tests that have something to wait for."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

P = ParamSpec("P")


def in_a_loop_of_its_own(talk: Coroutine[Any, Any, None]) -> None:
    """Run it for 20 seconds at most, in another thread: this one's loop may be running a browser's."""
    failed: list[BaseException] = []

    def begin() -> None:
        try:
            asyncio.run(asyncio.wait_for(talk, 20))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


def in_its_own_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Make a test of a coroutine function, run as above."""

    @wraps(test)
    def run(*args: P.args, **fixtures: P.kwargs) -> None:
        in_a_loop_of_its_own(test(*args, **fixtures))

    return run
