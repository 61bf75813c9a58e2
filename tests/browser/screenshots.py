"""Pictures of every page, to be looked at: ``python -m tests.browser.screenshots [folder]``.

They go to ``build/screenshots``, which git ignores, one folder a size: ``phone/board.png``, by night
``phone/board-dark.png``. ``--size``, ``--scheme`` and ``--page`` (part of a name) choose some; with
``--full`` they are of the whole page, with ``--language de`` in another language, with ``--awkward`` of a
table with awkward names, forty hands and large figures.

``--readme`` makes the four pictures of the README instead, of the club of ``solo-ledger demo``.

``--beside before`` joins each with the picture of the same name in the folder ``before``, taken of other code
or books, into one sheet: ``beside/phone/board.png``.
"""

import argparse
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from ledger.cli.demo_club import club, year
from ledger.http.reader_language import COOKIE
from ledger.words.languages import LANGUAGES
from tests.browser import showing
from tests.browser.pages import ScorerPhone
from tests.browser.test_legible import AT_FIRST, OF_A_CLUB, OF_A_SESSION, ONCE_SETTLED, addresses
from tests.support.chromium import ARGUMENTS, find_chromium
from tests.support.server import Server, start_server
from tests.support.tree import ROOT

SIZES = {
    "phone": (390, 844),
    "phone-landscape": (844, 390),
    "tablet": (820, 1180),
    "tablet-landscape": (1180, 820),
    "desktop": (1440, 900),
    "television": (1920, 1080),
}
FORGET = "indexedDB.deleteDatabase('solo-ledger')"
OF_A_PHONE = {"phone", "phone-landscape", "tablet", "tablet-landscape"}
README_DAY = date(2026, 6, 6)
README_PICTURES = (
    ("phone", "{tonight}", False),
    ("phone", "{tonight}/hands/new", True),
    ("tablet-landscape", "/clubs/1", False),
    ("tablet-landscape", "{tonight}", True),
)
"""The size, the address and whether it is dark of each."""
ENDPOINTS = (*AT_FIRST, *OF_A_CLUB, *OF_A_SESSION, *ONCE_SETTLED, "web.new_session", "web.settle")


def main() -> None:
    """Start the service over books to look at, and take the pictures."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "screenshots")
    asked.add_argument("--size", choices=SIZES, action="append")
    asked.add_argument("--page", action="append", default=[])
    asked.add_argument("--scheme", choices=("light", "dark"), action="append")
    asked.add_argument("--full", action="store_true")
    asked.add_argument("--language", choices=LANGUAGES, default="en")
    asked.add_argument("--awkward", action="store_true")
    asked.add_argument("--beside", type=Path)
    asked.add_argument("--readme", action="store_true")
    said = asked.parse_args()
    if said.readme:
        readme_pictures()
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = start_server(Path(folder))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
        try:
            addresses_of = places(service, awkward=said.awkward)
            cookies = _let_in(browser, service)
            cookies.append({"name": COOKIE, "value": said.language, "url": service.url})
            for size in said.size or SIZES:
                for scheme in said.scheme or ("light", "dark"):
                    page = _device(browser, service, size, cookies, dark=scheme == "dark")
                    for name in _shown(page, addresses_of, said.page):
                        file = said.folder / size / f"{name}{'-dark' * (scheme == 'dark')}.png"
                        page.evaluate("document.fonts.ready.then(() => null)")
                        page.screenshot(path=file, full_page=said.full, caret="hide")
                        if said.beside:
                            _join(said.beside, said.folder, file.relative_to(said.folder))
                    page.context.close()
        finally:
            browser.close()
            service.stop()


def _join(before: Path, after: Path, name: Path) -> None:
    """Put two pictures of one name side by side, where the first is there."""
    if (before / name).exists():
        pair = [Image.open(folder / name).convert("RGB") for folder in (before, after)]
        (left, high), (right, low) = (each.size for each in pair)
        sheet = Image.new("RGB", (left + 24 + right, max(high, low)), "grey")
        sheet.paste(pair[0], (0, 0))
        sheet.paste(pair[1], (left + 24, 0))
        target = after / "beside" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        sheet.save(target)


def places(service: Server, *, awkward: bool = False) -> dict[str, str]:
    """Write the books; return the address of each page by its name."""
    books = f"sqlite:///{service.folder / 'ledger.sqlite'}"
    known = (
        showing.written(books, service.folder, showing.AWKWARD, tonight=40, lent=950_000)
        if awkward
        else showing.written(books, service.folder)
    )
    urls = addresses()
    results = {}
    for endpoint in ENDPOINTS:
        numbers = {"web.void_hand": 6, "web.correct_hand": 6, "web.hand": 1}
        number = {"number": numbers.get(endpoint, known["number"])}
        results[endpoint.removeprefix("web.").replace("_", "-")] = urls.build(
            endpoint, known | number
        )
    settled = {"session_id": showing.SETTLED}
    for endpoint in ("board", "result"):
        results[f"{endpoint}-closed"] = urls.build(f"web.{endpoint}", known | settled)
    return results


def readme_pictures() -> None:
    """Take the README's pictures of the example club: on a phone and a tablet, light and dark."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        club.create(folder, README_DAY)
        service = start_server(folder)
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
        try:
            page = browser.new_page(base_url=service.url)
            page.goto(f"/v/{club.owner_key(club.settings_of(folder))}")
            page.get_by_role("button", name="Enter").click()
            page.wait_for_url(f"**/clubs/{club.CLUB_ID}")
            cookies: Any = page.context.cookies()
            page.context.close()
            tonight = f"/clubs/1/sessions/{len(year.EVENINGS)}"
            for size, address, dark in README_PICTURES:
                page = _device(
                    browser, service, size, cookies, dark=dark, scale=2 if size == "phone" else 1
                )
                page.goto(address.format(tonight=tonight))
                if address.endswith("hands/new"):
                    _answer(page)
                page.evaluate("document.fonts.ready.then(() => null)")
                file = folder / "picture.png"
                page.screenshot(path=file, caret="hide")
                picture = Image.open(file).convert("RGB").quantize(128, dither=Image.Dither.NONE)
                scheme = "dark" if dark else "light"
                picture.save(ROOT / ".docs" / f"{size}-{scheme}.png", optimize=True)
                page.context.close()
        finally:
            browser.close()
            service.stop()


def _let_in(browser: Browser, service: Server) -> Any:
    """Make a device the club's owner; return its cookies, which those of all sizes get."""
    page = browser.new_page(base_url=service.url)
    ScorerPhone(page).enter_club(showing.CLUB, showing.PASSCODE, showing.AUTHOR)
    page.goto("/clubs/1/keys")
    page.get_by_label("The club's passcode").fill(showing.PASSCODE)
    page.get_by_role("button", name="Make this device an owner's").click()
    page.get_by_role("status").filter(visible=True).first.wait_for()
    cookies = page.context.cookies()
    page.context.close()
    return cookies


def _device(
    browser: Browser, service: Server, size: str, cookies: Any, *, dark: bool, scale: int = 1
) -> Page:
    """Open a device of a size, with ``scale`` pixels of the picture for each of the page's."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=service.url,
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        is_mobile=size in OF_A_PHONE,
        has_touch=size in OF_A_PHONE,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        locale="en-GB",
        service_workers="block",
    )
    context.add_cookies(cookies)
    return context.new_page()


def _shown(page: Page, places: dict[str, str], parts: list[str]) -> Iterator[str]:
    """Open page after page, and print the name of each when it is complete."""
    for name, place in places.items():
        if not parts or any(part in name for part in parts):
            page.goto(place)
            if page.locator("[hx-trigger=load]").count():
                page.locator("#plots svg").first.wait_for()
            yield name
    if not parts or any(part in "hand-asked hand-answered" for part in parts):
        page.goto(f"/clubs/1/sessions/{showing.TONIGHT}/hands/new")
        page.locator("#ahead button").first.wait_for()
        yield "hand-asked"
        _answer(page)
        yield "hand-answered"
    if not parts or any(part in "card-pad" for part in parts):
        page.goto(f"/clubs/1/sessions/{showing.TONIGHT}/hands/new")
        page.evaluate(FORGET)  # the draft of the hand answered above
        page.reload()
        _answer(page)
        page.locator("#open-card-entry").click()
        page.locator("#card-entry [data-card]").first.wait_for()
        yield "card-pad"
    if not parts or any(part in "replay" for part in parts):
        page.goto(f"/clubs/1/sessions/{showing.TONIGHT}/hands/1#card-9")
        page.locator(".replay [data-part=caption]").wait_for()
        yield "replay"


def _answer(page: Page) -> None:
    """Answer every question of a hand of Crazy Solo, up to its payout."""
    page.locator("input[name=bidder]").nth(2).check()
    page.locator("input[name=bid][value=solo]").check()
    page.locator("input[name=trump][value=D]").check()
    page.locator("input[name=called]:visible").first.check()
    page.locator("input[name=partner]").nth(1).check()
    page.locator("input[name=points]").fill("78")
    page.locator("#payout").wait_for()


if __name__ == "__main__":
    main()
