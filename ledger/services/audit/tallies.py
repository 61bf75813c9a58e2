"""Check the stored sums: results, tallies, head to head, and each seat's bids, scores and bank chips."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby, repeat
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, bindparam, func, select

from engine.rules.sheet import SCORE
from ledger.books.hand_effects import HandEffects
from ledger.database import json
from ledger.database.kinds.states import ENDS, HandState
from ledger.services.audit.lookups import Lookups
from ledger.services.audit.raw import columns, listed_ids, of_club, refers
from ledger.services.audit.row_types import VersionRow
from ledger.services.audit.tables import metadata

_TABLES = metadata.tables
_RESULT = _TABLES["result"].c
_OF_SEAT, _OF_HAND = ("player_id", "amount", "side"), ("unit", "game", "bid", "outcome")
_RESULTS = columns("result", "hand_id", "seat_id", *_OF_SEAT, *_OF_HAND).order_by(
    _RESULT.hand_id, _RESULT.seat_id
)
_RESULTS_BETWEEN = _RESULTS.where(
    _RESULT.hand_id.between(bindparam("low", type_=BigInteger), bindparam("high", type_=BigInteger))
)
_RESULTS_OF = _RESULTS.where(_RESULT.hand_id.in_(listed_ids("hands")))
_RESULT_COUNT = (
    select(func.count()).select_from(_TABLES["result"]).where(of_club(_TABLES["result"]))
)
_HAND = _TABLES["hand"].c
_STRAY = (
    select(_RESULT.hand_id, func.count())
    .outerjoin(_TABLES["hand"], refers(_RESULT.hand_id, _TABLES["hand"]))
    .where(of_club(_TABLES["result"]))
    .where(_HAND.id.is_(None) | (_HAND.state != HandState.STANDING.value))
    .group_by(_RESULT.hand_id)
)
_ResultRow = tuple[int, int, int, int, str, str, str, str, str]
"""A result's hand, seat, player, amount and side, and the hand's unit, game, bid and outcome."""
_SUMS = {
    table: (keys, figures, columns(table, *keys, *figures))
    for table, keys, figures in (
        (
            "tally",
            ("player_id", "game", "bid", "side"),
            ("hands", "won", "lost", "tied", "total"),
        ),
        ("versus", ("payer_id", "payee_id"), ("hands", "amount")),
    )
}
"""The key columns, figures and query of the tables of sums."""


class Seated(NamedTuple):
    """The seats of a hand in the record's order, with their accounts and players.

    ``players`` is empty if a seat does not exist or occurs twice.
    """

    ids: tuple[int, ...]
    accounts: tuple[int | None, ...]
    players: tuple[int, ...]


class Sums:
    """Adds up the standing hands and compares the stored sums with that."""

    def __init__(self, lookups: Lookups) -> None:
        self.lookups = lookups
        self._results = 0
        # By game, bid and outcome, then by player and side: the number of hands and the chips.
        self._by_contract: dict[tuple[str, str, str], dict[tuple[int, str], list[int]]]
        self._by_contract = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        # By payer and payee: the number of hands and the chips.
        self._versus: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        self._bid: Counter[int] = Counter()
        self._won: Counter[int] = Counter()
        self._scored: Counter[int] = Counter()
        self._added: list[VersionRow] = []
        self._expected: list[_ResultRow] = []

    def add(self, version: VersionRow, seats: Seated, effects: HandEffects) -> None:
        """Add the payments of a standing hand, by its latest version, to the sums.

        Raises one of ``SPOILED`` if its data is spoiled.
        """
        game, bid, outcome, unit, bidder, sides, amounts, paid, *_ = effects
        hand_id, (ids, _, players) = version.hand_id, seats
        if not players:
            raise LookupError(f"there are no such seats: {ids}")
        sums = self._by_contract[game, bid, outcome]
        for key, amount in zip(zip(players, sides, strict=True), amounts, strict=True):
            pair = sums[key]
            pair[0] += 1
            pair[1] += amount
        for (payer, payee), amount in paid.items():
            pair = self._versus[players[payer], players[payee]]
            pair[0] += 1
            pair[1] += amount
        if unit == SCORE:
            self._scored.update(dict(zip(ids, amounts, strict=True)))
        if bidder is not None:
            self._bid[ids[bidder]] += 1
            self._won[ids[bidder]] += outcome == "won"
        self._added.append(version)
        of_hand = map(repeat, (unit, game, bid, outcome))
        of_seats = ids, players, amounts, sides
        self._expected += zip(repeat(hand_id), *of_seats, *of_hand, strict=False)

    def check(self) -> None:
        """Compare the stored results of the hands added since the last call; note each hand that differs."""
        stored = _results(self.lookups, [version.hand_id for version in self._added])
        self._results += len(stored)
        # All are compared at once, and mostly they are in the same order already.
        if stored != self._expected and stored != sorted(self._expected):
            expected, actual = _by_hand(sorted(self._expected)), _by_hand(stored)
            for version in self._added:
                if expected[version.hand_id] != actual.get(version.hand_id):
                    self.lookups.note(
                        version.hand or version, "its results are not what its verdict says"
                    )
        self._added.clear()
        self._expected.clear()

    def finish(self, advanced: Mapping[int, int], converted: Mapping[int, int]) -> None:
        """Note stray results, and tallies, head to head and seats' sums that differ from the added hands."""
        if self.lookups.fetch(_RESULT_COUNT) != [(self._results,)]:
            self._note_stray_results()
        self._compare("tally", self._tallies())
        versus = {key: Counter(hands=pair[0], amount=pair[1]) for key, pair in self._versus.items()}
        self._compare("versus", versus)
        for seat in self.lookups.seats.values():
            for word, stored, expected in (
                ("bids", seat.hands_bid, self._bid[seat.id]),
                ("bids won", seat.hands_won, self._won[seat.id]),
                ("points scored", seat.scored, self._scored[seat.id]),
                ("chips from the bank", seat.advanced, advanced.get(seat.id, 0)),
                ("chips converted", seat.converted, converted.get(seat.id, 0)),
            ):
                if stored != expected:
                    message = f"it says {stored} {word}, the books come to {expected}"
                    self.lookups.note(seat, message)

    def _tallies(self) -> dict[tuple[int, str, str, str], Counter[str]]:
        """Return the expected tallies by player, game, bid and side.

        Outcomes outside ``ENDS`` have no count of theirs.
        """
        tallies: dict[tuple[int, str, str, str], Counter[str]] = defaultdict(Counter)
        for (game, bid, outcome), sums in self._by_contract.items():
            for (player_id, side), (hands, total) in sums.items():
                tally = tallies[player_id, game, bid, side]
                tally.update({"hands": hands, "total": total})
                if outcome in ENDS:
                    tally[outcome] += hands
        return tallies

    def _compare(self, table: str, sums: Mapping[Any, Counter[str]]) -> None:
        """Note each stored row that differs from ``sums``, and each key in ``sums`` without a row."""
        left, (keys, columns_, query) = dict(sums), _SUMS[table]
        for row in self.lookups.fetch(query):
            key, stored = tuple(row[: len(keys)]), tuple(row[len(keys) :])
            expected = left.pop(key, Counter())
            if stored != tuple(expected[name] for name in columns_):
                pairs = zip(columns_, stored, strict=True)
                actual = ", ".join(f"{name} {number}" for name, number in pairs)
                sum_ = ", ".join(f"{name} {expected[name]}" for name in columns_)
                self._note(table, key, f"it says {actual}; the hands come to {sum_}")
        for key in left:
            self._note(table, key, "it is gone, the hands are not")

    def _note(self, table: str, key: tuple[Any, ...], message: str) -> None:
        place = f"{table} of player {' '.join(map(str, key))}"
        self.lookups.note_at(place, message)

    def _note_stray_results(self) -> None:
        """Note the results of hands that are void or gone."""
        for hand_id, number in self.lookups.fetch(_STRAY):
            message = f"it has {number} results, and does not stand"
            self.lookups.note_at(f"hand {hand_id}", message)


def _results(lookups: Lookups, hand_ids: Sequence[int]) -> list[_ResultRow]:
    """Return the stored results of these hands, ordered by hand and seat."""
    if not hand_ids:
        return []
    low, high, ids = min(hand_ids), max(hand_ids), set(hand_ids)
    if high - low < 2 * len(ids):
        # Ids mostly follow one another, and a range is found many times faster than a list of ids.
        rows = lookups.fetch(_RESULTS_BETWEEN, low=low, high=high)
        return rows if high - low < len(ids) else [row for row in rows if row[0] in ids]
    return lookups.fetch(_RESULTS_OF, hands=json.text(dict.fromkeys(map(str, ids))))


def _by_hand(results: Sequence[_ResultRow]) -> dict[int, list[_ResultRow]]:
    return {hand_id: list(rows) for hand_id, rows in groupby(results, itemgetter(0))}
