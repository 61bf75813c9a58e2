"""The pots of a session: what they hold now, and what they held before any hand.

Before a hand, a pot holds what the standing hands dealt before it put in or took, and what was shared out
or adjusted before it was first paid into them; what was undone counts as never done. So a hand that
was void while earlier ones were corrected comes back to the pots as they should have been.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from sqlalchemy import bindparam
from sqlmodel import col, func, select

from engine.errors import LARGEST
from engine.rules.pots import FROG_POT, SOLO_POT
from engine.words.sentences import later
from ledger.books.hand_effects import POTS
from ledger.database.models import Account, AccountKind, HandVersionTable, JournalEntry, Posting
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.services.hands.stored import Written
from ledger.services.session import reversals
from ledger.services.session.stored import StoredHand, StoredVersion
from ledger.words.problems import Conflict

BESIDE_SEATS = {FROG_POT: "frog", SOLO_POT: "solo"}
"""What a verdict's transfers call the pots, with their names in a record."""


MOST_IN_A_POT = LARGEST
"""As much as the next hand can say that a pot held before it."""


class PotsSpent(Conflict):
    """A change would leave a pot with less than nothing: it was shared out since."""

    code = "pots-spent"
    sentence = later(
        "The {pot:term} was shared out or adjusted since, and would go negative: undo "
        "that first, under Other entries."
    )


class PotTooFull(Conflict):
    """A change would leave a pot with more than a hand can be played for."""

    code = "pot-too-full"
    sentence = later(
        "The {pot:term} would then hold {n:chip|chips}, and the limit is {most:,}: share it out, or "
        "undo what was put into it, under Other entries."
    )


def must_hold(held: Mapping[str, int]) -> None:
    """Raise ``PotsSpent`` or ``PotTooFull`` where a pot would hold less than nothing, or too much."""
    for name, amount in held.items():
        if amount < 0:
            raise PotsSpent(pot=f"{name} pot")
        if amount > MOST_IN_A_POT:
            raise PotTooFull(pot=f"{name} pot", n=amount, most=MOST_IN_A_POT)


_HELD = Built(
    lambda name, balance: (str(name), int(balance)),
    select(Account.name, Account.balance).where(
        Account.session_id == bindparam("session"), Account.kind == AccountKind.POT.value
    ),
)


@asked_once
def held(session: ScopedSession, session_id: int) -> dict[str, int]:
    """Return what the pots hold now."""
    return dict.fromkeys(POTS, 0) | dict(session.ask(_HELD, session=session_id))


def before(
    session: ScopedSession, hand: StoredHand, later: Iterable[StoredVersion]
) -> dict[str, int]:
    """Return what the pots held before a hand. ``later`` are the standing hands dealt after it."""
    total = Counter(held(session, hand.session_id))
    for version in later:
        total.subtract(Written.of(version).into_pots)
    total.subtract(_moved_apart(session, hand))
    return {name: total[name] for name in POTS}


def _moved_apart(session: ScopedSession, hand: StoredHand) -> Counter[str]:
    """Return what other entries that stand moved since a hand was first paid into the pots.

    Of one that never was, since the first books had no pots and it was already void: nothing.
    """
    first = session.exec(
        select(func.min(Posting.entry_id))
        .join(HandVersionTable, col(HandVersionTable.entry_id) == Posting.entry_id)
        .join(Account, col(Account.id) == Posting.account_id)
        .where(HandVersionTable.hand_id == hand.id, Account.kind == AccountKind.POT.value)
    ).one()
    if first is None:
        return Counter()
    rows = session.exec(
        select(JournalEntry, Account.name, Posting.amount)
        .join(Posting, col(Posting.entry_id) == JournalEntry.id)
        .join(Account, col(Account.id) == Posting.account_id)
        .where(Account.session_id == hand.session_id, Account.kind == AccountKind.POT.value)
        .where(JournalEntry.session_id == hand.session_id, col(JournalEntry.hand_id).is_(None))
        .where(JournalEntry.id > first)
        .where(reversals.stands())
    ).all()
    moved = Counter[str]()
    for entry, name, amount in rows:
        if reversals.first_number(entry) > first:
            moved[str(name)] += amount
    return moved
