"""Following: a page asks once, and is told when what it shows has changed.

Who may follow is decided here as for any page. What is followed goes to the server, which holds the
connection and sends the news (``server.followers``). A server that can't is answered for with 204, upon which
a browser does not ask again; its pages ask for themselves now and then.
"""

from flask import Response, request
from flask.typing import ResponseReturnValue

from ledger.http.followed import HOLDS, STREAM, Followed
from ledger.services.reads import followed
from ledger.web.frame.context import CLUB, SESSION, Here, shows
from ledger.web.frame.forms import NOTHING_WRONG, Errors
from ledger.words.problems import NoSuchSession


@shows(f"{SESSION}/live")
def live(here: Here) -> ResponseReturnValue:
    """Follow a session by its revision. Raises ``NotFound``."""
    if here.club.revision is None:
        raise NoSuchSession
    _, doors = followed.of_club(here.session)
    return _hold(
        Followed(here.club.id, here.session_id, here.club.revision, doors, here.access.holder)
    )


@shows(f"{CLUB}/live")
def club_live(here: Here) -> ResponseReturnValue:
    """Follow a club by the number of its last entry."""
    number, doors = followed.of_club(here.session)
    return _hold(Followed(here.club.id, 0, number, doors, here.access.holder))


def standing(here: Here) -> int:
    """Return the number that a club's page follows by: that of the club's last entry."""
    return followed.of_club(here.session)[0]


def is_known(number: int, errors: Errors = NOTHING_WRONG) -> bool:
    """Whether a club's page is asked for by who saw it at this number: there is no news."""
    return not errors and request.args.get("number") == str(number)


def _hold(what: Followed) -> ResponseReturnValue:
    holding: list[Followed] | None = request.environ.get(HOLDS)
    if holding is None:
        return "", 204
    holding.append(what)
    response = Response(mimetype=STREAM)
    response.headers["X-Accel-Buffering"] = "no"  # nginx would hand on nothing until the end
    return response
