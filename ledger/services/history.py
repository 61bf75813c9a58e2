"""The history of a session, read into the values that pages and the PDF show.

Every query a session's pages need is here: its seats, its hands with all their versions, the running
balances, who stands where, and the payments that would settle it now.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlmodel import col, select

from engine import games
from engine.cards import Suit
from engine.contracts import PASS
from engine.sheet import Sheet
from ledger.access import Access
from ledger.db import Database
from ledger.models import Hand, HandState, HandVersion
from ledger.problems import NotFound
from ledger.scope import ScopedSession
from ledger.services import clubs, sessions
from ledger.services.payout import Written
from ledger.services.sessions import SeatView, SessionView
from ledger.services.settle import fewest_payments
from ledger.services.summary import HandLine, Payment, SeatLine, SessionSummary, Version


def summary(db: Database, access: Access, session_id: int) -> SessionSummary:
    """Return the whole evening as one value. Raises ``NotFound``."""
    with db.read(access) as session:
        club = clubs.load(session)
        view = sessions.load(session, session_id)
        hands = tuple(_lines(session, view))
    variant = view.sheet.variant(view.variant)
    balances = [seat.balance for seat in view.seats]
    return SessionSummary(
        club=club.name,
        title=view.title,
        started_on=view.started_on,
        closed=not view.is_open,
        game_title=view.sheet.title,
        variant_title=variant.title if variant else None,
        house_rules=tuple(house_rules(view.sheet, view.variant, view.options)),
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
    """Return hand ``number`` as it holds now: record, verdict, version. Raises ``NotFound``."""
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


def standings(seats: Sequence[SeatView], lines: Sequence[HandLine] = ()) -> tuple[SeatLine, ...]:
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


def house_rules(sheet: Sheet, variant: str | None, chosen: Mapping[str, Any]) -> Iterator[str]:
    """Yield a plain sentence for each house rule in which this table differs from its variant."""
    for option in sheet.options_of(variant):
        value = chosen.get(option.slug, option.default)
        if value != option.default:
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
        *older, latest = versions[hand.id]
        deltas = Written.of(latest).deltas
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
    said = _Said(latest, names)
    verdict = latest.verdict
    return HandLine(
        number=hand.number,
        state=hand.state,
        version=hand.version,
        reason=latest.reason,
        game_title=said.game_title,
        bid_title=said.bid_title,
        bidder=said.name(verdict["bidder"]),
        partner=said.name(verdict["partner"]),
        alone=bool(said.contract.get("alone")),
        trump=said.trump,
        called=said.contract.get("called"),
        points=verdict["points"],
        outcome=verdict["outcome"],
        amount=verdict["amount"],
        deltas=tuple(deltas.get(seat_id, 0) for seat_id in names),
        balances=balances,
        explanation=tuple(verdict["explanation"]),
        dealer=said.now_called[latest.record["dealer"]],
        played_at=latest.played_at,
        entered_by=latest.author,
        previous=tuple(_version(version, names) for version in older),
    )


def _version(version: HandVersion, names: Mapping[int, str]) -> Version:
    deltas = Written.of(version).deltas
    return Version(
        version=version.version,
        action=version.action,
        summary=_Said(version, names).line,
        deltas=tuple(deltas.get(seat_id, 0) for seat_id in names),
        reason=version.reason,
        author=version.author,
        entered_at=version.entered_at,
    )


class _Said:
    """What a version says, in titles and in the names players go by now."""

    def __init__(self, version: HandVersion, names: Mapping[int, str]) -> None:
        record = version.record
        self.verdict = version.verdict
        self.contract: Mapping[str, Any] = record.get("contract", {})
        self.now_called = dict(
            zip(record["players"], (names[seat_id] for seat_id in version.seat_ids), strict=True)
        )
        sheet = games.find(record["game"])
        rules = sheet.rules(record.get("rules"), record.get("options", {}), len(self.now_called))
        bid = rules.by_slug.get(self.contract.get("bid", PASS))
        implied = bid.trumps[0].value if bid and len(bid.trumps) == 1 else None
        self.game_title = sheet.title
        self.bid_title = bid.title if bid else "Passed out"
        self.trump: str | None = self.contract.get("trump") or implied

    def name(self, name: str | None) -> str | None:
        """Return what the player of that name in the record goes by now."""
        return None if name is None else self.now_called[name]

    @property
    def line(self) -> str:
        """The version in one line: "Ann, Solo in hearts ♥ with Bob, 74 points, won"."""
        bidder, partner = self.name(self.verdict["bidder"]), self.name(self.verdict["partner"])
        if bidder is None:
            return self.bid_title
        bid = " ".join(
            part
            for part in (
                self.bid_title,
                Suit(self.trump).symbol if self.trump else "",
                f"with {partner}" if partner else "",
            )
            if part
        )
        points = self.verdict["points"]
        counted = [] if points is None else [f"{points} points"]
        return ", ".join([bidder, bid, *counted, self.verdict["outcome"]])
