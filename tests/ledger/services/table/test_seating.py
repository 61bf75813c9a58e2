"""An evening's changes: join late, sit out, come back, change seats, pause, close, reopen."""

from collections.abc import Callable

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.common.writing import Write
from ledger.services.hands import record
from ledger.services.session.load import load
from ledger.services.table import lifecycle, seating
from ledger.words.problems import (
    Conflict,
    Invalid,
    NotFound,
    ReadOnly,
    SessionClosed,
    SessionPaused,
    Stale,
)
from tests.ledger import cash, table
from tests.ledger.table import ask


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Ann, Bob, Cyd and Dee play Crazy Solo."""
    return table.start(database, club, table.FOUR, starting_stack=150, title="New Year")


def playing(db: Database, access: Access, session_id: int) -> str:
    """Return the initials of those the next hand is dealt to, clockwise."""
    return "".join(name[0] for name in ask(db, access, load, session_id).names)


def dealer(db: Database, access: Access, session_id: int) -> str:
    """Return who is proposed to deal."""
    return ask(db, access, record.propose, session_id).dealer


def sit_out(db: Database, access: Access, session_id: int, player: str) -> object:
    """Let somebody sit out."""
    return seating.sit_out(table.write(db, access), session_id, player=player)


def test_who_joins_late_plays_from_the_next_hand_on(
    database: Database, club: Access, tonight: int
) -> None:
    """With a stack of their own, between Bob and Cyd; the first hand keeps its four."""
    table.record(database, club, tonight, cash.ANN_WINS)
    answer = cash.join(database, club, tonight, "Eve", position=2)
    assert playing(database, club, tonight) == "ABECD"
    assert answer["balances"] == {"Ann": 300, "Bob": 100, "Eve": 150, "Cyd": 100, "Dee": 100}
    assert answer["revision"] == 3
    table.record(database, club, tonight, cash.ANN_WINS)
    assert cash.nets(database, club, tonight) == {
        "Ann": 150 + 200,
        "Bob": -100,
        "Eve": -50,
        "Cyd": -100,
        "Dee": -100,
    }
    assert cash.kinds(database, club) == ["stack", "hand", "stack", "hand"]


def test_a_newcomer_sits_last_unless_told_otherwise(
    database: Database, club: Access, tonight: int
) -> None:
    """And is entered in the club; without a stack nothing is given."""
    plain = table.start(database, club, table.FOUR)
    answer = cash.join(database, club, plain, "  Zoë ")
    assert ask(database, club, load, plain).names[-1] == "Zoë"
    joined, moved = cash.entry(database, club, answer)
    assert (joined.kind, moved) == ("joining", {})
    assert tonight != plain


def test_the_places_left_are_said_as_one_counts_them(
    database: Database, club: Access, tonight: int
) -> None:
    """Four seats, one, none: nobody is told of "1 seats", or to sit from 0 to 0."""
    for left, said in (
        (4, "There are 4 seats; the new one can be 0 to 4."),
        (1, "There is 1 seat; the new one can be 0 to 1."),
        (0, "Nobody sits here; the new seat is 0."),
    ):
        for name in table.FOUR[left:]:
            if name in ask(database, club, load, tonight).names:
                cash.leave(database, club, tonight, name)
        with pytest.raises(Invalid) as refused:
            cash.join(database, club, tonight, "Eve", position=7)
        assert refused.value.message == said


@pytest.mark.parametrize(
    ("said", "field", "code"),
    [
        ({"player": "ann"}, "player", "seated-already"),
        ({"player": ""}, "player", "name-empty"),
        ({"player": "Frog pot"}, "player", "name-reserved"),
        ({"player": "Eve", "position": 5}, "position", "no-such-place"),
        ({"player": "Eve", "position": -1}, "position", "no-such-place"),
    ],
)
def test_who_cannot_join_is_told_why(
    database: Database, club: Access, tonight: int, said: dict[str, object], field: str, code: str
) -> None:
    """At the field, and nobody is entered."""
    before = table.row_counts(database)
    with pytest.raises(Invalid) as caught:
        seating.join(table.write(database, club), tonight, **said)  # type: ignore[arg-type]
    assert [(fault.field, fault.code) for fault in caught.value.faults] == [(field, code)]
    assert table.row_counts(database) == before


def test_who_sits_out_is_dealt_no_hand_and_keeps_their_chips(
    database: Database, club: Access, tonight: int
) -> None:
    """Coming back they sit where they sat."""
    sit_out(database, club, tonight, "Bob")
    assert playing(database, club, tonight) == "ACD"
    alone = {"contract": {"bidder": "Ann", "bid": "go-alone", "trump": "S"}, "points": 85}
    answer = table.record(database, club, tonight, alone)
    assert answer["balances"] == {"Ann": 250, "Bob": 150, "Cyd": 100, "Dee": 100}
    seating.come_back(table.write(database, club), tonight, player="Bob")
    assert playing(database, club, tonight) == "ABCD"
    with pytest.raises(Conflict, match="Bob is already playing"):
        seating.come_back(table.write(database, club), tonight, player="Bob")
    sit_out(database, club, tonight, "Bob")
    with pytest.raises(Conflict, match="Bob already sits out"):
        sit_out(database, club, tonight, "Bob")


def test_the_deal_passes_over_who_sits_out_or_has_left(
    database: Database, club: Access, tonight: int
) -> None:
    """To the next one clockwise; whoever dealt is proposed before the first hand, too."""
    assert dealer(database, club, tonight) == "Ann"
    sit_out(database, club, tonight, "Ann")
    assert dealer(database, club, tonight) == "Bob"
    seating.come_back(table.write(database, club), tonight, player="Ann")
    assert dealer(database, club, tonight) == "Ann"
    table.record(database, club, tonight, cash.ANN_WINS)
    assert dealer(database, club, tonight) == "Bob"
    cash.join(database, club, tonight, "Eve")
    cash.leave(database, club, tonight, "Bob")
    assert dealer(database, club, tonight) == "Cyd"
    sit_out(database, club, tonight, "Cyd")
    assert dealer(database, club, tonight) == "Dee"


def test_whoever_deals_first_still_does_when_seats_move(database: Database, club: Access) -> None:
    """Places are numbers, dealers are people."""
    tonight = table.start(database, club, table.FOUR, first_dealer="Cyd")
    cash.join(database, club, tonight, "Eve", position=0)
    assert dealer(database, club, tonight) == "Cyd"
    order = ["Dee", "Cyd", "Eve", "Bob", "Ann"]
    seating.change_seats(table.write(database, club), tonight, order=order)
    assert ask(database, club, load, tonight).names == tuple(order)
    assert dealer(database, club, tonight) == "Cyd"
    cash.leave(database, club, tonight, "Dee")
    assert dealer(database, club, tonight) == "Cyd"
    cash.leave(database, club, tonight, "Cyd")
    assert dealer(database, club, tonight) == "Eve"


def test_seats_change_between_hands_and_old_hands_keep_theirs(
    database: Database, club: Access, tonight: int
) -> None:
    """Who sits where decides who leads; the record of the first hand stays as it was."""
    table.record(database, club, tonight, cash.ANN_WINS)
    order = ["Ann", "Dee", "Bob", "Cyd"]
    seating.change_seats(table.write(database, club), tonight, order=order)
    proposal = ask(database, club, record.propose, tonight)
    assert (proposal.dealer, proposal.lead) == ("Bob", "Cyd")
    table.record(database, club, tonight, cash.ANN_WINS)
    first, _, _ = ask(database, club, table.version_record, tonight, 1)
    second, _, _ = ask(database, club, table.version_record, tonight, 2)
    assert (first["players"], second["players"]) == (list(table.FOUR), order)
    table.correct(database, club, tonight, 1, {**cash.ANN_WINS, "points": 90})
    first, _, _ = ask(database, club, table.version_record, tonight, 1)
    assert first["players"] == list(table.FOUR)


@pytest.mark.parametrize(
    "order", [["Ann", "Bob", "Cyd"], ["Ann", "Bob", "Cyd", "Cyd"], ["Ann", "Bob", "Cyd", "Eve"]]
)
def test_a_new_order_names_everybody_once(
    database: Database, club: Access, tonight: int, order: list[str]
) -> None:
    """Those who sit out as well."""
    sit_out(database, club, tonight, "Dee")
    with pytest.raises(Invalid, match="Ann, Bob, Cyd, Dee") as caught:
        seating.change_seats(table.write(database, club), tonight, order=order)
    assert [fault.field for fault in caught.value.faults] == ["order"]


def test_a_table_that_is_too_small_says_so_before_a_hand_is_written(
    database: Database, club: Access, tonight: int
) -> None:
    """Two play no Crazy Solo; the table can stay so until somebody comes back."""
    for player in ("Ann", "Bob"):
        sit_out(database, club, tonight, player)
    for act in (
        lambda: ask(database, club, record.propose, tonight),
        lambda: table.record(database, club, tonight, cash.ANN_WINS),
    ):
        with pytest.raises(Invalid) as caught:
            act()
        assert [fault.code for fault in caught.value.faults] == ["table-size"]
    for player in ("Cyd", "Dee"):
        sit_out(database, club, tonight, player)
    with pytest.raises(Invalid):
        ask(database, club, record.propose, tonight)


def test_a_paused_session_takes_no_hand_until_it_is_resumed(
    database: Database, club: Access, tonight: int
) -> None:
    """People may come, go and borrow meanwhile."""
    answer = lifecycle.pause(table.write(database, club), tonight)
    assert answer.items() >= {"id": tonight, "revision": 2}.items()
    assert ask(database, club, load, tonight).state == "paused"
    with pytest.raises(SessionPaused, match="“New Year” is paused; resume it"):
        table.record(database, club, tonight, cash.ANN_WINS)
    with pytest.raises(Conflict, match="already paused"):
        lifecycle.pause(table.write(database, club), tonight)
    cash.join(database, club, tonight, "Eve")
    cash.lend(database, club, tonight, "Eve", 20)
    cash.leave(database, club, tonight, "Eve")
    lifecycle.resume(table.write(database, club), tonight)
    table.record(database, club, tonight, cash.ANN_WINS)
    with pytest.raises(Conflict, match="already open"):
        lifecycle.resume(table.write(database, club), tonight)


def test_closing_and_reopening_are_entries_themselves(
    database: Database, club: Access, tonight: int
) -> None:
    """Who closed it and when stands in the books; they move nothing. A paused session can be closed."""
    lifecycle.pause(table.write(database, club), tonight)
    lifecycle.close(table.write(database, club), tonight)
    lifecycle.reopen(table.write(database, club), tonight)
    assert cash.kinds(database, club) == ["stack", "pause", "closing", "reopening"]
    assert ask(database, club, load, tonight).is_open
    with pytest.raises(Conflict, match="already open"):
        lifecycle.reopen(table.write(database, club), tonight)


CHANGES: dict[str, Callable[..., object]] = {
    "joining": lambda db, access, session_id, **said: seating.join(
        table.write(db, access, **said), session_id, player="Eve"
    ),
    "sitting out": lambda db, access, session_id, **said: seating.sit_out(
        table.write(db, access, **said), session_id, player="Ann"
    ),
    "coming back": lambda db, access, session_id, **said: seating.come_back(
        table.write(db, access, **said), session_id, player="Dee"
    ),
    "new seats": lambda db, access, session_id, **said: seating.change_seats(
        table.write(db, access, **said), session_id, order=table.FOUR[::-1]
    ),
    "a pause": lambda db, access, session_id, **said: lifecycle.pause(
        table.write(db, access, **said), session_id
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_refused_where_it_cannot_be_and_done_where_it_can(
    database: Database, club: Access, tonight: int, change: str
) -> None:
    """By a viewer, in no session, by what was seen before, in a closed session: nothing is written."""
    sit_out(database, club, tonight, "Dee")
    viewer = Access(club.club_id, Role.VIEWER, "viewer")
    before = table.row_counts(database)
    with pytest.raises(ReadOnly):
        CHANGES[change](database, viewer, tonight)
    with pytest.raises(NotFound):
        CHANGES[change](database, club, 999)
    with pytest.raises(Stale):
        CHANGES[change](database, club, tonight, revision=1)
    assert table.row_counts(database) == before
    CHANGES[change](database, club, tonight, revision=2)
    assert ask(database, club, load, tonight).revision == 3
    lifecycle.close(table.write(database, club), tonight)
    with pytest.raises(SessionClosed):
        CHANGES[change](database, club, tonight)


def test_a_retried_join_seats_one(database: Database, club: Access, tonight: int) -> None:
    """The first answer again; not told that the seat is taken."""
    key = table.new_key()
    first = seating.join(Write(database, club, key), tonight, player="Eve")
    assert seating.join(Write(database, club, key), tonight, player="Eve") == first
    assert playing(database, club, tonight) == "ABCDE"
