"""The auctions: how many there are of each procedure at small sizes, and what each call leads to."""

from functools import cache
from math import comb

import pytest

from engine.bidding import Auction, Doubling, Duel, InTurn, Ladder, OneRound, Procedure
from engine.cards import Suit
from engine.errors import Refused
from engine.record import Call

SEATS = ("Ann", "Bob", "Cyd", "Dee")
BIDS = ("one", "two", "three", "four", "five", "six")


def opened(procedure: Procedure, seats: int, bids: int) -> Auction:
    """Open an auction."""
    return Auction(procedure, SEATS[:seats], procedure.ladder(BIDS[:bids]))


def count(auction: Auction) -> int:
    """Count the ways in which an auction can go on to its end."""
    return sum(count(auction.after(call)) for call in auction.legal) if not auction.over else 1


def calls(auction: Auction, *said: str) -> Auction:
    """Let whoever is to speak make each call in turn; `redouble Cyd` names a doubler."""
    for each in said:
        call, _, doubler = each.partition(" ")
        auction = auction.after(Call(str(auction.to_act), call, doubler or None))
    return auction


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
    assert not calls(opened(OneRound(opening="blind"), 3, 1), "pass").allows(Call("Bob", "blind"))


@pytest.mark.parametrize("bids", [1, 2, 3, 4])
def test_a_duel_of_two_is_a_rising_chain(bids: int) -> None:
    """Eldest opens any chain of bids by turns, or passes, and then the other bids once or passes."""
    assert count(opened(Duel(), 2, bids)) == (2**bids - 1) + bids + 1


DUELS = {(3, 1): 4, (3, 2): 10, (3, 3): 23, (3, 6): 262, (4, 1): 5, (4, 2): 15, (4, 3): 41}
TURNS = {(2, 2): 6, (3, 1): 4, (3, 2): 10, (3, 3): 23, (3, 6): 262, (4, 1): 5, (4, 2): 15}
DOUBLES = {(2, 1): 5, (2, 2): 18, (3, 1): 13, (3, 2): 98}
HOLDS = {(2, 1): 3, (2, 2): 7, (3, 1): 4, (3, 2): 13, (4, 3): 83}


@pytest.mark.parametrize(("size", "auctions"), DUELS.items())
def test_the_number_of_duels_is_known(size: tuple[int, int], auctions: int) -> None:
    """Six bids and three seats are six-bid's own; a plain recursion counts the same."""
    assert count(opened(Duel(), *size)) == _duels(*size) == auctions


@pytest.mark.parametrize(("size", "auctions"), TURNS.items())
def test_the_number_of_auctions_in_turn_is_known(size: tuple[int, int], auctions: int) -> None:
    """Round the table until all but one have passed; a plain recursion counts the same."""
    assert count(opened(InTurn(), *size)) == _turns(*size) == auctions


@pytest.mark.parametrize(("size", "auctions"), DOUBLES.items())
def test_the_number_of_auctions_with_doubles_is_known(size: tuple[int, int], auctions: int) -> None:
    """Pass, double, overcall, redouble and stand; a plain recursion counts the same."""
    assert count(opened(Doubling(), *size)) == _doubles(*size) == auctions


@pytest.mark.parametrize(("size", "auctions"), HOLDS.items())
def test_the_number_of_duels_with_a_hold_is_known(size: tuple[int, int], auctions: int) -> None:
    """The earlier of two may hold; a plain recursion counts the same."""
    assert count(opened(Duel(hold=True), *size)) == _holds(*size) == auctions


def _duels(seats: int, bids: int) -> int:
    """Count duels by chains: whoever stands meets the next challenger in a rising chain of bids."""

    @cache
    def meet(level: int, left: int) -> int:
        # Somebody stands at `level`; `left` challengers are to come.
        return 1 if not left else reply(level, left - 1)

    @cache
    def reply(level: int, left: int) -> int:
        # One of two may go higher, and then the other may; a pass brings the next challenger.
        return meet(level, left) + sum(reply(higher, left) for higher in range(level + 1, bids + 1))

    @cache
    def unopened(left: int) -> int:
        if not left:
            return 1
        return unopened(left - 1) + sum(meet(level, left - 1) for level in range(1, bids + 1))

    return unopened(seats)


def _holds(seats: int, bids: int) -> int:
    """Count duels where the earlier of the two may hold the later one's bid."""

    @cache
    def meet(level: int, left: int) -> int:
        return 1 if not left else later(level, left - 1)

    @cache
    def later(level: int, left: int) -> int:
        # The later one speaks against a bid of the earlier one's.
        higher = (earlier(rung, left) for rung in range(level + 1, bids + 1))
        return meet(level, left) + sum(higher)

    @cache
    def earlier(level: int, left: int) -> int:
        # The earlier one passes, holds, or goes higher; the last two leave it to the later one.
        higher = (later(rung, left) for rung in range(level + 1, bids + 1))
        return meet(level, left) + later(level, left) + sum(higher)

    @cache
    def unopened(left: int) -> int:
        if not left:
            return 1
        return unopened(left - 1) + sum(meet(level, left - 1) for level in range(1, bids + 1))

    return unopened(seats)


def _turns(seats: int, bids: int) -> int:
    """Count auctions in turn with a queue: who bids goes to its end, who passes leaves it."""

    def go(queue: tuple[int, ...], high: int, bidder: int | None) -> int:
        if not queue or queue == (bidder,):
            return 1
        speaker, rest = queue[0], queue[1:]
        raises = (go((*rest, speaker), rung, speaker) for rung in range(high + 1, bids + 1))
        return go(rest, high, bidder) + sum(raises)

    return go(tuple(range(seats)), 0, None)


def _doubles(seats: int, bids: int) -> int:
    """Count progressive's auctions seat by seat, with sets of seats."""

    def go(
        seat: int,
        high: int,
        bidder: int | None,
        out: frozenset[int],
        doubled: frozenset[int],
        redoubled: frozenset[int],
    ) -> int:
        if len(out) == seats or (bidder is not None and len(out) == seats - 1):
            return 1
        following = (seat + 1) % seats
        if seat in out:
            return go(following, high, bidder, out, doubled, redoubled)
        if seat == bidder:
            chosen = (
                go(following, high, bidder, out, doubled, redoubled | {each})
                for each in doubled - redoubled
            )
            return go(following, high, bidder, out, doubled, redoubled) + sum(chosen)
        ways = go(following, high, bidder, out | {seat}, doubled, redoubled)
        for rung in range(high + 1, bids + 1):
            ways += go(following, rung, seat, out, frozenset(), frozenset())
        if bidder is not None and seat not in doubled:
            ways += go(following, high, bidder, out, doubled | {seat}, redoubled)
        return ways

    nobody: frozenset[int] = frozenset()
    return go(0, 0, None, nobody, nobody, nobody)


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
    """By whom, how high, or not at all; and nothing when it may."""
    auction = calls(opened(Duel(), 3, 2), "one")
    assert auction.why_not(Call("Bob", "two")) is None
    for call, code in (
        (Call("Ann", "two"), "out-of-turn"),
        (Call("Bob", "one"), "bid-too-low"),
        (Call("Bob", "hold"), "call-not-allowed"),
        (Call("Bob", "two", "Ann"), "bid-too-low"),
        (Call("Bob", "grand"), "call-not-allowed"),
    ):
        assert not auction.allows(call)
        problem = auction.why_not(call)
        assert problem is not None
        assert problem.code == code
        with pytest.raises(Refused):
            auction.after(call)


def test_there_is_no_way_back_in_after_a_pass() -> None:
    """Of two in a duel, who passed is not asked again."""
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
    assert not auction.allows(Call("Ann", "one"))


def test_a_redouble_names_a_doubler() -> None:
    """One at a time; the rest stay doubled."""
    auction = calls(opened(Doubling(), 3, 1), "one", "double", "double")
    assert [call.doubler for call in auction.legal] == [None, "Bob", "Cyd"]
    assert not auction.allows(Call("Ann", "redouble"))
    assert not auction.allows(Call("Ann", "one"))
    outcome = calls(auction, "redouble Cyd", "pass", "pass").outcome
    assert (outcome.doubled, outcome.redoubled) == (("Bob", "Cyd"), ("Cyd",))


def test_a_ladder_gives_the_lowest_rung_above() -> None:
    """For each rung that stands and each bid."""
    ladder = Ladder.of(("one", "two"), {"two": 2})
    assert [dict(above) for above in ladder.above] == [
        {"one": 1, "two": 2},
        {"two": 2},
        {"two": 3},
        {},
    ]
