"""A bid that certain cards oblige their holder to make."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Duty:
    """Who is dealt every card of one of `hands` owes `bid`, until `waived_by` has been bid.

    German Solo's grossfrage (003; which cards oblige is decided in the rules sheet). `hands` are sets
    of cards (`engine.cards.card_sets`); a higher bid of one's own discharges the duty, too.
    """

    bid: str
    waived_by: str
    hands: tuple[int, ...]

    def owed_by(self, held: int) -> bool:
        """Whether a hand, as a set of cards, obliges its holder."""
        return any(held & hand == hand for hand in self.hands)
