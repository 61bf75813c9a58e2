"""The result goes out by the share sheet of the phone; without one it is downloaded or copied."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import seated
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

SHEET = """
    window.sent = [];
    navigator.canShare = (what) => what.files.every((file) => file.type === "application/pdf");
    navigator.share = async ({files, title}) => {
        if (window.sent.push([files[0].name, files[0].type, files[0].size, title]) === 1)
            throw new DOMException("the tap was too long ago", "NotAllowedError");
    };
"""


def test_the_report_is_handed_to_the_share_sheet(service: Server, phone: "Phones") -> None:
    """A file with its name; where the tap was too long ago, one more sends it without asking again."""
    scorer = seated(service, phone(service.url), ("Ann", "Bob", "Cyd", "Dee"))
    page, board = scorer.page, scorer.page.url
    page.goto(f"{board}/result")
    with page.expect_download() as download:
        page.get_by_role("button", name="Send the report").tap()
    page.add_init_script(SHEET)
    page.reload()
    button = page.get_by_role("button", name="Send the report")
    sent = page.locator("[data-send='application/pdf']")
    button.tap()
    expect(sent).to_have_text("Tap again to send")
    sent.tap()
    page.wait_for_function("() => window.sent.length === 2")
    name, kind, size, title = page.evaluate("window.sent[1]")
    assert (name, kind) == (download.value.suggested_filename, "application/pdf")
    assert size > 1000
    assert title in page.title()
    assert phone.complaints == []


def test_the_result_is_sent_as_text_and_as_a_picture(service: Server, phone: "Phones") -> None:
    """One tap each: the text as the page shows it, and a PNG that is 1,080 pixels wide."""
    scorer = seated(service, phone(service.url), ("Ann", "Bob", "山田", "Dee"))
    page = scorer.page
    page.add_init_script("""
        window.sent = [];
        navigator.canShare = () => true;
        navigator.share = async ({files, text}) => {
            const picture = files && await createImageBitmap(files[0]);
            window.sent.push(files ? [files[0].name, files[0].type, picture.width] : text);
        };
    """)
    page.goto(f"{page.url}/result")
    page.get_by_role("button", name="As text").tap()
    page.get_by_role("button", name="As a picture").tap()
    page.wait_for_function("() => window.sent.length === 2")
    text, (name, kind, width) = page.evaluate("window.sent")
    assert text == page.locator("#message").input_value()
    assert "1. Ann 0" in text
    assert name.endswith(".png")
    assert (kind, width) == ("image/png", 1080)
    assert phone.complaints == []


def test_without_a_share_sheet_the_text_is_copied_and_the_picture_downloaded(
    service: Server, phone: "Phones"
) -> None:
    """As on a computer."""
    scorer = seated(service, phone(service.url), ("Ann", "Bob", "Cyd", "Dee"))
    page = scorer.page
    page.add_init_script("navigator.share = undefined; navigator.canShare = undefined;")
    page.goto(f"{page.url}/result")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="As text").tap()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#message").input_value()
    with page.expect_download() as download:
        page.get_by_role("button", name="As a picture").tap()
    assert download.value.suggested_filename.endswith(".png")
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    assert phone.complaints == []
