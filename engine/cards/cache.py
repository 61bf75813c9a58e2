"""Keeps what was worked out once and depends on nothing but its key."""

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Cache(dict[K, V]):
    """Values by what they were worked out from; with `most` of them it starts again empty.

    >>> cache = Cache[str, int](2)
    >>> [cache.keep(word, len(word)) for word in ("go", "king", "solo")], list(cache)
    ([2, 4, 4], ['solo'])
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def keep(self, key: K, value: V) -> V:
        """Keep a value, and give it back."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value
