"""The contents of a session's pots, now and before any hand.

Before a hand, the pots contain the net amount of the standing hands before it, and of the chips shared out or
adjusted before the hand was first recorded; undone entries do not count. So a hand that was void while
earlier hands were corrected is restored to the right pots.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from sqlalchemy import bindparam
from sqlmodel import col, select

from engine.errors import LARGEST
from engine.rules.pots import FROG_POT, SOLO_POT
from engine.words.sentences import later
from ledger.books.hand_effects import POTS
from ledger.database.models import Account, AccountKind, HandVersionTable, JournalEntry, Posting
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.services.session import reversals
from ledger.services.session.hand_versions import HandVersion, versions_of
from ledger.words.problems import Conflict

BESIDE_SEATS = {FROG_POT: "frog", SOLO_POT: "solo"}
"""Maps the pots' names in a verdict's transfers to those in a record."""

MOST_IN_A_POT = LARGEST
"""The most chips in a pot: a record can't state more."""


class PotsSpent(Conflict):
    """Raised if a change would make a pot negative, because it was shared out since."""

    code = "pots-spent"
    sentence = later(
        "The {pot:term} was shared out or adjusted since, and would go negative: undo "
        "that first, under Other entries."
    )


class PotTooFull(Conflict):
    """Raised if a change would put more into a pot than a hand can be played for."""

    code = "pot-too-full"
    sentence = later(
        "The {pot:term} would then hold {n:chip|chips}, and the limit is {most:,}: share it out, or "
        "undo what was put into it, under Other entries."
    )


def must_hold(contents: Mapping[str, int]) -> None:
    """Raise ``PotsSpent`` or ``PotTooFull`` if a pot would be negative or too full."""
    for name, amount in contents.items():
        if amount < 0:
            raise PotsSpent(pot=f"{name} pot")
        if amount > MOST_IN_A_POT:
            raise PotTooFull(pot=f"{name} pot", n=amount, most=MOST_IN_A_POT)


_CONTENTS = Built(
    lambda name, balance: (str(name), int(balance)),
    select(Account.name, Account.balance).where(
        Account.session_id == bindparam("session"), Account.kind == AccountKind.POT.value
    ),
)


@asked_once
def contents(session: ScopedSession, session_id: int) -> dict[str, int]:
    """Return the chips in each pot of a session now, by the pots' names.

    0 in one that was never paid into.
    """
    return dict.fromkeys(POTS, 0) | dict(session.ask(_CONTENTS, session=session_id))


def before(
    session: ScopedSession, hand: HandVersion, later: Iterable[HandVersion]
) -> dict[str, int]:
    """Return the chips in each pot before a hand, by name; ``later`` are the standing hands dealt after it.

    These are computed back from the present contents, which must not include the hand itself: it is void.
    """
    total = Counter(contents(session, hand.session_id))
    for version in later:
        total.subtract(version.effects.pot_gains)
    total.subtract(_moved_by_others(session, hand))
    return {name: total[name] for name in POTS}


def _moved_by_others(session: ScopedSession, hand: HandVersion) -> Counter[str]:
    """Return the chips by which entries other than hands changed each pot since a hand was first recorded.

    Undone entries don't count. Empty for a hand that was void before databases had pots.
    """
    first = _first_entry(session, hand)
    if first is None:
        return Counter()
    rows = session.exec(
        select(JournalEntry, Account.name, Posting.amount)
        .join(Posting, col(Posting.entry_id) == JournalEntry.id)
        .join(Account, col(Account.id) == Posting.account_id)
        .where(Account.session_id == hand.session_id, Account.kind == AccountKind.POT.value)
        .where(JournalEntry.session_id == hand.session_id, col(JournalEntry.hand_id).is_(None))
        .where(reversals.in_force())
    ).all()
    moved = Counter[str]()
    for entry, name, amount in rows:
        if reversals.original_number(entry) > first:
            moved[str(name)] += amount
    return moved


def _first_entry(session: ScopedSession, hand: HandVersion) -> int | None:
    """Return the id of the entry that first recorded a hand; None if it was void before databases had pots.

    Older entries don't count: they paid the chips of the pots elsewhere, and were reversed by the upgrade.
    """
    in_pots = set(
        session.exec(
            select(Posting.entry_id)
            .join(HandVersionTable, col(HandVersionTable.entry_id) == Posting.entry_id)
            .join(Account, col(Account.id) == Posting.account_id)
            .where(HandVersionTable.hand_id == hand.hand_id, Account.kind == AccountKind.POT.value)
        )
    )
    entries = (
        version.entry_id
        for version in versions_of(session, hand.hand_id)
        if version.entry_id in in_pots or not any(version.effects.put)
    )
    return next(filter(None, entries), None)
