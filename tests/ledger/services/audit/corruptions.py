"""How books are corrupted for tests: what is done to them, and what verify or the threat page says of it."""

from collections.abc import Callable

from sqlalchemy import Connection

from ledger.books.chain import GENESIS, EntryHeader, seal
from ledger.database import json
from ledger.database.kinds.entries import EntryKind
from ledger.services.audit.raw import instant

Change = str | Callable[[Connection], None]

OLD = "'2020-01-01 00:00:00.000000'"
LAST = "(SELECT max(id) FROM journal_entry WHERE club_id = 1)"
HAND = "(SELECT max(id) FROM journal_entry WHERE kind = 'hand' AND club_id = 1)"
A_POSTING = f"(SELECT min(id) FROM posting WHERE entry_id = {HAND})"


def resealed(connection: Connection) -> None:
    """Seal the chain of our club again, as the program does, with all that it says now."""
    previous = GENESIS
    entries = connection.exec_driver_sql(
        "SELECT id, session_id, kind, author, occurred_at, entered_at, hand_id, reason, reverses_id, details "
        "FROM journal_entry WHERE club_id = 1 ORDER BY id"
    )
    for entry_id, session, kind, author, occurred, entered, hand, *rest, details in entries.all():
        posted = connection.exec_driver_sql(
            f"SELECT account_id, amount FROM posting WHERE entry_id = {entry_id}"
        )
        moved = {int(account_id): int(amount) for account_id, amount in posted}
        record = connection.exec_driver_sql(
            f"SELECT record FROM hand_version WHERE entry_id = {entry_id}"
        ).scalar()
        reason, reverses = rest
        header = EntryHeader(
            session_id=session,
            kind=EntryKind(kind),
            author=author,
            occurred_at=instant(occurred),
            entered_at=instant(entered),
            hand_id=hand,
            reason=reason,
            reverses_id=reverses,
            details=json.read(details),
            record=record,
        )
        digest = seal(previous, header, moved)
        connection.exec_driver_sql(
            f"UPDATE journal_entry SET previous_digest = '{previous}', digest = '{digest}' "
            f"WHERE id = {entry_id}"
        )
        previous = digest


def emptied(connection: Connection) -> None:
    """Let every trigger stand under its name and do nothing."""
    listed = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'"
    for name, of in connection.exec_driver_sql(listed).all():
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
        connection.exec_driver_sql(
            f"CREATE TRIGGER {name} BEFORE UPDATE ON {of} BEGIN SELECT 1; END"
        )


def without_a_club(connection: Connection) -> None:
    """Take all that is the second club's away."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%club_id%'"
    for (name,) in connection.exec_driver_sql(tables).all():
        connection.exec_driver_sql(f"DELETE FROM {name} WHERE club_id = 2")
    connection.exec_driver_sql("DELETE FROM club WHERE id = 2")


RESCORED = (
    "UPDATE hand_version SET record = replace(record, '\"points\":74', '\"points\":75') "
    f"WHERE entry_id = {HAND}",
    resealed,
)
OF_ENTRY = (
    "INSERT INTO posting (club_id, entry_id, account_id, amount, balance) "
    "VALUES (1, {0}, 1, 5, 5), (1, {0}, 2, -5, -5)"
)
VERSION_OF_ENTRY = (
    "INSERT INTO hand_version (club_id, session_id, hand_id, version, action, record, verdict, seat_ids,"
    " engine_version, entry_id, author, played_at, entered_at)"
    " SELECT club_id, session_id, 999999, version, action, record, verdict, seat_ids,"
    " engine_version, {}, author, played_at, entered_at FROM hand_version WHERE id = 1"
)
COPIED = "INSERT INTO {0} SELECT {1} FROM {0} WHERE id = 1"

# fmt: off
REPORTED: list[tuple[str, tuple[Change, ...]]] = [
    # entries and postings
    ("not to zero", (f"UPDATE posting SET amount = amount + 5 WHERE id = {A_POSTING}",)),
    ("digest does not match", (f"UPDATE posting SET amount = -amount WHERE entry_id = {HAND}",)),
    ("digest does not match", (f"DELETE FROM posting WHERE id = {A_POSTING}",)),
    ("digest does not match", (f"DELETE FROM posting WHERE entry_id = {HAND}",)),
    ("digest does not match", (f"UPDATE posting SET account_id = 1 WHERE id = {A_POSTING} + 2",)),
    ("another club's", (f"UPDATE posting SET club_id = 2 WHERE id = {A_POSTING}",)),
    ("the balance of", (f"UPDATE posting SET balance = balance + 1 WHERE id = {A_POSTING}",)),
    ("its postings are not", (OF_ENTRY.format("0"),)),
    ("its postings are not", (OF_ENTRY.format("-5"),)),
    ("which is gone", (OF_ENTRY.format("'abc'"),)),
    ("which is gone", (OF_ENTRY.format("x'00'"),)),
    ("digest does not match", ("INSERT INTO posting (club_id, entry_id, account_id, amount, balance) "
                               "VALUES (1, 4, 1, 5, 5), (1, 4, 2, -5, -5)",)),
    ("digest does not match", (f"UPDATE journal_entry SET author = 'Tom' WHERE id = {HAND}",)),
    ("digest does not match", (f"UPDATE journal_entry SET reason = 'why' WHERE id = {HAND}",)),
    ("digest does not match", (f"UPDATE journal_entry SET details = '{{\"a\":1}}' WHERE id = {HAND}",)),
    ("digest does not match", (f"UPDATE journal_entry SET occurred_at = {OLD} WHERE id = {HAND}",)),
    ("digest does not match", (f"UPDATE journal_entry SET entered_at = {OLD} WHERE id = {HAND}",)),
    ("digest does not match", ("UPDATE journal_entry SET kind = 'repayment' WHERE kind = 'loan'",)),
    ("digest does not match", (f"UPDATE journal_entry SET session_id = 2 WHERE id = {HAND}",)),
    ("digest does not match", (f"UPDATE journal_entry SET hand_id = 1 WHERE id = {HAND}",)),
    ("says what it reverses", ("UPDATE journal_entry SET reverses_id = NULL WHERE kind = 'reversal'",)),
    ("does not continue", (f"UPDATE journal_entry SET previous_digest = digest WHERE id = {HAND}",)),
    ("digest does not match", (f"UPDATE journal_entry SET digest = 'x' WHERE id = {HAND}",)),
    ("it is not signed", (f"UPDATE journal_entry SET signature = NULL WHERE id = {HAND}",)),
    ("of no key that is known here", (f"UPDATE journal_entry SET signature = x'00' WHERE id = {HAND}",)),
    ("of no key that is known here", (f"UPDATE journal_entry SET signature = (SELECT signature FROM "
                                    f"journal_entry WHERE id = 2) WHERE id = {HAND}",)),
    ("it is not signed, as all are", ("UPDATE journal_entry SET signature = NULL",)),
    ("its postings are not", (f"DELETE FROM journal_entry WHERE id = {HAND}",)),
    ("does not continue", ("DELETE FROM journal_entry WHERE kind = 'pause'",)),
    ("no entry has the head", (f"DELETE FROM journal_entry WHERE id = {LAST}",)),
    ("does not continue", (f"UPDATE journal_entry SET club_id = 2 WHERE id = {HAND}",)),
    ("of no key that is known here", ("UPDATE journal_entry SET club_id = 3 - club_id",)),
    ("does not continue",
     ("INSERT INTO journal_entry (club_id, kind, author, details, occurred_at, entered_at, "
                           "previous_digest, digest) SELECT club_id, 'pause', author, '{}', occurred_at, "
                           "entered_at, previous_digest, 'new' FROM journal_entry WHERE id = 4",)),
    ("its postings are not", (f"UPDATE journal_entry SET id = 9999 WHERE id = {HAND}",)),
    ("of no key that is known here", RESCORED),
    ("it is not signed, as all are", (*RESCORED, "UPDATE journal_entry SET signature = NULL")),
    ("of no key that is known here", ("UPDATE journal_entry SET author = 'Tom'", resealed)),
    # hands and their versions
    ("not the engine's",
     ("UPDATE hand_version SET verdict = replace(verdict, '\"amount\":40', '\"amount\":45')",)),
    ("not the engine's", ("UPDATE hand_version SET verdict = replace(verdict, '\"won\"', '\"lost\"')",)),
    ("it has no verdict", ("UPDATE hand_version SET verdict = 'null' WHERE id = 2",)),
    ("hand's record",
     ("UPDATE hand_version SET record = replace(record, '\"points\":85', '\"points\":80')",)),
    ("its record is refused",
     ("UPDATE hand_version SET record = replace(record, '\"points\":85', '\"points\":1')",)),
    ("hand's record",
     ("UPDATE hand_version SET record = replace(record, '\"Cyd\"', '\"Zed\"') WHERE id = 2",)),
    ("hand 2, version 1", ("UPDATE hand_version SET record = '[]' WHERE id = 2",)),
    ("can't be read", ("UPDATE hand_version SET record = '{' WHERE id = 2",)),
    ("does not move", ("UPDATE hand_version SET seat_ids = '[1,3,2,4,5,6,7]' WHERE id = 2",)),
    ("no hand, or more than one", ("DELETE FROM hand_version WHERE id = 3",)),
    ("and has others", ("DELETE FROM hand_version WHERE action = 'voided'",)),
    ("and has others", ("UPDATE hand_version SET version = 7 WHERE id = 3",)),
    ("after one that is voided", ("UPDATE hand_version SET action = 'corrected' WHERE action = 'restored'",)),
    ("no hand, or more than one", ("UPDATE hand_version SET entry_id = NULL WHERE id = 3",)),
    ("its entry 0 is gone", (VERSION_OF_ENTRY.format("0"),)),
    ("its entry -5 is gone", (VERSION_OF_ENTRY.format("-5"),)),
    ("which is gone", (VERSION_OF_ENTRY.format("'abc'"),)),
    ("which is gone", (VERSION_OF_ENTRY.format("x'00'"),)),
    ("can't hold", ("UPDATE hand SET number = 1.5 WHERE id = 2",)),
    ("who, when or why", ("UPDATE hand_version SET author = 'Tom' WHERE id = 1",)),
    ("who, when or why", ("UPDATE hand_version SET reason = 'why' WHERE id = 1",)),
    ("who, when or why", (f"UPDATE hand_version SET played_at = {OLD} WHERE id = 1",)),
    ("who, when or why", (f"UPDATE hand_version SET entered_at = {OLD} WHERE id = 1",)),
    ("it was not caused by", ("UPDATE hand_version SET cause = '{\"undo\":1}' WHERE action = 'corrected'",)),
    ("it was not caused by", ("UPDATE hand_version SET cause = '{\"redo\":1}' WHERE action = 'voided'",)),
    ("it was not caused by", ("UPDATE hand_version SET cause = NULL WHERE action = 'voided'",)),
    ("it was not caused by", ("UPDATE hand_version SET cause = '{}' WHERE action = 'recorded'",)),
    ("its cause can't be read", ("UPDATE hand_version SET cause = '{' WHERE action = 'corrected'",)),
    ("its last version was voided", ("UPDATE hand SET state = 'standing' WHERE id = 2",)),
    ("its last version was recorded", ("UPDATE hand SET state = 'void' WHERE id = 3",)),
    ("and has others", ("UPDATE hand SET version = 2 WHERE id = 3",)),
    ("and has others", ("UPDATE hand SET number = 9 WHERE id = 3",)),
    ("another club or session", ("UPDATE hand SET session_id = 3 WHERE id = 3",)),
    ("which is gone", ("DELETE FROM hand WHERE id = 3",)),
    ("and has others",
     ("INSERT INTO hand (club_id, session_id, number, state, version) VALUES (1, 1, 5, 'void', 1)",)),
    # sums
    ("its results are not", ("UPDATE result SET amount = amount + 1 WHERE id = 20",)),
    ("its results are not", ("DELETE FROM result WHERE id = 20",)),
    ("its results are not", ("UPDATE result SET player_id = 2 WHERE id = 20",)),
    ("and does not stand",
     ("INSERT INTO result (club_id, hand_id, seat_id, player_id, amount) VALUES (1, 2, 1, 1, 5)",)),
    ("tally of player", ("UPDATE tally SET won = won + 1 WHERE id = 1",)),
    ("tally of player", ("UPDATE tally SET game = 'frog' WHERE id = 1",)),
    ("it is gone, the hands are not", ("DELETE FROM tally WHERE id = 1",)),
    ("versus of player", ("UPDATE versus SET amount = amount + 1 WHERE id = 1",)),
    ("it is gone, the hands are not", ("DELETE FROM versus WHERE id = 1",)),
    # accounts
    ("its postings come to", ("UPDATE account SET balance = balance + 1 WHERE id = 1",)),
    ("it is kept as", ("UPDATE account SET key = 'seat/99' WHERE id = 1",)),
    ("no kind of account", ("UPDATE account SET kind = 'purse' WHERE id = 1",)),
    ("not to zero", ("UPDATE account SET unit = 'EUR' WHERE id = 1",)),
    ("it is kept as", ("UPDATE account SET seat_id = 2 WHERE id = 1",)),
    ("it is closed", (f"UPDATE account SET closed_at = {OLD} WHERE id = 1",)),
    ("it has no account", ("DELETE FROM account WHERE id = 1",)),
    # seats
    ("player_id is 2, not 1", ("UPDATE seat SET player_id = 3 - player_id WHERE id IN (1, 2)",)),
    ("position is 1, not 0", ("UPDATE seat SET position = 1 - position WHERE id IN (1, 2)",)),
    ("state is sitting-out, not playing", ("UPDATE seat SET state = 'sitting-out' WHERE id = 3",)),
    ("successor_id is 3, not 1", ("UPDATE seat SET successor_id = 3 WHERE id = 7",)),
    ("the books come to", ("UPDATE seat SET hands_bid = hands_bid + 1 WHERE id = 1",)),
    ("the books come to", ("UPDATE seat SET hands_won = hands_won + 1 WHERE id = 1",)),
    ("the books come to", ("UPDATE seat SET advanced = advanced + 1 WHERE id = 1",)),
    ("the books come to", ("UPDATE seat SET converted = converted + 1 WHERE id = 1",)),
    ("no entry says that it is there",
     ("INSERT INTO seat (club_id, session_id, player_id, position, state, advanced, "
     "converted, hands_bid, hands_won) VALUES (1, 1, 1, 9, 'playing', 0, 0, 0, 0)",)),
    # sessions
    ("its title is Another, not", ("UPDATE play_session SET title = 'Another' WHERE id = 1",)),
    ("its started_on is 2020-01-01", ("UPDATE play_session SET started_on = '2020-01-01' WHERE id = 1",)),
    ("its game is six-bid", ("UPDATE play_session SET game = 'six-bid', variant = NULL WHERE id = 1",)),
    ("its options is", ("UPDATE play_session SET options = '{\"rounding\":0}' WHERE id = 1",)),
    ("its state is paused", ("UPDATE play_session SET state = 'paused' WHERE id = 1",)),
    ("its entries say otherwise", ("UPDATE play_session SET state = 'open' WHERE id = 3",)),
    ("its first_dealer is 1", ("UPDATE play_session SET first_dealer = 1 WHERE id = 1",)),
    ("its starting_stack is 100", ("UPDATE play_session SET starting_stack = 100 WHERE id = 1",)),
    ("its rate_money is 50", ("UPDATE play_session SET rate_money = 50 WHERE id = 1",)),
    ("its unconverted", ("UPDATE play_session SET unconverted = 1 WHERE id = 3",)),
    ("its closed_at", (f"UPDATE play_session SET closed_at = {OLD} WHERE id = 3",)),
    ("its created_at", (f"UPDATE play_session SET created_at = {OLD} WHERE id = 1",)),
    ("it says 3 hands", ("UPDATE play_session SET hands_dealt = 3 WHERE id = 1",)),
    # clubs, players, tokens, counts
    ("its name is", ("UPDATE club SET name = 'Mine', name_key = 'mine' WHERE id = 1",)),
    ("its passcode_hash is not what entry", ("UPDATE club SET passcode_hash = 'another' WHERE id = 1",)),
    ("its currency is", ("UPDATE club SET currency = 'USD' WHERE id = 1",)),
    ("its denominations is", ("UPDATE club SET denominations = '[1]' WHERE id = 1",)),
    ("its created_at", (f"UPDATE club SET created_at = {OLD} WHERE id = 1",)),
    ("no entry has the head", (without_a_club,)),
    ("its name is Bob, not Ann",
     ("UPDATE player SET name = CASE id WHEN 1 THEN 'Bob' ELSE 'Ann' END, name_key = "
     "CASE id WHEN 1 THEN 'bob ' ELSE 'ann ' END WHERE id IN (1, 2)",
      "UPDATE player SET name_key = trim(name_key)")),
    ("its archived is 1, not False", ("UPDATE player SET archived = 1 WHERE id = 2",)),
    ("its deleted_at is", (f"UPDATE play_session SET deleted_at = {OLD} WHERE id = 2",)),
    ("chips won by other entries", ("UPDATE player SET by_other_entries = 5 WHERE id = 2",)),
    ("is found as", ("UPDATE player SET name_key = 'bo' WHERE id = 2",)),
    ("no entry says that it is there", ("INSERT INTO player (club_id, name, name_key, created_at, archived) "
     f"VALUES (1, 'Zed', 'zed', {OLD}, 0)",)),
    ("its role is viewer", ("UPDATE api_token SET role = 'viewer' WHERE id = 1",)),
    ("its digest is not what entry", ("UPDATE api_token SET digest = 'mine' WHERE id = 1",)),
    ("its label is", ("UPDATE api_token SET label = 'mine' WHERE id = 1",)),
    ("its revoked_at is None", ("UPDATE api_token SET revoked_at = NULL WHERE id = 2",)),
    ("it is gone, entry", ("DELETE FROM api_token WHERE id = 2",)),
    ("its devices_epoch is 9, not 1", ("UPDATE club SET devices_epoch = 9 WHERE id = 1",)),
    # links and devices
    ("link 1: its role is owner, not viewer", ("UPDATE link SET role = 'owner' WHERE id = 1",)),
    ("link 1: its expires_at is None, not 2", ("UPDATE link SET expires_at = NULL WHERE id = 1",)),
    ("link 1: its digest is not what", ("UPDATE link SET digest = 'mine' WHERE id = 1",)),
    ("link 1: its nonce is not what", ("UPDATE link SET nonce = 'mine' WHERE id = 1",)),
    ("link 1: its made_by is", ("UPDATE link SET made_by = 'Tom' WHERE id = 1",)),
    ("link 2: its revoked_at is None, not 2", ("UPDATE link SET revoked_at = NULL WHERE id = 2",)),
    ("link 2: it is gone, entry", ("DELETE FROM link WHERE id = 2",)),
    ("link 9: no entry says that it is there",
     ("INSERT INTO link (id, club_id, role, digest, made_by, created_at) "
      f"VALUES (9, 1, 'owner', 'mine', 'Tom', {OLD})",)),
    ("device 1: its role is owner, not scorer", ("UPDATE device SET role = 'owner' WHERE id = 1",)),
    ("device 1: its role is viewer, not scorer", ("UPDATE device SET role = 'viewer' WHERE id = 1",)),
    ("device 1: its digest is not what", ("UPDATE device SET digest = 'mine' WHERE id = 1",)),
    ("device 1: its author is Tom", ("UPDATE device SET author = 'Tom' WHERE id = 1",)),
    ("device 1: its kind is iPad", ("UPDATE device SET kind = 'iPad' WHERE id = 1",)),
    ("device 1: its epoch is 2", ("UPDATE device SET epoch = 2 WHERE id = 1",)),
    ("device 1: its created_at is", (f"UPDATE device SET created_at = {OLD} WHERE id = 1",)),
    ("device 1: its revoked_at is 2020", (f"UPDATE device SET revoked_at = {OLD} WHERE id = 1",)),
    ("device 2: its revoked_at is None, not 2", ("UPDATE device SET revoked_at = NULL WHERE id = 2",)),
    ("device 2: its link_id is None, not 2", ("UPDATE device SET link_id = NULL WHERE id = 2",)),
    ("device 3: no entry says that it is there", ("UPDATE device SET role = 'scorer' WHERE id = 3",)),
    ("device 4: no entry says that it is there", ("UPDATE device SET role = 'scorer' WHERE id = 4",)),
    ("device 1: it is gone, entry", ("DELETE FROM device WHERE id = 1",)),
    ("its chips come to", ("UPDATE chip_count SET counted = counted + 5 WHERE id = 1",)),
    ("its pieces is", ("UPDATE chip_count SET pieces = '{\"1\":10}' WHERE id = 1",)),
    ("its author is", ("UPDATE chip_count SET author = 'Tom' WHERE id = 1",)),
    ("it is gone, entry", ("DELETE FROM chip_count WHERE id = 1",)),
    # what holds it together
    ("its answer holds what it can't hold", ("UPDATE written_answer SET answer = '{' WHERE id = 1",)),
    ("its created_at holds what it can't", ("UPDATE written_answer SET created_at = 'then' WHERE id = 1",)),
    ("this trigger is not what the program makes", (emptied,)),
    ("this index is missing", ("DROP INDEX ix_posting_entry_id",)),
    ("this trigger was added", ("CREATE TRIGGER later AFTER INSERT ON posting BEGIN SELECT 1; END",)),
]
"""What verify says, and how the books were corrupted."""

LISTED: list[tuple[str, tuple[Change, ...]]] = [
    ("revision of a session", ("UPDATE play_session SET revision = 99 WHERE id = 1",)),
    ("engine version", ("UPDATE hand_version SET engine_version = '0.0.1' WHERE id = 1",)),
    ("Stored responses for retries", ("UPDATE written_answer SET answer = '{\"id\":9}' WHERE id = 1",)),
    ("Stored responses for retries", ("DELETE FROM written_answer",)),
    ("Devices that only read", ("UPDATE device SET author = 'Tom' WHERE id = 3",)),
    ("Devices that only read", ("DELETE FROM device WHERE id = 3",)),
    ("last use", (f"UPDATE device SET last_used_at = {OLD}, network = 'there'",)),
    ("a club's log", ("DELETE FROM security_event",)),
]
"""What verify can't see, in the words of the threat page."""
# fmt: on
