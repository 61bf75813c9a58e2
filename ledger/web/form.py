"""The hand form as a value: what was chosen, what may be chosen next, and the draft it comes to.

Pure: it asks the game's ``Rules``, never which game it is. Nothing impossible is offered; what was
chosen and is no longer on offer (another bid was tapped since) is dropped by ``fitted``. Saving
takes what was sent as it stands, so that the engine refuses what no page offered.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from werkzeug.datastructures import MultiDict

from engine.cards import Card, Suit
from engine.contracts import PASS, Bid
from engine.errors import Refused
from engine.sheet import Rules
from engine.table import Table

NOBODY = "<nobody>"
"""Sent as the bidder where all passed. No player's name can hold a bracket."""

ALONE = "<alone>"
"""Sent as the partner where the caller called a card of their own."""

FIELDS = ("bidder", "bid", "trump", "called", "partner", "points", "points_against")
MORE_FIELDS = ("tricks_won", "conceded", "note")

INPUTS: Mapping[str, str] = {
    "contract": "bidder",
    "contract.bidder": "bidder",
    "contract.bid": "bid",
    "contract.trump": "trump",
    "contract.called": "called",
    "contract.partner": "partner",
    "contract.alone": "partner",
    "reason": "reason",
    "dealer": "dealer",
    "active": "active",
    "points": "points",
    "points_against": "points_against",
    "tricks_won": "tricks_won",
    "conceded": "conceded",
    "note": "note",
}
"""Which input of the form a place in the hand record belongs to."""

LABELS: Mapping[str, str] = {
    "bidder": "bidder",
    "bid": "bid",
    "trump": "trump",
    "called": "called card",
    "partner": "partner",
    "points": "card points",
    "tricks_won": "tricks won",
}


@dataclass(frozen=True, slots=True)
class HandForm:
    """A hand being written down. ``chosen`` holds the inputs by name, empty ones left out.

    ``proposed`` is the dealer by rotation, ``dealer`` the one this hand had; ``active`` the trio
    named in place of the one that follows from the dealer.
    """

    rules: Rules
    names: tuple[str, ...]
    proposed: str
    dealer: str
    active: tuple[str, ...] | None
    chosen: Mapping[str, str]

    @classmethod
    def read(
        cls,
        rules: Rules,
        names: Sequence[str],
        proposed: str,
        form: MultiDict[str, str],
        *,
        as_sent: bool = False,
    ) -> "HandForm":
        """Read what was sent.

        A dealer nobody touched follows the proposal, also when that has moved on since the page was
        made, unless it is to be taken ``as_sent``. A trio nobody touched, the one shown for the
        dealer in ``active_of``, follows the dealer.
        """
        dealer = form.get("dealer") or proposed
        if not as_sent and dealer == form.get("dealer_proposed"):
            dealer = proposed
        fields = {
            name: text for name in (*FIELDS, *MORE_FIELDS) if (text := form.get(name, "").strip())
        }
        made = cls(rules, tuple(names), proposed, dealer, None, fields)
        active = form.getlist("active")
        shown = replace(made, dealer=form.get("active_of") or dealer).table.active
        if active and set(active) not in (set(shown), set(made.table.active)):
            made = replace(made, active=tuple(active))
        return made

    @classmethod
    def of_record(cls, rules: Rules, names: Sequence[str], record: Mapping[str, Any]) -> "HandForm":
        """Fill the form from a record, whose players may be called otherwise by now."""
        now_called = dict(zip(record["players"], names, strict=True))
        contract = record.get("contract", {})
        active = record.get("active")
        if contract.get("bid") == PASS:
            fields: dict[str, Any] = {"bidder": NOBODY}
        else:
            fields = {
                **{key: contract.get(key) for key in ("bid", "trump", "called")},
                "bidder": now_called.get(contract.get("bidder")),
                "partner": ALONE
                if contract.get("alone")
                else now_called.get(contract.get("partner")),
            }
        for key in ("points", "points_against", "tricks_won", "conceded", "note"):
            fields[key] = record.get(key)
        return cls(
            rules,
            tuple(names),
            now_called[record["dealer"]],
            now_called[record["dealer"]],
            None if active is None else tuple(now_called[name] for name in active),
            {key: str(value) for key, value in fields.items() if value is not None},
        )

    # --- who sits where -------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The seats of this hand; the ones that follow from the dealer where others can't be."""
        try:
            return self.rules.table(self.names, self.dealer, self.active)
        except Refused:
            dealer = self.dealer if self.dealer in self.names else self.names[0]
            return self.rules.table(self.names, dealer)

    @property
    def some_sit_out(self) -> bool:
        """Whether more sit at the table than play."""
        return bool(self.table.idle)

    # --- what is on offer -----------------------------------------------------------------------

    @property
    def bid(self) -> Bid | None:
        """The bid chosen."""
        return self.rules.by_slug.get(self.chosen.get("bid", ""))

    @property
    def all_passed(self) -> bool:
        """Whether nobody bid."""
        return self.chosen.get("bidder") == NOBODY

    @property
    def bids(self) -> tuple[Bid, ...]:
        """The bids that this bidder could have made; before one is chosen, that anybody could."""
        if self.all_passed:
            return ()
        on_the_lead = self.chosen.get("bidder") == self.table.lead
        return tuple(bid for bid in self.rules.bids if on_the_lead or not bid.lead_only)

    @property
    def trumps(self) -> tuple[Suit, ...]:
        """The suits to choose from; one alone is not a choice."""
        return self.bid.trumps if self.bid and len(self.bid.trumps) > 1 else ()

    @property
    def trump(self) -> Suit | None:
        """The trump suit, chosen or said by the bid."""
        if self.bid and len(self.bid.trumps) == 1:
            return self.bid.trumps[0]
        return next((suit for suit in self.trumps if suit == self.chosen.get("trump")), None)

    @property
    def called_cards(self) -> list[tuple[Suit, tuple[Card, ...]]]:
        """The cards that may be called, high to low: the trump suit first, then the others."""
        if not self.bid or not self.bid.calls_card:
            return []
        suits = sorted(Suit, key=lambda suit: suit is not self.trump)
        return [
            (suit, tuple(sorted((c for c in self.rules.deck if c.suit is suit), reverse=True)))
            for suit in suits
        ]

    @property
    def called_elsewhere(self) -> bool:
        """Whether the called card is of another suit than the first row's."""
        rows = self.called_cards
        return (
            "called" in self.chosen
            and all(str(card) != self.chosen["called"] for card in rows[0][1])
            if rows
            else False
        )

    @property
    def partners(self) -> tuple[str, ...]:
        """Who may hold the called card besides the caller, clockwise."""
        if not self.bid or not self.bid.has_partner:
            return ()
        table = self.table
        bidder = self.chosen.get("bidder")
        return table.opponents(bidder) if bidder in table.active else table.active

    @property
    def asks_points(self) -> bool:
        """Whether the card points are still a question."""
        return bool(self.bid and self.bid.needs_points and "conceded" not in self.chosen)

    @property
    def asks_points_against(self) -> bool:
        """Whether the others' count says as much as the bidding side's."""
        return self.asks_points and bool(
            self.bid and self.bid.aim.counting.outside == frozenset({0})
        )

    @property
    def asks_tricks(self) -> bool:
        """Whether the tricks won matter."""
        return bool(self.bid and self.bid.needs_tricks_won and "conceded" not in self.chosen)

    def complement(self, name: str) -> str:
        """What the other side's count would be: shown faintly where it may be typed."""
        theirs = whole(self.chosen.get(name, ""))
        total = self.rules.pack.total
        return str(total - theirs) if isinstance(theirs, int) and 0 <= theirs <= total else ""

    # --- what it comes to -----------------------------------------------------------------------

    @property
    def fitted(self) -> "HandForm":
        """The same form without what is no longer on offer."""
        kept = dict(self.chosen)
        form = self
        offers = (
            ("bidder", lambda f: (*f.table.active, NOBODY)),
            ("bid", lambda f: tuple(bid.slug for bid in f.bids)),
            ("trump", lambda f: f.trumps),
            ("called", lambda f: tuple(str(c) for _, row in f.called_cards for c in row)),
            ("partner", lambda f: (*f.partners, ALONE) if f.partners else ()),
            ("conceded", lambda f: f.bid.concessions if f.bid else ()),
        )
        for name, offer in offers:
            if name in kept and kept[name] not in offer(form):
                del kept[name]
                form = replace(form, chosen=dict(kept))
        asked = {
            "points": form.asks_points,
            "points_against": form.asks_points_against,
            "tricks_won": form.asks_tricks,
        }
        kept = {name: text for name, text in kept.items() if asked.get(name, True)}
        return replace(form, chosen=kept)

    @property
    def draft(self) -> dict[str, Any]:
        """The keys of the hand record that the form fills in.

        What is no number is passed on as text, for the engine to refuse it in its own words.
        """
        chosen = self.chosen
        draft: dict[str, Any] = {"dealer": self.dealer}
        if self.active is not None:
            draft["active"] = list(self.active)
        contract: dict[str, Any] = {
            key: chosen[key] for key in ("bidder", "bid", "trump", "called") if key in chosen
        }
        if "trump" not in contract and self.trump:
            contract["trump"] = self.trump.value
        if self.all_passed:
            contract = {**contract, "bid": PASS}
            del contract["bidder"]
        if chosen.get("partner") == ALONE:
            contract["alone"] = True
        elif "partner" in chosen:
            contract["partner"] = chosen["partner"]
        if contract:
            draft["contract"] = contract
        for key in ("points", "points_against", "tricks_won"):
            if key in chosen:
                draft[key] = whole(chosen[key])
        theirs = draft.get("points_against")
        if "points" not in draft and isinstance(theirs, int) and self.asks_points_against:
            draft["points"] = self.rules.pack.total - theirs
        for key in ("conceded", "note"):
            if key in chosen:
                draft[key] = chosen[key]
        return draft

    @property
    def seal(self) -> str:
        """A print of the draft: what is saved must be what the payout was shown for."""
        text = json.dumps(self.draft, sort_keys=True, ensure_ascii=False)
        return sha256(text.encode()).hexdigest()[:16]


def whole(text: str) -> int | str:
    """Read a whole number as people type one; anything else stays text.

    >>> whole(" 74 "), whole("−3"), whole("abc")
    (74, -3, 'abc')
    """
    plain = text.strip().replace("\u2212", "-")
    digits = plain.removeprefix("-")
    return int(plain) if digits.isdecimal() and len(digits) < 10 else text
