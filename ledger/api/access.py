"""Authentication of API requests by bearer token, and the idempotency key and revision of writes.

The API reads no cookie, so another site can't write through a visitor's browser. The decorators ``reader``,
``reader_of_books``, ``keeper``, ``owner`` and ``scorer`` define the role that a view requires.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Final, Protocol, TypeVar, cast
from urllib.parse import unquote

from flask import Response, after_this_request, current_app, request
from werkzeug.exceptions import HTTPException

from engine.words.sentences import say
from ledger.api import conditions, places
from ledger.books import journal
from ledger.books.repeating import repeat
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.scope import ScopedSession
from ledger.http import etags
from ledger.http.request_log import let_in
from ledger.services.club import last_use, passcodes, tokens
from ledger.services.club.passcodes import ClientDevice, origin_of
from ledger.services.common.values import Value
from ledger.services.common.writing import DryRun, Write, must_be_a_key, tag_of
from ledger.words.problems import Invalid, NotSignedIn, NotThePasscode, RevisionMissing

KEY_HEADER: Final = "Idempotency-Key"
REPLAYED_HEADER: Final = "Idempotency-Replayed"
PASSCODE_HEADER: Final = NotThePasscode.field
DRY_RUN: Final = "dry_run"

View = Callable[..., Any]
V = TypeVar("V", bound=Value)


@dataclass(frozen=True, slots=True)
class Read:
    """An authenticated read: its access, and the transaction that the whole response is read in."""

    access: Access
    session: ScopedSession


def database() -> Database:
    """Return the current application's database."""
    return cast("Database", current_app.extensions["ledger.database"])


def reader(view: View) -> View:
    """Require any token of a club, else 401, and pass the view a ``Read``.

    Checking the token and serializing the response happen in one transaction. If a request is refused and its
    URL names something that doesn't exist, the response is 404, as for the other decorators.
    """

    @wraps(view)
    def checked(**place: Any) -> Any:
        with database().read() as session:
            return _read(view, Read(_access(session), session), place)

    return checked


def reader_of_books(view: View) -> View:
    """Require any token, as ``reader`` does, and answer 304 if the client's copy is current.

    For views that depend only on journal entries: the response stays the same until the club's next entry.
    """

    @wraps(view)
    def checked(**place: Any) -> Any:
        with database().read() as session:
            access = _access(session)
            same = etags.unchanged(etags.tag_of(access, journal.head(session)))
            return same or _read(view, Read(access, session), place)

    return checked


def _read(view: View, read: Read, place: Mapping[str, int]) -> Any:
    with _not_found_first(place, read.session):
        return view(read, **place)


def keeper(view: View) -> View:
    """Require a scorer's token, else 403, for a view that returns a secret, and pass it the ``Access``.

    These writes take no idempotency key, because the response stored under a key would contain the secret. A
    ``dry_run`` is refused.
    """

    @wraps(view)
    def checked(**place: Any) -> Any:
        access = _writer()
        with _not_found_first(place, access):
            _check_dry_run(is_allowed=False)
            return view(access, **place)

    return checked


def owner(view: View) -> View:
    """Require an owner's token and the club's passcode, else 403, and pass the view the ``Access``.

    After too many wrong passcodes the response is 429. A ``dry_run`` is refused.
    """

    @wraps(view)
    def checked(**place: Any) -> Any:
        access = _writer()
        access.must_own()
        with _not_found_first(place, access):
            _check_dry_run(is_allowed=False)
            # Headers hold plain characters: others are percent-encoded, as in an address.
            passcode = unquote(request.headers.get(PASSCODE_HEADER, ""), errors="replace")
            passcodes.confirm(
                database(), access, passcode, ClientDevice(origin_of(request.remote_addr))
            )
            return view(access, **place)

    return checked


def scorer(
    *, matches: bool = False, must_match: bool = False, dry_run: bool = False
) -> Callable[[View], View]:
    """Require a scorer's token, else 403, and an idempotency key, else 422; pass the view a ``Write``.

    Checking the token, the write and serializing the response happen in one transaction. A response to an
    earlier write with the same key has the header ``Idempotency-Replayed``.

    Args:
        matches: Accept ``If-Match``.
        must_match: Require ``If-Match`` (a tag or ``*``).
        dry_run: Accept ``?dry_run=true``, from viewers as well. The view then gets a ``DryRun`` in a read
            transaction.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(**place: Any) -> Any:
            if dry_run and request.args.getlist(DRY_RUN) == ["true"]:
                with database().read() as session:
                    _access(session)
                    with _not_found_first(place, session):
                        if KEY_HEADER in request.headers:
                            must_be_a_key(request.headers[KEY_HEADER].strip())
                        seen = conditions.expected_states(needed=False) if matches else None
                        return view(DryRun(session, seen), **place)
            request.get_data()  # receive the body before taking the club's write lock
            response, is_replayed = repeat(partial(write, place))
            if is_replayed:
                after_this_request(_mark_replayed)
            return response

        def write(place: Mapping[str, int]) -> tuple[Any, bool]:
            with database().write(checks=False) as session:  # the token's query checks the schema
                access = _access(session, writing=True)
                with _not_found_first(place, session):
                    _check_dry_run(is_allowed=dry_run)
                    key = _key()
                    seen = conditions.expected_states(needed=must_match) if matches else None
                    response = view(Write(database(), access, key, seen, session), **place)
                    return response, session.replayed

        return checked

    return decorate


def _mark_replayed(response: Response) -> Response:
    response.headers[REPLAYED_HEADER] = "true"
    return response


@contextmanager
def _not_found_first(place: Mapping[str, int], inside: ScopedSession | Access) -> Iterator[None]:
    """Raise ``NotFound`` for a refused request if its URL names something that does not exist.

    Otherwise, and for conflicts, the refusal itself is raised.
    """
    try:
        yield
    except (Invalid, RevisionMissing, HTTPException):
        with (
            nullcontext(inside)
            if isinstance(inside, ScopedSession)
            else database().read(inside) as session
        ):
            places.must_be_there(session, place)
        raise


class Revised(Protocol):
    """A response that knows its session's revision."""

    @property
    def revision(self) -> int | None:
        """The session's revision at the time of reading."""


def etag(answer: Mapping[str, Any] | Revised) -> dict[str, str]:
    """Return the ``ETag`` header of a session's revision."""
    revision = answer["revision"] if isinstance(answer, Mapping) else answer.revision
    return {"ETag": f'"{revision}"'}


def with_tag(value: V) -> tuple[V, dict[str, str]]:
    """Return a value with the ``ETag`` header of its state."""
    return value, {"ETag": f'"{tag_of(value)}"'}


def _writer() -> Access:
    with database().read() as session:
        access = _access(session)
    access.must_write()
    return access


def _access(session: ScopedSession, *, writing: bool = False) -> Access:
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise NotSignedIn(
            say(
                "Send a token of your club in the header Authorization, as Bearer solo_…; "
                "`solo-ledger token` and the club's page make one."
            )
        )
    access = let_in(tokens.open_with(session, secret.strip(), writing=writing))
    if writing:
        access.must_write()
    return last_use.note(database(), access, "")


def _check_dry_run(*, is_allowed: bool) -> None:
    """Raise ``Invalid`` for a ``dry_run`` that does not apply, so that nothing is written by mistake."""
    values = request.args.getlist(DRY_RUN)
    if values and not (is_allowed and values == ["false"]):
        reason = (
            say("Send true or false, once.")
            if is_allowed
            else say("This can't be asked as a dry run.")
        )
        raise Invalid.at(DRY_RUN, "ill-formed", say("{wants} Nothing was written.", wants=reason))


def _key() -> str:
    key = request.headers.get(KEY_HEADER, "").strip()
    if not key:
        raise Invalid.at(
            KEY_HEADER,
            "key-missing",
            say(
                "Send the header {key_header} with a key of your own making, such as a random "
                "UUID; a retry with the same key then writes nothing twice.",
                key_header=KEY_HEADER,
            ),
        )
    return key
