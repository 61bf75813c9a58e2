"""Statistics: a player's, and head to head, from sums that follow every hand."""

from fractions import Fraction

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.club import players
from ledger.services.money import convert
from ledger.services.reads import head_to_head, session, sessions, statistics
from ledger.services.session.view import Rate
from ledger.words.problems import NotFound
from tests.ledger import cash, table
from tests.ledger.table import ALL_PASS, ALONE_85, HEARTS_46, HEARTS_74, ask

LOST_SOLO = {"contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 48}
"""Six-Bid, Dee deals: lost by 12, Ann pays Bob, Cyd and the king Dee 12 each."""


@pytest.fixture
def club_of(database: Database, club: Access) -> Access:
    """Two evenings: Crazy Solo with a correction and a void, then Six-Bid."""
    first = table.start(database, club, title="First", first_dealer="Gus")
    for hand in (HEARTS_74, ALONE_85, HEARTS_74, ALL_PASS):
        table.record(database, club, first, hand)
    table.correct(database, club, first, 3, HEARTS_46)
    second = table.start(database, club, table.FOUR, "six-bid", title="Second", first_dealer="Dee")
    table.record(database, club, second, LOST_SOLO)
    table.record(database, club, second, {**LOST_SOLO, "dealer": "Dee"})
    table.void(database, club, second, 2)
    return club


def of(db: Database, access: Access, name: str) -> statistics.PlayerStats:
    """Return somebody's statistics."""
    found = next(one.id for one in ask(db, access, players.everyone) if one.name == name)
    return ask(db, access, statistics.of_player, found)


def test_a_players_hands_are_counted_by_game_side_and_contract(
    database: Database, club_of: Access
) -> None:
    """Ann bid hearts twice (one won, one corrected to lost) and a lost solo; she sat out nothing."""
    ann = of(database, club_of, "Ann")
    assert ann.played == statistics.Record(
        hands=5, won=2, lost=2, tied=0, total=120 - 50 - 120 - 36
    )
    assert ann.as_bidder == statistics.Record(hands=3, won=1, lost=2, total=120 - 120 - 36)
    assert ann.played.average == Fraction(-86, 5)
    assert [(one.game, one.bid, one.record.hands, one.record.won) for one in ann.contracts] == [
        ("crazy-solo", "solo-in-hearts", 2, 1),
        ("six-bid", "solo", 1, 0),
    ]
    crazy, six = ann.games
    assert (crazy.title, crazy.played.hands, crazy.as_opponent.hands) == ("Crazy Solo", 4, 2)
    assert (six.played.total, six.as_bidder.total) == (-36, -36)
    bob = of(database, club_of, "Bob")
    assert bob.games[0].as_partner == statistics.Record(hands=2, won=1, lost=1, total=0)


def test_who_sat_out_did_not_play_but_was_paid(database: Database, club_of: Access) -> None:
    """Dee was king in the lost solo, and got 12 for it."""
    dee = of(database, club_of, "Dee")
    assert dee.sat_out == statistics.Record(hands=1, lost=1, total=12)
    assert dee.played.hands == 4


def test_best_and_worst_hand_say_where_they_were(database: Database, club_of: Access) -> None:
    """As the hands stand now: hand 3 was corrected."""
    ann, cyd = of(database, club_of, "Ann"), of(database, club_of, "Cyd")
    assert ann.best is not None
    assert ann.worst is not None
    assert (ann.best.amount, ann.best.session_title, ann.best.hand) == (120, "First", 1)
    assert (ann.worst.amount, ann.worst.session_title, ann.worst.hand) == (-120, "First", 3)
    assert cyd.best is not None
    assert (cyd.best.amount, cyd.best.hand) == (300, 2)


def test_of_equal_hands_the_first_written_is_the_best_and_the_worst(
    database: Database, club: Access
) -> None:
    """Also where it came to its amount last: the first one was corrected, and its result written anew."""
    evening = table.start(database, club)
    for hand in (HEARTS_46, HEARTS_74, HEARTS_74):
        table.record(database, club, evening, hand)
    table.correct(database, club, evening, 1, HEARTS_74)
    for name, amount in (("Ann", 120), ("Bob", 80)):
        best, worst = of(database, club, name).best, of(database, club, name).worst
        assert best is not None
        assert best == worst
        assert (best.amount, best.hand) == (amount, 1)


def test_an_evening_says_what_was_won_in_it_and_money_what_it_came_to(
    database: Database, club_of: Access
) -> None:
    """Over time, newest first; Ann's 36 chips lost at 10 to the cent and a half."""
    ann = of(database, club_of, "Ann")
    assert [(one.title, one.won, one.total) for one in ann.evenings] == [
        ("Second", -36, -86),
        ("First", -50, -50),
    ]
    assert (ann.money, ann.sessions) == ((), 2)
    second = ann.evenings[0].session_id
    convert.convert(table.write(database, club_of), second, rate=Rate(10, 5))
    ann = of(database, club_of, "Ann")
    assert [(one.kind, one.amount, one.balance, one.currency) for one in ann.money] == [
        ("conversion", -18, -18, "EUR")
    ]
    assert (ann.evenings[0].won, ann.evenings[0].money) == (-36, -18)


def test_somebody_new_has_no_hands_and_a_stranger_is_not_found(
    database: Database, ours: Access, theirs: Access
) -> None:
    """Nothing is divided by nothing; another club's player is nobody's business."""
    players.add(table.write(database, ours), name="New")
    new = of(database, ours, "New")
    assert (new.played, new.best, new.worst, new.games) == (statistics.Record(), None, None, ())
    assert new.played.average == 0
    xan = next(one.id for one in ask(database, theirs, players.everyone) if one.name == "Xan")
    with pytest.raises(NotFound):
        ask(database, ours, statistics.of_player, xan)


def test_head_to_head_says_who_paid_whom(database: Database, club_of: Access) -> None:
    """Bob's pair with Ann: 12 of the lost solo; with Cyd: 50 paid for her go-alone."""
    pairs = {
        (pair.player, pair.other): pair
        for pair in ask(database, club_of, head_to_head.head_to_head)
    }
    bob_ann = pairs["Bob", "Ann"]
    assert (bob_ann.got, bob_ann.paid, bob_ann.net, bob_ann.hands_got) == (12, 0, 12, 1)
    assert pairs["Ann", "Bob"].net == -12
    assert (pairs["Bob", "Cyd"].paid, pairs["Bob", "Cyd"].hands_paid) == (50, 1)
    for (player, other), pair in pairs.items():
        assert pair.net == -pairs[other, player].net
    for name in table.SEVEN:
        total = sum(pair.net for pair in pairs.values() if pair.player == name)
        person = of(database, club_of, name)
        assert total == person.played.total + person.sat_out.total


def test_a_hand_told_by_its_auction_counts_under_the_bid_it_came_to(
    database: Database, club: Access
) -> None:
    """Nobody wrote a contract: it follows, and is written down."""
    session_id = table.start(database, club, table.FOUR, "six-bid", first_dealer="Dee")
    auction = [["Ann", "heart-solo"], ["Bob", "pass"], ["Cyd", "pass"]]
    table.record(database, club, session_id, {"auction": auction, "points": 70})
    (contract,) = of(database, club, "Ann").contracts
    assert (contract.bid, contract.record.total) == ("heart-solo", 40)
    (line,) = ask(database, club, session.hands, session_id)
    assert (line.bid_title, line.bidder) == ("Heart solo", "Ann")
    assert list(verify(database)) == []


def test_a_score_that_is_no_payment_counts_as_what_was_scored(
    database: Database, club: Access
) -> None:
    """German Solo: declarer and partner get 2 each of the world's account; nobody paid them."""
    session_id = table.start(database, club, table.FOUR, "german-solo", first_dealer="Dee")
    contract = {"bidder": "Ann", "bid": "frage", "trump": "H", "called": "AS", "partner": "Cyd"}
    hand = {"contract": contract, "tricks_won": 5, "matadors": "split", "first_tricks_won": False}
    table.record(database, club, session_id, hand)
    ann = of(database, club, "Ann")
    assert ann.scored == ann.scored_as_bidder == statistics.Record(hands=1, won=1, total=2)
    assert (ann.played, ann.as_bidder) == (statistics.Record(), statistics.Record())
    assert (ann.best and (ann.best.amount, ann.best.unit)) == (2, "score")
    assert of(database, club, "Cyd").games[0].as_partner.total == 2
    assert ask(database, club, head_to_head.head_to_head) == []
    assert list(verify(database)) == []


def test_scores_are_added_to_no_chips(database: Database, club: Access) -> None:
    """Nor compared with them: two evenings of German Solo between two for chips have a total of their own."""
    for each, game in enumerate(("crazy-solo", "german-solo", "german-solo", "crazy-solo")):
        evening = table.start(database, club, table.FOUR, game, title=f"{each}")
        hand = cash.ANN_WINS if game == "crazy-solo" else table.german_solo("Ann")
        table.record(database, club, evening, hand)
    ann = of(database, club, "Ann")
    assert (ann.played.total, ann.scored.total, ann.best and ann.best.amount) == (300, 12, 150)
    assert ann.worst is not None
    assert (ann.worst.amount, ann.worst.unit) == (150, "chips")
    assert [(one.won, one.total, one.unit) for one in ann.evenings] == [
        (150, 300, "chips"),
        (6, 12, "score"),
        (6, 6, "score"),
        (150, 150, "chips"),
    ]
    assert [one.unit for one in ask(database, club, sessions.of_club)] == [
        one.unit for one in ann.evenings
    ]
    second, _ = ask(database, club, sessions.of_player, ann.id, offset=2, limit=1)
    assert (second[0].total, second[0].unit) == (6, "score")
