"""Loops for tests that have something to wait for."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any


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
