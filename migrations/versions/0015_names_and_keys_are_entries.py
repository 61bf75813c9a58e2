"""Names, keys, seats, rules and settings are entries; entries are signed.

Revision: 0015; follows 0014. What was set before this is entered as it stands now: nobody can tell any more
how it came to be. The index of a hand's entries no longer holds those of none, which are more now. On the
way down these entries go again, and those after them are sealed on what is left.
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
AT_ONCE = 200
"""How many rows one entry says."""

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
NEWER = ("cause", "part")
"""Keys of an entry's details that only revision 0024 and later ones know."""

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
    with _without_guards(), op.batch_alter_table("journal_entry") as batch:
        batch.add_column(sa.Column("signature", sa.LargeBinary(), nullable=True))
        batch.drop_constraint(op.f(CHECK), type_="check")
        batch.create_check_constraint(op.f(CHECK), _among((*KINDS, REGISTER)))
    op.drop_index(INDEX, "journal_entry")
    of_hands = sa.text("hand_id IS NOT NULL")
    op.create_index(
        INDEX, "journal_entry", ["hand_id"], sqlite_where=of_hands, postgresql_where=of_hands
    )
    clubs = op.get_bind().execute(sa.text("SELECT id FROM club ORDER BY id"))
    for club_id in clubs.scalars().all():
        rows = list(_standing(club_id))
        for start in range(0, len(rows), AT_ONCE):
            _enter(club_id, dict(rows[start : start + AT_ONCE]))


def downgrade() -> None:
    op.drop_index(INDEX, "journal_entry")
    op.create_index(INDEX, "journal_entry", ["hand_id"])
    with _without_guards():
        for club_id in op.get_bind().execute(sa.text("SELECT id FROM club")).scalars().all():
            _without_register(club_id)
        op.execute(sa.delete(ENTRY).where(ENTRY.c.kind == REGISTER))
        with op.batch_alter_table("journal_entry") as batch:
            batch.drop_constraint(op.f(CHECK), type_="check")
            batch.create_check_constraint(op.f(CHECK), _among(KINDS))
            batch.drop_column("signature")


def _among(kinds: Sequence[str]) -> sa.TextClause:
    return sa.text(f"kind IN ({', '.join(map(repr, kinds))})")


def _standing(club_id: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each sealed row of a club, as it stands."""
    for name, columns in SEALED.items():
        own = "id" if name == "club" else "club_id"
        table = sa.table(
            name,
            *(sa.column(each, sa.Integer) for each in {"id", own}),
            *(sa.column(each, of) for each, of in columns.items()),
        )
        wanted = sa.select(table.c.id, *(table.c[each] for each in columns))
        wanted = wanted.where(table.c[own] == club_id).order_by(table.c.id)
        for row_id, *values in op.get_bind().execute(wanted):
            said = zip(columns, values, strict=True)
            yield f"{name}/{row_id}", {column: _kept(name, column, each) for column, each in said}


def _kept(table: str, column: str, value: Any) -> Any:
    if (table, column) in SECRET and value is not None:
        return f"sha256:{hashlib.sha256(value.encode()).hexdigest()}"
    return orjson.loads(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS))


def _enter(club_id: int, rows: Mapping[str, Any]) -> None:
    """Write an entry of what rows hold, signed if somebody gave a pen along."""
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


def _seal(entry: Mapping[str, Any], moved: Sequence[tuple[int, int]], record: str | None) -> str:
    said: list[Any] = [
        entry["previous_digest"],
        *(entry[name] for name in ("session_id", "kind", "hand_id", "reverses_id", "author")),
        *(entry[name] for name in ("reason", "occurred_at", "entered_at")),
        sorted(moved),
    ]
    if entry["details"]:
        said.append(sorted(entry["details"].items()))
    options = orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS
    return hashlib.sha256(orjson.dumps(said, option=options) + (record or "").encode()).hexdigest()


def _without_register(club_id: int) -> None:
    """Seal a club's entries on one another as if the register's had never been among them."""
    bind = op.get_bind()
    entries = bind.execute(
        sa.select(ENTRY).where(ENTRY.c.club_id == club_id).order_by(ENTRY.c.id)
    ).mappings()
    previous, gone = GENESIS, False
    for entry in entries.all():
        if entry["kind"] == REGISTER:
            gone = True
            continue
        previous = _resealed(entry, previous) if gone else entry["digest"]


def _resealed(entry: Any, previous: str) -> str:
    bind = op.get_bind()
    moved = bind.execute(
        sa.text("SELECT account_id, amount FROM posting WHERE entry_id = :id"), {"id": entry["id"]}
    )
    amounts = [(account_id, amount) for account_id, amount in moved]
    record = bind.scalar(
        sa.text("SELECT CAST(record AS TEXT) FROM hand_version WHERE entry_id = :id"),
        {"id": entry["id"]},
    )
    details = {key: each for key, each in entry["details"].items() if key not in NEWER}
    changed = {"previous_digest": previous, "details": details}
    for sealed in (record, None):  # the first books sealed no record
        if _seal(entry, amounts, sealed) == entry["digest"]:
            changed["digest"] = _seal({**entry, **changed}, amounts, sealed)
            bind.execute(sa.update(ENTRY).where(ENTRY.c.id == entry["id"]).values(changed))
            return str(changed["digest"])
    raise CommandError(f"entry {entry['id']} is not as it was sealed; solo-ledger verify says more")


@contextmanager
def _without_guards() -> Iterator[None]:
    """Take the guards of the journal down meanwhile; put them and SQLite's indexes up again as they stood.

    SQLite rebuilds a table to change its constraints, and drops both with it.
    """
    bind = op.get_bind()
    if bind.dialect.name != "sqlite":
        op.execute("ALTER TABLE journal_entry DISABLE TRIGGER USER")
        yield
        op.execute("ALTER TABLE journal_entry ENABLE TRIGGER USER")
        return
    asked = "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql <> '' ORDER BY rowid"
    guards = bind.exec_driver_sql(asked, ("trigger",)).all()
    indexes = bind.exec_driver_sql(asked, ("index",)).all()
    for name, _ in guards:
        op.execute(f"DROP TRIGGER {name}")
    yield
    for name, sql in indexes:
        op.execute(f"DROP INDEX {name}")
        bind.exec_driver_sql(sql)
    for _, sql in guards:
        bind.exec_driver_sql(sql)
