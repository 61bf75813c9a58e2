"""The sums kept beside the books: results, tallies, head to head, bids and advances of each seat."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from ledger.models import metadata
from ledger.services.payout import Written
from ledger.services.sums import ENDS, Side, shares
from ledger.services.verify.shelf import Difference, HandRow, Shelf, columns, rows

_TABLES = metadata.tables
_IN_A_TALLY = ("hands", "won", "lost", "tied", "total")


class Sums:
    """Adds the standing hands up again, chunk by chunk."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._results = 0
        # By game, bid and outcome; in it by seat and side: so many hands, so many chips.
        self._shares: dict[tuple[str, str, str], dict[tuple[int, Side], list[int]]]
        self._shares = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        self._paid: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        self._bid: Counter[int] = Counter()
        self._won: Counter[int] = Counter()
        self._players = {row.id: row.player_id for row in shelf.seats.values()}

    def check(
        self, connection: Connection, stood: Sequence[tuple[HandRow, Written]]
    ) -> Iterator[Difference]:
        """Check the results of these hands, and add them to the other sums."""
        kept = _results(connection, [hand.id for hand, _ in stood])
        for hand, written in stood:
            found = kept.get(hand.id, [])
            self._results += len(found)
            try:
                expected = self._add(hand, written)
            except (LookupError, ValueError) as error:
                yield self.shelf.differs(
                    hand.club_id, hand.place, f"it can't be added up ({error!r})"
                )
                continue
            if found != expected:
                yield self.shelf.differs(
                    hand.club_id, hand.place, "its results are not what its verdict says"
                )

    def finish(
        self, connection: Connection, advanced: Mapping[int, int], converted: Mapping[int, int]
    ) -> Iterator[Difference]:
        """Hold the tallies, head to head and seats against what the hands added up to."""
        total = rows(connection, select(func.count()).select_from(_TABLES["result"]))[0][0]
        if total != self._results:
            yield from self._stray_results(connection)
        keys: tuple[str, ...] = ("club_id", "player_id", "game", "bid", "side")
        yield from self._compare(connection, "tally", keys, _IN_A_TALLY, self._tallies())
        keys = ("club_id", "payer_id", "payee_id")
        yield from self._compare(connection, "versus", keys, ("hands", "amount"), self._versus())
        for seat in self.shelf.seats.values():
            for word, kept, found in (
                ("bids", seat.hands_bid, self._bid[seat.id]),
                ("bids won", seat.hands_won, self._won[seat.id]),
                ("chips of the bank's", seat.advanced, advanced.get(seat.id, 0)),
                ("chips converted", seat.converted, converted.get(seat.id, 0)),
            ):
                if kept != found:
                    yield self.shelf.differs(
                        seat.club_id,
                        f"session {seat.session_id}, seat {seat.id}",
                        f"it says {kept} {word}, the books come to {found}",
                    )

    def _add(self, hand: HandRow, written: Written) -> list[tuple[int, int, int, int, int]]:
        """Add one hand; return the results that it should have, in the order of the seats' ids."""
        game, bid, outcome, bidder, seats, paid = shares(
            written.record, written.verdict, written.seat_ids
        )
        players, club_id, hand_id = self._players, hand.club_id, hand.id
        results, sums = [], self._shares[game, bid, outcome]
        for seat_id, side, amount in seats:
            results.append((hand_id, seat_id, players[seat_id], amount, club_id))
            share = sums[seat_id, side]
            share[0] += 1
            share[1] += amount
        for pair, amount in paid.items():
            between = self._paid[pair]
            between[0] += 1
            between[1] += amount
        if bidder is not None:
            self._bid[bidder] += 1
            self._won[bidder] += outcome == "won"
        results.sort()
        return results

    def _tallies(self) -> dict[tuple[int, int, str, str, str], Counter[str]]:
        """Fold what each seat got into tallies of its player."""
        tallies: dict[tuple[int, int, str, str, str], Counter[str]] = defaultdict(Counter)
        for (game, bid, outcome), seats in self._shares.items():
            for (seat_id, side), (hands, total) in seats.items():
                seat = self.shelf.seats[seat_id]
                tally = tallies[seat.club_id, seat.player_id, game, bid, side.value]
                tally.update({"hands": hands, "total": total})
                if outcome in ENDS:
                    tally[outcome] += hands
        return tallies

    def _versus(self) -> dict[tuple[int, int, int], Counter[str]]:
        """Fold what each seat paid another into what their players did."""
        versus: dict[tuple[int, int, int], Counter[str]] = defaultdict(Counter)
        for (payer_id, payee_id), (hands, amount) in self._paid.items():
            payer, payee = self.shelf.seats[payer_id], self.shelf.seats[payee_id]
            pair = (payer.club_id, payer.player_id, payee.player_id)
            versus[pair].update({"hands": hands, "amount": amount})
        return versus

    def _compare(
        self,
        connection: Connection,
        table: str,
        keys: Sequence[str],
        values: Sequence[str],
        sums: Mapping[Any, Counter[str]],
    ) -> Iterator[Difference]:
        left = dict(sums)
        for row in rows(connection, columns(table, *keys, *values)):
            key, kept = tuple(row[: len(keys)]), tuple(row[len(keys) :])
            expected = left.pop(key, Counter())
            if kept != tuple(expected[name] for name in values):
                said = ", ".join(
                    f"{name} {number}" for name, number in zip(values, kept, strict=True)
                )
                found = ", ".join(f"{name} {expected[name]}" for name in values)
                yield self._off(table, key, f"it says {said}; the hands come to {found}")
        for key in left:
            yield self._off(table, key, "it is gone, the hands are not")

    def _off(self, table: str, key: tuple[Any, ...], message: str) -> Difference:
        place = f"{table} of player {' '.join(str(part) for part in key[1:])}"
        return self.shelf.differs(key[0], place, message)

    def _stray_results(self, connection: Connection) -> Iterator[Difference]:
        """Name the results of hands that do not stand, or are gone."""
        result, hand = _TABLES["result"], _TABLES["hand"]
        query = (
            select(result.c.hand_id, result.c.club_id, func.count())
            .outerjoin(hand, hand.c.id == result.c.hand_id)
            .where(hand.c.id.is_(None) | (hand.c.state != "standing"))
            .group_by(result.c.hand_id, result.c.club_id)
        )
        for hand_id, club_id, number in rows(connection, query):
            yield self.shelf.differs(
                club_id, f"hand {hand_id}", f"it has {number} results, and does not stand"
            )


def _results(
    connection: Connection, hand_ids: Sequence[int]
) -> dict[int, list[tuple[int, int, int, int, int]]]:
    found: dict[int, list[tuple[int, int, int, int, int]]] = defaultdict(list)
    if hand_ids:
        hand_id, seat_id = _TABLES["result"].c.hand_id, _TABLES["result"].c.seat_id
        query = columns("result", "hand_id", "seat_id", "player_id", "amount", "club_id")
        # Hands mostly follow one another: a range is found many times faster than so many numbers.
        wanted, low, high = set(hand_ids), min(hand_ids), max(hand_ids)
        if high - low < 2 * len(wanted):
            query = query.where(hand_id.between(low, high))
        else:
            query = query.where(hand_id.in_(hand_ids))
        for row in rows(connection, query.order_by(hand_id, seat_id)):
            if row[0] in wanted:
                found[row[0]].append(row)
    return found
