"""An evening: started, its rules changed, closed and reopened."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.runtime.clock import today
from ledger.services.common.writing import Write
from ledger.services.hands import correct, record
from ledger.services.reads import session
from ledger.services.session.load import load
from ledger.services.table import lifecycle, start
from ledger.services.table.start import SessionDraft
from ledger.words.problems import (
    Conflict,
    Invalid,
    KeyReused,
    NotFound,
    Problem,
    SessionClosed,
    Stale,
)
from tests.ledger import table
from tests.ledger.table import ask, dry


def test_a_session_starts_with_a_seat_and_an_empty_account_for_each(
    database: Database, club: Access
) -> None:
    """Clockwise as named; whoever is named first deals first, unless the table says otherwise."""
    session_id = table.start(database, club, ("Łukasz", "山田", "Ann", "Bob"), "six-bid")
    view = ask(database, club, load, session_id)
    assert view.names == ("Łukasz", "山田", "Ann", "Bob")
    assert [seat.position for seat in view.seats] == [0, 1, 2, 3]
    assert {seat.balance for seat in view.seats} == {0}
    assert len({seat.account_id for seat in view.seats}) == 4
    assert (view.is_open, view.revision, view.hands_dealt) == (True, 1, 0)
    assert (view.title, view.started_on) == ("Evening 1", today())
    assert (view.game, view.variant, view.options) == ("six-bid", "hoyle", {})
    assert ask(database, club, record.propose, session_id).dealer == "Łukasz"


def test_a_session_is_started_as_the_table_says(database: Database, club: Access) -> None:
    """Title, day, variant, house rules and first dealer."""
    session_id = table.start(
        database,
        club,
        table.FOUR,
        "six-bid",
        variant="pagat",
        options={"idle_paid_on_loss": False},
        title="  New   Year ",
        started_on=date(2026, 1, 1),
        first_dealer="dee",
    )
    view = ask(database, club, load, session_id)
    assert (view.title, view.started_on) == ("New Year", date(2026, 1, 1))
    assert (view.variant, view.options) == ("pagat", {"idle_paid_on_loss": False})
    proposal = ask(database, club, record.propose, session_id)
    assert (proposal.dealer, proposal.lead) == ("Dee", "Ann")


@pytest.mark.parametrize(
    ("draft", "field", "code"),
    [
        (SessionDraft(("Ann", "Bob", "Cyd"), "bridge"), "game", "unknown-game"),
        (SessionDraft(("Ann", "Bob"), "crazy-solo"), "players", "table-size"),
        (SessionDraft(tuple("ABCDEFGH"), "six-bid"), "players", "table-size"),
        (SessionDraft(table.FOUR, "six-bid", "vienna"), "rules", "unknown-variant"),
        (SessionDraft(table.FOUR, "crazy-solo", options={"rounding": 7}), "options.rounding", ""),
        (SessionDraft(table.FOUR, "crazy-solo", options={"moon": True}), "options.moon", ""),
        (SessionDraft(("Ann", "Bob", "ann"), "crazy-solo"), "players.2", "player-twice"),
        (SessionDraft(("Ann", "Bob", ""), "crazy-solo"), "players.2", "name-empty"),
        (SessionDraft(("Ann", "spit", "Bob"), "crazy-solo"), "players.1", "name-reserved"),
        (
            SessionDraft(table.FOUR, "crazy-solo", first_dealer="Zed"),
            "first_dealer",
            "dealer-not-seated",
        ),
        (SessionDraft(table.FOUR, "crazy-solo", title="<b>"), "title", "name-has-brackets"),
    ],
)
def test_a_session_that_cannot_be_is_refused_at_the_field(
    database: Database, club: Access, draft: SessionDraft, field: str, code: str
) -> None:
    """And nothing is written, nobody entered as a player."""
    before = table.row_counts(database)
    with pytest.raises(Invalid) as caught:
        start.start(table.write(database, club), draft)
    (fault,) = caught.value.faults
    assert fault.field == field
    assert code in ("", fault.code)
    assert table.row_counts(database) == before


def test_rules_change_from_the_next_hand_on(database: Database, club: Access) -> None:
    """From Crazy Solo to Six-Bid after pagat: old hands keep what they were played by."""
    session_id = table.start(database, club, table.FOUR, options={"rounding": 0})
    alone = {"contract": {"bidder": "Ann", "bid": "go-alone", "trump": "S"}, "points": 66}
    table.record(database, club, session_id, alone)
    paid = table.balances(database, club, session_id)
    assert paid == {"Ann": 36, "Bob": -12, "Cyd": -12, "Dee": -12}
    answer = start.change_rules(
        table.write(database, club, 2),
        session_id,
        game="six-bid",
        variant="pagat",
        options={},
    )
    assert answer.items() >= {"id": session_id, "revision": 3}.items()
    assert table.balances(database, club, session_id) == paid
    # The dealer moves on as the last hand said: Bob led, so Bob deals and is the king.
    solo = {"contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 66}
    table.record(database, club, session_id, solo)
    first, second = ask(database, club, session.hands, session_id)
    assert (first.game_title, second.game_title) == ("Crazy Solo", "Six-Bid Solo")
    assert second.dealer == "Bob"
    assert second.deltas == (24, 0, -12, -12)
    # A correction of the first hand is still scored unrounded, as it was played.
    answer = table.correct(database, club, session_id, 1, {**alone, "points": 67})
    assert answer["balances"] == {"Ann": 42 + 24, "Bob": -14, "Cyd": -26, "Dee": -26}


def test_rules_that_cannot_be_are_refused_and_the_old_ones_stay(
    database: Database, club: Access
) -> None:
    """Eight at the table play no Six-Bid."""
    session_id = table.start(database, club, tuple("ABCDEFGH"))
    with pytest.raises(Invalid) as caught:
        start.change_rules(
            table.write(database, club),
            session_id,
            game="six-bid",
            variant=None,
            options={},
        )
    assert [fault.code for fault in caught.value.faults] == ["table-size"]
    view = ask(database, club, load, session_id)
    assert (view.game, view.revision) == ("crazy-solo", 1)


def change_to_unrounded(db: Database, access: Access, session_id: int, **said: Any) -> object:
    """Switch rounding off."""
    write = table.write(db, access, **said)
    return start.change_rules(
        write, session_id, game="crazy-solo", variant=None, options={"rounding": 0}
    )


WRITES: dict[str, Callable[..., object]] = {
    "a hand": lambda db, access, session_id, **said: record.record(
        table.write(db, access, **said), session_id, table.HEARTS_74
    ),
    "a correction": lambda db, access, session_id, **said: correct.correct(
        table.write(db, access, **said), session_id, 1, table.HEARTS_46, reason="why"
    ),
    "a void": lambda db, access, session_id, **said: correct.void(
        table.write(db, access, **said), session_id, 1, reason="why"
    ),
    "new rules": change_to_unrounded,
    "closing": lambda db, access, session_id, **said: lifecycle.close(
        table.write(db, access, **said), session_id
    ),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_closed_session_is_not_written_in(database: Database, club: Access, write: str) -> None:
    """Whatever it is; the answer says to reopen it."""
    session_id = table.start(database, club, title="New Year")
    table.record(database, club, session_id, table.HEARTS_74)
    lifecycle.close(table.write(database, club), session_id)
    before = table.row_counts(database), ask(database, club, load, session_id)
    with pytest.raises(SessionClosed, match="“New Year” is closed; reopen it"):
        WRITES[write](database, club, session_id)
    assert (table.row_counts(database), ask(database, club, load, session_id)) == before


@pytest.mark.parametrize("write", WRITES)
def test_whoever_saw_an_older_state_is_told_so(
    database: Database, club: Access, write: str
) -> None:
    """Somebody else wrote meanwhile: nothing is saved, and with the newer revision it is."""
    session_id = table.start(database, club)
    table.record(database, club, session_id, table.HEARTS_74)
    before = table.row_counts(database), ask(database, club, load, session_id)
    for revision, told in (
        (1, r"meanwhile: hand 1 was recorded \(Sue, \d\d:\d\d\)\."),
        (3, r"has never been as you say that you saw it; it is at revision 2\."),
    ):
        with pytest.raises(Stale, match=told) as caught:
            WRITES[write](database, club, session_id, revision=revision)
        assert caught.value.status == 412
    assert (table.row_counts(database), ask(database, club, load, session_id)) == before
    WRITES[write](database, club, session_id, revision=2)
    assert ask(database, club, load, session_id).revision == 3


@pytest.mark.parametrize("write", WRITES)
def test_a_session_of_another_club_is_not_found(
    database: Database, ours: Access, theirs: Access, write: str
) -> None:
    """As if it were not there, for reading and for writing."""
    (foreign,) = ask(database, theirs, start.every)
    before = table.row_counts(database)
    with pytest.raises(NotFound):
        WRITES[write](database, ours, foreign.id)
    for read in (load, record.propose, session.summary, session.hands):
        with pytest.raises(NotFound):
            ask(database, ours, read, foreign.id)
    with pytest.raises(NotFound):
        lifecycle.reopen(table.write(database, ours), foreign.id)
    with pytest.raises(NotFound):
        ask(database, ours, dry(record.record), foreign.id, table.HEARTS_74)
    assert table.row_counts(database) == before


def test_a_session_is_closed_and_reopened(database: Database, club: Access) -> None:
    """The hour it closed is kept until then; reopening what is open is told."""
    session_id = table.start(database, club, title="New Year")
    assert lifecycle.close(table.write(database, club), session_id)["revision"] == 2
    closed = ask(database, club, load, session_id)
    assert not closed.is_open
    assert closed.closed_at is not None
    with pytest.raises(Stale):
        lifecycle.reopen(table.write(database, club, 1), session_id)
    answer = lifecycle.reopen(table.write(database, club, 2), session_id)
    assert answer["revision"] == 3
    reopened = ask(database, club, load, session_id)
    assert reopened.is_open
    assert reopened.closed_at is None
    with pytest.raises(Conflict, match="“New Year” is already open"):
        lifecycle.reopen(table.write(database, club), session_id)
    table.record(database, club, session_id, table.HEARTS_74)


def test_a_stale_write_speaks_of_what_was_done_and_of_no_hand(
    database: Database, club: Access
) -> None:
    """It was the rules that were changed."""
    session_id = table.start(database, club)
    change_to_unrounded(database, club, session_id)
    with pytest.raises(Stale) as caught:
        change_to_unrounded(database, club, session_id, revision=1)
    assert "meanwhile: the game or house rules were changed (Sue, " in caught.value.message
    assert "hand 1" not in caught.value.message


def test_sessions_are_listed_newest_first(database: Database, ours: Access, theirs: Access) -> None:
    """By day, then as they were started; a page at a time, one's own only."""
    (first,) = ask(database, ours, start.every)
    old = table.start(database, ours, started_on=date(2020, 1, 1), title="Old")
    second = table.start(database, ours, title="Second")
    listed = ask(database, ours, start.every)
    assert [line.id for line in listed] == [second, first.id, old]
    assert (listed[1].hands_dealt, listed[1].state, listed[2].title) == (1, "open", "Old")
    assert ask(database, ours, start.every, offset=1, limit=1) == [listed[1]]
    assert (ask(database, ours, start.count), ask(database, theirs, start.count)) == (3, 1)


def test_starting_again_with_the_same_key_starts_one_session(
    database: Database, club: Access
) -> None:
    """A retry gets the first answer; a draft that differs anywhere is refused."""
    key = table.new_key()
    draft = SessionDraft(table.FOUR, "six-bid", title="Ours")
    first = start.start(Write(database, club, key), draft)
    assert start.start(Write(database, club, key), draft) == first
    for other in (
        SessionDraft(table.FOUR, "six-bid", title="Theirs"),
        SessionDraft(table.FOUR, "six-bid", "pagat", title="Ours"),
        SessionDraft(table.FOUR[::-1], "six-bid", title="Ours"),
        SessionDraft(table.FOUR, "six-bid", title="Ours", started_on=date(2026, 1, 1)),
    ):
        with pytest.raises(KeyReused):
            start.start(Write(database, club, key), other)
    assert ask(database, club, start.count) == 1


@pytest.mark.parametrize(
    "key", ["", "short", "x" * 201, "schlüssel-1", "a key\nof two lines", "nul\0nul\0nul"]
)
def test_a_key_that_is_no_key_is_refused(database: Database, club: Access, key: str) -> None:
    """Too short to be one of a kind, too long, or no plain text."""
    with pytest.raises(Problem) as caught:
        start.start(Write(database, club, key), SessionDraft(table.FOUR, "six-bid"))
    assert [fault.code for fault in caught.value.faults] == ["bad-key"]
    assert ask(database, club, start.count) == 0
