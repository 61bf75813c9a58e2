"""One at a time, in the order they came: what writers of one process stand in before the database.

A plain lock lets in whoever asks just as it becomes free, past others who have waited for seconds.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class WaitingLine:
    """A lock that is handed from whoever has it to who has waited longest."""

    def __init__(self) -> None:
        self._guard = Lock()  # held for a moment only, to look at the two below
        self._taken = False
        self._waiting: deque[Lock] = deque()

    def __len__(self) -> int:
        """Return how many wait."""
        return len(self._waiting)

    @contextmanager
    def turn(self, within: float) -> Iterator[bool]:
        """Wait for our turn and give it on at the end; False where it did not come in so many seconds."""
        ours = self._take(within)
        try:
            yield ours
        finally:
            if ours:
                self._give_on()

    def _take(self, within: float) -> bool:
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            called = Lock()
            called.acquire()
            self._waiting.append(called)
        if called.acquire(timeout=within):
            return True
        with self._guard:
            if called not in self._waiting:  # it was given to us a moment after we stopped waiting
                return True
            self._waiting.remove(called)
        return False

    def _give_on(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False
