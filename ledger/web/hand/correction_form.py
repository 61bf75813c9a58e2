"""A correction laid over the record: what the form leaves alone stays, including the cards.

A hand may have been recorded with its cards (by the API, from a file), of which the form shows only what
they come to. They stay while what the form says agrees with them; where it does not, they can only
give way to the result alone, which the scorer is told and has to agree to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import Refused
from engine.record import HandRecord
from engine.record.results import MADE, RESULT
from engine.replay.replay import has_cards, replay
from engine.rules.sheet import Rules
from engine.rules.verdict import Outcome
from engine.scoring.score import score
from ledger.services.hands import rename
from ledger.services.hands.draft import HandDraft
from ledger.services.hands.turn import BLIND_ROUND
from ledger.services.session.hand_versions import HandVersion
from ledger.web.hand.form import HandForm

CARDS = ("deal", "spit", "auction", "exchange", "tricks")
"""The keys of a record that hold cards and calls, of which the form shows only what they come to."""

COUNTS = ("points", "points_against", "tricks_won")
"""What goes where a contract that was counted is said to have been made or lost instead, or the other way."""

_OF_THE_SESSION = (
    *("format", "game", "rules", "options", "players", "pots", "played_at"),
    BLIND_ROUND,
)
_TOLD = tuple(key.name for key in RESULT.values() if key.contradiction and not key.other_side_of)


@dataclass(frozen=True)
class RecordCorrection:
    """A hand to be corrected: its ``record`` under the names that its players have now.

    ``rules`` are those of the engine ``version`` that scored it.
    """

    rules: Rules
    record: Mapping[str, Any]
    version: str

    @classmethod
    def of(cls, version: HandVersion, names: Sequence[str]) -> "RecordCorrection":
        """Return the correction of a stored hand, with the names that its players have now."""
        record = rename.called_now(version.record, names)
        return cls(version.rules, record, version.rules_version)

    @property
    def form(self) -> HandForm:
        """The form to begin with: what the record says, and what its cards tell."""
        names = self.record["players"]
        return HandForm.of_record(self.rules, names, self._told()).fitted

    def applied_to(self, form: HandForm) -> tuple[HandDraft, str | None]:
        """Return the draft of a form laid over the record, and the error if it contradicts the cards.

        A draft that contradicts the cards replaces them.
        """
        recorded, draft = self.form.draft, form.draft
        over = self._over(recorded, draft)
        if draft == recorded or not any(key in self.record for key in CARDS):
            return over, None
        against = self._refused(over)
        if against is None or self._refused(draft) is not None:
            return (over if against is None else draft), None
        return draft, against

    def _told(self) -> Mapping[str, Any]:
        """Return the record with what its cards tell."""
        record = HandRecord.from_mapping(self.record)
        if not has_cards(record):
            return {**self.record, **self._made(record, self.record.get("contract", {}))}
        plan = self.rules.plan(record.players, record.dealer, record.active)
        told = replay(self.rules, plan, record, [])
        result = told.result._asdict()
        more = {key: result[key] for key in _TOLD if result[key] is not None}
        contract = told.contract.to_mapping() if told.contract else {}
        return {**self.record, **more, **self._made(record, contract), "contract": contract}

    def _made(self, record: HandRecord, contract: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say whether a contract of one price was made, where it was counted: the form asks no more."""
        bid = self.rules.by_slug.get(str(contract.get("bid")))
        if bid is None or not bid.is_flat or record.conceded or record.made is not None:
            return {}
        return {MADE: score(record, self.version).outcome is Outcome.WON}

    def _over(self, shown: HandDraft, draft: HandDraft) -> dict[str, Any]:
        """Change what the form changed of what it showed; all else stays as it was written."""
        old = {key: value for key, value in self.record.items() if key not in _OF_THE_SESSION}
        if shown.get(MADE) != draft.get(MADE):
            old = {key: value for key, value in old.items() if key not in COUNTS}
        over = _changed(old, shown, draft)
        contract = _changed(*(each.get("contract", {}) for each in (old, shown, draft)))
        over.pop("contract", None)
        return {**over, "contract": contract} if contract else over

    def _refused(self, draft: HandDraft) -> str | None:
        """Say why the hand cannot have been so, or nothing where it can."""
        given = {key: value for key, value in self.record.items() if key in _OF_THE_SESSION}
        try:
            score(HandRecord.from_mapping({**given, **draft}), self.version)
        except Refused as refused:
            return refused.violations[0].message
        return None


def _changed(old: HandDraft, shown: HandDraft, draft: HandDraft) -> dict[str, Any]:
    """Take each key from the draft where it says something else than was shown, else from what was."""
    said = {
        key: old.get(key) if draft.get(key) == shown.get(key) else draft.get(key)
        for key in {**old, **draft}
    }
    return {key: value for key, value in said.items() if value is not None}
