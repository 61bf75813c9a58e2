"""Pots: each hand for pots was played for their contents before it."""

from sqlalchemy import create_engine

from ledger.services.audit.lookups import Lookups
from ledger.services.audit.pots import PotHand, PotMove, check
from ledger.services.audit.row_types import HandRow


def test_a_hand_played_for_pots_that_were_not_there_is_found() -> None:
    """Even if its own verdict fits its record: hand 1 left 8 in each, hand 2 states 9 and 8."""

    def played(number: int, frog: int) -> PotHand:
        hand = HandRow(number, 1, number, "standing", 1)
        held = {"frog": frog, "solo": 8 * (number - 1)}
        return PotHand(hand, 10 * number, held, dict.fromkeys(held, 8))

    def told(frog: int, *moves: PotMove) -> list[str]:
        with create_engine("sqlite://").connect() as connection:
            lookups = Lookups(connection, 1, "Ours")
            check(lookups, [played(1, 0), played(2, frog)], moves)
        return [str(difference) for difference in lookups.differences]

    assert told(8) == []
    (difference,) = told(9)
    assert difference.startswith("Ours, session 1, hand 2: the pots before it held frog 8, solo 8")
    (difference,) = told(8, PotMove(15, 15, 1, "frog", -1))
    assert "frog 7" in difference
    assert told(8, PotMove(25, 25, 1, "frog", -1)) == []
