"""The same table as last time: another evening that starts as the last one was at its end."""

import pytest

from ledger.services.club import players
from ledger.services.table import lifecycle, same_table
from ledger.words.problems import Invalid, NotFound, Stale
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening


def start_again(like: Evening) -> Evening:
    """Start an evening like this one."""
    return like.club.evening(like.do(same_table.start_again, last=like.id)["id"])


def test_everything_is_as_it_was_at_the_end_and_the_deal_goes_on(sqlite_club: CardClub) -> None:
    """Game, house rules, chips, rate and seats, with the players who left early."""
    options = {"rounding": 0}
    evening = sqlite_club.start(options=options, starting_stack=200, rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    evening.join("Eve", position=1)
    evening.leave("Cyd")
    repeated = start_again(evening)
    view = repeated.view
    assert (view.game, view.options, view.title) == ("crazy-solo", {"rounding": 0}, "Evening 2")
    assert (view.starting_stack, view.rate) == (200, cash.TEN_FOR_ONE)
    assert view.names == ("Ann", "Eve", "Bob", "Cyd", "Dee")
    assert repeated.turn[0] == evening.turn[0]
    assert set(repeated.balances.values()) == {200}
    sqlite_club.must_verify()


@pytest.mark.parametrize(
    "leaving",
    [("Cyd", "Bob"), ("Bob", "Cyd"), ("Gus", "Ann", "Dee"), table.SEVEN, table.SEVEN[::-1]],
    ids=" ".join,
)
def test_departed_players_sit_and_deal_in_their_old_order(
    sqlite_club: CardClub, leaving: tuple[str, ...]
) -> None:
    """In any order of leaving, and even if nobody is left; Bob was due to deal, so he deals."""
    evening = sqlite_club.start(table.SEVEN)
    evening.record(table.HEARTS_74)
    evening.leave(*leaving)
    repeated = start_again(evening)
    assert repeated.view.names == table.SEVEN
    for dealer in ("Bob", "Cyd", "Dee", "Eve"):
        assert repeated.turn[0] == dealer
        repeated.record(table.HEARTS_74)


def test_an_archived_dealer_hands_the_deal_to_the_next_player(sqlite_club: CardClub) -> None:
    """Not to the first seat."""
    evening = sqlite_club.start(table.SEVEN, first_dealer="Cyd")
    sqlite_club.do(players.archive, sqlite_club.player("Cyd"))
    assert start_again(evening).turn[0] == "Dee"


def test_those_who_sat_at_the_end_sit_once(sqlite_club: CardClub) -> None:
    """Not a player who joined by mistake; a returning one in the seat they have at the end."""
    evening = sqlite_club.start()
    evening.join("Eve")
    evening.undo()
    assert evening.read(same_table.same_table).draft.players == table.FOUR
    evening.leave("Bob")
    evening.join("Bob", position=0)
    assert evening.read(same_table.same_table).draft.players == ("Bob", "Ann", "Cyd", "Dee")


def test_who_is_archived_is_left_out_and_named(sqlite_club: CardClub) -> None:
    """Once; and if too few are left for the game, none is started."""
    evening = sqlite_club.start()
    sqlite_club.do(players.archive, 1)
    proposal = evening.read(same_table.same_table)
    assert (proposal.draft.players, proposal.left_out) == (("Bob", "Cyd", "Dee"), ("Ann",))
    assert proposal.is_enough
    assert evening.do(same_table.start_again)["left_out"] == ["Ann"]
    sqlite_club.do(players.archive, 2)
    assert not evening.read(same_table.same_table).is_enough
    with sqlite_club.refuses(Invalid, "Crazy Solo"):
        evening.do(same_table.start_again)


def test_two_phones_start_one_evening(sqlite_club: CardClub) -> None:
    """The second gets the one that was started; a deleted one is none."""
    evening = sqlite_club.start()
    newest = sqlite_club.read(same_table.newest)
    assert newest is not None
    assert newest.id == evening.id
    repeated = start_again(evening)
    with sqlite_club.refuses(Stale, "“Evening 2” was started meanwhile"):
        start_again(evening)
    repeated.do(lifecycle.delete)
    assert start_again(evening).view.title == "Evening 3"
    with sqlite_club.refuses(NotFound):
        sqlite_club.evening(99).do(same_table.start_again)
