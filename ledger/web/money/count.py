"""Counting chips: denomination by denomination, compared with the ledger while they are counted."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from engine.words.sentences import say
from ledger.services.chips import count
from ledger.services.chips.bank import must_be_in_chips
from ledger.services.chips.count import Comparison
from ledger.services.money import currency
from ledger.services.session.load import must_not_be_closed
from ledger.services.session.view import SeatView
from ledger.web.frame.context import SESSION, Here, in_club, pages
from ledger.web.frame.figures import whole
from ledger.web.frame.forms import NOTHING_WRONG, errors_of
from ledger.web.money.ending import onwards
from ledger.words.problems import Fault, Invalid, NotFound, Problem


@dataclass(frozen=True, slots=True)
class CountForm:
    """What was typed, by input; an input is called after its seat and the chip: ``pieces-3-20``."""

    seats: Sequence[SeatView]
    denominations: Sequence[int]
    typed: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(
        cls, seats: Sequence[SeatView], denominations: Sequence[int], form: MultiDict[str, str]
    ) -> "CountForm":
        """Read what was sent; an empty input is left out."""
        made = cls(seats, denominations)
        typed = {name: form.get(name, "").strip() for name in made.inputs.values()}
        return cls(seats, denominations, {name: text for name, text in typed.items() if text})

    @staticmethod
    def name(seat: SeatView, value: int) -> str:
        """Name the input for one kind of chip of one player."""
        return f"pieces-{seat.id}-{value}"

    @property
    def inputs(self) -> dict[str, str]:
        """Which input a field of the service belongs to."""
        return {
            f"counts.{seat.name}.{value}": self.name(seat, value)
            for seat in self.seats
            for value in self.denominations
        }

    @property
    def seal(self) -> str:
        """A print of what was typed: what is recorded must be what the difference was shown for."""
        text = json.dumps(dict(self.typed), sort_keys=True)
        return sha256(text.encode()).hexdigest()[:16]

    @property
    def counts(self) -> dict[str, dict[int, int]]:
        """The pieces a player; who has no chip counted is not counted. Raises ``Invalid`` for no number."""
        found: dict[str, dict[int, int]] = {}
        faults = []
        for seat in self.seats:
            for value in self.denominations:
                text = self.typed.get(self.name(seat, value))
                if text is None:
                    continue
                pieces = whole(text)
                if isinstance(pieces, int):
                    found.setdefault(seat.name, {})[value] = pieces
                    continue
                message = say(
                    "How many {value}s {name} has must be a whole number, such as 6.",
                    value=value,
                    name=seat.name,
                )
                faults.append(Fault(f"counts.{seat.name}.{value}", "pieces-no-number", message))
        if faults:
            raise Invalid(faults[0].message, faults)
        return found


@pages.route(f"{SESSION}/count", methods=["GET", "POST"])
@in_club(writing=True)
def count_chips(here: Here) -> ResponseReturnValue:
    """Ask for each player's chips; show the difference at every one; record it when all agree."""
    if request.method == "GET":
        if here.is_as_seen:
            return "", 204
        must_not_be_closed(here.view)
        must_be_in_chips(here.view)
    chips = currency.show(here.session)
    form = CountForm.read(here.view.present, chips.denominations, request.form)
    do = request.form.get("do")
    found: Comparison | None = None
    errors, notice = NOTHING_WRONG, ""
    try:
        counts = form.counts
        if do in {"write", "post"} and counts and request.form.get("seen") != form.seal:
            notice = say("Look at the difference, then record it.")
        elif do in {"write", "post"}:
            posting, reason = do == "post", request.form.get("reason") or None
            count.record(here.write, here.session_id, counts, post=posting, reason=reason)
            page = onwards(here, "count_chips", "bank")
            return here.to(page, done="followed" if posting else "counted")
        if counts:
            found = count.record(here.dry_run, here.session_id, counts)
        elif do == "compare":
            errors = {"": [say("Count the chips of at least one player.")]}
    except NotFound:
        raise
    except Problem as problem:
        errors = errors_of(problem, {**form.inputs, "reason": "reason"})
        found = _compared(here, form)
    return here.page(
        "count.html",
        errors,
        status=None if do else 200,
        form=form,
        by_seat={each.seat_id: each for each in found.players} if found else {},
        found=found,
        notice=notice,
        reason=request.form.get("reason", ""),
    )


def _compared(here: Here, form: CountForm) -> Comparison | None:
    """Compare what can be compared with the ledger, whatever else is wrong."""
    try:
        return count.record(here.dry_run, here.session_id, form.counts)
    except Problem:
        return None
