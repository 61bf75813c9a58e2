"""Verify: books in order pass; whatever was changed by hand is found, on both databases."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import Connection, create_engine, text

from engine.words.steps import STEPS
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.keeping import migrate
from ledger.services.audit import differences, verify
from ledger.services.club import clubs
from ledger.services.hands import versions
from ledger.services.session.view import Rate
from tests.ledger import table
from tests.ledger.evenings import CardClub
from tests.ledger.table import ask


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def books(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """Two clubs that have done everything: ours (1) and, with the same names, theirs (2)."""
    if request.param == "sqlite":
        file: Path = tmp_path_factory.mktemp("books") / "ledger.sqlite"
        shutil.copy(request.getfixturevalue("empty_books"), file)
        opened = Database(f"sqlite:///{file}")
    else:
        opened = Database(request.getfixturevalue("postgres_url")())
        migrate.upgrade(opened)
    for name in ("Ours", "Theirs"):
        access, _ = clubs.create(opened, name=name, passcode="123456")
        an_evening(opened, access)
    yield opened
    opened.close()


def an_evening(db: Database, access: Access) -> None:
    """Play an evening in which hands are corrected, voided, restored and followed by chips and money."""
    evening = CardClub(db, access).start(table.SEVEN, starting_stack=150)
    for hand in (table.HEARTS_74, table.ALONE_85, table.ALL_PASS, table.HEARTS_46):
        evening.record(hand)
    evening.correct(1, table.HEARTS_46)
    evening.void(2)
    evening.void(4)
    evening.restore(4)
    evening.lend("Dee", 30)
    evening.lend("Eve", 20)
    evening.undo()
    evening.count({"Ann": {5: 2}, "Bob": {20: 3}}, post=True)
    evening.set_rate(Rate(10, 5))
    evening.leave("Gus")


def in_other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a sentence of the language another way than when the books were written."""
    other = "{off} more than {half} with {points:card point|card points}"
    monkeypatch.setitem(cast("dict[str, str]", STEPS), "over-half", other)


@contextmanager
def unguarded(db: Database) -> Iterator[Connection]:
    """Open the books as somebody would who means to change them: no trigger, key or check holds.

    Nothing of it stays.
    """
    engine = create_engine(db.url)
    with engine.connect() as connection:
        if db.is_sqlite:
            connection.exec_driver_sql("BEGIN")
            triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            for (trigger,) in connection.exec_driver_sql(triggers).all():
                connection.exec_driver_sql(f"DROP TRIGGER {trigger}")
            connection.exec_driver_sql("PRAGMA ignore_check_constraints = ON")
        else:
            connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
            checks = (
                "SELECT conrelid::regclass, conname FROM pg_constraint WHERE conname LIKE 'ck_%'"
            )
            for table_name, check in connection.exec_driver_sql(checks.replace("%", "%%")).all():
                connection.exec_driver_sql(f"ALTER TABLE {table_name} DROP CONSTRAINT {check}")
        yield connection
        connection.rollback()
    engine.dispose()


def found(connection: Connection) -> list[str]:
    """Return what verifying finds."""
    return [str(difference) for difference in differences(connection)]


def test_books_in_order_show_no_difference(books: Database) -> None:
    """After hands, corrections, voids, loans, leavings: nothing to say, and every entry was looked at."""
    seen: list[tuple[int, int]] = []
    assert list(verify(books, lambda done, total: seen.append((done, total)))) == []
    with unguarded(books) as connection:
        count = connection.execute(text("SELECT count(*) FROM journal_entry")).scalar_one()
    assert count == 2 * 21
    assert seen[-1] == (count, count)


LAST = "(SELECT max(id) FROM {} WHERE club_id = 1)"


def test_a_conversion_in_which_the_bank_has_no_part_is_in_order(sqlite_club: CardClub) -> None:
    """What was won and lost sums to nothing, so that no chip goes to the bank: it has no posting."""
    evening = sqlite_club.start(table.SEVEN, rate=Rate(10, 5))
    evening.record(table.HEARTS_74)
    evening.convert()
    sqlite_club.must_verify()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["UPDATE posting SET amount = amount + 5 WHERE id = 12"], "digest does not match"),
        (["UPDATE posting SET amount = amount + 5 WHERE id = 12"], "not to zero"),
        (
            ["UPDATE posting SET amount = amount + 1 WHERE id = 12",
             "UPDATE posting SET amount = amount - 1 WHERE id = 13"],
            "does not move what its verdict says",
        ),
        (["DELETE FROM posting WHERE id = 12"], "digest does not match"),
        (["DELETE FROM posting WHERE id = 12"], "its postings come to"),
        (["UPDATE journal_entry SET reason = 'another' WHERE id = 8"], "digest does not match"),
        (["UPDATE journal_entry SET author = 'Tom' WHERE id = 4"], "digest does not match"),
        (["UPDATE journal_entry SET details = '{\"a\": 1}' WHERE id = 4"], "digest does not match"),
        (["UPDATE account SET balance = balance + 1 WHERE key = 'seat/3'"], "account seat/3: it says"),
        (["UPDATE posting SET balance = balance + 1 WHERE id = 12"], "the balance of"),
        (["DELETE FROM journal_entry WHERE id = 5"], "it is gone, its postings are not"),
        (["DELETE FROM journal_entry WHERE id = 5"], "which is gone"),
        (["DELETE FROM posting WHERE entry_id = 20",
          "DELETE FROM journal_entry WHERE id IN (20, 21)"], "its postings come to"),
        (["UPDATE journal_entry SET reverses_id = NULL WHERE id = 8"], "says what it reverses"),
        (["UPDATE hand_version SET verdict = replace(CAST(verdict AS TEXT), '\"amount\":40', "
          "'\"amount\":45'){json} WHERE id = 1"], "verdict is not the engine's (in amount"),
        (["UPDATE hand_version SET verdict = replace(CAST(verdict AS TEXT), '\"off\":14', "
          "'\"off\":15'){json} WHERE id = 4"], "verdict is not the engine's (in steps)"),
        (["UPDATE hand_version SET verdict = replace(CAST(verdict AS TEXT), '\"steps\":[', "
          "'\"explanation\":['){json} WHERE id = 4"], "not the engine's (in explanation, steps)"),
        (["UPDATE hand_version SET record = replace(CAST(record AS TEXT), '\"points\":85', "
          "'\"points\":80'){json} WHERE id = 2"], "hand 2, version 1"),
        (["UPDATE hand_version SET record = replace(CAST(record AS TEXT), '\"points\":85', "
          "'\"points\":1'){json} WHERE id = 2"], "its record is refused"),
        (["UPDATE hand_version SET record = '[]' WHERE id = 2"], "hand 2, version 1"),
        (["UPDATE hand_version SET record = replace(CAST(record AS TEXT), '\"called\":\"AH\"', "
          "'\"called\":\"TH\"'){json} WHERE id = 1"], "entry 4: its digest does not match its hand's record"),
        (["UPDATE hand_version SET verdict = 'null' WHERE id = 2"], "it has no verdict"),
        (["UPDATE club SET denominations = '[5, 0]' WHERE id = 1"], "nobody can count in chips of"),
        (["UPDATE play_session SET game = 'whist' WHERE id = 1"], "whist can't be played"),
        (["UPDATE play_session SET options = '{\"pots\": 3}' WHERE id = 1"], "can't be played as it is set"),
        (["UPDATE play_session SET rate_money = NULL WHERE id = 1"], "10 chips to None is not a rate"),
        (["UPDATE play_session SET starting_stack = -5 WHERE id = 1"], "nobody can start with -5 chips"),
        (["UPDATE hand_version SET seat_ids = '[1, 3, 2, 4, 5, 6, 7]' WHERE id = 2"],
         "does not move what its verdict says"),
        (["DELETE FROM hand_version WHERE id = 3"], "no hand, or more than one, is paid"),
        (["DELETE FROM hand_version WHERE action = 'voided' AND hand_id = 2"], "versions, and has others"),
        (["UPDATE hand SET state = 'standing' WHERE id = 2"], "says standing, its last version was voided"),
        (["UPDATE hand SET state = 'void' WHERE id = 3"], "it says void, its last version was recorded"),
        (["UPDATE play_session SET hands_dealt = 5 WHERE id = 1"], "it says 5 hands"),
        (["UPDATE posting SET club_id = 2 WHERE id = 12"], "another club's"),
        (["UPDATE account SET club_id = 2 WHERE key = 'seat/3'"], "another club's"),
        (["UPDATE posting SET account_id = (SELECT max(id) FROM account) WHERE id = 12"], "another club's"),
        (["UPDATE journal_entry SET club_id = 2 WHERE id = 5"], "chain"),
        (["UPDATE hand_version SET club_id = 2 WHERE id = 1"], "another club's"),
        (["UPDATE hand SET club_id = 2 WHERE id = 1"], "another club's"),
        (["UPDATE seat SET player_id = (SELECT max(id) FROM player) WHERE id = 3"], "another club's"),
        (["UPDATE result SET club_id = 2 WHERE id = " + LAST.format("result")], "results are not"),
        (["UPDATE result SET amount = amount + 1 WHERE id = " + LAST.format("result")], "results are not"),
        (["DELETE FROM result WHERE id = " + LAST.format("result")], "results are not"),
        (["UPDATE result SET hand_id = 2 WHERE id = " + LAST.format("result")], "and does not stand"),
        (["UPDATE tally SET won = won + 1 WHERE id = 1"], "tally of player"),
        (["DELETE FROM tally WHERE id = 2"], "tally of player"),
        (["UPDATE versus SET amount = amount + 1 WHERE id = 1"], "versus of player"),
        (["UPDATE seat SET hands_won = hands_won + 1 WHERE id = 1"], "bids won, the books come to"),
        (["UPDATE seat SET advanced = advanced + 1 WHERE id = 1"], "from the bank, the books come to"),
        (["UPDATE seat SET converted = converted + 1 WHERE id = 7"], "converted, the books come to"),
        (["UPDATE account SET closed_at = NULL WHERE key = 'seat/7'"], "it is open, its seat left"),
        (["UPDATE account SET closed_at = (SELECT max(entered_at) FROM journal_entry) "
          "WHERE key = 'seat/3'"], "it is closed, its seat playing"),
        (["UPDATE account SET seat_id = 4 WHERE key = 'seat/3'"], "account seat/3: it is kept as seat/4"),
        (["UPDATE account SET session_id = 2 WHERE key = 'session/1/bank'"], "it is kept as session/2/bank"),
        (["UPDATE account SET kind = 'purse' WHERE key = 'seat/3'"], "no kind of account called purse"),
        (["UPDATE account SET player_id = 2 WHERE key = 'player/7/EUR'"], "it is kept as player/2/EUR"),
        (["UPDATE account SET player_id = 2 WHERE key = 'session/1/bank'"], "said to be somebody's"),
        (["UPDATE account SET session_id = 2 WHERE key = 'seat/3'"], "not of the session of its seat"),
        (["UPDATE account SET closed_at = (SELECT max(entered_at) FROM journal_entry) "
          "WHERE key = 'session/1/bank'"], "only a seat's ever is"),
        (["DELETE FROM account WHERE key = 'seat/1'"], "seat 1: it has no account"),
        (["UPDATE seat SET state = 'gone' WHERE id = 3"], "nobody can be gone"),
        (["UPDATE seat SET position = 0 WHERE id = 3"], "another seat has its place"),
        (["UPDATE seat SET successor_id = 3 WHERE id = 7"], "its successor is 3, its entry says 1"),
        (["UPDATE seat SET successor_id = 1 WHERE id = 3"], "it has a successor, and was not left"),
        (["UPDATE play_session SET first_dealer = 7 WHERE id = 1"], "first dealer is none of its seats"),
        (["UPDATE player SET name_key = 'bo' WHERE id = 2"], "Bob is found as bo"),
        (["UPDATE play_session SET state = 'over' WHERE id = 1"], "no session can be over"),
        (["UPDATE play_session SET state = 'closed' WHERE id = 1"], "its entries say otherwise"),
        (["UPDATE play_session SET closed_at = created_at WHERE id = 1"], "the time it was closed at"),
        (["UPDATE chip_count SET counted = counted + 5 WHERE seat_id = 1"], "its chips come to"),
        (["UPDATE chip_count SET expected = expected + 5 WHERE seat_id = 1"], "does not post"),
        (["UPDATE chip_count SET session_id = 2 WHERE seat_id = 1"], "its seat is of another session"),
        (["UPDATE hand_version SET author = 'Tom' WHERE id = 1"], "who, when or why is not what entry"),
        (["UPDATE hand_version SET reason = 'another' WHERE id = 6"], "who, when or why is not what entry"),
        (["UPDATE hand_version SET played_at = (SELECT created_at FROM play_session WHERE id = 1) "
          "WHERE id = 3"], "who, when or why is not what entry"),
        (["UPDATE hand_version SET action = 'corrected' WHERE action = 'restored'"],
         "is corrected after one that is voided"),
    ],
)  # fmt: skip
def test_what_was_changed_by_hand_is_found(books: Database, changes: list[str], said: str) -> None:
    """Each by a sentence that says where and what."""
    with unguarded(books) as connection:
        for change in changes:
            done = connection.exec_driver_sql(
                change.replace("{json}", "" if books.is_sqlite else "::json")
            )
            assert done.rowcount
        told = found(connection)
    assert any(said in difference for difference in told), told


def test_a_sentence_that_is_put_another_way_leaves_the_books_in_order(
    books: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They keep what the reasoning comes to; its words are made when they are shown."""
    in_other_words(monkeypatch)
    assert list(verify(books)) == []
    reader = Access(1, Role.VIEWER, "Sue")
    shown = ask(books, reader, versions.of_hand, 1, 2)[-1].localized_verdict["explanation"]
    assert shown[0] == "25 more than 60 with 85 card points"


def test_a_swapped_pair_of_hashes_is_found(books: Database) -> None:
    """Two entries that exchanged their digests break the chain at both; nobody else's is blamed."""
    with unguarded(books) as connection:
        rows = connection.execute(text("SELECT id, digest FROM journal_entry"))
        digests = {row.id: row.digest for row in rows}
        for digest, entry in (("x", 3), (digests[3], 4), (digests[4], 3)):
            connection.exec_driver_sql(
                f"UPDATE journal_entry SET digest = '{digest}' WHERE id = {entry}"
            )
        places = {difference.split(": ")[0] for difference in found(connection)}
    assert {"Ours, entry 3", "Ours, entry 4", "Ours, entry 5"} <= places
    assert not any(place.startswith("Theirs") for place in places)


@pytest.fixture
def played(sqlite_club: CardClub) -> Database:
    """An SQLite database with an evening of one hand, on stacks of 150."""
    sqlite_club.start(table.SEVEN, starting_stack=150).record(table.HEARTS_74)
    return sqlite_club.db


@pytest.mark.parametrize(
    ("changes", "messages"),
    [
        (["UPDATE posting SET amount = 'many' WHERE id = 9", "UPDATE tally SET won = won + 1 WHERE id = 1"],
         ["holds something that is not a number", "tally of player"]),
        (["UPDATE hand SET version = 2", "UPDATE play_session SET hands_dealt = 'x'"],
         ["it says 2 versions", "they can't be read on"]),
        (["UPDATE journal_entry SET details = '[1]' WHERE id = 1"], ["entry 1: it can't be read"]),
        (["UPDATE journal_entry SET entered_at = 12 WHERE id = 1"], ["entry 1: it can't be read"]),
        (["UPDATE journal_entry SET details = '{\"converted\": 5}' WHERE id = 1"], ["does not match"]),
        (["DELETE FROM account WHERE key = 'session/1/bank'"], ["which is gone"]),
        (["UPDATE play_session SET hands_dealt = 'x' WHERE id = 1"], ["they can't be read on"]),
        (["UPDATE hand_version SET version = 'x' WHERE id = 1"], ["hand 1: it says 1 versions"]),
    ],
)  # fmt: skip
def test_a_value_of_another_type_ends_in_a_sentence_and_hides_nothing(
    played: Database, changes: list[str], messages: list[str]
) -> None:
    """SQLite keeps anything anywhere; verify says so, goes on, and forgets nothing that it found before."""
    with unguarded(played) as connection:
        for change in changes:
            connection.exec_driver_sql(change)
        told = found(connection)
    for message in messages:
        assert any(message in finding for finding in told), told


def test_a_guard_that_is_gone_is_named(books: Database) -> None:
    """Each of them, once all are gone; of the books as they should be, nobody misses one."""
    with unguarded(books) as connection:
        if not books.is_sqlite:
            connection.exec_driver_sql("DROP TRIGGER posting_no_change ON posting")
        told = [each for each in found(connection) if "this trigger is missing" in each]
    tables = ("hand_version", "journal_entry", "posting") if books.is_sqlite else ("posting",)
    guards = {"no_update", "no_delete", "no_replace"} if books.is_sqlite else {"no_change"}
    gone = {f"{table}_{guard}" for table in tables for guard in guards}
    if books.is_sqlite:
        gone.add("posting_open_account")
    assert {each.split(": ")[0] for each in told} == {f"The books, {guard}" for guard in gone}
