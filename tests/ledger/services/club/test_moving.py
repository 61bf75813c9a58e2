"""A club that has left: nobody enters or writes it here, and everybody is sent to its new address."""

from collections.abc import Callable

import pytest
from click.testing import CliRunner
from sqlmodel import select

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.access import Access, Role
from ledger.database.models import Club
from ledger.runtime.config import Settings
from ledger.services.audit import verify
from ledger.services.club import clubs, devices, moving, owners, tokens
from ledger.services.club.live import Moved
from ledger.services.club.passcodes import ClientDevice, origin_of
from ledger.words.problems import Invalid, NotFound, NotSignedIn, OwnersOnly, WrongPasscode
from tests.ledger import table
from tests.ledger.conftest import PASSCODE
from tests.ledger.table import ask

THERE = "https://cards.example.org"
Enter = Callable[[], object]


@pytest.fixture
def ways_in(any_database: Database) -> tuple[Access, dict[str, Enter]]:
    """The owner of a club, and each way to enter it."""
    db = any_database
    owner, _ = clubs.create(db, name="Kitchen Table", passcode=PASSCODE, author="Sue")
    key = devices.admit(db, owner, ClientDevice(origin_of("192.0.2.7"), "Android", {}))
    secret, _ = tokens.issue(db, owner, label="script", role=Role.OWNER)
    viewers = table.viewer_key(db, owner)
    return owner, {
        "device": lambda: ask(db, None, devices.enter, owner.club_id, key),
        "token": lambda: ask(db, None, tokens.open_with, secret),
        "token that writes": lambda: _open_to_write(db, secret),
        "link": lambda: clubs.of_link(db, viewers),
        "passcode": lambda: clubs.enter(db, name="kitchen table", passcode=PASSCODE),
    }


def _open_to_write(db: Database, secret: str) -> Access:
    with db.write() as session:
        return tokens.open_with(session, secret, writing=True)


def test_every_way_into_a_club_that_has_left_leads_to_its_new_address(
    any_database: Database, ways_in: tuple[Access, dict[str, Enter]]
) -> None:
    """Until it comes back: then all of them work as before, and the register has both changes."""
    owner, ways = ways_in
    moving.leave(any_database, owner, f" {THERE}/ ")
    for enter in ways.values():
        with pytest.raises(Moved, match=f"is kept at {THERE} now; open it there"):
            enter()
    assert ask(any_database, None, owners.clubs_without) == []
    assert list(verify(any_database)) == []
    moving.come_back(any_database, owner)
    for enter in ways.values():
        enter()
    assert list(verify(any_database)) == []


def test_a_wrong_passcode_does_not_get_the_new_address(
    any_database: Database, ways_in: tuple[Access, dict[str, Enter]]
) -> None:
    """Nor does an unknown key: strangers learn nothing about a club."""
    owner, _ = ways_in
    moving.leave(any_database, owner, THERE)
    with pytest.raises(WrongPasscode):
        clubs.enter(any_database, name="kitchen table", passcode="a wrong one")
    with pytest.raises(NotSignedIn):
        ask(any_database, None, tokens.open_with, "solo_guessed")
    with pytest.raises(NotFound):
        clubs.of_link(any_database, "guessed")


def test_a_save_that_entered_before_the_club_left_is_not_written(
    any_database: Database, ways_in: tuple[Access, dict[str, Enter]]
) -> None:
    """Else its archive, written after it left, would lack a hand that somebody saw saved."""
    owner, _ = ways_in
    evening = table.start(any_database, owner)
    moving.leave(any_database, owner, THERE)
    before = table.row_counts(any_database)
    with pytest.raises(NotSignedIn, match=r"not kept here any more\. Nothing was saved"):
        table.record(any_database, owner, evening, table.HEARTS_74)
    assert table.row_counts(any_database) == before


@pytest.mark.parametrize(
    "address",
    ["", "cards.example.org", "ftp://cards.example.org", "https://", "https://[", "javascript:1",
     "https://cards.example.org:port", "https://user:pw@cards.example.org",
     "https://cards.example.org/a b", "https://cards.example.org/<b>",
     "https://cards.example.org\n/x", f"https://{'x' * 200}.org"],
)  # fmt: skip
def test_a_club_leaves_only_for_the_address_of_a_website(
    database: Database, club: Access, address: str
) -> None:
    """The message has an example of one."""
    with pytest.raises(Invalid, match=r"one looks like https://cards\.example\.org"):
        moving.leave(database, club, address)
    with database.read(club) as session:
        assert session.exec(select(Club.moved_to)).one() is None


def test_a_club_that_has_left_gets_another_address(
    any_database: Database, ways_in: tuple[Access, dict[str, Enter]]
) -> None:
    """As after a mistyped one; nobody can enter it in between."""
    owner, ways = ways_in
    moving.leave(any_database, owner, "https://crads.example.org")
    moving.leave(any_database, owner, THERE)
    with pytest.raises(Moved, match=THERE):
        ways["link"]()
    assert list(verify(any_database)) == []


def test_a_device_of_a_club_that_has_left_does_not_seem_signed_out(
    database: Database, club: Access
) -> None:
    """Its key would open the club again when it comes back."""
    key = devices.admit(database, club, ClientDevice(origin_of("192.0.2.7"), "Android", {}))
    moving.leave(database, club, THERE)
    with pytest.raises(Moved):
        devices.leave(database, club.club_id, ClientDevice(keys={club.club_id: key}))


def test_only_owners_close_a_club_or_open_it_again(database: Database, club: Access) -> None:
    """A scorer can do neither."""
    scorer = Access(club.club_id, Role.SCORER, "Mia")
    with pytest.raises(OwnersOnly):
        moving.leave(database, scorer, THERE)
    with pytest.raises(OwnersOnly):
        moving.come_back(database, scorer)


@pytest.mark.usefixtures("club")
def test_the_command_closes_a_club_and_opens_it_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the next step; commands that give access to a closed club refuse."""
    monkeypatch.setenv("LEDGER_DATABASE_URL", settings.database_url)
    run = CliRunner().invoke
    closed = run(main, ["leave", "kitchen table", "--to", THERE])
    assert closed.exit_code == 0
    assert "solo-ledger export 'kitchen table' -o FILE" in closed.stderr
    assert f"is kept at {THERE} now" in run(main, ["link", "kitchen table"]).stderr
    assert run(main, ["leave", "kitchen table", "--stay"]).exit_code == 0
    assert run(main, ["link", "kitchen table"]).exit_code == 0
    for wrong in ([], ["--to", THERE, "--stay"], ["--to", "nowhere"]):
        assert run(main, ["leave", "kitchen table", *wrong]).exit_code in (1, 2)
    assert run(main, ["leave", "nobody's", "--stay"]).exit_code == 1
