"""Fill a database with thousands of hands: rows inserted in bulk by the journal's own rules.

Random hands are scored by the engine, posted, sealed and added up by the functions that the services use for
one hand at a time; ``verify`` finds nothing.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import insert, select, update

from engine.record import HandRecord
from engine.rules.changes import VERSION
from engine.rules.verdict import Verdict
from engine.scoring.score import score
from ledger.books.chain import EntryHeader, seal
from ledger.books.hand_effects import HandEffects, hand_effects
from ledger.books.sealed_columns import ROWS, SEALED, is_sealed, sealed_value
from ledger.books.transactions import Database
from ledger.database import json
from ledger.database.access import Access
from ledger.database.kinds.states import ENDS
from ledger.database.models import EntryKind, metadata
from ledger.services.club import clubs

PLAYERS = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kit", "Lea")
TABLE = 7
HANDS_AN_EVENING = 100
SHORT_EVENINGS, HANDS_A_SHORT_ONE = 36, 2
"""The first evenings of every size: all players meet, on more evenings than a page shows."""
LAST_EVENING = 28
FIRST = datetime(2020, 1, 1, 19, tzinfo=UTC)

Row = dict[str, Any]
Scored = tuple[Mapping[str, Any], Mapping[str, Any], list[int]]
"""A hand's record and verdict as they are stored, and its players' seats."""
_CLUB, _ENTRY = metadata.tables["club"].c, metadata.tables["journal_entry"].c


def found(database: Database, name: str) -> Access:
    """Create a club; return its owner's access."""
    access, _ = clubs.create(database, name=name, passcode="four aces", author="Sue")
    return access


def hands(seed: int, players: tuple[str, ...], number: int) -> Iterator[tuple[HandRecord, Verdict]]:
    """Yield random scored hands, half Crazy Solo and half Six-Bid."""
    draw = random.Random(seed)  # noqa: S311 - a benchmark draws the same hands every time
    points = [value for value in range(121) if value not in (1, 119)]
    for _ in range(number):
        bidder, partner = draw.sample(players, 2)
        hand: Row = {"players": list(players), "dealer": players[0], "points": draw.choice(points)}
        if draw.random() < 0.5:
            hand["game"] = "crazy-solo"
            contract: Row = {"bid": "solo-in-hearts", "called": "AH", "partner": partner}
        else:
            hand["game"] = "six-bid"
            hand["active"] = [bidder, *draw.sample([p for p in players if p != bidder], 2)]
            contract = {"bid": "solo", "trump": draw.choice("SCD")}
        hand["contract"] = {"bidder": bidder, **contract}
        record = HandRecord.from_mapping(hand)
        yield record, score(record)


Draw = Callable[[int, tuple[str, ...], int], Iterator[tuple[HandRecord, Verdict]]]
"""Returns scored hands of an evening by its number, its players and the number of hands."""


class Filler:
    """Fills one club's tables: short evenings, long ones, a last one; ``evenings`` are their ids.

    The first and the last are the same at any size, so that all that a page shows is as long. ``draw`` makes
    the hands of an evening, at a table with so many ``seats``.
    """

    def __init__(
        self, database: Database, access: Access, draw: Draw = hands, seats: int = TABLE
    ) -> None:
        self.database, self.club_id = database, access.club_id
        self.draw, self.seats = draw, seats
        self.rows: dict[str, list[Row]] = defaultdict(list)
        self.ids: Counter[str] = Counter()
        self.entered: Counter[str] = Counter()
        self.balances: Counter[int] = Counter()
        self.tallies: dict[tuple[int, str, str, str], Counter[str]] = defaultdict(Counter)
        self.versus: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
        self.evenings: list[int] = []
        with database.engine.connect() as connection:
            last_ids = select(_CLUB.last_ids).where(_CLUB.id == self.club_id)
            self.ids.update(connection.scalar(last_ids))
            self.entered.update(self.ids)
            sealed = select(_ENTRY.digest).where(_ENTRY.club_id == self.club_id)
            self.digest = str(connection.scalar(sealed.order_by(_ENTRY.id.desc()).limit(1)))
        self.players = [
            self._row("player", name=name, name_key=name.lower(), created_at=FIRST)
            for name in PLAYERS
        ]
        self._enter(FIRST)

    def fill(self, number: int) -> None:
        """Write ``number`` hands (at least 100) with all derived rows."""
        between = number - SHORT_EVENINGS * HANDS_A_SHORT_ONE - LAST_EVENING
        full, rest = divmod(between, HANDS_AN_EVENING)
        between_them = [HANDS_AN_EVENING] * full + ([rest] if rest else [])
        short = [HANDS_A_SHORT_ONE] * SHORT_EVENINGS
        self.fill_evenings([*short, *between_them, LAST_EVENING])

    def fill_evenings(self, sizes: Sequence[int]) -> None:
        """Write an evening a day with each of these numbers of hands, and all derived rows."""
        for size in sizes:
            self._evening(size)
            if len(self.rows["posting"]) > 50_000:
                self._save()
        self._sums()
        self._save()

    @staticmethod
    def day_of(night: int) -> date:
        """Return the day of an evening, counted from 0."""
        return FIRST.date() + timedelta(days=night)

    def _evening(self, size: int) -> None:
        night = len(self.evenings)
        at = FIRST + timedelta(days=night)
        session_id = self._row(
            "play_session",
            title=f"Evening {night + 1}",
            started_on=self.day_of(night),
            game="crazy-solo",
            options={},
            state="open",
            revision=size + 1,
            hands_dealt=size,
            first_dealer=0,
            starting_stack=0,
            created_at=at,
        )
        self.evenings.append(session_id)
        start = night % len(self.players)
        places = [(start + step) % len(self.players) for step in range(self.seats)]
        names = tuple(PLAYERS[place] for place in places)
        seats: list[int] = []
        accounts: dict[str, int] = {}
        for position, place in enumerate(places):
            seat_id = self._row(
                "seat",
                session_id=session_id,
                player_id=self.players[place],
                position=position,
                state="playing",
                advanced=0,
                converted=0,
                hands_bid=0,
                hands_won=0,
            )
            seats.append(seat_id)
            accounts[f"seat/{seat_id}"] = self._row(
                "account",
                key=f"seat/{seat_id}",
                kind="seat",
                session_id=session_id,
                seat_id=seat_id,
                unit="chips",
                balance=0,
            )
        self._enter(at)
        mine = {row["id"]: row for row in self.rows["seat"][-self.seats :]}
        for count, (record, verdict) in enumerate(self.draw(night, names, size)):
            when = at + timedelta(minutes=2 * count)
            scored = record.to_mapping(), verdict.to_stored(), seats
            self._hand(session_id, count + 1, scored, accounts, mine, when)
        for row in self.rows["account"][-self.seats :]:
            row["balance"] = self.balances[row["id"]]

    def _enter(self, at: datetime) -> None:
        """Write a register entry of the rows added since the last one."""
        rows = {
            f"{table}/{row['id']}": {
                name: sealed_value(table, name, row[name]) for name in names if name in row
            }
            for table, names in SEALED.items()
            for row in self.rows[table]
            if row["id"] > self.entered[table] and is_sealed(table, row.get)
        }
        self.entered.update({table: self.ids[table] - self.entered[table] for table in SEALED})
        details = {ROWS: rows}
        self._entry(EntryHeader(None, EntryKind.REGISTER, "Sue", at, at, details=details), {})

    def _entry(self, said: EntryHeader, amounts: Mapping[int, int]) -> int:
        before, self.digest = self.digest, seal(self.digest, said, amounts)
        return self._row(
            "journal_entry",
            session_id=said.session_id,
            kind=said.kind.value,
            hand_id=said.hand_id,
            author="Sue",
            details=dict(said.details),
            occurred_at=said.occurred_at,
            entered_at=said.entered_at,
            previous_digest=before,
            digest=self.digest,
        )

    def _hand(
        self,
        session_id: int,
        number: int,
        scored: Scored,
        accounts: Mapping[str, int],
        seats: Mapping[int, Row],
        at: datetime,
    ) -> None:
        hand_id = self._row(
            "hand", session_id=session_id, number=number, state="standing", version=1
        )
        record, verdict, seat_ids = scored
        effects = hand_effects(record, verdict)
        text = json.text(record)
        said = EntryHeader(session_id, EntryKind.HAND, "Sue", at, at, hand_id, record=text)
        moved = effects.postings(session_id, seat_ids)
        amounts = dict(sorted((accounts[key], amount) for key, amount in moved.items()))
        entry_id = self._entry(said, amounts)
        for account_id, amount in amounts.items():
            self.balances[account_id] += amount
            balance = self.balances[account_id]
            self._row(
                "posting", entry_id=entry_id, account_id=account_id, amount=amount, balance=balance
            )
        self._row(
            "hand_version",
            session_id=session_id,
            hand_id=hand_id,
            version=1,
            action="recorded",
            record=dict(record),
            verdict=dict(verdict),
            seat_ids=list(seat_ids),
            engine_version=VERSION,
            entry_id=entry_id,
            author="Sue",
            played_at=at,
            entered_at=at,
        )
        self._add(hand_id, effects, seat_ids, seats)

    def _add(
        self, hand_id: int, what: HandEffects, there: list[int], seats: Mapping[int, Row]
    ) -> None:
        players = [seats[seat_id]["player_id"] for seat_id in there]
        for seat_id, player_id, amount, side in zip(
            there, players, what.amounts, what.sides, strict=True
        ):
            self._row(
                "result",
                hand_id=hand_id,
                seat_id=seat_id,
                player_id=player_id,
                amount=amount,
                unit=what.unit,
                game=what.game,
                bid=what.bid,
                side=side,
                outcome=what.outcome,
            )
            tally = self.tallies[player_id, what.game, what.bid, side]
            tally.update({"hands": 1, "total": amount})
            if what.outcome in ENDS:
                tally[what.outcome] += 1
        for (payer, payee), amount in what.paid.items():
            pair = players[payer], players[payee]
            self.versus[pair].update({"hands": 1, "amount": amount})
        if what.bidder is not None:
            seats[there[what.bidder]]["hands_bid"] += 1
            seats[there[what.bidder]]["hands_won"] += what.outcome == "won"

    def _sums(self) -> None:
        for (player_id, game, bid, side), tally in self.tallies.items():
            self._row(
                "tally",
                player_id=player_id,
                game=game,
                bid=bid,
                side=side,
                **{name: tally[name] for name in ("hands", *ENDS, "total")},
            )
        for (payer_id, payee_id), versus in self.versus.items():
            self._row("versus", payer_id=payer_id, payee_id=payee_id, **versus)

    def _row(self, table: str, **values: Any) -> int:
        self.ids[table] += 1
        self.rows[table].append({"id": self.ids[table], "club_id": self.club_id, **values})
        return self.ids[table]

    def _save(self) -> None:
        with self.database.engine.begin() as connection:
            for table in metadata.sorted_tables:
                if self.rows[table.name]:
                    connection.execute(insert(table), self.rows[table.name])
            last_ids = update(_CLUB.id.table).where(_CLUB.id == self.club_id)
            connection.execute(last_ids.values(last_ids=dict(self.ids)))
        self.rows.clear()
