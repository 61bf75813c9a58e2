"""The tricks of a record are parsed alike however their cards are spelled."""

from engine.errors import Problems
from engine.record.fields import read_tricks


def test_tricks_as_long_as_each_other_may_hold_more_or_fewer_cards() -> None:
    """Two cards spelled with signs take as much room as three spelled with letters."""
    texts = ["AS KS QS", "9♠\ufe0f 10♥\ufe0f"]
    rows = [{"leader": "Ann", "cards": text} for text in texts]
    problems: Problems = []
    tricks = read_tricks(rows, "tricks", problems)
    assert tricks is not None
    assert not problems
    assert [trick and len(trick.cards) for trick in tricks] == [3, 2]
