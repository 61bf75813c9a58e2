"""Record changes of names, keys, seats, rules and settings in register entries, and sign entries.

Revision: 0015; follows 0014. Existing rows are registered as they are now; their history is unknown. The
index of a hand's entries no longer contains the entries without a hand, of which there are more now. A
downgrade deletes the register entries and seals the remaining ones again.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op
from alembic.util import CommandError

from ledger.database.models import UTCDateTime

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

KINDS = (
    *("hand", "reversal", "stack", "loan", "repayment", "adjustment", "pots-shared"),
    *("cash-out", "conversion", "payment", "closing", "reopening", "joining", "sitting-out"),
    *("coming-back", "seats-changed", "rules-changed", "rate-set", "pause", "resumption"),
    "count",
)
REGISTER = "register"
CHECK = "ck_journal_entry_kind_known"
INDEX = "ix_journal_entry_hand_id"
GENESIS = "0" * 64
ROWS_PER_ENTRY = 200
"""The most rows in one entry."""

SEALED: Mapping[str, Mapping[str, Any]] = {
    "club": {
        "name": sa.String,
        "name_key": sa.String,
        "passcode_hash": sa.String,
        "currency": sa.String,
        "denominations": sa.JSON,
        "created_at": UTCDateTime,
    },
    "player": {"name": sa.String, "created_at": UTCDateTime},
    "api_token": {
        "label": sa.String,
        "role": sa.String,
        "digest": sa.String,
        "created_at": UTCDateTime,
        "revoked_at": UTCDateTime,
    },
    "play_session": {
        "title": sa.String,
        "started_on": sa.Date,
        "game": sa.String,
        "variant": sa.String,
        "options": sa.JSON,
        "state": sa.String,
        "first_dealer": sa.Integer,
        "starting_stack": sa.Integer,
        "rate_chips": sa.Integer,
        "rate_money": sa.Integer,
        "created_at": UTCDateTime,
        "closed_at": UTCDateTime,
        "unconverted": sa.Boolean,
    },
    "seat": {
        "session_id": sa.Integer,
        "player_id": sa.Integer,
        "position": sa.Integer,
        "state": sa.String,
        "successor_id": sa.Integer,
    },
    "chip_count": {
        "session_id": sa.Integer,
        "seat_id": sa.Integer,
        "pieces": sa.JSON,
        "counted": sa.BigInteger,
        "expected": sa.BigInteger,
        "entry_id": sa.Integer,
        "author": sa.String,
        "counted_at": UTCDateTime,
    },
}
NEWER_KEYS = ("cause", "part")
"""Keys of an entry's details since revision 0024."""

SECRET = {("club", "passcode_hash"), ("api_token", "digest")}

ENTRY = sa.table(
    "journal_entry",
    sa.column("id", sa.Integer),
    sa.column("club_id", sa.Integer),
    sa.column("session_id", sa.Integer),
    sa.column("kind", sa.String),
    sa.column("hand_id", sa.Integer),
    sa.column("reverses_id", sa.Integer),
    sa.column("author", sa.String),
    sa.column("reason", sa.String),
    sa.column("details", sa.JSON),
    sa.column("occurred_at", UTCDateTime),
    sa.column("entered_at", UTCDateTime),
    sa.column("previous_digest", sa.String),
    sa.column("digest", sa.String),
    sa.column("signature", sa.LargeBinary),
)


def upgrade() -> None:
    with _without_triggers(), op.batch_alter_table("journal_entry") as batch:
        batch.add_column(sa.Column("signature", sa.LargeBinary(), nullable=True))
        batch.drop_constraint(op.f(CHECK), type_="check")
        batch.create_check_constraint(op.f(CHECK), _kind_in((*KINDS, REGISTER)))
    op.drop_index(INDEX, "journal_entry")
    of_hands = sa.text("hand_id IS NOT NULL")
    op.create_index(
        INDEX, "journal_entry", ["hand_id"], sqlite_where=of_hands, postgresql_where=of_hands
    )
    clubs = op.get_bind().execute(sa.text("SELECT id FROM club ORDER BY id"))
    for club_id in clubs.scalars().all():
        rows = list(_present_rows(club_id))
        for start in range(0, len(rows), ROWS_PER_ENTRY):
            _enter(club_id, dict(rows[start : start + ROWS_PER_ENTRY]))


def downgrade() -> None:
    op.drop_index(INDEX, "journal_entry")
    op.create_index(INDEX, "journal_entry", ["hand_id"])
    with _without_triggers():
        for club_id in op.get_bind().execute(sa.text("SELECT id FROM club")).scalars().all():
            _without_register(club_id)
        op.execute(sa.delete(ENTRY).where(ENTRY.c.kind == REGISTER))
        with op.batch_alter_table("journal_entry") as batch:
            batch.drop_constraint(op.f(CHECK), type_="check")
            batch.create_check_constraint(op.f(CHECK), _kind_in(KINDS))
            batch.drop_column("signature")


def _kind_in(kinds: Sequence[str]) -> sa.TextClause:
    return sa.text(f"kind IN ({', '.join(map(repr, kinds))})")


def _present_rows(club_id: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each sealed row of a club with its present values."""
    for name, columns in SEALED.items():
        own = "id" if name == "club" else "club_id"
        table = sa.table(
            name,
            *(sa.column(key, sa.Integer) for key in {"id", own}),
            *(sa.column(column, kind) for column, kind in columns.items()),
        )
        query = sa.select(table.c.id, *(table.c[column] for column in columns))
        query = query.where(table.c[own] == club_id).order_by(table.c.id)
        for row_id, *values in op.get_bind().execute(query):
            pairs = zip(columns, values, strict=True)
            yield f"{name}/{row_id}", {key: _sealed(name, key, value) for key, value in pairs}


def _sealed(table: str, column: str, value: Any) -> Any:
    if (table, column) in SECRET and value is not None:
        return f"sha256:{hashlib.sha256(value.encode()).hexdigest()}"
    return orjson.loads(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS))


def _enter(club_id: int, rows: Mapping[str, Any]) -> None:
    """Write a register entry of rows, signed if the connection has a signer."""
    bind, at = op.get_bind(), datetime.now(UTC)
    last = sa.select(ENTRY.c.digest).where(ENTRY.c.club_id == club_id).order_by(ENTRY.c.id.desc())
    entry: dict[str, Any] = {
        "club_id": club_id,
        "session_id": None,
        "kind": REGISTER,
        "hand_id": None,
        "reverses_id": None,
        "author": "solo-ledger",
        "reason": None,
        "details": {"rows": rows},
        "occurred_at": at,
        "entered_at": at,
        "previous_digest": bind.scalar(last.limit(1)) or GENESIS,
    }
    entry["digest"] = _seal(entry, [], None)
    sign = bind.get_execution_options().get("ledger_sign")
    entry["signature"] = sign(club_id, entry["digest"]) if sign else None
    bind.execute(sa.insert(ENTRY), entry)


def _seal(entry: Mapping[str, Any], postings: Sequence[tuple[int, int]], record: str | None) -> str:
    content: list[Any] = [
        entry["previous_digest"],
        *(entry[name] for name in ("session_id", "kind", "hand_id", "reverses_id", "author")),
        *(entry[name] for name in ("reason", "occurred_at", "entered_at")),
        sorted(postings),
    ]
    if entry["details"]:
        content.append(sorted(entry["details"].items()))
    options = orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS
    return hashlib.sha256(
        orjson.dumps(content, option=options) + (record or "").encode()
    ).hexdigest()


def _without_register(club_id: int) -> None:
    """Seal a club's entries again without the register entries among them."""
    bind = op.get_bind()
    entries = bind.execute(
        sa.select(ENTRY).where(ENTRY.c.club_id == club_id).order_by(ENTRY.c.id)
    ).mappings()
    previous, is_changed = GENESIS, False
    for entry in entries.all():
        if entry["kind"] == REGISTER:
            is_changed = True
            continue
        previous = _resealed(entry, previous) if is_changed else entry["digest"]


def _resealed(entry: Any, previous: str) -> str:
    bind = op.get_bind()
    postings = bind.execute(
        sa.text("SELECT account_id, amount FROM posting WHERE entry_id = :id"), {"id": entry["id"]}
    )
    amounts = [(account_id, amount) for account_id, amount in postings]
    record = bind.scalar(
        sa.text("SELECT CAST(record AS TEXT) FROM hand_version WHERE entry_id = :id"),
        {"id": entry["id"]},
    )
    details = {key: value for key, value in entry["details"].items() if key not in NEWER_KEYS}
    changed = {"previous_digest": previous, "details": details}
    for sealed in (record, None):  # the first release sealed no record
        if _seal(entry, amounts, sealed) == entry["digest"]:
            changed["digest"] = _seal({**entry, **changed}, amounts, sealed)
            bind.execute(sa.update(ENTRY).where(ENTRY.c.id == entry["id"]).values(changed))
            return str(changed["digest"])
    raise CommandError(f"entry {entry['id']} is not as it was sealed; solo-ledger verify says more")


@contextmanager
def _without_triggers() -> Iterator[None]:
    """Disable the journal's triggers during the block; create SQLite's indexes and triggers again unchanged.

    SQLite rebuilds a table to change its constraints, which drops both.
    """
    bind = op.get_bind()
    if bind.dialect.name != "sqlite":
        op.execute("ALTER TABLE journal_entry DISABLE TRIGGER USER")
        yield
        op.execute("ALTER TABLE journal_entry ENABLE TRIGGER USER")
        return
    query = "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql <> '' ORDER BY rowid"
    triggers = bind.exec_driver_sql(query, ("trigger",)).all()
    indexes = bind.exec_driver_sql(query, ("index",)).all()
    for name, _ in triggers:
        op.execute(f"DROP TRIGGER {name}")
    yield
    for name, sql in indexes:
        op.execute(f"DROP INDEX {name}")
        bind.exec_driver_sql(sql)
    for _, sql in triggers:
        bind.exec_driver_sql(sql)
