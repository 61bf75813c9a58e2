"""The rating lists of a club: for each game, the strength of its players estimated from their evenings.

An evening is one match of all who played the game in it, ranked by what they won in its hands or, scored on
paper, by its result; equals are tied. Ratings are computed whenever they are read, from standing hands, so
that a correction changes them by itself.

Evenings are rated rather than hands: the cards decide a hand, and most of their luck is gone after an
evening. A hand's result as a match of sides also leaves out how much was paid.

Of OpenSkill's models, the full Bradley-Terry one compares each two players of an evening. In simulated clubs
of seven players its error after 40 evenings was half that of Plackett-Luce, and about its uncertainty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from ledger.database.kinds.states import Side
from ledger.database.scope import ScopedSession
from ledger.services.reads import evening_sums, tallies
from ledger.services.reads.evening_sums import EveningSums
from ledger.services.reads.player_sums import game_info
from ledger.services.reads.statistics import UNIT
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFullRating

MOST_EVENINGS = 250
"""The number of latest evenings that are rated, five years of weekly ones.

It bounds the time to read a list, and nobody's rating depends on evenings of long ago.
"""

SETTLED = 20
"""The number of rated evenings from which a rating is no longer provisional."""

AVERAGE = 1_000
"""The strength that a new player is assumed to have, with an uncertainty of a third of it."""


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player's rating in one game, beside their standing in it."""

    id: Annotated[int, "The player's id."]
    name: str
    rating: Annotated[int, "The strength less three times the uncertainty; a new player's is 0."]
    strength: Annotated[int, "The estimated strength; a new player's is 1,000."]
    uncertainty: Annotated[int, "The standard deviation of the strength."]
    evenings: Annotated[int, "The number of rated evenings."]
    provisional: Annotated[bool, "Whether these are fewer than 20."]
    hands: Annotated[int, "The number of hands played in the period, without those sat out."]
    total: Annotated[int, "What these hands and evenings on paper came to, in the unit."]


@dataclass(frozen=True, slots=True)
class GameRatings:
    """The rating list of one game, best first."""

    game: str
    title: str
    unit: Annotated[str, UNIT]
    evenings: Annotated[int, "The number of rated evenings; only the latest 250 are rated."]
    players: Annotated[tuple[RatedPlayer, ...], "Best first."]


def of_club(session: ScopedSession, chosen: SessionFilter = EVERY_SESSION) -> list[GameRatings]:
    """Return the rating list of each game that was played, that with most rated evenings first.

    A filter limits them to the evenings of a period, to a game, and to the line of a player. Raises
    ``Invalid`` at ``player``.
    """
    sums = tallies.of_club(session, chosen)
    lists = []
    for game in dict.fromkeys(row.game for row in sums):
        evenings = evening_sums.of_game(session, game, chosen, MOST_EVENINGS)
        ratings = rate(evenings)
        lines = [
            _line(rows, ratings[player_id], sum(player_id in each.decisive for each in evenings))
            for player_id, rows in _by_player(sums, game).items()
            if player_id in ratings
        ]
        ranked = sorted(lines, key=lambda line: (-line.rating, line.name))
        lists.append(GameRatings(game, *game_info(game), len(evenings), tuple(ranked)))
    return sorted(lists, key=lambda each: (-each.evenings, each.title))


def rate(evenings: Sequence[EveningSums]) -> Mapping[int, "BradleyTerryFullRating"]:
    """Return the ratings after these evenings, oldest first, by player id.

    An evening of a single player changes nothing.
    """
    from openskill.models import BradleyTerryFull  # only rating lists need it

    model = BradleyTerryFull(mu=AVERAGE, sigma=AVERAGE / 3, beta=AVERAGE / 6, tau=AVERAGE / 300)
    ratings: dict[int, BradleyTerryFullRating] = {}
    for evening in evenings:
        won = evening.decisive
        teams = [[ratings.get(player_id) or model.rating()] for player_id in won]
        rated = model.rate(teams, scores=[float(amount) for amount in won.values()])
        ratings.update((player_id, team[0]) for player_id, team in zip(won, rated, strict=True))
    return ratings


def _by_player(
    sums: Sequence[tallies.NamedTally], game: str
) -> Mapping[int, list[tallies.NamedTally]]:
    """Return the tallies of a game by player id."""
    found: dict[int, list[tallies.NamedTally]] = {}
    for row in sums:
        if row.game == game:
            found.setdefault(row.player_id, []).append(row)
    return found


def _line(
    rows: Sequence[tallies.NamedTally], rating: "BradleyTerryFullRating", evenings: int
) -> RatedPlayer:
    return RatedPlayer(
        rows[0].player_id,
        rows[0].name,
        round(rating.ordinal()),
        round(rating.mu),
        round(rating.sigma),
        evenings,
        evenings < SETTLED,
        sum(row.hands for row in rows if row.side != Side.IDLE),
        sum(row.total for row in rows),
    )
