"""Applies a correction to a stored record, so that details which the form does not show are kept.

The form of a hand recorded with its tricks shows them, and each card can be corrected. Other cards and calls
are kept while they agree with the form. A form without the tricks states the result instead; if it differs
from that of the cards, it can only replace them all, which the scorer must confirm.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from engine.errors import Refused
from engine.record import HandRecord
from engine.record.fields import to_mapping
from engine.record.incidents import OUT_OF_TURN, SIDES
from engine.record.results import MADE, RESULT
from engine.replay.replay import replay
from engine.rules.changes import VERSION
from engine.rules.sheet import Rules
from engine.rules.verdict import Outcome
from engine.scoring.score import score
from ledger.services.hands import rename
from ledger.services.hands.draft import HandDraft
from ledger.services.hands.turn import BLIND_ROUND
from ledger.services.session.hand_versions import HandVersion
from ledger.web.hand.fields import CARDS as CARDS_PLAYED
from ledger.web.hand.fields import CLAIMED_BY, DERIVED
from ledger.web.hand.form import HandForm

TRICKS = "tricks"

PLAYED = (CARDS_PLAYED, CLAIMED_BY)
"""The fields of the play."""

CARDS = ("deal", "spit", "auction", "exchange", "tricks")
"""The keys of a record for cards and calls; the form shows only their result."""

COUNTS = ("points", "points_against", "tricks_won")
"""The counts to remove when a form states instead that the contract was made or lost, or the reverse."""

_OF_THE_SESSION = (
    *("format", "game", "rules", "options", "players", "pots", "played_at"),
    BLIND_ROUND,
)
_PLAIN = {*_OF_THE_SESSION, "dealer", "active", "contract", "note", *RESULT} - {"pots", BLIND_ROUND}
"""The keys of a record that its form shows, or that a payout does not depend on."""

_PLAYED = {"tricks", "deal", "auction", "claimed"}
"""The keys that its form shows as well if the record has tricks."""

_SHOWN_RESULTS = tuple(
    key.name for key in RESULT.values() if key.contradiction and not key.other_side_of
)


@dataclass(frozen=True)
class RecordCorrection:
    """A stored hand to be corrected: its ``record`` and what it ``paid``, with the players' current names.

    ``rules`` are those of the engine ``version`` that scored it.
    """

    rules: Rules
    record: Mapping[str, Any]
    version: str
    paid: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, version: HandVersion, names: Sequence[str]) -> "RecordCorrection":
        """Build from a stored version and the current names of its players."""
        record = rename.called_now(version.record, names)
        paid = dict(zip(names, version.deltas.values(), strict=True))
        return cls(version.rules, record, version.rules_version, paid)

    @property
    def is_plain(self) -> bool:
        """Whether the hand has only what its form shows, and is scored as hands are now."""
        is_played = TRICKS in self.record
        claim = self.record.get("claimed", {})
        is_shown = self.record.keys() <= (_PLAIN | _PLAYED if is_played else _PLAIN)
        is_shown &= claim.keys() <= {"by", "after"} and claim.get("by", SIDES[0]) in SIDES
        return is_shown and self.version == VERSION

    # Cached for the benchmark tapping: the cards are replayed once for a page.
    @cached_property
    def form(self) -> HandForm:
        """The form of the stored record with its tricks, or without recorded tricks that with the result."""
        contract, claim = self.record.get("contract", {}), self.record.get("claimed")
        if not self.record.get("tricks"):
            return self.result_form
        is_plain = "bidder" in contract and (claim is None or claim["by"] in SIDES)
        record = self.record if is_plain else self._with_result()
        return HandForm.of_record(self.rules, self.record["players"], record).fitted

    @property
    def result_form(self) -> HandForm:
        """The form of the stored record without its tricks, with their result."""
        form = HandForm.of_record(self.rules, self.record["players"], self._with_result())
        chosen = {name: text for name, text in form.chosen.items() if name not in PLAYED}
        return replace(form, chosen=chosen, left_open=()).fitted

    def applied_to(self, form: HandForm) -> tuple[HandDraft, str | None]:
        """Return the draft of a form laid over the record, and the error if it contradicts its cards.

        A draft without tricks that contradicts them is returned without any cards. The error is None if it is
        impossible even then.
        """
        draft = form.draft
        if TRICKS in draft:
            return self._over(self.form.draft, draft), None
        recorded = self.result_form.draft
        over = self._over(recorded, draft)
        if draft == recorded or not any(key in self.record for key in CARDS):
            return over, None
        against = self._violation(over)
        result = {key: value for key, value in draft.items() if key not in CARDS}
        if against is None or self._violation(result) is not None:
            return (over if against is None else result), None
        return result, against

    def _with_result(self) -> Mapping[str, Any]:
        """Return the record with the result that follows from its cards."""
        record = HandRecord.from_mapping(self.record)
        if not record.has_cards:
            return {**self.record, **self._outcome(record, self.record.get("contract", {}))}
        plan = self.rules.plan(record.players, record.dealer, record.active)
        replayed = replay(self.rules, plan, record, [])
        result = replayed.result._asdict()
        more = {key: result[key] for key in _SHOWN_RESULTS if result[key] is not None}
        contract = to_mapping(replayed.contract) if replayed.contract else {}
        return {**self.record, **more, **self._outcome(record, contract), "contract": contract}

    def _outcome(self, record: HandRecord, contract: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return whether a contract with one price was made, as the form asks only for that; else nothing."""
        bid = self.rules.by_slug.get(str(contract.get("bid")))
        if bid is None or not bid.is_flat or record.conceded or record.made is not None:
            return {}
        return {MADE: score(record, self.version).outcome is Outcome.WON}

    def _over(self, displayed: HandDraft, draft: HandDraft) -> dict[str, Any]:
        """Return the record with the form's changes of the values that it showed."""
        stored = {key: value for key, value in self.record.items() if key not in _OF_THE_SESSION}
        outdated: tuple[str, ...] = COUNTS if displayed.get(MADE) != draft.get(MADE) else ()
        contract = dict(stored.pop("contract", {}))
        if TRICKS in draft and displayed.get(TRICKS) != draft[TRICKS]:
            outdated = DERIVED
            contract = {key: contract[key] for key in contract.keys() - {"partner", "alone"}}
            draft = {**draft, TRICKS: self._with_leaders(draft[TRICKS])}
        stored = {key: value for key, value in stored.items() if key not in outdated}
        parts = {"contract": contract, "claimed": stored.get("claimed", {})}
        merged = _merge(stored, displayed, draft)
        for key, part in parts.items():
            merged[key] = _merge(part, displayed.get(key, {}), draft.get(key, {}))
        return {key: value for key, value in merged.items() if value or key not in parts}

    def _with_leaders(self, tricks: Sequence[str]) -> list[Any]:
        """Return corrected tricks, with the recorded leaders of those that were led out of turn."""
        record = HandRecord.from_mapping(self.record)
        leaders = {number: trick.leader for number, trick in enumerate(record.tricks or (), 1)}
        out_of_turn = {one.trick for one in record.irregular or () if one.what == OUT_OF_TURN}
        return [
            {"leader": leaders[number], "cards": cards}
            if number in out_of_turn and leaders.get(number)
            else cards
            for number, cards in enumerate(tricks, 1)
        ]

    def _violation(self, draft: HandDraft) -> str | None:
        """Return the first message of the engine if the hand is impossible, else None."""
        session = {key: value for key, value in self.record.items() if key in _OF_THE_SESSION}
        try:
            score(HandRecord.from_mapping({**session, **draft}), self.version)
        except Refused as refused:
            return refused.violations[0].message
        return None


def _merge(stored: HandDraft, displayed: HandDraft, draft: HandDraft) -> dict[str, Any]:
    """Return the stored values, with those of the draft that differ from the shown ones.

    A shown value that the draft lacks is removed.
    """
    values = {
        key: stored.get(key) if draft.get(key) == displayed.get(key) else draft.get(key)
        for key in {**stored, **draft}
    }
    return {key: value for key, value in values.items() if value is not None}
