"""A hand pasted as one compact line, or as the link that replays it, into the form of a new hand."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote

from engine.errors import Refused
from engine.games import find
from engine.notation import compact
from engine.record import HandRecord
from engine.record.names import name_key
from engine.rules.changes import VERSION
from engine.rules.sheet import Rules
from engine.scoring.canonical import house_rules
from ledger.services.hands import rename
from ledger.services.hands.draft import contradiction
from ledger.web.hand.correction_form import TRICKS, RecordCorrection
from ledger.web.hand.fields import CARDS
from ledger.words.problems import Invalid

LINE = "line"
"""The hidden field with the line that filled the form; it holds what the form does not show."""

_is_line = re.compile(r"\s*[a-z0-9-]+(,[^/\s]*)?/[^/]*@").match


def is_line(form: Mapping[str, str]) -> bool:
    """Return whether the field for cards has a line or a link, not cards."""
    return bool(_is_line(_without_link(form.get(CARDS, ""))))


def line_of(form: Mapping[str, str]) -> str:
    """Return the line in the field for cards, else the one that filled the form; empty if there is none."""
    return _without_link(form[CARDS] if is_line(form) else form.get(LINE, ""))


def _without_link(text: str) -> str:
    """Return the line in a link, without the step at which its replay opens; any other text unchanged.

    >>> _without_link("https://example.org/replay#frog/Zo%C3%AB,Bob,Cyd@a/c:a/1234&card-5")
    'frog/Zoë,Bob,Cyd@a/c:a/1234'
    """
    return unquote(text.rpartition("#")[2]).partition("&")[0].strip()


def read_line(rules: Rules, names: Sequence[str], line: str) -> RecordCorrection:
    """Return the hand of a line with the current names of its players, as a record to be filled in.

    Raises ``Invalid`` at the tricks for a line that can't be read, or of another game, variant, house rules
    or players. The players may be written from any seat on.
    """
    try:
        record = compact.read(line)
        theirs = find(record.game).rules(record.rules, record.options, len(record.players))
    except Refused as refused:
        invalid = Invalid.from_refused(refused)
        faults = [replace(fault, field=TRICKS) for fault in invalid.faults]
        raise Invalid(invalid.message, faults) from refused
    players = _in_order(record, names)
    pairs = {
        "game": (record.game, rules.game),
        "players": (players, list(names) if _keys(players) != _keys(names) else players),
        "rules": (theirs.variant, rules.variant),
        "options": (house_rules(theirs), house_rules(rules)),
    }
    for key, (pasted, ours) in pairs.items():
        if pasted != ours:
            fault = replace(contradiction(key, pasted, ours), field=TRICKS)
            raise Invalid(fault.message, [fault])
    keys = {key: value for key, value in record.to_mapping().items() if key != "evening"}
    return RecordCorrection(rules, rename.called_now({**keys, "players": players}, names), VERSION)


def _keys(names: Sequence[str]) -> list[str]:
    return [name_key(name) for name in names]


def _in_order(record: HandRecord, names: Sequence[str]) -> list[str]:
    """Return the players of a record, beginning with the first of the names if that one is among them."""
    players, keys = list(record.players), _keys(record.players)
    first = name_key(names[0])
    at = keys.index(first) if first in keys else 0
    return players[at:] + players[:at]
