"""The sums kept beside the books: results, tallies, head to head, bids, scores and advances of each seat."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby, repeat
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from engine.rules.sheet import SCORE
from ledger.books.hand_effects import HandEffects
from ledger.database.kinds.states import ENDS
from ledger.services.audit.lookups import Shelf
from ledger.services.audit.raw import columns, rows, rows_with
from ledger.services.audit.row_types import VersionRow
from ledger.services.audit.tables import metadata

_TABLES = metadata.tables
_RESULT = _TABLES["result"].c
_RESULTS = columns(
    "result", "hand_id", "seat_id", "player_id", "amount", "unit", "club_id"
).order_by(_RESULT.hand_id, _RESULT.seat_id)
_RESULTS_BETWEEN = _RESULTS.where(_RESULT.hand_id.between(bindparam("low"), bindparam("high")))
_Result = tuple[int, int, int, int, str, int]
"""A result's hand, seat, player, amount, unit and club."""
_IN_A_TALLY = ("hands", "won", "lost", "tied", "total")


class Seated(NamedTuple):
    """The seats of a hand, in the order of its places, with their accounts and players.

    There are no ``players`` where one of the seats is none, or stands there twice.
    """

    ids: tuple[int, ...]
    accounts: tuple[int | None, ...]
    players: tuple[int, ...]


class Sums:
    """Adds the standing hands up again, and holds what is kept of them against that, chunk by chunk."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._results = 0
        # By club, game, bid and outcome; in it by player and side: so many hands, so many chips.
        self._shares: dict[tuple[int, str, str, str], dict[tuple[int, str], list[int]]]
        self._shares = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        # By club, payer and payee: likewise.
        self._versus: dict[tuple[int, int, int], list[int]] = defaultdict(lambda: [0, 0])
        self._bid: Counter[int] = Counter()
        self._won: Counter[int] = Counter()
        self._scored: Counter[int] = Counter()
        self._added: list[VersionRow] = []
        self._expected: list[_Result] = []

    def add(self, version: VersionRow, seats: Seated, told: HandEffects) -> None:
        """Add a hand that stands, by its last version; what was ``SPOILED`` is raised."""
        game, bid, outcome, unit, bidder, sides, amounts, paid, *_ = told
        hand_id, club_id, (ids, _, players) = version.hand_id, version.hand_club_id, seats
        if not players:
            raise LookupError(f"there are no such seats: {ids}")
        sums = self._shares[club_id, game, bid, outcome]
        for key, amount in zip(zip(players, sides, strict=True), amounts, strict=True):
            share = sums[key]
            share[0] += 1
            share[1] += amount
        for (payer, payee), amount in paid.items():
            between = self._versus[club_id, players[payer], players[payee]]
            between[0] += 1
            between[1] += amount
        if unit == SCORE:
            self._scored.update(dict(zip(ids, amounts, strict=True)))
        if bidder is not None:
            self._bid[ids[bidder]] += 1
            self._won[ids[bidder]] += outcome == "won"
        self._added.append(version)
        same = repeat(hand_id), repeat(unit), repeat(club_id)
        self._expected += zip(same[0], ids, players, amounts, *same[1:], strict=False)

    def check(self, connection: Connection) -> None:
        """Check the results of the hands that were added since it was last asked."""
        kept = _results(connection, [version.hand_id for version in self._added])
        self._results += len(kept)
        # All are compared at once; mostly they stand in the same order, too.
        if kept != self._expected and kept != sorted(self._expected):
            told, found = _by_hand(sorted(self._expected)), _by_hand(kept)
            for version in self._added:
                if told[version.hand_id] != found.get(version.hand_id):
                    self.shelf.note(
                        version.hand or version, "its results are not what its verdict says"
                    )
        self._added.clear()
        self._expected.clear()

    def finish(
        self, connection: Connection, advanced: Mapping[int, int], converted: Mapping[int, int]
    ) -> None:
        """Hold the tallies, head to head and seats against what the hands added up to."""
        total = rows(connection, select(func.count()).select_from(_TABLES["result"]))
        if total != [(self._results,)]:
            self._stray_results(connection)
        keys: tuple[str, ...] = ("club_id", "player_id", "game", "bid", "side")
        self._compare(connection, "tally", keys, _IN_A_TALLY, self._tallies())
        keys = ("club_id", "payer_id", "payee_id")
        versus = {key: Counter(hands=each[0], amount=each[1]) for key, each in self._versus.items()}
        self._compare(connection, "versus", keys, ("hands", "amount"), versus)
        for seat in self.shelf.seats.values():
            for word, kept, found in (
                ("bids", seat.hands_bid, self._bid[seat.id]),
                ("bids won", seat.hands_won, self._won[seat.id]),
                ("points scored", seat.scored, self._scored[seat.id]),
                ("chips from the bank", seat.advanced, advanced.get(seat.id, 0)),
                ("chips converted", seat.converted, converted.get(seat.id, 0)),
            ):
                if kept != found:
                    self.shelf.note(seat, f"it says {kept} {word}, the books come to {found}")

    def _tallies(self) -> dict[tuple[int, int, str, str, str], Counter[str]]:
        """Fold how each contract ended into a player's tallies."""
        tallies: dict[tuple[int, int, str, str, str], Counter[str]] = defaultdict(Counter)
        for (club_id, game, bid, outcome), sums in self._shares.items():
            for (player_id, side), (hands, total) in sums.items():
                tally = tallies[club_id, player_id, game, bid, side]
                tally.update({"hands": hands, "total": total})
                if outcome in ENDS:
                    tally[outcome] += hands
        return tallies

    def _compare(
        self,
        connection: Connection,
        table: str,
        keys: Sequence[str],
        values: Sequence[str],
        sums: Mapping[Any, Counter[str]],
    ) -> None:
        left = dict(sums)
        for row in rows(connection, columns(table, *keys, *values)):
            key, kept = tuple(row[: len(keys)]), tuple(row[len(keys) :])
            expected = left.pop(key, Counter())
            if kept != tuple(expected[name] for name in values):
                said = ", ".join(
                    f"{name} {number}" for name, number in zip(values, kept, strict=True)
                )
                found = ", ".join(f"{name} {expected[name]}" for name in values)
                self._off(table, key, f"it says {said}; the hands come to {found}")
        for key in left:
            self._off(table, key, "it is gone, the hands are not")

    def _off(self, table: str, key: tuple[Any, ...], message: str) -> None:
        place = f"{table} of player {' '.join(str(part) for part in key[1:])}"
        self.shelf.note_at(key[0], place, message)

    def _stray_results(self, connection: Connection) -> None:
        """Name the results of hands that do not stand, or are gone."""
        result, hand = _TABLES["result"], _TABLES["hand"]
        query = (
            select(result.c.hand_id, result.c.club_id, func.count())
            .outerjoin(hand, hand.c.id == result.c.hand_id)
            .where(hand.c.id.is_(None) | (hand.c.state != "standing"))
            .group_by(result.c.hand_id, result.c.club_id)
        )
        for hand_id, club_id, number in rows(connection, query):
            message = f"it has {number} results, and does not stand"
            self.shelf.note_at(club_id, f"hand {hand_id}", message)


def _results(connection: Connection, hand_ids: Sequence[int]) -> list[_Result]:
    """Read the results of these hands, by hand and seat."""
    if not hand_ids:
        return []
    low, high, wanted = min(hand_ids), max(hand_ids), set(hand_ids)
    if high - low < 2 * len(wanted):
        # Hands mostly follow one another: a range is found many times faster than so many numbers.
        found = rows_with(connection, _RESULTS_BETWEEN, low=low, high=high)
        return found if high - low < len(wanted) else [row for row in found if row[0] in wanted]
    return rows(connection, _RESULTS.where(_RESULT.hand_id.in_(wanted)))


def _by_hand(results: Sequence[_Result]) -> dict[int, list[_Result]]:
    return {hand_id: list(each) for hand_id, each in groupby(results, itemgetter(0))}
