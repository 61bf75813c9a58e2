"""The page on the hand record: every example on it is read and scored, and every key is on it."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.games import GAMES
from engine.notation.compact import write
from engine.notation.json_text import read_json, write_json
from engine.notation.toml_stream import read_toml
from engine.notation.toml_text import write_toml
from engine.record import Contract, Deal, Exchange, HandRecord, Spit
from engine.record.evening import HandEvening
from engine.record.fields import FIELDS
from engine.record.hand import KEYS
from engine.record.parts import BlindRound
from engine.scoring.score import score

PAGE = (Path(__file__).parents[2] / ".docs" / "HAND_RECORD.md").read_text(encoding="utf-8")
TEXT, EXAMPLES = PAGE.split("\n## Examples\n")


class Example(NamedTuple):
    """One example: the hand in both notations, and its verdict."""

    title: str
    toml: str
    json: str
    verdict: str


def _examples() -> list[Example]:
    sections = re.split(r"^### ", EXAMPLES, flags=re.MULTILINE)[1:]
    return [
        Example(
            section.splitlines()[0],
            *re.findall(r"^```(?:toml|json)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL),
        )
        for section in sections
    ]


ALL = _examples()


def read(example: Example) -> HandRecord:
    """Read an example's TOML."""
    (record,) = read_toml(example.toml)
    assert isinstance(record, HandRecord)
    return record


@pytest.fixture(params=ALL, ids=[example.title for example in ALL])
def example(request: pytest.FixtureRequest) -> Example:
    """Each example on the page."""
    current: Example = request.param
    return current


def test_both_spellings_of_an_example_are_the_same_hand(example: Example) -> None:
    """TOML and JSON parse to equal records, and writing and parsing returns the same records."""
    record = read(example)
    assert list(read_json(example.json)) == [record]
    assert list(read_toml(write_toml([record]))) == [record]
    assert list(read_json(write_json([record]))) == [record]


def test_the_compact_line_on_the_page_is_that_of_the_first_example() -> None:
    """And no other program would write it differently."""
    assert f"```text\n{write(read(ALL[0]))}\n```" in TEXT


def test_an_example_is_scored_as_the_page_says(example: Example) -> None:
    """The complete verdict with its explanation."""
    assert score(read(example)).to_mapping() == json.loads(example.verdict)


def test_every_game_has_an_annotated_example() -> None:
    """With a comment in its TOML at least once."""
    annotated = {read(example).game for example in ALL if " # " in example.toml}
    assert annotated == set(GAMES)


def test_every_key_is_described_and_shown() -> None:
    """In the tables of the page, and in some example."""
    written = [json.loads(example.json) for example in ALL]
    cards = {"deal": FIELDS[Deal], "exchange": FIELDS[Exchange], "spit": FIELDS[Spit]}
    parts = {"contract": FIELDS[Contract], "blind_round": FIELDS[BlindRound], **cards}
    used = {key for hand in written for key in hand}
    described = set(re.findall(r"`([a-z_]+)`", TEXT))
    only_described = {"points_against", "from", "returned", "stated", "notes", "evening"}
    assert set(KEYS) <= described
    assert set(KEYS) - used <= only_described
    for name, keys in parts.items():
        inside = {key for hand in written for key in hand.get(name, {})}
        assert set(keys) <= described
        assert set(keys) - inside <= only_described


def test_the_head_of_a_file_is_read_as_the_page_shows_it() -> None:
    """Seats and numbers follow from it."""
    (text,) = re.findall(r"^```toml\n(game.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    (hand,) = read_toml(text)
    assert isinstance(hand, HandRecord)
    assert hand.players == ("Ann", "Bob", "Cyd")
    assert hand.evening is not None
    assert (hand.evening.number, hand.evening.date) == (7, "2026-01-08")
    assert set(FIELDS[HandEvening]) <= set(re.findall(r"[a-z]+", text))


def test_every_bid_and_call_is_listed() -> None:
    """Each game's own, from low to high, with the force and the blind bid last."""
    for sheet in GAMES.values():
        bids = sheet.rules(None, {}, sheet.seats[-1]).bids
        spoken = [bid.slug for bid in bids if bid.biddable]
        (row,) = re.findall(rf"^\| `{sheet.slug}` \| (.*) \|$", TEXT, re.MULTILINE)
        listed = re.findall(r"`([a-z-]+)`", row)
        assert listed[: len(spoken)] == spoken
        assert set(listed) == {bid.slug for bid in bids}
    for call in ("pass", "double", "redouble", "hold", "blind"):
        assert f"`{call}`" in TEXT


def test_the_page_names_the_versions_that_are_read() -> None:
    """Versions 1 and 1.1."""
    assert "describes versions 1 and 1.1 of the format" in TEXT
