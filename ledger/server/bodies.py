"""Memory limits for request bodies: one for all, and a lower one for each network.

A body counts from its first byte until its request is answered. Its first ``FREE`` bytes are not counted, so
forms and hands fit however much strangers send.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from ledger.http.proxy import sender
from ledger.runtime.config import Network
from ledger.server.environ import Scope
from ledger.server.rejections import Reason, TurnedAway
from ledger.services.club.passcodes import origin_of

FREE: Final = 8_192
"""The uncounted bytes of each body; a form or a hand record is shorter."""

MOST: Final = 32_000_000
"""The most bytes of all bodies together."""

MOST_OF_A_NETWORK: Final = 8_000_000
"""The most bytes of the bodies from one network (IPv4 /24, IPv6 /64)."""

NO_ROOM: Final = Reason(
    "no-room-for-bodies",
    "Requests are turned away: the bodies under way take all the memory that there is for them.",
    503,
    "Too much is being sent to this service at once. Nothing was saved; try again in five seconds.",
    5,
)
NO_ROOM_FOR_NETWORK: Final = NO_ROOM._replace(
    name="no-room-for-network",
    logged="Requests are turned away: the bodies under way from one network take all of its share.",
    status=429,
    sentence="Your network is sending too much at once. Nothing was saved; try again in five seconds.",
)


class Bodies:
    """The bodies being received or answered; ``size`` is the sum of their counted bytes."""

    def __init__(self, trusted: tuple[Network, ...] = ()) -> None:
        self._trusted = trusted
        self._by_network: Counter[str] = Counter()
        self.size = 0

    @contextmanager
    def room(self, scope: Scope) -> Iterator[Callable[[int], None]]:
        """Yield a function to call with the body's size as it grows, which counts it until the block ends.

        It raises ``TurnedAway`` if the body would exceed a limit.
        """
        network, counted = "", 0

        def grow(size: int) -> None:
            nonlocal network, counted
            more = size - FREE - counted
            if more <= 0:
                return
            network = network or origin_of(sender(scope, self._trusted)).network
            if self._by_network[network] + more > MOST_OF_A_NETWORK:
                raise TurnedAway(NO_ROOM_FOR_NETWORK)
            if self.size + more > MOST:
                raise TurnedAway(NO_ROOM)
            self._by_network[network] += more
            self.size += more
            counted += more

        try:
            yield grow
        finally:
            self.size -= counted
            self._by_network[network] -= counted
            if not self._by_network[network]:
                del self._by_network[network]
