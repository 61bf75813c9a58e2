"""Hands in every notation, read again by the engine."""

from io import StringIO

import pytest

from engine.notation.compact import read_compact
from engine.notation.compact_text import NoLine
from engine.notation.json_text import read_jsonl
from engine.notation.toml_stream import stream_toml
from engine.record import HandRecord
from engine.scoring.canonical import canonical
from ledger.keeping.exports import hand_texts
from ledger.keeping.exports.hand_rows import standing_hands
from ledger.services.session.session_filter import EVERY_SESSION
from tests.ledger.evenings import CardClub
from tests.ledger.keeping.exports.files import exported

READERS = {"jsonl": read_jsonl, "toml": stream_toml, "line": read_compact}


@pytest.mark.parametrize("notation", READERS)
def test_hands_are_read_as_they_were_saved(ours: CardClub, notation: str) -> None:
    """All standing ones, in order."""
    saved = ours.read(lambda session: [*standing_hands(session, EVERY_SESSION)])
    assert {version.state for version in saved} == {"standing"}
    hands = list(READERS[notation](StringIO(exported(ours, notation))))
    records = [HandRecord.from_mapping(version.record) for version in saved]
    if notation == "line":
        records = [canonical(record) for record in records]
        hands = [canonical(hand) for hand in hands if isinstance(hand, HandRecord)]
    assert hands == records
    assert len(records) > 3


def test_a_hand_that_is_no_line_is_named(ours: CardClub, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the notations that hold it."""

    def refuse(_: object) -> list[str]:
        raise NoLine("too long")

    monkeypatch.setattr(hand_texts, "write_compact", refuse)
    with pytest.raises(hand_texts.NotALine, match=r"Hand 1 of evening 1 .*JSON Lines"):
        exported(ours, "line")
