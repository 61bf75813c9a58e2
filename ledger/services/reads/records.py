"""The records of a club: the largest hands and evenings, the most wins and the longest series of them.

Void hands don't count, and a corrected one counts as corrected, because records are computed from stored sums
and results whenever they are read. The number of statements doesn't depend on the number of hands.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, NamedTuple

from sqlalchemy import BindParameter
from sqlmodel import bindparam, case, col, desc, func, or_, select

from engine.record import PASS
from engine.rules.sheet import CHIPS, SCORE
from engine.words.sentences import later
from ledger.database.kinds.states import HandState, Side
from ledger.database.models import Hand, PlayerResult, PlaySession
from ledger.database.scope import Built, ScopedSession
from ledger.services.club import players
from ledger.services.reads import club_statistics, evening_sums, tallies
from ledger.services.reads.evening_sums import EveningSums
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter

RECORDS: Mapping[str, str] = {
    "best-hand": later("Largest win in a hand"),
    "worst-hand": later("Largest loss in a hand"),
    "best-evening": later("Largest win in an evening"),
    "worst-evening": later("Largest loss in an evening"),
    "evenings-won": later("Most evenings won"),
    "evenings-won-in-a-row": later("Most evenings won in a row"),
    "evenings-ahead-in-a-row": later("Most evenings with a gain in a row"),
    "bids-made": later("Most bids made in an evening"),
    "bids-made-in-a-row": later("Most own bids made in a row"),
    "most-hands": later("Most hands in an evening"),
}
"""The kinds of records with their words, in the order of the page."""

AMOUNTS = frozenset(list(RECORDS)[:4])
"""The kinds whose amounts are chips or points; the others are counts."""


@dataclass(frozen=True, slots=True)
class ClubRecord:
    """A record, with the evening in which it was first set."""

    kind: Annotated[str, "What was achieved.", RECORDS]
    amount: Annotated[int, "Chips or points in the first four kinds, otherwise a number."]
    unit: Annotated[str, "`chips`, or `score` for points that nobody pays; `count` for a number."]
    players: Annotated[
        tuple[str, ...],
        "Those who achieved it, the first of them first; empty for `most-hands`.",
    ]
    session_id: Annotated[
        int | None,
        "The evening in which it was first achieved, for a series its last; null for `evenings-won`.",
    ] = None
    session_title: str | None = None
    played_on: date | None = None
    hand: Annotated[int | None, "The number of the hand, if it was achieved in one."] = None


class _Feat(NamedTuple):
    """A player's amount, achieved in an evening; ``player_id`` is 0 for everybody together."""

    amount: int
    player_id: int
    evening: EveningSums | None = None


_game: BindParameter[str] = bindparam("game")
_player: BindParameter[int] = bindparam("player")
_BIDS: Built[tuple[int, int, int, int]] = Built(
    lambda *row: row,
    select(
        Hand.number,
        Hand.session_id,
        PlayerResult.player_id,
        case((col(PlayerResult.outcome) == "won", 1), else_=0),
    )
    .join(Hand, col(Hand.id) == PlayerResult.hand_id)
    .join(PlaySession, col(PlaySession.id) == Hand.session_id)
    .where(PlayerResult.side == Side.BIDDER.value, PlayerResult.bid != PASS)
    .where(or_(_game == "", PlayerResult.game == _game), *tallies.IN_PERIOD),
)
_of_game = (
    select(PlayerResult.id)
    .where(PlayerResult.hand_id == Hand.id)
    .where(
        or_(_game == "", PlayerResult.game == _game),
        or_(_player == 0, PlayerResult.player_id == _player),
    )
    .correlate(Hand)
    .exists()
)
_MOST_HANDS: Built[tuple[int, int]] = Built(
    lambda *row: row,
    select(PlaySession.id, func.count())
    .join(Hand, col(Hand.session_id) == PlaySession.id)
    .where(Hand.state == HandState.STANDING.value, *tallies.IN_PERIOD)
    .where(or_((_game == "") & (_player == 0), _of_game))
    .group_by(col(PlaySession.id), col(PlaySession.started_on))
    .order_by(desc(func.count()), col(PlaySession.started_on), col(PlaySession.id))
    .limit(1),
)


def of_club(session: ScopedSession, chosen: SessionFilter = EVERY_SESSION) -> list[ClubRecord]:
    """Return the club's records in the order of ``RECORDS``, without those that nobody achieved.

    A filter limits them to a period, to the hands of a game, and to what one player achieved. Evenings of one
    game are won by its hands, or by their result on paper; those of all games by all chips, also moved
    without a hand, or else by the score. Raises ``Invalid`` at ``player``.
    """
    only = players.by_name(session, chosen.player, "player").id if chosen.player else 0
    names = {player.id: player.name for player in players.everyone(session)}
    evenings = evening_sums.of_period(session, chosen)
    place_of = {evening.session_id: evening for evening in evenings}
    where = {"game": chosen.game or "", **tallies.days(chosen)}
    bids = session.ask(_BIDS, **where)
    records = [*_of_hands(session, chosen)]
    for kind, unit, feats in (
        *_of_amounts(evenings),
        *_of_wins([each for each in evenings if any(each.decisive.values())]),
        *_of_bids(bids, place_of),
        *(
            ("most-hands", "count", [_Feat(number, only, place_of[session_id])])
            for session_id, number in session.ask(_MOST_HANDS, player=only, **where)
            if session_id in place_of
        ),
    ):
        mine = [feat for feat in feats if feat.player_id == only] if only else list(feats)
        records += _largest(kind, unit, mine, names)
    order = list(RECORDS)
    return sorted(records, key=lambda record: order.index(record.kind))


def _of_hands(session: ScopedSession, chosen: SessionFilter) -> Iterator[ClubRecord]:
    """Yield the records of single hands, which the club's statistics have."""
    for part in club_statistics.of_club(session, chosen).units:
        for kind, extreme in (("best-hand", part.best), ("worst-hand", part.worst)):
            if extreme is not None:
                at = extreme.hand
                place = (at.session_id, at.session_title, at.played_on, at.hand)
                yield ClubRecord(kind, at.amount, part.unit, (extreme.player,), *place)


def _of_amounts(evenings: Sequence[EveningSums]) -> Iterator[tuple[str, str, list[_Feat]]]:
    """Yield the gains and losses of evenings."""
    for unit in (CHIPS, SCORE):
        feats = [
            _Feat(amount, player_id, evening)
            for evening in evenings
            for player_id, amount in (evening.chips if unit == CHIPS else evening.scored).items()
        ]
        yield "best-evening", unit, [feat for feat in feats if feat.amount > 0]
        yield "worst-evening", unit, [feat for feat in feats if feat.amount < 0]


def _of_wins(evenings: Sequence[EveningSums]) -> Iterator[tuple[str, str, list[_Feat]]]:
    """Yield the numbers and series of evenings won; a series goes on over evenings that its player missed."""
    won = Counter[int]()
    series: dict[str, list[_Feat]] = {"evenings-won-in-a-row": [], "evenings-ahead-in-a-row": []}
    now = {kind: Counter[int]() for kind in series}
    for evening in evenings:
        sums = evening.decisive
        most = max(sums.values())
        is_won = most > min(sums.values())
        for player_id, amount in sums.items():
            is_first = is_won and amount == most
            won[player_id] += is_first
            for kind, goes_on in zip(series, (is_first, amount > 0), strict=True):
                length = now[kind][player_id] = now[kind][player_id] + 1 if goes_on else 0
                if length > 1:
                    series[kind].append(_Feat(length, player_id, evening))
    yield "evenings-won", "count", [_Feat(number, player_id) for player_id, number in won.items()]
    for kind, feats in series.items():
        yield kind, "count", feats


def _of_bids(
    bids: Iterable[tuple[int, int, int, int]], place_of: Mapping[int, EveningSums]
) -> Iterator[tuple[str, str, list[_Feat]]]:
    """Yield the numbers of bids made in an evening, and the series of own bids made, also over evenings."""
    rank = {session_id: place for place, session_id in enumerate(place_of)}
    ordered = sorted((rank[bid[1]], bid) for bid in bids if bid[1] in rank)
    made: dict[tuple[int, int], int] = {}
    now = Counter[int]()
    series = []
    for _, (_, session_id, player_id, is_made) in ordered:
        length = now[player_id] = now[player_id] + 1 if is_made else 0
        if length > 1:
            series.append(_Feat(length, player_id, place_of[session_id]))
        if is_made:
            key = session_id, player_id
            made[key] = made.get(key, 0) + 1
    feats = [
        _Feat(number, player_id, place_of[session_id])
        for (session_id, player_id), number in made.items()
    ]
    yield "bids-made", "count", feats
    yield "bids-made-in-a-row", "count", series


def _largest(
    kind: str, unit: str, feats: Sequence[_Feat], names: Mapping[Any, str]
) -> Iterator[ClubRecord]:
    """Yield the record among feats, which are in the order of time; nothing without any."""
    most = max((abs(feat.amount) for feat in feats), default=0)
    equal = [feat for feat in feats if abs(feat.amount) == most]
    if most:
        amount, _, evening = equal[0]
        achievers = dict.fromkeys(names[feat.player_id] for feat in equal if kind != "most-hands")
        place = (evening.session_id, evening.title, evening.started_on) if evening else ()
        yield ClubRecord(kind, amount, unit, tuple(achievers), *place)
