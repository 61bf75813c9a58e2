"""Books as the first revision's service wrote them: chips of seats, and all else from the world's account.

It has no accounts for pots: a hand's payments into and out of one are the world's part, and the pots hold the
stated chips. Written with plain rows, as that service is gone; scored and sealed as it did.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, MetaData, insert, select, update

from engine.record import HandRecord
from engine.scoring.score import score
from ledger.books.chain import GENESIS, EntryHeader, seal
from ledger.database.access import Access, Role
from ledger.database.models import EntryKind
from tests.ledger import table

AUTHOR = "Sue"
NO_OPTIONS: Mapping[str, Any] = {}

SOLO_66 = {"contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 66}
ANOTHER_TRIO = {**SOLO_66, "points": 60, "active": ["Ann", "Cyd", "Eve"]}
FROG_70 = {"contract": {"bidder": "Ann", "bid": "frog", "trump": "H"}, "points": 70}
FRAGE = {
    "contract": {"bidder": "Ann", "bid": "frage", "trump": "S", "called": "AH", "partner": "Bob"},
    "tricks_won": 5,
    "matadors": "split",
    "first_tricks_won": False,
}

EVENINGS: Sequence[tuple[str, int, str | None, Sequence[Mapping[str, Any]]]] = (
    ("crazy-solo", 7, None, (table.HEARTS_74, table.ALL_PASS, table.ALONE_85)),
    ("six-bid", 5, "pagat", (SOLO_66, ANOTHER_TRIO, {**SOLO_66, "points": 30})),
    ("frog", 3, None, (FROG_70, table.ALL_PASS)),
    ("progressive", 4, "pennycook", (FROG_70, table.ALL_PASS)),
    ("german-solo", 4, "altenburg", (FRAGE, {**FRAGE, "tricks_won": 3})),
)
"""Evenings without pots: the game, how many sit at the table, the variant, and Ann bids most of them."""


class FirstBooks:
    """Writes a club's first evenings on a connection to books of revision 0001."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.metadata = MetaData()
        self.metadata.reflect(connection)
        self.now = datetime(2026, 1, 31, 20, 0, tzinfo=UTC)
        club = {
            "name": "Old Table",
            "name_key": "old table",
            "passcode_hash": "",
            "viewer_key": "v",
        }
        self.club_id = self._add("club", **club, devices_epoch=1, created_at=self.now)
        self.access = Access(self.club_id, Role.SCORER, AUTHOR)
        self._players: dict[str, int] = {}
        self._accounts: defaultdict[int, dict[str, int]] = defaultdict(dict)
        self._seats: defaultdict[int, dict[str, int]] = defaultdict(dict)
        self._rules: dict[int, dict[str, Any]] = {}
        self._balances: Counter[int] = Counter()
        self._digest = GENESIS

    def start(
        self,
        game: str,
        players: Sequence[str],
        variant: str | None,
        options: Mapping[str, Any] = NO_OPTIONS,
    ) -> int:
        """Start a session; return its id."""
        session_id = self._add(
            "play_session",
            club_id=self.club_id,
            title=game,
            started_on=self.now.date(),
            game=game,
            variant=variant,
            options=options,
            state="open",
            revision=1,
            hands_dealt=0,
            first_dealer=0,
            created_at=self.now,
        )
        rules = {"format": 1, "game": game, "options": options, "players": list(players)}
        self._rules[session_id] = {**rules, **({"rules": variant} if variant else {})}
        for position, name in enumerate(players):
            if name not in self._players:
                player = {"name": name, "name_key": name.lower(), "created_at": self.now}
                self._players[name] = self._add("player", club_id=self.club_id, **player)
            seat = {"session_id": session_id, "player_id": self._players[name]}
            seat_id = self._add("seat", club_id=self.club_id, **seat, position=position)
            self._seats[session_id][name] = seat_id
            self._accounts[session_id][name] = self._account(session_id, "seat", seat_id)
        return session_id

    def record(self, session_id: int, said: Mapping[str, Any]) -> int:
        """Write the next hand; return its id."""
        dealt = self._grow("play_session", session_id, "hands_dealt")
        hand = {"session_id": session_id, "number": dealt, "state": "standing", "version": 0}
        hand_id = self._add("hand", club_id=self.club_id, **hand)
        self._pay(session_id, hand_id, "recorded", said, None)
        return hand_id

    def correct(self, session_id: int, hand_id: int, said: Mapping[str, Any]) -> None:
        """Correct a hand."""
        self._reverse(session_id, hand_id, "miscounted")
        self._pay(session_id, hand_id, "corrected", said, "miscounted")

    def void(self, session_id: int, hand_id: int) -> None:
        """Take a hand out of every balance."""
        old = self._reverse(session_id, hand_id, "misdeal")
        hand = self.metadata.tables["hand"]
        self.connection.execute(update(hand).where(hand.c.id == hand_id).values(state="void"))
        repeated = {**old._mapping, "action": "voided", "entry_id": None, "reason": "misdeal"}
        # That service asked the clock again for the version.
        repeated |= {"author": AUTHOR, "entered_at": self.now + timedelta(milliseconds=3)}
        del repeated["id"]
        self._add("hand_version", **{**repeated, "version": self._grow("hand", hand_id, "version")})

    def _pay(
        self,
        session_id: int,
        hand_id: int,
        action: str,
        said: Mapping[str, Any],
        reason: str | None,
    ) -> None:
        record = HandRecord.from_mapping({**self._rules[session_id], **said})
        verdict = score(record)
        accounts = self._accounts[session_id]
        amounts = {accounts[name]: amount for name, amount in verdict.deltas.items()}
        if world := -sum(amounts.values()):
            if "" not in accounts:
                accounts[""] = self._account(session_id, "world", None)
            amounts[accounts[""]] = world
        entry_id = self._post(session_id, hand_id, EntryKind.HAND, amounts, reason)
        self._add(
            "hand_version",
            club_id=self.club_id,
            session_id=session_id,
            hand_id=hand_id,
            action=action,
            version=self._grow("hand", hand_id, "version"),
            record=dict(record.to_mapping()),
            verdict=dict(verdict.to_mapping()),
            seat_ids=list(self._seats[session_id].values()),
            engine_version="0",
            entry_id=entry_id,
            reason=reason,
            author=AUTHOR,
            played_at=self.now,
            entered_at=self.now,
        )

    def _reverse(self, session_id: int, hand_id: int, reason: str) -> Any:
        version, posting = self.metadata.tables["hand_version"], self.metadata.tables["posting"]
        of_hand = select(version).where(version.c.hand_id == hand_id)
        old = self.connection.execute(of_hand.order_by(version.c.version.desc())).first()
        assert old is not None
        posted = select(posting).where(posting.c.entry_id == old.entry_id)
        amounts = {row.account_id: -row.amount for row in self.connection.execute(posted)}
        kind = EntryKind.REVERSAL
        self._post(session_id, hand_id, kind, amounts, reason, reverses_id=old.entry_id)
        return old

    def _post(
        self,
        session_id: int,
        hand_id: int,
        kind: EntryKind,
        amounts: Mapping[int, int],
        reason: str | None,
        reverses_id: int | None = None,
    ) -> int:
        self.now += timedelta(minutes=3)
        moved = {account_id: amount for account_id, amount in sorted(amounts.items()) if amount}
        header = EntryHeader(
            session_id, kind, AUTHOR, self.now, self.now, hand_id, reason, reverses_id
        )
        digest = seal(self._digest, header, moved)
        entry_id = self._add(
            "journal_entry",
            club_id=self.club_id,
            session_id=session_id,
            kind=kind.value,
            hand_id=hand_id,
            reverses_id=reverses_id,
            author=AUTHOR,
            reason=reason,
            occurred_at=self.now,
            entered_at=self.now,
            previous_digest=self._digest,
            digest=digest,
        )
        self._digest = digest
        account = self.metadata.tables["account"]
        for account_id, amount in moved.items():
            self._balances[account_id] += amount
            balance = self._balances[account_id]
            own = update(account).where(account.c.id == account_id)
            self.connection.execute(own.values(balance=balance))
            posting = {"entry_id": entry_id, "account_id": account_id, "amount": amount}
            self._add("posting", club_id=self.club_id, **posting, balance=balance)
        self._grow("play_session", session_id, "revision")
        return entry_id

    def _account(self, session_id: int, kind: str, seat_id: int | None) -> int:
        account = {"session_id": session_id, "kind": kind, "seat_id": seat_id, "unit": "chips"}
        return self._add("account", club_id=self.club_id, **account, balance=0)

    def _grow(self, table: str, row_id: int, column: str) -> int:
        counted = self.metadata.tables[table]
        row = update(counted).where(counted.c.id == row_id)
        more = row.values({column: counted.c[column] + 1}).returning(counted.c[column])
        return int(self.connection.execute(more).scalar_one())

    def _add(self, table: str, **row: Any) -> int:
        into = self.metadata.tables[table]
        added = insert(into).values(row).returning(into.c.id)
        return int(self.connection.execute(added).scalar_one())
