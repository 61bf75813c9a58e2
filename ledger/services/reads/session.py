"""The history of a session for pages and the PDF: hands, standings, payments and the whole summary."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import bindparam, distinct, or_
from sqlalchemy.orm import aliased
from sqlmodel import col, func, select

from engine.rules.options import resolve
from engine.rules.seating import Turn
from engine.rules.sheet import SCORE, Sheet
from engine.words.sentences import say
from ledger.books import journal
from ledger.database.kinds.entries import kinds
from ledger.database.models import Account, AccountKind, Hand, HandState, JournalEntry, PlaySession
from ledger.database.scope import Built, ScopedSession
from ledger.services.club import clubs
from ledger.services.common.names import key
from ledger.services.hands import after_leaving
from ledger.services.hands.preview import AfterLeaving
from ledger.services.hands.turn import upcoming
from ledger.services.money import convert
from ledger.services.money.settle_up import by_name
from ledger.services.reads import hand_search, other_entries
from ledger.services.reads.accounts import SessionSettlement
from ledger.services.reads.hand_line import PlayerColumns, line
from ledger.services.reads.hand_pages import lines
from ledger.services.reads.hand_search import HandFilter
from ledger.services.reads.summary import HandLine, InMoney, SeatLine, SessionSummary, hand_count
from ledger.services.session import load as session_load
from ledger.services.session.hand_versions import versions_of
from ledger.services.session.view import SessionView
from ledger.words.problems import Invalid


@dataclass(frozen=True, slots=True)
class Board:
    """A session at a glance; ``hands`` is the number dealt, including ``void`` and ``unconfirmed`` ones.

    ``after_leaving`` are the effects of changed hands on players who had left.
    """

    view: SessionView
    standings: tuple[SeatLine, ...]
    hands: int
    last: HandLine | None
    next: Turn | None
    after_leaving: tuple[AfterLeaving, ...] = ()
    void: int = 0
    unconfirmed: int = 0
    pots: Mapping[str, int] = field(default_factory=dict)

    @property
    def count(self) -> str:
        """The numbers of standing and void hands in words."""
        return hand_count(self.hands, self.void, on_paper=self.view.on_paper)


_VOID = (
    select(func.count(col(Hand.id)))
    .where(Hand.session_id == bindparam("session_id"), Hand.state == HandState.VOID.value)
    .scalar_subquery()
)
_UNCONFIRMED = (
    select(func.count(col(Hand.id)))
    .where(Hand.session_id == bindparam("session_id"), col(Hand.unconfirmed_from).is_not(None))
    .scalar_subquery()
)
_COUNTS_AND_POTS: Built[tuple[int, int, str | None, int]] = Built(
    lambda *row: row,
    select(_VOID, _UNCONFIRMED, Account.name, Account.balance)
    .select_from(PlaySession)
    .outerjoin(
        Account,
        (col(Account.session_id) == PlaySession.id) & (Account.kind == AccountKind.POT.value),
    )
    .where(PlaySession.id == bindparam("session_id"))
    .order_by(col(Account.id)),
)
"""The numbers of void and unconfirmed hands, with each pot and its balance; one row even without a pot."""
_CLOSINGS: Built[str] = Built(
    str,
    select(JournalEntry.digest)
    .where(JournalEntry.session_id == bindparam("session_id"))
    .where(
        or_(*(col(JournalEntry.kind) == name for name in kinds(lambda kind: kind.closes is True)))
    )
    .order_by(col(JournalEntry.id).desc())
    .limit(1),
)


def head_at_closing(session: ScopedSession, session_id: int) -> str | None:
    """Return the digest of the last entry that closed a session, or None; it seals all entries before it.

    A session that was reopened since still has one.
    """
    return next(iter(session.ask(_CLOSINGS, session_id=session_id)), None)


def summary(session: ScopedSession, session_id: int) -> SessionSummary:
    """Return everything a report prints of an evening: hands, standings, payments. Raises ``NotFound``."""
    club = clubs.show(session)
    view = session_load.load(session, session_id)
    hands = tuple(lines(session, view))
    names = PlayerColumns.of(view).names
    settlement = SessionSettlement.of(view)
    variant = view.sheet.variant(view.variant)
    return SessionSummary(
        club=club.name,
        title=view.title,
        started_on=view.started_on,
        closed=not view.is_open,
        game_title=view.sheet.title,
        variant_title=variant.title if variant else None,
        house_rules=tuple(house_rules(view.sheet, view.variant, view.options)),
        seats=names,
        standings=standings(view),
        hands=hands,
        payments=settlement.payments,
        unit=settlement.unit,
        bidder=_bidder(view, hands),
        instead_of_payments=_instead_of_payments(settlement),
        other_entries=other_entries.of_session(session, view),
        money=in_money(session, view),
        unconverted=bool(view.unconverted),
        head=journal.head(session),
        sat_down=_sat_down(session, view),
        colours=tuple(view.colours[name] for name in names),
        scores_apart=view.scores_apart,
        after_leaving=after_leaving.since(session, view),
        on_paper=view.on_paper,
    )


_hands = aliased(JournalEntry)
_JOINED = (
    select(JournalEntry.details, func.count(distinct(col(_hands.hand_id))))
    .outerjoin(
        _hands,
        (col(_hands.session_id) == JournalEntry.session_id) & (col(_hands.id) < JournalEntry.id),
    )
    .where(JournalEntry.session_id == bindparam("session_id"))
    .where(col(JournalEntry.kind).in_(kinds(lambda kind: kind.seats)))
    .group_by(col(JournalEntry.club_id), col(JournalEntry.id))
)


def _sat_down(session: ScopedSession, view: SessionView) -> tuple[int, ...]:
    """Return the hands recorded before each player first sat down; 0 for those who began the evening."""
    joined = session.exec(_JOINED, params={"session_id": view.id}).all()
    after = {details["joined"]: hands for details, hands in joined if "joined" in details}
    return tuple(
        min(after.get(seat.id, 0) for seat in seats) for seats in PlayerColumns.of(view).seats
    )


def _bidder(view: SessionView, hands: Sequence[HandLine]) -> str:
    """Return the game's word for the bidder, or "bidder" if several games were played."""
    one_game = all(hand.game_title == view.sheet.title for hand in hands)
    return view.sheet.bidder if one_game else "bidder"


def in_money(session: ScopedSession, view: SessionView) -> InMoney | None:
    """Return the money paid for the session's chips, by player; None if nobody got or paid any."""
    columns = PlayerColumns.of(view)
    money = other_entries.money(session, view)
    amounts = tuple(money[seats[0].player_id] for seats in columns.seats)
    if not any(amounts):
        return None
    return InMoney(convert.currency_of(session), amounts, by_name(columns.names, amounts))


def _instead_of_payments(settlement: SessionSettlement) -> str:
    """Return the sentence printed if there are no payments: scores, a remainder, or everybody is even."""
    if settlement.scored and settlement.unit == SCORE:
        return say("Hands were played for scores, which nobody pays.")
    if not settlement.even:
        return say("Wins and losses don't add up to 0, so no payments can settle them.")
    return say("Everybody is even.")


def hands(
    session: ScopedSession, session_id: int, *, first: int = 1, last: int | None = None
) -> list[HandLine]:
    """Return the lines of hands ``first`` to ``last`` of a session, both included, or to the last one dealt.

    Raises ``NotFound`` if there is no such session.
    """
    return lines(session, session_load.load(session, session_id), first, last)


def page_of_hands(
    session: ScopedSession,
    session_id: int,
    chosen: HandFilter,
    *,
    after: int = 0,
    offset: int = 0,
    limit: int,
) -> tuple[list[HandLine], int]:
    """Return a page of a session's hands that match a filter, in order, and the number of all that match.

    The page begins above hand number ``after``, and ``offset`` counts from there. Raises ``NotFound``, and
    ``Invalid`` at ``after``, or at ``player`` for somebody who was never seated.
    """
    view = session_load.load(session, session_id)
    if after > view.hands_dealt:
        sentence = say("“{title}” has no hand {number}.", title=view.title, number=after)
        raise Invalid.at("after", "out-of-range", sentence)
    numbers: Sequence[int] = range(1, view.hands_dealt + 1)
    if not chosen.is_empty:
        numbers = hand_search.numbers(session, view, _in_session(view, chosen))[::-1]
    page = numbers[bisect_right(numbers, after) :][offset : offset + limit]
    if not page:
        return [], len(numbers)
    # The whole span is read at once: a read for each run of numbers could be as many as the page has hands.
    span, on_page = lines(session, view, page[0], page[-1]), {*page}
    return [hand for hand in span if hand.number in on_page], len(numbers)


def _in_session(view: SessionView, chosen: HandFilter) -> HandFilter:
    """Return the filter with its player's name as the session spells it; an empty name stays empty.

    Raises ``Invalid`` at ``player`` for anybody who was never seated.
    """
    players = PlayerColumns.of(view).names
    spelled = {key(name): name for name in ("", *players)}.get(key(chosen.player))
    if spelled is None:
        sentence = say("{name} never sat in “{title}”.", name=chosen.player, title=view.title)
        raise Invalid.at("player", "not-at-the-table", sentence, players)
    return replace(chosen, player=spelled)


def board(session: ScopedSession, session_id: int) -> Board:
    """Return a session's board: the standings, the last standing hand, the pots and the next turn.

    Reads seats, accounts and one hand, and counts void and unconfirmed ones. Raises ``NotFound``.
    """
    view = session_load.load(session, session_id)
    columns = PlayerColumns.of(view)
    last = None
    if view.last is not None:
        latest = view.last
        older = versions_of(session, latest.hand_id)[:-1] if latest.version > 1 else ()
        last = line(latest, older, columns, columns.won(latest.unit))
    since = after_leaving.since(session, view)
    rows = session.ask(_COUNTS_AND_POTS, session_id=session_id)
    pots = {name: balance for *_, name, balance in rows if name is not None}
    counts = rows[0][:2]
    return Board(view, standings(view), view.hands_dealt, last, _next(view), since, *counts, pots)


def standings(view: SessionView) -> tuple[SeatLine, ...]:
    """Return a line for each player, also those who left: best first by chips won, by score without chips.

    The seats of a player who came back are added up. Equal players share a rank: 1, 1, 3.
    """
    columns = PlayerColumns.of(view)
    places = sorted(range(len(columns.names)), key=lambda place: (-columns.nets[place], place))
    return tuple(
        SeatLine(
            columns.names[place],
            columns.nets[place],
            1 + sum(net > columns.nets[place] for net in columns.nets),
            sum(seat.hands_bid for seat in columns.seats[place]),
            sum(seat.hands_won for seat in columns.seats[place]),
            sum(seat.balance for seat in columns.seats[place]),
            columns.scored[place],
        )
        for place in places
    )


def _next(view: SessionView) -> Turn | None:
    """Return the next turn, or None while too few or too many are playing."""
    try:
        return upcoming(view)
    except Invalid:
        return None


def house_rules(sheet: Sheet, variant: str | None, chosen: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each house rule whose value differs from the variant's default."""
    offered = sheet.options_of(variant)
    values = resolve(offered, chosen)
    for option in offered:
        value = values[option.slug]
        if value != option.default:
            yield option.sentence(value)
