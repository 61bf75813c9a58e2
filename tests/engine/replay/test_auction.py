"""The auctions: their number for each procedure at small sizes, and the effect of each call."""

from math import comb

import pytest

from engine.cards.cards import Suit
from engine.errors import Refused
from engine.phases.actions import problem_of
from engine.phases.bidding.auction import Auction, Ladder, Procedure
from engine.phases.bidding.procedures import Doubling, Duel, InTurn, OneRound
from engine.record import Call
from tests.engine.counting import doubles, duels, holds, turns
from tests.engine.stepping import SUITS_DEALT, THREE, dealt, steps

SEATS = ("Ann", "Bob", "Cyd", "Dee")
BIDS = ("one", "two", "three", "four", "five", "six")


def opened(procedure: Procedure, seats: int, bids: int) -> Auction:
    """Open an auction."""
    return Auction(procedure, SEATS[:seats], procedure.ladder(BIDS[:bids]))


def count(auction: Auction) -> int:
    """Count the ways in which an auction can go on to its end."""
    return sum(count(auction.after(call)) for call in auction.legal) if not auction.over else 1


def calls(auction: Auction, *said: str) -> Auction:
    """Let the seat to call make each call in turn; `redouble Cyd` names a doubler."""
    for each in said:
        call, _, doubler = each.partition(" ")
        auction = auction.after(Call(str(auction.to_act), call, doubler or None))
    return auction


def refusal(auction: Auction, call: Call) -> str:
    """Return the code of the violation that a call is refused with; fail if it may be made."""
    problem = problem_of(auction.after, call)
    assert problem is not None
    return problem.code


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("bids", [1, 2, 3, 4])
def test_one_round_has_as_many_auctions_as_bids_can_fall_to_seats(seats: int, bids: int) -> None:
    """Some seats bid, each higher: choose the seats and as many bids, which is one binomial."""
    assert count(opened(OneRound(), seats, bids)) == comb(seats + bids, seats)


def test_a_bid_that_goes_over_itself_and_an_opening_bid_add_their_auctions() -> None:
    """Worked out by hand for three seats and one bid: each set of bidders, and the blind one."""
    assert count(opened(OneRound(repeats={"one": 3}), 3, 1)) == 2**3
    assert count(opened(OneRound(opening="blind"), 3, 1)) == comb(4, 1) + 1
    blind = opened(OneRound(opening="blind"), 3, 1).after(Call("Ann", "blind"))
    assert (blind.over, blind.outcome.bidder, blind.outcome.bid) == (True, "Ann", "blind")
    assert problem_of(
        calls(opened(OneRound(opening="blind"), 3, 1), "pass").after, Call("Bob", "blind")
    )


@pytest.mark.parametrize("bids", [1, 2, 3, 4])
def test_a_duel_of_two_is_a_rising_chain(bids: int) -> None:
    """Eldest opens any chain of bids by turns, or passes, and then the other bids once or passes."""
    assert count(opened(Duel(), 2, bids)) == (2**bids - 1) + bids + 1


DUELS = {(3, 1): 4, (3, 2): 10, (3, 3): 23, (3, 6): 262, (4, 1): 5, (4, 2): 15, (4, 3): 41}
TURNS = {(2, 2): 6, (3, 1): 4, (3, 2): 10, (3, 3): 23, (3, 6): 262, (4, 1): 5, (4, 2): 15}
DOUBLES = {(2, 1): 5, (2, 2): 18, (3, 1): 15, (3, 2): 138}
HOLDS = {(2, 1): 3, (2, 2): 7, (3, 1): 4, (3, 2): 13, (4, 3): 83}


@pytest.mark.parametrize(("size", "auctions"), DUELS.items())
def test_the_number_of_duels_is_known(size: tuple[int, int], auctions: int) -> None:
    """Six bids and three seats are six-bid's own; a plain recursion counts the same."""
    assert count(opened(Duel(), *size)) == duels(*size) == auctions


@pytest.mark.parametrize(("size", "auctions"), TURNS.items())
def test_the_number_of_auctions_in_turn_is_known(size: tuple[int, int], auctions: int) -> None:
    """Round the table until all but one have passed; a plain recursion counts the same."""
    assert count(opened(InTurn(), *size)) == turns(*size) == auctions


@pytest.mark.parametrize(("size", "auctions"), DOUBLES.items())
def test_the_number_of_auctions_with_doubles_is_known(size: tuple[int, int], auctions: int) -> None:
    """Pass, double, overcall, redouble and stand; a plain recursion counts the same."""
    assert count(opened(Doubling(), *size)) == doubles(*size) == auctions


@pytest.mark.parametrize(("size", "auctions"), HOLDS.items())
def test_the_number_of_duels_with_a_hold_is_known(size: tuple[int, int], auctions: int) -> None:
    """The earlier of two may hold; a plain recursion counts the same."""
    assert count(opened(Duel(hold=True), *size)) == holds(*size) == auctions


@pytest.mark.parametrize(
    ("procedure", "words", "passed"),
    [
        (Duel(), "one pass two pass", 0b011),
        (InTurn(), "pass one two pass", 0b011),
        (Doubling(), "pass one double redouble_Cyd pass pass", 0b101),
        (OneRound(repeats={"one": 2}), "one one pass", 0),
        (OneRound(opening="blind"), "blind", 0),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_auction_counts_its_calls_and_remembers_final_passes(
    procedure: Procedure, words: str, passed: int
) -> None:
    """The number of a call is part of its violation. A procedure can be part of a key."""
    auction = opened(procedure, 3, 2)
    for number, word in enumerate(words.split(), 1):
        auction = calls(auction, word.replace("_", " "))
        assert auction.calls_made == number
    assert (auction.over, auction.out) == (True, passed)
    assert hash(procedure)


def test_a_doubled_bidder_redoubles_or_calls_before_the_next_seat() -> None:
    """A redouble names a doubler, and the pass may only be left out after one."""
    auction = calls(opened(Doubling(), 3, 2), "one", "two", "pass", "double")
    for call, code in (
        (Call("Bob", "redouble"), "call-not-allowed"),
        (Call("Bob", "redouble", "Zoe"), "call-not-allowed"),
        (Call("Ann", "pass"), "out-of-turn"),
    ):
        assert refusal(auction, call) == code
    closed = calls(auction, "pass", "pass").after(Call("Bob", "pass"))
    assert (closed.out, closed.calls_made) == (0b111, 7)
    assert problem_of(closed.after, Call("Bob", "pass"))


def test_an_auction_says_who_is_to_speak_and_what_they_may_say() -> None:
    """Before a call and after it; at its end nobody."""
    auction = opened(Duel(), 3, 2)
    assert (auction.to_act, [call.call for call in auction.legal]) == (
        "Ann",
        ["pass", "one", "two"],
    )
    auction = calls(auction, "one")
    assert (auction.to_act, [call.call for call in auction.legal]) == ("Bob", ["pass", "two"])
    auction = calls(auction, "pass", "pass")
    assert (auction.to_act, auction.legal, auction.over) == (None, (), True)
    assert (auction.outcome.bidder, auction.outcome.bid) == ("Ann", "one")


def test_an_auction_says_why_a_call_may_not_be_made() -> None:
    """By the wrong seat, too low, or impossible; there is no reason if it may be made."""
    auction = calls(opened(Duel(), 3, 2), "one")
    assert problem_of(auction.after, Call("Bob", "two")) is None
    for call, code in (
        (Call("Ann", "two"), "out-of-turn"),
        (Call("Bob", "one"), "bid-too-low"),
        (Call("Bob", "hold"), "call-not-allowed"),
        (Call("Bob", "two", "Ann"), "call-not-allowed"),
        (Call("Bob", "grand"), "call-not-allowed"),
    ):
        assert refusal(auction, call) == code
        with pytest.raises(Refused):
            auction.after(call)


def test_a_bid_that_is_high_enough_is_not_called_too_low() -> None:
    """Blind is the lead's; the doubled bidder only redoubles or stands."""
    hand = steps(dealt("crazy-solo", SUITS_DEALT), "pass")
    problem = hand.why_not(Call("Bob", "blind"))
    assert problem is not None
    assert (problem.code, "too low" in problem.message) == ("call-not-allowed", False)
    hand = steps(dealt("progressive", THREE), "frog", "double", "pass")
    problem = hand.why_not(Call("Ann", "heart-solo"))
    assert problem is not None
    assert problem.message == (
        "Call 4: Ann called heart-solo, which was not possible; the choices were pass and redouble Bob."
    )


def test_there_is_no_way_back_in_after_a_pass() -> None:
    """Of two in a duel, the one that passed is not asked again."""
    auction = calls(opened(Duel(), 3, 4), "one", "two", "pass", "three", "four", "pass")
    assert (auction.over, auction.outcome.bidder, auction.outcome.bid) == (True, "Bob", "four")


def test_all_pass_makes_no_contract() -> None:
    """Nobody is the bidder."""
    outcome = calls(opened(InTurn(), 3, 2), "pass", "pass", "pass").outcome
    assert (outcome.bidder, outcome.bid) == (None, "pass")


def test_a_bid_over_an_equal_one_is_bound_to_the_preferred_suit() -> None:
    """And holding it binds, too; a higher bid frees again."""
    auction = calls(opened(Duel(hold=True, preferred=Suit.CLUBS), 2, 2), "one", "one")
    assert auction.outcome.trump is Suit.CLUBS
    assert calls(auction, "hold").outcome.trump is Suit.CLUBS
    assert calls(auction, "two").outcome.trump is None
    assert problem_of(auction.after, Call("Ann", "one"))


def test_a_redouble_names_a_doubler() -> None:
    """One, and the rest stay doubled, or several before the bidder stands."""
    auction = calls(opened(Doubling(), 3, 1), "one", "double", "double")
    assert [call.doubler for call in auction.legal] == [None, "Bob", "Cyd"]
    assert problem_of(auction.after, Call("Ann", "redouble"))
    assert problem_of(auction.after, Call("Ann", "one"))
    outcome = calls(auction, "redouble Cyd", "pass", "pass", "pass").outcome
    assert (outcome.doubled, outcome.redoubled) == (("Bob", "Cyd"), ("Cyd",))
    both = calls(auction, "redouble Cyd", "redouble Bob")
    assert [call.doubler for call in both.legal] == [None]
    assert problem_of(both.after, Call("Ann", "redouble", "Bob"))
    assert calls(both, "pass", "pass", "pass").outcome.redoubled == ("Bob", "Cyd")


def test_who_has_redoubled_may_leave_unsaid_that_they_stand() -> None:
    """The next seat speaks; nobody else's turn has come."""
    auction = calls(opened(Doubling(), 3, 2), "one", "double", "double", "redouble Cyd")
    assert problem_of(auction.after, Call("Cyd", "pass"))
    assert auction.after(Call("Bob", "pass")).to_act == "Cyd"
    over = auction.after(Call("Bob", "two"))
    assert (over.outcome.bidder, over.outcome.redoubled, over.calls_made) == ("Bob", (), 5)


def test_a_closing_pass_of_the_bidder_is_no_fault() -> None:
    """Once, in progressive, and nobody else's; it changes nothing."""
    over = calls(opened(Doubling(), 3, 2), "one", "pass", "pass")
    assert over.over
    closed = over.after(Call("Ann", "pass"))
    assert (closed.over, closed.outcome) == (True, over.outcome)
    for after, call in ((closed, "Ann"), (over, "Bob")):
        with pytest.raises(Refused):
            after.after(Call(call, "pass"))
    thrown_in = calls(opened(Doubling(), 3, 2), "pass", "pass", "pass")
    assert problem_of(thrown_in.after, Call("Cyd", "pass"))
    assert problem_of(
        calls(opened(InTurn(), 3, 2), "one", "pass", "pass").after, Call("Ann", "pass")
    )


def test_a_ladder_gives_the_lowest_rung_above() -> None:
    """For each rung that stands and each bid."""
    ladder = Ladder.of(("one", "two"), {"two": 2})
    assert [dict(above) for above in ladder.above] == [
        {"one": 1, "two": 2},
        {"two": 2},
        {"two": 3},
        {},
    ]
