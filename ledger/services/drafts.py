"""From what a scorer sends to a whole hand record: the session fills in what the table knows."""

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from engine import games
from engine.errors import Refused, Violation, show
from engine.record import HandRecord
from engine.replay import replay, tells
from engine.scoring import score
from engine.verdict import Verdict
from ledger.problems import Fault, Invalid
from ledger.services import moments
from ledger.services.sessions import SessionView

Draft = Mapping[str, Any]
"""The keys of a hand record that a scorer sends; those of the session may be left out."""

LONGEST_NOTE = 2000
"""How much of a note the books keep, in characters: a remark, not a letter."""

_OF_THE_SESSION = ("format", "game", "rules", "options", "players")


def base(
    session: SessionView, dealer: str, pots: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return the record keys that the session gives the next hand.

    ``pots`` are what the pots hold, at a table that plays for them.
    """
    said = {
        "format": 1,
        "game": session.game,
        "rules": session.variant,
        "options": dict(session.options) or None,
        "players": list(session.names),
        "dealer": dealer,
        "pots": None if pots is None else dict(pots),
    }
    return {key: value for key, value in said.items() if value is not None}


def complete(draft: Draft, given: Mapping[str, Any]) -> HandRecord:
    """Return the whole record: ``draft`` over ``given``.

    A draft may repeat what the session says; it can't contradict it. A key that holds nothing counts
    as left out. Raises ``Invalid``.
    """
    said = {key: value for key, value in draft.items() if value is not None}
    fixed = (*_OF_THE_SESSION, "pots") if "pots" in given else _OF_THE_SESSION
    faults = [
        _differs(key, said[key], given.get(key))
        for key in fixed
        if key in said and said[key] != given.get(key, {} if key == "options" else None)
    ]
    if faults:
        raise Invalid(faults[0].message, faults)
    try:
        record = HandRecord.from_mapping({**given, **said})
    except Refused as refused:
        raise Invalid.from_refused(refused) from refused
    if record.played_at is not None and "played_at" in said:
        moments.happened(record.played_at, "played_at")
    _check_note(record.note or "")
    return _with_contract(record)


def _with_contract(record: HandRecord) -> HandRecord:
    """Write down the contract where only the cards tell it: the history and the sums go by its bid."""
    if (record.contract is not None and record.contract.bid is not None) or not tells(record):
        return record
    try:
        rules = games.find(record.game).rules(record.rules, record.options, len(record.players))
        table = rules.table(record.players, record.dealer, record.active)
    except Refused:
        return record  # judging it says what is wrong
    problems: list[Violation] = []
    contract = replay(rules, table, record, problems).contract
    return record if problems or contract is None else replace(record, contract=contract)


def judge(record: HandRecord) -> Verdict:
    """Score a record; raises ``Invalid`` where the engine refuses it."""
    try:
        return score(record)
    except Refused as refused:
        raise Invalid.from_refused(refused) from refused


def played_at(record: HandRecord, otherwise: datetime) -> datetime:
    """Return when the hand was played: as the record says, or ``otherwise``."""
    return record.played_at or otherwise


def _check_note(note: str) -> None:
    """Refuse a note that is no remark any more, or that no page can show."""
    if len(note) > LONGEST_NOTE:
        raise Invalid.at(
            "note",
            "note-too-long",
            f"The note has {len(note):,} characters; {LONGEST_NOTE:,} are the most that fit.",
        )
    if any(unicodedata.category(sign) == "Cc" and sign not in "\t\n\r" for sign in note):
        raise Invalid.at(
            "note",
            "note-has-controls",
            "The note holds an invisible control character; leave it out.",
        )


def _differs(key: str, sent: Any, is_now: Any) -> Fault:
    shown = ", ".join(map(str, is_now)) if isinstance(is_now, list) else is_now or "not set"
    if isinstance(is_now, Mapping):
        shown = ", ".join(f"{name} {held}" for name, held in is_now.items()) or "not set"
    message = f"This session's {key} is {shown}; the hand says {show(sent)}."
    return Fault(key, "differs-from-session", message, {"field": key})
