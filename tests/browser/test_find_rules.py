"""A word is found in the rules of a game: the parts without it are hidden."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser


def test_a_word_is_found_in_the_rules_and_an_unknown_one_is_reported(
    service: Server, phone: "Phones"
) -> None:
    """Upper and lower case are alike; folded examples open; an empty field shows everything again."""
    page = phone(service.url)
    page.goto("/how-to-play/german-solo")
    field = page.get_by_label("Find in the rules")
    matadors = page.get_by_text("the queen of clubs (spadille, or Alte)")
    leading = page.get_by_text("Eldest hand leads.")
    bidding = page.get_by_role("heading", name="Bidding")
    nothing = page.get_by_text("These rules have no such word.")
    folded = page.locator("main details:not([open])")
    examples = folded.count()

    field.fill("  ALTE ")
    expect(matadors).to_be_visible()
    expect(leading).to_be_hidden()
    expect(bidding).to_be_hidden()
    expect(page.get_by_role("columnheader", name="Pays")).to_be_hidden()
    expect(page.get_by_role("heading", name="Cards and deal")).to_be_visible()

    field.fill("eldest hand leads")
    expect(leading).to_be_visible()
    expect(matadors).to_be_hidden()
    expect(nothing).to_be_hidden()

    field.fill("bananas")
    expect(nothing).to_be_visible()
    expect(leading).to_be_hidden()

    field.fill("")
    expect(matadors).to_be_visible()
    expect(bidding).to_be_visible()
    expect(nothing).to_be_hidden()
    assert examples > 0
    expect(folded).to_have_count(examples)
    assert phone.complaints == []
