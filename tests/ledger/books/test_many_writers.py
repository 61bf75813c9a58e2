"""Many write to one SQLite file at once: twelve threads, then four processes. All is there, nothing twice."""

import json
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import HandAction, HandVersionTable, JournalEntry
from ledger.services.audit import verify
from ledger.services.chips import bank
from ledger.services.common.writing import Write, WriteResponse
from ledger.services.hands import record
from ledger.services.money import payments
from ledger.services.session.load import load
from ledger.words.problems import Busy
from tests.ledger import table
from tests.ledger.table import ask
from tests.support import nursery

THREADS, PROCESSES = 12, 4
WRITES = 25


def write(
    database: Database, access: Access, session_id: int, key: str, count: int
) -> WriteResponse:
    """Write a hand, a loan or a payment with its key in it, until the books are not busy."""
    for _ in range(10):
        try:
            if count % 5 == 3:
                return bank.lend(
                    Write(database, access, key), session_id, player="Ann", chips=5, reason=key
                )
            if count % 5 == 4:
                return payments.pay(
                    Write(database, access, key), payer="Bob", payee="Cyd", amount=1, reason=key
                )
            said = {**table.HEARTS_74, "note": key}
            return record.record(Write(database, access, key), session_id, said)
        except Busy:
            continue
    raise TimeoutError(key)


def write_many(
    database: Database, access: Access, session_id: int, writer: str
) -> dict[str, WriteResponse]:
    """Write many things, each twice; return the answers by key."""
    answers: dict[str, WriteResponse] = {}
    for count in range(WRITES):
        key = f"writer-{writer}-{count}"
        answers[key] = write(database, access, session_id, key, count)
        assert write(database, access, session_id, key, count) == answers[key]
    return answers


def compare(
    database: Database, access: Access, session_id: int, answers: dict[str, WriteResponse]
) -> None:
    """Hold what is in the books against what the writers were told."""
    with database.read(access) as session:
        versions = session.exec(
            select(HandVersionTable).where(HandVersionTable.action == HandAction.RECORDED.value)
        ).all()
        entries = session.exec(select(JournalEntry)).all()
    notes = [str(version.record["note"]) for version in versions]
    reasons = [entry.reason for entry in entries if entry.reason]
    found = Counter([*notes, *reasons])
    assert found.keys() == answers.keys()
    assert set(found.values()) == {1}
    numbers = sorted(answer["hand"] for answer in answers.values() if "hand" in answer)
    assert numbers == list(range(1, len(notes) + 1))
    view = ask(database, access, load, session_id)
    loans = len(reasons) - sum("session" not in answer for answer in answers.values())
    assert {seat.name: seat.balance for seat in view.seats} == {
        name: amount * len(notes) + 5 * loans * (name == "Ann")
        for name, amount in table.PAYS_HEARTS_74.items()
    }
    assert view.revision == 1 + len(notes) + loans
    assert list(verify(database)) == []


def test_twelve_threads_write_to_one_file(database: Database, club: Access) -> None:
    """Hands, loans and payments, each sent twice: all there, none twice, and the books verify."""
    session_id = table.start(database, club)

    def work(thread: int) -> dict[str, WriteResponse]:
        return write_many(database, club, session_id, f"thread-{thread}")

    with ThreadPoolExecutor(THREADS) as pool:
        told = list(pool.map(work, range(THREADS)))
    answers = {key: answer for each in told for key, answer in each.items()}
    assert len(answers) == THREADS * WRITES
    compare(database, club, session_id, answers)


def test_four_processes_write_to_one_file(database: Database, club: Access) -> None:
    """The same by processes that share nothing but the file."""
    session_id = table.start(database, club)
    code = f"import sys; from {__name__} import main; main(*sys.argv[1:])"

    def work(number: int) -> dict[str, WriteResponse]:
        sent = (database.url.render_as_string(), club.club_id, session_id, f"process-{number}")
        ended = nursery.run(code, [*map(str, sent)], os.environ, timeout=120)
        assert ended.returncode == 0, ended.stderr
        printed: dict[str, WriteResponse] = json.loads(ended.stdout)
        return printed

    with ThreadPoolExecutor(PROCESSES) as pool:
        told = list(pool.map(work, range(PROCESSES)))
    answers = {key: answer for each in told for key, answer in each.items()}
    assert len(answers) == PROCESSES * WRITES
    compare(database, club, session_id, answers)


def main(url: str, club_id: str, session_id: str, writer: str) -> None:
    """Be one of the processes: write many things, print what was answered."""
    access = Access(int(club_id), Role.SCORER, writer)
    print(json.dumps(write_many(Database(url), access, int(session_id), writer)))
