"""The formats of exports by their names: what each writes, and the name of its file."""

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final

from engine.notation.json_text import write_jsonl
from engine.notation.toml_text import write_toml_stream
from engine.words.sentences import later, say
from ledger.database.scope import ScopedSession
from ledger.keeping.exports import tables
from ledger.keeping.exports.columns import ExportTable
from ledger.keeping.exports.csv_rules import CsvRules
from ledger.keeping.exports.csv_text import DIALECTS, CsvDialect, csv_pieces
from ledger.keeping.exports.hand_texts import HandWriter, hand_pieces, line_pieces
from ledger.keeping.exports.journals import Beancount, Hledger, JournalWriter, journal_pieces
from ledger.runtime.files import safe_name
from ledger.services.session.load import find_row
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter
from ledger.words.problems import Conflict, Invalid

CSV: Final = "text/csv"
PLAIN: Final = "text/plain"

MOST_BYTES: Final = 20_000_000
"""The largest file that is sent: the server holds it in memory. The table of hands has 17,000 hands then."""


class TooLarge(Conflict):
    """Raised if a file is too large to be sent."""

    sentence = later(
        "This file would have more than {most:,} bytes. Whoever runs this service can write it with "
        "solo-ledger export; a file of fewer days may be small enough, if this one can be limited."
    )


NO_FILTERS: Final[Set[str]] = frozenset()
PERIOD: Final = frozenset({"first_day", "last_day", "game"})
EVENINGS: Final = PERIOD | {"session_id"}
"""The fields of a filter that limit a table: none, those of statistics, or those of evenings."""

Pieces = Callable[[ScopedSession, SessionFilter, CsvDialect], Iterator[str]]
"""Yields the file of a club piece by piece."""


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: what it contains in a few words, its file's ending and media type, and its writer.

    ``filters`` are the fields of a ``SessionFilter`` that limit its rows; without any it is always whole.
    """

    content: str
    ending: str
    pieces: Pieces
    media_type: str = PLAIN
    filters: Set[str] = EVENINGS


def _csv(content: str, table: ExportTable, filters: Set[str] = EVENINGS) -> ExportFormat:
    def pieces(session: ScopedSession, chosen: SessionFilter, dialect: CsvDialect) -> Iterator[str]:
        return csv_pieces(table, session, chosen, dialect)

    return ExportFormat(content, f"{content}.csv", pieces, CSV, filters)


def _journal(program: str, writer: JournalWriter) -> ExportFormat:
    def pieces(
        session: ScopedSession, _chosen: SessionFilter, _dialect: CsvDialect
    ) -> Iterator[str]:
        return journal_pieces(session, writer)

    return ExportFormat("journal", f"journal.{program}", pieces, filters=NO_FILTERS)


def _rules(content: str, rules: CsvRules) -> ExportFormat:
    def pieces(
        _session: ScopedSession, _chosen: SessionFilter, dialect: CsvDialect
    ) -> Iterator[str]:
        return rules.pieces(dialect)

    return ExportFormat(f"{content} rules", f"{content}.csv.rules", pieces, filters=NO_FILTERS)


def _hands(ending: str, write: HandWriter) -> ExportFormat:
    def pieces(
        session: ScopedSession, chosen: SessionFilter, _dialect: CsvDialect
    ) -> Iterator[str]:
        return hand_pieces(write, session, chosen)

    return ExportFormat("hands", f"hands.{ending}", pieces)


FORMATS: Mapping[str, ExportFormat] = {
    "csv-hands": _csv("hands", tables.HANDS),
    "csv-entries": _csv("entries", tables.ENTRIES),
    "csv-balances": _csv("balances", tables.BALANCES, NO_FILTERS),
    "csv-statistics": _csv("statistics", tables.STATISTICS, PERIOD),
    "csv-evenings": _csv("evenings", tables.EVENINGS),
    "rules-hands": _rules("hands", CsvRules(tables.HANDS, "%csv_player", "won", "game")),
    "rules-entries": _rules("entries", CsvRules(tables.ENTRIES, "%csv_account", "amount", "kind")),
    "rules-evenings": _rules("evenings", CsvRules(tables.EVENINGS, "%csv_player", "won", "game")),
    "beancount": _journal("beancount", Beancount()),
    "hledger": _journal("hledger", Hledger()),
    "jsonl": _hands("jsonl", write_jsonl),
    "toml": _hands("toml", write_toml_stream),
    "line": ExportFormat("hands", "hands.line", lambda *of: line_pieces(*of[:2])),
}


def pieces(session: ScopedSession, slug: str, chosen: SessionFilter, dialect: str) -> Iterator[str]:
    """Return the pieces of a club's file in a format.

    Raises ``NoSuchSession``, and ``Invalid`` at ``format`` if the filter has what doesn't limit this format.
    """
    filters = FORMATS[slug].filters
    if replace(chosen, **dict.fromkeys(filters)) != EVERY_SESSION:
        message = say(
            "{slug} is always of the whole club; choose no days, game or evening.", slug=slug
        )
        if filters:
            message = say("{slug} is never of one evening; choose days or a game.", slug=slug)
        raise Invalid.at("format", "out-of-range", message)
    if chosen.session_id is not None:
        find_row(session, chosen.session_id)
    return FORMATS[slug].pieces(session, chosen, DIALECTS[dialect])


def whole(session: ScopedSession, slug: str, chosen: SessionFilter, dialect: str) -> BytesIO:
    """Return a club's file in a format, to be sent at once. Raises as ``pieces`` does, and ``TooLarge``."""
    content = BytesIO()
    for piece in pieces(session, slug, chosen, dialect):
        content.write(piece.encode())
        if content.tell() > MOST_BYTES:
            raise TooLarge(most=MOST_BYTES)
    content.seek(0)
    return content


def file_name(club: str, slug: str, chosen: SessionFilter) -> str:
    """Return the name of a file: the club, what it has, and its first and last day if only some are in it."""
    words = [club]
    if chosen.session_id is not None:
        words.append(f"evening {chosen.session_id}")
    if chosen.first_day is not None:
        words.append(f"from {chosen.first_day}")
    if chosen.last_day is not None:
        words.append(f"to {chosen.last_day}")
    if chosen.game is not None:
        words.append(chosen.game)
    return safe_name(" ".join([*words, FORMATS[slug].ending]))
