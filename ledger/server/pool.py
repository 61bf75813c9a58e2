"""Threads that answer, and the line before them, which has an end in number and in time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import TypeVar

from ledger.server.rejections import TOO_LATE, TOO_MANY, TurnedAway

MOST_WAITING = 400
"""How many requests may have a thread of a pool or wait for one; who comes after them is turned away."""

TURN_WITHIN = 20.0
"""Seconds within which a request gets a thread; whoever has waited longer has perhaps gone long ago."""

Answer = TypeVar("Answer")


class Pool:
    """So many threads for one kind of request; how many ``waiting`` have one or wait for one.

    Each kind has its own bound: hundreds of writers who wait for one another keep no reader out.
    """

    def __init__(self, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, name)
        self.waiting = 0

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Do it in a thread. Raises ``TurnedAway``."""
        if self.waiting >= MOST_WAITING:
            raise TurnedAway(TOO_MANY)
        came = perf_counter()

        def begin() -> Answer:
            if perf_counter() - came > TURN_WITHIN:
                raise TurnedAway(TOO_LATE)
            return work()

        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, begin)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """Wait for what has begun; begin nothing else."""
        self._threads.shutdown(wait=True, cancel_futures=True)
