"""A hand as one line of text, for URLs, messages and lists; `.docs/HAND_RECORD.md` describes it.

`write` first leaves out everything that follows from the rest of the hand, so that all records of a hand have
the same line. `read` accepts a line only as `write` spells it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from engine.errors import Refused, Violation, refuse_any
from engine.notation.common import Reading, numbered_lines
from engine.notation.compact_parts import PARTS, SEATS, NoNotation, TableSeats
from engine.notation.compact_text import (
    CHECK_LENGTH,
    LONGEST_LINE,
    LineReader,
    NoLine,
    check_of,
    escape,
    write_value,
)
from engine.record import HandRecord
from engine.record.seats import MOST, look_alikes
from engine.scoring.canonical import canonical
from engine.words.sentences import say

_CHECK = re.compile(rf"/[0-9a-z]{{{CHECK_LENGTH}}}\Z")
_HEADER = ("game", "rules", "players", "dealer", "active")
_KEYS_BY_LETTER = {part.letter: key for key, part in PARTS.items()}
_PART = re.compile(rf"[{''.join(_KEYS_BY_LETTER)}]:")
_SEATS = re.compile(f"[{SEATS}]*")


def write(record: HandRecord) -> str:
    """Return the canonical line of a hand, without a line end. Raises `NoLine` if it can't be written.

    >>> hand = {"game": "six-bid", "players": ["Ann", "Bob", "Cyd"], "dealer": "Cyd", "points": 74,
    ...         "contract": {"bidder": "Ann", "bid": "heart-solo"}}
    >>> write(HandRecord.from_mapping(hand))
    'six-bid/Ann,Bob,Cyd@c/c:aheart-solo+H/points=74/tr1g'
    """
    body = _body(canonical(record))
    line = f"{body}/{check_of(body)}"
    if len(line) > LONGEST_LINE:
        raise NoLine(f"it would have more than {LONGEST_LINE:,} characters")
    return line


def read(line: str) -> HandRecord:
    """Return the record of a line; white space around it is ignored.

    Raises `Refused` for a line that can't be read, naming the character; for one whose check characters do
    not fit; for one that is not spelled as `write` would; and for a record with violations.
    """
    line = line.strip()
    if len(line) > LONGEST_LINE:
        raise LineReader(line, LONGEST_LINE, len(line)).refused("length")
    end = len(line) - CHECK_LENGTH - 1
    keys = _keys(LineReader(line, 0, max(end, 0)))
    if _CHECK.match(line, max(end, 0)) is None:
        raise LineReader(line, max(end, 0), len(line)).refused("check")
    if line[end + 1 :] != check_of(line[:end]):
        message = say(
            "The check characters at the end do not fit the line: some character is wrong, missing or in"
            " another place."
        )
        raise Refused([Violation("line-check", message, {"field": "line", "column": end + 2})])
    record = HandRecord.from_mapping(keys)
    refuse_any(look_alikes(record.players))
    _must_be_spelled(line[:end], _body(record))
    return record


def read_compact(stream: Iterable[str]) -> Iterator[Reading]:
    """Yield the record of each line of a stream, or the `Refused` error of a bad one; skip blank lines.

    Raises `Unreadable` at the first line that is not UTF-8.
    """
    for _, line in numbered_lines(stream):
        if line.strip():
            try:
                yield read(line)
            except Refused as refused:
                yield refused


def write_compact(records: Iterable[HandRecord]) -> Iterator[str]:
    """Yield the line of each hand, with its line end. Raises `NoLine` at a hand as `write` does."""
    for record in records:
        yield write(record) + "\n"


def _must_be_spelled(body: str, spelling: str) -> None:
    """Raise `Refused` with the first character, from 1, in which a line differs from its spelling, if any."""
    if body == spelling:
        return
    pairs = zip(body, spelling, strict=False)
    same = (at for at, (one, other) in enumerate(pairs) if one != other)
    column = next(same, min(len(body), len(spelling))) + 1
    message = say(
        "From character {column:,} on the line is spelled differently from every other line of this hand.",
        column=column,
    )
    where: dict[str, str | int] = {"field": "line", "column": column}
    raise Refused([Violation("line-spelling", message, where)])


def _body(record: HandRecord) -> str:
    """Return the line of a record without its check characters; nothing is left out that follows."""
    keys = record.to_mapping()
    del keys["format"]  # follows from the other keys
    seats = TableSeats.of(record.players, record.dealer)
    rules = "" if record.rules is None else "," + escape(record.rules)
    names = ",".join(map(escape, record.players))
    active = "" if record.active is None else "=" + seats.write(record.active)
    lines = [escape(record.game) + rules, f"{names}@{seats.dealer}{active}"]
    for key, part in PARTS.items():
        if key in keys:
            try:
                lines.append(f"{part.letter}:{part.write(keys[key], seats)}")
                del keys[key]
            except (NoNotation, KeyError):
                pass  # written below, like the keys without a notation
    others = sorted(keys.keys() - {*_HEADER})
    return "/".join((*lines, *(f"{escape(key)}={write_value(keys[key])}" for key in others)))


def _keys(source: LineReader) -> Mapping[str, object]:
    """Return the record's keys from a line without its check characters.

    Raises `Refused` at the first character that can't be read.
    """
    keys: dict[str, object] = {"game": source.text("game")}
    if source.sign(","):
        keys["rules"] = source.text("game")
    if not source.sign("/"):
        raise source.refused("game")
    players = [source.text("names")]
    while source.sign(",") and len(players) < MOST:
        players.append(source.text("names"))
    dealer = source.sign("@") and source.sign(SEATS[: len(players)])
    if not dealer:
        raise source.refused("dealer")
    seats = TableSeats(players, dict(zip(players, SEATS, strict=False)), dealer)
    keys |= {"players": players, "dealer": seats.name(dealer)}
    if source.sign("="):
        keys["active"] = seats.names(source.maybe(_SEATS))
    while not source.over:
        if not source.sign("/"):
            raise source.refused("end")
        key, value = _part(source, seats, keys)
        keys[key] = value
    return keys


def _part(
    source: LineReader, seats: TableSeats, before: Mapping[str, object]
) -> tuple[str, object]:
    """Read one part of a line, after its slash, and return the record's key and value.

    Raises `Refused` if it can't be read, or its key is among those `before`.
    """
    start = source.at
    letter = source.maybe(_PART)[:1]
    key = _KEYS_BY_LETTER[letter] if letter else source.text("part")
    if key in before or not (letter or source.sign("=")):
        source.at = start
        raise source.refused("part")
    slash = source.line.find("/", source.at, source.end)
    end = source.end if slash < 0 else slash
    part = LineReader(source.line, source.at, end)
    value = PARTS[key].read(part, seats) if letter else part.value()
    if not part.over:
        raise part.refused("end")
    source.at = end
    return key, value
