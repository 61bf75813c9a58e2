"""The history: an evening read back as one value, compared with figures worked out by hand."""

from typing import Any

import pytest

from ledger.database.access import Role
from ledger.services.club import clubs
from ledger.services.common import texts
from ledger.services.hands import correct
from ledger.services.money.settle_up import Payment
from ledger.services.reads import session
from ledger.services.reads.summary import InMoney, SeatLine
from tests.evening.load import GAMES, Game, load
from tests.evening.load import Evening as RecordedEvening
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening


def play(club: CardClub, recorded: RecordedEvening) -> Evening:
    """Write a recorded evening as it came: hands, rules changed on the way, corrections and voids.

    The balances are compared with the recorded ones wherever the file has them.
    """
    first = recorded.hands[0]
    evening = club.start(
        recorded.players, first["game"], variant=first.get("rules"), first_dealer=first["dealer"]
    )
    changes = seen = 0
    checkpoints = {(point.after, point.changes): point.balances for point in recorded.checkpoints}

    def check(after: int) -> None:
        nonlocal seen
        if (after, changes) in checkpoints:
            seen += 1
            assert evening.balances == checkpoints[after, changes]

    for number, record in enumerate(recorded.hands, 1):
        if record.get("rules") not in (None, evening.view.variant):
            evening.play(record["game"], variant=record["rules"])
        assert evening.turn[0] == record["dealer"]
        answer = evening.record({key: value for key, value in record.items() if key != "dealer"})
        assert answer["verdict"]["deltas"] == recorded.payouts[number - 1].deltas
        check(number)
        for change in recorded.changes_due(number):
            if change.action == "void":
                evening.do(correct.void, change.hand, reason=change.reason)
            else:
                before, _, _ = evening.read(table.version_record, change.hand)
                hand = {**before, **change.record}
                evening.do(correct.correct, change.hand, hand, reason=change.reason)
            changes += 1
            check(number)
    assert seen == len(checkpoints)
    return evening


@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_evening_comes_out_as_worked_out_by_hand(
    sqlite_club: CardClub, game: Game
) -> None:
    """Every payout, every checkpoint, the final balances; and the running balances lead there."""
    recorded = load(game)
    summary = play(sqlite_club, recorded).read(session.summary)
    assert {line.name: line.balance for line in summary.standings} == recorded.final
    assert summary.hands[-1].balances == tuple(recorded.final[name] for name in summary.seats)
    assert len(summary.hands) == len(recorded.hands)
    standing = recorded.standing_payouts(len(recorded.hands), len(recorded.changes))
    running = dict.fromkeys(recorded.players, 0)
    for line in summary.hands:
        assert (line.state == "standing") == (line.number in standing)
        if line.number in standing:
            payout = standing[line.number]
            assert (line.outcome, line.amount) == (payout.outcome, payout.amount)
            assert dict(zip(summary.seats, line.deltas, strict=True)) == payout.deltas
            running = table.total(running, payout.deltas)
        assert dict(zip(summary.seats, line.balances, strict=True)) == running
    changed = {change.hand for change in recorded.changes}
    assert {line.number for line in summary.hands if line.version > 1} == changed
    left = dict(recorded.final)
    for payment in summary.payments:
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    assert set(left.values()) == {0}


def test_a_summary_says_where_when_and_by_which_rules_it_was_played(sqlite_club: CardClub) -> None:
    """House rules as plain sentences, only those in which the table differs from its variant."""
    options = {"idle_paid_on_loss": False, "hearts_in_solo": True}
    evening = sqlite_club.start(game="six-bid", variant="pagat", options=options, title="New Year")
    summary = evening.read(session.summary)
    assert (summary.club, summary.title, summary.closed) == ("Kitchen Table", "New Year", False)
    assert (summary.game_title, summary.variant_title) == ("Six-Bid Solo", "Pagat")
    assert len(summary.house_rules) == 1
    assert (summary.hands, summary.payments, summary.unit) == ((), (), "chips")
    evening.close()
    assert evening.read(session.summary).closed
    crazy = sqlite_club.start().read(session.summary)
    assert (crazy.variant_title, crazy.house_rules) == (None, ())


def test_a_hand_is_told_by_what_was_bid_and_called(sqlite_club: CardClub) -> None:
    """Bid, trump (which the bid may imply), called card, points, outcome, payout and reasoning."""
    evening = sqlite_club.start(table.SEVEN, first_dealer="Gus")
    evening.record(table.HEARTS_74)
    own_ace = {"bidder": "Cyd", "bid": "solo", "trump": "S", "called": "AS", "alone": True}
    evening.record({"contract": own_ace, "points": 50})
    hearts, alone = evening.read(session.hands)
    assert (hearts.bid_title, hearts.bidder, hearts.partner) == ("Solo in hearts", "Ann", "Bob")
    assert (hearts.alone, hearts.trump, hearts.called, hearts.points) == (False, "H", "AH", 74)
    assert (hearts.outcome, hearts.amount, hearts.dealer) == ("won", 40, "Gus")
    assert hearts.explanation[0] == "74 card points, 14 over 60"
    assert (alone.alone, alone.trump, alone.outcome, alone.partner) == (True, "S", "lost", None)
    assert (alone.state, alone.version, alone.reason, alone.previous) == ("standing", 1, None, ())


def test_a_line_tells_what_the_hand_was_judged_by(sqlite_club: CardClub) -> None:
    """Tricks in German Solo; not the others' points, nor tricks that were stated as a check only."""
    evening = sqlite_club.start(game="german-solo")
    frage = {"bidder": "Ann", "bid": "frage", "trump": "D", "called": "AH", "partner": "Bob"}
    hand = {"contract": frage, "first_tricks_won": False, "matadors": "split"}
    evening.record({**hand, "tricks_won": 5})
    evening.correct(1, {**hand, "tricks_won": 4})
    (german,) = evening.read(session.hands)
    assert (german.counted, german.points) == (((4, "trick"),), None)
    assert german.previous[0].summary == "Ann, Frage ♦ with Bob, 5 tricks, won"
    named = sqlite_club.start(("אב", "Bob", "גד", "Dee"), game="german-solo")
    named.record({**hand, "contract": {**frage, "bidder": "אב", "partner": "גד"}, "tricks_won": 5})
    named.correct(1, {**hand, "contract": {**frage, "bidder": "Dee"}, "tricks_won": 4})
    (right_to_left,) = named.read(session.hands)
    first, second = map(texts.isolate, ("אב", "גד"))
    assert right_to_left.previous[0].summary == f"{first}, Frage ♦ with {second}, 5 tricks, won"
    evening = sqlite_club.start(game="six-bid")
    solo = {"bidder": "Bob", "bid": "solo", "trump": "S"}
    evening.record({"contract": solo, "points": 74, "points_against": 46, "tricks_won": 7})
    (six,) = evening.read(session.hands)
    assert (six.counted, six.points) == (((74, "point"),), 74)


def test_equal_balances_share_a_rank_and_void_hands_count_for_nobody(sqlite_club: CardClub) -> None:
    """Best first, then by seat; bid and won count the hands that stand."""
    evening = sqlite_club.start(table.SEVEN)
    for hand in (table.HEARTS_74, table.ALONE_85, table.HEARTS_46, table.HEARTS_46):
        evening.record(hand)
    for number in (2, 3):
        evening.void(number)
    standings = evening.read(session.summary).standings
    assert standings[0] == SeatLine("Ann", 0, 1, 2, 1)
    assert {line.rank for line in standings} == {1}
    evening.correct(4, table.ALONE_85)
    standings = evening.read(session.summary).standings
    assert [(line.name, line.balance, line.rank) for line in standings] == [
        ("Cyd", 260, 1),
        ("Ann", 70, 2),
        ("Bob", 30, 3),
        *((name, -90, 4) for name in ("Dee", "Eve", "Fay", "Gus")),
    ]


def test_a_viewer_reads_the_history_with_its_payments(sqlite_club: CardClub) -> None:
    """The same as the scorer reads: Ann won 60 from each of two."""
    evening = sqlite_club.start(table.FOUR[:3])
    evening.record({**cash.ANN_WINS, "points": 90})
    key = table.viewer_key(sqlite_club.db, sqlite_club.access)
    summary = evening.read(session.summary)
    assert set(summary.payments) == {Payment("Bob", "Ann", 60), Payment("Cyd", "Ann", 60)}
    viewer, _, _ = clubs.of_link(sqlite_club.db, key)
    assert viewer.role is Role.VIEWER
    assert CardClub(sqlite_club.db, viewer).read(session.summary, evening.id) == summary


def test_a_summary_holds_what_the_evening_came_to_in_money(sqlite_club: CardClub) -> None:
    """Of this evening alone, with players who left early; none before any chip was turned into money."""

    def money(evening: Evening) -> Any:
        return evening.read(session.summary).money

    other = sqlite_club.start(table.SEVEN, rate=cash.TEN_FOR_ONE)
    other.record(table.ALONE_85)
    other.convert()
    evening = sqlite_club.start(rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    assert money(evening) is None
    assert evening.read(session.summary).unconverted
    evening.leave("Ann")
    assert money(evening) == InMoney("EUR", (0, 0, 0, 15), ())
    evening.convert()
    summary = evening.read(session.summary)
    assert summary.seats == ("Bob", "Cyd", "Dee", "Ann")
    pays = tuple(Payment(name, "Ann", 5) for name in ("Bob", "Cyd", "Dee"))
    assert summary.money == InMoney("EUR", (-5, -5, -5, 15), pays)
    assert not summary.unconverted


@pytest.mark.parametrize("stack", [0, 100])
def test_a_summary_says_after_how_many_hands_somebody_sat_down(
    sqlite_club: CardClub, stack: int
) -> None:
    """Void ones among them, with a stack or without one; a returning player began at the beginning."""
    evening = sqlite_club.start(starting_stack=stack)
    evening.record(cash.ANN_WINS)
    evening.record(cash.ANN_WINS)
    evening.void(2)
    evening.leave("Bob")
    for name in ("Zoe", "Bob"):
        evening.join(name)
    summary = evening.read(session.summary)
    after = dict(zip(summary.seats, summary.sat_down, strict=True))
    assert after == {"Ann": 0, "Bob": 0, "Cyd": 0, "Dee": 0, "Zoe": 2}
