"""The club's players on their page: added, renamed, and existing ones recognised by name."""

import pytest

from ledger.database.access import Access
from tests.ledger.web.phone import Phone


@pytest.mark.parametrize("name", ["bob", " BOB ", "Bob"])
@pytest.mark.usefixtures("four")
def test_a_player_who_is_there_already_is_called_as_the_club_calls_them(
    scorer: Phone, club: Access, name: str
) -> None:
    """Adding "bob" names the existing Bob; the typed name stays, and nobody is added."""
    page = scorer.open(f"/clubs/{club.club_id}/players")
    refused = scorer.send(page.form("/players"), name=name)
    assert refused.status == 409
    assert refused.wrong("name") == "There is already a player called “Bob”; choose another name."
    assert dict(refused.form("/players").fields)["name"] == name
    assert set(refused.reader.links) - {"#wrong-name"} == set(page.reader.links)
