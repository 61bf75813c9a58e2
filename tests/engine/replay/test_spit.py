"""The spit deal of a record, followed card by card."""

from engine.errors.catalogue.dealt import SPIT_CARDS, spat
from tests.engine.hands import refusal


def test_when_all_cards_are_dealt_nobody_gets_another() -> None:
    """A card too many has no place where it could have gone."""
    order = [list(row) for row in spat()["spit"]["order"]]  # type: ignore[index]
    violation = refusal(spat(order=[*order, ["Ann", SPIT_CARDS[0]]]))
    assert (violation.code, violation.field, violation.legal) == ("deal-order", "spit.order.37", ())
    assert violation.message == "All cards are dealt; Ann gets no more."
