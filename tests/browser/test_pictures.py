"""A player's picture is chosen on a phone, cut out and made small there, and shown for the initials."""

import base64
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import seated
from tests.ledger.photos import EXIF, photo
from tests.support.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

# EXIF with one entry, the orientation: turned by a quarter.
TURNED = b"Exif\0\0" + bytes.fromhex("4d4d002a000000080001011200030000000100060000" + "00000000")


def choose(page: "Page", name: str, content: bytes) -> None:
    """Choose a file on the page of a player's mark."""
    file: Any = {"name": name, "mimeType": "image/jpeg", "buffer": content}
    page.locator("#picture-file").set_input_files(file)


def colours(content: bytes) -> list[str]:
    """Return the colours at the left, the right, the top and the bottom of a picture."""
    with Image.open(BytesIO(content)) as image:
        assert image.size == (96, 96)
        pixels: Any = [image.getpixel(at) for at in ((5, 48), (90, 48), (48, 5), (48, 90))]
    return ["red" if red > blue else "blue" for red, _, blue in pixels]


def test_a_large_photo_becomes_a_small_picture_without_its_place(
    service: Server, phone: "Phones"
) -> None:
    """Turned as the camera says; the middle of a wide one; shown at once and after saving, and removed."""
    scorer = seated(service, phone(service.url), ("Ann", "Bob", "Cyd", "Dee"))
    page, board = scorer.page, scorer.page.url
    mark = board.replace("/sessions/1", "/players/1/mark")
    page.goto(mark)
    preview = page.locator(".portrait img")
    expect(preview).to_be_hidden()
    choose(page, "note.txt", b"no picture")
    expect(page.get_by_text("This file is not a picture.")).to_be_visible()
    choose(page, "wide.jpg", photo((1600, 900), exif=EXIF))
    expect(preview).to_be_visible()
    expect(page.get_by_text("This file is not a picture.")).to_be_hidden()
    cut = base64.b64decode(page.locator("#picture").input_value())
    assert colours(cut)[:2] == ["red", "blue"]
    choose(page, "turned.jpg", photo((1600, 900), exif=TURNED))
    page.wait_for_function(
        "before => ![before, ''].includes(document.getElementById('picture').value)",
        arg=base64.b64encode(cut).decode(),
    )
    cut = base64.b64decode(page.locator("#picture").input_value())
    assert colours(cut)[2:] == ["red", "blue"]
    assert b"Exif" not in cut
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url("**/players/1?done=marked")
    width = "image => image.decode().then(() => image.naturalWidth)"
    assert page.locator("h1 img").evaluate(width) == 96
    page.goto(board)
    shown = page.locator(".mark img").first
    assert shown.evaluate(width) == 96
    box, around = shown.bounding_box(), page.locator(".mark:has(img)").first.bounding_box()
    assert box
    assert around
    assert box["width"] <= around["width"] < 60
    page.goto(mark)
    page.get_by_label("Without a picture").check()
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url("**/players/1?done=marked")
    expect(page.locator("h1 img")).to_have_count(0)
    assert phone.complaints == []


def test_without_scripts_the_rest_of_the_form_is_there(service: Server, phone: "Phones") -> None:
    """No file is asked for that nobody would cut out."""
    page = phone(service.url, javascript=False)
    scorer = seated(service, page, ("Ann", "Bob", "Cyd", "Dee"), javascript=False)
    page.goto(scorer.page.url.replace("/sessions/1", "/players/1/mark"))
    expect(page.locator("#picture-file")).to_be_hidden()
    page.get_by_label("Emoji").fill("🦊")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_contain_text("🦊")
