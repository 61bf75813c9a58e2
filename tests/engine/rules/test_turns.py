"""Who deals, leads, sits out and is under, hand after hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Refused
from engine.games import GAMES
from engine.record import HandRecord
from engine.rules.turns import BlindRound, Turn
from engine.scoring.score import score
from tests.engine.hands import NAMES, crazy, hand, passed, six

CRAZY, SIX = GAMES["crazy-solo"], GAMES["six-bid"]


def begin(game: str, seats: int) -> Turn:
    """Sit down, the last one dealing, so that Ann is on the lead."""
    seating = GAMES[game].rules(None, {}, seats).seating
    return Turn.begin(seating, NAMES[:seats], NAMES[seats - 1])


def move(turn: Turn, written: dict[str, object]) -> Turn:
    """Play a hand at this turn's table: whoever is on the lead takes Ann's part in it."""
    contract = dict(written["contract"])  # type: ignore[call-overload]
    others = [name for name in turn.table.active if name != turn.lead]
    if "bidder" in contract:
        contract["bidder"] = turn.lead
    if "partner" in contract:
        contract["partner"] = others[0]
    record = HandRecord.from_mapping(
        {**written, "players": turn.players, "dealer": turn.dealer, "contract": contract}
    )
    return turn.after(record, score(record))


def went_under(turn: Turn) -> Turn:
    """Play a blind hand: the player under holds a heart."""
    return move(turn, crazy(len(turn.players), "blind", 74))


def heartless(turn: Turn) -> Turn:
    """Play a hand of a blind round in which the player under has no heart."""
    return move(turn, crazy(len(turn.players), "go-alone", 74))


def test_the_dealers_left_is_on_the_lead() -> None:
    """In every game."""
    for game, seats in (("crazy-solo", 7), ("six-bid", 5), ("frog", 3), ("german-solo", 4)):
        turn = begin(game, seats)
        assert (turn.dealer, turn.lead) == (NAMES[seats - 1], "Ann")
        assert turn.table.lead == "Ann"


def test_after_a_played_hand_the_lead_moves_one_seat_left_and_the_old_lead_deals() -> None:
    """Crazy Solo, and the same one seat left in the others."""
    turn = move(begin("crazy-solo", 4), crazy(4, "solo", 74))
    assert (turn.dealer, turn.lead) == ("Ann", "Bob")
    turn = move(begin("six-bid", 4), six(4, "misere", 0))
    assert (turn.dealer, turn.lead) == ("Ann", "Bob")
    contract = {"bidder": "Ann", "bid": "solo", "trump": "S"}
    written = hand("german-solo", 4, contract, tricks_won=4, matadors="split")
    assert move(begin("german-solo", 4), written).dealer == "Ann"


def test_after_an_all_pass_crazy_solo_keeps_dealer_and_lead() -> None:
    """Thrown in and dealt again."""
    turn = begin("crazy-solo", 4)
    assert move(turn, passed("crazy-solo", 4)) == turn


@pytest.mark.parametrize("game", ["six-bid", "frog", "straight-solo", "progressive"])
def test_after_an_all_pass_the_deal_moves_left_where_three_play(game: str) -> None:
    """Unless the same dealer deals again at this table."""
    turn = begin(game, 3)
    assert move(turn, passed(game, 3)).dealer == "Ann"
    assert move(turn, passed(game, 3, options={"all_pass": "same-dealer"})) == turn


def test_the_king_and_whoever_else_is_not_active_sits_out() -> None:
    """The three seats clockwise after the dealer play."""
    turn = begin("six-bid", 5)
    assert turn.table.active == ("Ann", "Bob", "Cyd")
    assert turn.sits_out == ("Dee", "Eve")
    assert move(turn, six(5, "misere", 0)).sits_out == ("Eve", "Ann")
    assert begin("crazy-solo", 7).sits_out == ()


def test_who_sits_down_between_two_players_waits_for_the_lead() -> None:
    """Dealer and lead stay as they were."""
    turn = begin("crazy-solo", 4).join("Zoe", beside="Bob")
    assert turn.players == ("Ann", "Bob", "Zoe", "Cyd", "Dee")
    assert (turn.dealer, turn.lead) == ("Dee", "Ann")


def test_who_sits_down_to_the_right_of_the_lead_deals() -> None:
    """The lead stays with whoever has it."""
    turn = begin("six-bid", 4).join("Zoe", beside="Dee")
    assert (turn.dealer, turn.lead) == ("Zoe", "Ann")
    assert turn.sits_out == ("Dee", "Zoe")


def test_when_the_dealer_leaves_the_seat_to_the_right_of_the_lead_deals() -> None:
    """So that nobody loses a lead."""
    turn = begin("crazy-solo", 5).leave("Eve")
    assert (turn.dealer, turn.lead) == ("Dee", "Ann")


def test_when_the_lead_leaves_it_goes_to_the_left() -> None:
    """The dealer stays."""
    turn = begin("crazy-solo", 5).leave("Ann")
    assert (turn.dealer, turn.lead) == ("Eve", "Bob")
    assert begin("crazy-solo", 5).leave("Cyd").dealer == "Eve"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda turn: turn.join("Zoe", beside="Yan"), "unknown-seat"),
        (lambda turn: turn.join("Ann", beside="Bob"), "name-twice"),
        (lambda turn: turn.join("widow", beside="Bob"), "name-reserved"),
        (lambda turn: turn.leave("Zoe"), "unknown-seat"),
        (lambda turn: turn.leave("Ann"), "players-count"),
        (lambda turn: Turn.begin(turn.seating, turn.players, "Zoe"), "unknown-seat"),
        (lambda turn: Turn.begin(turn.seating, ("Ann", "Bob"), "Ann"), "players-count"),
    ],
)
def test_nobody_sits_down_or_leaves_who_cannot(change: object, code: str) -> None:
    """Unknown, twice, reserved, or fewer than three left."""
    with pytest.raises(Refused) as refused:
        change(begin("six-bid", 3))  # type: ignore[operator]
    assert refused.value.violations[0].code == code


def test_whoever_is_on_the_lead_declares_the_blind_round_and_is_under_first() -> None:
    """Nobody is under before; declaring it twice changes nothing."""
    turn = begin("crazy-solo", 4)
    assert turn.under is None
    blind = turn.declare_blind()
    assert (blind.under, blind.lead, blind.dealer) == ("Ann", "Ann", "Dee")
    assert blind.declare_blind() == blind


def test_who_held_a_heart_has_been_under_and_the_next_on_the_lead_is_under() -> None:
    """The deal moves left as after any played hand."""
    turn = went_under(begin("crazy-solo", 4).declare_blind())
    assert (turn.dealer, turn.lead, turn.under) == ("Ann", "Bob", "Bob")


def test_without_a_heart_the_same_dealer_deals_again_and_the_same_player_is_under() -> None:
    """Whatever was bid instead, and though a hand was played or all passed."""
    turn = begin("crazy-solo", 4).declare_blind()
    for number, again in enumerate((heartless(turn), move(turn, passed("crazy-solo", 4))), 1):
        assert number
        assert (again.dealer, again.lead, again.under) == ("Dee", "Ann", "Ann")
        assert again.blind == BlindRound(NAMES[:4], 1)


def test_at_the_third_heartless_deal_in_a_row_a_player_is_passed_over() -> None:
    """They deal next, and the player to their left is under."""
    turn = begin("crazy-solo", 4).declare_blind()
    passed_over = heartless(heartless(heartless(turn)))
    assert (passed_over.dealer, passed_over.lead, passed_over.under) == ("Ann", "Bob", "Bob")
    assert passed_over.blind == BlindRound(("Bob", "Cyd", "Dee"))


def test_a_heart_in_between_counts_as_under_at_once() -> None:
    """The next player starts again from none."""
    turn = went_under(heartless(heartless(begin("crazy-solo", 4).declare_blind())))
    assert turn.blind == BlindRound(("Bob", "Cyd", "Dee"))


def test_the_blind_round_ends_when_all_have_been_under_or_passed_over() -> None:
    """Then the game goes on with the player who began it on the lead."""
    turn = begin("crazy-solo", 3).declare_blind()
    turn = went_under(heartless(heartless(heartless(went_under(turn)))))
    assert (turn.blind, turn.under) == (None, None)
    assert (turn.dealer, turn.lead) == ("Cyd", "Ann")


def test_a_blind_bid_outside_a_blind_round_begins_one() -> None:
    """It tells that the round was declared."""
    turn = went_under(begin("crazy-solo", 4))
    assert turn.blind == BlindRound(("Bob", "Cyd", "Dee"))


def test_who_joins_a_blind_round_is_under_if_the_player_to_their_right_is_still_to_be() -> None:
    """Otherwise the round has passed their seat."""
    turn = went_under(begin("crazy-solo", 4).declare_blind())
    assert turn.join("Zoe", beside="Cyd").blind == BlindRound(("Bob", "Cyd", "Zoe", "Dee"))
    assert turn.join("Zoe", beside="Dee").blind == BlindRound(("Bob", "Cyd", "Dee", "Zoe"))
    joined = turn.join("Zoe", beside="Ann")
    assert joined.blind == BlindRound(("Bob", "Cyd", "Dee"))
    assert (joined.dealer, joined.lead) == ("Zoe", "Bob")


def test_who_leaves_a_blind_round_is_not_waited_for() -> None:
    """If they were under, the next player is, with no heartless deals yet."""
    turn = heartless(went_under(begin("crazy-solo", 5).declare_blind()))
    assert turn.leave("Cyd").blind == BlindRound(("Bob", "Dee", "Eve"), 1)
    assert turn.leave("Ann").blind == turn.blind
    gone = turn.leave("Bob")
    assert (gone.blind, gone.lead) == (BlindRound(("Cyd", "Dee", "Eve")), "Cyd")


def test_when_the_last_one_to_be_under_leaves_the_blind_round_is_over() -> None:
    """Nobody is left to wait for."""
    turn = begin("crazy-solo", 4).declare_blind()
    for _ in range(3):
        turn = went_under(turn)
    assert turn.under == "Dee"
    assert turn.leave("Dee").blind is None


STEPS = st.lists(
    st.tuples(st.sampled_from(["under", "heartless", "join", "leave"]), st.integers(0, 11)),
    max_size=30,
)


@given(STEPS)
def test_in_a_blind_round_whoever_is_on_the_lead_is_under(steps: list[tuple[str, int]]) -> None:
    """Whoever comes and goes; and it ends."""
    turn = begin("crazy-solo", 5).declare_blind()
    for number, (step, place) in enumerate(steps):
        seats = turn.players
        seat = seats[place % len(seats)]
        if step == "join" and len(seats) < 12:
            turn = turn.join(f"New {number}", beside=seat)
        elif step == "leave" and len(seats) > 3:
            turn = turn.leave(seat)
        else:
            turn = went_under(turn) if step == "under" else heartless(turn)
        assert turn.dealer in turn.players
        if turn.blind is None:
            return
        assert turn.under == turn.lead
        assert 0 <= turn.blind.heartless < 3
        assert len(set(turn.blind.waiting)) == len(turn.blind.waiting)
