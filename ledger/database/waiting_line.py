"""A lock for the writers of one process that serves them in order of arrival.

A plain lock lets in whoever asks just as it becomes free, past others who have waited for seconds.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class WaitingLine:
    """A lock that is passed from its holder to the thread that has waited longest."""

    def __init__(self) -> None:
        self._guard = Lock()  # protects the two fields below; held for a moment only
        self._taken = False
        self._waiting: deque[Lock] = deque()

    def __len__(self) -> int:
        """Return the number of waiting threads, without the holder."""
        return len(self._waiting)

    @contextmanager
    def turn(self, within: float) -> Iterator[bool]:
        """Wait for the lock, yield True, and release it at the end.

        If ``within`` seconds were too few, yield False: the block then runs without the lock.
        """
        is_ours = self._take(within)
        try:
            yield is_ours
        finally:
            if is_ours:
                self._release()

    def _take(self, within: float) -> bool:
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            call = Lock()
            call.acquire()
            self._waiting.append(call)
        if call.acquire(timeout=within):
            return True
        with self._guard:
            if call not in self._waiting:  # it was passed to us just after our wait ended
                return True
            self._waiting.remove(call)
        return False

    def _release(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False
