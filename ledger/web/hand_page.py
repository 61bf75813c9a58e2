"""The page that a hand form stands on: read what was sent, show what it comes to.

The payout is always seen before it is saved: the form carries a print (``seen``) of the draft whose
payout its page showed, and one that says something else by now shows its payout first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, request

from engine import games
from ledger.problems import AlreadyVoid, Conflict, Fault, Invalid
from ledger.services import corrections, hands, history, paying
from ledger.services.changes import Unchanged
from ledger.services.chips import ChipPayment
from ledger.services.preview import Preview
from ledger.services.sessions import SessionView
from ledger.services.summary import HandLine
from ledger.web.door import Errors, Here, errors_of, sent_key, sent_revision
from ledger.web.form import INPUTS, LABELS, HandForm

_MISSING = "-missing"
"""How the codes end that say something is still to be said."""


@dataclass(frozen=True, slots=True)
class HandPage:
    """Whose session, and which hand is corrected (``None``: a new one is written down)."""

    here: Here
    view: SessionView
    correcting: int | None = None

    def read(self, *, as_sent: bool = False) -> HandForm:
        """Read the form sent, or make the one to begin with; ``as_sent`` takes its dealer, too."""
        if self.correcting is None:
            proposed = hands.propose(self.here.db, self.here.access, self.view.id).dealer
            return HandForm.read(
                self.view.rules, self.view.names, proposed, request.form, as_sent=as_sent
            )
        record, names = self._record(self.correcting)
        rules = games.find(record["game"]).rules(
            record.get("rules"), record.get("options", {}), len(names)
        )
        if request.method == "GET":
            return HandForm.of_record(rules, names, record)
        dealer = names[record["players"].index(record["dealer"])]
        return HandForm.read(rules, names, dealer, request.form, as_sent=as_sent)

    def _record(self, number: int) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        record, _, version = history.version_record(
            self.here.db, self.here.access, self.view.id, number
        )
        names = {seat.id: seat.name for seat in self.view.seats}
        return record, tuple(names[seat_id] for seat_id in version.seat_ids)

    def _seen_hands(self) -> str:
        """Return how many hands there were when the form was first shown."""
        return request.form.get("seen_hands") or str(self.view.hands_dealt)

    def preview(self, form: HandForm) -> Preview:
        """Score what the form says; nothing is saved."""
        to = (self.here.db, self.here.access, self.view.id)
        if self.correcting is None:
            return hands.preview(*to, form.draft)
        return corrections.preview(*to, self.correcting, form.draft)

    def save(self, form: HandForm) -> int:
        """Save what the form says; return the hand's number."""
        to = (self.here.db, self.here.access, sent_key(), self.view.id)
        revision = sent_revision()
        if self.correcting is None:
            answer = hands.record(*to, form.draft, revision=revision)
        else:
            answer = corrections.correct(
                *to,
                self.correcting,
                form.draft,
                reason=request.form.get("reason", ""),
                revision=revision,
            )
        return int(answer["hand"])

    def _in_chips(self, preview: Preview | None) -> list[ChipPayment]:
        """Say how the payout is paid in chips; nothing where the table has none, or writes anew."""
        if preview is None or preview.verdict is None or self.correcting is not None:
            return []
        if not any(seat.advanced for seat in self.view.present):
            return []
        names = {seat.name for seat in self.view.present}
        return paying.in_chips(
            self.here.db,
            self.here.access,
            self.view.id,
            [
                (transfer.payer, transfer.payee, transfer.amount)
                for transfer in preview.verdict.transfers
                if {transfer.payer, transfer.payee} <= names
            ],
        )

    def show(
        self,
        form: HandForm,
        status: int = 200,
        *,
        errors: Errors | None = None,
        live: bool = False,
        notice: str = "",
        meanwhile: Sequence[HandLine] = (),
        key: str | None = None,
        revision: int | None = None,
    ) -> Response:
        """Show the form with what may be chosen next and, once it is all there, the payout.

        ``live``: somebody is still at it, so nothing is called missing, nor half a number wrong.
        ``key`` and ``revision`` replace the ones sent, which stay otherwise.
        """
        form = form.fitted
        found, preview, missing = dict(errors or {}), None, []
        try:
            preview = self.preview(form)
        except Unchanged:
            missing = ["what was wrong"]
        except AlreadyVoid:
            raise
        except Conflict as conflict:
            found = {"": [conflict.message], **found}
        except Invalid as invalid:
            missing = _labels(invalid.faults)
            wrong = _wrong_so_far(invalid.faults, form) if live else invalid.faults
            found = (
                {**errors_of(Invalid(invalid.message, wrong), INPUTS), **found} if wrong else found
            )
        return self.here.page(
            "hand_form.html",
            status,
            view=self.view,
            form=form,
            errors=found,
            missing=missing,
            preview=preview,
            in_chips=self._in_chips(preview),
            correcting=self.correcting,
            number=self.correcting or self.view.hands_dealt + 1,
            balances={seat.name: seat.balance for seat in reversed(self.view.seats)},
            seen_hands=self.view.hands_dealt if revision else self._seen_hands(),
            reason=request.form.get("reason", ""),
            notice=notice,
            meanwhile=meanwhile,
            key=key or sent_key(),
            revision=revision or sent_revision() or self.view.revision,
        )


def _labels(faults: Sequence[Fault]) -> list[str]:
    """Name what is still to be said."""
    inputs = [INPUTS.get(fault.field, "") for fault in faults if fault.code.endswith(_MISSING)]
    return [LABELS[name] for name in inputs if name in LABELS]


def _wrong_so_far(faults: Sequence[Fault], form: HandForm) -> tuple[Fault, ...]:
    """Leave out what is only missing, and a single digit, which may be the first of more."""
    return tuple(
        fault
        for fault in faults
        if not fault.code.endswith(_MISSING) and not _begun(form, fault.field)
    )


def _begun(form: HandForm, field: str) -> bool:
    return field.startswith("points") and len(form.chosen.get(field, "")) == 1
