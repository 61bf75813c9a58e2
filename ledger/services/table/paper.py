"""Evenings that were scored on paper: only the result is known, what each player won or lost.

Such an evening is a session like any other, started, settled and closed in one write, with a mark. Its only
result is an entry of the kind ``paper-result``, which moves the seats' chips and adds up to zero. With a rate
its chips are cashed in at once. A wrong one is replaced by another, or deleted: its entries are reversed and
it is in no list, so that it counts nowhere.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from hashlib import blake2b
from typing import Any

from sqlmodel import col, select

from engine.errors import Refused
from engine.words.sentences import later, say
from ledger.database.models import EntryKind, JournalEntry, PlaySession
from ledger.database.models.play import LISTED
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import today
from ledger.services.chips.bank import ScoresNotChips, must_be_for_chips
from ledger.services.common import names, stakes
from ledger.services.common.stakes import MOST_CHIPS
from ledger.services.common.writing import WriteContext, WriteResponse, writes
from ledger.services.hands import posting
from ledger.services.money import convert
from ledger.services.session import reversals
from ledger.services.session.load import find_row, must_be_at
from ledger.services.session.view import Rate, load
from ledger.services.table import lifecycle, start
from ledger.services.table.seating import MOST_SEATS
from ledger.services.table.start import SessionDraft
from ledger.words import currencies
from ledger.words.problems import Conflict, Fault, Invalid

MOST_EVENINGS = 500
"""The most evenings in one import."""

_CONTENT = "content"
"""The key of an entry's details with the digests of the results it was entered or corrected as."""


@dataclass(frozen=True, slots=True)
class PaperEvening:
    """The result of an evening: the amount that each player won or, negative, lost, by name.

    Amounts are chips or, ``in_money``, minor units of the club's currency. Chips with a ``rate`` become
    money. Money must be whole chips at the rate, which is by default one chip for each minor unit. Without a
    ``title`` it is numbered, without ``started_on`` it is today's.
    """

    game: str
    won: Mapping[str, int]
    started_on: date | None = None
    variant: str | None = None
    title: str = ""
    in_money: bool = False
    rate: Rate | None = None

    @property
    def stated_rate(self) -> Rate | None:
        """The rate of its chips; None if they are worth no money."""
        return self.rate or (Rate(1, 1) if self.in_money else None)

    @property
    def digest(self) -> str:
        """A hash of the content, the same for names in other spellings or another order."""
        won = sorted((names.key(name), amount) for name, amount in self.won.items())
        rate = self.stated_rate and (self.stated_rate.chips, self.stated_rate.money)
        title = " ".join(self.title.split())
        day = str(self.started_on or today())
        content = json.dumps([day, self.game, title, self.in_money, rate, won])
        return blake2b(content.encode(), digest_size=16).hexdigest()


class SameEvening(Conflict):
    """Raised if an evening with the same day, game, players and amounts is in the club already."""

    code = "same-evening"
    sentence = later(
        "An evening of {day} with exactly these results is in the club already: “{title}”. If there were "
        "two, give this one a title."
    )


@writes("enter paper evening")
def enter(tx: WriteContext, evening: PaperEvening) -> WriteResponse:
    """Enter an evening that was scored on paper, closed and with its chips cashed in if they have a rate.

    Returns its id and revision. Raises ``Invalid`` at ``won``, ``won.…`` (a name), ``game``, ``variant``,
    ``title``, ``started_on``, ``rate.chips`` or ``rate.money``; ``SameEvening`` and ``BalanceTooLarge``.
    """
    return _enter_new(tx, evening, _evenings_by_digest(tx.session))


@writes("enter paper evenings")
def enter_all(tx: WriteContext, evenings: Sequence[PaperEvening]) -> WriteResponse:
    """Enter all evenings of a file, or none; those that are in the club already are left out.

    Returns the ids of the ``added`` ones and the number of ``known`` ones. Raises as ``enter`` does, and
    ``Invalid`` at ``evenings`` for more than ``MOST_EVENINGS``.
    """
    if len(evenings) > MOST_EVENINGS:
        sentence = say("Enter at most {most:,} evenings at once.", most=MOST_EVENINGS)
        raise Invalid.at("evenings", "out-of-range", sentence)
    existing = _evenings_by_digest(tx.session)
    new = {evening.digest: evening for evening in evenings if evening.digest not in existing}
    added = [_write(tx, evening, [digest])["id"] for digest, evening in new.items()]
    return {"added": added, "known": len(evenings) - len(added)}


@writes("correct paper evening")
def correct(
    tx: WriteContext, session_id: int, evening: PaperEvening, *, reason: str = "corrected"
) -> WriteResponse:
    """Replace an evening that was scored on paper: the old one is reversed and hidden, a new one entered.

    A title, a day, or a variant of the same game that is left out stays. Returns the new id and revision.
    Raises as ``enter`` does, ``NotOnPaper`` and ``Stale``.
    """
    session = tx.session
    row = _find(session, session_id)
    must_be_at(session, row, tx.seen)
    (entry,) = reversals.newest_first(session, session_id, [EntryKind.PAPER_RESULT.value])
    lifecycle.hide(tx, row, reason)
    session.flush()
    dated = replace(
        evening,
        started_on=evening.started_on or row.started_on,
        variant=evening.variant or (row.variant if evening.game == row.game else None),
    )
    named = replace(dated, title=evening.title.strip() or row.title)
    contents = dict.fromkeys([*entry.details[_CONTENT], dated.digest, named.digest])
    return _write(tx, named, [*contents])


def show(session: ScopedSession, session_id: int) -> PaperEvening:
    """Return an evening that was scored on paper, in chips. Raises ``NotFound`` and ``NotOnPaper``."""
    _find(session, session_id)
    view = load(session, session_id)
    won = {seat.name: seat.net for seat in view.seats}
    return PaperEvening(view.game, won, view.started_on, view.variant, view.title, rate=view.rate)


class NotOnPaper(Conflict):
    """Raised when an evening with recorded hands would be corrected as one on paper."""

    code = "not-on-paper"
    sentence = later("“{title}” was not scored on paper; correct its hands instead.")


def _find(session: ScopedSession, session_id: int) -> PlaySession:
    row = find_row(session, session_id)
    if not row.on_paper:
        raise NotOnPaper(title=row.title)
    return row


def _evenings_by_digest(session: ScopedSession) -> dict[str, PlaySession]:
    """Map the digest of each content that was entered to its evening, which may be corrected since."""
    query = (
        select(JournalEntry.details, PlaySession)
        .join(PlaySession, col(PlaySession.id) == JournalEntry.session_id)
        .where(col(PlaySession.on_paper), LISTED)
        .where(JournalEntry.kind == EntryKind.PAPER_RESULT.value)
    )
    rows = session.exec(query).all()
    return {digest: row for details, row in rows for digest in details[_CONTENT]}


def _enter_new(
    tx: WriteContext, evening: PaperEvening, existing: Mapping[str, PlaySession]
) -> WriteResponse:
    same = existing.get(evening.digest)
    if same is not None:
        raise SameEvening(day=same.started_on, title=same.title)
    return _write(tx, evening, [evening.digest])


def _write(tx: WriteContext, evening: PaperEvening, content: Sequence[str]) -> WriteResponse:
    """Write the session, its result, the conversion at a rate, and the closing."""
    session = tx.session
    chips = _chips(session, evening)
    draft = SessionDraft(
        players=list(evening.won),
        game=evening.game,
        variant=evening.variant,
        title=evening.title,
        started_on=evening.started_on,
        rate=evening.stated_rate,
    )
    try:
        session_id = start.begin(tx, draft, on_paper=True)["id"]
    except Invalid as invalid:
        raise _at_names(invalid, list(evening.won)) from invalid
    row = find_row(session, session_id)
    noon = datetime.combine(row.started_on, time(12)).astimezone()
    at = min(noon, tx.at)
    accounts = [seat.account_id for seat in sorted(load(session, session_id).seats)]
    header = tx.header(
        session_id, EntryKind.PAPER_RESULT, details={_CONTENT: [*content]}, occurred_at=at
    )
    entry = posting.post_other_entry(session, header, dict(zip(accounts, chips, strict=True)))
    if row.rate_chips is not None:
        convert.plan_conversion(replace(tx, seen=None), session_id, converted_at=at).carry_out()
    lifecycle.close_row(tx, row)
    session.flush()
    return {"id": session_id, "revision": row.revision, "entry": entry}


def _chips(session: ScopedSession, evening: PaperEvening) -> list[int]:
    """Return the chips won by each player. Raises ``Invalid`` at ``game``, ``won`` or ``won.…``."""
    try:
        must_be_for_chips(evening.game, ScoresNotChips.sentence)
    except ScoresNotChips as refusal:
        raise Invalid.at("game", refusal.code, refusal.message) from refusal
    except Refused as refused:
        raise Invalid.from_refused(refused) from refused
    amounts = evening.won
    if not 2 <= len(amounts) <= MOST_SEATS:
        sentence = say("An evening has 2 to {most_seats} players.", most_seats=MOST_SEATS)
        raise Invalid.at("won", "players-out-of-range", sentence)
    for name, amount in amounts.items():
        if abs(amount) > MOST_CHIPS:
            sentence = say("Write an amount of 0 to {most_chips:,}.", most_chips=MOST_CHIPS)
            raise Invalid.at(f"won.{name}", "chips-out-of-range", sentence)
    if total := sum(amounts.values()):
        raise Invalid.at("won", "does-not-add-up", must_be_zero(total, session, evening.in_money))
    if not any(amounts.values()):
        sentence = say("Nobody won or lost anything; write what each player won or lost.")
        raise Invalid.at("won", "nothing-won", sentence)
    if not evening.in_money or evening.rate is None:
        return list(amounts.values())
    rate, currency = evening.rate, convert.currency_of(session)
    stakes.check_rate(rate.chips, rate.money, currency)
    for name, amount in amounts.items():
        if amount * rate.chips % rate.money:
            sentence = say(
                "{money} is not a whole number of chips at {rate}.",
                money=currencies.say(amount, currency),
                rate=convert.in_words(rate, currency),
            )
            raise Invalid.at(f"won.{name}", "no-whole-chips", sentence)
    return [amount * rate.chips // rate.money for amount in amounts.values()]


def must_be_zero(total: int, session: ScopedSession, in_money: bool) -> str:
    """Return the sentence that the amounts must add up to 0, and what they add up to."""
    amount: Any = f"{total:+,}"
    if in_money:
        amount = currencies.say(total, convert.currency_of(session))
    return say("What everybody won and lost must add up to 0; it is {total}.", total=amount)


def _at_names(invalid: Invalid, players: Sequence[str]) -> Invalid:
    """Return errors at ``players.…`` as errors at ``won.…`` with the player's name."""

    def moved(fault: Fault) -> Fault:
        head, _, place = fault.field.partition(".")
        if head != "players":
            return fault
        at = f"won.{players[int(place)]}" if place.isdecimal() else "won"
        return replace(fault, field=at, where={**fault.where, "field": at})

    return Invalid(invalid.message, [moved(fault) for fault in invalid.faults])
