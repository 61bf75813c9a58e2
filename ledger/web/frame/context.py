"""The request context of a club's pages: access, transaction, forms and redirects.

Every page of a club is a view under ``in_club``, which passes it an ``Access`` and a read transaction.
Views have no other access to the database, so a device can't read a club that it has not entered, and
everything on a page has the same age.
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

ID = f"int(max={2**63 - 1})"
"""The URL converter of ids, limited to a database's integer."""

CLUB = f"/clubs/<{ID}:club_id>"
SESSION = f"{CLUB}/sessions/<{ID}:session_id>"
HAND = f"{SESSION}/hands/<{ID}:number>"

SUITS = "solo-ledger-suits"
"""The cookie with a device's choice of two or four colours for suits."""

FOUR = "four"
"""The cookie's value for four colours: spades black, hearts red, diamonds blue, clubs green."""

pages = Blueprint("web", __name__)

View = Callable[..., ResponseReturnValue]


def database() -> Database:
    """Return the current application's database."""
    application_database: Database = current_app.extensions["ledger.database"]
    return application_database


@dataclass(slots=True)
class Here:
    """A request in a club: the device's access, the club, and the transaction that the page is read in.

    ``session_id`` is 0 on pages that belong to no session.
    """

    access: Access
    club: ClubView
    session: ScopedSession
    session_id: int = 0

    @property
    def view(self) -> SessionView:
        """The state of the page's session. Raises ``NotFound``."""
        return load(self.session, self.session_id)

    @property
    def is_as_seen(self) -> bool:
        """Whether the request has the session's live number as ``revision``, so that there is no news."""
        revision_seen = request.args.get("revision")
        return bool(self.session_id and revision_seen) and revision_seen == str(
            self.club.live_number
        )

    @property
    def is_known(self) -> bool:
        """Whether the client's copy of this page was made after the club's last journal entry.

        Only for pages that depend on nothing but the journal: the response gets a tag of it.
        """
        head = journal.head(self.session)
        return fragments.is_known(self.access, self.club, four_suits(), head)

    @property
    def db(self) -> Database:
        """The database, for writing. The page's read transaction ends; later reads start another one."""
        self.session.close()
        return database()

    @property
    def write(self) -> Write:
        """The write of the submitted form, with its idempotency key and the revision it was rendered at.

        The page's read transaction ends. Raises ``RevisionMissing`` if a session's form lacks the revision,
        because it could overwrite changes that its scorer has not seen.
        """
        revision = sent_revision()
        if self.session_id and revision is None:
            raise RevisionMissing
        return Write(self.db, self.access, sent_key(), revision)

    def confirm(self) -> None:
        """Check the passcode that an owner's form sends as ``confirm``; the page's read transaction ends.

        Raises ``NotThePasscode``, ``TooManyTries``, or ``Invalid`` if it is empty.
        """
        passcodes.confirm(
            self.db, self.access, request.form.get("confirm", ""), cookies.this_device()
        )

    @property
    def dry_run(self) -> DryRun:
        """A dry run in the page's read transaction."""
        return DryRun(self.session)

    def to(self, page: str, /, **values: Any) -> Response:
        """Return a redirect to a page of this club or session after a write; see ``go``."""
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
        """Return a page of this club.

        Its forms get the variables ``key`` (of the form shown again), ``keys`` (a function for new keys),
        ``standing`` (a function for keys that stay the same at a revision), ``revision``, and ``was_stale``
        (whether the writer was just informed of another write).

        Args:
            template: The name of the template.
            errors: The errors of the form; a ``Wrong`` also sets the problem.
            status: The status, if not the problem's or 200.
            problem: The reason for showing a form again. It sets the status and ``Retry-After``.
            made_of: All values shown other than the club and session; without errors the page is then
                cached, and answered 304 if the client has it.
            context: The template's variables.
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
            "was_stale": isinstance(problem, Stale),
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
    """Pass a view the ``Here`` of its club.

    ``writing`` limits it to scorers, ``owning`` to owners. Checking the device and rendering the page happen
    in one read transaction. A write ends it and is a transaction of its own. Raises ``NotSignedIn`` on
    unknown devices, and ``ReadOnly`` or ``OwnersOnly`` if the device's role is not enough.
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
    """Register a page of a club at ``rule`` and return the view unchanged, so that forms can call it.

    A request with a session's live number as ``revision`` is answered 204. ``of_books`` marks pages that
    depend only on journal entries: if the client has the page made after the club's last entry, the response
    is 304.
    """

    def serve(view: View) -> View:
        @wraps(view)
        def show_page(here: Here, **parts: Any) -> ResponseReturnValue:
            if here.is_as_seen:
                return "", 204
            if of_books and here.is_known:
                return "", 304
            return view(here, **parts)

        pages.get(rule)(in_club(writing=writing, owning=owning)(show_page))
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
    """Register a form's POST for scorers at ``rule``, which shows ``page`` again on a ``refused`` problem.

    The page gets the ``errors`` by the form's ``inputs`` (see ``errors_of``); other problems, and
    ``NotFound``, become error pages. ``owning`` limits the form to owners and requires the passcode.
    """

    def serve(view: View) -> View:
        @wraps(view)
        def saving(here: Here, **parts: Any) -> ResponseReturnValue:
            try:
                if owning:
                    here.confirm()
                return view(here, **parts)
            except NotFound:
                raise
            except refused as problem:
                try:
                    return page(here, errors=errors_of(problem, inputs), **parts)
                except (Unreachable, DBAPIError):
                    # The page can't be read now; the problem still states whether anything was saved.
                    if isinstance(problem, Unreachable):
                        raise problem from None
                    raise

        return pages.post(rule)(in_club(writing=True, owning=owning)(saving))

    return serve


@pages.url_defaults
def _of_this_session(endpoint: str, values: dict[str, Any]) -> None:
    """Fill in the current club and session in URLs that don't name others."""
    url_map, here = current_app.url_map, request.view_args or {}
    for key in ("club_id", "session_id"):
        if key in here and url_map.is_endpoint_expecting(endpoint, key):
            values.setdefault(key, here[key])


@pages.app_context_processor
def _asked_for() -> dict[str, bool]:
    """Add ``only_main`` to the context of every template."""
    return {"only_main": fragments.only_main()}


def four_suits() -> bool:
    """Return whether this device shows the suits in four colours."""
    return request.cookies.get(SUITS) == FOUR


@pages.before_request
def _renew_old_cookie() -> None:
    cookies.renew_old(database())


def secret() -> str:
    """Return the server's secret key."""
    return str(current_app.secret_key)


def go(address: str, *, same_top: bool = False) -> Response:
    """Return a redirect after a write, so that going back or reloading does not write again.

    htmx follows HTTP redirects invisibly, so it gets the URL in a header, to replace the page; with
    ``same_top`` only ``#main`` is replaced.
    """
    if request.headers.get("HX-Request") == "true":
        response = make_response("")
        where = {"path": address, "replace": "true"} | ({"source": "#main"} if same_top else {})
        response.headers["HX-Location"] = json.dumps(where)
        return response
    return make_response(redirect(address, 303))


def safe_next(address: str | None, otherwise: str) -> str:
    """Return a URL path if it is on this site, else ``otherwise``.

    Browsers treat a backslash as a slash and ignore tabs and line ends: ``/<tab>/elsewhere`` is
    ``//elsewhere``.
    """
    if address and re.match(r"/(?![/\\])[!-~]*\Z", address):
        return address
    return otherwise
