"""The spit deal of a record, followed card by card."""

from engine.errors import Violation
from engine.errors.codes import examples
from engine.games import GAMES
from engine.record import HandRecord
from engine.replay.deal import nothing_known
from engine.replay.spit import read_spit
from tests.engine.hands import refusal
from tests.engine.replay.test_revokes import SPIT


def test_when_all_cards_are_dealt_nobody_gets_another() -> None:
    """A card too many has no place where it could have gone."""
    hand = examples()["spit-unfinished"]
    order = [*hand["spit"]["order"], ["Ann", "6S"]]
    violation = refusal(hand | {"spit": {"order": order, "drawn": [["Ann", "6S", "AC"]]}})
    assert (violation.code, violation.field, violation.legal) == ("deal-order", "spit.order.37", ())
    assert violation.message == "All cards are dealt; Ann gets no more."


def test_a_card_is_dealt_once() -> None:
    """Also if it is the turn of its seat."""
    hand = examples()["spit-unfinished"]
    order = [list(dealt) for dealt in hand["spit"]["order"]]
    order[5][1] = order[0][1]
    violation = refusal(hand | {"spit": {"order": order}})
    assert (violation.code, violation.field) == ("card-dealt-twice", "spit.order.6")


def test_the_last_cards_are_spit_if_none_were_spit_before() -> None:
    """With eight players four cards must be set aside, so that nobody gets a fifth card."""
    cards = [card for _, card in SPIT["spit"]["order"]]
    seats = [SPIT["players"][number % 8] for number in range(32)]
    order = [list(pair) for pair in zip([*seats, *["spit"] * 4], cards, strict=True)]
    for number in (33, 36):
        wrong = [*order[: number - 1], ["Ann", cards[number - 1]]]
        violation = refusal(SPIT | {"spit": {"order": wrong}})
        assert (violation.code, violation.field) == ("deal-order", f"spit.order.{number}")
        assert violation.legal == ("spit",)


def test_the_number_of_cards_that_are_not_dealt_yet_is_named() -> None:
    """Of the whole pack."""
    for left in (2, 5):
        violation = refusal(SPIT | {"spit": {"order": SPIT["spit"]["order"][:-left]}})
        assert violation.message == f"{left} cards of the 36 are not dealt yet."


def test_a_draw_that_is_refused_is_named_by_its_number() -> None:
    """The second one of a card that has been shown already."""
    first = SPIT["spit"]["drawn"][0]
    violation = refusal(SPIT | {"spit": {**SPIT["spit"], "drawn": [first, first]}})
    assert (violation.code, violation.field) == ("spit-shown", "spit.drawn.2")


def test_after_a_spit_deal_every_hand_is_known() -> None:
    """The hands it ends in; a recorded deal must agree with them."""
    record = HandRecord.from_mapping(SPIT)
    rules = GAMES["crazy-solo"].rules(None, record.options, len(record.players))
    table = rules.table(record.players, record.dealer)
    assert record.spit is not None
    problems: list[Violation] = []
    unknown = nothing_known(len(table.active))
    deal = read_spit(rules, table, record.spit, unknown, problems)
    assert deal is not None
    assert (deal.complete, deal.widow, deal.widow_sure, problems) == (True, 0, True, [])
    assert sum(deal.hands) == rules.pack.mask
    shifted = deal._replace(hands=(*deal.hands[1:], deal.hands[0]))
    assert read_spit(rules, table, record.spit, shifted, problems) is None
    assert [violation.code for violation in problems] == ["deal-against-spit"]
