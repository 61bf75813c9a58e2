"""An evening: started, its rules changed, closed and reopened, listed."""

from datetime import date
from typing import Any

import pytest

from ledger.runtime.clock import today
from ledger.services.reads import session
from ledger.services.session.session_filter import EVERY_SESSION
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle, start
from ledger.services.table.start import SessionDraft
from ledger.words.problems import Invalid, KeyReused, Problem, Stale
from tests.ledger import table
from tests.ledger.evenings import CardClub


def test_a_session_starts_with_a_seat_and_an_empty_account_for_each(sqlite_club: CardClub) -> None:
    """Clockwise as named; the first one deals first, unless the table chooses otherwise."""
    evening = sqlite_club.start(("Łukasz", "山田", "Ann", "Bob"), "six-bid")
    view = evening.view
    assert view.names == ("Łukasz", "山田", "Ann", "Bob")
    assert [seat.position for seat in view.seats] == [0, 1, 2, 3]
    assert {seat.balance for seat in view.seats} == {0}
    assert len({seat.account_id for seat in view.seats}) == 4
    assert (view.is_open, view.revision, view.hands_dealt) == (True, 1, 0)
    assert (view.title, view.started_on) == ("Evening 1", today())
    assert (view.game, view.variant, view.options) == ("six-bid", "hoyle", {})
    assert (view.starting_stack, view.rate) == (0, None)
    assert evening.turn[0] == "Łukasz"


def test_a_session_is_started_as_the_table_says(sqlite_club: CardClub) -> None:
    """Title, day, variant, house rules, first dealer, stack and rate."""
    evening = sqlite_club.start(
        game="six-bid",
        variant="pagat",
        options={"idle_paid_on_loss": False},
        title="  New   Year ",
        started_on=date(2026, 1, 1),
        first_dealer="dee",
        starting_stack=150,
        rate=Rate(10, 1),
    )
    view = evening.view
    assert (view.title, view.started_on) == ("New Year", date(2026, 1, 1))
    assert (view.variant, view.options) == ("pagat", {"idle_paid_on_loss": False})
    assert (view.starting_stack, view.rate) == (150, Rate(10, 1))
    assert evening.turn == ("Dee", "Ann")


@pytest.mark.parametrize(
    ("draft", "field", "code"),
    [
        ({"players": ("Ann", "Bob", "Cyd"), "game": "bridge"}, "game", "unknown-game"),
        ({"players": ("Ann", "Bob")}, "players", "table-size"),
        ({"players": tuple("ABCDEFGH"), "game": "six-bid"}, "players", "table-size"),
        ({"game": "six-bid", "variant": "vienna"}, "rules", "unknown-variant"),
        ({"options": {"rounding": 7}}, "options.rounding", None),
        ({"options": {"moon": True}}, "options.moon", None),
        ({"players": ("Ann", "Bob", "ann")}, "players.2", "player-twice"),
        ({"players": ("Ann", "Bob", "")}, "players.2", "name-empty"),
        ({"players": ("Ann", "spit", "Bob")}, "players.1", "name-reserved"),
        ({"first_dealer": "Zed"}, "first_dealer", "dealer-not-seated"),
        ({"title": "<b>"}, "title", "name-has-brackets"),
        ({"starting_stack": -1}, "starting_stack", None),
        ({"starting_stack": 10**9 + 1}, "starting_stack", None),
        ({"rate": Rate(0, 1)}, "rate.chips", None),
        ({"rate": Rate(10, -1)}, "rate.money", None),
        ({"game": "german-solo", "rate": Rate(10, 1)}, "rate", "scores-not-chips"),
        ({"game": "german-solo", "starting_stack": 150}, "starting_stack", "scores-not-chips"),
    ],
)
def test_an_invalid_session_is_refused_at_the_field(
    sqlite_club: CardClub, draft: dict[str, Any], field: str, code: str | None
) -> None:
    """And nothing is written, nobody entered as a player."""
    with sqlite_club.refuses(Invalid, at=field, code=code) as caught:
        sqlite_club.do(
            start.start, SessionDraft(**{"players": table.FOUR, "game": "crazy-solo"} | draft)
        )
    if code == "scores-not-chips":
        assert "German Solo is played for scores, not for chips" in caught.value.message


def test_rules_change_from_the_next_hand_on(sqlite_club: CardClub) -> None:
    """From Crazy Solo to Six-Bid after pagat: old hands keep their rules."""
    evening = sqlite_club.start(options={"rounding": 0})
    alone = {"contract": {"bidder": "Ann", "bid": "go-alone", "trump": "S"}, "points": 66}
    evening.record(alone)
    paid = {"Ann": 36, "Bob": -12, "Cyd": -12, "Dee": -12}
    assert evening.balances == paid
    answer = evening.play("six-bid", variant="pagat")
    assert (answer["id"], answer["revision"]) == (evening.id, 3)
    assert evening.balances == paid
    # The dealer moves on as the last hand states: Bob led, so Bob deals and is the king.
    evening.record({"contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 66})
    first, second = evening.read(session.hands)
    assert (first.game_title, second.game_title) == ("Crazy Solo", "Six-Bid Solo")
    assert (second.dealer, second.deltas) == ("Bob", (24, 0, -12, -12))
    # A correction of the first hand is still scored unrounded, as it was played.
    answer = evening.correct(1, {**alone, "points": 67})
    assert answer["balances"] == {"Ann": 42 + 24, "Bob": -14, "Cyd": -26, "Dee": -26}


def test_rules_that_cannot_be_are_refused_and_the_old_ones_stay(sqlite_club: CardClub) -> None:
    """Eight at the table play no Six-Bid."""
    evening = sqlite_club.start(tuple("ABCDEFGH"))
    with sqlite_club.refuses(Invalid, code="table-size"):
        evening.play("six-bid")
    assert (evening.view.game, evening.view.revision) == ("crazy-solo", 1)


def test_a_session_is_closed_and_reopened(sqlite_club: CardClub) -> None:
    """The hour at which it was closed is known until then."""
    evening = sqlite_club.start()
    assert evening.close()["revision"] == 2
    assert evening.view.closed_at is not None
    with sqlite_club.refuses(Stale):
        lifecycle.reopen(sqlite_club.write(1), evening.id)
    assert lifecycle.reopen(sqlite_club.write(2), evening.id)["revision"] == 3
    assert evening.view.is_open
    assert evening.view.closed_at is None


def test_a_stale_write_speaks_of_what_was_done_and_of_no_hand(sqlite_club: CardClub) -> None:
    """It was the rules that were changed."""
    evening = sqlite_club.start()
    evening.play("crazy-solo", options={"rounding": 0})
    with sqlite_club.refuses(Stale) as caught:
        lifecycle.close(sqlite_club.write(1), evening.id)
    assert "meanwhile: the game or house rules were changed (Sue, " in caught.value.message
    assert "hand 1" not in caught.value.message


def test_sessions_are_listed_newest_first(our_club: CardClub, their_club: CardClub) -> None:
    """By day, then as they were started; a page at a time, one's own only."""
    (first,) = our_club.read(start.list_all)
    old = our_club.start(started_on=date(2020, 1, 1), title="Old")
    second = our_club.start(title="Second")
    listed = our_club.read(start.list_all)
    assert [line.id for line in listed] == [second.id, first.id, old.id]
    assert (listed[1].hands_dealt, listed[1].state, listed[2].title) == (1, "open", "Old")
    assert our_club.read(start.list_all, offset=1, limit=1) == [listed[1]]
    assert (our_club.read(EVERY_SESSION.count), their_club.read(EVERY_SESSION.count)) == (3, 1)


def test_starting_again_with_the_same_key_starts_one_session(sqlite_club: CardClub) -> None:
    """A retry gets the first answer; a draft that differs anywhere is refused."""
    write = sqlite_club.write()
    draft = SessionDraft(table.FOUR, "six-bid", title="Ours")
    answer = start.start(write, draft)
    assert start.start(write, draft) == answer
    for other in (
        SessionDraft(table.FOUR, "six-bid", title="Theirs"),
        SessionDraft(table.FOUR, "six-bid", "pagat", title="Ours"),
        SessionDraft(table.FOUR[::-1], "six-bid", title="Ours"),
        SessionDraft(table.FOUR, "six-bid", title="Ours", started_on=date(2026, 1, 1)),
    ):
        with sqlite_club.refuses(KeyReused):
            start.start(write, other)


@pytest.mark.parametrize(
    "key", ["", "short", "x" * 201, "schlüssel-1", "a key\nof two lines", "nul\0nul\0nul"]
)
def test_an_invalid_key_is_refused(sqlite_club: CardClub, key: str) -> None:
    """Too short to be one of a kind, too long, or no plain text."""
    with sqlite_club.refuses(Problem, code="bad-key"):
        start.start(sqlite_club.write(key=key), SessionDraft(table.FOUR, "six-bid"))
