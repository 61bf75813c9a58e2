"""Pots of the first books: hands that were played for pots are paid into accounts of these pots.

Revision: 0002a; follows 0002, and comes before the sums, which are added up from what stands then.

The first books had no accounts for pots: a hand's antes went to the world's account, and what a pot paid
came from there. Entries never change, so each such hand that stands is reversed and entered anew, word for
word the same, its antes and payouts in the pots. No seat's chips change. Nobody counted the pots for the
table either: it said what they held. Where that is not what the hands before left (an evening that began
with full pots), the rest comes from the session's account of differences, so that the pots hold what the
table said.

What an entry is sealed by is written down here as it was then; later books may seal more.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from ledger.database.models import UTCDateTime

revision = "0002a"
down_revision = "0002"
branch_labels = None
depends_on = None

POTS = ("frog", "solo")
AUTHOR = "Solo Ledger"
REASON = "the pots have accounts of their own since an upgrade of the books"


def _table(name: str, *columns: str, **typed: sa.types.TypeEngine[Any]) -> sa.TableClause:
    typed = {**dict.fromkeys(columns, sa.types.NULLTYPE), "id": sa.Integer(), **typed}
    return sa.table(name, *(sa.column(column, kind) for column, kind in typed.items()))


ACCOUNT = _table("account", "club_id", "key", "kind", "session_id", "name", "unit", "balance")
ENTRY = _table(
    "journal_entry",
    *("club_id", "session_id", "kind", "hand_id", "reverses_id", "author", "reason"),
    *("previous_digest", "digest"),
    details=sa.JSON(),
    occurred_at=UTCDateTime(),
    entered_at=UTCDateTime(),
)
POSTING = _table("posting", "club_id", "entry_id", "account_id", "amount", "balance")
VERSION = _table(
    "hand_version",
    *("club_id", "session_id", "hand_id", "version", "action", "engine_version"),
    *("entry_id", "reason", "author"),
    record=sa.JSON(),
    verdict=sa.JSON(),
    seat_ids=sa.JSON(),
    played_at=UTCDateTime(),
    entered_at=UTCDateTime(),
)
HAND = _table("hand", "number", "state", "version")
SESSION = _table("play_session", "revision")


def upgrade() -> None:
    bind, at = op.get_bind(), datetime.now(UTC)
    held: dict[int, Counter[str]] = defaultdict(Counter)
    changed = set()
    for version in _played_for_pots(bind):
        before, after = version.record["pots"], version.verdict["pots"]
        if not _is_in_the_pots(bind, version.entry_id):
            pots = held[version.session_id]
            short = {name: before[name] - pots[name] for name in POTS}
            _top_up(bind, version, short, at)
            _enter_anew(bind, version, {name: after[name] - before[name] for name in POTS}, at)
            changed.add(version.session_id)
        held[version.session_id] = Counter(after)
    for session_id in changed:
        grown = sa.update(SESSION).where(SESSION.c.id == session_id)
        bind.execute(grown.values(revision=SESSION.c.revision + 1))


def downgrade() -> None:
    """Leave the pots their accounts: revision 0002 has a place for them."""


def _played_for_pots(bind: sa.Connection) -> list[Any]:
    """Find the hands that stand and moved pots, in the order they were dealt in."""
    found = bind.execute(
        sa.select(VERSION)
        .join(HAND, (HAND.c.id == VERSION.c.hand_id) & (HAND.c.version == VERSION.c.version))
        .where(HAND.c.state == "standing")
        .where(sa.cast(VERSION.c.record, sa.String()).like('%"pots"%'))
        .order_by(VERSION.c.session_id, HAND.c.number)
    )
    return [row for row in found if "pots" in row.record and row.verdict.get("pots") is not None]


def _is_in_the_pots(bind: sa.Connection, entry_id: int) -> bool:
    posted = sa.select(POSTING.c.id).join(ACCOUNT, ACCOUNT.c.id == POSTING.c.account_id)
    posted = posted.where(POSTING.c.entry_id == entry_id, ACCOUNT.c.kind == "pot")
    return bind.execute(posted.limit(1)).first() is not None


def _top_up(bind: sa.Connection, version: Any, short: Mapping[str, int], at: datetime) -> None:
    """Bring the pots to what the table said they held before a hand."""
    if not any(short.values()):
        return
    amounts = {_account(bind, version, "pot", name): short[name] for name in POTS}
    amounts[_account(bind, version, "differences")] = -sum(short.values())
    _post(bind, version, amounts, at, at, kind="adjustment", hand_id=None)


def _enter_anew(bind: sa.Connection, old: Any, into_pots: Mapping[str, int], at: datetime) -> None:
    """Reverse a hand's entry, and write it and its version again with the pots' part in the pots."""
    posted = sa.select(POSTING.c.account_id, POSTING.c.amount)
    rows = bind.execute(posted.where(POSTING.c.entry_id == old.entry_id))
    paid = {row.account_id: row.amount for row in rows}
    backwards = {account_id: -amount for account_id, amount in paid.items()}
    _post(bind, old, backwards, at, at, kind="reversal", reverses_id=old.entry_id)
    for name, amount in into_pots.items():
        paid[_account(bind, old, "pot", name)] = amount
    world = _account(bind, old, "world")
    paid[world] = paid.get(world, 0) - sum(into_pots.values())
    entry_id = _post(bind, old, paid, old.played_at, at, kind="hand")
    again = {**old._mapping, "version": old.version + 1, "action": "followed"}
    again |= {"entry_id": entry_id, "reason": REASON, "author": AUTHOR, "entered_at": at}
    del again["id"]
    bind.execute(sa.insert(VERSION).values(again))
    hand = sa.update(HAND).where(HAND.c.id == old.hand_id)
    bind.execute(hand.values(version=old.version + 1))


def _account(bind: sa.Connection, of: Any, kind: str, name: str | None = None) -> int:
    """Find an account of a session; open it, empty, if there is none yet."""
    key = "/".join(("session", str(of.session_id), kind, *([name] if name else [])))
    wanted = sa.select(ACCOUNT.c.id).where(ACCOUNT.c.club_id == of.club_id, ACCOUNT.c.key == key)
    found = bind.execute(wanted).scalar()
    if found is None:
        account = {"club_id": of.club_id, "key": key, "kind": kind, "session_id": of.session_id}
        account |= {"name": name, "unit": "chips", "balance": 0}
        opened = sa.insert(ACCOUNT).values(account).returning(ACCOUNT.c.id)
        found = bind.execute(opened).scalar_one()
    return int(found)


def _post(
    bind: sa.Connection,
    of: Any,
    amounts: Mapping[int, int],
    occurred_at: datetime,
    at: datetime,
    **said: Any,
) -> int:
    """Write an entry of a hand's session, and its postings; return its id."""
    moved = sorted((account_id, amount) for account_id, amount in amounts.items() if amount)
    latest = sa.select(ENTRY.c.digest).where(ENTRY.c.club_id == of.club_id)
    previous = bind.execute(latest.order_by(ENTRY.c.id.desc()).limit(1)).scalar_one()
    entry = {
        "club_id": of.club_id,
        "session_id": of.session_id,
        "hand_id": of.hand_id,
        "reverses_id": None,
        "author": AUTHOR,
        "reason": REASON,
        "details": {},
        "occurred_at": occurred_at,
        "entered_at": at,
        "previous_digest": previous,
        **said,
    }
    entry["digest"] = _seal(entry, moved)
    entry_id = bind.execute(sa.insert(ENTRY).values(entry).returning(ENTRY.c.id)).scalar_one()
    for account_id, amount in moved:
        account = sa.update(ACCOUNT).where(ACCOUNT.c.id == account_id)
        account = account.values(balance=ACCOUNT.c.balance + amount)
        balance = bind.execute(account.returning(ACCOUNT.c.balance)).scalar_one()
        posting = {"club_id": of.club_id, "entry_id": entry_id, "account_id": account_id}
        bind.execute(sa.insert(POSTING).values(**posting, amount=amount, balance=balance))
    return int(entry_id)


def _seal(entry: Mapping[str, Any], moved: list[tuple[int, int]]) -> str:
    parts = ("previous_digest", "session_id", "kind", "hand_id", "reverses_id", "author", "reason")
    instants = (entry[name].astimezone(UTC).isoformat() for name in ("occurred_at", "entered_at"))
    said = [*(entry[name] for name in parts), *instants, moved]
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
