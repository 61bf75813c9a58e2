"""The tags by which messengers show a pasted link."""

import re

import pytest
from flask import Flask

from tests.ledger.web.phone import Phone


@pytest.mark.parametrize("address", ["/", "/try", "/enter"])
def test_a_pasted_link_has_title_and_picture(app: Flask, address: str) -> None:
    """The picture is a full address, as messengers resolve no others."""
    page = app.test_client().get(address).get_data(as_text=True)
    tags = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]+)">', page))
    assert tags["title"]
    assert re.match(r"http://localhost/static/icons/icon-512\.\w+\.png$", tags["image"])
    assert app.test_client().get(tags["image"]).mimetype == "image/png"


def test_the_pages_of_a_club_have_none(scorer: Phone, address: str) -> None:
    """No messenger is let in, so they would only make the pages larger."""
    assert "og:" not in scorer.open(address).response.get_data(as_text=True)
