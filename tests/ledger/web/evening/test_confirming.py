"""A second pair of eyes on the pages: marks of hands that wait, and the button that confirms them."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.money import currency
from tests.ledger import table
from tests.ledger.web.phone import Phone


@pytest.fixture
def evening(scorer: Phone, club: Access, seven: str) -> str:
    """The address of an evening with a hand of Mia's phone, in a club that requires confirmations."""
    settings = scorer.open(f"/clubs/{club.club_id}/settings").form("/settings")
    assert scorer.send(settings, confirm_from="1").status == 303
    form = scorer.open(f"{seven}/hands/new").form("/hands/new")
    chosen = {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "partner": "Bob"}
    filled = {**chosen, "points": "74", "seen": "unseen", "do": "save"}
    assert scorer.send(form, **filled).status == 303
    return seven


def test_the_setting_takes_a_number_or_nothing(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Other text is refused, not read as off."""

    def set_to(text: str) -> int:
        form = scorer.open(f"/clubs/{club.club_id}/settings").form("/settings")
        return scorer.send(form, confirm_from=text).status

    assert [set_to("50"), set_to("every")] == [303, 422]
    assert table.ask(database, club, currency.show).confirm_from == 50
    assert set_to("") == 303
    assert table.ask(database, club, currency.show).confirm_from == 0


@pytest.mark.parametrize("page", ["", "/history"])
def test_another_device_confirms_with_one_tap(
    scorer: Phone, owner: Phone, viewer: Phone, evening: str, page: str
) -> None:
    """The hand is marked everywhere until then; its own device and viewers have no button."""
    pages = ("", "/history", "/screen", "/result")
    for reader in (scorer, owner, viewer):
        assert all("not confirmed" in reader.open(f"{evening}{each}").text for each in pages)
    for reader in (scorer, viewer):
        assert "Confirm hand 1" not in reader.open(f"{evening}{page}").text
    form = owner.open(f"{evening}{page}").form("/confirm")
    done = owner.send(form)
    assert (done.status, "done=confirmed" in done.location) == (303, True)
    assert "Confirmed." in owner.open(done.location).text
    for reader in (scorer, owner, viewer):
        assert not any("not confirmed" in reader.open(f"{evening}{each}").text for each in pages)
    late = owner.send(form, key="somebody was quicker")
    assert late.status == 409
    assert "Hand 1 is confirmed already" in late.text


def test_a_hand_being_entered_shows_the_confirmed_hand_no_more(owner: Phone, evening: str) -> None:
    """Its form stays at its revision and keeps what was typed; without news it is not sent again."""
    form = owner.open(f"{evening}/hands/new").form("/hands/new")
    assert owner.send(form, do="meanwhile", number="2").status == 204
    confirm = owner.open(evening).form("/confirm")
    assert owner.send(confirm, page="form").status == 204
    shown = owner.send(form, do="meanwhile", number="2", note="47")
    fields = dict(shown.form("/hands/new").fields)
    assert (shown.status, fields["revision"], fields["note"]) == (200, "2", "47")
    assert owner.send(form, do="meanwhile", number="3").status == 204
