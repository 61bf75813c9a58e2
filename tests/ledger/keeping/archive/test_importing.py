"""Importing a club's archive: the same club, verified, once; longer archives continue it."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import metadata
from ledger.keeping.archive.staging import ArchiveRefused
from ledger.runtime.signing import SigningKey, new_key
from ledger.services.audit import Outside, verify
from ledger.services.club import clubs, devices, passcodes, players, seasons
from ledger.services.club.clubs import NameTaken
from ledger.services.reads import sessions
from ledger.services.session.view import Rate
from ledger.services.table import paper
from ledger.services.table.paper import PaperEvening
from tests.ledger import table
from tests.ledger.conftest import migrated
from tests.ledger.evenings import CardClub
from tests.ledger.keeping.archive.archives import exported, imported, parsed, without_home, written
from tests.ledger.photos import PHOTO, as_text, photo
from tests.ledger.services.audit.books import DAYS, KEY, signed_ledger

HERE = SigningKey.from_text(new_key(datetime(2020, 1, 1, tzinfo=UTC)))
"""The key of the installation that imports."""

BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(scope="module", params=BOTH)
def origin(request: pytest.FixtureRequest) -> Iterator[Database]:
    """A ledger with two clubs that have done everything, on either database."""
    with migrated(request) as empty:
        signed_ledger(empty)
        yield empty


@pytest.fixture
def here(any_database: Database) -> Iterator[Database]:
    """An installation with a club of its own, on either database."""
    any_database.signer = HERE
    clubs.create(any_database, name="At home", passcode="four aces")
    yield any_database
    any_database.signer = None


def differences(db: Database) -> list[str]:
    """Return what verifying an installation finds, with its own key only."""
    return [str(difference) for difference in verify(db, outside=Outside([HERE]))]


def balances(db: Database, club_id: int) -> dict[str, int]:
    """Return the balance of each account of a club."""
    account = metadata.tables["account"].c
    query = select(account.key, account.balance).where(account.club_id == club_id)
    with db.engine.connect() as connection:
        return {key: balance for key, balance in connection.execute(query)}  # noqa: C416 - no pairs to mypy


def table_rows(db: Database, name: str, club_id: int) -> list[Any]:
    """Return a club's rows of a table."""
    own = metadata.tables[name]
    with db.engine.connect() as connection:
        query = select(own).where(own.c.club_id == club_id).order_by(own.c.id)
        return list(connection.execute(query).mappings())


def owner_by(db: Database, key: str | None) -> CardClub:
    """Open an owner's link on a new device, and return the club."""
    assert key is not None
    access, _, link_id = clubs.of_link(db, key)
    assert access.role is Role.OWNER
    devices.admit(db, access, passcodes.NOBODY, link_id=link_id)
    return CardClub(db, access)


def test_an_imported_club_is_the_same_and_verifies(origin: Database, here: Database) -> None:
    """So are all balances; its archive from here differs in its home only."""
    content = exported(origin, 1, KEY)
    club = imported(here, content)
    assert (club.club_id, club.name) == (2, "Ours")
    assert balances(here, club.club_id) == balances(origin, 1)
    assert differences(here) == []
    assert without_home(exported(here, club.club_id, HERE)) == without_home(content)


def test_colour_emoji_and_picture_arrive(growing: Database, here: Database) -> None:
    """A longer archive brings another picture, and takes a removed one away."""
    ours = CardClub(growing, clubs.enter(growing, name="Ours", passcode="four aces")[0])
    ours.do(players.change_mark, 1, colour=11, emoji="🦊", picture=PHOTO)
    ours.do(players.change_mark, 2, picture=PHOTO)
    club = imported(here, exported(growing, 1, KEY))
    copy = CardClub(here, Access(club.club_id, Role.VIEWER, "Sue"))
    ann = ours.read(players.show, 1)
    assert (ann.colour, ann.emoji, len(ann.picture)) == (11, "🦊", 64)
    assert copy.read(players.everyone) == ours.read(players.everyone)
    assert copy.read(players.picture_of, 1) == (photo(), ann.picture)
    other = photo(quality=40)
    ours.do(players.change_mark, 1, picture=as_text(other))
    ours.do(players.change_mark, 2, picture="")
    assert imported(here, exported(growing, 1, KEY)).entries == 2
    assert copy.read(players.everyone) == ours.read(players.everyone)
    assert copy.read(players.picture_of, 1)[0] == other
    assert differences(here) == []


def test_the_link_lets_an_owner_in_who_plays_on(origin: Database, here: Database) -> None:
    """With a new evening; the books verify, and nobody else is let in."""
    club = imported(here, exported(origin, 1, KEY))
    at_home = owner_by(here, club.key)
    at_home.start(table.SEVEN).record(table.HEARTS_74)
    assert differences(here) == []
    again = imported(here, exported(origin, 1, KEY))
    assert (again.entries, again.key) == (0, None)
    assert differences(here) == []


def test_the_same_archive_adds_nothing_again(origin: Database, here: Database) -> None:
    """Not even a link."""
    content = exported(origin, 2, KEY)
    club = imported(here, content)
    before = table.row_counts(here)
    again = imported(here, content)
    assert (again.club_id, again.entries, again.key) == (club.club_id, 0, None)
    assert table.row_counts(here) == before


@pytest.fixture
def growing(tmp_path: Path, empty_books: Path) -> Iterator[Database]:
    """A ledger with two clubs, which a test may continue."""
    opened = Database(f"sqlite:///{shutil.copy(empty_books, tmp_path / 'growing.sqlite')}")
    signed_ledger(opened)
    yield opened
    opened.close()


def play_on(db: Database) -> CardClub:
    """Continue the first club: change old hands, names, settings and seats, and play a new evening."""
    ours = CardClub(db, clubs.enter(db, name="Ours", passcode="four aces")[0])
    first = ours.evening(1)
    first.correct(1, table.HEARTS_74)
    first.restore(2)
    second = ours.start(table.SEVEN, starting_stack=100)
    second.record(table.ALONE_85)
    second.count({"Ann": {5: 1}}, post=True)
    second.leave("Fay")
    exchanged = {"Ann": "Bob", "Bob": "Ann"}
    for name, other in (("Ann", "Ann (a)"), ("Bob", "Ann"), ("Ann (a)", exchanged["Ann"])):
        players.rename(ours.write(), ours.player(name), name=other)
    return ours


def test_a_longer_archive_adds_only_the_new_entries(growing: Database, here: Database) -> None:
    """Changed rows are updated; the copy is then what importing the longer archive at once makes.

    Where others import, too, it is refused. The first link still opens the club, and no other is made.
    """
    club = imported(here, exported(growing, 1, KEY))
    short = len(table_rows(here, "journal_entry", club.club_id))
    play_on(growing)
    content = exported(growing, 1, KEY)
    with pytest.raises(ArchiveRefused, match="only whoever runs this service can add them"):
        imported(here, content, adds=False)
    longer = imported(here, content)
    assert (longer.club_id, longer.name, longer.key) == (club.club_id, "Ours", None)
    assert longer.entries == len(table_rows(growing, "journal_entry", 1)) - short
    assert balances(here, club.club_id) == balances(growing, 1)
    assert without_home(exported(here, club.club_id, HERE)) == without_home(content)
    assert differences(here) == []
    owner_by(here, club.key).start(table.SEVEN).record(table.HEARTS_74)
    assert differences(here) == []


def test_a_shorter_archive_of_a_copy_adds_nothing(growing: Database, here: Database) -> None:
    """The copy has its entries already."""
    short = exported(growing, 1, KEY)
    play_on(growing)
    club = imported(here, exported(growing, 1, KEY))
    assert imported(here, short).entries == 0
    assert balances(here, club.club_id) == balances(growing, 1)
    assert differences(here) == []


def test_an_archive_of_another_continuation_is_refused(
    growing: Database, here: Database, tmp_path: Path
) -> None:
    """One was restored from a backup, and both went on."""
    growing.close()
    fork = Database(
        f"sqlite:///{shutil.copy(tmp_path / 'growing.sqlite', tmp_path / 'fork.sqlite')}"
    )
    fork.signer = KEY
    first = len(table_rows(growing, "journal_entry", 1)) + 1
    play_on(growing)
    imported(here, exported(growing, 1, KEY))
    CardClub(fork, clubs.enter(fork, name="Ours", passcode="four aces")[0]).start(table.SEVEN)
    before = table.row_counts(here)
    with pytest.raises(
        ArchiveRefused, match=rf"contradicts it from entry {first} on. Nothing was imported"
    ):
        imported(here, exported(fork, 1, KEY))
    fork.close()
    assert table.row_counts(here) == before


def test_a_club_continued_here_takes_no_more_entries(growing: Database, here: Database) -> None:
    """Its owner here and those at its origin would contradict each other."""
    club = imported(here, exported(growing, 1, KEY))
    owner_by(here, club.key).start(table.SEVEN)
    play_on(growing)
    before = table.row_counts(here)
    with pytest.raises(ArchiveRefused, match=r"“Ours” is here already and was continued here"):
        imported(here, exported(growing, 1, KEY))
    assert table.row_counts(here) == before


def test_a_ledgers_own_archive_adds_nothing_to_it(growing: Database) -> None:
    """Nor do older ones; a club that was not imported never takes entries."""
    content = exported(growing, 1, KEY)
    assert imported(growing, content).entries == 0
    play_on(growing)
    assert imported(growing, content).entries == 0


def test_a_club_with_the_name_of_another_needs_one_of_its_own(
    origin: Database, here: Database
) -> None:
    """A second name, which verifies before and after the first write."""
    content = exported(origin, 1, KEY)
    clubs.create(here, name="OURS", passcode="four aces")
    before = table.row_counts(here)
    with pytest.raises(NameTaken):
        imported(here, content)
    assert table.row_counts(here) == before
    club = imported(here, content, name=" Ours,  too ")
    assert club.name == "Ours, too"
    assert differences(here) == []
    assert owner_by(here, club.key).start(table.SEVEN).record(table.HEARTS_74)
    assert differences(here) == []
    assert imported(here, content, name="Ours, too").entries == 0
    with pytest.raises(ArchiveRefused, match="“Ours, too” is here already, and keeps its name"):
        imported(here, content, name="Another")


def test_a_club_that_went_on_elsewhere_is_imported_with_both_origins(
    growing: Database, here: Database, tmp_path: Path, empty_books: Path
) -> None:
    """The signatures of each are checked with its key, by the club's number there."""
    between = Database(f"sqlite:///{shutil.copy(empty_books, tmp_path / 'between.sqlite')}")
    between.signer = SigningKey.from_text(new_key(datetime(2020, 1, 1, tzinfo=UTC)))
    clubs.create(between, name="First here", passcode="four aces")
    club = imported(between, exported(growing, 1, KEY))
    owner_by(between, club.key).start(table.SEVEN).record(table.HEARTS_74)
    content = exported(between, club.club_id, between.signer)
    arrived = imported(here, content)
    assert balances(here, arrived.club_id) == balances(between, club.club_id)
    assert differences(here) == []
    origins = table_rows(here, "club_origin", arrived.club_id)
    assert [(row["number"], row["public_key"]) for row in origins] == [
        (1, KEY.public),
        (2, between.signer.public),
    ]
    assert imported(here, exported(growing, 1, KEY)).entries == 0
    owner_by(here, arrived.key).start(table.SEVEN).record(table.HEARTS_74)
    assert differences(here) == []
    between.close()


def test_seasons_come_along_and_may_exchange_their_names(growing: Database, here: Database) -> None:
    """Closed ones with their table; a longer archive changes, adds and removes them."""

    def rows(db: Database, club_id: int) -> list[Any]:
        return [{**row, "club_id": 0} for row in table_rows(db, "season", club_id)]

    access, _ = clubs.enter(growing, name="Ours", passcode="four aces")
    club = CardClub(growing, access)
    arrived = imported(here, exported(growing, 1, KEY))
    assert rows(here, arrived.club_id) == rows(growing, 1)
    assert rows(growing, 1)[0]["closing"]["standings"]
    club.do(seasons.reopen, 1)
    for season_id, name in ((1, "Between"), (2, "Winter"), (1, "Summer")):
        club.do(seasons.change, season_id, name=name, **DAYS)
    club.do(seasons.create, name="Third", **DAYS)
    imported(here, exported(growing, 1, KEY))
    assert [row["name"] for row in rows(here, arrived.club_id)] == ["Summer", "Winter", "Third"]
    assert differences(here) == []


def test_an_archive_from_before_seasons_is_imported(growing: Database, here: Database) -> None:
    """A club that has none, with the schema of its time."""
    access, _ = clubs.create(growing, name="Early", passcode="four aces", author="Sue")
    CardClub(growing, access).start(table.SEVEN).record(table.HEARTS_74)
    early = parsed(exported(growing, access.club_id, KEY))
    early[0]["schema"] = "0031"
    for line in early:
        for later in ("on_paper", "picture", "picture_digest"):
            line.pop(later, None)
    arrived = imported(here, written(early))
    assert table_rows(here, "season", arrived.club_id) == []
    assert differences(here) == []


def test_a_longer_archive_without_the_signatures_of_the_copy_is_refused(
    growing: Database, here: Database
) -> None:
    """Nobody continues a club in the name of its origin by leaving out its key."""
    imported(here, exported(growing, 1, KEY))
    play_on(growing)
    forged = parsed(exported(growing, 1, KEY))
    forged[0]["origins"][0]["key"] = None
    for line in forged:
        if line["line"] == "entry":
            line["signature"] = None
    before = table.row_counts(here)
    with pytest.raises(ArchiveRefused, match="names another club number or key"):
        imported(here, written(forged))
    assert table.row_counts(here) == before


def test_a_longer_archive_with_other_ids_is_refused(growing: Database, here: Database) -> None:
    """No digest covers the ids of a hand's versions; what follows must come after what is here."""
    forged = parsed(exported(growing, 1, KEY))
    last = [line for line in forged if "versions" in line][-1]
    last["versions"][0]["id"] = 50
    imported(here, written(forged))
    play_on(growing)
    before = table.row_counts(here)
    with pytest.raises(ArchiveRefused, match="a row of hand_version is not after the last one"):
        imported(here, exported(growing, 1, KEY))
    assert table.row_counts(here) == before


def test_an_evening_on_paper_arrives_with_its_mark(
    sqlite_club: CardClub, own_database: Database
) -> None:
    """It is known there, too: the same evening is entered once, wherever the club is."""
    evening = PaperEvening("frog", {"Ann": 40, "Bob": -40}, rate=Rate(10, 5))
    sqlite_club.do(paper.enter, evening)
    archive = exported(sqlite_club.db, sqlite_club.access.club_id)
    club = imported(own_database, archive)
    assert without_home(exported(own_database, club.club_id)) == without_home(archive)
    there = CardClub(own_database, Access(club.club_id, Role.OWNER, "Sue"))
    assert [each.on_paper for each in there.read(sessions.of_club)] == [True]
    assert there.do(paper.enter_all, [evening]) == {"added": [], "known": 1}
    there.must_verify()
