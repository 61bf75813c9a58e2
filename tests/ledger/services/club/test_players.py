"""The people of a club: entered once, found again however their name is typed, renamed at will."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.club import players
from ledger.services.club.clubs import NameTaken
from ledger.services.common.names import clean_player
from ledger.services.common.writing import Write
from ledger.services.reads import statistics
from ledger.words.problems import Invalid, KeyReused, NotFound
from tests.ledger import cash, table
from tests.ledger.table import ask


def names(database: Database, access: Access) -> list[str]:
    """Return the players' names in the order a page lists them."""
    return [player.name for player in ask(database, access, players.everyone)]


def add(database: Database, access: Access, name: str) -> int:
    """Enter a player; return its id."""
    return int(players.add(table.write(database, access), name=name)["id"])


def test_players_are_listed_by_name(database: Database, club: Access) -> None:
    """Capitals do not put anybody first."""
    for name in ("bob", "Ann", "Cyd"):
        add(database, club, name)
    assert names(database, club) == ["Ann", "bob", "Cyd"]


def test_a_name_in_use_is_refused(database: Database, club: Access) -> None:
    """Also in other capitals; the message calls the one who is there as they are called."""
    add(database, club, "Ann")
    with pytest.raises(NameTaken, match="called “Ann”; choose another name") as caught:
        add(database, club, "ANN")
    assert [(fault.field, fault.code) for fault in caught.value.faults] == [("name", "name-taken")]
    assert names(database, club) == ["Ann"]


def test_two_clubs_may_each_have_an_ann(database: Database, ours: Access, theirs: Access) -> None:
    """Names are a club's own; neither sees the other's players."""
    assert names(database, ours) == ["Ann", "Bob", "Cyd"]
    assert names(database, theirs) == ["Ann", "Bob", "Xan", "Yve"]
    add(database, ours, "Xan")


def test_a_retry_enters_nobody_twice(database: Database, club: Access) -> None:
    """The same key gives the first answer; with another name it is refused."""
    key = table.new_key()
    first = players.add(Write(database, club, key), name="Ann")
    assert players.add(Write(database, club, key), name="Ann") == first
    with pytest.raises(KeyReused):
        players.add(Write(database, club, key), name="Bob")
    assert names(database, club) == ["Ann"]


def test_the_same_key_means_something_else_in_another_club(
    database: Database, ours: Access, theirs: Access
) -> None:
    """Keys are a club's own, too."""
    key = table.new_key()
    players.add(Write(database, ours, key), name="Dee")
    players.add(Write(database, theirs, key), name="Eve")
    assert "Eve" not in names(database, ours)


def test_a_player_is_renamed(database: Database, club: Access) -> None:
    """Also to the same name in other capitals, and back."""
    ann = add(database, club, "Ann")
    for name in ("Anna", "ANNA", "Ann"):
        answer = players.rename(table.write(database, club), ann, name=name)
        assert answer == {"id": ann, "name": name, "archived": False}
        assert names(database, club) == [name]


def test_a_player_cannot_take_anothers_name(database: Database, club: Access) -> None:
    """Nor a name that can't be one; the old name stays."""
    ann = add(database, club, "Ann")
    add(database, club, "Bob")
    with pytest.raises(NameTaken):
        players.rename(table.write(database, club), ann, name="bob")
    with pytest.raises(Invalid):
        players.rename(table.write(database, club), ann, name="widow")
    assert names(database, club) == ["Ann", "Bob"]


def test_a_player_of_another_club_is_not_found(
    database: Database, ours: Access, theirs: Access
) -> None:
    """There is no such player here, and theirs keeps the name."""
    foreign = {player.name: player.id for player in ask(database, theirs, players.everyone)}["Xan"]
    with pytest.raises(NotFound):
        players.rename(table.write(database, ours), foreign, name="Zed")
    assert "Xan" in names(database, theirs)


def test_new_players_of_a_session_are_entered_by_starting_it(
    database: Database, club: Access
) -> None:
    """Who is known is found in any capitals and keeps the name as it is."""
    add(database, club, "Ann")
    table.start(database, club, ("Bob", "ANN", "Cyd"))
    assert names(database, club) == ["Ann", "Bob", "Cyd"]


def test_who_was_called_like_an_account_before_keeps_the_name(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They sit down, join, and change its capitals; nobody new is called so, wherever they are named."""
    with monkeypatch.context() as before:
        anything = "ledger.services.common.names.clean_new_player"
        before.setattr(anything, lambda name, _players: clean_player(name))
        bank = add(database, club, "The Bank")
    with pytest.raises(Invalid, match="add an initial"):
        add(database, club, "the pots")
    ann = add(database, club, "Ann")
    with pytest.raises(Invalid, match="add an initial"):
        players.rename(table.write(database, club), ann, name="The till")
    players.rename(table.write(database, club), bank, name="The bank")
    table.start(database, club, ("Ann", "the bank", "Bob"))
    with pytest.raises(Invalid) as caught:
        table.start(database, club, ("Ann", "Nobody", "Bob"))
    assert [fault.field for fault in caught.value.faults] == ["players.1"]
    tonight = table.start(database, club, ("Ann", "Bob", "Cyd"))
    cash.join(database, club, tonight, "The bank")
    with pytest.raises(Invalid) as caught:
        cash.join(database, club, tonight, "Differences")
    assert [fault.field for fault in caught.value.faults] == ["player"]
    assert names(database, club) == ["Ann", "Bob", "Cyd", "The bank"]


TWIN = "\u0410nn"
"""Looks like Ann; its first letter is a Cyrillic one."""


def test_a_name_that_looks_like_another_players_is_refused_wherever_it_is_entered(
    database: Database, club: Access
) -> None:
    """In letters of another script, and nothing is saved; with an initial it is told apart."""
    add(database, club, "Ann")
    bob = add(database, club, "Bob")
    tonight = table.start(database, club, ("Ann", "Bob", "Cyd"))
    for enters, field in (
        (lambda: add(database, club, TWIN), "name"),
        (lambda: players.rename(table.write(database, club), bob, name=TWIN), "name"),
        (lambda: table.start(database, club, ("Bob", "Cyd", TWIN)), "players.2"),
        (lambda: table.start(database, club, ("Max", "Cyd", "\u041c\u0430\u0445")), "players.2"),
        (lambda: cash.join(database, club, tonight, TWIN), "player"),
    ):
        with pytest.raises(
            Invalid, match="has letters of another alphabet; add an initial"
        ) as caught:
            enters()
        assert [(fault.field, fault.code) for fault in caught.value.faults] == [
            (field, "name-looks-alike")
        ]
    assert names(database, club) == ["Ann", "Bob", "Cyd"]
    add(database, club, f"{TWIN} B.")


def test_players_who_looked_alike_before_play_on(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their hands are recorded, corrected and verified; each may change capitals, and no third joins them."""
    with monkeypatch.context() as before:
        anything = "ledger.services.common.names.clean_new_player"
        before.setattr(anything, lambda name, _players: clean_player(name))
        ann, twin = add(database, club, "Ann"), add(database, club, TWIN)
    tonight = table.start(database, club, ("Ann", TWIN, "Cyd", "Dee"))
    table.record(database, club, tonight, cash.ANN_WINS)
    won = {"bidder": TWIN, "bid": "go-alone", "trump": "S"}
    table.record(database, club, tonight, {"contract": won, "points": 80})
    table.correct(database, club, tonight, 2, {"contract": won, "points": 90})
    assert table.balances(database, club, tonight)[TWIN] != 0
    assert [*verify(database)] == []
    players.rename(table.write(database, club), twin, name=TWIN.upper())
    players.rename(table.write(database, club), ann, name="Anna")
    with pytest.raises(Invalid, match="looks like"):
        players.rename(table.write(database, club), ann, name="Ann")
    assert [*verify(database)] == []


def test_an_archived_player_is_offered_nowhere_and_keeps_their_history(
    database: Database, club: Access
) -> None:
    """Once more in the club's list, and among those who come as soon as somebody seats them again."""
    played = table.start(database, club, table.FOUR)
    table.record(database, club, played, cash.ANN_WINS)
    ann = next(each.id for each in ask(database, club, players.everyone) if each.name == "Ann")
    before = ask(database, club, statistics.of_player, ann)
    players.archive(table.write(database, club), ann)
    assert [each.name for each in ask(database, club, players.coming)] == ["Bob", "Cyd", "Dee"]
    assert [each.archived for each in ask(database, club, players.everyone)] == [True] + [False] * 3
    assert ask(database, club, statistics.of_player, ann) == before
    assert table.balances(database, club, played)["Ann"] == 150
    players.archive(table.write(database, club), ann, archived=False)
    assert len(ask(database, club, players.coming)) == 4
    players.archive(table.write(database, club), ann)
    table.start(database, club, ("ann", "Bob", "Cyd"))
    assert len(ask(database, club, players.coming)) == 4
    assert list(verify(database)) == []
    with pytest.raises(NotFound):
        players.archive(table.write(database, club), 99)
