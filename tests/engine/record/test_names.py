"""When two names are the same, and when they only look the same."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Refused
from engine.notation.json_text import read_json, write_json
from engine.record import HandRecord, names
from engine.record.names import LONGEST_COMPARED, look_alike, name_key
from engine.record.seats import look_alikes
from tests.engine.hands import refusal, scored, six

CYRILLIC_ANN = "\u0410nn"
"""Its first letter is a Cyrillic one."""


@given(st.text(max_size=20))
def test_a_short_way_for_ascii_gives_the_same_key(text: str) -> None:
    """A letter of any other script makes the long way necessary, and changes nothing before it."""
    assert name_key(text + "\u5c71") == name_key(text + ".")[:-1] + "\u5c71"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", CYRILLIC_ANN),
        ("ann", CYRILLIC_ANN),
        ("\uff21nn", CYRILLIC_ANN),
        ("\u0410\u043d\u043d\u0430", "A\u043d\u043da"),
        ("Max", "\u041c\u0430\u0445"),
        ("Nico", "\u039dico"),
        ("\u0401\u0432\u0430", "\u00cb\u0432\u0430"),
        ("\u30cb\u30b3", "\u4e8c\u30b3"),
        ("\u5c71\u53e3", "\u5c71\u30ed"),
        ("\u30d9\u30f3", "\u3079\u30f3"),
    ],
)
def test_names_look_alike_whose_letters_have_twins_in_another_script(one: str, other: str) -> None:
    """Latin and Cyrillic, Greek, kana and kanji; also with accents, in capitals and in full width."""
    assert name_key(one) != name_key(other)
    assert look_alike(one, ["Bob", other]) == other
    assert look_alike(other, [one]) == one
    assert look_alike(f"{other} B.", [one]) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ann"),
        ("Al", "AI"),
        ("Ivan", "\u0418\u0432\u0430\u043d"),
        ("\u041d\u0435\u0442", "\u04ba\u0435\u0442"),
        ("\u041e\u043b\u044f", "\u043e\u043b\u044f"),
        ("Zoe", "Zo\u00eb"),
    ],
)
def test_names_of_one_script_or_of_other_letters_do_not_look_alike(one: str, other: str) -> None:
    """Nor does one name in two forms: that is one name."""
    assert look_alike(one, [other]) is None
    assert look_alike(other, [one]) is None


def test_every_twin_is_a_letter_of_another_script() -> None:
    """Else names of one script would look alike by mistake."""
    twins = {chr(one): chr(other) for one, other in names._TWINS.items()}
    for letters in twins.items():
        assert all(map(str.isalpha, letters))
        scripts = {unicodedata.name(letter).partition(" ")[0] for letter in letters}
        assert len(scripts) == 2


def test_hands_from_elsewhere_are_refused_for_names_that_look_alike() -> None:
    """Each later one at its seat; a record of a club, which may have had them before, is not."""
    written = six(4, "misere", 0, players=["Ann", CYRILLIC_ANN, "Bob", "B\u043eb"], dealer="Ann")
    record = HandRecord.from_mapping(written | {"contract": {"bid": "pass"}})
    (reading,) = read_json(write_json([record]))
    assert isinstance(reading, Refused)
    assert [(each.code, each.field) for each in reading.violations] == [
        ("name-looks-alike", "players.2"),
        ("name-looks-alike", "players.4"),
    ]
    assert reading.violations[0].message == (
        f"{CYRILLIC_ANN} looks like Ann, but has letters of another alphabet; change one of the two."
    )
    assert scored(written | {"contract": {"bidder": "Bob", "bid": "misere"}}).bidder == "Bob"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "ann",
            "ann has no seat at this table; the seat is called Ann, and a reference must match it exactly.",
        ),
        (
            CYRILLIC_ANN,
            f"{CYRILLIC_ANN} has no seat at this table; Ann only looks the same, with letters of another"
            " alphabet.",
        ),
        ("Anne", "Anne has no seat at this table; seated are Ann, Bob, Cyd. Did you mean Ann?"),
    ],
)
def test_a_name_that_is_nearly_a_seats_is_refused_with_the_seat(name: str, message: str) -> None:
    """Nothing is guessed: a bidder must be written as the seat is."""
    for keys, field in (
        ({"contract": {"bidder": name, "bid": "misere"}}, "contract.bidder"),
        ({"dealer": name}, "dealer"),
        ({"auction": [[name, "misere"]]}, "auction.1"),
    ):
        violation = refusal(six(3, "misere", 0) | keys)
        assert (violation.code, violation.field) == ("unknown-seat", field)
        assert violation.message == message
        assert violation.legal == ("Ann", "Bob", "Cyd")


def test_comparing_is_bounded_before_it_is_normalised() -> None:
    """However many marks a text has; the longest that is compared costs little, too."""
    marks = "\u0301\u0323" * 30_000
    began = time.process_time()
    assert name_key("A" + marks) == "A" + marks
    assert look_alike("A" + marks, ["Ann"]) is None
    assert refusal(six(3, "misere", 0, dealer="A" + marks)).code == "unknown-seat"
    longest = ("A" + marks)[:LONGEST_COMPARED]
    assert look_alike(longest, ["\u0410" + longest[1:]]) is not None
    assert len(longest.encode()) < 4 * LONGEST_COMPARED
    assert time.process_time() - began < 2


def test_tables_are_compared_once() -> None:
    """The result for a table is cached, as each of its hands needs it."""
    players = ("Ann", "Bob", CYRILLIC_ANN)
    assert look_alikes(players) is look_alikes(players)
