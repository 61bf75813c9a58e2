"""Sessions and hands in one call each, and example hands with payments calculated by hand."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import inspect
from sqlmodel import func, select

from engine.guide.random_hands import random_hands
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import metadata
from ledger.database.scope import ScopedSession
from ledger.services.club import links, players
from ledger.services.common.writing import (
    DryRun,
    PlannableWrite,
    Write,
    WritePreview,
    WriteResponse,
)
from ledger.services.hands import correct as hands_correct
from ledger.services.hands import record as hands_record
from ledger.services.hands.rename import called_now
from ledger.services.hands.versions import find
from ledger.services.session.hand_versions import HandVersion
from ledger.services.session.load import load
from ledger.services.table import start as table_start
from ledger.services.table.start import SessionDraft

SECRET = "a secret key for tests only"
SEVEN = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus")
FOUR = SEVEN[:4]

# 002's own example: 74 in hearts at seven: (74 − 60) × 3 = 42, to the nearest 5 = 40.
HEARTS_74: Mapping[str, Any] = {
    "contract": {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "partner": "Bob"},
    "points": 74,
}
PAYS_HEARTS_74 = {"Ann": 120, "Bob": 80, **dict.fromkeys(SEVEN[2:], -40)}

# The same hand counted at 46 is lost by as much.
HEARTS_46: Mapping[str, Any] = {**HEARTS_74, "points": 46}
PAYS_HEARTS_46 = {name: -amount for name, amount in PAYS_HEARTS_74.items()}

# Alone in spades with 85: (85 − 60) × 2 = 50 from each of the six others.
ALONE_85: Mapping[str, Any] = {
    "contract": {"bidder": "Cyd", "bid": "go-alone", "trump": "S"},
    "points": 85,
}
PAYS_ALONE_85 = {name: 300 if name == "Cyd" else -50 for name in SEVEN}

ALL_PASS: Mapping[str, Any] = {"contract": {"bid": "pass"}}


def german_solo(bidder: str, *, made: bool = True) -> Mapping[str, Any]:
    """Return a hand of German Solo: its bidder scores 6 or -6, and nobody pays."""
    return {
        "contract": {"bidder": bidder, "bid": "solo", "trump": "C"},
        "tricks_won": 5 if made else 4,
        "matadors": "split",
        "first_tricks_won": False,
    }


def with_cards(
    game: str,
    players: Sequence[str],
    dealer: str,
    accept: Callable[[Mapping[str, Any]], object] = lambda _: True,
) -> dict[str, Any]:
    """Return a random hand of these players with its tricks that is accepted, to be recorded."""
    for record in random_hands(game, players=len(players), seed="cards"):
        hand = called_now(record.to_mapping(), players)
        if record.tricks and hand["dealer"] == dealer and accept(hand):
            return {key: value for key, value in hand.items() if key not in _OF_THE_SESSION}
    raise AssertionError("random hands have no end")


_OF_THE_SESSION = ("format", "game", "rules", "options", "players", "dealer", "active")

_keys = count(1)


def new_key() -> str:
    """Return an idempotency key that no test has used yet."""
    return f"key-of-a-test-{next(_keys)}"


def write(db: Database, access: Access, revision: int | None = None) -> Write:
    """Return a write with a new key."""
    return Write(db, access, new_key(), revision)


def start(
    db: Database,
    access: Access,
    players: Sequence[str] = SEVEN,
    game: str = "crazy-solo",
    **said: Any,
) -> int:
    """Start a session; return its id."""
    answer = table_start.start(write(db, access), SessionDraft(players, game, **said))
    return int(answer["id"])


def record(db: Database, access: Access, session_id: int, hand: Mapping[str, Any]) -> WriteResponse:
    """Record the next hand."""
    return hands_record.record(write(db, access), session_id, hand)


def turn(db: Database, access: Access, session_id: int) -> tuple[str, str]:
    """Return the dealer and the lead of the next hand."""
    proposal = ask(db, access, hands_record.propose, session_id)
    return proposal.dealer, proposal.lead


def correct(
    db: Database, access: Access, session_id: int, number: int, hand: Mapping[str, Any]
) -> WriteResponse:
    """Correct a hand because it was miscounted."""
    return hands_correct.correct(write(db, access), session_id, number, hand, reason="miscounted")


def void(db: Database, access: Access, session_id: int, number: int) -> WriteResponse:
    """Void a hand because of a misdeal."""
    return hands_correct.void(write(db, access), session_id, number, reason="misdeal")


P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound=WritePreview)


def ask(
    db: Database,
    access: Access | None,
    read: Callable[Concatenate[ScopedSession, P], T],
    *given: P.args,
    **named: P.kwargs,
) -> T:
    """Return the result of a service that reads, in a new transaction; without access, of all clubs."""
    with db.read(access) as session:
        return read(session, *given, **named)


def version_record(
    session: ScopedSession, session_id: int, number: int
) -> tuple[Mapping[str, Any], Mapping[str, Any], HandVersion]:
    """Return the record, the verdict and the newest version of a hand."""
    version = find(session, load(session, session_id), number)
    return version.record, version.verdict, version


def dry(write: PlannableWrite[P, S]) -> Callable[Concatenate[ScopedSession, P], S]:
    """Return a service that only previews the writes of this one."""

    def asked(session: ScopedSession, /, *given: P.args, **named: P.kwargs) -> S:
        return write(DryRun(session), *given, **named)

    return asked


def recalculated(answer: WriteResponse) -> list[int]:
    """Return the numbers of the later hands that a write recalculated."""
    return [hand["number"] for hand in answer["recalculated"]]


def balances(db: Database, access: Access, session_id: int) -> dict[str, int]:
    """Return the balance of each player's seat."""
    return {seat.name: seat.balance for seat in ask(db, access, load, session_id).seats}


def player_id(db: Database, access: Access, name: str) -> int:
    """Return the id of a club's player."""
    return next(p.id for p in ask(db, access, players.everyone) if p.name == name)


def seat_id(db: Database, access: Access, session_id: int, name: str) -> int:
    """Return the id of a player's seat."""
    return next(s.id for s in ask(db, access, load, session_id).seats if s.name == name)


def total(*payouts: Mapping[str, int]) -> dict[str, int]:
    """Return the sum of payouts for each player."""
    return {name: sum(payout[name] for payout in payouts) for name in payouts[0]}


def viewer_key(db: Database, access: Access) -> str:
    """Create a viewer link, and return its key: the end of the address ``/v/…``."""
    return links.make(db, access, SECRET, role=Role.VIEWER, lasts="year")[0]


def row_counts(db: Database) -> dict[str, int]:
    """Return the number of rows in every table, of all clubs."""
    with db.read() as session:
        there = inspect(session.connection()).get_table_names()  # of older books, not all
        return {
            table.name: session.execute(select(func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
            if table.name in there
        }
