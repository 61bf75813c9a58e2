"""Previews of writes: their words, their sum, and the largest balance."""

import pytest

from ledger.books.balances import MOST, BalanceTooLarge
from ledger.services.hands import preview, record
from ledger.services.hands.preview import AfterLeaving, Move, Preview, must_fit, together
from tests.ledger import table
from tests.ledger.evenings import CardClub


@pytest.mark.parametrize(
    ("chips", "money", "words"),
    [
        (1, None, "+1 chip"),
        (20, 1, "+20 chips, gets 0.01 EUR more"),
        (-1, -120, "−1 chip, owes 1.20 EUR more"),
        (-20, 0, "−20 chips"),
    ],
)
def test_a_settlement_with_a_player_who_left_is_put_in_words(
    chips: int, money: int | None, words: str
) -> None:
    """Chips first, then the money if there is any."""
    assert str(AfterLeaving("Bob", chips, money, "EUR").in_words) == words


def _preview(balances: dict[str, int], *moves: Move) -> Preview:
    return Preview(None, None, balances, revision=3, moves=moves)


def test_previews_of_one_write_are_summed_by_account() -> None:
    """Balances are the main preview's with the other seats' moves; a sum of 0 is left out."""
    main = _preview(
        {"Ann": 40, "Bob": -40}, Move("seat", "Ann", 40, 40), Move("seat", "Bob", -40, -40)
    )
    other = _preview(
        {"Ann": 30, "Bob": 0},
        Move("seat", "Ann", -10, 30),
        Move("seat", "Bob", 40, 40),
        Move("pot", "frog", -30, 5),
    )
    summed = together(main, [other])
    assert summed.balances == {"Ann": 30, "Bob": 0}
    assert summed.moves == (Move("seat", "Ann", 30, 30), Move("pot", "frog", -30, 5))
    assert summed.revision == 3


def test_the_largest_balance_is_as_large_below_zero() -> None:
    """One more is refused."""
    for sign in (1, -1):
        must_fit("seat", "Ann", sign * MOST, "chips")
        with pytest.raises(BalanceTooLarge):
            must_fit("seat", "Ann", sign * (MOST + 1), "chips")


def test_a_hand_is_previewed_up_to_the_largest_balance(
    sqlite_club: CardClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann gets as many chips as an account can contain, and one more is refused."""
    evening = sqlite_club.start(table.SEVEN)
    largest = max(table.PAYS_HEARTS_74.values())
    monkeypatch.setattr(preview, "MOST", largest)
    assert evening.preview(record.record, table.HEARTS_74).balances["Ann"] == largest
    monkeypatch.setattr(preview, "MOST", largest - 1)
    with sqlite_club.refuses(BalanceTooLarge, "Ann"):
        evening.preview(record.record, table.HEARTS_74)
