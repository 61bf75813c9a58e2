"""The actions in a session, described to a scorer who missed them."""

import re

import pytest

from ledger.services.chips import bank
from ledger.words.problems import Stale
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """An evening with two hands and a loan; somebody looks at its revision 4."""
    started = sqlite_club.start(starting_stack=150)
    started.record(cash.ANN_WINS)
    started.record(table.ALL_PASS)
    started.lend("Bob", 20)
    return started


def told(evening: Evening, revision: int = 4) -> str:
    """Write at an old revision; return the actions that the refusal lists, without the hours."""
    with pytest.raises(Stale) as caught:
        bank.lend(evening.club.write(revision), evening.id, player="Dee", chips=1)
    sentence = re.sub(r" \(Sue, \d\d:\d\d\)", "", caught.value.message)
    match = re.fullmatch(
        r"“Evening 1” has changed meanwhile: (.*)\. Nothing of yours was saved; "
        r"look at what is new, then save again\.",
        sentence,
    )
    assert match, sentence
    return match[1]


def test_a_second_scorer_is_told_what_was_corrected_lent_and_voided(evening: Evening) -> None:
    """Actions before they looked are not new to them; the newest is last."""
    evening.correct(1, {**cash.ANN_WINS, "points": 95})
    assert told(evening) == "hand 1 was corrected"
    evening.lend("Ann", 30)
    evening.void(2)
    changes = "hand 1 was corrected, the bank lent Ann 30 chips, hand 2 was voided"
    assert told(evening) == changes


def test_a_second_scorer_is_told_of_the_last_three_and_how_many_there_are_besides(
    evening: Evening,
) -> None:
    """After a long break one line is enough."""
    evening.sit_out("Dee")
    evening.pause()
    evening.resume()
    for _ in range(2):
        evening.lend("Cyd", 5)
    loan = "the bank lent Cyd 5 chips"
    assert told(evening) == f"the session was resumed, {loan}, {loan}, and 2 more before"


def test_a_second_scorer_is_told_what_was_undone(evening: Evening) -> None:
    """The loan that both saw, and the older hand, each by its name."""
    evening.undo()
    evening.void(1)
    evening.undo()
    changes = "undone: the bank lent Bob 20 chips, hand 1 was voided, undone: hand 1 was voided"
    assert told(evening) == changes


def test_a_second_scorer_is_told_of_a_change_not_of_the_hands_that_followed(
    sqlite_club: CardClub,
) -> None:
    """A correction that recalculates a later hand is one action."""
    evening = sqlite_club.start(game="progressive", options={"pots": {"stake": 5}})
    for _ in range(3):
        evening.record(table.ALL_PASS)
    evening.void(1)
    assert told(evening) == "hand 1 was voided"


def test_a_name_from_right_to_left_turns_no_hour_around(sqlite_club: CardClub) -> None:
    """It is fenced off; other names need no fence."""
    evening = sqlite_club.start(("אבי", "Bob", "Dee"))
    evening.lend("אבי", 30)
    assert told(evening, revision=1) == "the bank lent \u2068אבי\u2069 30 chips"
