"""Leaving early: chips to the bank, money by the rate, a closed account, and the way back."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from ledger.runtime.clock import now
from ledger.services.chips.bank import ScoresNotChips
from ledger.services.common import writing
from ledger.services.table import cash_out
from ledger.words.problems import Invalid, KeyReused, SessionClosed
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub


def test_who_leaves_gives_all_chips_to_the_bank_and_takes_the_money(any_club: CardClub) -> None:
    """Ann won 300 on a stack of 150; at ten chips to a cent that is 30 cents, owed by the till."""
    evening = any_club.start(table.SEVEN, starting_stack=150, rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    answer = evening.leave("ann")
    entry, moved = evening.entry(answer)
    assert moved == {"Ann": -450, "bank": 450, "Ann/EUR": 30, "till": -30}
    assert (entry.kind, entry.details["rate"]) == ("cash-out", {"chips": 10, "money": 1})
    ann = evening.seat("Ann")
    assert (ann.state, ann.balance, ann.net) == ("left", 0, 300)
    assert "Ann" not in answer["balances"]
    assert evening.view.names == table.SEVEN[1:]


def test_the_database_itself_refuses_a_posting_to_a_closed_account(any_club: CardClub) -> None:
    """For any writer, past the journal."""
    evening = any_club.start()
    evening.record(cash.ANN_WINS)
    bob = evening.seat("Bob")
    evening.leave("Bob")
    insert = (
        "INSERT INTO posting (club_id, id, entry_id, account_id, amount, balance) "
        f"SELECT club_id, 1000, max(id), {bob.account_id}, 5, 5 FROM journal_entry GROUP BY club_id"
    )
    message = "a closed account takes no posting"
    with any_club.refuses(DatabaseError, message), any_club.db.write() as session:
        session.execute(text(insert))


def test_a_leaving_taken_back_gives_seat_chips_and_money_back(sqlite_club: CardClub) -> None:
    """Bob sits in his old place, with his chips, and owes nothing for it; and may do so again."""
    evening = sqlite_club.start(table.SEVEN, starting_stack=150, rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    before, bob = sqlite_club.accounts, evening.seat("Bob")
    left = evening.leave("Bob")
    entry, _ = evening.entry(evening.stay("bob"))
    assert (entry.kind, entry.reverses_id, entry.reason) == ("reversal", left["entry"], "stays on")
    assert evening.seat("Bob") == bob
    assert evening.view.names == table.SEVEN
    after = sqlite_club.accounts
    assert {key: after[key] for key in before} == before
    assert sqlite_club.owed == {}
    evening.leave("Bob")
    evening.stay("Bob")
    assert evening.seat("Bob") == bob


@pytest.mark.parametrize("player", ["Bob", "Zed"])
def test_only_who_left_can_take_the_leaving_back(sqlite_club: CardClub, player: str) -> None:
    """At the field, with those who could."""
    evening = sqlite_club.start()
    evening.leave("Cyd")
    with sqlite_club.refuses(Invalid, f"{player} has not left", at="player") as caught:
        evening.stay(player)
    assert caught.value.faults[0].legal == ("Cyd",)


def test_the_departure_undone_by_name_is_the_last_one_that_stands(sqlite_club: CardClub) -> None:
    """Bob left his first seat again after he had left a second one: he gets the first one back."""
    evening = sqlite_club.start(starting_stack=150)
    first = evening.leave("Bob")["entry"]
    evening.join("Bob")
    second = evening.leave("Bob")["entry"]
    evening.take_back(first)
    last = evening.leave("Bob")["entry"]
    assert evening.stay("Bob")["takes_back"] == last
    evening.leave("Bob")
    evening.take_back(second)
    assert evening.present.count("Bob") == 1


def test_a_retried_leaving_cashes_out_once(sqlite_club: CardClub) -> None:
    """The key of one leaving is good for no other."""
    evening = sqlite_club.start(rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    write = sqlite_club.write()
    answer = cash_out.leave(write, evening.id, player="Ann")
    assert cash_out.leave(write, evening.id, player="Ann") == answer
    with sqlite_club.refuses(KeyReused):
        cash_out.leave(write, evening.id, player="Bob")
    assert sqlite_club.owed == {"Ann": 15}
    with sqlite_club.refuses(Invalid, "Ann has no seat"):
        evening.leave("Ann")


def test_a_game_of_scores_leaves_the_chips_of_an_evening_alone(sqlite_club: CardClub) -> None:
    """Eve left for money before German Solo, Dee leaves after it: both are paid for chips, at one rate."""
    evening = sqlite_club.start(table.SEVEN[:5], rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    evening.leave("Eve")
    evening.play("german-solo")
    evening.record(table.german_solo("Dee"))
    assert evening.balances["Dee"] == -50
    quote = evening.preview(cash_out.leave, player="Dee")
    assert (quote.won, quote.money) == (-50, -5)
    evening.leave("Dee")
    dee = evening.seat("Dee")
    assert (dee.balance, dee.net, dee.unpaid + dee.converted, dee.scored) == (0, -50, -50, 6)
    sqlite_club.must_verify()


def test_who_leaves_a_game_of_scores_takes_the_score_along(sqlite_club: CardClub) -> None:
    """No chips lie on the table: nothing goes to the bank, no money is booked, and the score stays theirs."""
    evening = sqlite_club.start(game="german-solo")
    evening.record(table.german_solo("Ann"))
    with sqlite_club.refuses(ScoresNotChips, r"German Solo is played for scores.*no rate"):
        evening.set_rate(cash.TEN_FOR_ONE)
    assert evening.preview(cash_out.leave, player="Ann").money is None
    evening.leave("Ann")
    assert evening.account("bank") == 0
    assert evening.seat("Ann").scored == 6
    evening.play("six-bid")
    ann = evening.seat("Ann")
    assert (ann.balance, ann.net, ann.scored) == (0, 0, 6)
    evening.stay("Ann")
    assert evening.seat("Ann").net == 0
    sqlite_club.must_verify()


def test_the_leaving_that_stands_is_taken_back_whatever_the_clock_said(
    any_club: CardClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cyd left, stayed, and left again in one instant; a player with an undone joining never left at all."""
    at = now()
    monkeypatch.setattr(writing, "now", lambda: at)
    evening = any_club.start()
    evening.leave("Cyd")
    evening.stay("Cyd")
    again = evening.leave("Cyd")
    entry, _ = evening.entry(evening.stay("Cyd"))
    assert entry.reverses_id == again["entry"]
    evening.join("Eve")
    evening.undo()
    with any_club.refuses(Invalid, "Eve has not left"):
        evening.stay("Eve")


def test_no_leaving_is_quoted_of_a_closed_session(sqlite_club: CardClub) -> None:
    """Refused as the deed is."""
    evening = sqlite_club.start(rate=cash.TEN_FOR_ONE)
    evening.close()
    with sqlite_club.refuses(SessionClosed):
        evening.preview(cash_out.leave, player="Ann")
