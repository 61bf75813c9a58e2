"""Pictures of players on pages: chosen, served to those who may see the club, refused and removed."""

import re

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from tests.ledger import table
from tests.ledger.photos import EXIF, PHOTO, as_text, photo
from tests.ledger.web.phone import Phone


def test_a_scorer_chooses_a_picture_which_is_stored_for_good_by_those_who_may_see_it(
    scorer: Phone, stranger: Phone, club: Access, seven: str
) -> None:
    """It is served as a JPEG, never as a page, stands for the emoji everywhere, and can be removed."""
    people = f"/clubs/{club.club_id}/players"
    form = scorer.open(f"{people}/1/mark").form("/mark")
    assert scorer.send(form, colour="9", emoji="🦊", picture=PHOTO).status == 303
    addresses = {
        address
        for page in (seven, people, f"{people}/1", f"{people}/1/mark", f"{seven}/screen")
        for address in re.findall(r'<img src="([^"]+[.]jpg)" alt=""', scorer.client.get(page).text)
    }
    [address] = addresses
    answer = scorer.client.get(address)
    assert (answer.mimetype, answer.data) == ("image/jpeg", photo())
    assert answer.headers["Cache-Control"] == "private, immutable, max-age=31536000"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert scorer.client.get(address, headers=tag).status_code == 304
    other = scorer.client.get(f"{people}/1/picture/0.jpg")
    assert (other.data, other.headers["Cache-Control"]) == (photo(), "no-store")
    assert stranger.client.get(address).status_code == 401
    assert "🦊" not in scorer.client.get(seven).text
    form = scorer.open(f"{people}/1/mark").form("/mark")
    assert scorer.send(form, without="picture").status == 303
    assert "🦊" in scorer.client.get(seven).text
    assert scorer.client.get(address).status_code == 404


@pytest.mark.parametrize("content", [photo(exif=EXIF), photo(kind="GIF"), photo() + b"<script>"])
def test_another_file_is_refused_at_its_field_and_nothing_is_saved(
    scorer: Phone, club: Access, database: Database, content: bytes
) -> None:
    """The form comes back with the emoji and without the file; one with another fault keeps the picture."""
    table.start(database, club)
    mark = f"/clubs/{club.club_id}/players/1/mark"
    form = scorer.open(mark).form("/mark")
    page = scorer.must_refuse(form, "picture", "", emoji="🦊", picture=as_text(content))
    assert page.wrong("picture")
    sent = dict(page.form("/mark").fields)
    assert (sent["emoji"], sent["picture"]) == ("🦊", "")
    page = scorer.must_refuse(form, "emoji", "Only one emoji", emoji="fox", picture=PHOTO)
    assert dict(page.form("/mark").fields)["picture"] == PHOTO
    assert dict(scorer.open(mark).form("/mark").fields)["emoji"] == ""
