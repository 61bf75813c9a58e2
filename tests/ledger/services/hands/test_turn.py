"""Whose turn it is in a session: blind rounds as records hold them, and whole evenings."""

import os
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.rules.seating import Turn
from ledger.services.club import players
from ledger.services.hands import correct, record, versions
from ledger.services.reads import session as reads_session
from ledger.services.table import seating
from tests.engine.button import Button
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening


def due(evening: Evening) -> Turn:
    """Return whose turn it is; the board says the same."""
    turn = evening.read(record.propose)
    assert evening.read(reads_session.board).next == turn
    return turn


def play(evening: Evening, **more: Any) -> None:
    """Record a hand that whoever leads plays alone."""
    contract = {"bidder": due(evening).lead, "bid": "go-alone", "trump": "S"}
    evening.record({"contract": contract, "points": 74, **more})


def go_under(evening: Evening) -> None:
    """Record a blind hand of whoever leads."""
    turn = due(evening)
    partner = {"partner": turn.dealer} if len(turn.table.players) > 3 else {}
    evening.record({"contract": {"bidder": turn.lead, "bid": "blind", **partner}, "points": 74})


def blind_round(evening: Evening, hand: int) -> Any:
    """Return the blind round that the record of a hand holds."""
    return evening.read(versions.of_hand, hand)[-1].record.get("blind_round")


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """Ann has dealt the first hand of four: Bob deals next, and Cyd leads."""
    started = sqlite_club.start()
    play(started)
    return started


def test_without_a_heart_the_same_dealer_deals_again_and_the_same_player_is_under(
    evening: Evening,
) -> None:
    """Twice; the third time Cyd is passed over, and deals (002)."""
    play(evening, blind_round={})
    for heartless in (1, 2):
        turn = due(evening)
        assert (turn.dealer, turn.lead, turn.under) == ("Bob", "Cyd", "Cyd")
        assert turn.blind is not None
        assert turn.blind.heartless == heartless
        evening.record(table.ALL_PASS)
    turn = due(evening)
    assert (turn.dealer, turn.lead, turn.under) == ("Cyd", "Dee", "Dee")
    assert blind_round(evening, 4) == {"heartless": 2}
    third = evening.read(versions.of_hand, 4)[-1]
    assert third.verdict["next"] == {"dealer": "Cyd", "lead": "Dee"}
    evening.must_balance()


def test_a_blind_round_goes_once_round_the_table(evening: Evening) -> None:
    """Begun by a blind bid; when it is Cyd's lead again, it is over."""
    under = []
    for _ in table.FOUR:
        go_under(evening)
        under.append(due(evening).under)
    assert under == ["Dee", "Ann", "Bob", None]
    assert blind_round(evening, 5) == {"done": ["Cyd", "Dee", "Ann"]}
    play(evening)
    assert blind_round(evening, 6) is None


def test_the_table_breaks_a_blind_round_off_or_lets_another_deal(evening: Evening) -> None:
    """With `false` none is played any more; whoever leads instead is under, if they were not."""
    go_under(evening)
    play(evening, dealer="Dee")
    assert blind_round(evening, 3) == {"done": ["Cyd"]}
    assert due(evening).under == "Ann"
    evening.undo()
    assert due(evening).under == "Dee"
    play(evening, blind_round=False)
    assert due(evening).blind is None


def test_a_correction_keeps_the_blind_round_of_its_hand(evening: Evening) -> None:
    """Also under new names; if somebody dealt so that Cyd led, who was under before, it was none."""
    go_under(evening)
    play(evening)
    play(evening)
    evening.club.do(players.rename, evening.seat("Cyd").player_id, name="Zoe")
    hand = {"contract": {"bidder": "Dee", "bid": "go-alone", "trump": "S"}, "points": 80}
    evening.correct(4, hand)
    assert blind_round(evening, 4) == {"done": ["Zoe"], "heartless": 1}
    assert due(evening).under == "Dee"
    preview = evening.preview(correct.correct, 4, {**hand, "dealer": "Bob"})
    assert "blind_round" not in preview.record


DEEDS = ("play", "pass", "under", "under", "join", "leave", "sit", "back", "move", "undo", "undo")
STEPS = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 11)), min_size=12, max_size=24)


@settings(
    max_examples=int(os.environ.get("LEDGER_TEST_EXAMPLES", "12")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(STEPS)
def test_a_whole_evening_goes_as_a_table_hands_the_button_on(
    sqlite_club: CardClub, steps: list[tuple[str, int]]
) -> None:
    """Whatever is done, and undone: then the table is as it was before, as the model remembers it."""
    evening = sqlite_club.start(table.SEVEN[:5])
    button, before = Button(table.SEVEN[:5]), None
    for number, (step, place) in enumerate(steps):
        seat, previous = button.here[place % len(button.here)], deepcopy(button)
        if step == "undo":
            if before is None:
                continue
            evening.undo()
            button, before = before, None
            must_agree(evening, button)
            continue
        if step == "join" and len(button.here) < 9:
            name = f"New {evening.id} {number}"
            evening.join(name, position=place % len(button.here))
            button.here.insert(place % len(button.here), name)
        elif step == "leave" and len(button.playing) > 4:
            evening.leave(seat)
            button.leave(seat)
        elif step == "sit" and len(button.playing) > 4 and seat not in button.out:
            evening.sit_out(seat)
            button.out.add(seat)
        elif step == "back" and button.out:
            seat = min(button.out)
            evening.come_back(seat)
            button.out.discard(seat)
        elif step == "move" and place % len(button.here):
            button.here.insert(0, button.here.pop(place % len(button.here)))
            evening.do(seating.change_seats, order=button.here)
        elif step in ("play", "pass", "under"):
            if step == "pass":
                evening.record(table.ALL_PASS)
            else:
                (play if step == "play" else go_under)(evening)
            button.played({"play": "go-alone", "pass": "pass", "under": "blind"}[step])
        else:
            continue
        before = previous
        must_agree(evening, button)


def must_agree(evening: Evening, button: Button) -> None:
    """Compare whose turn it is with the model."""
    turn = due(evening)
    assert (turn.dealer, turn.lead, turn.under) == (button.dealer, button.lead, button.under)
    assert list(turn.table.players) == button.playing
