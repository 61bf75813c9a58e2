"""The history: an evening read back as one value, held against figures worked out by hand."""

from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.club import clubs
from ledger.services.hands import correct
from ledger.services.hands import record as hands_record
from ledger.services.money.settle_up import Payment
from ledger.services.reads import session
from ledger.services.reads.summary import InMoney, SeatLine
from ledger.services.session.load import load as load_session
from ledger.services.table import lifecycle, start
from ledger.words.problems import NotFound
from tests.evening.load import GAMES, Evening, Game, load
from tests.ledger import cash, table
from tests.ledger.table import ask


def play(database: Database, access: Access, evening: Evening) -> int:
    """Write a recorded evening as it came: hands, rules changed on the way, corrections and voids.

    The balances are held against the recorded ones wherever the file has them.
    """
    first = evening.hands[0]
    session_id = table.start(
        database,
        access,
        evening.players,
        first["game"],
        variant=first.get("rules"),
        first_dealer=first["dealer"],
        title="As recorded",
    )
    changes = 0
    checkpoints = {(point.after, point.changes): point.balances for point in evening.checkpoints}
    seen = 0

    def check(after: int) -> None:
        nonlocal seen
        if (after, changes) in checkpoints:
            seen += 1
            assert table.balances(database, access, session_id) == checkpoints[after, changes]

    for number, record in enumerate(evening.hands, 1):
        view = ask(database, access, load_session, session_id)
        if record.get("rules") not in (None, view.variant):
            change_variant(database, access, session_id, record)
        assert ask(database, access, hands_record.propose, session_id).dealer == record["dealer"]
        said = {key: value for key, value in record.items() if key != "dealer"}
        answer = table.record(database, access, session_id, said)
        assert answer["verdict"]["deltas"] == evening.payouts[number - 1].deltas
        check(number)
        for change in evening.changes_due(number):
            write_change(database, access, session_id, change)
            changes += 1
            check(number)
    assert seen == len(checkpoints)
    return session_id


def change_variant(database: Database, access: Access, session_id: int, record: Any) -> None:
    """Go on after the other tariff."""
    start.change_rules(
        table.write(database, access),
        session_id,
        game=record["game"],
        variant=record["rules"],
        options=record.get("options", {}),
    )


def write_change(database: Database, access: Access, session_id: int, change: Any) -> None:
    """Correct or void a hand as the file says."""
    if change.action == "void":
        correct.void(table.write(database, access), session_id, change.hand, reason=change.reason)
        return
    record, _, _ = ask(database, access, table.version_record, session_id, change.hand)
    said = {**record, **change.record}
    correct.correct(
        table.write(database, access),
        session_id,
        change.hand,
        said,
        reason=change.reason,
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_evening_comes_out_as_worked_out_by_hand(
    database: Database, club: Access, game: Game
) -> None:
    """Every payout, every checkpoint, the final balances; and the running balances lead there."""
    evening = load(game)
    session_id = play(database, club, evening)
    summary = ask(database, club, session.summary, session_id)
    assert {line.name: line.balance for line in summary.standings} == evening.final
    assert summary.hands[-1].balances == tuple(evening.final[name] for name in summary.seats)
    assert len(summary.hands) == len(evening.hands)
    standing = evening.standing_payouts(len(evening.hands), len(evening.changes))
    running = dict.fromkeys(evening.players, 0)
    for line in summary.hands:
        assert (line.state == "standing") == (line.number in standing)
        if line.number in standing:
            payout = standing[line.number]
            assert (line.outcome, line.amount) == (payout.outcome, payout.amount)
            assert dict(zip(summary.seats, line.deltas, strict=True)) == payout.deltas
            running = {name: running[name] + payout.deltas[name] for name in running}
        assert dict(zip(summary.seats, line.balances, strict=True)) == running
    changed = {change.hand for change in evening.changes}
    assert {line.number for line in summary.hands if line.version > 1} == changed
    left = dict(evening.final)
    for payment in summary.payments:
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    assert set(left.values()) == {0}


def test_a_summary_says_where_when_and_by_which_rules_it_was_played(
    database: Database, club: Access
) -> None:
    """House rules as plain sentences, only those in which the table differs from its variant."""
    session_id = table.start(
        database,
        club,
        table.FOUR,
        "six-bid",
        variant="pagat",
        options={"idle_paid_on_loss": False, "hearts_in_solo": True},
        title="New Year",
    )
    summary = ask(database, club, session.summary, session_id)
    assert (summary.club, summary.title, summary.closed) == ("Kitchen Table", "New Year", False)
    assert (summary.game_title, summary.variant_title) == ("Six-Bid Solo", "Pagat")
    assert len(summary.house_rules) == 1
    assert (summary.hands, summary.payments, summary.unit) == ((), (), "chips")
    lifecycle.close(table.write(database, club), session_id)
    assert ask(database, club, session.summary, session_id).closed
    crazy = ask(database, club, session.summary, table.start(database, club))
    assert (crazy.variant_title, crazy.house_rules) == (None, ())


def test_a_hand_is_told_by_what_was_bid_and_called(database: Database, club: Access) -> None:
    """Bid, trump (which the bid may say), called card, points, outcome, payout and reasoning."""
    session_id = table.start(database, club, first_dealer="Gus")
    table.record(database, club, session_id, table.HEARTS_74)
    table.record(
        database,
        club,
        session_id,
        {
            "contract": {"bidder": "Cyd", "bid": "solo", "trump": "S", "called": "AS", "alone": True},
            "points": 50,
        },
    )  # fmt: skip
    hearts, alone = ask(database, club, session.hands, session_id)
    assert (hearts.bid_title, hearts.bidder, hearts.partner, hearts.alone) == (
        "Solo in hearts",
        "Ann",
        "Bob",
        False,
    )
    assert (hearts.trump, hearts.called, hearts.points) == ("H", "AH", 74)
    assert (hearts.outcome, hearts.amount, hearts.dealer) == ("won", 40, "Gus")
    assert hearts.explanation[0] == "74 card points, 14 over 60"
    assert (alone.alone, alone.trump, alone.outcome, alone.partner) == (True, "S", "lost", None)
    assert (alone.state, alone.version, alone.reason, alone.previous) == ("standing", 1, None, ())


def test_a_line_tells_what_the_hand_was_judged_by(database: Database, club: Access) -> None:
    """Tricks in German Solo; not the others' points, nor tricks that were stated as a check only."""
    session_id = table.start(database, club, table.FOUR, "german-solo")
    frage = {"bidder": "Ann", "bid": "frage", "trump": "D", "called": "AH", "partner": "Bob"}
    counts = {"tricks_won": 5, "first_tricks_won": False, "matadors": "split"}
    table.record(database, club, session_id, {"contract": frage, **counts})
    table.correct(database, club, session_id, 1, {"contract": frage, **counts, "tricks_won": 4})
    (german,) = ask(database, club, session.hands, session_id)
    assert (german.counted, german.points) == (((4, "trick"),), None)
    assert german.previous[0].summary == "Ann, Frage ♦ with Bob, 5 tricks, won"
    checked = table.start(database, club, table.FOUR, "six-bid")
    solo = {"bidder": "Bob", "bid": "solo", "trump": "S"}
    counts = {"points": 74, "points_against": 46, "tricks_won": 7}
    table.record(database, club, checked, {"contract": solo, **counts})
    (six,) = ask(database, club, session.hands, checked)
    assert (six.counted, six.points) == (((74, "point"),), 74)


def test_equal_balances_share_a_rank_and_void_hands_count_for_nobody(
    database: Database, club: Access
) -> None:
    """Best first, then by seat; bid and won count the hands that stand."""
    session_id = table.start(database, club)
    table.record(database, club, session_id, table.HEARTS_74)
    table.record(database, club, session_id, table.ALONE_85)
    table.record(database, club, session_id, table.HEARTS_46)
    table.record(database, club, session_id, table.HEARTS_46)
    for number in (2, 3):
        table.void(database, club, session_id, number)
    standings = ask(database, club, session.summary, session_id).standings
    assert standings[0] == SeatLine("Ann", 0, 1, 2, 1)
    assert {line.rank for line in standings} == {1}
    table.correct(database, club, session_id, 4, table.ALONE_85)
    standings = ask(database, club, session.summary, session_id).standings
    assert [(line.name, line.balance, line.rank) for line in standings] == [
        ("Cyd", 260, 1),
        ("Ann", 70, 2),
        ("Bob", 30, 3),
        *((name, -90, 4) for name in ("Dee", "Eve", "Fay", "Gus")),
    ]


def test_the_payments_name_the_players(database: Database, club: Access) -> None:
    """Three at the table: Ann won 60 from each of the others."""
    session_id = table.start(database, club, ("Ann", "Bob", "Cyd"))
    hand = {"contract": {"bidder": "Ann", "bid": "go-alone", "trump": "S"}, "points": 90}
    table.record(database, club, session_id, hand)
    payments = ask(database, club, session.summary, session_id).payments
    assert sorted(payments, key=lambda payment: payment.payer) == [
        Payment("Bob", "Ann", 60),
        Payment("Cyd", "Ann", 60),
    ]


def test_a_viewer_reads_the_history(database: Database, club: Access) -> None:
    """The same as the scorer reads."""
    session_id = table.start(database, club)
    table.record(database, club, session_id, table.HEARTS_74)
    viewer, _, _ = clubs.of_link(database, table.viewer_key(database, club))
    assert viewer.role is Role.VIEWER
    assert ask(database, viewer, session.summary, session_id) == ask(
        database, club, session.summary, session_id
    )


def test_a_hand_that_was_never_dealt_has_no_history(database: Database, club: Access) -> None:
    """The answer says how many there are."""
    session_id = table.start(database, club, title="New Year")
    with pytest.raises(
        NotFound, match="no hand 1 in “New Year”; no hand has been recorded there yet"
    ):
        ask(database, club, table.version_record, session_id, 1)


def test_a_summary_holds_what_the_evening_came_to_in_money(
    database: Database, club: Access
) -> None:
    """Of this evening alone, whoever left early among them; none before any chip was turned into money."""
    other = table.start(database, club, rate=cash.TEN_FOR_ONE)
    table.record(database, club, other, table.ALONE_85)
    cash.convert(database, club, other)
    played = table.start(database, club, table.FOUR, rate=cash.TEN_FOR_ONE)
    table.record(database, club, played, cash.ANN_WINS)
    assert ask(database, club, session.summary, played).money is None
    assert ask(database, club, session.summary, played).unconverted
    cash.leave(database, club, played, "Ann")
    assert ask(database, club, session.summary, played).money == InMoney("EUR", (0, 0, 0, 15), ())
    cash.convert(database, club, played)
    said = ask(database, club, session.summary, played)
    assert said.seats == ("Bob", "Cyd", "Dee", "Ann")
    pays = tuple(Payment(name, "Ann", 5) for name in ("Bob", "Cyd", "Dee"))
    assert said.money == InMoney("EUR", (-5, -5, -5, 15), pays)
    assert not said.unconverted


def test_a_summary_says_after_how_many_hands_somebody_sat_down(
    database: Database, club: Access
) -> None:
    """Void ones among them, with a stack or without one; who leaves and comes back began at the beginning."""
    for stack in (0, 100):
        played = table.start(database, club, table.FOUR, starting_stack=stack)
        table.record(database, club, played, cash.ANN_WINS)
        table.record(database, club, played, cash.ANN_WINS)
        table.void(database, club, played, 2)
        cash.leave(database, club, played, "Bob")
        for name in ("Zoe", "Bob"):
            cash.join(database, club, played, name)
        said = ask(database, club, session.summary, played)
        after = dict(zip(said.seats, said.sat_down, strict=True))
        assert after == {"Ann": 0, "Bob": 0, "Cyd": 0, "Dee": 0, "Zoe": 2}
