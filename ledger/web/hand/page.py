"""The page of the hand form: it parses the submitted form and shows its payout.

The scorer sees the payout before saving: the form has a hash (``seen``) of the draft that its page showed the
payout for, and if the submitted draft differs, the page shows its payout first. The script may save before
the payout has arrived, or offline; it sends ``UNSEEN`` then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from flask import Response, request

from engine.record.results import MADE, RESULT, STOPPED, ResultKind
from engine.rules.sheet import CHIPS, SCORE, Rules
from engine.words.sentences import later, say
from ledger.services.chips import hand_and_loan
from ledger.services.chips import payout as chips_payout
from ledger.services.chips.change import ChipPayment
from ledger.services.hands import correct, pots, turn, versions
from ledger.services.hands import preview as previews
from ledger.services.hands.draft import HandDraft
from ledger.services.hands.pots import BESIDE_SEATS
from ledger.services.hands.preview import Preview
from ledger.services.reads import session
from ledger.services.reads.summary import HandLine
from ledger.services.session.view import SessionView
from ledger.web.frame.context import Here
from ledger.web.frame.figures import number_of
from ledger.web.frame.forms import Errors, errors_of
from ledger.web.hand import bidding, concurrent_hands, paste, payouts, play
from ledger.web.hand.correction_form import COUNTS, RecordCorrection
from ledger.web.hand.fields import CARDS, CLAIMED_BY, HANDS, INPUTS, YES
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
"""The field that confirms that the result replaces the recorded cards."""

UNSEEN = "unseen"
"""The value of ``seen`` if the payout had not arrived yet."""

MUST_AGREE = say("Confirm that the result replaces the cards, or make the two agree again.")

_SAME = later(
    "Hand {number} was recorded meanwhile, here or on another device, and says just what yours says. "
    "Is it the same hand?"
)

_MISSING = "-missing"
"""The ending of the error codes for missing values."""


@dataclass(frozen=True)
class HandPage:
    """The page of a form for a new hand, or for the hand with the number ``correcting``."""

    here: Here
    correcting: int | None = None

    @property
    def view(self) -> SessionView:
        """The state of the session."""
        return self.here.view

    def again(self) -> "HandPage":
        """Return a new page, which reads the session and the hand again after a failed save."""
        return HandPage(self.here, self.correcting)

    # Cached for the benchmark tapping: it is read from the database.
    @cached_property
    def correction(self) -> RecordCorrection | None:
        """The hand to correct, as recorded now; None for a new hand."""
        return None if self.correcting is None else self._recorded(self.correcting)[0]

    def _recorded(self, number: int) -> tuple[RecordCorrection, str]:
        """Return a hand as recorded now, and its state."""
        version = versions.find(self.here.session, self.view, number)
        name_of = {seat.id: seat.name for seat in self.view.seats}
        names = tuple(name_of[seat_id] for seat_id in version.seat_ids)
        return RecordCorrection.of(version, names), version.state

    def same(self, form: HandForm) -> int | None:
        """Return the number of an identical hand recorded since the form was opened, if any.

        None for a correction.
        """
        if self.correcting is not None:
            return None
        dealt = self.view.hands_dealt
        for number in concurrent_hands.since(concurrent_hands.begun_at(dealt), dealt):
            if concurrent_hands.is_same(form.fitted, *self._recorded(number)):
                return number
        return None

    @property
    def rules(self) -> Rules:
        """The rules of the hand."""
        return self.correction.rules if self.correction else self.view.rules

    @property
    def payout(self) -> str:
        """The word for the result: ``payout``, or ``score`` if nobody pays."""
        return "payout" if self.rules.settlement.pays else "score"

    def read(self, *, as_sent: bool = False) -> HandForm:
        """Parse the submitted form, or return the initial one; ``as_sent`` keeps the submitted dealer."""
        old = self.correction
        if old is None:
            next_turn = turn.upcoming(self.view)
            names: Sequence[str] = self.view.names
        else:
            if request.method == "GET":
                return old.form
            names = old.record["players"]
            next_turn = turn.of_hand(self.rules, old.record, names)
        pasted, _ = self._pasted()
        if pasted is not None and paste.is_line(request.form):
            return replace(pasted.form, turn=next_turn)
        return HandForm.read(self.rules, names, next_turn, request.form, as_sent=as_sent)

    def draft(self, form: HandForm) -> tuple[HandDraft, str | None]:
        """Return a form's draft, and the error if it contradicts recorded cards, which it then replaces.

        For a new hand that was not pasted the error is None.
        """
        recorded = self.correction or self._pasted()[0]
        return recorded.applied_to(form) if recorded else (form.draft, None)

    def _pasted(self) -> tuple[RecordCorrection | None, Invalid | None]:
        """Return the hand of a pasted line, or the error of one that does not fit; without a line None."""
        line = paste.line_of(request.form)
        if not line or self.correcting is not None:
            return None, None
        try:
            return paste.read_line(self.rules, self.view.names, line), None
        except Invalid as invalid:
            return None, invalid

    def seal(self, draft: HandDraft) -> str:
        """Return the hash of a draft without its note, which does not change the payout."""
        return seal_of({key: value for key, value in draft.items() if key != "note"})

    @property
    def replaces(self) -> bool:
        """Whether the scorer has agreed to replace the recorded cards."""
        return request.form.get(REPLACE) == YES

    def _pots(self) -> Mapping[str, int]:
        """Return the contents of the pots before this hand's antes; empty at a table without pots."""
        if "pots" not in self.rules.keys:
            return {}
        if self.correction:
            recorded: Mapping[str, int] = self.correction.record["pots"]
            return recorded
        return pots.contents(self.here.session, self.view.id)

    def _seen_hands(self) -> int:
        """Return the number of hands when the form was last shown, by default the current one."""
        count = number_of(request.form.get("seen_hands"))
        return self.view.hands_dealt if count is None else count

    def preview(self, draft: HandDraft) -> Preview:
        """Score a draft without saving it. Raises ``Invalid``, or ``Conflict``, such as ``Unchanged``."""
        dry_run = self.here.dry_run
        if self.correcting is None:
            return hand_and_loan.record(dry_run, self.here.session_id, self._lending(draft))
        return correct.correct(dry_run, self.here.session_id, self.correcting, draft)

    @property
    def lends(self) -> bool:
        """Whether the bank lends missing chips: by default, unless the scorer has unchecked it."""
        return "lend" in request.form or "lend_proposed" not in request.form

    def _lending(self, draft: HandDraft) -> HandDraft:
        """Return the draft of a new hand, with the key for a loan."""
        return {**draft, hand_and_loan.LEND: True} if self.lends else draft

    def save(self, form: HandForm, draft: HandDraft, contradiction: str | None) -> int:
        """Save a draft; return the hand's number.

        Raises ``Invalid`` if the draft replaces recorded cards without the scorer's consent, ``Invalid`` at
        ``stated`` if its payout is not the shown one, and the errors of recording and correcting.
        """
        if contradiction and not self.replaces:
            raise Invalid.at(REPLACE, "replaces-cards", MUST_AGREE)
        if payout := payouts.shown_payout(form.names):
            draft = {**draft, "stated": {"deltas": payout}}
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
        """Return the chips to pay a new hand with; empty for a correction or at a table without chips."""
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

    def _for_looking_up(self, balances: Mapping[str, int]) -> Mapping[str, Any]:
        """Return the values with which the page shows a payout by itself; empty if it can't."""
        if self.correction is None:
            return payouts.for_looking_up(self.here, balances, self._pots())
        return payouts.for_correcting(self.view, self.correction, balances)

    def show(
        self,
        form: HandForm,
        status: int = 200,
        *,
        errors: Errors | None = None,
        live: bool = False,
        full_page: bool = True,
        notice: str = "",
        meanwhile: Sequence[HandLine] = (),
        problem: Problem | None = None,
        differs: Mapping[str, int] | None = None,
    ) -> Response:
        """Render the form with the open questions and, once it is complete, the payout.

        ``differs`` is the payout that the script has shown, if it is not the ledger's.
        If ``live``, the scorer is still entering the hand: missing answers and incomplete numbers are not
        errors. ``problem`` is the reason to show the form again, if nothing typed is wrong. If not
        ``full_page``, only the result is rendered, for the script. Refusals of the draft are shown, but
        ``AlreadyVoid`` is raised.
        """
        form = form.fitted
        draft, contradiction = self.draft(form)
        all_errors, preview = dict(errors or {}), None
        missing: list[str] = []
        try:
            preview = self.preview(draft)
        except Unchanged:
            missing = [say("the change")]
        except AlreadyVoid:
            raise
        except Conflict as conflict:
            all_errors = {"": [conflict.message], **all_errors}
        except Invalid as refusal:
            wrong, missing = refusal_so_far(form, draft, refusal, live=live)
            all_errors = {**wrong, **all_errors}
        _, wrong_line = self._pasted()
        if wrong_line is not None:
            missing, all_errors = [], dict(wrong_inputs(wrong_line, form))
        if differs:
            verdict = preview.verdict if preview else None
            is_same = verdict is not None and verdict.deltas == differs
            notice = payouts.OTHER_HAND if is_same else payouts.DIFFERS
        same = self.same(form)
        if same is not None and not isinstance(problem, KeyReused):
            notice = say(_SAME, number=same)
        reason = request.form.get("reason", "")
        if self.correcting is not None and not reason.strip():
            missing = [*missing, say("the reason")]
        balances = previews.balances(self.view, {}, CHIPS if self.payout == "payout" else SCORE)
        return self.here.page(
            "hand_form.html" if full_page else "parts/hand_answer.html",
            all_errors,
            status=status,
            form=form,
            seal=self.seal(draft),
            against=contradiction,
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
            balances=balances,
            places=session.standings(self.view) if full_page else (),
            **(self._for_looking_up(balances) if full_page and self.view.is_open else {}),
            seen_hands=self.view.hands_dealt if isinstance(problem, Stale) else self._seen_hands(),
            reason=reason,
            line=paste.line_of(request.form),
            notice=notice,
            meanwhile=meanwhile,
            problem=problem,
            differs=differs,
        )


def refusal_so_far(
    form: HandForm, draft: HandDraft, refusal: Invalid, *, live: bool
) -> tuple[Errors, list[str]]:
    """Return the errors of a refused draft by the form's fields, and what is still missing.

    While the hand is being entered (``live``), missing answers and incomplete numbers are not errors.
    """
    invalid = play.explained(form.rules, form.names, draft, refusal)
    wrong = _wrong_so_far(invalid.faults, form) if live else invalid.faults
    errors = wrong_inputs(Invalid(invalid.message, wrong), form) if wrong else {}
    return errors, _labels(invalid.faults, form)


def wrong_inputs(invalid: Invalid, form: HandForm) -> Errors:
    """Return the errors by the form's fields, with titles of bids, and made or lost instead of points."""
    rules = form.rules
    messages = {
        "unknown-bid": say(_NO_BID, n=rules.seats, bids=[term(bid.title) for bid in rules.bids])
    }
    if form.asks(MADE):
        messages |= {"points-missing": _NOT_SAID}
    faults = [
        replace(
            fault,
            message=messages.get(fault.code, play.in_words(fault.message, fault.field)),
        )
        for fault in invalid.faults
    ]
    return errors_of(Invalid(invalid.message, faults), inputs_of(form))


def inputs_of(form: HandForm) -> Mapping[str, str]:
    """Map each place of a record to a field of the form.

    Counts go to made or lost if the form asks that instead; an early end, and a place in the play, which has
    no path, to the fields of the cards if there are any.
    """
    inputs = {
        **INPUTS,
        **{f"deal.hands.{name}": hand for name, hand in zip(form.names, HANDS, strict=False)},
    }
    if CARDS in form.chosen:
        inputs |= {"": CARDS, STOPPED: CLAIMED_BY}
    return {**inputs, **dict.fromkeys(COUNTS, MADE)} if form.asks(MADE) else inputs


_NOT_SAID = say("Say whether it was made or lost.")
_NO_BID = later("What was chosen is not a bid here; with {n} players the bids are {bids:and}.")


def _labels(faults: Sequence[Fault], form: HandForm) -> list[str]:
    """Return the missing answers in the game's words; for missing cards how many, and whose turn it is."""
    nouns = {question.name: question.noun for question in form.description.questions}
    places = inputs_of(form)
    labels: list[str] = []
    for fault in faults:
        name, where = places.get(fault.field, ""), fault.where
        if fault.code == play.MISSING and "cards" in where:
            labels.append(say("{n:card|cards}, {who} to play", n=where["cards"], who=where["seat"]))
        elif _is_pending(fault) and name in nouns:
            labels.append(nouns[name])
    return labels


def _is_pending(fault: Fault) -> bool:
    """Return whether something is missing that may still be entered."""
    return fault.code.endswith(_MISSING) or fault.code == bidding.UNFINISHED


def _wrong_so_far(faults: Sequence[Fault], form: HandForm) -> tuple[Fault, ...]:
    """Return the errors except missing answers and numbers of one digit, which may not be complete yet."""
    return tuple(
        fault
        for fault in faults
        if not _is_pending(fault) and not _is_single_digit(form, fault.field)
    )


def _is_single_digit(form: HandForm, field: str) -> bool:
    key = RESULT.get(field)
    is_count = key is not None and key.kind is ResultKind.INTEGER and not key.most
    return is_count and len(form.chosen.get(field, "")) == 1
