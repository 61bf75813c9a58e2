"""Who deals next."""

from dataclasses import dataclass
from functools import lru_cache

from engine.reasoning.verdict import Next
from engine.rules.seating import Seating, Table, left_of


@dataclass(frozen=True, slots=True)
class Rotation:
    """After a played hand the deal moves one seat left; after an all-pass as the game says."""

    moves_on_all_pass: bool

    def after(self, table: Table, seating: Seating, *, thrown_in: bool) -> Next:
        """Say who deals next, and who then sits on the lead by default."""
        stays = thrown_in and not self.moves_on_all_pass
        return _next(table.players, table.dealer, seating, stays)


@lru_cache(maxsize=4096)
def _next(players: tuple[str, ...], dealer: str, seating: Seating, stays: bool) -> Next:
    following = dealer if stays else left_of(players, dealer)
    return Next(following, seating.table(players, following, None).lead)
