"""A club: founded with a passcode, entered with it, followed by its link."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Event, Role
from ledger.services.club import clubs, events, links, players
from ledger.services.club.clubs import NameTaken
from ledger.words.problems import Invalid, NotFound, OwnersOnly, ReadOnly, WrongPasscode
from tests.ledger import table
from tests.ledger.conftest import PASSCODE
from tests.ledger.table import ask


def codes(problem: Invalid) -> list[tuple[str, str]]:
    """Return field and code of each fault."""
    return [(fault.field, fault.code) for fault in problem.faults]


def test_whoever_founds_a_club_owns_it(database: Database) -> None:
    """The access is good for writing at once, under the name given."""
    access, view = clubs.create(
        database, name=" Kitchen  Table ", passcode="123456", author=" Sue "
    )
    assert access == Access(view.id, Role.OWNER, "Sue")
    assert view.name == "Kitchen Table"
    assert ask(database, access, clubs.show) == view
    players.add(table.write(database, access), name="Ann")


def test_a_device_without_a_name_writes_as_scorer(database: Database) -> None:
    """The history needs a name; nobody is made to give one."""
    access, _ = clubs.create(database, name="Kitchen Table", passcode="123456", author="  ")
    assert access.author == "scorer"


@pytest.mark.parametrize(
    ("name", "passcode", "author", "expected"),
    [
        ("", "123456", "", ("name", "name-empty")),
        ("x" * 65, "123456", "", ("name", "name-too-long")),
        ("<b>", "123456", "", ("name", "name-has-brackets")),
        ("Club", "12345", "", ("passcode", "passcode-short")),
        ("Club", "x" * 129, "", ("passcode", "passcode-long")),
        ("Club", "123456", "<b>", ("author", "name-has-brackets")),
    ],
)
def test_a_club_that_cannot_be_founded_is_refused_at_the_field(
    database: Database, name: str, passcode: str, author: str, expected: tuple[str, str]
) -> None:
    """Nothing is written."""
    with pytest.raises(Invalid) as caught:
        clubs.create(database, name=name, passcode=passcode, author=author)
    assert codes(caught.value) == [expected]
    assert set(table.row_counts(database).values()) == {0}


def test_two_clubs_cannot_share_a_name(any_database: Database) -> None:
    """Capitals make no second club; the name that is taken is named."""
    clubs.create(any_database, name="Kitchen Table", passcode="123456")
    with pytest.raises(NameTaken, match="club called “KITCHEN table”"):
        clubs.create(any_database, name="KITCHEN table", passcode="567890")


@pytest.mark.parametrize("name", ["Kitchen Table", "kitchen table", "  KITCHEN   TABLE "])
def test_the_passcode_opens_the_club_to_a_scorer(
    database: Database, club: Access, name: str
) -> None:
    """Capitals and spaces in the club's name do not matter: phones add both."""
    access, view = clubs.enter(database, name=name, passcode=PASSCODE, author="Tom")
    assert access == Access(club.club_id, Role.SCORER, "Tom")
    assert view == ask(database, club, clubs.show)


@pytest.mark.parametrize(
    ("name", "passcode"),
    [
        ("Kitchen Table", "four Aces"),
        ("Kitchen Table", PASSCODE + " "),
        ("Kitchen Table", ""),
        ("Kitchen Table", "\ud800\0"),
        ("Other Table", PASSCODE),
        ("", PASSCODE),
        ("Kitchen\ud800 \0", "wrong"),
    ],
)
def test_a_wrong_name_or_passcode_opens_nothing_and_is_not_told_apart(
    any_database: Database, name: str, passcode: str
) -> None:
    """A stranger does not learn which clubs there are; nothing typed is a failure of ours."""
    clubs.create(any_database, name="Kitchen Table", passcode=PASSCODE)
    with pytest.raises(WrongPasscode) as caught:
        clubs.enter(any_database, name=name, passcode=passcode)
    assert caught.value.message == WrongPasscode().message
    assert caught.value.status == 403


def test_the_viewer_link_opens_the_club_for_reading_only(database: Database, club: Access) -> None:
    """A device with it reads all and can write nothing."""
    viewer, view, _ = clubs.of_link(database, table.viewer_key(database, club))
    assert viewer == Access(club.club_id, Role.VIEWER, "viewer")
    assert view == ask(database, club, clubs.show)
    assert ask(database, viewer, players.everyone) == []
    before = table.row_counts(database)
    for write in (
        lambda: players.add(table.write(database, viewer), name="Ann"),
        lambda: table.start(database, viewer),
        lambda: clubs.change_passcode(database, viewer, passcode="mine now"),
        lambda: links.renew(database, viewer, table.SECRET),
        lambda: table.viewer_key(database, viewer),
    ):
        with pytest.raises(ReadOnly):
            write()
    assert table.row_counts(database) == before


@pytest.mark.parametrize("key", ["", "guessed", "\0", "\ud800"])
def test_a_link_that_is_nobodys_opens_nothing(any_database: Database, key: str) -> None:
    """With any text as its key."""
    clubs.create(any_database, name="Kitchen Table", passcode="123456")
    with pytest.raises(NotFound):
        clubs.of_link(any_database, key)


def test_a_renewed_link_is_logged_as_made_and_the_older_ones_as_revoked(
    database: Database, club: Access
) -> None:
    """With the author, in the club's own log."""
    links.make(database, club, table.SECRET, role=Role.VIEWER, lasts="year")
    links.renew(database, club, table.SECRET)
    with database.read(club) as session:
        lines = [(each.kind, each.who) for each in events.list_all(session, club)]
    assert lines[:3] == [(Event.LINK, "Sue"), (Event.LINK_OUT, "Sue"), (Event.LINK, "Sue")]


def test_a_new_passcode_shuts_the_old_one_out(database: Database, club: Access) -> None:
    """The viewer link stays."""
    key = table.viewer_key(database, club)
    clubs.change_passcode(database, club, passcode="five kings")
    with pytest.raises(WrongPasscode):
        clubs.enter(database, name="Kitchen Table", passcode=PASSCODE)
    clubs.enter(database, name="Kitchen Table", passcode="five kings")
    assert clubs.of_link(database, key)[0].role is Role.VIEWER


def test_only_an_owner_changes_the_passcode(database: Database, club: Access) -> None:
    """A scorer knows it, and that is all."""
    scorer, _ = clubs.enter(database, name="Kitchen Table", passcode=PASSCODE)
    with pytest.raises(OwnersOnly):
        clubs.change_passcode(database, scorer, passcode="mine now")
    assert club.may_own


def test_a_new_passcode_is_held_to_the_same_rules(database: Database, club: Access) -> None:
    """Too short is too short; the old one stays."""
    with pytest.raises(Invalid) as caught:
        clubs.change_passcode(database, club, passcode="abc")
    assert codes(caught.value) == [("passcode", "passcode-short")]
    clubs.enter(database, name="Kitchen Table", passcode=PASSCODE)


def test_the_keeper_finds_a_club_by_its_name(database: Database, club: Access) -> None:
    """At the command line; a name that is no club's is named."""
    assert ask(database, None, clubs.by_name, "KITCHEN TABLE") == ask(database, club, clubs.show)
    with pytest.raises(NotFound, match="“Garden Table”"):
        ask(database, None, clubs.by_name, "Garden Table")
