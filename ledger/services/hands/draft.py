"""Drafts of hands, as clients send them, completed from the session."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine import games
from engine.errors import Refused, show
from engine.record import HandRecord
from engine.record.fields import to_mapping
from engine.record.remarks import LONGEST_NOTE
from engine.replay.replay import replay
from engine.rules.seating import Turn
from engine.rules.verdict import Verdict
from engine.scoring.score import score
from engine.words.sentences import later, say
from ledger.services.common import dates, texts
from ledger.services.hands.turn import BLIND_ROUND, LEAD, dealer_for, must_lead
from ledger.services.session.view import SessionView
from ledger.words.problems import Fault, Invalid

HandDraft = Mapping[str, Any]
"""The keys of a hand record that a client sends; it may leave out those that the session knows."""

_SESSION_KEYS = ("game", "rules", "options", "players")


def base(session: SessionView, pots: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Return the keys of the next hand's record that the session determines.

    They are game, rules, options, players and pots. Keys without a value are left out. ``pots`` are the
    contents of its pots, None if it is played without.
    """
    keys = {
        "game": session.game,
        "rules": session.variant,
        "options": dict(session.options) or None,
        "players": list(session.names),
        "pots": None if pots is None else dict(pots),
    }
    return {key: value for key, value in keys.items() if value is not None}


def complete(
    draft: HandDraft, session_keys: Mapping[str, Any], turn: Turn, version: str
) -> HandRecord:
    """Return the record of a draft, completed from the session's keys and the hand's ``turn``.

    A draft may repeat a session's key and can't contradict it, but it may name another dealer, lead or blind
    round. A key without a value counts as left out. If the cards show the contract and the draft states none,
    it is added. Raises ``Invalid``, also for a time in the future or a note that is too long.
    """
    stated = {key: value for key, value in draft.items() if value is not None}
    lead = stated.pop(LEAD, None)
    if lead is not None:
        stated.setdefault("dealer", dealer_for(lead, session_keys["players"]))
    fixed = (*_SESSION_KEYS, "pots") if "pots" in session_keys else _SESSION_KEYS
    faults = [
        contradiction(key, stated[key], session_keys.get(key))
        for key in fixed
        if key in stated and stated[key] != session_keys.get(key, {} if key == "options" else None)
    ]
    if "evening" in stated:
        message = say("This session is the hand's evening; leave evening out.")
        faults.append(Fault("evening", "differs-from-session", message))
    if faults:
        raise Invalid(faults[0].message, faults)
    if stated.get("dealer") in session_keys["players"]:
        turn = turn.dealt_by(stated["dealer"])
    blind = {} if turn.blind is None else {BLIND_ROUND: to_mapping(turn.blind)}
    record = read({**session_keys, "dealer": turn.dealer, **blind, **stated})
    if record.played_at is not None and "played_at" in stated:
        dates.happened(record.played_at, "played_at")
    if record.note:
        texts.check(record.note, "note", say("The note"), LONGEST_NOTE, "note")
    for number, note in enumerate(record.notes or (), 1):
        texts.check(note.text, f"notes.{number}.text", say("The note"), LONGEST_NOTE, "note")
    if lead is not None:
        must_lead(lead, record)
    if record.stated is not None:
        # A stored result is the verdict's, which may change with the hands before it.
        judge(record, version)
        record = replace(record, stated=None)
    return _with_contract(record, version)


def _with_contract(record: HandRecord, version: str) -> HandRecord:
    """Add the contract that the cards show, if the record states none: history and sums use its bid.

    Scoring the record reports its errors.
    """
    if (record.contract is not None and record.contract.bid is not None) or not record.has_cards:
        return record
    try:
        sheet, seats = games.find(record.game), len(record.players)
        rules = sheet.rules(record.rules, record.options, seats, version)
        plan = rules.plan(record.players, record.dealer, record.active)
    except Refused:
        return record
    return replace(record, contract=replay(rules, plan, record, []).contract)


def read(keys: Mapping[str, Any]) -> HandRecord:
    """Parse the keys of a record.

    Raises ``Invalid``, with the violations as faults, if the engine refuses them.
    """
    try:
        return HandRecord.from_mapping(keys)
    except Refused as refused:
        raise Invalid.from_refused(refused) from refused


def judge(record: HandRecord, version: str) -> Verdict:
    """Return the verdict of a record by the rules of an engine version.

    Raises ``Invalid``, with the violations as faults, if the engine refuses the record.
    """
    try:
        return score(record, version)
    except Refused as refused:
        raise Invalid.from_refused(refused) from refused


def contradiction(key: str, requested: Any, expected: Any) -> Fault:
    """Return the fault of a draft's key that differs from the session's, with both values in words."""
    ours, theirs = (
        _title(value) if key == "game" else _in_words(value) for value in (expected, requested)
    )
    legal = (expected,) if isinstance(expected, str) else ()
    message = say(_CONTRADICTIONS[key], ours=ours, sent=theirs)
    return Fault(key, "differs-from-session", message, legal=legal)


_CONTRADICTIONS = {
    "game": later("This session plays {ours:term}; the hand is one of {sent:term}."),
    "rules": later("This session plays the variant {ours}; the hand says {sent}."),
    "options": later("This session's house rules: {ours}. The hand says: {sent}."),
    "players": later("The next hand is played by, clockwise: {ours}. The hand says: {sent}."),
    "pots": later("Before this hand the pots hold: {ours}. The hand says: {sent}."),
}


def _title(slug: Any) -> str:
    sheet = games.GAMES.get(slug) if isinstance(slug, str) else None
    return sheet.title if sheet else _in_words(slug)


def _in_words(value: Any) -> str:
    """Format a draft's value for a message: without JSON's brackets or quotes, and shortened.

    "none" if empty.
    """
    if isinstance(value, Mapping):
        return _joined([f"{_word(name)}{_setting(item)}" for name, item in value.items()])
    if isinstance(value, list):
        return _joined([_word(item) for item in value])
    return "none" if value is None else _word(value)


def _setting(value: Any) -> str:
    """Format the value of a house rule: a switch is on or off, a group is in brackets."""
    if isinstance(value, bool):
        return ": on" if value else ": off"
    if isinstance(value, Mapping):
        return f" ({_joined([f'{_word(name)} {_word(item)}' for name, item in value.items()])})"
    return f" {_word(value)}"


def _joined(parts: Sequence[str]) -> str:
    joined = ", ".join(parts[:_MOST_PARTS])
    return (f"{joined}, …" if len(parts) > _MOST_PARTS else joined) or "none"


def _word(value: Any) -> str:
    """Format a slug, a name or a number, without quotes."""
    text = show(value)
    return text[1:-1].replace("_", " ") if isinstance(value, str) else text


_MOST_PARTS = 12
"""The most parts of a value that a message lists."""
