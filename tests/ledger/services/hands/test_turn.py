"""Whose turn it is in a session: after hands, as people come and go, after undo, and in a blind round."""

import os
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.rules.turns import Turn
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.club import players
from ledger.services.hands import correct, record, versions
from ledger.services.reads import session as reads_session
from ledger.services.session.load import load
from ledger.services.table import seating, start
from ledger.services.undo import last
from tests.engine.button import Button
from tests.ledger import cash, table
from tests.ledger.table import ask, dry

ALONE = {"bid": "go-alone", "trump": "S"}


def due(db: Database, access: Access, session_id: int) -> Turn:
    """Return whose turn it is; the board says the same."""
    found = ask(db, access, record.propose, session_id)
    assert ask(db, access, reads_session.board, session_id).next == found
    return found


def play(db: Database, access: Access, session_id: int, **said: Any) -> None:
    """Write a hand that whoever leads plays alone."""
    contract = {**ALONE, "bidder": due(db, access, session_id).lead}
    table.record(db, access, session_id, {"contract": contract, "points": 74, **said})


def go_under(db: Database, access: Access, session_id: int, **said: Any) -> None:
    """Write a blind hand of whoever leads."""
    now = due(db, access, session_id)
    partner = {"partner": now.dealer} if len(now.table.players) > 3 else {}
    contract = {"bidder": now.lead, "bid": "blind", **partner}
    table.record(db, access, session_id, {"contract": contract, "points": 74, **said})


def undone(db: Database, access: Access, session_id: int) -> None:
    """Take back what was done last."""
    last.undo(table.write(db, access), session_id)


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Ann has dealt the first hand of four: Bob deals next, and Cyd leads."""
    tonight = table.start(database, club, table.FOUR)
    play(database, club, tonight)
    assert table.turn(database, club, tonight) == ("Bob", "Cyd")
    return tonight


def test_who_is_to_deal_leaves_and_who_sat_on_their_left_deals(
    database: Database, club: Access, tonight: int
) -> None:
    """Cyd, once; Ann does not deal twice. Undone, it is Bob's again."""
    cash.leave(database, club, tonight, "Bob")
    assert table.turn(database, club, tonight) == ("Cyd", "Dee")
    undone(database, club, tonight)
    assert table.turn(database, club, tonight) == ("Bob", "Cyd")
    cash.leave(database, club, tonight, "Bob")
    play(database, club, tonight)
    assert table.turn(database, club, tonight) == ("Dee", "Ann")


def test_who_sits_down_between_dealer_and_lead_leads(
    database: Database, club: Access, tonight: int
) -> None:
    """Bob still deals; Fay is dealt in like everybody, and deals next."""
    cash.join(database, club, tonight, "Fay", position=2)
    assert table.turn(database, club, tonight) == ("Bob", "Fay")
    play(database, club, tonight)
    assert table.turn(database, club, tonight) == ("Fay", "Cyd")


def test_a_newcomer_left_of_who_leaves_takes_over_their_deal(
    database: Database, club: Access, tonight: int
) -> None:
    """She would have dealt after Bob; and if she goes as well, Cyd deals."""
    cash.join(database, club, tonight, "Fay", position=2)
    cash.leave(database, club, tonight, "Bob")
    assert table.turn(database, club, tonight) == ("Fay", "Cyd")
    cash.join(database, club, tonight, "Gus")
    cash.leave(database, club, tonight, "Fay")
    assert table.turn(database, club, tonight) == ("Cyd", "Dee")
    undone(database, club, tonight)
    assert table.turn(database, club, tonight) == ("Fay", "Cyd")


def test_a_hand_voided_or_undone_gives_the_turn_back_as_the_table_is_now(
    database: Database, club: Access, tonight: int
) -> None:
    """Bob left before hand 2: without it the deal is Cyd's again, not Bob's."""
    cash.leave(database, club, tonight, "Bob")
    play(database, club, tonight)
    undone(database, club, tonight)
    assert table.turn(database, club, tonight) == ("Cyd", "Dee")
    last.redo(table.write(database, club), tonight)
    assert table.turn(database, club, tonight) == ("Dee", "Ann")
    table.void(database, club, tonight, 2)
    assert table.turn(database, club, tonight) == ("Cyd", "Dee")


def test_whoever_was_chosen_to_deal_first_does_where_all_hands_are_void(
    database: Database, club: Access
) -> None:
    """Wherever they sit by now, and though others joined; if they left, who sat on their left."""
    tonight = table.start(database, club, table.FOUR, first_dealer="Cyd")
    cash.join(database, club, tonight, "Eve", position=0)
    play(database, club, tonight)
    order = ["Dee", "Cyd", "Eve", "Bob", "Ann"]
    seating.change_seats(table.write(database, club), tonight, order=order)
    table.void(database, club, tonight, 1)
    assert table.turn(database, club, tonight) == ("Cyd", "Eve")
    cash.leave(database, club, tonight, "Cyd")
    assert table.turn(database, club, tonight) == ("Eve", "Bob")


def test_when_all_have_left_whoever_comes_first_deals(database: Database, club: Access) -> None:
    """Nobody is there to hand a turn on to."""
    tonight = table.start(database, club, table.FOUR[:3])
    for name in table.FOUR[:3]:
        cash.leave(database, club, tonight, name)
    for name in ("Eve", "Fay", "Gus"):
        cash.join(database, club, tonight, name)
    assert table.turn(database, club, tonight) == ("Eve", "Fay")


# --- the blind round --------------------------------------------------------------------------------


def test_without_a_heart_the_same_dealer_deals_again_and_the_same_player_is_under(
    database: Database, club: Access, tonight: int
) -> None:
    """Twice; the third time Cyd is passed over, and deals (002)."""
    play(database, club, tonight, blind_round={})
    for heartless in (1, 2):
        now = due(database, club, tonight)
        assert (now.dealer, now.lead, now.under) == ("Bob", "Cyd", "Cyd")
        assert now.blind is not None
        assert now.blind.heartless == heartless
        table.record(database, club, tonight, table.ALL_PASS)
    now = due(database, club, tonight)
    assert (now.dealer, now.lead, now.under) == ("Cyd", "Dee", "Dee")
    third = ask(database, club, versions.of_hand, tonight, 4)[-1]
    assert third.record["blind_round"] == {"heartless": 2}
    assert third.verdict["next"] == {"dealer": "Cyd", "lead": "Dee"}
    assert list(verify(database)) == []


def test_a_blind_round_goes_once_round_the_table(
    database: Database, club: Access, tonight: int
) -> None:
    """Begun by a blind bid; when it is Cyd's lead again, it is over."""
    under = []
    for _ in table.FOUR:
        go_under(database, club, tonight)
        under.append(due(database, club, tonight).under)
    assert under == ["Dee", "Ann", "Bob", None]
    assert ask(database, club, versions.of_hand, tonight, 5)[-1].record["blind_round"] == {
        "done": ["Cyd", "Dee", "Ann"]
    }
    play(database, club, tonight)
    assert "blind_round" not in ask(database, club, versions.of_hand, tonight, 6)[-1].record


def test_the_table_breaks_a_blind_round_off_or_lets_another_deal(
    database: Database, club: Access, tonight: int
) -> None:
    """With `false` none is played any more; whoever leads instead is under, if they were not."""
    go_under(database, club, tonight)
    play(database, club, tonight, dealer="Dee")
    assert ask(database, club, versions.of_hand, tonight, 3)[-1].record["blind_round"] == {
        "done": ["Cyd"]
    }
    assert due(database, club, tonight).under == "Ann"
    undone(database, club, tonight)
    assert due(database, club, tonight).under == "Dee"
    play(database, club, tonight, blind_round=False)
    assert due(database, club, tonight).blind is None


def test_a_blind_round_is_as_it_was_after_undo_and_follows_a_correction(
    database: Database, club: Access, tonight: int
) -> None:
    """Dee had a heart after all: then the deal moves left."""
    go_under(database, club, tonight)
    play(database, club, tonight)
    before = due(database, club, tonight)
    assert (before.under, before.dealer) == ("Dee", "Cyd")
    contract = {"bidder": "Dee", "bid": "blind", "partner": "Ann"}
    table.correct(database, club, tonight, 3, {"contract": contract, "points": 74})
    assert due(database, club, tonight).under == "Ann"
    undone(database, club, tonight)
    assert due(database, club, tonight) == before
    last.redo(table.write(database, club), tonight)
    assert due(database, club, tonight).under == "Ann"


def test_a_correction_keeps_the_blind_round_of_its_hand(
    database: Database, club: Access, tonight: int
) -> None:
    """Also under new names; if somebody dealt so that Cyd led, who was under before, it was none."""
    go_under(database, club, tonight)
    play(database, club, tonight)
    play(database, club, tonight)
    cyd = cash.seat(database, club, tonight, "Cyd").player_id
    players.rename(table.write(database, club), cyd, name="Zoe")
    table.correct(database, club, tonight, 4, hand("Dee", 80))
    assert ask(database, club, versions.of_hand, tonight, 4)[-1].record["blind_round"] == {
        "done": ["Zoe"],
        "heartless": 1,
    }
    assert due(database, club, tonight).under == "Dee"
    seen = ask(
        database, club, dry(correct.correct), tonight, 4, {**hand("Dee", 80), "dealer": "Bob"}
    )
    assert seen.record is not None
    assert "blind_round" not in seen.record


def test_another_game_ends_a_blind_round_for_as_long_as_it_is_played(
    database: Database, club: Access, tonight: int
) -> None:
    """Nobody is under in Six-Bid."""
    go_under(database, club, tonight)
    change_game(database, club, tonight, "six-bid")
    assert due(database, club, tonight).blind is None
    change_game(database, club, tonight, "crazy-solo")
    assert due(database, club, tonight).under == "Dee"


def test_in_a_blind_round_people_come_and_go(
    database: Database, club: Access, tonight: int
) -> None:
    """Dee, who is under, sits out, and Ann is; a newcomer is under where it has not passed their seat."""
    go_under(database, club, tonight)
    seating.sit_out(table.write(database, club), tonight, player="Dee")
    assert due(database, club, tonight).under == "Ann"
    seating.come_back(table.write(database, club), tonight, player="Dee")
    assert due(database, club, tonight).under == "Dee"
    cash.join(database, club, tonight, "Eve", position=3)
    assert ask(database, club, load, tonight).names == ("Ann", "Bob", "Cyd", "Eve", "Dee")
    assert due(database, club, tonight).under == "Eve"


def test_who_was_under_and_sat_out_since_is_not_under_again(
    database: Database, club: Access, tonight: int
) -> None:
    """The round ends when it comes back to Cyd, though two hands were dealt without her."""
    go_under(database, club, tonight)
    seating.sit_out(table.write(database, club), tonight, player="Cyd")
    for _ in range(2):
        go_under(database, club, tonight)
    seating.come_back(table.write(database, club), tonight, player="Cyd")
    now = due(database, club, tonight)
    assert (now.lead, now.under) == ("Cyd", None)


# --- whole evenings ---------------------------------------------------------------------------------

STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "play",
                "pass",
                "under",
                "under",
                "join",
                "leave",
                "sit",
                "back",
                "move",
                "undo",
                "undo",
            ]
        ),
        st.integers(0, 11),
    ),
    min_size=12,
    max_size=24,
)


@settings(
    max_examples=int(os.environ.get("LEDGER_TEST_EXAMPLES", "12")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(STEPS)
def test_a_whole_evening_goes_as_a_table_hands_the_button_on(
    database: Database, club: Access, steps: list[tuple[str, int]]
) -> None:
    """Whatever is done, and undone: then the table is as it was before, as the model remembers it."""
    here = database, club
    evening = table.start(*here, table.SEVEN[:5])
    button, before = Button(table.SEVEN[:5]), None
    for number, (step, place) in enumerate(steps):
        seat, was = button.here[place % len(button.here)], deepcopy(button)
        if step == "undo":
            if before is None:
                continue
            undone(*here, evening)
            button, before = before, None
            assert_agrees(due(*here, evening), button)
            continue
        if step == "join" and len(button.here) < 9:
            name = f"New {evening} {number}"
            cash.join(*here, evening, name, position=place % len(button.here))
            button.here.insert(place % len(button.here), name)
        elif step == "leave" and len(button.playing) > 4:
            cash.leave(*here, evening, seat)
            button.leave(seat)
        elif step == "sit" and len(button.playing) > 4 and seat not in button.out:
            seating.sit_out(table.write(*here), evening, player=seat)
            button.out.add(seat)
        elif step == "back" and button.out:
            seat = min(button.out)
            seating.come_back(table.write(*here), evening, player=seat)
            button.out.discard(seat)
        elif step == "move" and place % len(button.here):
            button.here.insert(0, button.here.pop(place % len(button.here)))
            seating.change_seats(table.write(*here), evening, order=button.here)
        elif step in ("play", "pass", "under"):
            if step == "pass":
                table.record(*here, evening, table.ALL_PASS)
            else:
                (play if step == "play" else go_under)(*here, evening)
            button.played({"play": "go-alone", "pass": "pass", "under": "blind"}[step])
        else:
            continue
        before = was
        assert_agrees(due(*here, evening), button)


def assert_agrees(now: Turn, button: Button) -> None:
    """Hold whose turn it is against the model."""
    assert (now.dealer, now.lead, now.under) == (button.dealer, button.lead, button.under)
    assert list(now.table.players) == button.playing


def change_game(db: Database, access: Access, session_id: int, game: str) -> None:
    """Play another game from now on."""
    start.change_rules(table.write(db, access), session_id, game=game, variant=None, options={})


def hand(bidder: str, points: int) -> Mapping[str, Any]:
    """Make a hand that somebody plays alone."""
    return {"contract": {**ALONE, "bidder": bidder}, "points": points}
