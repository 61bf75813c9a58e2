"""Importing the balances of another program: as one entry, or as an entry for each of its rows.

Each entry names the rows it was made of, by a digest of the row. A row that was imported before is left
out, so the same file adds nothing, and a longer one only its new rows; undoing an entry makes its rows
importable again. Equal rows of one file are distinguished by their number.
"""

import hashlib
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from sqlalchemy.orm import aliased
from sqlmodel import col, select

from engine.words.sentences import say
from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.books.journal import Entry
from ledger.database.kinds.entries import kinds
from ledger.database.models import EntryKind, JournalEntry, Player
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import today
from ledger.services.club import players
from ledger.services.common import dates, names, reasons
from ledger.services.common.writing import WriteContext, WritePlan, WriteResponse, plans
from ledger.services.money import convert, payments
from ledger.services.money.foreign_book import ForeignBook, ForeignRow, RejectedRow
from ledger.words.problems import Invalid

ROWS = "imported"
"""The key of an entry's details with the digests of its rows, each of `_LENGTH` characters."""

_LENGTH = 12


@dataclass(frozen=True, slots=True)
class MoneyImport:
    """The effect of importing a file."""

    program: Annotated[str, "The format of the file."]
    currency: str
    members: Annotated[tuple[str, ...], "The names in the file."]
    rows: Annotated[int, "The rows that are imported."]
    repeated: Annotated[int, "The rows left out because they were imported before."]
    rejected: Annotated[tuple[RejectedRow, ...], "The rows that can't be imported, and why."]
    changes: Annotated[
        Mapping[str, int],
        "How much each player's balance changes: positive is owed to the player, negative owed by them.",
    ]

    @property
    def revision(self) -> None:
        """None: the club has no revision."""
        return None

    def to_mapping(self) -> WriteResponse:
        """Return the preview in JSON values; ``entries`` is empty until they are written."""
        return {
            "program": self.program,
            "currency": self.currency,
            "members": list(self.members),
            "rows": self.rows,
            "repeated": self.repeated,
            "rejected": [row._asdict() for row in self.rejected],
            "changes": dict(self.changes),
            "entries": 0,
        }


@plans("import money")
def import_book(
    tx: WriteContext,
    *,
    book: ForeignBook,
    players_by_member: Mapping[str, str | None],
    each_row: bool = False,
    all_or_nothing: bool = False,
    reason: str | None = None,
) -> WritePlan[MoneyImport]:
    """Import the balances of a book: as one entry, or with ``each_row`` as an entry for each row.

    A dry run adds no player. Raises ``Invalid`` at ``members`` for a name in the mapping that the file lacks,
    at ``members.<place>`` for an unsuitable name of a player, at ``file`` if a row is rejected and
    ``all_or_nothing`` is set, and at ``reason``; ``BalanceTooLarge``.

    Args:
        tx: The write.
        book: The content of the file.
        players_by_member: The player of each member; a member who is missing has the same name, and one with
            None is left out, together with the rows that concern them.
        each_row: Whether each row becomes an entry, with its day and text: a payment or an imported balance.
        all_or_nothing: Whether a rejected row refuses the file.
        reason: The reason to record; of the only entry.
    """
    session = tx.session
    mapping = _players(session, book, players_by_member)
    rows, repeated, rejected = _sorted_out(book, mapping, _imported(session))
    if all_or_nothing and rejected:
        raise Invalid.at(
            "file",
            "row-rejected",
            say(
                "Line {line} can't be imported, so nothing is: {why}",
                line=rejected[0].line,
                why=rejected[0].reason,
            ),
        )
    sums = Counter[str]()
    for row, _ in rows:
        for name, amount in _by_player(row, mapping).items():
            sums[name] += amount
    changes = {name: amount for name, amount in sorted(sums.items()) if amount}
    currency = convert.currency_of(session)
    preview = MoneyImport(
        book.program, currency, book.members, len(rows), repeated, rejected, changes
    )
    why = reasons.optional(reason)

    def carry_out() -> WriteResponse:
        if not rows:
            return {"entries": 0}
        moved = sorted({name for row, _ in rows for name in _by_player(row, mapping)})
        people = players.by_names(session, {f"members.{name}": name for name in moved})
        accounts = {
            name: convert.account_of(session, player.id, currency).id
            for name, player in zip(moved, people, strict=True)
        }
        entries = [
            Entry(header, {accounts[name]: amount for name, amount in amounts.items()})
            for header, amounts in _entries(tx, rows, mapping, changes, why, each_row=each_row)
        ]
        return {"entries": len(journal.post_all(session, entries))}

    return WritePlan(preview, carry_out)


def _players(
    session: ScopedSession, book: ForeignBook, chosen: Mapping[str, str | None]
) -> dict[str, str]:
    """Return the names of the members' players, without members who are left out.

    Raises ``Invalid`` at ``members`` or ``members.<place>``.
    """
    unknown = next((name for name in chosen if name not in book.members), None)
    if unknown is not None:
        sentence = say("The file has no member {name}.", name=unknown[: names.LONGEST])
        raise Invalid.at("members", "unknown-member", sentence, book.members[:20])
    existing = dict(session.exec(select(Player.name_key, Player.name)).all())
    mapping: dict[str, str] = {}
    for place, member in enumerate(book.members):
        typed = chosen.get(member, member)
        if typed is None:
            continue
        field = f"members.{place}"
        name = names.clean_player(typed, field)
        if names.key(name) not in existing:
            existing[names.key(name)] = names.clean_new_player(name, existing.values(), field)
        mapping[member] = existing[names.key(name)]
    return mapping


def _sorted_out(
    book: ForeignBook, mapping: Mapping[str, str], imported: set[str]
) -> tuple[list[tuple[ForeignRow, str]], int, tuple[RejectedRow, ...]]:
    """Return the new rows with their digests, the number of repeated ones, and the rejected ones."""
    new: list[tuple[ForeignRow, str]] = []
    repeated = 0
    rejected = [*book.rejected]
    latest = today()
    for row, digest in _with_digests(book.rows):
        if digest in imported:
            repeated += 1
        elif not dates.EARLIEST.date() <= row.day <= latest:
            why = say("{day} is not from 1900 to today.", day=row.day)
            rejected.append(RejectedRow(row.line, why))
        elif left_out := [name for name in row.amounts if name not in mapping]:
            why = say("{names:and} {n:~is|are} left out.", names=left_out[:5], n=len(left_out))
            rejected.append(RejectedRow(row.line, why))
        else:
            new.append((row, digest))
    return new, repeated, tuple(sorted(rejected))


def _with_digests(rows: Sequence[ForeignRow]) -> Iterator[tuple[ForeignRow, str]]:
    """Yield each row with the digest of its content and of the number of equal rows before it."""
    counts = Counter[str]()
    for row in rows:
        content = repr((row.day.isoformat(), row.text, row.source or sorted(row.amounts.items())))
        digest = hashlib.sha256(f"{counts[content]}{content}".encode()).digest()
        counts[content] += 1
        yield row, urlsafe_b64encode(digest)[:_LENGTH].decode()


def _imported(session: ScopedSession) -> set[str]:
    """Return the digests of the rows in the club's entries that were not undone."""
    reversal = aliased(JournalEntry)
    query = (
        select(JournalEntry.details)
        .outerjoin(reversal, col(reversal.reverses_id) == JournalEntry.id)
        .where(
            col(JournalEntry.session_id).is_(None),
            col(JournalEntry.kind).in_(kinds(lambda kind: kind.is_debt)),
            col(reversal.id).is_(None),
        )
    )
    texts = [str(details.get(ROWS, "")) for details in session.exec(query)]
    return {text[at : at + _LENGTH] for text in texts for at in range(0, len(text), _LENGTH)}


def _by_player(row: ForeignRow, mapping: Mapping[str, str]) -> dict[str, int]:
    """Return the amounts of a row by player; several members may be one player."""
    amounts: dict[str, int] = {}
    for member, amount in row.amounts.items():
        amounts[mapping[member]] = amounts.get(mapping[member], 0) + amount
    return amounts


def _entries(
    tx: WriteContext,
    rows: Sequence[tuple[ForeignRow, str]],
    mapping: Mapping[str, str],
    changes: Mapping[str, int],
    reason: str | None,
    *,
    each_row: bool,
) -> Iterator[tuple[EntryHeader, Mapping[str, int]]]:
    """Yield the headers of the entries to write, with amounts by the names of players."""
    if not each_row:
        digests = "".join(digest for _, digest in rows)
        last_day = max(row.day for row, _ in rows)
        header = tx.header(
            None,
            EntryKind.OPENING,
            reason=reason,
            occurred_at=dates.at_or_during(last_day, "file"),
            details={ROWS: digests},
        )
        yield header, changes
        return
    moments: dict[date, datetime] = {}
    for row, digest in rows:
        at = moments.get(row.day) or dates.at_or_during(row.day, "file")
        moments[row.day] = at
        amounts = _by_player(row, mapping)
        details, text = {ROWS: digest}, row.text or reason
        if row.is_payment and len(amounts) == 2:
            header = payments.imported(tx, reason=text, occurred_at=at, details=details)
        else:
            header = tx.header(
                None, EntryKind.OPENING, reason=text, occurred_at=at, details=details
            )
        yield header, amounts
