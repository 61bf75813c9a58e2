"""Times are on the reader's clock; without a script on the service's, which is named."""

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import seated
from tests.browser.test_narrow import write
from tests.ledger import table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

ZONES = ["Australia/Darwin", "America/New_York"]


def told(page: Page) -> tuple[datetime, str]:
    """Return the time of entry of the first hand, and its text in the history."""
    page.locator("details.hand > summary").first.click()
    time = page.locator("details.hand time").first
    instant = datetime.fromisoformat(time.get_attribute("datetime") or "")
    assert instant.tzinfo == UTC
    return instant, time.inner_text()


@pytest.mark.parametrize("zone", ZONES)
def test_a_page_tells_the_time_by_the_reader_s_clock(
    service: Server, phone: "Phones", zone: str
) -> None:
    """In the history, also after it is refreshed, and in the report."""
    scorer = seated(service, phone(service.url, zone=zone))
    page = scorer.page
    write(service, table.HEARTS_74)
    page.goto(f"{scorer.session_path()}/history")
    instant, words = told(page)
    assert words == f"{instant.astimezone(ZoneInfo(zone)):%-d %b %Y, %H:%M}"
    write(service, table.ALONE_85)
    expect(page.locator("details.hand")).to_have_count(2)
    times = page.locator("details.hand time")
    for at in range(times.count()):
        assert not re.search("UTC", times.nth(at).inner_text())
    [cookie] = [each for each in page.context.cookies() if each["name"] == "solo-ledger-zone"]
    assert cookie["value"] == zone


def test_without_a_script_the_zone_is_named(service: Server, phone: "Phones") -> None:
    """It is the service's."""
    scorer = seated(service, phone(service.url, javascript=False, zone=ZONES[0]), javascript=False)
    write(service, table.HEARTS_74)
    scorer.page.goto(f"{scorer.session_path()}/history")
    instant, words = told(scorer.page)
    assert words.startswith(f"{instant.astimezone():%-d %b %Y, %H:%M} UTC")
