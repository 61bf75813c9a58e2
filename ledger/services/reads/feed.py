"""The club's journal as other programs follow it: every entry once, in order, by its id."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from sqlmodel import col, func, select

from engine.words.sentences import say
from ledger.books.sealed_columns import ROWS
from ledger.database.access import Access
from ledger.database.bulk_parameters import number_list
from ledger.database.models import Account, Hand, JournalEntry, Posting
from ledger.database.scope import Built, ScopedSession
from ledger.services.common.values import of_row
from ledger.services.reads.accounts import EntryFacts
from ledger.words.problems import Invalid


@dataclass(frozen=True, slots=True)
class FeedPosting:
    """An entry's posting to one account."""

    account: Annotated[str, "The account's key, such as `seat/12` or `session/3/pot/frog`."]
    unit: Annotated[str, "`chips`, or a currency's code."]
    amount: Annotated[int, "The amount added or, if negative, taken away."]
    balance: Annotated[int, "The balance after the entry."]


@dataclass(frozen=True, slots=True)
class FeedEntry(EntryFacts):
    """An entry of the club's journal; its accounts are given by their keys."""

    session: Annotated[int | None, "The session that it belongs to; null for an entry of the club."]
    previous_digest: Annotated[str, "The digest of the club's entry before it."]
    postings: Annotated[tuple[FeedPosting, ...], "They sum to zero in each unit."]
    details: Annotated[
        Mapping[str, Any],
        "Further details, such as the rate of a conversion. A register entry shows its rows to owners only.",
    ] = field(default_factory=dict)


def entries(
    session: ScopedSession, access: Access, *, after: int = 0, offset: int = 0, limit: int = 100
) -> list[FeedEntry]:
    """Return the club's entries after the one with the id ``after``, oldest first.

    A club's entries are numbered and written one after the other, so none appears later below an id that was
    read. The rows of register entries are left out unless ``access`` is an owner's: they name devices, links
    and tokens. Raises ``Invalid`` at ``after`` if there is no such entry, as after a restored backup: whoever
    has an entry that the club does not have must begin again.
    """
    if (
        after
        and session.exec(select(JournalEntry.id).where(JournalEntry.id == after)).first() is None
    ):
        sentence = say("This club has no entry {number}.", number=after)
        raise Invalid.at("after", "out-of-range", sentence)
    # Not joined: PostgreSQL would read all hands of a large club once for each entry.
    number_of_hand = select(Hand.number).where(Hand.id == JournalEntry.hand_id).scalar_subquery()
    page = select(JournalEntry, number_of_hand)
    page = page.where(JournalEntry.id > after).order_by(col(JournalEntry.id))
    rows = session.exec(page.offset(offset).limit(limit)).all()
    postings: dict[int, list[FeedPosting]] = defaultdict(list)
    for entry_id, *posting in session.ask(_POSTINGS, entries=[entry.id for entry, _ in rows]):
        postings[entry_id].append(FeedPosting(*posting))
    return [
        of_row(
            FeedEntry,
            entry,
            session=entry.session_id,
            hand=number,
            reverses=entry.reverses_id,
            postings=tuple(postings[entry.id]),
            details=entry.details if access.may_own or ROWS not in entry.details else {},
        )
        for entry, number in rows
    ]


def number_of_entries(session: ScopedSession, *, after: int = 0) -> int:
    """Return the number of the club's entries after the one with the id ``after``."""
    beyond = select(func.count()).select_from(JournalEntry).where(JournalEntry.id > after)
    return session.exec(beyond).one()


_COLUMNS: list[Any] = [
    *(Posting.entry_id, Account.key, Account.unit),
    *(Posting.amount, Posting.balance),
]
_POSTINGS: Built[Any] = Built(
    lambda *row: row,
    select(*_COLUMNS)
    .join(Account, col(Account.id) == Posting.account_id)
    .where(col(Posting.entry_id).in_(number_list("entries")))
    .order_by(col(Posting.id)),
)
