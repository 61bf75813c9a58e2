"""The hands that somebody looks for, on both databases."""

from ledger.services.reads import hand_search
from ledger.services.reads.hand_search import HandFilter
from ledger.services.session.load import load
from tests.ledger.evenings import CardClub
from tests.ledger.services.reads.test_hand_pages import ALL_PASS, FROG, LOST, THREE

SEARCHES = {
    HandFilter(): [5, 4, 3, 2, 1],
    HandFilter(player="Ann"): [5],
    HandFilter(player="Bob", bid="spade-solo"): [4, 2, 1],
    HandFilter(bid="pass"): [3],
    HandFilter(lost=True): [2, 1],
    HandFilter(changed=True): [4, 1],
    HandFilter(player="Zoe"): [],
}


def test_hands_are_found_by_what_holds_now(any_club: CardClub) -> None:
    """The old content of a corrected hand finds nothing; a hand that only followed is not a changed one."""
    evening = any_club.start(THREE, "progressive", options={"pots": {"stake": 5}})
    for hand in (FROG, LOST, ALL_PASS, LOST, FROG):
        evening.record(hand)
    evening.correct(1, LOST)  # others follow
    evening.void(4)
    with any_club.db.read(any_club.access) as session:
        view = load(session, evening.id)
        for search, numbers in SEARCHES.items():
            assert hand_search.numbers(session, view, search) == numbers, search
