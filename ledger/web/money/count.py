"""The page that compares counted chips with the ledger and records the count."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import starmap
from operator import mul

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from engine.words.sentences import say
from ledger.services.chips import count, payout
from ledger.services.chips.bank import must_be_in_chips
from ledger.services.chips.count import Comparison
from ledger.services.money import currency
from ledger.services.session.load import must_not_be_closed
from ledger.services.session.view import SeatView
from ledger.web.frame.context import SESSION, Here, in_club, pages
from ledger.web.frame.figures import whole_number
from ledger.web.frame.forms import NOTHING_WRONG, Errors, errors_of
from ledger.web.money.ending import onwards
from ledger.words.problems import Fault, Invalid, NotFound, Problem


@dataclass(frozen=True, slots=True)
class CountForm:
    """The typed numbers by input; an input is named by seat and chip: ``pieces-3-20``.

    ``ledger`` has the pieces that make up a seat's balance by the ledger, for seats whose balance chips can
    make.
    """

    seats: Sequence[SeatView]
    denominations: Sequence[int]
    ledger: Mapping[int, Mapping[int, int]]
    typed: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(
        cls,
        seats: Sequence[SeatView],
        denominations: Sequence[int],
        holdings: Mapping[str, Mapping[int, int]],
        form: MultiDict[str, str],
    ) -> "CountForm":
        """Parse the submitted form, without empty inputs.

        The seat named by ``same`` gets the pieces of the ledger, the one named by ``clear`` none.
        """
        worth = {name: sum(starmap(mul, pieces.items())) for name, pieces in holdings.items()}
        ledger = {s.id: holdings[s.name] for s in seats if worth[s.name] == s.balance}
        empty_form = cls(seats, denominations, ledger)
        typed = {name: form.get(name, "").strip() for name in empty_form.inputs.values()}
        for seat in seats:
            for value in denominations:
                if form.get("same") == str(seat.id) and seat.id in ledger:
                    typed[cls.name(seat, value)] = str(ledger[seat.id].get(value, 0))
                elif form.get("clear") == str(seat.id):
                    typed[cls.name(seat, value)] = ""
        return replace(empty_form, typed={name: text for name, text in typed.items() if text})

    def is_open(self, seat: SeatView, errors: Errors) -> bool:
        """Whether this player is being counted: the first who was not yet, or one with an error."""
        uncounted = (s.id for s in self.seats if not self._inputs_of(s) & self.typed.keys())
        return seat.id == next(uncounted, 0) or not self._inputs_of(seat).isdisjoint(errors)

    def _inputs_of(self, seat: SeatView) -> set[str]:
        return {self.name(seat, value) for value in self.denominations}

    @staticmethod
    def name(seat: SeatView, value: int) -> str:
        """Return the name of the input for a player's chips of one value."""
        return f"pieces-{seat.id}-{value}"

    @property
    def inputs(self) -> dict[str, str]:
        """The inputs by field of the service's errors."""
        return {
            f"counts.{seat.name}.{value}": self.name(seat, value)
            for seat in self.seats
            for value in self.denominations
        }

    @property
    def seal(self) -> str:
        """Hash of the typed numbers, so that the saved count is the one previewed."""
        text = json.dumps(dict(self.typed), sort_keys=True)
        return sha256(text.encode()).hexdigest()[:16]

    @property
    def counts(self) -> dict[str, dict[int, int]]:
        """The counted pieces by player and value, without empty inputs. Raises ``Invalid`` for other text."""
        pieces_by_player: dict[str, dict[int, int]] = {}
        faults = []
        for seat in self.seats:
            for value in self.denominations:
                text = self.typed.get(self.name(seat, value))
                if text is None:
                    continue
                pieces = whole_number(text)
                if isinstance(pieces, int):
                    pieces_by_player.setdefault(seat.name, {})[value] = pieces
                    continue
                message = say(
                    "How many {value}s {name} has must be a whole number, such as 6.",
                    value=value,
                    name=seat.name,
                )
                faults.append(Fault(f"counts.{seat.name}.{value}", "pieces-no-number", message))
        if faults:
            raise Invalid(faults[0].message, faults)
        return pieces_by_player


@pages.route(f"{SESSION}/count", methods=["GET", "POST"])
@in_club(writing=True)
def count_chips(here: Here) -> ResponseReturnValue:
    """Return the form with each player's difference, or record the count as previewed.

    ``post`` also adjusts the ledger to it. A count that differs from the preview is not recorded, but
    previewed. GET raises ``SessionClosed``, and ``ScoresNotChips`` in a session without chips.
    """
    if request.method == "GET":
        if here.is_as_seen:
            return "", 204
        must_not_be_closed(here.view)
        must_be_in_chips(here.view)
    chips = currency.show(here.session)
    holdings = payout.holdings(here.session, here.session_id)
    form = CountForm.read(here.view.present, chips.denominations, holdings, request.form)
    do = request.form.get("do")
    comparison: Comparison | None = None
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
            comparison = count.record(here.dry_run, here.session_id, counts)
        elif do == "compare":
            errors = {"": [say("Count the chips of at least one player.")]}
    except NotFound:
        raise
    except Problem as problem:
        errors, notice = errors_of(problem, {**form.inputs, "reason": "reason"}), ""
        comparison = _compared(here, form)
    return here.page(
        "count.html",
        errors,
        status=None if do else 200,
        form=form,
        by_seat={player.seat_id: player for player in comparison.players} if comparison else {},
        comparison=comparison,
        notice=notice,
        reason=request.form.get("reason", ""),
    )


def _compared(here: Here, form: CountForm) -> Comparison | None:
    """Return the comparison with the ledger, or None if the count itself is invalid."""
    try:
        return count.record(here.dry_run, here.session_id, form.counts)
    except Problem:
        return None
