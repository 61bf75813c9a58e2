"""Seats: the violations of the seating itself."""

import pytest

from engine.errors import Refused
from engine.games import GAMES
from tests.engine.hands import NAMES


def test_the_dealer_has_a_seat() -> None:
    """Otherwise the table is refused with the players."""
    with pytest.raises(Refused) as refused:
        GAMES["six-bid"].rules(None, {}, 4).table(NAMES[:4], "Zoe")
    (violation,) = refused.value.violations
    assert (violation.code, violation.field, violation.legal) == (
        "unknown-seat",
        "dealer",
        NAMES[:4],
    )


def test_the_active_players_have_seats() -> None:
    """Each name without one is refused."""
    with pytest.raises(Refused) as refused:
        GAMES["six-bid"].rules(None, {}, 4).table(NAMES[:4], "Ann", ("Zoe", "Bob", "Yan"))
    assert [violation.where["seat"] for violation in refused.value.violations] == ["Zoe", "Yan"]


def test_players_may_come_as_a_list() -> None:
    """As a page or a database has them."""
    table = GAMES["six-bid"].rules(None, {}, 4).table(["Ann", "Bob", "Cyd", "Dee"], "Dee")  # type: ignore[arg-type]
    assert table.opponents("Bob") == ("Cyd", "Ann")


@pytest.mark.parametrize(
    ("active", "message"),
    [
        (("Ann", "Bob"), "names Ann, Bob."),
        ((), "names nobody."),
        (("Ann", "Ann", "Bob"), "names Ann, Ann, Bob."),
        (("Ann", "Bob", "Cyd", "Cyd"), "names Ann, Bob, Cyd, Cyd."),
    ],
)
def test_as_many_different_players_are_active_as_the_game_needs(
    active: tuple[str, ...], message: str
) -> None:
    """Fewer, more, and a name that comes twice are refused."""
    with pytest.raises(Refused) as refused:
        GAMES["six-bid"].rules(None, {}, 4).table(NAMES[:4], "Dee", active)
    (violation,) = refused.value.violations
    assert violation.message.endswith(f"active in a hand; the record {message}")


def test_a_record_may_name_the_active_seats() -> None:
    """The rest sit out, in the order of play."""
    table = GAMES["six-bid"].rules(None, {}, 5).table(NAMES[:5], "Dee", ("Dee", "Cyd", "Ann"))
    assert (table.active, table.idle) == (("Ann", "Cyd", "Dee"), ("Eve", "Bob"))
