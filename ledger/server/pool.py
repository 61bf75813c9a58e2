"""Thread pools with a queue that is bounded in length and in waiting time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import TypeVar

from ledger.server.rejections import TOO_LATE, TOO_MANY, TurnedAway

MOST_WAITING = 400
"""The most requests that a pool runs or queues; further ones are rejected."""

TURN_WITHIN = 20.0
"""The seconds within which a request gets a thread; after that its client has perhaps gone."""

Answer = TypeVar("Answer")


class Pool:
    """The threads for one kind of request; ``waiting`` counts the requests that run or are queued.

    Each kind has its own bound: hundreds of waiting writers keep no reader out.
    """

    def __init__(self, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, name)
        self.waiting = 0

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Return the result of a function called in a thread, or raise its exception.

        Raises ``TurnedAway``, without calling it, if too many wait or no thread is free in time.
        """
        if self.waiting >= MOST_WAITING:
            raise TurnedAway(TOO_MANY)
        queued_at = perf_counter()

        def begin() -> Answer:
            if perf_counter() - queued_at > TURN_WITHIN:
                raise TurnedAway(TOO_LATE)
            return work()

        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, begin)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """Wait for running calls and cancel queued ones."""
        self._threads.shutdown(wait=True, cancel_futures=True)
