"""What people add to a hand: the result as announced, notes on cards and calls, keys of other programs."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engine.cards.cards import Card
from engine.errors import Problems, Violation
from engine.record import reading
from engine.record.parts import Call, Tricks
from engine.record.reading import At
from engine.words.sentences import later, say

MOST_NOTES = 100
LONGEST_NOTE = 2_000
"""The most characters of a note on the hand, a card or a call."""

PREFIX = "x-"
"""The beginning of the keys that other programs may add to a record."""

MOST_ADDED = 10_000
"""The most characters of all added keys and texts together; any other value counts as `VALUE_SIZE`."""

VALUE_SIZE = 8
DEEPEST_ADDED = 6
"""The most tables and lists within each other in an added key."""

LARGEST_ADDED = 2**53 - 1
"""The largest whole number that every JSON reader reads exactly."""


class StatedVerdict(NamedTuple):
    """The numbers announced at the table, each optional, to be compared with the verdict.

    They are the card points, the ``amount`` that one opponent pays, and the deltas of some or all seats.
    """

    points: int | None = None
    amount: int | None = None
    deltas: Mapping[str, int] | None = None


class Note(NamedTuple):
    """A note on a trick, a card or a call of the auction, counted from 1; without these on the hand."""

    text: str
    trick: int | None = None
    card: Card | None = None
    call: int | None = None


def note_problems(
    notes: tuple[Note, ...], tricks: Tricks | None, auction: tuple[Call, ...] | None
) -> Iterator[Violation]:
    """Yield a violation for each note on a trick, card or call that the record does not have.

    A note on a call and also on a trick or card is one, too. Tricks, unknown cards and calls that were not
    recorded are not checked, nor is a card without its trick.
    """
    played = None if tricks is None else tuple(tricks)
    for number, note in enumerate(notes, 1):
        values = {"number": number, "n": note.trick, "card": note.card, "call": note.call}
        trick = note.trick or 0
        template = None
        if note.call is not None and (note.card is not None or note.trick is not None):
            template = _BOTH
        elif note.call is not None and auction is not None and note.call > len(auction):
            template = _NO_CALL
        elif played is not None and trick > len(played):
            template = _NO_TRICK
        elif played is not None and trick and note.card is not None:
            cards = played[trick - 1].cards
            template = None if note.card in cards or None in cards else _NO_CARD
        if template is not None:
            where = {"field": f"notes.{number}"}
            yield Violation("note-misplaced", say(template, **values), where)


_BOTH = later("Note {number} is on a card or trick and on a call; write one note for each.")
_NO_CALL = later("Note {number} is on call {call}, which the auction does not have.")
_NO_TRICK = later("Note {number} is on trick {n}, which is not recorded.")
_NO_CARD = later("Note {number} is on {card} in trick {n}, where it was not played.")


def read_added(value: object, at: At, problems: Problems) -> object:
    """Return a copy of the value of an added key, with tuples as lists; `None` if a violation was added.

    Text, whole numbers of at most 53 bits, other finite numbers, true, false, and lists and tables of these
    are valid, nested at most `DEEPEST_ADDED` deep.
    """
    before = len(problems)
    copy = _copied(value, at, problems, 1)
    return None if len(problems) > before else copy


def _copied(value: object, at: At, problems: Problems, depth: int) -> object:
    """Copy a value as `read_added` does; an invalid part becomes `None`. The outermost `depth` is 1."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return reading.text(value, at, problems)
    if isinstance(value, int) and abs(value) <= LARGEST_ADDED:
        return value
    if isinstance(value, float) and abs(value) <= _LARGEST_FLOAT:
        return value
    if isinstance(value, list | tuple | Mapping) and depth > DEEPEST_ADDED:
        expected = say("at most {most} tables and lists within each other", most=DEEPEST_ADDED)
        reading.wrong(problems, at, value, expected)
    elif isinstance(value, list | tuple):
        items = reading.array(value, at, problems) or ()
        return [
            _copied(item, (at, place), problems, depth + 1) for place, item in enumerate(items, 1)
        ]
    elif isinstance(value, Mapping):
        return {
            str(reading.text(key, (at, key), problems)): _copied(
                item, (at, key), problems, depth + 1
            )
            for key, item in (reading.mapping(value, at, problems) or {}).items()
        }
    else:
        expected = say("text, a number, true, false, or a list or table of these")
        reading.wrong(problems, at, value, expected)
    return None


_LARGEST_FLOAT = 1.7976931348623157e308


def size_of(value: Any) -> int:
    """Return the size of an added value: the characters of its keys and texts, and `VALUE_SIZE` per value.

    Lists, tables and texts are values, too.
    """
    if isinstance(value, str):
        return len(value) + VALUE_SIZE
    if isinstance(value, list):
        return sum(map(size_of, value), VALUE_SIZE)
    if isinstance(value, dict):
        return sum((len(key) + size_of(item) for key, item in value.items()), VALUE_SIZE)
    return VALUE_SIZE
