"""Statistics: a player's, and head to head, from sums that follow every hand."""

from fractions import Fraction
from typing import Any

import pytest

from ledger.services.club import players
from ledger.services.reads import head_to_head, session, sessions, statistics
from ledger.services.reads.statistics import Record
from ledger.services.session.view import Rate
from ledger.words.problems import NotFound
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub
from tests.ledger.table import ALL_PASS, ALONE_85, HEARTS_46, HEARTS_74

LOST_SOLO = {"contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 48}
"""Six-Bid, Dee deals: lost by 12, Ann pays Bob, Cyd and the king Dee 12 each."""


@pytest.fixture
def played(sqlite_club: CardClub) -> CardClub:
    """Two evenings: Crazy Solo with a correction and a void, then Six-Bid."""
    first = sqlite_club.start(table.SEVEN, title="First", first_dealer="Gus")
    for hand in (HEARTS_74, ALONE_85, HEARTS_74, ALL_PASS):
        first.record(hand)
    first.correct(3, HEARTS_46)
    second = sqlite_club.start(game="six-bid", title="Second", first_dealer="Dee")
    second.record(LOST_SOLO)
    second.record({**LOST_SOLO, "dealer": "Dee"})
    second.void(2)
    return sqlite_club


def of(club: CardClub, name: str) -> statistics.PlayerStats:
    """Return a player's statistics."""
    return club.read(statistics.of_player, club.player(name))


def extreme(hand: Any) -> tuple[Any, ...]:
    """Return the amount of a best or worst hand, and where it was."""
    return hand.amount, hand.session_title, hand.hand


def test_a_players_hands_are_counted_by_game_side_and_contract(played: CardClub) -> None:
    """Ann bid hearts twice (one won, one corrected to lost) and a lost solo; she sat out nothing."""
    ann = of(played, "Ann")
    assert ann.played == Record(hands=5, won=2, lost=2, tied=0, total=120 - 50 - 120 - 36)
    assert ann.as_bidder == Record(hands=3, won=1, lost=2, total=120 - 120 - 36)
    assert ann.played.average == Fraction(-86, 5)
    assert [
        (line.game, line.bid, line.record.hands, line.record.won) for line in ann.contracts
    ] == [("crazy-solo", "solo-in-hearts", 2, 1), ("six-bid", "solo", 1, 0)]
    crazy, six = ann.games
    assert (crazy.title, crazy.played.hands, crazy.as_opponent.hands) == ("Crazy Solo", 4, 2)
    assert (six.played.total, six.as_bidder.total) == (-36, -36)
    bob = of(played, "Bob")
    assert bob.games[0].as_partner == Record(hands=2, won=1, lost=1, total=0)


def test_who_sat_out_did_not_play_but_was_paid(played: CardClub) -> None:
    """Dee was king in the lost solo, and got 12 for it."""
    dee = of(played, "Dee")
    assert dee.sat_out == Record(hands=1, lost=1, total=12)
    assert dee.played.hands == 4


def test_best_and_worst_hand_say_where_they_were(played: CardClub) -> None:
    """As the hands stand now: hand 3 was corrected."""
    ann = of(played, "Ann")
    assert extreme(ann.best) == (120, "First", 1)
    assert extreme(ann.worst) == (-120, "First", 3)
    assert extreme(of(played, "Cyd").best) == (300, "First", 2)


def test_of_equal_hands_the_first_written_is_the_best_and_the_worst(sqlite_club: CardClub) -> None:
    """Also if it came to its amount last: the first one was corrected, and its result written again."""
    evening = sqlite_club.start(table.SEVEN)
    for hand in (HEARTS_46, HEARTS_74, HEARTS_74):
        evening.record(hand)
    evening.correct(1, HEARTS_74)
    for name, amount in (("Ann", 120), ("Bob", 80)):
        stats = of(sqlite_club, name)
        assert stats.best == stats.worst
        assert extreme(stats.best) == (amount, "Evening 1", 1)


def test_an_evening_says_what_was_won_in_it_and_money_what_it_came_to(played: CardClub) -> None:
    """Over time, newest first; Ann's 36 chips lost at 10 to the cent and a half."""
    ann = of(played, "Ann")
    assert [(line.title, line.won, line.total) for line in ann.evenings] == [
        ("Second", -36, -86),
        ("First", -50, -50),
    ]
    assert (ann.money, ann.sessions) == ((), 2)
    played.evening(ann.evenings[0].session_id).convert(Rate(10, 5))
    ann = of(played, "Ann")
    assert [(line.kind, line.amount, line.balance, line.currency) for line in ann.money] == [
        ("conversion", -18, -18, "EUR")
    ]
    assert (ann.evenings[0].won, ann.evenings[0].money) == (-36, -18)


def test_somebody_new_has_no_hands_and_a_stranger_is_not_found(
    our_club: CardClub, their_club: CardClub
) -> None:
    """Nothing is divided by nothing; another club's player is nobody's business."""
    our_club.do(players.add, name="New")
    new = of(our_club, "New")
    assert (new.played, new.best, new.worst, new.games) == (Record(), None, None, ())
    assert new.played.average == 0
    with pytest.raises(NotFound):
        our_club.read(statistics.of_player, their_club.player("Xan"))


def test_head_to_head_says_who_paid_whom(played: CardClub) -> None:
    """Bob's pair with Ann: 12 of the lost solo; with Cyd: 50 paid for her go-alone."""
    listed = played.read(head_to_head.head_to_head)
    pairs = {(pair.player, pair.other): pair for pair in listed}
    bob_ann = pairs["Bob", "Ann"]
    assert (bob_ann.got, bob_ann.paid, bob_ann.net, bob_ann.hands_got) == (12, 0, 12, 1)
    assert pairs["Ann", "Bob"].net == -12
    assert (pairs["Bob", "Cyd"].paid, pairs["Bob", "Cyd"].hands_paid) == (50, 1)
    for (player, other), pair in pairs.items():
        assert pair.net == -pairs[other, player].net
    for name in table.SEVEN:
        total = sum(pair.net for pair in listed if pair.player == name)
        stats = of(played, name)
        assert total == stats.played.total + stats.sat_out.total


def test_a_hand_told_by_its_auction_counts_under_the_bid_it_came_to(sqlite_club: CardClub) -> None:
    """Nobody wrote a contract: it follows, and is written down."""
    evening = sqlite_club.start(game="six-bid", first_dealer="Dee")
    auction = [["Ann", "heart-solo"], ["Bob", "pass"], ["Cyd", "pass"]]
    evening.record({"auction": auction, "points": 70})
    (contract,) = of(sqlite_club, "Ann").contracts
    assert (contract.bid, contract.record.total) == ("heart-solo", 40)
    (line,) = evening.read(session.hands)
    assert (line.bid_title, line.bidder) == ("Heart solo", "Ann")
    sqlite_club.must_verify()


def test_a_score_that_is_no_payment_counts_as_what_was_scored(sqlite_club: CardClub) -> None:
    """German Solo: declarer and partner get 2 each of the world's account; nobody paid them."""
    evening = sqlite_club.start(game="german-solo", first_dealer="Dee")
    contract = {"bidder": "Ann", "bid": "frage", "trump": "H", "called": "AS", "partner": "Cyd"}
    counts = {"tricks_won": 5, "matadors": "split", "first_tricks_won": False}
    evening.record({"contract": contract, **counts})
    ann = of(sqlite_club, "Ann")
    assert ann.scored == ann.scored_as_bidder == Record(hands=1, won=1, total=2)
    assert (ann.played, ann.as_bidder) == (Record(), Record())
    assert ann.best is not None
    assert (ann.best.amount, ann.best.unit) == (2, "score")
    assert of(sqlite_club, "Cyd").games[0].as_partner.total == 2
    assert sqlite_club.read(head_to_head.head_to_head) == []
    sqlite_club.must_verify()


def test_scores_are_added_to_no_chips(sqlite_club: CardClub) -> None:
    """Nor compared with them: two evenings of German Solo between two for chips have a total of their own."""
    for game in ("crazy-solo", "german-solo", "german-solo", "crazy-solo"):
        hand = cash.ANN_WINS if game == "crazy-solo" else table.german_solo("Ann")
        sqlite_club.start(game=game).record(hand)
    ann = of(sqlite_club, "Ann")
    assert ann.best is not None
    assert ann.worst is not None
    assert (ann.played.total, ann.scored.total, ann.best.amount) == (300, 12, 150)
    assert (ann.worst.amount, ann.worst.unit) == (150, "chips")
    assert [(line.won, line.total, line.unit) for line in ann.evenings] == [
        (150, 300, "chips"),
        (6, 12, "score"),
        (6, 6, "score"),
        (150, 150, "chips"),
    ]
    units = [line.unit for line in sqlite_club.read(sessions.of_club)]
    assert units == [line.unit for line in ann.evenings]
    second, _ = sqlite_club.read(sessions.of_player, ann.id, offset=2, limit=1)
    assert (second[0].total, second[0].unit) == (6, "score")
