"""The hand form as a value: read from what was sent or from a record, and the draft it comes to.

What was chosen and is no longer on offer (another bid was tapped since) is dropped by ``fitted``. Saving
takes what was sent as it stands, so that the engine refuses what no page offered.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from werkzeug.datastructures import MultiDict

from engine.record import PASS
from engine.rules.sheet import Rules
from engine.rules.turns import Turn
from ledger import digits
from ledger.services.hands.lead import KEY as LEAD
from ledger.services.hands.lead import dealer_for
from ledger.services.hands.turn import BLIND_ROUND, of_hand
from ledger.web.fields import FIELDS, MARKS, MORE_FIELDS, NO, SWITCHES, YES
from ledger.web.hand_choices import ALONE, LOST, NOBODY, PLAYED_ON, STOPPED, Offers


@dataclass(frozen=True, slots=True)
class HandForm(Offers):
    """A hand being written down."""

    @classmethod
    def read(
        cls,
        rules: Rules,
        names: Sequence[str],
        turn: Turn,
        form: MultiDict[str, str],
        *,
        as_sent: bool = False,
    ) -> "HandForm":
        """Read what was sent; ``turn`` says whose turn it is.

        A dealer nobody touched follows it, also when that has moved on since the page was made, unless it
        is to be taken ``as_sent``; so does a blind round that is as it was shown. A trio nobody touched, the
        one shown for the dealer in ``active_of``, follows the dealer. Another lead than the one shown,
        ``lead_of``, brings its dealer with it; where another dealer was chosen as well, both are passed on.
        """
        dealer = form.get("dealer") or turn.dealer
        if not as_sent and dealer == form.get("dealer_proposed"):
            dealer = turn.dealer
        shown, lead = form.get("active_of") or dealer, form.get(LEAD, "")
        led = lead in names and lead != form.get("lead_of", lead)
        if led and form.get("dealer", shown) == shown:
            dealer = dealer_for(lead, names)
        fields = {
            name: text
            for name in (*FIELDS, *MORE_FIELDS, *SWITCHES)
            if (text := form.get(name, "").strip())
        }
        if form.get(BLIND_ROUND) == form.get("blind_shown"):
            fields.pop(BLIND_ROUND, None)
        if led and dealer != dealer_for(lead, names):
            fields[LEAD] = lead
        marked = {name: tuple(sent) for name in MARKS if (sent := form.getlist(name))}
        made = cls(rules, tuple(names), turn, dealer, None, fields, marked)
        active = form.getlist("active")
        usual = replace(made, dealer=shown).table.active
        if led and lead not in active:
            return made
        if active and set(active) not in (set(usual), set(made.table.active)):
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
            partner = now_called.get(contract.get("partner"))
            fields = {
                **{key: contract.get(key) for key in ("bid", "trump", "called")},
                "bidder": now_called.get(contract.get("bidder")),
                "partner": ALONE if contract.get("alone") else partner,
                "announced_tout": YES if contract.get("announced_tout") else None,
            }
        for key in ("points", "points_against", "tricks_won", "matadors", "conceded", "note"):
            fields[key] = record.get(key)
        fields["asked_partner"] = YES if record.get("asked_partner") else None
        won = record.get("first_tricks_won")
        if record.get("stopped"):
            fields["first_tricks"] = STOPPED
        elif won is not None:
            fields["first_tricks"] = PLAYED_ON if won else LOST
        made = cls(
            rules,
            tuple(names),
            of_hand(rules, record, names),
            now_called[record["dealer"]],
            None,
            {key: str(value) for key, value in fields.items() if value is not None},
            {key: tuple(map(now_called.__getitem__, contract.get(key) or ())) for key in MARKS},
        )
        trio = None if active is None else tuple(now_called[name] for name in active)
        return (
            made
            if trio is None or set(trio) == set(made.table.active)
            else replace(made, active=trio)
        )

    # --- what it comes to -----------------------------------------------------------------------

    @property
    def fitted(self) -> "HandForm":
        """The same form without what is no longer on offer."""
        form = self
        for name, offer in _OFFERS.items():
            if name in form.chosen and form.chosen[name] not in offer(form):
                form = replace(form, chosen={k: v for k, v in form.chosen.items() if k != name})
        for name, able in (
            ("points", form.asks("points")),
            ("points_against", form.asks_points_against),
            ("tricks_won", form.asks("tricks_won")),
        ):
            if not able:
                form = replace(form, chosen={k: v for k, v in form.chosen.items() if k != name})
        for name, who in _MARKS.items():
            kept = tuple(each for each in who(form) if each in form.marked.get(name, ()))
            form = replace(form, marked={**form.marked, name: kept})
        return form

    @property
    def draft(self) -> dict[str, Any]:
        """The keys of the hand record that the form fills in.

        What is no number is passed on as text, for the engine to refuse it in its own words.
        """
        chosen = self.chosen
        draft: dict[str, Any] = {"dealer": self.dealer}
        if LEAD in self.chosen:
            draft[LEAD] = self.chosen[LEAD]
        blind = self.blind_round
        if blind != self.blind_under_way:
            draft[BLIND_ROUND] = False if blind is None else blind.to_mapping()
        if self.active is not None:
            draft["active"] = list(self.active)
        if contract := self._contract:
            draft["contract"] = contract
        for key in ("points", "points_against", "tricks_won"):
            if key in chosen:
                draft[key] = whole(chosen[key])
        theirs = draft.get("points_against")
        if "points" not in draft and isinstance(theirs, int) and self.asks_points_against:
            draft["points"] = self.rules.pack.total - theirs
        for key in ("matadors", "conceded", "note"):
            if key in chosen:
                draft[key] = chosen[key]
        if first := chosen.get("first_tricks"):
            draft["first_tricks_won"] = first != LOST
            if first == STOPPED:
                draft["stopped"] = True
        if "asked_partner" in chosen:
            draft["asked_partner"] = True
        return draft

    @property
    def _contract(self) -> dict[str, Any]:
        chosen = self.chosen
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
        order = self.opponents
        for key in MARKS:
            if names := self.marked.get(key):
                contract[key] = sorted(names, key=lambda n: order.index(n) if n in order else 99)
        if "announced_tout" in chosen:
            contract["announced_tout"] = True
        return contract

    @property
    def seal(self) -> str:
        """A print of the draft: what is saved must be what the payout was shown for."""
        return seal_of(self.draft)

    def complement(self, name: str) -> str:
        """What the other side's count would be: shown faintly where it may be typed."""
        theirs = whole(self.chosen.get(name, ""))
        total = self.rules.pack.total
        return str(total - theirs) if isinstance(theirs, int) and 0 <= theirs <= total else ""


_OFFERS: Mapping[str, Callable[[HandForm], Sequence[str] | Mapping[str, str]]] = {
    "bidder": lambda form: form.bidders,
    "bid": lambda form: [bid.slug for bid in form.bids],
    "trump": lambda form: form.trumps,
    "called": lambda form: [str(card) for _, row in form.called_cards for card in row],
    "partner": lambda form: (*form.partners, *((ALONE,) if form.may_be_alone else ())),
    "conceded": lambda form: form.bid.concessions if form.bid else (),
    "announced_tout": lambda form: (YES,) if form.may_announce else (),
    "asked_partner": lambda form: (YES,) if form.may_ask_partner else (),
    "tricks_won": lambda form: form.tricks or (form.chosen["tricks_won"],),
    "matadors": lambda form: form.matadors,
    "first_tricks": lambda form: form.first_tricks,
    "blind_round": lambda form: (YES, NO) if form.may_be_blind else (),
}
"""What each input may hold, in the order in which one hangs on another."""

_MARKS: Mapping[str, Callable[[HandForm], Sequence[str]]] = {
    "doubled": lambda form: form.may_double,
    "redoubled": lambda form: form.may_be_redoubled,
}


_MOST_DIGITS = 100
"""Of a number that is read at all: nobody who types more means one."""


def seal_of(draft: Mapping[str, Any]) -> str:
    """Return a print of a draft."""
    text = json.dumps(draft, sort_keys=True, ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:16]


def whole(text: str) -> int | str:
    """Read a whole number as people type one; anything else stays text.

    However long it is, it is read whole: half a number is another number, and what is too many is refused
    by whoever knows how many there can be.

    >>> whole(" 74 "), whole("−3"), whole("٧٤"), whole("9223372036854775807"), whole("abc")
    (74, -3, 74, 9223372036854775807, 'abc')
    """
    plain = digits.western(text.strip())
    amount = plain.removeprefix("-")
    return int(plain) if amount.isdecimal() and len(amount) <= _MOST_DIGITS else text
