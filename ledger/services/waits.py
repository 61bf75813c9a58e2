"""What chips wait for before they become money: pots, counted differences, scores that nobody pays.

A pot is played on for or shared out, a difference shared; scores come out again only with their hands.
"""

from sqlmodel import col, select

from ledger.models import Account, AccountKind, PlaySession
from ledger.problems import Conflict, Invalid, counted
from ledger.scope import ScopedSession
from ledger.services import tills
from ledger.services.session_view import view


class NotReady(Conflict):
    """Chips lie where no player can be paid for them."""

    code = "chips-elsewhere"


def found(session: ScopedSession, session_id: int) -> list[Account]:
    """Return what has to come to 0 before a session's chips become money: pots, differences, the world's."""
    return list(
        session.exec(
            select(Account)
            .where(Account.session_id == session_id, Account.balance != 0)
            .where(col(Account.kind).in_([kind.value for kind in _WAITED_FOR]))
            .order_by(Account.key)
        )
    )


def must_be_payments(session: ScopedSession, row: PlaySession) -> None:
    """Raise ``NotReady`` where the world holds the other side of scores: nobody pays those out."""
    scores = [each for each in found(session, row.id) if each.kind == AccountKind.WORLD]
    way_out = " Take the session's rate away to let somebody leave."
    must_be_empty(scores, ways_out(session, row) if tills.held(session, row.id) else way_out)


def ways_out(session: ScopedSession, row: PlaySession) -> str:
    """Say how scores that came among the chips come out again."""
    back = ", or take back the leaving for money," if tills.held(session, row.id) else ""
    return f" Void the hands played for scores{back} first."


def must_be_played_for_chips(session: ScopedSession, row: PlaySession) -> None:
    """Raise ``NotReady`` where the next hand is for scores: the others' chips could not pay who leaves."""
    shown = view(session, row)
    try:
        pays = shown.rules.settlement.pays
    except Invalid:  # too few or too many are here to play any hand
        return
    if not pays:
        raise NotReady(
            f"{shown.sheet.title} is played for scores, which nobody pays: the others' chips could not be "
            "turned into money after it. Take the session's rate away to let somebody leave, or "
            "change the game first."
        )


_WAITED_FOR = {
    AccountKind.POT: "The {name} pot holds {held}. Play on for it, or share it out first.",
    AccountKind.DIFFERENCES: "Counted chips differ by {missing} in sum. "
    "Share them out, or put a player's chips right first.",
    AccountKind.WORLD: "The scores come to {missing}, not to 0. "
    "A score that nobody pays can't be turned into money.",
}


def must_be_empty(waits: list[Account], way_out: str = "") -> None:
    """Raise ``NotReady`` for the first of these; ``way_out`` is what to do about scores."""
    for each in waits:
        sentence = _WAITED_FOR[AccountKind(each.kind)]
        held = counted(each.balance, "chip")
        figures = {"name": each.name, "held": held, "missing": -each.balance}
        more = way_out if each.kind == AccountKind.WORLD else ""
        raise NotReady(sentence.format(**figures) + more)
