"""Give pots accounts of their own, and pay existing hands with pots into them.

Revision: 0002a; follows 0002. It runs before 0003, which adds up the entries that this revision writes.

Before, a hand's antes went to the world's account, and winnings from a pot came from there. Entries never
change, so each standing hand with pots is reversed and entered again, with the same record and with its
antes and winnings in the pots' accounts. No seat's chips change. Before, the table also stated what the
pots held. If that differs from what the earlier hands left (for example in an evening that began with full
pots), the difference comes from the session's account of differences, so that the pots hold the stated
chips.

The sealed fields of an entry are listed here as they were at this revision; later revisions may seal more.
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
rolling = False  # no server before this one accepts another revision

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
    in_pots: dict[int, Counter[str]] = defaultdict(Counter)
    changed = set()
    for version in _with_pots(bind):
        before, after = version.record["pots"], version.verdict["pots"]
        if not _is_posted_to_pots(bind, version.entry_id):
            pots = in_pots[version.session_id]
            missing = {name: before[name] - pots[name] for name in POTS}
            _adjust_pots(bind, version, missing, at)
            _enter_again(bind, version, {name: after[name] - before[name] for name in POTS}, at)
            changed.add(version.session_id)
        in_pots[version.session_id] = Counter(after)
    for session_id in changed:
        grown = sa.update(SESSION).where(SESSION.c.id == session_id)
        bind.execute(grown.values(revision=SESSION.c.revision + 1))


def downgrade() -> None:
    """Keep the accounts: revision 0002 has a place for them."""


def _with_pots(bind: sa.Connection) -> list[Any]:
    """Return the standing hands that postings pots, in the order of their deal."""
    rows = bind.execute(
        sa.select(VERSION)
        .join(HAND, (HAND.c.id == VERSION.c.hand_id) & (HAND.c.version == VERSION.c.version))
        .where(HAND.c.state == "standing")
        .where(sa.cast(VERSION.c.record, sa.String()).like('%"pots"%'))
        .order_by(VERSION.c.session_id, HAND.c.number)
    )
    return [row for row in rows if "pots" in row.record and row.verdict.get("pots") is not None]


def _is_posted_to_pots(bind: sa.Connection, entry_id: int) -> bool:
    posted = sa.select(POSTING.c.id).join(ACCOUNT, ACCOUNT.c.id == POSTING.c.account_id)
    posted = posted.where(POSTING.c.entry_id == entry_id, ACCOUNT.c.kind == "pot")
    return bind.execute(posted.limit(1)).first() is not None


def _adjust_pots(
    bind: sa.Connection, version: Any, missing: Mapping[str, int], at: datetime
) -> None:
    """Enter an adjustment so that the pots hold the chips stated before a hand."""
    if not any(missing.values()):
        return
    amounts = {_account(bind, version, "pot", name): missing[name] for name in POTS}
    amounts[_account(bind, version, "differences")] = -sum(missing.values())
    _post(bind, version, amounts, at, at, kind="adjustment", hand_id=None)


def _enter_again(bind: sa.Connection, old: Any, into_pots: Mapping[str, int], at: datetime) -> None:
    """Reverse a hand's entry; write it and its version again with the pots' part in their accounts."""
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
    new_version = {**old._mapping, "version": old.version + 1, "action": "followed"}
    new_version |= {"entry_id": entry_id, "reason": REASON, "author": AUTHOR, "entered_at": at}
    del new_version["id"]
    bind.execute(sa.insert(VERSION).values(new_version))
    hand = sa.update(HAND).where(HAND.c.id == old.hand_id)
    bind.execute(hand.values(version=old.version + 1))


def _account(bind: sa.Connection, hand: Any, kind: str, name: str | None = None) -> int:
    """Return the id of a session's account; create an empty one if there is none."""
    key = "/".join(("session", str(hand.session_id), kind, *([name] if name else [])))
    query = sa.select(ACCOUNT.c.id).where(ACCOUNT.c.club_id == hand.club_id, ACCOUNT.c.key == key)
    account_id = bind.execute(query).scalar()
    if account_id is None:
        account = {"club_id": hand.club_id, "key": key, "kind": kind, "session_id": hand.session_id}
        account |= {"name": name, "unit": "chips", "balance": 0}
        opened = sa.insert(ACCOUNT).values(account).returning(ACCOUNT.c.id)
        account_id = bind.execute(opened).scalar_one()
    return int(account_id)


def _post(
    bind: sa.Connection,
    hand: Any,
    amounts: Mapping[int, int],
    occurred_at: datetime,
    at: datetime,
    **fields: Any,
) -> int:
    """Write an entry of a hand's session with its postings; return its id."""
    postings = sorted((account_id, amount) for account_id, amount in amounts.items() if amount)
    latest = sa.select(ENTRY.c.digest).where(ENTRY.c.club_id == hand.club_id)
    previous = bind.execute(latest.order_by(ENTRY.c.id.desc()).limit(1)).scalar_one()
    entry = {
        "club_id": hand.club_id,
        "session_id": hand.session_id,
        "hand_id": hand.hand_id,
        "reverses_id": None,
        "author": AUTHOR,
        "reason": REASON,
        "details": {},
        "occurred_at": occurred_at,
        "entered_at": at,
        "previous_digest": previous,
        **fields,
    }
    entry["digest"] = _seal(entry, postings)
    entry_id = bind.execute(sa.insert(ENTRY).values(entry).returning(ENTRY.c.id)).scalar_one()
    for account_id, amount in postings:
        account = sa.update(ACCOUNT).where(ACCOUNT.c.id == account_id)
        account = account.values(balance=ACCOUNT.c.balance + amount)
        balance = bind.execute(account.returning(ACCOUNT.c.balance)).scalar_one()
        posting = {"club_id": hand.club_id, "entry_id": entry_id, "account_id": account_id}
        bind.execute(sa.insert(POSTING).values(**posting, amount=amount, balance=balance))
    return int(entry_id)


def _seal(entry: Mapping[str, Any], postings: list[tuple[int, int]]) -> str:
    parts = ("previous_digest", "session_id", "kind", "hand_id", "reverses_id", "author", "reason")
    instants = (entry[name].astimezone(UTC).isoformat() for name in ("occurred_at", "entered_at"))
    content = [*(entry[name] for name in parts), *instants, postings]
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
