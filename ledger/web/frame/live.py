"""Live updates: a page opens one connection and is notified of changes.

Access is checked here as for any page. The subscription is passed to the server, which holds the connection
and sends the news (``server.followers``). With a server that can't do this the response is 204: the browser
does not reconnect, and its pages poll from time to time.
"""

from flask import request
from flask.typing import ResponseReturnValue

from ledger.http.subscription import Subscription, stream
from ledger.services.reads import followed
from ledger.web.frame.context import CLUB, SESSION, Here, shows
from ledger.web.frame.forms import NOTHING_WRONG, Errors
from ledger.words.problems import NoSuchSession


@shows(f"{SESSION}/live")
def live(here: Here) -> ResponseReturnValue:
    """Return an event stream with the changes of a session's number. Raises ``NotFound``.

    If the server can't hold connections, the response is 204.
    """
    if here.club.live_number is None:
        raise NoSuchSession
    _, event = followed.of_club(here.session)
    return _subscribe(
        Subscription(
            here.club.id, here.session_id, here.club.live_number, event, here.access.holder
        )
    )


@shows(f"{CLUB}/live")
def club_live(here: Here) -> ResponseReturnValue:
    """Return an event stream with the changes of the number of a club's last entry.

    If the server can't hold connections, the response is 204.
    """
    number, event = followed.of_club(here.session)
    return _subscribe(Subscription(here.club.id, 0, number, event, here.access.holder))


def standing(here: Here) -> int:
    """Return the number of the club's last entry, which changes with every write; 0 without entries."""
    return followed.of_club(here.session)[0]


def is_known(number: int, errors: Errors = NOTHING_WRONG) -> bool:
    """Return whether the request names the current number, so that there is no news; never with errors."""
    return not errors and request.args.get("number") == str(number)


def _subscribe(subscription: Subscription) -> ResponseReturnValue:
    return stream(subscription) or ("", 204)
