"""The auction entered call by call: its text, the calls that may follow, and the contract that it shows."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.errors import Refused
from engine.guide.auction_table import shown_contract
from engine.phases.bidding.auction import DOUBLE, HOLD, REDOUBLE, Auction
from engine.record import PASS, Call
from engine.record.names import name_key
from engine.record.spelling import bid as read_bid
from engine.rules.sheet import Rules
from engine.words.language import CallCode
from engine.words.sentences import say
from ledger.web.hand.fields import AUCTION, CONTRACT, MARKS
from ledger.web.hand.questions import NOBODY
from ledger.words.calls import call_name
from ledger.words.translation import reader

UNDO = "undo"
"""The button that removes the last call; the other buttons have a seat and its call."""

UNFINISHED = "auction-unfinished"
"""The code of an auction in which a call is still to be made."""


class EnteredAuction(NamedTuple):
    """The calls of a text as a record has them, and the auction after them, None if one is not possible."""

    calls: list[list[str]]
    after: Auction | None

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The text of each call that may follow, with its name; empty if there is none."""
        legal = self.after.legal if self.after is not None else ()
        return [(written([call]), name_of(call)) for call in legal]

    def contract(self, rules: Rules) -> Mapping[str, Any]:
        """Return the keys of the contract that a finished auction shows; of any other, none."""
        return {} if self.after is None else shown_contract(rules, self.after)


def read(rules: Rules, seats: Sequence[str], text: str) -> EnteredAuction:
    """Return the auction of a text with one call a line, or several with commas; names are compared by key.

    Calls are slugs or words of the reader's language. Any other word stays, for the engine to refuse it.
    """
    words = _words(rules)
    calls = []
    for line in filter(str.strip, text.splitlines()):
        call = _call(line, seats, words)
        parts = [line] if call[1] in words.values() else filter(str.strip, line.split(","))
        calls += [_call(part, seats, words) for part in parts]
    try:
        return EnteredAuction(calls, rules.auction(tuple(seats)).after(*(Call(*c) for c in calls)))
    except Refused:
        return EnteredAuction(calls, None)


def written(calls: Sequence[Call]) -> str:
    """Return calls as the text that ``read`` parses."""
    return "\n".join(" ".join(filter(None, call)) for call in calls)


def changed(text: str, button: str) -> str:
    """Return the text of an auction after a button: with one more call, or without the last one."""
    lines = text.split("\n") if text else []
    return "\n".join(lines[:-1] if button == UNDO else [*lines, button])


def with_contract(
    rules: Rules,
    seats: Sequence[str],
    chosen: Mapping[str, str],
    marked: Mapping[str, tuple[str, ...]],
    button: str,
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the chosen and marked answers after a button of the auction, with the contract that it shows.

    A button discards the contract; what was entered of it without one stays. ``button`` may be empty.
    """
    texts, marks = dict(chosen), dict(marked)
    if button:
        texts = {name: text for name, text in texts.items() if name not in CONTRACT}
        texts[AUCTION], marks = changed(texts.get(AUCTION, ""), button), {}
    if not texts.get(AUCTION):
        texts.pop(AUCTION, None)
        return texts, marks
    contract = read(rules, seats, texts[AUCTION]).contract(rules)
    if contract.get("bid") == PASS:
        contract = {"bidder": NOBODY}
    marks = {name: contract[name] for name in MARKS if name in contract} | marks
    return {name: contract[name] for name in CONTRACT if name in contract} | texts, marks


def _words(rules: Rules) -> dict[str, str]:
    """Return the code of each call by its slug and its names in English and the reader's language."""
    codes = (PASS, HOLD, DOUBLE, REDOUBLE, *rules.ladder.bids)
    return {
        name_key(spelling): code
        for code in codes
        for spelling in (code, call_name(code), reader().call(code))
    }


def _call(part: str, seats: Sequence[str], words: Mapping[str, str]) -> list[str]:
    """Return a seat, its call and the name of a doubler, if there is one."""
    seat, rest = _seat(part, seats)
    if rest in words:
        return [seat, words[rest]]
    doubled = next((name for name in seats if rest.endswith(f" {name_key(name)}")), None)
    call = rest.removesuffix(f" {name_key(doubled)}") if doubled else rest
    if doubled and words.get(call) == REDOUBLE:
        return [seat, REDOUBLE, doubled]
    return [seat, str(read_bid(rest, "", []))]


def _seat(part: str, seats: Sequence[str]) -> tuple[str, str]:
    """Return the seat that a text begins with and the rest of it; the first word if it begins with none."""
    text = name_key(part)
    for seat in sorted(seats, key=len, reverse=True):
        if f"{text} ".startswith(f"{name_key(seat)} "):
            return seat, text[len(name_key(seat)) :].strip()
    name, _, rest = " ".join(part.split()).partition(" ")
    return name, name_key(rest)


def name_of(call: Call) -> str:
    """Return the name of a call as a sentence; a redouble's ends with the doubler's name."""
    if call.doubler is None:
        return call_name(call.call)
    return say("{call} {seat}", call=CallCode(call.call), seat=call.doubler)
