"""The report goes out by the phone's own share sheet where it takes files; elsewhere it is a download."""

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
    button = page.locator("[data-send]")
    button.tap()
    expect(button).to_have_text("Tap again to send")
    button.tap()
    page.wait_for_function("() => window.sent.length === 2")
    name, kind, size, title = page.evaluate("window.sent[1]")
    assert (name, kind) == (download.value.suggested_filename, "application/pdf")
    assert size > 1000
    assert title in page.title()
    assert phone.complaints == []
