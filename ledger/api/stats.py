"""Statistics: a player's, and head to head; from sums that are kept as hands are written."""

from ledger.access import Access
from ledger.api.access import database, reader
from ledger.api.blueprint import Blueprint
from ledger.api.schemas.stats import PairSchema, PlayerStatsSchema
from ledger.services import stats, versus

blueprint = Blueprint("statistics", __name__, "How everybody plays, over all evenings of the club.")


@blueprint.answers("GET", "/players/<id:player_id>/statistics")
@reader
@blueprint.gives(PlayerStatsSchema, refuses=(404,))
def show_statistics(access: Access, player_id: int) -> stats.PlayerStats:
    """Show a player's statistics: hands, contracts, games, best and worst, evenings, money over time."""
    return stats.of_player(database(), access, player_id)


@blueprint.answers("GET", "/head-to-head")
@reader
@blueprint.gives(PairSchema(many=True))
def show_head_to_head(access: Access) -> list[versus.Pair]:
    """Show what every two players paid each other, by name, each pair from both sides."""
    return versus.head_to_head(database(), access)
