"""A hand as a line of the history: what it says now, what it said before, in the names of today."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import games
from engine.cards.cards import Suit
from engine.record import PASS
from engine.record.results import COUNTED
from engine.rules.sheet import CHIPS, SCORE
from engine.words.sentences import say, word
from ledger.database.kinds.hand_actions import REDONE, UNDONE
from ledger.database.models import HandAction
from ledger.services.common.values import of_row
from ledger.services.hands.stored import Written
from ledger.services.reads.summary import COUNTS, HandLine, Version
from ledger.services.session.steps import AFTER_HAND, REDO, UNDO
from ledger.services.session.stored import StoredHand, StoredVersion
from ledger.services.session.view import SeatView, SessionView


@dataclass(frozen=True, slots=True)
class PlayerColumns:
    """The players of a session, one figure each: who left and came back has two seats, and one column.

    ``nets`` are the chips won or lost, ``unpaid`` those of them that have not become money yet; where a
    session is played for nothing but scores, its ``unit``, both are scores. ``scored`` are the scores.
    """

    names: tuple[str, ...]
    nets: tuple[int, ...]
    unpaid: tuple[int, ...]
    scored: tuple[int, ...]
    seats: tuple[tuple[SeatView, ...], ...]
    names_of: Mapping[int, str]
    unit: str = CHIPS

    @classmethod
    def of(cls, view: SessionView) -> "PlayerColumns":
        """Put the seats of one player together, in the order of the session's seats."""
        by_player: dict[int, list[SeatView]] = defaultdict(list)
        for seat in view.seats:
            by_player[seat.player_id].append(seat)
        return cls(
            tuple(seats[0].name for seats in by_player.values()),
            tuple(sum(seat.net for seat in seats) for seats in by_player.values()),
            tuple(sum(seat.unpaid for seat in seats) for seats in by_player.values()),
            tuple(sum(seat.scored for seat in seats) for seats in by_player.values()),
            tuple(tuple(seats) for seats in by_player.values()),
            {seat.id: seat.name for seat in view.seats},
            view.unit,
        )

    def won(self, unit: str) -> tuple[int, ...]:
        """Return what everybody has won so far in hands of one unit; of chips, by other entries too."""
        if unit == SCORE:
            return self.scored
        return self.nets if self.unit == CHIPS else (0,) * len(self.names)

    def figures(self, by_seat: Mapping[int, int]) -> tuple[int, ...]:
        """Return one figure per column."""
        return tuple(sum(by_seat.get(seat.id, 0) for seat in seats) for seats in self.seats)


def line(
    hand: StoredHand,
    latest: StoredVersion,
    older: Sequence[StoredVersion],
    columns: PlayerColumns,
    balances: tuple[int, ...],
) -> HandLine:
    """Return one hand's line: its ``latest`` version, and those of the ``older`` that show something else."""
    *earlier, shown = _shown([*older, latest])
    said = _VersionText(latest, columns.names_of)
    return of_row(
        HandLine,
        said,
        hand,
        latest,
        reason=_reason(shown),
        deltas=columns.figures(Written.of(latest).deltas),
        balances=balances,
        explanation=tuple(latest.answer["explanation"]),
        unit=Written.of(latest).unit,
        entered_by=shown.author,
        previous=tuple(_version(version, columns) for version in earlier),
        action=shown.action,
        deed=_deed(shown),
        follows=(shown.cause or {}).get(AFTER_HAND),
    )


def _shown(every: Sequence[StoredVersion]) -> list[StoredVersion]:
    """Leave out the versions by which a hand followed another, and paid everybody what it had paid."""
    shown: list[StoredVersion] = []
    for version in every:
        silent = shown and version.action == HandAction.FOLLOWED
        if not (silent and Written.of(version).deltas == Written.of(shown[-1]).deltas):
            shown.append(version)
    return shown


def _version(version: StoredVersion, columns: PlayerColumns) -> Version:
    deltas = columns.figures(Written.of(version).deltas)
    return of_row(
        Version,
        version,
        summary=_VersionText(version, columns.names_of).line,
        deltas=deltas,
        reason=_reason(version),
        deed=_deed(version),
    )


_DEEDS = {UNDO: UNDONE, REDO: REDONE}


def _deed(version: StoredVersion) -> str:
    """Return the key of the word for a version's origin: an undo, a redo, or its action."""
    return next((_DEEDS[key] for key in version.cause or {} if key in _DEEDS), version.action)


def _reason(version: StoredVersion) -> str | None:
    """Return the reason that somebody gave; an undo gives none."""
    return version.reason if _deed(version) == version.action else None


class _VersionText:
    """What a version says, in titles and in the names players now go by."""

    def __init__(self, version: StoredVersion, names: Mapping[int, str]) -> None:
        record, verdict = version.record, version.verdict
        contract: Mapping[str, Any] = record.get("contract", {})
        now_called = dict(
            zip(record["players"], (names[seat_id] for seat_id in version.seat_ids), strict=True)
        )
        sheet = games.find(record["game"])
        bid = version.rules.by_slug.get(contract.get("bid", PASS))
        implied = bid.trumps[0].value if bid and len(bid.trumps) == 1 else None
        self.game_title = sheet.title
        variant = sheet.variant(record.get("rules")) if sheet.variants else None
        self.variant_title = variant.title if variant else None
        self.bid_title = bid.title if bid else say("Passed out")
        asked = bid.asks if bid else ()
        known = {name: record.get(name) for name in COUNTED if name in asked} | {
            name: verdict[name] for name in COUNTED if name in verdict
        }
        self.counts = {name: value for name, value in known.items() if value is not None}
        self.bidder, self.partner = map(now_called.get, (verdict["bidder"], verdict["partner"]))
        self.trump: str | None = contract.get("trump") or implied
        self.called = contract.get("called")
        self.alone = bool(contract.get("alone"))
        self.outcome, self.amount = verdict["outcome"], verdict["amount"]
        self.dealer, self.note = now_called[record["dealer"]], record.get("note")

    @property
    def line(self) -> str:
        """The version in one line: "Ann, Solo in hearts ♥ with Bob, 74 points, won"."""
        if self.bidder is None:
            return self.bid_title
        bid = word(self.bid_title)
        if self.trump:
            bid = say("{bid:term} {trump}", bid=self.bid_title, trump=Suit(self.trump).symbol)
        if self.partner:
            bid = say("{bid} with {partner}", bid=bid, partner=self.partner)
        won = [say(COUNTS[COUNTED[name]], n=value) for name, value in self.counts.items()]
        return say("{all:list}", all=[self.bidder, bid, *won, word(self.outcome)])
