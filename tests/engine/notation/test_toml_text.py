"""TOML."""

from datetime import UTC, datetime

import pytest

from engine.cards.cards import Card
from engine.errors import Refused
from engine.notation.common import Unreadable
from engine.notation.toml_stream import read_toml
from engine.notation.toml_text import write_toml
from engine.record import HandRecord, Spit
from tests.engine.hands import crazy, six
from tests.engine.record.test_hand import FULL

RECORDS = [
    HandRecord.from_mapping(written)
    for written in (FULL, six(3, "misere", 0), crazy(4, "solo", 74))
]


def test_hands_are_written_and_read_again_exactly() -> None:
    """One, several, or none."""
    for records in (RECORDS, RECORDS[:1], []):
        assert list(read_toml(write_toml(records))) == records


def test_a_file_can_be_typed_and_read() -> None:
    """Values of all hands are written once at the top; cards are one text; tricks have a line each."""
    first = HandRecord.from_mapping(
        crazy(
            3,
            "go-alone",
            74,
            tricks=[{"cards": "AS TS KS"}],
            deal={"hands": {"Ann": "AS", "Bob": "TS"}},
        )
    )
    second = HandRecord.from_mapping(
        crazy(3, "go-alone", 61, note='"ok"', played_at="2026-01-31T20:15:00Z")
    )
    assert write_toml([first, second]) == (
        "format = 1\n"
        'game = "crazy-solo"\n'
        'players = ["Ann", "Bob", "Cyd"]\n'
        "\n"
        "[[hand]]\n"
        'dealer = "Cyd"\n'
        'deal.hands.Ann = "AS"\n'
        'deal.hands.Bob = "TS"\n'
        'contract = {bidder = "Ann", bid = "go-alone", trump = "S"}\n'
        "tricks = [\n"
        '  {cards = "AS TS KS"},\n'
        "]\n"
        "points = 74\n"
        "\n"
        "[[hand]]\n"
        'dealer = "Cyd"\n'
        'contract = {bidder = "Ann", bid = "go-alone", trump = "S"}\n'
        "points = 61\n"
        "played_at = 2026-01-31T20:15:00Z\n"
        'note = "\\"ok\\""\n'
    )


def test_a_hand_overrides_what_the_file_shares() -> None:
    """Key by key."""
    text = (
        '\ufeffgame = "six-bid"\nplayers = ["Ann", "Bob", "Cyd"]\ndealer = "Ann"\n'
        '[[hand]]\n[[hand]]\ndealer = "Bob"\n[hand.contract]\nbid = "pass"\n'
    )
    first, second = read_toml(text)
    assert isinstance(first, HandRecord)
    assert isinstance(second, HandRecord)
    assert (first.dealer, second.dealer) == ("Ann", "Bob")
    assert second.contract is not None


def test_options_are_shared_only_when_all_hands_have_them() -> None:
    """A hand without house rules keeps to the variant's."""
    some = [
        HandRecord.from_mapping(six(3, "misere", 0, options={"auction": "rotation"})),
        HandRecord.from_mapping(six(3, "misere", 0)),
    ]
    assert list(read_toml(write_toml(some))) == some
    assert list(read_toml(write_toml(some[:1] * 2))) == some[:1] * 2


def test_a_time_of_toml_is_read() -> None:
    """With its offset; a local one is refused."""
    head = 'game = "six-bid"\nplayers = ["Ann", "Bob", "Cyd"]\ndealer = "Ann"\n[[hand]]\n'
    (hand,) = read_toml(head + "played_at = 2026-01-31T20:15:00Z\n")
    assert isinstance(hand, HandRecord)
    assert hand.played_at == datetime(2026, 1, 31, 20, 15, tzinfo=UTC)
    (hand,) = read_toml(head + "played_at = 2026-01-31T20:15:00\n")
    assert isinstance(hand, Refused)


def test_one_bad_hand_does_not_stop_the_next() -> None:
    """It is given as its refusal, in its place."""
    text = 'game = "six-bid"\nplayers = ["Ann", "Bob", "Cyd"]\n[[hand]]\n[[hand]]\ndealer = "Ann"\n'
    bad, good = read_toml(text)
    assert isinstance(bad, Refused)
    assert isinstance(good, HandRecord)
    (number,) = read_toml("hand = [7]")
    assert isinstance(number, Refused)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('game = "six-bid"\npoints = \n', 2, 10),
        ("game = 1\ngame = 2", 2, 9),
        ('game = "six', 1, 12),
        ('a = 1\ngame = """', 2, 11),
        ("[hand]\npoints = 3", 1, 1),
        ('game = "six-bid"', 1, 1),
        ("points = " + "9" * 5000, 1, 5010),
        ("a = " + "[" * 100_000, 1, 1),
        ("x-a = 1\n" + "a." * 50_000 + "a = 1", 2, 1),
        ("[hand.'a'" + ' . "b"' * 50_000 + "]", 1, 2),
        ("[[hand]]\nx-a = {" + "a." * 50_000 + "a = 1}", 2, 8),
    ],
)
def test_a_text_that_is_no_file_of_hands_is_unreadable(text: str, line: int, column: int) -> None:
    """At line and column, however it fails."""
    with pytest.raises(Unreadable) as unreadable:
        read_toml(text)
    assert (unreadable.value.line, unreadable.value.column) == (line, column)


def test_a_text_with_many_dots_is_no_deep_key() -> None:
    """In a note between quotation marks, whatever they are."""
    head = 'game = "six-bid"\nplayers = ["Ann", "Bob", "Cyd"]\ndealer = "Ann"\n[[hand]]\n'
    dots = "and.so.on." * 100
    for mark in ('"', "'", '"""', "'''"):
        (hand,) = read_toml(f"{head}note = {mark}{dots}{mark}  # {dots}\n")
        assert isinstance(hand, HandRecord)
        assert hand.note == dots


def test_a_spit_deal_is_written_a_row_a_line() -> None:
    """As an auction is; on one line nobody could read it."""
    spit = Spit(order=(("Ann", Card.parse("6S")), ("spit", Card.parse("TD"))), drawn=None)
    record = HandRecord("crazy-solo", ("Ann", "Bob", "Cyd"), "Ann", spit=spit)
    written = write_toml([record])
    assert '\nspit.order = [\n  ["Ann", "6S"],\n  ["spit", "TD"],\n]\n' in written
    assert list(read_toml(written)) == [record]
