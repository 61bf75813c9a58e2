"""A bounded dictionary for computed values."""

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Cache(dict[K, V]):
    """A dictionary for computed values; `keep` empties it first if it holds `most` values already.

    >>> cache = Cache[str, int](2)
    >>> [cache.keep(word, len(word)) for word in ("go", "king", "solo")], list(cache)
    ([2, 4, 4], ['solo'])
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def keep(self, key: K, value: V) -> V:
        """Store a value under its key and return it; if `most` values are held, all are removed before."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value
