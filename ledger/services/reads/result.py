"""The result of an evening: standings, payments and highlights, without the lines of its hands."""

from dataclasses import dataclass

from engine import games
from ledger.database.models import HandState
from ledger.database.scope import ScopedSession
from ledger.services.hands import after_leaving
from ledger.services.hands.preview import AfterLeaving
from ledger.services.money.settle_up import Payment
from ledger.services.reads import highlights, running_totals
from ledger.services.reads.accounts import SessionSettlement
from ledger.services.reads.hand_pages import with_totals
from ledger.services.reads.highlights import Highlights
from ledger.services.reads.running_totals import RunningTotals
from ledger.services.reads.session import in_money, standings
from ledger.services.reads.summary import InMoney, SeatLine, hand_count
from ledger.services.session import load as session_load


@dataclass(frozen=True, slots=True)
class EveningResult:
    """The result of an evening.

    Attributes:
        count: The numbers of standing and void hands in words.
        games: The titles of the games of its hands, in the order of their first ones; without hands, of the
            game agreed on.
        podium: The lines of the first three ranks.
        unconfirmed: The numbers of the hands that wait for a confirmation.
        payments: The fewest that leave everybody even, in the evening's unit.
        money: The money paid for cashed-in chips.
        after_leaving: The effects of changed hands on players who had left.
        totals: The running totals of the chart.
    """

    count: str
    games: tuple[str, ...]
    standings: tuple[SeatLine, ...]
    podium: tuple[SeatLine, ...]
    payments: tuple[Payment, ...]
    money: InMoney | None
    after_leaving: tuple[AfterLeaving, ...]
    highlights: Highlights
    totals: tuple[RunningTotals, ...]
    unconfirmed: tuple[int, ...]


def of_evening(session: ScopedSession, session_id: int) -> EveningResult:
    """Return the result of an evening, or its state so far. Raises ``NotFound``."""
    view = session_load.load(session, session_id)
    hands = with_totals(session, view)
    ranks = standings(view)
    return EveningResult(
        hand_count(
            len(hands),
            sum(hand.latest.state == HandState.VOID for hand in hands),
            on_paper=view.on_paper,
        ),
        tuple(dict.fromkeys(games.find(hand.latest.record["game"]).title for hand in hands))
        or (view.sheet.title,),
        ranks,
        highlights.podium(ranks),
        SessionSettlement.of(view).payments,
        in_money(session, view),
        after_leaving.since(session, view),
        highlights.of_evening(view, ranks, hands),
        running_totals.of_hands(view, hands),
        tuple(hand.latest.number for hand in hands if hand.latest.unconfirmed_from is not None),
    )
