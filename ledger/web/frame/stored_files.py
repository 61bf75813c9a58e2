"""Files that browsers store for good, as their addresses contain a hash of their content."""

from hashlib import sha256
from typing import Final, NamedTuple, Self

from flask import Response, g

from ledger.http.assets import FOR_GOOD

FOR_GOOD_HERE: Final = "for-good"
"""The name in Flask's ``g`` that marks a response as immutable."""


class StoredFile(NamedTuple):
    """A file that the server makes, and the hash in its address."""

    content: str
    mimetype: str
    version: str

    @classmethod
    def of(cls, content: str, mimetype: str) -> Self:
        """Build from the content."""
        return cls(content, mimetype, sha256(content.encode()).hexdigest()[:12])

    def answer(self, version: str) -> Response:
        """Return the file, to be stored for good if ``version`` is its own, else not at all."""
        if version == self.version:
            return for_good(self.content, self.mimetype)
        return Response(self.content, mimetype=self.mimetype)


def for_good(content: str | bytes, mimetype: str, *, public: bool = True) -> Response:
    """Return a response that browsers may store for good, and proxies if it is ``public``."""
    setattr(g, FOR_GOOD_HERE, True)
    response = Response(content, mimetype=mimetype)
    response.cache_control.public, response.cache_control.private = public, None if public else True
    response.cache_control.immutable = True
    response.cache_control.max_age = int(FOR_GOOD.total_seconds())
    return response
