"""A list of hands in one JSON file, read hand by hand as it comes."""

import json
import tracemalloc
from collections.abc import Iterator
from io import StringIO

import pytest

from engine.errors import Refused
from engine.notation import json_text
from engine.notation.common import Reading, Unreadable
from engine.notation.json_text import read_json, stream_json, write_json
from engine.record import HandRecord
from tests.engine.hands import crazy, six
from tests.engine.playing import dice

GOOD = HandRecord.from_mapping(six(3, "misere", 0, note='{"[\\ ü 🂡 ]}'))
TEXTS = (
    write_json([GOOD] * 3),
    json.dumps([six(3, "misere", 0), crazy(4, "solo", 74)], indent=2, ensure_ascii=True),
    '\ufeff [ 12 , -3.5e2,true , null,\n"a\\u00fcb\\ud83c\\udca1" , [ {"a" : [ ] } ] ] ',
    " [ ] ",
    '{"game": "frog",\n "players": [1, 2]} ',
)


class Pieces(StringIO):
    """A text that gives at most so many characters at a time."""

    def __init__(self, text: str, size: int) -> None:
        super().__init__(text)
        self.size = size

    def read(self, _: int | None = -1, /) -> str:
        """Give the next piece."""
        return super().read(self.size)


def come_to(hands: Iterator[Reading]) -> list[object]:
    """List the hands read; if the file cannot be read, with the place and the reason at the end."""
    results: list[object] = []
    while True:
        try:
            hand = next(hands)
        except StopIteration:
            return results
        except Unreadable as unreadable:
            return [*results, str(unreadable)]
        results.append(hand.violations if isinstance(hand, Refused) else hand)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("size", [1, 3, 64])
def test_where_a_piece_ends_makes_no_difference(text: str, size: int) -> None:
    """In a number, a word, an escape or a name."""
    assert come_to(stream_json(Pieces(text, size))) == come_to(read_json(text))


def test_a_broken_file_is_named_where_python_names_it() -> None:
    """A character taken out, or put in: the same line and column, and the hands before it."""
    rng = dice("broken JSON")
    broken = 0
    for text in TEXTS * 20:
        at = rng.randrange(len(text))
        unusual = text[:at] + rng.choice(["", "", "{", "]", ",", '"', "x", "\n"]) + text[at + 1 :]
        try:
            json.loads(unusual.removeprefix("\ufeff"))
            continue
        except json.JSONDecodeError as error:
            place = f"line {error.lineno}, column {error.colno}: "
        broken += 1
        for size in (50, 1 << 16):
            *_, said = come_to(stream_json(Pieces(unusual, size)))
            assert str(said).startswith(place), unusual
    assert broken > 30


def test_the_hands_before_a_fault_are_given_first() -> None:
    """As in JSON Lines and TOML."""
    hands = stream_json(StringIO(write_json([GOOD, GOOD])[:-2] + ", oops]"))
    assert [next(hands), next(hands)] == [GOOD, GOOD]
    with pytest.raises(Unreadable, match="line 1, column"):
        next(hands)


def test_a_fault_is_found_without_reading_on() -> None:
    """A file of gigabytes that breaks at its beginning is not gathered first."""
    text = Pieces('[{"game": oops}, ' + "7, " * 500_000, json_text.PIECE)
    with pytest.raises(Unreadable, match="line 1, column 11"):
        next(stream_json(text))
    assert text.tell() <= 2 * json_text.PIECE


class Endless(StringIO):
    """A list of so many hands, written as it is read."""

    def __init__(self, hands: int) -> None:
        super().__init__()
        self.left, self.hand = hands, json.dumps(six(3, "misere", 0))
        self.start = "["

    def read(self, _: int | None = -1, /) -> str:
        """Give some hands more."""
        some = min(self.left, 100)
        self.left -= some
        text = (
            self.start + ", ".join([self.hand] * some) + (", " if self.left else "]" * bool(some))
        )
        self.start = ""
        return text


def most_memory(hands: int) -> int:
    """Read so many hands and give the most memory that it took."""
    tracemalloc.start()
    try:
        assert sum(1 for _ in stream_json(Endless(hands))) == hands
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_long_list_needs_no_more_memory_than_a_short_one() -> None:
    """Four thousand hands, 600 KB of text, compared with two hundred."""
    most_memory(200)
    assert most_memory(4_000) < most_memory(200) + 50_000


def test_keys_without_end_are_told_apart_at_once() -> None:
    """Twenty thousand of them, the last one twice: not each against each."""
    keys = ", ".join(f'"k{number}": 1' for number in range(20_000))
    (hand,) = read_json("{" + keys + ', "k19999": 2}')
    assert isinstance(hand, Refused)
    assert hand.violations[0].field == "k19999"


def test_a_file_that_is_not_utf_8_is_unreadable() -> None:
    """At the place after which it fails, when the hands before it have been given."""

    class Broken(StringIO):
        def read(self, size: int | None = -1) -> str:
            return super().read(size) or b"\xff".decode()

    hands = stream_json(Broken(TEXTS[0].rstrip()))
    assert [next(hands) for _ in range(3)] == [GOOD] * 3
    with pytest.raises(Unreadable, match="not UTF-8"):
        next(hands)
