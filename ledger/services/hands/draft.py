"""From what a scorer sends to a whole hand record: the session fills in what the table knows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine import games
from engine.errors import Refused, Violation, show
from engine.record import HandRecord
from engine.replay.replay import replay, tells
from engine.rules.turns import Turn
from engine.rules.verdict import Verdict
from engine.scoring.score import score
from engine.words.sentences import later, say
from ledger.services.common import dates, texts
from ledger.services.hands import lead as hands_lead
from ledger.services.hands.turn import BLIND_ROUND
from ledger.services.session.view import SessionView
from ledger.words.problems import Fault, Invalid

Draft = Mapping[str, Any]
"""The keys of a hand record that a scorer sends; those of the session may be left out."""

LONGEST_NOTE = 2000
"""How much of a note the books keep, in characters: a remark, not a letter."""

_OF_THE_SESSION = ("format", "game", "rules", "options", "players")


def base(session: SessionView, pots: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Return the record keys that the session gives the next hand.

    ``pots`` are what the pots hold, at a table that plays for them.
    """
    said = {
        "format": 1,
        "game": session.game,
        "rules": session.variant,
        "options": dict(session.options) or None,
        "players": list(session.names),
        "pots": None if pots is None else dict(pots),
    }
    return {key: value for key, value in said.items() if value is not None}


def complete(draft: Draft, given: Mapping[str, Any], turn: Turn, version: str) -> HandRecord:
    """Return the whole record: ``draft`` over ``given``, and over who is to deal or did: ``turn``.

    A draft may repeat what the session says; it can't contradict it, but for whose turn it is. A key that
    holds nothing counts as left out. ``lead`` says who deals, see ``lead``. Raises ``Invalid``.
    """
    said = {key: value for key, value in draft.items() if value is not None}
    lead = said.pop(hands_lead.KEY, None)
    if lead is not None:
        said.setdefault("dealer", hands_lead.dealer_for(lead, given["players"]))
    fixed = (*_OF_THE_SESSION, "pots") if "pots" in given else _OF_THE_SESSION
    faults = [
        _differs(key, said[key], given.get(key))
        for key in fixed
        if key in said and said[key] != given.get(key, {} if key == "options" else None)
    ]
    if faults:
        raise Invalid(faults[0].message, faults)
    if said.get("dealer") in given["players"]:
        turn = turn.dealt_by(said["dealer"])
    blind = {} if turn.blind is None else {BLIND_ROUND: turn.blind.to_mapping()}
    record = read({**given, "dealer": turn.dealer, **blind, **said})
    if record.played_at is not None and "played_at" in said:
        dates.happened(record.played_at, "played_at")
    texts.check(record.note or "", "note", say("The note"), LONGEST_NOTE, "note")
    if lead is not None:
        hands_lead.must_lead(lead, record)
    return _with_contract(record, version)


def _with_contract(record: HandRecord, version: str) -> HandRecord:
    """Record the contract where only the cards tell it: the history and the sums go by its bid."""
    if (record.contract is not None and record.contract.bid is not None) or not tells(record):
        return record
    try:
        sheet, seats = games.find(record.game), len(record.players)
        rules = sheet.rules(record.rules, record.options, seats, version)
        plan = rules.plan(record.players, record.dealer, record.active)
    except Refused:
        return record  # judging it says what is wrong
    problems: list[Violation] = []
    contract = replay(rules, plan, record, problems).contract
    return record if problems or contract is None else replace(record, contract=contract)


def read(said: Mapping[str, Any]) -> HandRecord:
    """Read a whole record; raises ``Invalid`` where the engine refuses it."""
    try:
        return HandRecord.from_mapping(said)
    except Refused as refused:
        raise Invalid.from_refused(refused) from refused


def judge(record: HandRecord, version: str) -> Verdict:
    """Score a record by the rules of an engine version; raises ``Invalid`` where the engine refuses it."""
    try:
        return score(record, version)
    except Refused as refused:
        raise Invalid.from_refused(refused) from refused


def _differs(key: str, sent: Any, is_now: Any) -> Fault:
    told = [_title(each) if key == "game" else _said(each) for each in (is_now, sent)]
    legal = (is_now,) if isinstance(is_now, str) else ()
    return Fault(
        key, "differs-from-session", say(_DIFFERS[key], ours=told[0], sent=told[1]), legal=legal
    )


_DIFFERS = {
    "format": later("Records here use format {ours}; the hand uses {sent}."),
    "game": later("This session plays {ours:term}; the hand is one of {sent:term}."),
    "rules": later("This session plays the variant {ours}; the hand says {sent}."),
    "options": later("This session's house rules: {ours}. The hand says: {sent}."),
    "players": later("The next hand is played by, clockwise: {ours}. The hand says: {sent}."),
    "pots": later("Before this hand the pots hold: {ours}. The hand says: {sent}."),
}


def _title(slug: Any) -> str:
    found = games.GAMES.get(slug) if isinstance(slug, str) else None
    return found.title if found else _said(slug)


def _said(value: Any) -> str:
    """Say what a key holds as it is said at the table: no brackets or quotes of a program, nothing long."""
    if isinstance(value, Mapping):
        return _few([f"{_word(name)}{_set_to(held)}" for name, held in value.items()])
    if isinstance(value, list):
        return _few([_word(each) for each in value])
    return "none" if value is None else _word(value)


def _set_to(value: Any) -> str:
    """Say what a house rule is set to: a switch is on or off, a group of them is in brackets."""
    if isinstance(value, bool):
        return ": on" if value else ": off"
    if isinstance(value, Mapping):
        return f" ({_few([f'{_word(name)} {_word(held)}' for name, held in value.items()])})"
    return f" {_word(value)}"


def _few(parts: Sequence[str]) -> str:
    shown = ", ".join(parts[:_MOST_PARTS])
    return (f"{shown}, …" if len(parts) > _MOST_PARTS else shown) or "none"


def _word(value: Any) -> str:
    """Say a slug, a name or a number, without quotes."""
    whole = show(value)
    return whole[1:-1].replace("_", " ") if isinstance(value, str) else whole


_MOST_PARTS = 12
