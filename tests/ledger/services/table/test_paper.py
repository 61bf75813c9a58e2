"""Evenings scored on paper: entered in one write, counted in every total, corrected and deleted."""

from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from ledger.books.balances import CHIPS
from ledger.runtime.clock import now, today
from ledger.services.audit import verify
from ledger.services.money import payments
from ledger.services.reads import (
    club_statistics,
    evening_sums,
    head_to_head,
    ratings,
    records,
    sessions,
    statistics,
)
from ledger.services.reads.player_sums import player_sums
from ledger.services.session.load import load
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle, paper
from ledger.services.table.lifecycle import ScoredOnPaper
from ledger.services.table.paper import NotOnPaper, PaperEvening, SameEvening
from ledger.words.problems import Invalid, NotFound, SessionClosed, Stale
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub

MAY = date(2026, 5, 7)
WON = {"Ann": 40, "Bob": -30, "Cyd": -10}
MAY_ONLY = SessionFilter(MAY.replace(day=1), MAY.replace(day=31))
IN_MAY = PaperEvening("crazy-solo", WON, MAY)


def _totals(club: CardClub, chosen: SessionFilter = EVERY_SESSION) -> dict[str, int]:
    """Return each player's total in chips, by the club's statistics."""
    units = club.read(club_statistics.of_club, chosen).units
    return {
        line.name: line.total for unit in units if unit.unit == CHIPS for line in unit.standings
    }


def test_an_evening_on_paper_is_closed_and_counts_in_every_total(any_club: CardClub) -> None:
    """On both databases, with a played evening of the same club."""
    club = any_club
    played = club.start()
    played.record(cash.ANN_WINS)
    before = _totals(club)
    entered = club.do(paper.enter, IN_MAY)
    view = club.read(load, entered["id"])
    assert (view.on_paper, view.state, view.hands_dealt, view.started_on) == (
        True,
        "closed",
        0,
        MAY,
    )
    assert {seat.name: seat.net for seat in view.seats} == WON
    assert _totals(club) == {name: won + WON.get(name, 0) for name, won in before.items()}
    assert _totals(club, SessionFilter(MAY, MAY)) == WON
    newest, oldest = club.read(sessions.of_club)
    assert (newest.on_paper, oldest.on_paper, oldest.winners) == (False, True, ("Ann",))
    ann = club.read(statistics.of_player, 1)
    assert (ann.played.total, ann.played.on_paper, ann.played.hands) == (before["Ann"] + 40, 40, 1)
    assert ann.played.average == before["Ann"]
    assert club.read(player_sums, 1).chips == before["Ann"] + 40
    assert [(each.won, each.total, each.on_paper) for each in ann.evenings] == [
        (before["Ann"], before["Ann"] + 40, False),
        (40, 40, True),
    ]
    assert ann.sessions == 2
    assert ann.best
    assert ann.best.session_id == played.id
    assert club.read(head_to_head.head_to_head, SessionFilter(MAY, MAY)) == []
    club.must_verify()


def test_an_evening_on_paper_counts_in_the_ratings_and_records_of_its_game(
    any_club: CardClub,
) -> None:
    """In the order of its day among played ones; nothing that needs a hand has it."""
    club = any_club
    for day, won in ((1, 40), (20, 70)):
        evening = PaperEvening("crazy-solo", {"Ann": won, "Bob": -won}, MAY.replace(day=day))
        club.do(paper.enter, evening)
    club.start(table.SEVEN, started_on=MAY).record(table.HEARTS_74)
    club.do(paper.enter, PaperEvening("frog", {"Ann": -900, "Bob": 900}, MAY))
    crazy, frog = club.read(ratings.of_club)
    ann = crazy.players[0]
    assert (crazy.game, crazy.evenings, frog.game, frog.evenings) == ("crazy-solo", 3, "frog", 1)
    assert (ann.name, ann.evenings, ann.hands, ann.total) == ("Ann", 3, 1, 120 + 40 + 70)
    assert [
        each.decisive[1] for each in club.read(evening_sums.of_game, "crazy-solo", MAY_ONLY)
    ] == [*(40, 120, 70)]
    latest = club.read(evening_sums.of_game, "crazy-solo", EVERY_SESSION, 2)
    assert [each.started_on.day for each in latest] == [7, 20]
    rows = club.read(records.of_club, SessionFilter(game="crazy-solo"))
    assert {row.kind: (row.amount, row.players) for row in rows} == {
        "best-hand": (120, ("Ann",)),
        "worst-hand": (rows[1].amount, rows[1].players),
        "best-evening": (120, ("Ann",)),
        "worst-evening": (-70, ("Bob",)),
        "evenings-won": (3, ("Ann",)),
        "evenings-won-in-a-row": (3, ("Ann",)),
        "evenings-ahead-in-a-row": (3, ("Ann",)),
        "bids-made": (1, ("Ann",)),
        "most-hands": (1, ()),
    }


def test_entries_keep_the_time_of_writing_and_the_day_of_the_evening(sqlite_club: CardClub) -> None:
    """An old score book is entered today."""
    start = now()
    entry, _ = sqlite_club.entry(sqlite_club.do(paper.enter, IN_MAY))
    assert entry.entered_at >= start
    assert entry.occurred_at.astimezone().date() == MAY


def test_chips_with_a_rate_become_money(sqlite_club: CardClub) -> None:
    """Ten chips to a cent; the settle-up has it."""
    club = sqlite_club
    evening = PaperEvening("frog", {"Ann": 35, "Bob": -30, "Cyd": -5}, MAY, rate=Rate(10, 1))
    club.do(paper.enter, evening)
    (listed,) = club.read(sessions.of_club)
    money = {seat.player: seat.money for seat in listed.seats}
    assert sum(money.values()) == 0
    assert money["Ann"] in {3, 4}
    assert not listed.unconverted
    assert club.read(payments.settle_up).payments
    club.must_verify()


@pytest.mark.parametrize(("rate", "chips"), [(None, 250), (Rate(10, 5), 500), (Rate(1, 10), 25)])
def test_money_becomes_exactly_that_money(
    sqlite_club: CardClub, rate: Rate | None, chips: int
) -> None:
    """Chips are the smallest parts of the currency, or the stated rate's."""
    evening = PaperEvening("frog", {"Ann": 250, "Bob": -250}, MAY, in_money=True, rate=rate)
    sqlite_club.do(paper.enter, evening)
    (listed,) = sqlite_club.read(sessions.of_club)
    assert {seat.player: seat.money for seat in listed.seats} == {"Ann": 250, "Bob": -250}
    assert _totals(sqlite_club) == {"Ann": chips, "Bob": -chips}
    sqlite_club.must_verify()


@pytest.mark.parametrize(
    ("evening", "field", "code"),
    [
        (PaperEvening("frog", {"Ann": 40, "Bob": -10}), "won", "does-not-add-up"),
        (PaperEvening("frog", {"Ann": 0}), "won", "players-out-of-range"),
        (PaperEvening("frog", {f"P{n}": 0 for n in range(25)}), "won", "players-out-of-range"),
        (PaperEvening("frog", {"Ann": 10**10, "Bob": -(10**10)}), "won.Ann", "chips-out-of-range"),
        (PaperEvening("frog", {"Ann": 0, "Bob": 0}), "won", "nothing-won"),
        (PaperEvening("frog", {"Ann": 1, " ann ": -1}), "won. ann ", "player-twice"),
        (PaperEvening("frog", {"Ann": 1, "": -1}), "won.", "name-empty"),
        (PaperEvening("german-solo", {"Ann": 1, "Bob": -1}), "game", "scores-not-chips"),
        (PaperEvening("whist", {"Ann": 1, "Bob": -1}), "game", "unknown-game"),
        (
            PaperEvening("frog", WON, today() + timedelta(days=9)),
            "started_on",
            "time-out-of-bounds",
        ),
        (PaperEvening("frog", WON, rate=Rate(0, 5)), "rate.chips", "rate-out-of-range"),
        (
            PaperEvening("frog", {"Ann": 3, "Bob": -3}, in_money=True, rate=Rate(1, 2)),
            "won.Ann",
            "no-whole-chips",
        ),
    ],
)
def test_a_wrong_evening_is_refused_at_its_field(
    sqlite_club: CardClub, evening: PaperEvening, field: str, code: str
) -> None:
    """Nothing of it is saved."""
    with sqlite_club.refuses(Invalid) as refused:
        sqlite_club.do(paper.enter, evening)
    assert [(fault.field, fault.code) for fault in refused.value.faults] == [(field, code)]
    assert sqlite_club.read(sessions.of_club) == []


def test_the_same_evening_is_entered_once(sqlite_club: CardClub) -> None:
    """Two scorers with the same sheet; another title makes it another evening."""
    club = sqlite_club
    club.do(paper.enter, IN_MAY)
    again = PaperEvening("crazy-solo", {"cyd": -10, "BOB": -30, "ann": 40}, MAY)
    with club.refuses(SameEvening, "in the club already"):
        club.do(paper.enter, again)
    club.do(paper.enter, PaperEvening("crazy-solo", WON, MAY, title="Second round"))
    assert len(club.read(sessions.of_club)) == 2


def test_importing_a_file_twice_adds_nothing(any_club: CardClub) -> None:
    """Even after one of its evenings was corrected and another got the day of a third."""
    club = any_club
    evenings = [PaperEvening("frog", WON, MAY + timedelta(days=n)) for n in range(3)]
    added = club.do(paper.enter_all, evenings)["added"]
    club.do(paper.correct, added[0], PaperEvening("frog", {"Ann": 5, "Bob": -5}, date(2020, 1, 1)))
    assert club.do(paper.enter_all, evenings) == {"added": [], "known": 3}
    club.must_verify()


def test_an_import_with_a_wrong_evening_adds_none(sqlite_club: CardClub) -> None:
    """All or nothing."""
    with sqlite_club.refuses(Invalid):
        sqlite_club.do(paper.enter_all, [IN_MAY, PaperEvening("frog", {"Ann": 1, "Bob": 1}, MAY)])
    assert sqlite_club.read(sessions.of_club) == []


def test_an_import_of_too_many_evenings_is_refused(
    sqlite_club: CardClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One more is refused before any is entered."""
    monkeypatch.setattr(paper, "MOST_EVENINGS", 2)
    evenings = [PaperEvening("frog", WON, MAY + timedelta(days=n)) for n in range(3)]
    with sqlite_club.refuses(Invalid, "at most 2 evenings"):
        sqlite_club.do(paper.enter_all, evenings)
    assert len(sqlite_club.do(paper.enter_all, evenings[:2])["added"]) == 2


@pytest.mark.parametrize("rate", [None, Rate(10, 1)])
def test_a_corrected_evening_replaces_the_wrong_one(any_club: CardClub, rate: Rate | None) -> None:
    """It keeps its title; the wrong one counts nowhere and is in no list."""
    club = any_club
    wrong = club.do(paper.enter, PaperEvening("frog", WON, MAY, rate=rate))
    title = club.read(load, wrong["id"]).title
    right = PaperEvening("frog", {"Ann": -7, "Dee": 7}, MAY, rate=rate)
    now_at = club.do(paper.correct, wrong["id"], right, reason="Dee played, not Bob")
    (listed,) = club.read(sessions.of_club)
    assert (listed.session_id, listed.title) == (now_at["id"], title)
    assert {seat.player: seat.won for seat in listed.seats} == right.won
    assert {name: total for name, total in _totals(club).items() if total} == right.won
    assert club.read(paper.show, now_at["id"]).won == right.won
    with pytest.raises(NotFound):
        club.read(load, wrong["id"])
    club.must_verify()


def test_a_correction_keeps_the_day_and_variant_that_it_leaves_out(sqlite_club: CardClub) -> None:
    """The same evening of today is another one; another game has its own first variant."""
    club = sqlite_club
    wrong = club.do(paper.enter, PaperEvening("six-bid", WON, MAY, "pagat", "The finals"))
    right = PaperEvening("six-bid", {"Ann": -7, "Dee": 7})
    corrected = club.do(paper.correct, wrong["id"], right)
    kept = club.read(paper.show, corrected["id"])
    assert (kept.started_on, kept.variant, kept.title) == (MAY, "pagat", "The finals")
    club.do(paper.enter, right)
    other = PaperEvening("crazy-solo", WON)
    kept = club.read(paper.show, club.do(paper.correct, corrected["id"], other)["id"])
    assert (kept.started_on, kept.game) == (MAY, "crazy-solo")


@pytest.mark.parametrize("rate", [None, Rate(10, 1)])
def test_a_deleted_evening_counts_nowhere_and_can_be_entered_again(
    any_club: CardClub, rate: Rate | None
) -> None:
    """Chips and money are as before it."""
    club = any_club
    evening = PaperEvening("frog", WON, MAY, rate=rate)
    entered = club.do(paper.enter, evening)
    club.do(lifecycle.delete, entered["id"])
    assert set(club.accounts.values()) == {0}
    assert _totals(club) == {}
    assert club.read(player_sums, 1).chips == 0
    club.must_verify()
    club.do(paper.enter, evening)
    club.must_verify()


def test_an_evening_on_paper_takes_no_other_write(sqlite_club: CardClub) -> None:
    """It can't be reopened, so neither hands nor chips can be entered."""
    club = sqlite_club
    entered = club.evening(club.do(paper.enter, IN_MAY)["id"])
    with club.refuses(ScoredOnPaper, "was scored on paper"):
        entered.do(lifecycle.reopen)
    with club.refuses(SessionClosed):
        entered.lend("Ann", 5)
    played = club.start()
    with club.refuses(NotOnPaper):
        club.do(paper.correct, played.id, IN_MAY)


def test_who_corrects_has_seen_the_evening_as_it_is(sqlite_club: CardClub) -> None:
    """Somebody may have renamed it."""
    entered = sqlite_club.do(paper.enter, IN_MAY)
    sqlite_club.do(lifecycle.rename, entered["id"], title="May")
    with sqlite_club.refuses(Stale):
        paper.correct(sqlite_club.write(entered["revision"]), entered["id"], IN_MAY)


@pytest.mark.parametrize("is_removed", [False, True])
def test_verify_reports_a_mark_that_was_taken_away(any_club: CardClub, is_removed: bool) -> None:
    """So that nobody can turn a played evening into one on paper, or hide one."""
    club = any_club
    entered = club.do(paper.enter, IN_MAY)
    if is_removed:
        club.do(lifecycle.delete, entered["id"])
    with club.db.engine.begin() as connection:
        connection.execute(text("UPDATE play_session SET on_paper = FALSE"))
    (difference,) = verify(club.db)
    assert "play_session 1: its on_paper is" in str(difference)


_AMOUNTS = st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=8)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_AMOUNTS, st.integers(1, 1000), st.integers(1, 1000))
def test_amounts_are_saved_if_and_only_if_they_add_up_to_zero(
    sqlite_club: CardClub, amounts: list[int], chips: int, money: int
) -> None:
    """At any rate the money adds up to zero, too."""
    club = sqlite_club
    won = {f"P{place}": amount for place, amount in enumerate(amounts)}
    evening = PaperEvening("frog", won, MAY, rate=Rate(chips, money))
    if sum(amounts):
        with club.refuses(Invalid, "add up to 0"):
            club.do(paper.enter, evening)
        won["Last"] = -sum(amounts)
    if any(amounts) and abs(won.get("Last", 0)) <= 10**9:
        club.do(paper.enter_all, [evening])
        listed = club.read(sessions.of_club)[0]
        assert sum(seat.money for seat in listed.seats) == 0
        assert {seat.player: seat.won for seat in listed.seats} == won
        club.do(lifecycle.delete, listed.session_id)
        assert set(club.accounts.values()) == {0}
