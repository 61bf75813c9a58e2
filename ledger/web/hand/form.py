"""The hand form as a value: read from what was sent or from a record, and the draft it comes to.

What was chosen and is no longer on offer (another bid was tapped since) is dropped by ``fitted``. Saving
takes what was sent as it stands, so that the engine refuses what no page offered.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from werkzeug.datastructures import MultiDict

from engine.record import PASS
from engine.record.results import RESULT
from engine.rules.sheet import Rules
from engine.rules.turns import Turn
from ledger.services.hands.turn import BLIND_ROUND, LEAD, dealer_for, of_hand
from ledger.web.hand.choices import HandChoices
from ledger.web.hand.fields import FIELDS, MARKS, QUESTIONS, states
from ledger.web.hand.questions import ALONE, NOBODY


@dataclass(frozen=True)
class HandForm(HandChoices):
    """A hand being recorded."""

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

        A dealer nobody touched follows it, even if that has moved on since the page was made, unless it
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
        fields = {name: text for name in FIELDS if (text := form.get(name, "").strip())}
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
        """Fill the form from a record, whose players may have been renamed since."""
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
            }
        stated = {**contract, **record}
        for key in QUESTIONS:
            fields[key.name] = key.answer(stated) if key.choices else stated.get(key.name)
        fields["note"] = record.get("note")
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
        """The same form without what is no longer on offer, and with what is said unless told otherwise."""
        asked = {each.question.name: each.said for each in self.now.asked if each.said}
        described = {each.name for each in self.description.questions}
        others = {name: text for name, text in self.chosen.items() if name not in described}
        said = {name: values[0] for name, values in asked.items() if name not in MARKS}
        marked = {name: asked.get(name, ()) for name in MARKS}
        return replace(self, chosen={**others, **said}, marked=marked)

    @property
    def draft(self) -> dict[str, Any]:
        """The keys of the hand record that the form fills in.

        What is not a number is passed on as text, for the engine to refuse it in its own words.
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
        if "note" in chosen:
            draft["note"] = chosen["note"]
        draft.update((name, value) for name, value in self._result if not RESULT[name].in_contract)
        for question in self.description.questions:
            theirs = draft.get(question.instead)
            if self.asks(question.name) and question.name not in draft and isinstance(theirs, int):
                draft[question.name] = self.rules.pack.total - theirs
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
        contract.update((name, value) for name, value in self._result if RESULT[name].in_contract)
        return contract

    @property
    def _result(self) -> list[tuple[str, object]]:
        """The keys of the result that the answers state, also those that nobody asked for."""
        answers = (
            states(key, self.chosen[key.name]) for key in QUESTIONS if key.name in self.chosen
        )
        return [stated for answer in answers for stated in answer.items()]

    @property
    def seal(self) -> str:
        """A print of the draft: what is saved must be what the payout was shown for."""
        return seal_of(self.draft)


def seal_of(draft: Mapping[str, Any]) -> str:
    """Return a print of a draft."""
    text = json.dumps(draft, sort_keys=True, ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:16]
