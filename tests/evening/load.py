"""Reads a recorded evening: the hands with their expected results.

Nothing here knows a rule or asks the engine: the figures are the files' own, so that they can be
held against the engine, the service, the pages and the PDF alike.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Record = Mapping[str, Any]
"""A hand record as plain values, the keys its file shares among all hands included."""

Game = Literal["crazy_solo", "six_bid"]
"""The evenings there are, by the name of their files."""

GAMES: tuple[Game, ...] = ("crazy_solo", "six_bid")

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Payout:
    """The payment due for a record: `amount` an opponent, never negative; `deltas` for every seat."""

    outcome: str
    amount: int
    deltas: Mapping[str, int]
    worked: str


@dataclass(frozen=True)
class Change:
    """A correction or a void of hand number `hand`, made once `after` hands were down.

    `record` holds the keys that replace those of the record as it then stood, each one whole; it is
    empty and `payout` is None for a void.
    """

    hand: int
    after: int
    action: Literal["correct", "void"]
    reason: str
    record: Record
    payout: Payout | None


@dataclass(frozen=True)
class Checkpoint:
    """The balances, from 0, with `after` hands down and the first `changes` changes made."""

    after: int
    changes: int
    balances: Mapping[str, int]


@dataclass(frozen=True)
class Evening:
    """One evening, as written down and as it came out.

    Hands are numbered from 1: hand n is `hands[n - 1]`, and its first payout `payouts[n - 1]`.
    """

    players: tuple[str, ...]
    hands: tuple[Record, ...]
    payouts: tuple[Payout, ...]
    changes: tuple[Change, ...]
    checkpoints: tuple[Checkpoint, ...]
    final: Mapping[str, int]

    def changes_due(self, after: int) -> tuple[Change, ...]:
        """Return the changes made when exactly `after` hands were down, in the order made."""
        return tuple(change for change in self.changes if change.after == after)

    def standing_records(self, changes: int) -> dict[int, Record]:
        """Return every hand's record by number as it stands after the first `changes` changes.

        A voided hand is left out.
        """
        standing = dict(enumerate(self.hands, 1))
        for change in self.changes[:changes]:
            if change.action == "void":
                del standing[change.hand]
            else:
                standing[change.hand] = {**standing[change.hand], **change.record}
        return standing

    def standing_payouts(self, after: int, changes: int) -> dict[int, Payout]:
        """Return the payouts by number that count with `after` hands down and `changes` changes."""
        standing = dict(enumerate(self.payouts[:after], 1))
        for change in self.changes[:changes]:
            if change.payout is None:
                del standing[change.hand]
            else:
                standing[change.hand] = change.payout
        return standing


def hands_file(game: Game) -> Path:
    """Return the file of pure hand records, as `solo-ledger score` and an import read it."""
    return _HERE / f"{game}.hands.toml"


def load(game: Game) -> Evening:
    """Return the recorded evening of `game`."""
    shared = _read(hands_file(game))
    hands = shared.pop("hand")
    expected = _read(_HERE / f"{game}.expected.toml")
    numbers = [table["hand"] for table in expected["expect"]]
    if numbers != list(range(1, len(hands) + 1)):
        raise ValueError(f"{game}: one [[expect]] a hand, in order, was wanted, not {numbers}")
    return Evening(
        players=tuple(shared["players"]),
        hands=tuple({**shared, **hand} for hand in hands),
        payouts=tuple(_payout(table) for table in expected["expect"]),
        changes=tuple(_changes(expected["change"])),
        checkpoints=tuple(Checkpoint(**table) for table in expected["checkpoint"]),
        final=expected["final"]["balances"],
    )


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _payout(table: Mapping[str, Any]) -> Payout:
    return Payout(table["outcome"], table["amount"], table["deltas"], table["worked"])


def _changes(tables: Iterable[Mapping[str, Any]]) -> Iterable[Change]:
    for table in tables:
        corrects = table["action"] == "correct"
        yield Change(
            hand=table["hand"],
            after=table["after"],
            action=table["action"],
            reason=table["reason"],
            record=table["record"] if corrects else {},
            payout=_payout(table) if corrects else None,
        )
