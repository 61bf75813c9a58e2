"""The page that a hand form stands on: read what was sent, show what it comes to.

The payout is seen before it is saved: the form carries a print (``seen``) of the draft whose payout its page
showed, and one that says something else now shows its payout first. A script that shows all that was said
may save before the payout has come, or where nobody answers: it says that it is ``UNSEEN``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from flask import Response, request

from engine.record.results import MADE, RESULT, ResultKind
from engine.rules.sheet import CHIPS, SCORE, Rules
from engine.words.sentences import later, say
from ledger.services.chips import hand_and_loan
from ledger.services.chips import payout as chips_payout
from ledger.services.chips.change import ChipPayment
from ledger.services.hands import correct, pots, turn, versions
from ledger.services.hands import record as hands_record
from ledger.services.hands.pots import BESIDE_SEATS
from ledger.services.hands.preview import Preview, balances
from ledger.services.reads.summary import HandLine
from ledger.services.session.view import SessionView
from ledger.web.frame.context import Here
from ledger.web.frame.figures import number_of
from ledger.web.frame.forms import Errors, errors_of
from ledger.web.hand import concurrent_hands
from ledger.web.hand.correction_form import COUNTS, Corrected, Draft, RecordCorrection
from ledger.web.hand.fields import INPUTS, YES
from ledger.web.hand.form import HandForm, seal_of
from ledger.words.problems import (
    AlreadyVoid,
    Conflict,
    Fault,
    Invalid,
    KeyReused,
    Problem,
    Stale,
    Unchanged,
)
from ledger.words.translation import term

REPLACE = "replace"
"""The input by which a scorer agrees that the result replaces the recorded cards."""

UNSEEN = "unseen"
"""Sent in place of the print where the payout had not come yet."""

MUST_AGREE = say("Confirm that the result replaces the cards, or make the two agree again.")

_SAME = later(
    "Hand {number} was recorded meanwhile, here or on another device, and says just what yours says. "
    "Is it the same hand?"
)

_NOTHING_CHANGED: list[str] = [say("what was wrong")]
"""What is still needed of a correction that is as the hand was."""

_MISSING = "-missing"
"""How the codes end that ask for something still missing."""


@dataclass(frozen=True)
class HandPage:
    """Whose session, and which hand is corrected (``None``: a new one is recorded)."""

    here: Here
    correcting: int | None = None

    @property
    def view(self) -> SessionView:
        """The session as it stands."""
        return self.here.view

    def again(self) -> "HandPage":
        """Return the page as it stands after a try to save."""
        return HandPage(self.here, self.correcting)

    @cached_property
    def correction(self) -> RecordCorrection | None:
        """The hand that is corrected, as it is recorded now."""
        return None if self.correcting is None else self._recorded(self.correcting)[0]

    def _recorded(self, number: int) -> tuple[RecordCorrection, str]:
        """Return a hand as it is recorded now, and its state."""
        version = versions.find(self.here.session, self.view, number)
        called = {seat.id: seat.name for seat in self.view.seats}
        names = tuple(called[seat_id] for seat_id in version.seat_ids)
        return RecordCorrection.of(version, names), version.state

    def same(self, form: HandForm) -> int | None:
        """Return which hand that was recorded since the form was begun says just what it says."""
        if self.correcting is not None:
            return None
        dealt = self.view.hands_dealt
        for number in concurrent_hands.since(concurrent_hands.begun_at(dealt), dealt):
            if concurrent_hands.is_same(form, *self._recorded(number)):
                return number
        return None

    @property
    def rules(self) -> Rules:
        """The rules that the hand was played by, or is to be."""
        return self.correction.rules if self.correction else self.view.rules

    @property
    def payout(self) -> str:
        """What the hand comes to, in a word: a payout, or a score where nobody pays."""
        return "payout" if self.rules.settlement.pays else "score"

    def read(self, *, as_sent: bool = False) -> HandForm:
        """Read the form sent, or make the one to begin with; ``as_sent`` takes its dealer, too."""
        old = self.correction
        if old is None:
            due = hands_record.propose(self.here.session, self.view.id)
            names: Sequence[str] = self.view.names
        else:
            if request.method == "GET":
                return old.form
            names = old.record["players"]
            due = turn.of_hand(self.rules, old.record, names)
        return HandForm.read(self.rules, names, due, request.form, as_sent=as_sent)

    def written(self, form: HandForm) -> Corrected:
        """Return the draft that a form comes to."""
        return self.correction.applied_to(form) if self.correction else Corrected(form.draft)

    def seal(self, written: Corrected) -> str:
        """Return the print of what the payout is shown for: all that saving would write but the note."""
        return seal_of({key: said for key, said in written.draft.items() if key != "note"})

    @property
    def replaces(self) -> bool:
        """Whether the scorer has agreed that the cards give way."""
        return request.form.get(REPLACE) == YES

    def _pots(self) -> Mapping[str, int]:
        """Say what the pots held before this hand's antes, at a table that plays for them."""
        if "pots" not in self.rules.keys:
            return {}
        if self.correction:
            held: Mapping[str, int] = self.correction.record["pots"]
            return held
        return pots.held(self.here.session, self.view.id)

    def _seen_hands(self) -> int:
        """Return how many hands its scorer was told of when the form was last shown."""
        seen = number_of(request.form.get("seen_hands"))
        return self.view.hands_dealt if seen is None else seen

    def preview(self, draft: Draft) -> Preview:
        """Score what the form says; nothing is saved."""
        dry_run = self.here.dry_run
        if self.correcting is None:
            return hand_and_loan.record(dry_run, self.here.session_id, self._lending(draft))
        return correct.correct(dry_run, self.here.session_id, self.correcting, draft)

    @property
    def lends(self) -> bool:
        """Whether the bank lends who is short: it is proposed, and a form that proposed it may say no."""
        return "lend" in request.form or "lend_proposed" not in request.form

    def _lending(self, draft: Draft) -> Draft:
        """Return the draft of a new hand that says whether the bank lends."""
        return {**draft, hand_and_loan.LEND: True} if self.lends else draft

    def save(self, form: HandForm) -> int:
        """Save what the form says; return the hand's number.

        Cards give way only with the scorer's consent: else raises ``Invalid``, as the service does.
        """
        draft, against = self.written(form)
        if against and not self.replaces:
            raise Invalid.at(REPLACE, "replaces-cards", MUST_AGREE)
        if self.correcting is None:
            lending = self._lending(draft)
            answer = hand_and_loan.record(self.here.write, self.here.session_id, lending)
        else:
            answer = correct.correct(
                self.here.write,
                self.here.session_id,
                self.correcting,
                draft,
                reason=request.form.get("reason", ""),
            )
        return int(answer["hand"])

    def _in_chips(self, preview: Preview | None) -> list[ChipPayment]:
        """Say how the payout is paid in chips; nothing where the table has none, or corrects a hand."""
        if preview is None or preview.verdict is None or self.correcting is not None:
            return []
        if not any(seat.lent for seat in self.view.present):
            return []
        names = {seat.name for seat in self.view.present} | BESIDE_SEATS.keys()
        return chips_payout.in_chips(
            self.here.session,
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
        whole: bool = True,
        notice: str = "",
        meanwhile: Sequence[HandLine] = (),
        problem: Problem | None = None,
    ) -> Response:
        """Show the form with what may be chosen next and, once it is all there, the payout.

        ``live``: somebody is still at it, so nothing is called missing, nor half a number wrong.
        ``problem`` is why it is shown again, where nothing that was typed is wrong. Not the ``whole``
        page: what the form comes to, for the script.
        """
        form = form.fitted
        written = self.written(form)
        found, preview = dict(errors or {}), None
        missing: list[str] = []
        try:
            preview = self.preview(written.draft)
        except Unchanged:
            missing = _NOTHING_CHANGED
        except AlreadyVoid:
            raise
        except Conflict as conflict:
            found = {"": [conflict.message], **found}
        except Invalid as invalid:
            missing = _labels(invalid.faults, form)
            wrong = _wrong_so_far(invalid.faults, form) if live else invalid.faults
            found = (
                {**wrong_inputs(Invalid(invalid.message, wrong), form), **found} if wrong else found
            )
        same = self.same(form)
        if same is not None and not isinstance(problem, KeyReused):
            notice = say(_SAME, number=same)
        reason = request.form.get("reason", "")
        if self.correcting is not None and not reason.strip() and missing != _NOTHING_CHANGED:
            missing = [*missing, say("the reason")]
        return self.here.page(
            "hand_form.html" if whole else "parts/hand_answer.html",
            found,
            status=status,
            form=form,
            seal=self.seal(written),
            against=written.against,
            replaces=self.replaces,
            payout=self.payout,
            pots=self._pots(),
            live=live,
            missing=missing,
            preview=preview,
            in_chips=self._in_chips(preview),
            lends=self.lends,
            same=same,
            begun=concurrent_hands.begun_at(self.view.hands_dealt),
            correcting=self.correcting,
            number=self.correcting or self.view.hands_dealt + 1,
            balances=balances(self.view, {}, CHIPS if self.payout == "payout" else SCORE),
            seen_hands=self.view.hands_dealt if isinstance(problem, Stale) else self._seen_hands(),
            reason=reason,
            notice=notice,
            meanwhile=meanwhile,
            problem=problem,
        )


def wrong_inputs(invalid: Invalid, form: HandForm) -> Errors:
    """Sort what is wrong by the form's inputs, in its words: bids by titles, one price made or lost."""
    rules = form.rules
    said = {
        "unknown-bid": say(_NO_BID, n=rules.seats, bids=[term(bid.title) for bid in rules.bids])
    }
    if form.asks(MADE):
        said |= {"points-missing": _NOT_SAID}
    faults = [
        replace(fault, message=said.get(fault.code, fault.message)) for fault in invalid.faults
    ]
    return errors_of(Invalid(invalid.message, faults), inputs_of(form))


def inputs_of(form: HandForm) -> Mapping[str, str]:
    """Say which input each place of a record belongs to; a count, where none is asked, to made or lost."""
    return {**INPUTS, **dict.fromkeys(COUNTS, MADE)} if form.asks(MADE) else INPUTS


_NOT_SAID = say("Say whether it was made or lost.")
_NO_BID = later("What was chosen is not a bid here; with {n} players the bids are {bids:and}.")


def _labels(faults: Sequence[Fault], form: HandForm) -> list[str]:
    """Name what is still needed, in the game's own words."""
    nouns = {each.name: each.noun for each in form.description.questions}
    places = inputs_of(form)
    inputs = [places.get(fault.field, "") for fault in faults if fault.code.endswith(_MISSING)]
    return [nouns[name] for name in inputs if name in nouns]


def _wrong_so_far(faults: Sequence[Fault], form: HandForm) -> tuple[Fault, ...]:
    """Leave out what is only missing, and a single digit, which may be the first of more."""
    return tuple(
        fault
        for fault in faults
        if not fault.code.endswith(_MISSING) and not _begun(form, fault.field)
    )


def _begun(form: HandForm, field: str) -> bool:
    key = RESULT.get(field)
    typed = key is not None and key.kind is ResultKind.WHOLE and not key.most
    return typed and len(form.chosen.get(field, "")) == 1
