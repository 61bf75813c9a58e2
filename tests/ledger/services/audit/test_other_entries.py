"""Entries that are no hand's: what their kind never moves, or is not worth, is found though it is sealed."""

from collections.abc import Mapping

import pytest
from sqlmodel import col, select

from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Account, EntryKind
from ledger.runtime.clock import now
from ledger.services.audit import verify
from ledger.services.chips import bank
from ledger.services.common import apportion
from ledger.services.hands import after_leaving
from ledger.services.session.view import Rate
from tests.ledger import cash, table
from tests.ledger.departed import ANN_LOSES

RATE = {"chips": 10, "money": 1}


@pytest.fixture
def played(database: Database, club: Access) -> int:
    """A session at ten chips to a cent in which Ann won 50 from each of three others."""
    session_id = table.start(database, club, table.FOUR, rate=Rate(10, 1))
    table.record(database, club, session_id, cash.ANN_WINS)
    return session_id


@pytest.fixture
def session_id(database: Database, club: Access, played: int) -> int:
    """That session after Ann left it for money, and another beside it."""
    cash.leave(database, club, played, "Ann")
    table.start(database, club, table.FOUR)
    assert list(verify(database)) == []
    return played


def told(
    db: Database,
    club: Access,
    monkeypatch: pytest.MonkeyPatch,
    header: EntryHeader,
    amounts: Mapping[str, int],
) -> list[str]:
    """Seal an entry that the journal would refuse, by the accounts' keys; return what verify says of it."""
    with monkeypatch.context() as lenient, db.write(club) as session:
        lenient.setattr(journal, "may_move", lambda *_: True)
        found = select(Account.key, Account.id).where(col(Account.key).in_(amounts))
        ids = dict(session.exec(found).all())
        entry = journal.post(session, header, {ids[key]: amounts[key] for key in amounts})
        place = f"entry {entry}"
    return [each.message for each in verify(db) if each.place == place]


def header(session_id: int | None, kind: EntryKind, **details: object) -> EntryHeader:
    """Return what an entry is for that nobody could write at a table."""
    return EntryHeader(session_id, kind, "Tom", now(), now(), details=details)


@pytest.mark.parametrize(
    ("kind", "amounts", "said"),
    [
        (EntryKind.ADJUSTMENT, {"seat/2": 5, "seat/6": -5}, "no adjustment there may move seat/6"),
        (
            EntryKind.ADJUSTMENT,
            {"seat/2": 5, "seat/3": -5, "player/1/EUR": 7, "session/1/till": -7},
            "no adjustment there may move player/1/EUR",
        ),
        (
            EntryKind.LOAN,
            {"player/1/EUR": 7, "session/1/till": -7},
            "no loan there may move player/",
        ),
        (EntryKind.PAUSE, {"seat/2": 5, "seat/3": -5}, "no pause there may move seat/2"),
        (EntryKind.CASH_OUT, {"player/1/EUR": 7, "session/1/till": -7}, "says no rate"),
    ],
)
def test_what_entries_of_a_kind_never_move_is_found(
    database: Database,
    club: Access,
    monkeypatch: pytest.MonkeyPatch,
    session_id: int,
    kind: EntryKind,
    amounts: dict[str, int],
    said: str,
) -> None:
    """Another session's chips, money beside chips, anything in a break: each by whose account it is."""
    differences = told(database, club, monkeypatch, header(session_id, kind), amounts)
    assert any(said in each for each in differences), differences


def test_an_entry_of_no_session_moves_no_sessions_accounts(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch, session_id: int
) -> None:
    """A loan of nowhere is found at the till it would have come from."""
    differences = told(
        database,
        club,
        monkeypatch,
        header(None, EntryKind.PAYMENT),
        {"player/1/EUR": 7, f"session/{session_id}/till": -7},
    )
    assert f"no payment there may move session/{session_id}/till" in differences


def test_money_that_no_chips_became_is_found(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch, session_id: int
) -> None:
    """A conversion of nothing that pays 700 all the same."""
    made = header(session_id, EntryKind.CONVERSION, rate=RATE, converted={})
    amounts = {"player/1/EUR": 700, f"session/{session_id}/till": -700}
    differences = told(database, club, monkeypatch, made, amounts)
    assert "its till holds money after it" in differences
    assert any("has chips after it that became no money" in each for each in differences)


@pytest.mark.parametrize("more", [1, -1])
def test_a_leaver_who_is_paid_another_sum_is_found(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch, played: int, more: int
) -> None:
    """One unit more or less than the chips come to at the rate."""
    with monkeypatch.context() as wrong:
        wrong.setattr(apportion, "nearest", lambda *_: 15 + more)
        cash.leave(database, club, played, "Ann")
    (difference,) = verify(database)
    assert difference.message == "it does not pay player 1 what their chips are worth"


@pytest.mark.parametrize("more", [1, -1])
def test_a_correction_after_a_leaving_that_pays_another_sum_is_found(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch, session_id: int, more: int
) -> None:
    """One unit more or less than the chips won since come to, with those cashed in at the leaving."""
    worth = apportion.nearest
    with monkeypatch.context() as wrong:
        wrong.setattr(
            apportion, "nearest", lambda part, *rate: worth(part, *rate) + more * (part < 0)
        )
        table.correct(database, club, session_id, 1, ANN_LOSES)
    (difference,) = verify(database)
    assert difference.message == "it does not pay player 1 what their chips are worth"


def test_a_correction_after_a_leaving_at_another_rate_is_found(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch, session_id: int
) -> None:
    """Ten chips became two cents instead of one."""
    details = {"seat": 1, "hand": 1, "rate": {"chips": 10, "money": 2}, "converted": {"1": 10}}
    made = header(session_id, EntryKind.AFTER_LEAVING, **details)
    with database.write(club) as session:
        account = session.exec(select(Account).where(Account.key == "seat/1")).one()
        account.closed_at = None
    amounts = {"seat/1": 10, "session/1/bank": -10, "player/1/EUR": 2, "session/1/till": -2}
    differences = told(database, club, monkeypatch, made, amounts)
    assert "its rate is not the one at which the player left" in differences


def test_chips_of_a_seat_that_was_left_are_found(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch, session_id: int
) -> None:
    """A correction that was not settled with the player who had left."""
    with monkeypatch.context() as forgetful:
        forgetful.setattr(after_leaving, "plan", lambda *_: ())
        table.correct(database, club, session_id, 1, ANN_LOSES)
    assert [str(each) for each in verify(database)] == [
        "Kitchen Table, account seat/1: it holds -300 chips, its seat was left"
    ]


def test_a_conversion_that_shifts_a_unit_is_found(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch, played: int
) -> None:
    """From Bob to Cyd, though all of it sums to what it should."""
    with monkeypatch.context() as wrong:
        wrong.setattr(apportion, "by_largest_remainder", lambda *_: [15, -6, -4, -5])
        cash.convert(database, club, played)
    assert [each.message for each in verify(database)] == [
        f"it does not pay player {player} what their chips are worth" for player in (2, 3)
    ]


def test_a_conversion_that_leaves_chips_unconverted_is_found(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch, played: int
) -> None:
    """It says that all chips became money; Dee still has hers."""
    with monkeypatch.context() as wrong:
        moving = bank.move
        wrong.setattr(bank, "move", lambda a, b, chips, money: moving(a, b, chips[:3], money))
        cash.convert(database, club, played)
    assert "seat 4 has chips after it that became no money" in [
        each.message for each in verify(database)
    ]


def test_converting_leaving_and_taking_back_in_any_order_is_in_order(
    database: Database, club: Access
) -> None:
    """What money was paid is worked out again at each step of an evening, and fits."""
    played = table.start(database, club, table.FOUR, rate=Rate(10, 3), starting_stack=150)
    table.record(database, club, played, cash.ANN_WINS)
    cash.leave(database, club, played, "Ann")
    cash.convert(database, club, played)
    cash.join(database, club, played, "Ann")
    cash.lend(database, club, played, "Bob", 35)
    table.record(database, club, played, {**cash.ANN_WINS, "points": 77})
    cash.leave(database, club, played, "Bob")
    cash.leave(database, club, played, "Ann")
    cash.convert(database, club, played)
    assert list(verify(database)) == []
