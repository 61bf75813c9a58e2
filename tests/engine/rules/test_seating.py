"""Seats: their violations, and dealer, lead, idle seats and the player under as people come and go."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Refused
from engine.games import GAMES
from engine.record import HandRecord
from engine.record.fields import to_mapping
from engine.record.parts import BlindRound
from engine.rules.seating import BLIND, Turn, blind_after, current_holder, next_turn
from engine.scoring.score import score
from tests.engine.button import Button
from tests.engine.hands import NAMES, crazy, hand, passed, refusal, scored, six
from tests.engine.stepping import SUITS_DEALT

# --- the seats of a hand ----------------------------------------------------------------------------


def test_the_dealer_has_a_seat() -> None:
    """Otherwise the table is refused with the players."""
    with pytest.raises(Refused) as refused:
        GAMES["six-bid"].rules(None, {}, 4).table(NAMES[:4], "Zoe")
    (violation,) = refused.value.violations
    assert (violation.code, violation.field, violation.legal) == (
        "unknown-seat",
        "dealer",
        NAMES[:4],
    )


def test_the_active_players_have_seats() -> None:
    """Each name without one is refused."""
    with pytest.raises(Refused) as refused:
        GAMES["six-bid"].rules(None, {}, 4).table(NAMES[:4], "Ann", ("Zoe", "Bob", "Yan"))
    assert [violation.where["seat"] for violation in refused.value.violations] == ["Zoe", "Yan"]


def test_players_may_come_as_a_list() -> None:
    """As a page or a database has them."""
    table = GAMES["six-bid"].rules(None, {}, 4).table(["Ann", "Bob", "Cyd", "Dee"], "Dee")  # type: ignore[arg-type]
    assert table.opponents("Bob") == ("Cyd", "Ann")


@pytest.mark.parametrize(
    ("active", "message"),
    [
        (("Ann", "Bob"), "names Ann, Bob."),
        ((), "names nobody."),
        (("Ann", "Ann", "Bob"), "names Ann, Ann, Bob."),
        (("Ann", "Bob", "Cyd", "Cyd"), "names Ann, Bob, Cyd, Cyd."),
    ],
)
def test_as_many_different_players_are_active_as_the_game_needs(
    active: tuple[str, ...], message: str
) -> None:
    """Fewer, more, and a name that comes twice are refused."""
    with pytest.raises(Refused) as refused:
        GAMES["six-bid"].rules(None, {}, 4).table(NAMES[:4], "Dee", active)
    (violation,) = refused.value.violations
    assert violation.message.endswith(f"active in a hand; the record {message}")


def test_a_record_may_name_the_active_seats() -> None:
    """The rest sit out, in the order of play."""
    table = GAMES["six-bid"].rules(None, {}, 5).table(NAMES[:5], "Dee", ("Dee", "Cyd", "Ann"))
    assert (table.active, table.idle) == (("Ann", "Cyd", "Dee"), ("Eve", "Bob"))


# --- from hand to hand ------------------------------------------------------------------------------


def turn(
    game: str,
    here: str,
    due: str,
    *,
    out: str = "",
    lead: str | None = None,
    blind: BlindRound | None = None,
) -> Turn:
    """Return the turn at a table of these people, each named by one letter."""
    players = tuple(name for name in here if name not in out)
    rules = GAMES[game].rules(None, {}, len(players))
    return next_turn(rules.seating, tuple(here), players, due, lead, blind)


def deals_and_leads(here: str, due: str, **more: str) -> str:
    """Return the dealer and the leader in Crazy Solo, as two letters."""
    found = turn("crazy-solo", here, due, **more)  # type: ignore[arg-type]
    return found.dealer + found.lead


def in_round(written: Mapping[str, object], *done: str, heartless: int = 0) -> dict[str, object]:
    """Make a hand part of a blind round."""
    return {**written, "blind_round": {"done": list(done), "heartless": heartless}}


def test_the_dealers_left_is_on_the_lead() -> None:
    """In every game."""
    for game, seats in (("crazy-solo", 7), ("six-bid", 5), ("frog", 3), ("german-solo", 4)):
        first = turn(game, "ABCDEFG"[:seats], "A")
        assert (first.dealer, first.lead, first.under) == ("A", "B", None)


def test_after_a_played_hand_the_lead_moves_one_seat_left_and_the_old_lead_deals() -> None:
    """Crazy Solo, and the same one seat left in the others."""
    contract = {"bidder": "Ann", "bid": "solo", "trump": "S"}
    german = hand("german-solo", 4, contract, tricks_won=4, matadors="split")
    for written in (crazy(4, "solo", 74), six(4, "misere", 0), german):
        assert scored(written).next == ("Ann", "Bob")


def test_after_an_all_pass_crazy_solo_keeps_dealer_and_lead() -> None:
    """Thrown in and dealt again."""
    assert scored(passed("crazy-solo", 4)).next == ("Dee", "Ann")


@pytest.mark.parametrize("game", ["six-bid", "frog", "straight-solo", "progressive"])
def test_after_an_all_pass_the_deal_moves_left_where_three_play(game: str) -> None:
    """Unless the same dealer deals again at this table."""
    assert scored(passed(game, 3)).next == ("Ann", "Bob")
    assert scored(passed(game, 3, options={"all_pass": "same-dealer"})).next == ("Cyd", "Ann")


def test_the_king_and_whoever_else_is_not_active_sits_out() -> None:
    """The three seats clockwise after the dealer play."""
    assert turn("six-bid", "ABCDE", "E").table.active == ("A", "B", "C")
    assert turn("six-bid", "ABCDE", "E").table.idle == ("D", "E")
    assert turn("six-bid", "ABCDE", "A").table.idle == ("E", "A")
    assert turn("crazy-solo", "ABCDEFG", "A").table.idle == ()


# --- as people come and go --------------------------------------------------------------------------


def test_who_is_due_to_deal_leaves_and_whoever_sat_on_their_left_deals() -> None:
    """Ann dealt and Bob was next: Cyd deals. Ann does not deal twice because Bob went."""
    assert deals_and_leads("ABCD", "B") == "BC"
    assert deals_and_leads("ACD", current_holder("B", {"B": "C"})) == "CD"


def test_who_sits_down_on_the_dealers_left_is_dealt_in_and_leads() -> None:
    """Ann deals and Bob was to lead: Ann still deals, so nobody loses a deal because another came."""
    assert deals_and_leads("ABCD", "A") == "AB"
    assert deals_and_leads("AFBCD", "A") == "AF"
    assert deals_and_leads("FABCD", "A") == "AB"


def test_who_is_to_lead_leaves_and_the_next_on_the_left_leads() -> None:
    """The dealer stays."""
    assert deals_and_leads("ACD", "A") == "AC"


def test_a_newcomer_has_the_deal_of_who_left_if_they_sat_on_their_left() -> None:
    """Bob was due, Fay sat between Bob and Cyd: she would have dealt after him, and so she does."""
    assert deals_and_leads("AFCD", current_holder("B", {"B": "F"})) == "FC"


def test_a_turn_is_handed_on_as_often_as_somebody_leaves() -> None:
    """Bob left it to Cyd, Cyd to Dee; if Cyd's leaving is taken back, it is Cyd's again."""
    assert current_holder("B", {"B": "C", "C": "D"}) == "D"
    assert current_holder("B", {"B": "C"}) == "C"
    assert deals_and_leads("EFG", "Z") == "EF"  # all of the last hand have gone


def test_who_sits_out_is_passed_over_and_has_their_deal_again_once_back() -> None:
    """Dealt no hand, they deal none."""
    assert deals_and_leads("ABCD", "B", out="B") == "CD"
    assert deals_and_leads("ABCD", "B", out="C") == "BD"
    assert deals_and_leads("ABCDE", "B", out="BC") == "DE"
    assert deals_and_leads("ABCD", "B") == "BC"


def test_the_deal_is_a_players_and_goes_with_them_when_seats_change() -> None:
    """Bob was due to deal, and still is."""
    assert deals_and_leads("ADBC", "B") == "BC"
    assert deals_and_leads("BDAC", "B") == "BD"


def test_the_table_may_say_that_somebody_else_deals() -> None:
    """Then the seat on their left leads."""
    told = turn("crazy-solo", "ABCD", "B").dealt_by("D")
    assert told.dealt_by("D") is told
    assert (told.dealer, told.lead) == ("D", "A")


# --- the blind round --------------------------------------------------------------------------------


def test_who_held_a_heart_has_been_under_and_the_next_on_the_lead_is() -> None:
    """The deal moves left as after any played hand."""
    written = in_round(crazy(4, BLIND, 74))
    assert scored(written).next == ("Ann", "Bob")
    assert blind_after("Ann", BLIND, BlindRound()) == BlindRound(("Ann",))
    next_one = turn("crazy-solo", "ABCD", "A", lead="B", blind=BlindRound(("A",)))
    assert next_one.under == "B"


def test_without_a_heart_the_same_dealer_deals_again_and_the_same_player_is_under() -> None:
    """After any other bid, and after a hand that was played or all passed (002)."""
    for number, written in ((0, crazy(4, "go-alone", 74)), (1, passed("crazy-solo", 4))):
        assert scored(in_round(written, heartless=number)).next == ("Dee", "Ann")
        bid = written["contract"]["bid"]  # type: ignore[index]
        left = blind_after("Ann", bid, BlindRound((), number))
        assert left == BlindRound((), number + 1)
        assert turn("crazy-solo", "ABCD", "D", lead="A", blind=left).blind == left


@pytest.mark.parametrize("written", [crazy(4, "go-alone", 74), passed("crazy-solo", 4)])
def test_at_the_third_heartless_deal_in_a_row_a_player_is_passed_over(
    written: dict[str, object],
) -> None:
    """They deal next, and the player to their left is under, starting from none."""
    assert scored(in_round(written, heartless=2)).next == ("Ann", "Bob")
    assert blind_after("Ann", "go-alone", BlindRound(("Dee",), 2)) == BlindRound(("Dee", "Ann"))


def test_the_blind_round_ends_when_it_comes_back_to_who_began_it() -> None:
    """Then the game goes on with them on the lead; a hand with another lead is refused."""
    over = turn("crazy-solo", "ABC", "C", lead="A", blind=BlindRound(("A", "B", "C")))
    assert (over.lead, over.under, over.blind) == ("A", None, None)
    problem = refusal(in_round(crazy(4, "solo", 74), "Bob", "Ann"))
    assert (problem.code, problem.where["seat"]) == ("blind-round-over", "Ann")


def test_a_blind_bid_begins_a_round_where_none_was_declared() -> None:
    """The turn contains it; any other bid begins none."""
    assert blind_after("Ann", BLIND, None) == BlindRound(("Ann",))
    assert blind_after("Ann", "solo", None) is None


def test_who_joins_a_blind_round_is_under_where_it_has_not_passed_their_seat() -> None:
    """Between two who are still to be, or last; not between two who were."""
    assert turn("crazy-solo", "ABFCD", "B", lead="C", blind=BlindRound(("A", "B"))).under == "F"
    last = BlindRound(("A", "B", "C", "D"))
    assert turn("crazy-solo", "ABCDF", "D", lead="A", blind=last).under == "F"
    assert turn("crazy-solo", "AFBCD", "D", lead="A", blind=last).under is None


def test_deals_without_a_heart_count_for_whoever_had_them() -> None:
    """Bob had two and sits out: Cyd begins from none. Back at once, Bob has his two again."""
    two = BlindRound(("A",), 2)
    assert turn("crazy-solo", "ABCD", "A", lead="B", blind=two, out="B").blind == BlindRound(("A",))
    assert turn("crazy-solo", "ABCD", "A", lead="B", blind=two).blind == two
    told = turn("crazy-solo", "ABCD", "A", lead="B", blind=two)
    assert told.dealt_by("B").blind == BlindRound(("A",))
    assert told.dealt_by("D").blind is None


def test_who_leaves_a_blind_round_is_not_waited_for() -> None:
    """The next one is under; it is over when nobody is left who was not."""
    done = BlindRound(("A", "B", "C"))
    assert turn("crazy-solo", "ABCD", "C", lead="D", blind=done).under == "D"
    assert turn("crazy-solo", "ABC", "C", lead="D", blind=done).under is None


def test_who_was_under_and_held_a_heart_had_to_play_blind() -> None:
    """If it follows from the cards of a hand that was played, or that all passed (002)."""
    cards = {"deal": {"hands": {"Ann": "AH ? ? ? ? ? ? ? ?"}}}
    for written in (crazy(4, "go-alone", 74, **cards), passed("crazy-solo", 4, **cards)):
        assert scored(written)
        problem = refusal(in_round(written))
        assert (problem.code, problem.where["seat"], problem.legal) == ("bid-owed", "Ann", (BLIND,))
    assert scored(in_round(crazy(4, BLIND, 74, **cards)))


def test_who_was_under_without_a_heart_leaves_the_bidding_open() -> None:
    """As the cards show; where no bid is blind nobody was under, and the key is refused."""
    open_to_all = crazy(4, "go-alone", 120, deal={"hands": SUITS_DEALT}, blind_round={})
    assert scored(open_to_all).outcome == "won"
    hearts = {"hands": {"Ann": "AH ? ? ? ? ? ? ? ? ? ?"}}
    six_bid = six(3, "misere", 0, deal=hearts, blind_round={})
    assert refusal(six_bid).code == "not-in-this-game"


def test_a_record_says_of_a_blind_round_who_is_done_and_how_often_no_heart_was_held() -> None:
    """`false`: none is played; so many deals that somebody would be passed over are refused."""
    assert (
        HandRecord.from_mapping({**crazy(4, "solo", 74), "blind_round": False}).blind_round is None
    )
    begun = HandRecord.from_mapping({**crazy(4, "solo", 74), "blind_round": {}})
    assert (begun.blind_round, begun.to_mapping()["blind_round"]) == (BlindRound(), {})
    assert refusal(in_round(crazy(4, "solo", 74), heartless=3)).code == "ill-typed"
    assert refusal(in_round(six(4, "misere", 0))).code == "not-in-this-game"
    complete = in_round(crazy(4, "solo", 74), "Dee", "Zoe", heartless=1)
    assert HandRecord.from_mapping(complete).to_mapping() == complete


# --- whole evenings ---------------------------------------------------------------------------------

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["play", "pass", "under", "join", "leave", "sit", "back", "move"]),
        st.integers(0, 11),
    ),
    max_size=40,
)


@given(st.integers(4, 7), STEPS)
def test_a_whole_evening_goes_as_a_table_hands_the_button_on(
    seats: int, steps: list[tuple[str, int]]
) -> None:
    """Hands, all-passes and blind hands, with people joining, leaving, sitting out and changing seats."""
    table = Button(NAMES[:seats])
    due, lead, blind = NAMES[0], None, None
    successors: dict[str, str] = {}
    for number, (step, place) in enumerate(steps):
        here, playing = table.here, table.playing
        seat = here[place % len(here)]
        if step == "join" and len(here) < 12:
            here.insert(place % len(here), f"New {number}")
        elif step == "leave" and len(playing) > 4:
            successors[seat] = table.left_of(seat)
            table.leave(seat)
        elif step == "sit" and len(playing) > 4:
            table.out.add(seat)
        elif step == "back":
            table.out.discard(seat)
        elif step == "move":
            here.insert(0, here.pop(place % len(here)))
        players = tuple(table.playing)
        rules = GAMES["crazy-solo"].rules(None, {}, len(players))
        now = next_turn(rules.seating, here, players, current_holder(due, successors), lead, blind)
        assert (now.dealer, now.lead, now.under) == (table.dealer, table.lead, table.under)
        if step not in ("play", "pass", "under"):
            continue
        bid = {"play": "go-alone", "pass": "pass", "under": BLIND}[step]
        contract = {"bid": bid} if bid == "pass" else {"bidder": now.lead, "bid": bid}
        if bid == "go-alone":
            contract["trump"] = "S"
        if bid == BLIND:
            contract["partner"] = now.dealer
        points = {} if bid == "pass" else {"points": 74}
        written = {"game": "crazy-solo", "players": list(players), "dealer": now.dealer, **points}
        state = {} if now.blind is None else {"blind_round": to_mapping(now.blind)}
        record = HandRecord.from_mapping({**written, **state, "contract": contract})
        due, lead = score(record).next
        blind = blind_after(now.lead, bid, record.blind_round)
        table.played(bid)
