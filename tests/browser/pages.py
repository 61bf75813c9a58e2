"""The pages as the people at the table use them: `ScorerPhone` taps, types and reads.

Everything is found as a person finds it, by role and visible name; a changed name changes it for people, too:

- every choice of the hand form is a radio in a group called by its legend: `Bidder`, `Caller` or `Declarer`
  (the players as they sit, those sitting out disabled, and `All passed`), `Bid` (the bid's title), `Trump`
  (`spades`, `hearts`, `diamonds`, `clubs`), `Called card` (`A♥`, `10♦`; the suits that are not trumps behind
  `Another suit`), `Partner` (the players, and `Alone (own card)`), `Made or lost?` (`Made`, `Lost`), `Given
  up early?` (`Played out`, `By the bidder`, `By the opponents`, behind a line of that name), `Dealer` and
  `Lead` (behind the line about the deal); `Playing this hand` holds a checkbox a player;
- with JavaScript one question is open at a time; one that is answered, and one whose turn has not come, is a
  button called by its legend and its answer (`Caller: Cyd`), which opens it;
- numbers are text fields called `Card points`, `or the others'` and `Tricks won`; texts are `Note` (behind
  `Add a note`) and `Reason for the correction`, `Reason`;
- the button at the bottom is `Show the payout` until the form is complete and `Save hand N` (`Save the
  correction`) from then on; with JavaScript it changes by itself. The payout is the region `Payout`;
- a sentence about a wrong input is an `alert`; a saved hand is a `status` ("Hand 12 saved: …").

Waits are by `wait_for`, as `expect` describes the whole page for its message each time that it looks in vain.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.waiting import answered

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
BIDDER = re.compile("^(Bidder|Caller|Declarer)$")
"""The games' names for the player of the contract."""
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def card_name(code: str) -> str:
    """Name a card as its button does: `10♦` for `TD`."""
    return f"{code[:-1].replace('T', '10')}{SIGNS[code[-1]]}"


def figure(text: str) -> int:
    """Read an amount as it is printed, `−1,200`."""
    return int(text.strip().replace("\u2212", "-").replace(",", ""))


def _figures(rows: Locator, name: str, amount: str) -> dict[str, int]:
    """Read a name, without the mark before it, and an amount off each row, at one go."""
    rows.first.wait_for()
    rows.page.wait_for_load_state()  # without JavaScript it is another page, of which more is to come
    read: list[tuple[str, str]] = rows.evaluate_all(
        "(rows, of) => rows.map((row) => of.map((one) => row.querySelector(one).innerText))",
        [f":is({name}) bdi, {name}:not(:has(bdi))", amount],
    )
    return {who.strip(): figure(said) for who, said in read}


def opener_of(page: Page, legend: str | re.Pattern[str]) -> Locator:
    """Find the button that opens a question of a hand which is folded, or not yet its turn."""
    heading = legend.pattern.strip("^$") if isinstance(legend, re.Pattern) else re.escape(legend)
    return page.locator("#told, #ahead").get_by_role("button", name=re.compile(f"^{heading}:"))


class ScorerPhone:
    """A phone at the table. `taps` counts every tap on a choice or a button since it was last set to 0."""

    def __init__(self, page: Page, *, javascript: bool = True) -> None:
        self.page = page
        self.javascript = javascript
        self.taps = 0

    # --- the club -------------------------------------------------------------------------------

    def start_club(self, name: str, passcode: str, author: str = "") -> None:
        """Start a club from the first page; leaves the phone on the club's page."""
        self.page.goto("/start")
        self.page.get_by_label("Club name").fill(name)
        self.page.get_by_label("Passcode").fill(passcode)
        self.page.get_by_label("Your name").fill(author)
        self._tap(self.page.get_by_role("button", name="Start the club"))
        self.page.get_by_role("heading", name=name, exact=True).wait_for()

    def enter_club(self, name: str, passcode: str, author: str = "") -> None:
        """Enter a club by its passcode; leaves the phone on the club's page."""
        self.page.goto("/enter")
        self.page.get_by_label("Club name").fill(name)
        self.page.get_by_label("Passcode").fill(passcode)
        self.page.get_by_label("Your name").fill(author)
        self._tap(self.page.get_by_role("button", name="Enter", exact=True))
        self.page.get_by_role("heading", name=name, exact=True).wait_for()

    def viewer_link(self) -> str:
        """Read the viewer link off the share page of the club at hand; make one where there is none."""
        self.page.goto(f"{self._club_path()}/share")
        making = self.page.get_by_role("button", name="Make a viewer link")
        if making.count():
            self._tap(making)
        return self.page.get_by_label("Viewer link").input_value()

    # --- the session ----------------------------------------------------------------------------

    def start_session(
        self,
        players: Iterable[str],
        *,
        game: str,
        tariff: str | None = None,
        first_dealer: str | None = None,
        title: str = "",
        stack: int | None = None,
    ) -> None:
        """Start a session in the club at hand; leaves the phone on its scoreboard.

        `players` sit clockwise; `game` and `tariff` are titles, `Six-Bid Solo` and `Pagat`;
        `stack` is the chips each starts with, where these are not the ones proposed.
        """
        page = self.page
        page.goto(f"{self._club_path()}/sessions/new")
        members = page.get_by_role("group", name="Players of the club")
        for number, name in enumerate(players, 1):
            known = members.get_by_role("button", name=name, exact=True)
            if known.count():
                self._tap(known)
            else:
                page.get_by_label("Somebody new").fill(name)
                self._tap(page.get_by_role("button", name="Add", exact=True))
            seated = page.get_by_role("list", name="At the table").get_by_role("listitem")
            expect(seated).to_have_count(number)
        self._choose_rules(game, tariff)
        if first_dealer is not None:
            self._choose("Who deals first", first_dealer)
        if stack is not None:
            self._open("Chips and money")
            page.get_by_label("Each starts with").fill(str(stack))
        page.get_by_label("Title").fill(title)
        self._tap(page.get_by_role("button", name="Start the session"))
        page.get_by_role("table", name="Standings").wait_for()

    def change_rules(self, *, game: str, tariff: str | None = None) -> None:
        """Play by another game or tariff from the next hand on; leaves the phone on the scoreboard."""
        self.page.goto(f"{self.session_path()}/rules")
        self._choose_rules(game, tariff)
        self._tap(self.page.get_by_role("button", name="Use these rules"))
        self.page.get_by_role("table", name="Standings").wait_for()

    def _choose_rules(self, game: str, tariff: str | None) -> None:
        for folded in self.page.locator("#rules:not([open]) > summary").all():
            folded.click()
        self._choose("Game", re.compile(f"^{re.escape(game)}"))
        if tariff is not None:
            if not self.javascript:
                with self.page.expect_navigation():
                    self._tap(self.page.get_by_role("button", name="Show this game's house rules"))
            self._choose("Tariff", re.compile(f"^{re.escape(tariff)}"))

    def session_path(self) -> str:
        """The path of the session of the open page."""
        match = re.search(r"/clubs/\d+/sessions/\d+", self.page.url)
        assert match, f"{self.page.url} is no session's page"
        return match[0]

    def _club_path(self) -> str:
        match = re.search(r"/clubs/\d+", self.page.url)
        assert match, f"{self.page.url} is no club's page"
        return match[0]

    # --- a hand ---------------------------------------------------------------------------------

    def open_hand(self) -> None:
        """Open the form of the next hand from the scoreboard: one tap, which is not counted as scoring."""
        if not re.search(r"/sessions/\d+(\?.*)?$", self.page.url):
            self.page.goto(self.session_path())
        self.page.get_by_role("button", name="Score a hand").click()
        self.page.get_by_role("group", name=BIDDER).wait_for()
        self.page.locator("#hand[data-looks-up]" if self.javascript else "#hand").wait_for()
        self.page.wait_for_load_state()

    def score_hand(self, hand: Mapping[str, Any]) -> dict[str, int]:
        """Score a hand, given as a hand record: tap it in, read the payout shown, save.

        Takes `contract` and, as they are there, `dealer`, `active`, `points`, `points_against`,
        `tricks_won`, `made`, `conceded` and `note`. A dealer or a trio is tapped only where it differs
        from what the form proposes. Returns each player's gain or loss in the payout; leaves the
        phone on the scoreboard.
        """
        self.open_hand()
        self.taps = 0
        self.fill_hand(hand)
        shown = self.payout()
        self.save()
        return shown

    def fill_hand(self, hand: Mapping[str, Any]) -> None:
        """Tap a hand into the form that is open, and wait for its payout."""
        contract = hand.get("contract", {})
        if "dealer" in hand or "active" in hand:
            self._seat(hand.get("dealer"), hand.get("active"))
        if contract.get("bid") == "pass":
            self._choose(BIDDER, "All passed")
        else:
            self._choose(BIDDER, contract["bidder"])
            self._choose_value("Bid", contract["bid"])
            self._settle()
            if "conceded" in hand:
                self._open("Given up early?")
                self._choose("Given up early?", f"By the {hand['conceded']}")
            if contract.get("trump"):
                self._reach("Trump")
                if self._offered(self._group("Trump")):
                    self._choose("Trump", SUITS[contract["trump"]])
            if contract.get("called"):
                self._call(contract["called"])
            if contract.get("alone"):
                self._reach("Partner")
            if contract.get("alone") and self._offered(self._group("Partner")):
                self._choose("Partner", "Alone (own card)")
            elif contract.get("partner"):
                self._choose("Partner", contract["partner"])
            if "made" in hand:
                self._choose("Made or lost?", "Made" if hand["made"] else "Lost")
            for key, label in (
                ("points", "Card points"),
                ("points_against", "or the others'"),
                ("tricks_won", "Tricks won"),
            ):
                field = self.page.get_by_label(label, exact=True)
                if key in hand:
                    self._reach("Card points")
                if key in hand and self._offered(field):
                    self._type(field, str(hand[key]))
        if hand.get("note"):
            self._open("Add a note")
            self._type(self.page.get_by_label("Note", exact=True), hand["note"])
        if not self.javascript:
            self._show()
        self.page.get_by_role("region", name="Payout").wait_for()

    def payout(self) -> dict[str, int]:
        """Return each player's gain or loss in the payout, once it is that of the latest answers."""
        answered(self.page)
        return _figures(
            self.page.get_by_role("region", name="Payout").locator("tbody tr"),
            "th[scope=row]",
            "td",
        )

    def save(self) -> str:
        """Tap the button that saves a hand; return the notice."""
        self._tap(self.page.get_by_role("button", name=re.compile(r"^Save ")))
        notice = self.page.get_by_role("status").filter(
            has_text=re.compile(r"^\s*Hand \d+ (saved|corrected)")
        )
        notice.wait_for()
        return notice.inner_text()

    def correct(self, number: int, hand: Mapping[str, Any], reason: str) -> dict[str, int]:
        """Correct a hand to `hand` (whole, as for `score_hand`); return the payout on the page."""
        self.page.goto(f"{self.session_path()}/hands/{number}/correct")
        self.fill_hand(hand)
        self.page.get_by_label("Reason for the correction").fill(reason)
        shown = self.payout()
        self.save()
        return shown

    def void(self, number: int, reason: str) -> None:
        """Void a hand; leaves the phone on the history."""
        self.page.goto(f"{self.session_path()}/hands/{number}/void")
        self.page.get_by_label("Reason").fill(reason)
        self._tap(self.page.get_by_role("button", name=f"Void hand {number}"))
        self.page.get_by_role("status").filter(has_text=f"Hand {number} is void").wait_for()

    # --- the session --------------------------------------------------------------------------------

    def balances(self) -> dict[str, int]:
        """Read the standings off the scoreboard."""
        self.page.goto(self.session_path())
        return self.balances_here()

    def balances_here(self) -> dict[str, int]:
        """Read the standings off the page that is open."""
        standings = self.page.get_by_role("table", name="Standings")
        return _figures(standings.locator("tbody tr"), "th[scope=row]", "td:last-of-type .amount")

    def dealer(self) -> str:
        """Return the next dealer, from the scoreboard."""
        return self.page.locator(".turn .who").first.inner_text()

    def download_report(self, folder: Path) -> Path:
        """Tap the report; return the PDF that came, under the name it was given."""
        self.page.goto(self.session_path())
        with self.page.expect_download() as coming:
            self.page.get_by_role("link", name="Report (PDF)").click()
        target = folder / coming.value.suggested_filename
        coming.value.save_as(target)
        return target

    def close_session(self) -> None:
        """Close the session from its scoreboard."""
        self.page.goto(self.session_path())
        self._open("Close the session")
        self._tap(self.page.get_by_role("button", name="Close the session"))
        self.page.get_by_role("button", name="Reopen the session").wait_for()

    # --- the fingers ----------------------------------------------------------------------------

    def _tap(self, what: Locator) -> None:
        self.taps += 1
        what.click()
        self.page.wait_for_load_state()  # of another page, which comes without JavaScript

    def _type(self, field: Locator, text: str) -> None:
        """Type into a field and leave it, which asks for the payout at once."""
        field.fill(text)
        field.blur()
        if self.javascript:
            self._settle()

    def _reach(self, legend: str | re.Pattern[str]) -> None:
        """Open a question of the hand again, or before its turn, where another is the one that is open."""
        opener = opener_of(self.page, legend)
        if opener.count():
            self._tap(opener)

    def _group(self, legend: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("group", name=legend, exact=isinstance(legend, str))

    def _offered(self, what: Locator) -> bool:
        """Whether the page offers something, once it has answered the tap before."""
        self._settle()
        return what.count() > 0 and what.is_visible()

    def _settle(self) -> None:
        if self.javascript:
            answered(self.page)
        else:
            self._show()

    def _show(self) -> None:
        """Ask for the page as it now stands, which is another page without JavaScript."""
        with self.page.expect_navigation():
            self._tap(self.page.get_by_role("button", name="Show the payout"))

    def _choose(self, legend: str | re.Pattern[str], name: str | re.Pattern[str]) -> None:
        self._reach(legend)
        radio = self._group(legend).get_by_role("radio", name=name, exact=isinstance(name, str))
        self._check(radio)

    def _choose_value(self, legend: str, value: str) -> None:
        self._reach(legend)
        self._check(self._group(legend).locator(f'input[value="{value}"]'))

    def _check(self, radio: Locator) -> None:
        if not self.javascript and not radio.count():
            self._show()  # without JavaScript, the questions that follow from a choice are requested
        if not radio.is_checked():
            self.taps += 1
            radio.check()
        if self.javascript:
            self._settle()

    def _open(self, summary: str) -> None:
        details = self.page.locator("details", has=self.page.locator("summary", has_text=summary))
        if details.first.get_attribute("open") is None:
            self._tap(details.first.locator("summary"))

    def _call(self, code: str) -> None:
        self._reach("Called card")
        radio = self._group("Called card").get_by_role(
            "radio", name=card_name(code), exact=True, include_hidden=True
        )
        if not self.javascript and not radio.count():
            self._show()
        radio.wait_for(state="attached")
        if not radio.is_visible():
            self._open("Another suit")
        self._check(radio)

    def _seat(self, dealer: str | None, active: Iterable[str] | None) -> None:
        """Set dealer and trio where the form proposes others."""
        if dealer is not None:
            radio = self._hidden("Dealer").get_by_label(dealer, exact=True)
            if not radio.is_checked():
                self._open("deals")
                self._choose("Dealer", dealer)
                self._settle()
        if active is not None:
            chosen = set(active)
            boxes = self._hidden("Playing this hand").locator("input").all()
            differing = [box for box in boxes if (box.input_value() in chosen) != box.is_checked()]
            if differing:
                self._open("deals")
                for box in differing:
                    self._tap(box)
                    self._settle()

    def _hidden(self, legend: str) -> Locator:
        """Find a group also while its disclosure is closed."""
        return self.page.locator("fieldset").filter(
            has=self.page.locator("legend").get_by_text(legend, exact=True)
        )
