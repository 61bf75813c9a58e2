"""A hand as a line of the history: its present and earlier versions, with the players' present names."""

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
from ledger.services.common import texts
from ledger.services.common.values import of_row
from ledger.services.reads.summary import COUNTS, EarlierVersion, HandLine
from ledger.services.session.hand_versions import AFTER_HAND, REDO, UNDO, HandVersion
from ledger.services.session.view import SeatView, SessionView


@dataclass(frozen=True, slots=True)
class PlayerColumns:
    """The players of a session with one figure each, even for a player with several seats.

    ``nets`` are the chips won or lost, ``unpaid`` those that have not become money; both are scores if the
    session's ``unit`` is the score. ``scored`` are the scores. ``names_of`` and ``column_of`` map a seat's id
    to its player's name and to the player's index in the other tuples.
    """

    names: tuple[str, ...]
    nets: tuple[int, ...]
    unpaid: tuple[int, ...]
    scored: tuple[int, ...]
    seats: tuple[tuple[SeatView, ...], ...]
    names_of: Mapping[int, str]
    column_of: Mapping[int, int]
    unit: str = CHIPS

    @classmethod
    def of(cls, view: SessionView) -> "PlayerColumns":
        """Build from a session's seats, grouped by player in the order of the seats, left ones included."""
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
            {seat.id: place for place, seats in enumerate(by_player.values()) for seat in seats},
            view.unit,
        )

    def won(self, unit: str) -> tuple[int, ...]:
        """Return each player's total in one unit, chips or score; chips include those won by other entries.

        In a session played for scores alone the chips are 0.
        """
        if unit == SCORE:
            return self.scored
        return self.nets if self.unit == CHIPS else (0,) * len(self.names)

    def figures(self, by_seat: Mapping[int, int]) -> tuple[int, ...]:
        """Return for each player the sum of figures given by seat id; a seat without one adds 0."""
        figures = [0] * len(self.names)
        for seat_id, figure in by_seat.items():
            figures[self.column_of[seat_id]] += figure
        return tuple(figures)


def line(
    latest: HandVersion,
    older: Sequence[HandVersion],
    columns: PlayerColumns,
    balances: tuple[int, ...],
) -> HandLine:
    """Return a hand's line with its earlier versions, without recalculations that changed no payment.

    Action, reason and author are those of the last version that is not left out. ``older`` are the earlier
    versions, oldest first, ``balances`` each player's running total.
    """
    *earlier, shown = _visible([*older, latest])
    text = VersionText(latest, columns.names_of)
    return of_row(
        HandLine,
        text,
        latest,
        reason=_reason(shown),
        deltas=columns.figures(latest.deltas),
        balances=balances,
        explanation=tuple(latest.localized_verdict["explanation"]),
        unit=latest.unit,
        entered_by=shown.author,
        previous=tuple(_version(version, columns) for version in earlier),
        action=shown.action,
        deed=_deed(shown),
        follows=(shown.cause or {}).get(AFTER_HAND),
    )


def _visible(versions: Sequence[HandVersion]) -> list[HandVersion]:
    """Return the versions, without recalculations that paid everybody the same as the version before."""
    visible: list[HandVersion] = []
    for version in versions:
        is_silent = visible and version.action == HandAction.FOLLOWED
        if not (is_silent and version.deltas == visible[-1].deltas):
            visible.append(version)
    return visible


def _version(version: HandVersion, columns: PlayerColumns) -> EarlierVersion:
    deltas = columns.figures(version.deltas)
    return of_row(
        EarlierVersion,
        version,
        summary=VersionText(version, columns.names_of).line,
        deltas=deltas,
        reason=_reason(version),
        deed=_deed(version),
    )


_DEEDS = {UNDO: UNDONE, REDO: REDONE}


def _deed(version: HandVersion) -> str:
    """Return the key of the word for a version's origin: ``undone``, ``redone``, or else its action."""
    return next((_DEEDS[key] for key in version.cause or {} if key in _DEEDS), version.action)


def _reason(version: HandVersion) -> str | None:
    """Return the reason that a person entered for a version.

    None for an undo or redo, which has a fixed one.
    """
    return version.reason if _deed(version) == version.action else None


class VersionText:
    """The facts of a version for people: titles in English, and the players' present names.

    ``names`` maps the ids of seats to these names.
    """

    def __init__(self, version: HandVersion, names: Mapping[int, str]) -> None:
        record, verdict = version.record, version.verdict
        is_played = verdict["bidder"] is not None
        contract: Mapping[str, Any] = record.get("contract", {}) if is_played else {}
        present_names = dict(
            zip(record["players"], (names[seat_id] for seat_id in version.seat_ids), strict=True)
        )
        sheet = games.find(record["game"])
        bid = version.rules.by_slug.get(contract.get("bid", PASS))
        implied = bid.trumps[0].value if bid and len(bid.trumps) == 1 else None
        self.game_title = sheet.title
        variant = sheet.variant(record.get("rules")) if sheet.variants else None
        self.variant_title = variant.title if variant else None
        nothing = say("Settled at the table") if record.get("irregular") else say("Passed out")
        self.bid_title = bid.title if bid else nothing
        keys = bid.result_keys if bid else ()
        counts = {name: record.get(name) for name in COUNTED if name in keys} | {
            name: verdict[name] for name in COUNTED if name in verdict
        }
        self.counts = {name: value for name, value in counts.items() if value is not None}
        self.bidder, self.partner = map(present_names.get, (verdict["bidder"], verdict["partner"]))
        self.trump: str | None = contract.get("trump") or implied
        self.called = contract.get("called")
        self.alone = bool(contract.get("alone"))
        self.outcome, self.amount = verdict["outcome"], verdict["amount"]
        self.has_tricks = bool(record.get("tricks"))
        self.dealer, self.note = present_names[record["dealer"]], record.get("note")

    @property
    def line(self) -> str:
        """The version in one line, "Ann, Solo in hearts ♥ with Bob, 74 points, won", or "Passed out"."""
        if self.bidder is None:
            return self.bid_title
        bid = word(self.bid_title)
        if self.trump:
            bid = say("{bid:term} {trump}", bid=self.bid_title, trump=Suit(self.trump).symbol)
        if self.partner:
            bid = say("{bid} with {partner}", bid=bid, partner=texts.isolate(self.partner))
        bidder = texts.isolate(self.bidder)
        won = [say(COUNTS[COUNTED[name]], n=value) for name, value in self.counts.items()]
        return say("{all:list}", all=[bidder, bid, *won, word(self.outcome)])
