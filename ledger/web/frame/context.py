"""The way into a club's pages: who is asking, in which club, and how an answer goes back.

Every page of a club is a view under ``in_club``, which gives it the one ``Access`` and the one read
transaction that its services take. There is no other way to get either here, so no page can ask about a club
its device is not let into, and nothing on a page is older than anything else.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError

from ledger.books import journal
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.scope import ScopedSession
from ledger.http.failures import waiting
from ledger.services.club import passcodes
from ledger.services.club.clubs import ClubView
from ledger.services.common.writing import DryRun, Write
from ledger.services.session.load import load
from ledger.services.session.view import SessionView
from ledger.web.frame import cookies, fragments
from ledger.web.frame.forms import (
    NOTHING_WRONG,
    Errors,
    Wrong,
    errors_of,
    form_key,
    form_revision,
    new_key,
    sent_key,
    sent_revision,
    standing_key,
)
from ledger.words.problems import NotFound, Problem, RevisionMissing, Stale, Unreachable

ID = "int(max=2147483647)"
"""A row's number in an address; a larger one fits no database's integer."""

CLUB = f"/clubs/<{ID}:club_id>"
SESSION = f"{CLUB}/sessions/<{ID}:session_id>"
HAND = f"{SESSION}/hands/<{ID}:number>"

SUITS = "solo-ledger-suits"
"""The cookie that says in how many colours a device shows the suits."""

FOUR = "four"
"""Spades black, hearts red, diamonds blue, clubs green: no two alike for whoever mixes two of a colour up."""

pages = Blueprint("web", __name__)

View = Callable[..., ResponseReturnValue]


def database() -> Database:
    """Return the database of the application at hand."""
    found: Database = current_app.extensions["ledger.database"]
    return found


@dataclass(slots=True)
class Here:
    """A request inside a club: the device's access, the club, the transaction that the page is read in.

    ``session_id`` is the session's whose page it is, 0 where it is the club's.
    """

    access: Access
    club: ClubView
    session: ScopedSession
    session_id: int = 0

    @property
    def view(self) -> SessionView:
        """The session whose page this is. Raises ``NotFound``."""
        return load(self.session, self.session_id)

    @property
    def is_as_seen(self) -> bool:
        """Whether the session's page is asked for by who saw it at this ``revision``: there is no news."""
        seen = request.args.get("revision")
        return bool(self.session_id and seen) and seen == str(self.club.revision)

    @property
    def is_known(self) -> bool:
        """Whether who asks has this page as the books are: the club's last entry seals all before it."""
        head = journal.head(self.session)
        return fragments.is_known(self.access, self.club, four_suits(), head)

    @property
    def db(self) -> Database:
        """The database, for writing: the reading ends here, and what is read afterwards is read again."""
        self.session.close()
        return database()

    @property
    def write(self) -> Write:
        """What the form that was sent writes with: its key, on top of the revision it was made at.

        Raises ``RevisionMissing`` for a session's form that lost its revision: nothing that its scorer has
        not seen is written over.
        """
        revision = sent_revision()
        if self.session_id and revision is None:
            raise RevisionMissing
        return Write(self.db, self.access, sent_key(), revision)

    def confirm(self) -> None:
        """Ask whoever does an owner's act for the passcode again, which its form sends as ``confirm``.

        Raises ``NotThePasscode`` or ``TooManyTries``.
        """
        passcodes.confirm(self.db, self.access, request.form.get("confirm", ""), cookies.seen())

    @property
    def dry_run(self) -> DryRun:
        """What asks, in the transaction that the page is read in, what a write would do."""
        return DryRun(self.session)

    def to(self, page: str, /, **values: Any) -> Response:
        """Send the browser on to a page of this club or session after a write; see ``go``."""
        return go(url_for(f"web.{page}", **values), same_top=bool(self.session_id))

    def page(
        self,
        template: str,
        errors: Errors = NOTHING_WRONG,
        *,
        status: int | None = None,
        problem: Problem | None = None,
        made_of: Sequence[Any] | None = None,
        **context: Any,
    ) -> Response:
        """Answer with a page of this club; ``problem`` is why a form is shown again (also in ``errors``).

        It gives the answer its status, unless another is given, and says when to try again.
        Its forms find here what guards them: ``key`` for the one that is shown again, ``keys`` to draw one
        for each of several, ``standing`` for one that is the same while the session is, the ``revision`` they
        go out with, and whether their writer was ``told`` just now that somebody else has written.
        A page that shows nothing but the club, its session and what it is ``made_of`` is made once for many.
        """
        problem = errors.problem if isinstance(errors, Wrong) else problem
        view = self.view if self.session_id else None
        context = {
            "errors": errors,
            "key": form_key(problem),
            "keys": new_key,
            "standing": partial(standing_key, self.session_id, view.revision if view else 0),
            "view": view,
            "revision": view and form_revision(view.revision, problem),
            "told": isinstance(problem, Stale),
            **context,
        }
        make = partial(render_template, template, here=self, **context)
        if (
            made_of is not None
            and not errors
            and status is None
            and request.method in {"GET", "HEAD"}
        ):
            of = (self.club, view, four_suits(), *made_of)
            return fragments.answer(self.access, make, template, *of)
        status = status or (problem.status if problem else 200)
        return make_response(make(), status, waiting(problem) if problem else {})


def in_club(*, writing: bool = False, owning: bool = False) -> Callable[[View], View]:
    """Make a view that takes ``Here`` out of one that is called with a club's number.

    From checking the device to the page's last line it is one read transaction; what is written in between is
    a transaction of its own, which ends that one. ``writing``: the page is for scorers only, also to look at;
    ``owning``: for owners only.
    The view raises ``NotSignedIn`` on a device that is not let in, ``ReadOnly`` for a viewer.
    """

    def wrap(view: View) -> View:
        @wraps(view)
        def inside(club_id: int, **parts: Any) -> ResponseReturnValue:
            with database().read() as session:
                session_id = parts.pop("session_id", 0)
                access, club = cookies.enter(database(), session, club_id, session_id)
                if writing:
                    access.must_write()
                if owning:
                    access.must_own()
                return view(Here(access, club, session, session_id), **parts)

        return inside

    return wrap


def shows(
    rule: str, *, writing: bool = False, owning: bool = False, of_books: bool = False
) -> Callable[[View], View]:
    """Show a page of a club at ``rule``; the view itself stays as it is, for forms to show it again.

    A session's page that is asked for with the ``revision`` it was seen at answers 204 while that holds.
    ``of_books``: the page tells nothing but what entries change, so while the last one is the last, who has
    the page is told so, and nothing more is read.
    """

    def serve(view: View) -> View:
        @wraps(view)
        def showing(here: Here, **parts: Any) -> ResponseReturnValue:
            if here.is_as_seen:
                return "", 204
            if of_books and here.is_known:
                return "", 304
            return view(here, **parts)

        pages.get(rule)(in_club(writing=writing, owning=owning)(showing))
        return view

    return serve


def saves(
    rule: str,
    page: View,
    inputs: Mapping[str, str] | None = None,
    *,
    refused: type[Problem] = Problem,
    owning: bool = False,
) -> Callable[[View], View]:
    """Take a form that was sent to ``rule``; where what it writes is ``refused``, show its ``page`` again.

    The page takes what is wrong as its ``errors``, sorted by the form's ``inputs`` (see ``errors_of``). What
    is not there is no mistake in a form: that is left to be answered as such.
    """

    def serve(view: View) -> View:
        @wraps(view)
        def saving(here: Here, **parts: Any) -> ResponseReturnValue:
            try:
                return view(here, **parts)
            except NotFound:
                raise
            except refused as problem:
                try:
                    return page(here, errors=errors_of(problem, inputs), **parts)
                except (Unreachable, DBAPIError):
                    # There is no page now; what is known of the save is true all the same.
                    if isinstance(problem, Unreachable):
                        raise problem from None
                    raise

        return pages.post(rule)(in_club(writing=True, owning=owning)(saving))

    return serve


@pages.url_defaults
def _of_this_session(endpoint: str, values: dict[str, Any]) -> None:
    """Let an address be of the club and session whose page is asked for, where none is named."""
    for key, value in (request.view_args or {}).items():
        if key in {"club_id", "session_id"} and current_app.url_map.is_endpoint_expecting(
            endpoint, key
        ):
            values.setdefault(key, value)


@pages.app_context_processor
def _asked_for() -> dict[str, bool]:
    """Tell every page whether what stands around it is there already."""
    return {"only_main": fragments.only_main()}


def four_suits() -> bool:
    """Whether this device shows the suits in four colours."""
    return request.cookies.get(SUITS) == FOUR


@pages.before_request
def _renew_old_cookie() -> None:
    cookies.renew_old(database())


def secret() -> str:
    """Return the secret that is kept beside the ledger."""
    return str(current_app.secret_key)


def go(address: str, *, same_top: bool = False) -> Response:
    """Send the browser on after a write, so that going back or reloading never writes again.

    htmx follows a redirect unseen, so it is told where to go, and puts that in the form's place; only in
    that of ``#main`` where the page it goes to has the ``same_top``.
    """
    if request.headers.get("HX-Request") == "true":
        response = make_response("")
        where = {"path": address, "replace": "true"} | ({"source": "#main"} if same_top else {})
        response.headers["HX-Location"] = json.dumps(where)
        return response
    return make_response(redirect(address, 303))


def safe_next(address: str | None, otherwise: str) -> str:
    """Return where to go next: only ever an address on this very site.

    Browsers take a backslash for a slash, and pass over tabs and line ends: to them ``/<tab>/elsewhere``
    is ``//elsewhere``.
    """
    if address and re.match(r"/(?![/\\])[!-~]*\Z", address):
        return address
    return otherwise
