"""The history of a session, read into the values that pages and the PDF show.

Every query a session's pages need is here: its seats, its hands with all their versions, the running
balances, who stands where, and the payments that would settle it now.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlmodel import col, select

from engine import games
from engine.sheet import Rules
from ledger.access import Access
from ledger.db import Database
from ledger.models import Hand, HandAction, HandState, HandVersion
from ledger.problems import NotFound
from ledger.scope import ScopedSession
from ledger.services import clubs, sessions
from ledger.services.hands import deltas_by_seat
from ledger.services.sessions import SeatView, SessionView
from ledger.services.settle import fewest_payments
from ledger.services.summary import HandLine, Payment, SeatLine, SessionSummary, Version

_ACTION = {action.value: action.value for action in HandAction}


def summary(db: Database, access: Access, session_id: int) -> SessionSummary:
    """Return the whole evening as one value. Raises ``NotFound``."""
    with db.read(access) as session:
        club = clubs.load(session)
        view = sessions.load(session, session_id)
        hands = tuple(_lines(session, view))
    rules = view.rules
    balances = [seat.balance for seat in view.seats]
    return SessionSummary(
        club=club.name,
        title=view.title,
        started_on=view.started_on,
        closed=not view.is_open,
        game_title=rules.sheet.title,
        variant_title=rules.variant.title if len(rules.sheet.variants) > 1 else None,
        house_rules=tuple(house_rules(rules)),
        seats=view.names,
        standings=standings(view.seats, hands),
        hands=hands,
        payments=tuple(
            Payment(view.names[pay.payer], view.names[pay.payee], pay.amount)
            for pay in fewest_payments(balances)
        )
        if sum(balances) == 0
        else (),
        unit="chips",
    )


def hands(db: Database, access: Access, session_id: int) -> list[HandLine]:
    """Return all hands of a session, first to last. Raises ``NotFound``."""
    with db.read(access) as session:
        return list(_lines(session, sessions.load(session, session_id)))


def version_record(
    db: Database, access: Access, session_id: int, number: int
) -> tuple[Mapping[str, Any], Mapping[str, Any], HandVersion]:
    """Return hand ``number`` as it holds now: its record, its verdict and the version. Raises ``NotFound``."""
    with db.read(access) as session:
        view = sessions.load(session, session_id)
        version = session.exec(
            select(HandVersion)
            .join(Hand, col(Hand.id) == HandVersion.hand_id)
            .where(Hand.session_id == session_id, Hand.number == number)
            .where(HandVersion.version == Hand.version)
        ).one_or_none()
    if version is None:
        raise NotFound(
            f"There is no hand {number} in “{view.title}”; it has {view.hands_dealt} hands."
        )
    return version.record, version.verdict, version


def standings(
    seats: Sequence[SeatView], lines: Sequence[HandLine] = ()
) -> tuple[SeatLine, ...]:
    """Return who stands where, best first; equal balances share a rank."""
    bid: dict[str, int] = defaultdict(int)
    won: dict[str, int] = defaultdict(int)
    for line in lines:
        if line.state == HandState.STANDING and line.bidder:
            bid[line.bidder] += 1
            won[line.bidder] += line.outcome == "won"
    ordered = sorted(seats, key=lambda seat: (-seat.balance, seat.position))
    return tuple(
        SeatLine(
            seat.name,
            seat.balance,
            1 + sum(other.balance > seat.balance for other in seats),
            bid[seat.name],
            won[seat.name],
        )
        for seat in ordered
    )


def house_rules(rules: Rules) -> Iterator[str]:
    """Yield a plain sentence for each house rule in which this table differs from the rules sheet."""
    for option in rules.sheet.options:
        value = rules.options[option.slug]
        if value != rules.default(option.slug):
            yield option.sentence(value)


def _lines(session: ScopedSession, view: SessionView) -> Iterator[HandLine]:
    versions: dict[int, list[HandVersion]] = defaultdict(list)
    for version in session.exec(
        select(HandVersion)
        .where(HandVersion.session_id == view.id)
        .order_by(col(HandVersion.hand_id), col(HandVersion.version))
    ):
        versions[version.hand_id].append(version)
    found = session.exec(
        select(Hand).where(Hand.session_id == view.id).order_by(col(Hand.number))
    ).all()
    balances = dict.fromkeys((seat.id for seat in view.seats), 0)
    names = {seat.id: seat.name for seat in view.seats}
    for hand in found:
        *older, latest = versions[hand.id or 0]
        deltas = deltas_by_seat(latest)
        if hand.state == HandState.STANDING:
            for seat_id, amount in deltas.items():
                balances[seat_id] += amount
        yield _line(hand, latest, older, names, deltas, tuple(balances.values()))


def _line(
    hand: Hand,
    latest: HandVersion,
    older: Sequence[HandVersion],
    names: Mapping[int, str],
    deltas: Mapping[int, int],
    balances: tuple[int, ...],
) -> HandLine:
    record, verdict = latest.record, latest.verdict
    contract = record.get("contract", {})
    rules = games.find(record["game"]).rules(
        record.get("rules"), record.get("options", {}), len(record["players"])
    )
    now_called = dict(
        zip(record["players"], (names[seat_id] for seat_id in latest.seat_ids), strict=True)
    )
    bidder, partner = verdict["bidder"], verdict["partner"]
    return HandLine(
        number=hand.number,
        state=hand.state,
        version=hand.version,
        reason=latest.reason,
        game_title=rules.sheet.title,
        bid_title=rules.bid_title(contract.get("bid", "pass")),
        bidder=now_called.get(bidder),
        partner=now_called.get(partner),
        alone=bool(contract.get("alone")),
        trump=rules.trump(contract),
        called=contract.get("called"),
        points=verdict["points"],
        outcome=verdict["outcome"],
        amount=verdict["amount"],
        deltas=tuple(deltas.get(seat_id, 0) for seat_id in names),
        balances=balances,
        explanation=tuple(verdict["explanation"]),
        dealer=now_called[record["dealer"]],
        played_at=latest.played_at,
        entered_by=latest.author,
        previous=tuple(_version(version, names) for version in older),
    )


def _version(version: HandVersion, names: Mapping[int, str]) -> Version:
    deltas = deltas_by_seat(version)
    return Version(
        version=version.version,
        action=_ACTION[version.action],
        summary="; ".join(version.verdict["explanation"][:1]),
        deltas=tuple(deltas.get(seat_id, 0) for seat_id in names),
        reason=version.reason,
        author=version.author,
        entered_at=version.entered_at,
    )
