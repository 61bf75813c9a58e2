"""The people of a club: entered once, found again however their name is typed, renamed at will."""

from collections.abc import Callable, Iterator

import pytest
from sqlmodel import select

from ledger.database.models import JournalEntry
from ledger.services.club import players
from ledger.services.club.clubs import NameTaken
from ledger.services.common import pictures
from ledger.services.common.names import clean_player
from ledger.services.reads import statistics
from ledger.words.problems import Invalid, KeyReused, NotFound, Unchanged
from tests.ledger import cash
from tests.ledger.evenings import CardClub
from tests.ledger.photos import as_text, photo


def names(club: CardClub) -> list[str]:
    """Return the players' names in the order a page lists them."""
    return [player.name for player in club.read(players.everyone)]


def add(club: CardClub, *players_names: str) -> int:
    """Enter players; return the number of the last one."""
    return int([club.do(players.add, name=name)["id"] for name in players_names][-1])


@pytest.fixture
def check_names() -> Iterator[Callable[[], object]]:
    """Let any name be entered, as earlier releases did, until the function is called."""
    earlier = pytest.MonkeyPatch()
    check = "ledger.services.common.names.clean_new_player"
    earlier.setattr(check, lambda name, _players: clean_player(name))
    yield earlier.undo
    earlier.undo()


def test_players_are_listed_by_name(sqlite_club: CardClub) -> None:
    """Capitals do not put anybody first; a name in use is refused in other capitals, too."""
    add(sqlite_club, "bob", "Ann", "Cyd")
    assert names(sqlite_club) == ["Ann", "bob", "Cyd"]
    called = "called “Ann”; choose another name"
    with sqlite_club.refuses(NameTaken, called, at="name", code="name-taken"):
        add(sqlite_club, "ANN")


def test_two_clubs_may_each_have_an_ann(our_club: CardClub, their_club: CardClub) -> None:
    """Names and keys are a club's own; neither sees the other's players."""
    assert names(our_club) == ["Ann", "Bob", "Cyd"]
    assert names(their_club) == ["Ann", "Bob", "Xan", "Yve"]
    players.add(our_club.write(key="a key of both"), name="Xan")
    players.add(their_club.write(key="a key of both"), name="Eve")
    assert "Eve" not in names(our_club)


def test_a_retry_enters_nobody_twice(sqlite_club: CardClub) -> None:
    """The same key gives the first answer; with another name it is refused."""
    write = sqlite_club.write()
    answer = players.add(write, name="Ann")
    assert players.add(write, name="Ann") == answer
    with sqlite_club.refuses(KeyReused):
        players.add(write, name="Bob")
    assert names(sqlite_club) == ["Ann"]


def test_a_player_is_renamed(sqlite_club: CardClub) -> None:
    """Also to the same name in other capitals, and back; not to another's name, nor to an invalid one."""
    ann = add(sqlite_club, "Bob", "Ann")
    for name in ("Anna", "ANNA", "Ann"):
        answer = sqlite_club.do(players.rename, ann, name=name)
        assert (answer["id"], answer["name"], answer["archived"]) == (ann, name, False)
        assert names(sqlite_club) == [name, "Bob"]
    with sqlite_club.refuses(NameTaken):
        sqlite_club.do(players.rename, ann, name="bob")
    with sqlite_club.refuses(Invalid):
        sqlite_club.do(players.rename, ann, name="widow")


def test_a_player_of_another_club_is_not_found(our_club: CardClub, their_club: CardClub) -> None:
    """There is no player with this id here, and theirs keeps the name."""
    with our_club.refuses(NotFound):
        our_club.do(players.rename, their_club.player("Xan"), name="Zed")
    assert "Xan" in names(their_club)


def test_new_players_of_a_session_are_entered_by_starting_it(sqlite_club: CardClub) -> None:
    """A known player is found in any capitals and keeps the name as it is."""
    add(sqlite_club, "Ann")
    sqlite_club.start(("Bob", "ANN", "Cyd"))
    assert names(sqlite_club) == ["Ann", "Bob", "Cyd"]


def test_who_was_called_like_an_account_before_keeps_the_name(
    sqlite_club: CardClub, check_names: Callable[[], object]
) -> None:
    """They sit down, join, and change its capitals; nobody new is called so, wherever they are named."""
    bank = add(sqlite_club, "The Bank")
    check_names()
    ann = add(sqlite_club, "Ann")
    with sqlite_club.refuses(Invalid, "add an initial"):
        add(sqlite_club, "the pots")
    with sqlite_club.refuses(Invalid, "add an initial"):
        sqlite_club.do(players.rename, ann, name="The till")
    sqlite_club.do(players.rename, bank, name="The bank")
    sqlite_club.start(("Ann", "the bank", "Bob"))
    with sqlite_club.refuses(Invalid, at="players.1"):
        sqlite_club.start(("Ann", "Nobody", "Bob"))
    evening = sqlite_club.start(("Ann", "Bob", "Cyd"))
    evening.join("The bank")
    with sqlite_club.refuses(Invalid, at="player"):
        evening.join("Differences")
    assert names(sqlite_club) == ["Ann", "Bob", "Cyd", "The bank"]


TWIN = "\u0410nn"
"""Looks like Ann; its first letter is a Cyrillic one."""


def test_a_name_that_looks_like_another_players_is_refused_wherever_it_is_entered(
    sqlite_club: CardClub,
) -> None:
    """In letters of another script, and nothing is saved; an initial makes it different."""
    bob = add(sqlite_club, "Ann", "Bob")
    evening = sqlite_club.start(("Ann", "Bob", "Cyd"))
    acts: tuple[tuple[str, Callable[[], object]], ...] = (
        ("name", lambda: add(sqlite_club, TWIN)),
        ("name", lambda: sqlite_club.do(players.rename, bob, name=TWIN)),
        ("players.2", lambda: sqlite_club.start(("Bob", "Cyd", TWIN))),
        ("players.2", lambda: sqlite_club.start(("Max", "Cyd", "\u041c\u0430\u0445"))),
        ("player", lambda: evening.join(TWIN)),
    )
    message = "has letters of another alphabet; add an initial"
    for field, act in acts:
        with sqlite_club.refuses(Invalid, message, at=field, code="name-looks-alike"):
            act()
    add(sqlite_club, f"{TWIN} B.")


def test_players_who_looked_alike_before_play_on(
    sqlite_club: CardClub, check_names: Callable[[], object]
) -> None:
    """Their hands are recorded, corrected and verified; each may change capitals, and no third joins them."""
    ann, twin = add(sqlite_club, "Ann"), add(sqlite_club, TWIN)
    check_names()
    evening = sqlite_club.start(("Ann", TWIN, "Cyd", "Dee"))
    evening.record(cash.ANN_WINS)
    contract = {"bidder": TWIN, "bid": "go-alone", "trump": "S"}
    evening.record({"contract": contract, "points": 80})
    evening.correct(2, {"contract": contract, "points": 90})
    assert evening.balances[TWIN] == 130
    sqlite_club.must_verify()
    sqlite_club.do(players.rename, twin, name=TWIN.upper())
    sqlite_club.do(players.rename, ann, name="Anna")
    with sqlite_club.refuses(Invalid, "looks like"):
        sqlite_club.do(players.rename, ann, name="Ann")
    sqlite_club.must_verify()


def test_an_archived_player_is_offered_nowhere_and_keeps_their_history(
    sqlite_club: CardClub,
) -> None:
    """Back in the club's list, and among the present, as soon as somebody seats them again."""
    evening = sqlite_club.start()
    evening.record(cash.ANN_WINS)
    ann = sqlite_club.player("Ann")
    before = sqlite_club.read(statistics.of_player, ann)
    sqlite_club.do(players.archive, ann)
    assert [player.name for player in sqlite_club.read(players.coming)] == ["Bob", "Cyd", "Dee"]
    archived = [player.archived for player in sqlite_club.read(players.everyone)]
    assert archived == [True, False, False, False]
    assert sqlite_club.read(statistics.of_player, ann) == before
    assert evening.balances["Ann"] == 150
    sqlite_club.do(players.archive, ann, archived=False)
    assert len(sqlite_club.read(players.coming)) == 4
    sqlite_club.do(players.archive, ann)
    sqlite_club.start(("ann", "Bob", "Cyd"))
    assert len(sqlite_club.read(players.coming)) == 4
    sqlite_club.must_verify()
    with sqlite_club.refuses(NotFound):
        sqlite_club.do(players.archive, 99)


def test_the_first_twelve_players_have_twelve_colours_and_keep_them(sqlite_club: CardClub) -> None:
    """The next one has the rarest colour; a rename changes none."""
    for number in range(12):
        assert sqlite_club.do(players.add, name=f"Player {number}")["colour"] == number
    sqlite_club.do(players.change_mark, 1, colour=7)
    added = sqlite_club.do(players.add, name="Zoë")
    assert (added["colour"], added["mark"]) == (0, "disc")
    assert sqlite_club.do(players.rename, 1, name="Ann")["colour"] == 7


def test_a_player_has_one_emoji_or_none(sqlite_club: CardClub) -> None:
    """Letters, playing cards, two emoji and endless ones are refused; nothing is changed by what stays."""
    add(sqlite_club, "Ann")
    for emoji in ("🦊", "❤️", "👩🏽‍🚀", "🇯🇵", "7️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👨‍👩‍👧‍👦", " 🐸 ", ""):
        answer = sqlite_club.do(players.change_mark, 1, emoji=emoji)
        assert (answer["emoji"], answer["colour"]) == (emoji.strip(), 0)
    for text in (
        "A",
        "🦊🦊",
        "🂡",
        "♠",
        "1",
        "<b>",
        "‍",
        "🦊‍",
        "\U000e0067",
        "👩" + "‍👩" * 9000,
        "🦊\x00",
    ):
        with sqlite_club.refuses(
            Invalid, "Only one emoji fits here", at="emoji", code="not-an-emoji"
        ):
            sqlite_club.do(players.change_mark, 1, emoji=text)
    with sqlite_club.refuses(Unchanged):
        sqlite_club.do(players.change_mark, 1, colour=0, emoji="")
    for colour in (-1, 12, 2**70):
        with sqlite_club.refuses(Invalid, "from 0 to 11", at="colour", code="out-of-range"):
            sqlite_club.do(players.change_mark, 1, colour=colour)


def test_a_player_has_a_picture_until_it_is_replaced_or_removed(any_club: CardClub) -> None:
    """The books verify after each change, and the journal has only digests of pictures."""
    add(any_club, "Ann")
    first, second = photo(), photo(quality=50)
    for content in (first, second):
        answer = any_club.do(players.change_mark, 1, picture=as_text(content))
        assert answer["picture"] == pictures.digest(content)
        assert any_club.read(players.picture_of, 1) == (content, answer["picture"])
        any_club.must_verify()
        with any_club.refuses(Unchanged):
            any_club.do(players.change_mark, 1, picture=as_text(content))
    with any_club.refuses(Invalid, "is a JPEG file", at="picture", code="not-a-picture"):
        any_club.do(players.change_mark, 1, colour=3, picture=as_text(photo(kind="PNG")))
    assert any_club.read(players.show, 1).colour == 0
    changed = any_club.do(players.change_mark, 1, emoji="🦊")
    assert changed["picture"] == pictures.digest(second)
    assert any_club.do(players.change_mark, 1, picture="")["picture"] == ""
    any_club.must_verify()
    with any_club.refuses(Unchanged):
        any_club.do(players.change_mark, 1, picture="")
    with any_club.refuses(NotFound, "Ann has no picture"):
        any_club.read(players.picture_of, 1)
    with any_club.db.read(any_club.access) as session:
        journal = str(session.exec(select(JournalEntry.details)).all())
    assert pictures.digest(first) in journal
    assert as_text(first)[:40] not in journal
