"""What a page follows, as a view tells it to the server that holds the connection.

A view that is asked for news answers with what there is to follow, and is done. A server that can hold
connections without a thread, such as ours, offers in the request's environment a list to put that in.
"""

from dataclasses import dataclass
from typing import Final

HOLDS: Final = "ledger.holds"
"""Where a server that holds connections takes what is ``Followed``; others have nothing there."""

STREAM: Final = "text/event-stream"
"""The type of an answer that goes on as long as its page is looked at."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A session of a club, or where ``session_id`` is 0 all of the club; it stands at ``number`` now.

    ``doors`` is the last event in the club's log of who may get in, as it was when this follower was let in;
    ``holder`` is its device.
    """

    club_id: int
    session_id: int
    number: int
    doors: int
    holder: str = ""
