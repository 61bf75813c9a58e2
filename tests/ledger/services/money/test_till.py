"""Tills that are not empty: who left for money is owed by nobody until the others' chips are money."""

from ledger.services.money import payments
from ledger.services.money.till import Owed, TillNotEmpty, Unfinished
from ledger.services.session.view import Rate
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening


def left_for_money(club: CardClub, player: str, title: str, points: int = 85) -> Evening:
    """Ann wins 300 of six others, or loses them, at fifty chips to a cent; then ``player`` leaves."""
    evening = club.start(table.SEVEN, rate=Rate(50, 1), title=title)
    evening.record({**cash.ANN_WINS, "points": points})
    evening.leave(player)
    return evening


def test_a_session_that_was_left_for_money_names_itself(sqlite_club: CardClub) -> None:
    """With what to do before it is closed."""
    evening = left_for_money(sqlite_club, "Ann", "Friday")
    with sqlite_club.refuses(TillNotEmpty, r"left “Friday” for money.*Cash in the chips"):
        evening.close()


def test_two_tills_that_cancel_leave_nobody_even(any_club: CardClub) -> None:
    """Bob owes 1 on Friday; on Monday Cyd is owed 1: both are named, and no payment is proposed."""
    friday = left_for_money(any_club, "Bob", "Friday")
    monday = left_for_money(any_club, "Cyd", "Monday", points=35)
    assert friday.account("till") == -monday.account("till") == 1
    due = any_club.read(payments.settle_up)
    assert due.payments == ()
    assert due.unfinished == (
        Unfinished(friday.id, "Friday", "open", (Owed("Bob", -1),)),
        Unfinished(monday.id, "Monday", "open", (Owed("Cyd", 1),)),
    )
    friday.convert()
    assert [row.title for row in any_club.read(payments.settle_up).unfinished] == ["Monday"]
    monday.convert()
    due = any_club.read(payments.settle_up)
    assert (due.unfinished, due.balances, due.payments) == ((), (), ())


def test_only_who_left_since_the_last_conversion_is_named(sqlite_club: CardClub) -> None:
    """The conversion paid for Bob's leaving; Cyd left after it."""
    friday = left_for_money(sqlite_club, "Bob", "Friday")
    friday.convert()
    friday.record(cash.ANN_WINS)
    friday.leave("Cyd")
    (waiting,) = sqlite_club.read(payments.settle_up).unfinished
    assert waiting.left == (Owed("Cyd", -1),)


def test_only_this_clubs_sessions_are_named(our_club: CardClub, their_club: CardClub) -> None:
    """Another club's till is its own affair."""
    left_for_money(their_club, "Ann", "Theirs")
    assert our_club.read(payments.settle_up).unfinished == ()
