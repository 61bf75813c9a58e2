"""How pages look on one device."""

from tests.ledger.web.phone import Phone


def test_a_device_shows_four_colours_if_it_likes(viewer: Phone, seven: str) -> None:
    """It alone, a viewer's as well, on every page, until it goes back to two."""
    classes = 'class="four-suits"'
    for suits, shown in (("four", True), ("two", False), ("seventeen", False)):
        saved = viewer.send(viewer.open("/display").form("/display"), suits=suits)
        assert saved.status == 303
        assert "Saved for this device" in viewer.open(saved.location).text
        for address in ("/", seven):
            page = viewer.client.get(address).get_data(as_text=True)
            assert (classes in page) is shown, suits
            assert "&lt;" not in page
