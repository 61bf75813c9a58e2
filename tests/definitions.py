"""Write down again the definitions made by the migrations, for verify to compare books with.

``python -m tests.definitions`` after a migration was added. It needs PostgreSQL, as the tests do.
"""

import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from ledger.books.transactions import Database
from ledger.keeping import migrate
from ledger.services.audit import definitions
from tests.support import postgres
from tests.support.tree import ROOT

SCHEMA = ROOT / "ledger" / "services" / "audit" / "schema"


def main() -> None:
    """Migrate an empty database of each kind, and store its definitions."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        cluster = stack.enter_context(postgres.running_cluster(folder, _migrate))
        for url in (f"sqlite:///{folder / 'empty.sqlite'}", cluster.fresh()):
            _migrate(url)
            database = Database(url)
            with database.engine.connect() as connection:
                made = definitions.existing(connection)
                kind = connection.dialect.name
            database.close()
            options = orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
            (SCHEMA / f"{kind}.json").write_bytes(orjson.dumps(made, option=options))
            sys.stdout.write(f"{kind}: {len(made)}\n")


def _migrate(url: str) -> None:
    database = Database(url)
    migrate.upgrade(database)
    database.close()


if __name__ == "__main__":
    main()
