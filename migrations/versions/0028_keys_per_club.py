"""Count ids per club: every key, unique constraint and reference of a club's rows starts with the club.

Revision: 0028; follows 0027. Ids stay as they are, so no row's content changes, and links and digests stay
valid; from now on two clubs may give the same id. `club.last_ids` holds the last id of each table. Clubs by
name, and by the digests of tokens and links, are found in tables of their own. A downgrade is refused once
two clubs have given the same id: the older version needs ids that are unique, and the chain seals them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import sqlalchemy as sa
from alembic import op
from alembic.util import CommandError

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

REFERENCES: Mapping[str, Mapping[str, str]] = {
    "player": {},
    "api_token": {},
    "link": {},
    "device": {"link_id": "link"},
    "security_event": {},
    "written_answer": {},
    "play_session": {},
    "seat": {"session_id": "play_session", "player_id": "player", "successor_id": "seat"},
    "account": {"session_id": "play_session", "seat_id": "seat", "player_id": "player"},
    "hand": {"session_id": "play_session"},
    "journal_entry": {
        "session_id": "play_session",
        "hand_id": "hand",
        "reverses_id": "journal_entry",
    },
    "posting": {"entry_id": "journal_entry", "account_id": "account"},
    "hand_version": {
        "session_id": "play_session",
        "hand_id": "hand",
        "entry_id": "journal_entry",
    },
    "result": {"hand_id": "hand", "seat_id": "seat", "player_id": "player"},
    "tally": {"player_id": "player"},
    "versus": {"payer_id": "player", "payee_id": "player"},
    "chip_count": {
        "session_id": "play_session",
        "seat_id": "seat",
        "entry_id": "journal_entry",
    },
}
"""The tables of a club's rows, each after those it refers to, with the table of each reference."""

UNIQUE: Sequence[tuple[str, Sequence[str]]] = (
    ("account", ("key", "club_id")),
    ("api_token", ("digest",)),
    ("device", ("digest",)),
    ("link", ("digest",)),
    ("hand", ("session_id", "number")),
    ("hand_version", ("hand_id", "version")),
    ("journal_entry", ("reverses_id",)),
    ("journal_entry", ("digest",)),
    ("result", ("hand_id", "seat_id")),
    ("tally", ("player_id", "game", "bid", "side")),
    ("versus", ("payer_id", "payee_id")),
)
"""The unique constraints that change: afterwards each starts with the club."""

INDEXES: Sequence[tuple[str, str, Sequence[str], str]] = (
    ("account", "ix_account_session_id", ("session_id",), ""),
    ("account", "ix_account_seat_id", ("seat_id",), ""),
    ("account", "ix_account_player_id", ("player_id",), ""),
    ("chip_count", "ix_chip_count_session_id", ("session_id",), ""),
    ("chip_count", "ix_chip_count_seat_id", ("seat_id",), ""),
    ("chip_count", "ix_chip_count_entry_id", ("entry_id",), ""),
    ("hand_version", "ix_hand_version_session_id", ("session_id",), ""),
    ("hand_version", "ix_hand_version_entry_id", ("entry_id",), ""),
    (
        "journal_entry",
        "ix_journal_entry_session_id_club_id",
        ("session_id", "club_id"),
        "",
    ),
    ("journal_entry", "ix_journal_entry_club_id_entered_at", ("club_id", "entered_at"), ""),
    ("play_session", "ix_play_session_club_id_started_on", ("club_id", "started_on"), ""),
    ("journal_entry", "ix_journal_entry_hand_id", ("hand_id",), "hand_id IS NOT NULL"),
    (
        "journal_entry",
        "ix_journal_entry_beside_hands",
        ("session_id", "club_id"),
        "hand_id IS NULL",
    ),
    ("posting", "ix_posting_entry_id", ("entry_id",), ""),
    (
        "posting",
        "ix_posting_account_id_club_id_entry_id",
        ("account_id", "club_id", "entry_id"),
        "",
    ),
    ("result", "ix_result_of_player", ("player_id", "unit", "amount", "hand_id"), ""),
    ("seat", "ix_seat_session_id", ("session_id",), ""),
    (
        "seat",
        "ix_seat_player_id_session_id_club_id",
        ("player_id", "session_id", "club_id"),
        "",
    ),
    ("versus", "ix_versus_payee_id", ("payee_id",), ""),
)
"""The indexes that change: table, name, columns and condition before. Afterwards the club comes first."""

DROPPED = ("api_token", "device", "journal_entry", "link", "versus")
"""The tables whose index by club is dropped, because the primary key serves it."""

IN_ORDER = {
    "ix_journal_entry_session_id_club_id",
    "ix_journal_entry_club_id_entered_at",
    "ix_play_session_club_id_started_on",
}
"""The indexes that get the id as their last column: pages are read in its order."""

NAMED = ("ix_journal_entry_beside_hands", "ix_result_of_player")
"""The indexes that keep their name; the others are named after their columns."""

GUARDED: Mapping[str, Sequence[Sequence[str]]] = {
    "journal_entry": (("id",), ("digest",), ("reverses_id",)),
    "posting": (("id",),),
    "hand_version": (("id",), ("hand_id", "version")),
}
"""The protected tables with their unique keys."""


def upgrade() -> None:
    bind = op.get_bind()
    _create_lookups()
    with op.batch_alter_table("club") as club:
        club.add_column(sa.Column("last_ids", sa.JSON(), nullable=False, server_default="{}"))
        club.drop_constraint(op.f("uq_club_name_key"), type_="unique")
    _store_last_ids(bind)
    _rebuild(bind, per_club=True)


def downgrade() -> None:
    bind = op.get_bind()
    _check_ids_are_global(bind)
    _rebuild(bind, per_club=False)
    with op.batch_alter_table("club") as club:
        club.drop_column("last_ids")
        club.create_unique_constraint(op.f("uq_club_name_key"), ["name_key"])
    op.drop_table("club_name")
    op.drop_table("key_digest")


def _create_lookups() -> None:
    for table, key in (("club_name", "key"), ("key_digest", "digest")):
        op.create_table(
            table,
            sa.Column(key, sa.String(), nullable=False),
            sa.Column("club_id", sa.BigInteger(), nullable=False),
            sa.PrimaryKeyConstraint(key, name=f"pk_{table}"),
            sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=f"fk_{table}_club_id_club"),
        )
    op.execute("INSERT INTO club_name (key, club_id) SELECT name_key, id FROM club")
    for table in ("api_token", "link"):
        op.execute(
            f"INSERT INTO key_digest (digest, club_id) SELECT digest, club_id FROM {table}"  # noqa: S608
        )


def _store_last_ids(bind: sa.Connection) -> None:
    """Store each club's highest ids; of tables with deleted rows the highest of all clubs.

    The register names deleted devices and counts, so their ids must not be given again.
    """
    last_ids: dict[int, dict[str, int]] = {}
    for table in REFERENCES:
        query = f"SELECT club_id, max(id) FROM {table} GROUP BY club_id"  # noqa: S608
        highest = [(int(club), int(last)) for club, last in bind.exec_driver_sql(query)]
        most = max((last for _, last in highest), default=0)
        for club_id, last in highest:
            last_ids.setdefault(club_id, {})[table] = (
                most if table in ("device", "chip_count") else last
            )
    change = sa.text("UPDATE club SET last_ids = :ids WHERE id = :club")
    change = change.bindparams(sa.bindparam("ids", type_=sa.JSON()))
    for club_id, ids in last_ids.items():
        bind.execute(change, {"club": club_id, "ids": ids})


def _check_ids_are_global(bind: sa.Connection) -> None:
    for table in REFERENCES:
        query = f"SELECT id FROM {table} GROUP BY id HAVING count(*) > 1 LIMIT 1"  # noqa: S608
        if bind.exec_driver_sql(query).first() is not None:
            raise CommandError(
                "two clubs have given the same id since ids are counted per club, and older versions need "
                "ids that are unique; restore the backup that was made before the upgrade"
            )


def _rebuild(bind: sa.Connection, *, per_club: bool) -> None:
    """Give the tables their keys, references, indexes and triggers: those per club or those before."""
    for table in DROPPED if per_club else ():
        op.execute(f"DROP INDEX ix_{table}_club_id")
    for _, before, columns, _ in INDEXES:
        op.execute(f"DROP INDEX {before if per_club else _index_name(before, columns)}")
    if bind.dialect.name == "sqlite":
        _rebuild_on_sqlite(bind, per_club=per_club)
    else:
        _rebuild_on_postgres(per_club=per_club)
    for table, before, columns, where in INDEXES:
        name = _index_name(before, columns) if per_club else before
        chosen = ", ".join(_indexed(before, columns) if per_club else columns)
        condition = f" WHERE {where}" if where else ""
        op.execute(f"CREATE INDEX {name} ON {table} ({chosen}){condition}")
    for table in () if per_club else DROPPED:
        op.execute(f"CREATE INDEX ix_{table}_club_id ON {table} (club_id)")


def _from_club(columns: Iterable[str]) -> list[str]:
    """Return the columns with the club first."""
    return ["club_id", *(column for column in columns if column != "club_id")]


def _indexed(before: str, columns: Sequence[str]) -> list[str]:
    """Return the columns of an index afterwards, by its name and columns before."""
    return _from_club(columns) + ["id"] * (before in IN_ORDER)


def _index_name(before: str, columns: Sequence[str]) -> str:
    """Return the name of an index afterwards, by its name before and its columns."""
    if before in NAMED:
        return before
    table = before.removeprefix("ix_").removesuffix("_" + "_".join(columns))
    return "_".join(("ix", table, *_indexed(before, columns)))


def _constraints(table: str, *, per_club: bool) -> dict[str, str]:
    """Map the names of a table's changed constraints to their definitions."""
    definitions: dict[str, str] = {}
    key = "club_id, id" if per_club else "id"
    definitions[f"pk_{table}"] = f"PRIMARY KEY ({key})"
    for owner, before in UNIQUE:
        if owner == table:
            columns = _from_club(before) if per_club else before
            definitions["_".join(("uq", table, *columns))] = f"UNIQUE ({', '.join(columns)})"
    return definitions


def _foreign_keys(table: str, *, per_club: bool) -> dict[str, str]:
    """Map the names of a table's references to other rows of the club to their definitions."""
    definitions: dict[str, str] = {}
    for column, target in REFERENCES[table].items():
        own = f"club_id, {column}" if per_club else column
        name = f"fk_{table}_{own.replace(', ', '_')}_{target}"
        key = "club_id, id" if per_club else "id"
        definitions[name] = f"FOREIGN KEY({own}) REFERENCES {target} ({key})"
    return definitions


def _rebuild_on_postgres(*, per_club: bool) -> None:
    kind = "BIGINT" if per_club else "INTEGER"
    for table in REFERENCES:
        dropped = _foreign_keys(table, per_club=not per_club)
        if dropped:
            op.execute(
                f"ALTER TABLE {table} " + ", ".join(f"DROP CONSTRAINT {name}" for name in dropped)
            )
    _replace_triggers_on_postgres(per_club=per_club)
    op.execute(f"ALTER TABLE club ALTER COLUMN id TYPE {kind}")
    op.execute(f"ALTER SEQUENCE club_id_seq AS {kind}")
    for table, references in REFERENCES.items():
        changes = [
            f"ALTER COLUMN {column} TYPE {kind}" for column in ("id", "club_id", *references)
        ]
        if per_club:
            changes.append("ALTER COLUMN id DROP DEFAULT")
        old, new = (_constraints(table, per_club=way) for way in (not per_club, per_club))
        changes += [f"DROP CONSTRAINT {name}" for name in old]
        changes += [f"ADD CONSTRAINT {name} {definition}" for name, definition in new.items()]
        op.execute(f"ALTER TABLE {table} {', '.join(changes)}")
        if per_club:
            op.execute(f"DROP SEQUENCE {table}_id_seq")
        else:
            _restore_sequence(table)
    for table in REFERENCES:
        added = _foreign_keys(table, per_club=per_club)
        if added:
            op.execute(
                f"ALTER TABLE {table} "
                + ", ".join(f"ADD CONSTRAINT {name} {text}" for name, text in added.items())
            )


def _restore_sequence(table: str) -> None:
    sequence = f"{table}_id_seq"
    op.execute(f"CREATE SEQUENCE {sequence} AS INTEGER OWNED BY {table}.id")
    op.execute(f"ALTER TABLE {table} ALTER COLUMN id SET DEFAULT nextval('{sequence}')")
    op.execute(
        f"SELECT setval('{sequence}', coalesce(max(id), 1), max(id) IS NOT NULL) FROM {table}"  # noqa: S608
    )


def _replace_triggers_on_postgres(*, per_club: bool) -> None:
    """Guard rows, as distributed databases have no triggers of statements; before, guard statements."""
    change = "DELETE" if per_club else "DELETE OR TRUNCATE"
    level = "ROW" if per_club else "STATEMENT"
    for table in GUARDED:
        op.execute(f"DROP TRIGGER {table}_no_change ON {table}")
        op.execute(
            f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR {change} ON {table} "
            f"FOR EACH {level} EXECUTE FUNCTION books_only_grow()"
        )
    op.execute(
        "CREATE OR REPLACE FUNCTION books_open_account() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF {_closed(per_club=per_club)} THEN RAISE EXCEPTION '{_CLOSED}'; END IF; RETURN NEW; END $$"
    )


_CLOSED = "a closed account takes no posting"


def _closed(*, per_club: bool) -> str:
    club = "club_id = NEW.club_id AND " if per_club else ""
    return f"(SELECT closed_at FROM account WHERE {club}id = NEW.account_id) IS NOT NULL"  # noqa: S608


def _rebuild_on_sqlite(bind: sa.Connection, *, per_club: bool) -> None:
    """Copy each table into one with the new definition; the order of rows by key makes it compact."""
    for name in (
        bind.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        .scalars()
        .all()
    ):
        op.execute(f"DROP TRIGGER {name}")
    indexes = bind.exec_driver_sql(
        "SELECT tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql <> '' ORDER BY rowid"
    ).all()
    for table in REFERENCES:
        query = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
        definition = bind.exec_driver_sql(query, (table,)).scalar_one()
        bind.exec_driver_sql(_redefined(table, definition, per_club=per_club))
        bind.exec_driver_sql(f"INSERT INTO {table}_new SELECT * FROM {table} ORDER BY club_id, id")  # noqa: S608
        op.execute(f"DROP TABLE {table}")
        op.execute(f"ALTER TABLE {table}_new RENAME TO {table}")
        for owner, sql in indexes:
            if owner == table:
                bind.exec_driver_sql(sql)
    _create_triggers_on_sqlite(per_club=per_club)


def _redefined(table: str, definition: str, *, per_club: bool) -> str:
    """Return the definition of a table's copy with the new types, keys and references."""
    kinds = ("INTEGER", "BIGINT") if per_club else ("BIGINT", "INTEGER")
    ids = "|".join(("id", "club_id", *REFERENCES[table]))
    text = re.sub(rf"(?m)^(\s*)({ids}) {kinds[0]}\b", rf"\1\2 {kinds[1]}", definition)
    ways = [
        {**_constraints(table, per_club=way), **_foreign_keys(table, per_club=way)}
        for way in (not per_club, per_club)
    ]
    for (old, _), (new, constraint) in zip(*(way.items() for way in ways), strict=True):
        text, number = re.subn(
            rf"CONSTRAINT {old} [^()]*\([^()]*\)( REFERENCES \w+ \([^()]*\))?",
            f"CONSTRAINT {new} {constraint}",
            text,
        )
        if number != 1:
            raise CommandError(f"the table {table} has no constraint {old}: {definition}")
    return re.sub(rf'CREATE TABLE "?{table}"?', f"CREATE TABLE {table}_new", text, count=1)


def _create_triggers_on_sqlite(*, per_club: bool) -> None:
    for table, keys in GUARDED.items():
        conflicts = [_from_club(key) if per_club else key for key in keys]
        # Without an id, a row has a number of SQLite's own, by which REPLACE finds it, too.
        conflicts += [("rowid",)] if per_club else []
        conflict = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} WHERE "  # noqa: S608
            + " AND ".join(f"{column} = NEW.{column}" for column in columns)
            + ")"
            for columns in conflicts
        )
        for verb, name, condition in (
            ("UPDATE", "update", ""),
            ("DELETE", "delete", ""),
            ("INSERT", "replace", f" WHEN {conflict}"),
        ):
            operation = "REPLACE" if name == "replace" else verb
            op.execute(
                f"CREATE TRIGGER {table}_no_{name} BEFORE {verb} ON {table}{condition} "
                f"BEGIN SELECT RAISE(ABORT, 'the books only grow: no {operation} on {table}'); END"
            )
    op.execute(
        f"CREATE TRIGGER posting_open_account BEFORE INSERT ON posting WHEN {_closed(per_club=per_club)} "
        f"BEGIN SELECT RAISE(ABORT, '{_CLOSED}'); END"
    )
