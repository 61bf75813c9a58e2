"""The chips and the money as the people at the table use them: `Treasurer` taps next to a `ScorerPhone`.

The contract of these pages, by role and visible name:

- `The table`: a line a seat, behind it `Sits out` or `Is back`, and `Leaves…`; `Somebody joins` holds
  the groups `Who` and `Sits to the left of` and the field `Somebody new` (`Name` where the club has
  nobody else);
- `Bank`: the groups `The bank` (`Lends`, `Takes back`, `Adds`, `Removes`) and `Player`, the field
  `Chips`, the button `Move the chips`;
- `Count chips`: a field `Ann, chips of 5` a player and chip, with `… 1 more` and `… 1 less` next to it;
  then `Record only` and `Post the difference`;
- `Settle up`: `This many chips`, `are worth (EUR)`, `Agree on this rate`; then `Cash in chips`;
- `Money`: a line a payment, behind it the amount and `Paid`; a player's line leads to the statement;
- `Undo…` on the scoreboard, then the button that names the step.
"""

import re
from collections.abc import Mapping

from playwright.sync_api import Page, expect

from tests.browser.pages import ScorerPhone


class Treasurer:
    """The keeper of the chips, on the scorer's phone."""

    def __init__(self, scorer: ScorerPhone) -> None:
        self.scorer = scorer
        self.page: Page = scorer.page
        self.session = scorer.session_path()
        self.club = self.session.split("/sessions")[0]

    def lend(self, player: str, chips: int) -> None:
        """Let a player borrow from the bank."""
        page = self._open("bank")
        self._choose("The bank", "Lends")
        self._choose("Player", player)
        page.get_by_label("Chips", exact=True).fill(str(chips))
        page.get_by_role("button", name="Move the chips").click()
        self._done(f"The bank has lent {player} {chips:,} chips.")

    def join(self, player: str, after: str) -> None:
        """Seat somebody new."""
        page = self._open("table")
        page.get_by_text("Somebody joins").click()
        page.locator("#new_name").fill(player)
        self._choose("Sits to the left of", after)
        page.get_by_role("button", name="Joins the table").click()
        self._done(f"{player} has joined")

    def leave(self, player: str) -> str:
        """Cash a player out; return the page's text before."""
        page = self._open("table")
        page.locator("summary", has_text=player).first.click()
        page.locator("li", has_text=player).get_by_role("button", name="Leaves…").click()
        quote = page.get_by_role("region", name="Cashing out")
        expect(quote).to_contain_text(re.compile(r"\w"))
        page.wait_for_load_state()
        text = quote.inner_text()
        page.get_by_role("button", name="Cash out").click()
        self._done(f"{player} has cashed out")
        return text

    def count(self, counts: Mapping[str, Mapping[int, int]], *, says: str, post: bool) -> None:
        """Count chips as they lie on the table, wait for the totals, and record the count."""
        page = self._open("count")
        for player, pieces in counts.items():
            group = page.locator("details[name=counted]").filter(has_text=player)
            if group.get_attribute("open") is None:
                group.locator("summary").click()
            for value, number in pieces.items():
                field = page.get_by_role("textbox", name=f"{player}, chips of {value}", exact=True)
                field.fill(str(number))
        if self.scorer.javascript:
            page.locator("h1").click()
        else:
            page.get_by_role("button", name="Compare with the ledger").click()
        expect(page.locator("#sum")).to_contain_text(says)
        name = "Post the difference" if post else re.compile("note", re.IGNORECASE)
        page.get_by_role("button", name=name).click()
        self._done("The count is recorded")

    def agree(self, chips: int, worth: str) -> None:
        """Agree on the value of chips."""
        page = self._open("settle")
        page.get_by_label("This many chips").fill(str(chips))
        page.get_by_label("are worth").fill(worth)
        page.get_by_role("button", name="Agree on this rate").click()
        self._done("The rate is agreed on")

    def convert(self) -> dict[str, str]:
        """Cash in the chips; return each player's money as announced."""
        page = self._open("settle")
        rows = page.get_by_role("table", name="What everybody gets").locator("tbody tr").all()
        said = {
            row.get_by_role("rowheader").inner_text(): row.locator("td").last.inner_text()
            for row in rows
        }
        page.get_by_role("button", name="Cash in chips").click()
        self._done("cashed in")
        return said

    def payments(self) -> list[str]:
        """Read the payments that would settle it: "Bob pays Ann 0.50"."""
        self.page.goto(f"{self.club}/money")
        lines = self.page.get_by_role("list", name="Payments to make").locator("summary").all()
        return [" ".join(line.inner_text().split()) for line in lines]

    def pay(self, line: str, amount: str | None = None) -> None:
        """Mark a payment as made, or a part of it."""
        self.page.goto(f"{self.club}/money")
        payer, payee, _ = re.split(" pays | (?=[0-9.,]+$)", line)
        item = self.page.locator("li", has_text=re.compile(f"{payer} pays\\s+{payee}")).first
        item.locator("summary").click()
        if amount is not None:
            item.get_by_label("Paid, in").fill(amount)
        item.get_by_role("button", name="Paid").click()
        self._done("Payment recorded")

    def statement(self, player: str) -> str:
        """Read a player's statement in one line."""
        self.page.goto(f"{self.club}/players")
        self.page.locator("summary", has_text=player).first.click()
        self.page.get_by_role("navigation", name=player, exact=True).get_by_role(
            "link", name="Statement"
        ).click()
        self.page.get_by_role("list", name="Statement").wait_for()
        return " ".join(self.page.locator("main").inner_text().split())

    def undo(self) -> str:
        """Undo the last step, from the scoreboard: two taps; return the label of the second button."""
        self.page.goto(self.session)
        self.page.get_by_role("button", name="Undo…").tap()
        confirm = self.page.get_by_role("button", name=re.compile("^Undo "))
        text = confirm.inner_text()
        confirm.tap()
        self._done("Undone")
        return text

    def in_hand(self) -> dict[str, int]:
        """Read the chips in hand off the scoreboard."""
        self.page.goto(self.session)
        rows = self.page.get_by_role("table", name="Standings").locator("tbody tr").all()
        return {
            row.locator("th bdi").inner_text(): int(
                row.locator("td").nth(-2).inner_text().replace("\u2212", "-").replace(",", "")
            )
            for row in rows
        }

    def _open(self, where: str) -> Page:
        self.page.goto(f"{self.session}/{where}")
        return self.page

    def _choose(self, legend: str, name: str) -> None:
        group = self.page.get_by_role("group", name=legend, exact=True)
        group.get_by_role("radio", name=name).first.check()

    def _done(self, said: str) -> None:
        self.page.get_by_role("status").filter(has_text=said).wait_for()
