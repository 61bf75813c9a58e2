"""The one place that lets a request in: a bearer token, and for a write its key and revision.

The API reads no cookie, so no other site can write through somebody's browser. A view says who may
call it by ``reader`` or ``scorer``; ``scorer`` hands it a ``Write``, which carries what every write
has to say besides its body.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, Protocol, TypeVar, cast
from urllib.parse import unquote

from flask import current_app, request
from werkzeug.exceptions import HTTPException

from engine.words.sentences import say
from ledger.api import conditions, places
from ledger.books import journal
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.scope import ScopedSession
from ledger.http import etags
from ledger.http.request_log import let_in
from ledger.services.club import last_use, passcodes, tokens
from ledger.services.club.passcodes import Seen, origin_of
from ledger.services.common.idempotency import must_be_a_key
from ledger.services.common.seen import tag_of
from ledger.services.common.values import Value
from ledger.services.common.writing import DryRun, Write
from ledger.words.problems import Invalid, NotSignedIn, NotThePasscode, RevisionMissing

KEY_HEADER: Final = "Idempotency-Key"
PASSCODE_HEADER: Final = NotThePasscode.field
DRY_RUN: Final = "dry_run"

View = Callable[..., Any]
V = TypeVar("V", bound=Value)


@dataclass(frozen=True, slots=True)
class Read:
    """Who reads, and the one transaction that all of the answer is read in."""

    access: Access
    session: ScopedSession


def database() -> Database:
    """Return the database of the application at hand."""
    return cast("Database", current_app.extensions["ledger.database"])


def reader(view: View) -> View:
    """Let in whoever has a token of a club; the view gets a ``Read`` first.

    From looking the token up to writing the answer down it is one transaction.
    """

    @wraps(view)
    def checked(**place: Any) -> Any:
        with database().read() as session:
            return _read(view, Read(_access(session), session), place)

    return checked


def reader_of_books(view: View) -> View:
    """Let in whoever has a token, as ``reader`` does; who has what the view would answer is told so first.

    The view answers from nothing but what entries change. The club's last entry seals all before it: while
    it is the last, the same question has the same answer.
    """

    @wraps(view)
    def checked(**place: Any) -> Any:
        with database().read() as session:
            access = _access(session)
            same = etags.unchanged(etags.tag_of(access, journal.head(session)))
            return same or _read(view, Read(access, session), place)

    return checked


def _read(view: View, read: Read, place: Mapping[str, int]) -> Any:
    with _found_first(place, read.session):
        return view(read, **place)


def keeper(view: View) -> View:
    """Let in scorers only, for what hands out a secret; the view gets their ``Access``.

    Such a write takes no idempotency key: an answer kept under a key would keep the secret, too.
    """

    @wraps(view)
    def checked(**place: Any) -> Any:
        access = _writer()
        with _found_first(place, access):
            _must_not_ask_in_vain(may_be=False)
            return view(access, **place)

    return checked


def owner(view: View) -> View:
    """Let in owners only, who send the club's passcode again; the view gets their ``Access``."""

    @wraps(view)
    def checked(**place: Any) -> Any:
        access = _writer()
        access.must_own()
        with _found_first(place, access):
            _must_not_ask_in_vain(may_be=False)
            # Headers hold plain characters: others are percent-encoded, as in an address.
            passcode = unquote(request.headers.get(PASSCODE_HEADER, ""), errors="replace")
            passcodes.confirm(database(), access, passcode, Seen(origin_of(request.remote_addr)))
            return view(access, **place)

    return checked


def scorer(
    *, matches: bool = False, must_match: bool = False, dry_run: bool = False
) -> Callable[[View], View]:
    """Let in scorers who send an idempotency key; the view gets a ``Write`` first.

    With ``matches`` the caller may say in ``If-Match`` what they saw; with ``must_match`` they have to, or
    say ``*``. With ``dry_run`` the write can be asked what it would do, by viewers, too: the view gets a
    ``DryRun`` then, in the transaction that the answer is read in.
    From looking the token up to writing the answer down a write is one transaction, too.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(**place: Any) -> Any:
            if dry_run and request.args.getlist(DRY_RUN) == ["true"]:
                with database().read() as session:
                    _access(session)
                    with _found_first(place, session):
                        if KEY_HEADER in request.headers:
                            must_be_a_key(request.headers[KEY_HEADER].strip())
                        seen = conditions.seen(needed=False) if matches else None
                        return view(DryRun(session, seen), **place)
            request.get_data()  # nobody waits for their club's turn while a body comes in
            with database().write(checks=False) as session:  # the token's statement does
                access = _access(session, writing=True)
                with _found_first(place, session):
                    _must_not_ask_in_vain(may_be=dry_run)
                    key = _key()
                    seen = conditions.seen(needed=must_match) if matches else None
                    return view(Write(database(), access, key, seen, session), **place)

        return checked

    return decorate


@contextmanager
def _found_first(place: Mapping[str, int], inside: ScopedSession | Access) -> Iterator[None]:
    """Refuse nothing that was sent to an address with nothing at it: say that there is nothing."""
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
    """What was read at a revision of its session."""

    @property
    def revision(self) -> int | None:
        """The session's revision that it was read at."""


def etag(answer: Mapping[str, Any] | Revised) -> dict[str, str]:
    """Return the header that names a session's revision, for a later ``If-Match``."""
    revision = answer["revision"] if isinstance(answer, Mapping) else answer.revision
    return {"ETag": f'"{revision}"'}


def with_tag(value: V) -> tuple[V, dict[str, str]]:
    """Return what was read or written with the header that names its state, for a later ``If-Match``."""
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


def _must_not_ask_in_vain(*, may_be: bool) -> None:
    """Raise ``Invalid`` rather than write what was meant to be asked."""
    every = request.args.getlist(DRY_RUN)
    if every and not (may_be and every == ["false"]):
        wants = (
            say("Send true or false, once.") if may_be else say("This can't be asked as a dry run.")
        )
        raise Invalid.at(DRY_RUN, "ill-formed", say("{wants} Nothing was written.", wants=wants))


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
