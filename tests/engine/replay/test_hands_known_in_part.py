"""German Solo's calls compared with the hands of a deal of which only some cards are known."""

from tests.engine.games.german_table import ANN, BOB, CYD, DEE, HANDS
from tests.engine.games.test_german_auction import ACES, BY_BOB, declared
from tests.engine.hands import refusal, scored, violations


def test_a_hand_known_in_part_does_not_oblige_to_honour_a_grossfrage_in_clubs() -> None:
    """Perhaps its holder could call no ace there."""
    calls = ([ANN, "grossfrage"], [BOB, "pass"], [CYD, "pass"], [DEE, "pass"])
    deal = {BOB: "QC QS ? ? ? ? ? ?", CYD: "AH ? ? ? ? ? ? ?"}
    record = declared("grossfrage", *calls, deal=deal, partner=CYD) | {"matadors": "split"}
    assert violations({**record, "deal": {"hands": BY_BOB}})[0].code == "bid-owed"
    assert scored(record).bidder == ANN


def test_a_bid_in_clubs_needs_a_card_to_call_as_far_as_the_bidders_hand_is_known() -> None:
    """Other hands do not matter."""
    calls = ([ANN, "frage-in-clubs"], [BOB, "pass"], [CYD, "pass"], [DEE, "pass"])
    record = declared("frage", *calls, deal={}, trump="C", called="KH") | {"matadors": "split"}
    assert "call-not-allowed" in {
        violation.code for violation in violations({**record, "deal": {"hands": {ANN: ACES[ANN]}}})
    }
    other = {BOB: "KH AC QH JH TH 9H 7H 8C"}
    assert scored({**record, "deal": {"hands": other}}).bidder == ANN


def test_only_a_hand_known_in_full_forbids_to_call_a_king() -> None:
    """A king is called if the bidder holds all four aces; of a hand with unknown cards nobody knows."""
    calls = ([ANN, "pass"], [BOB, "frage"], [CYD, "pass"], [DEE, "pass"])
    record = declared("frage", *calls, deal={}, called="KH", partner=CYD) | {"matadors": "split"}
    for known in ({BOB: "AC 8C ? ? ? ? ? ?"}, {CYD: HANDS[CYD].replace("QS", "KH")}):
        assert scored({**record, "deal": {"hands": known}}).bidder == BOB
    violation = refusal({**record, "deal": {"hands": {BOB: "AC JH QH 8H TH 9H 7H 8C"}}})
    assert violation.code == "called-card-not-allowed"
