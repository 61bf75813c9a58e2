"""The spit deal of a record, followed card by card."""

from engine.errors.codes import examples
from tests.engine.hands import refusal


def test_when_all_cards_are_dealt_nobody_gets_another() -> None:
    """A card too many has no place where it could have gone."""
    hand = examples()["spit-unfinished"]
    order = [*hand["spit"]["order"], ["Ann", "6S"]]
    violation = refusal(hand | {"spit": {"order": order, "drawn": [["Ann", "6S", "AC"]]}})
    assert (violation.code, violation.field, violation.legal) == ("deal-order", "spit.order.37", ())
    assert violation.message == "All cards are dealt; Ann gets no more."
