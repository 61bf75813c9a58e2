"""Whatever is done in whatever order, the books agree with themselves and with a plain model of them.

A state machine founds clubs, plays both games, corrects, voids, retries and reopens; beside it a
model keeps each hand's payouts in dictionaries. After every step both say the same.
"""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlmodel import col, select

from ledger.access import Access, Role
from ledger.clock import now
from ledger.db import Database
from ledger.models import Account, Club, JournalEntry, Posting
from ledger.problems import AlreadyVoid, KeyReused, NotFound, SessionClosed
from ledger.services import corrections, hands, history, names, sessions
from ledger.services.changes import Unchanged
from ledger.services.once import Answer
from tests.ledger import table
from tests.ledger.services.model import DRAWN, Drawn, Table, Written, a_hand


class Books(RuleBasedStateMachine):
    """Random evenings in random clubs, all in one file."""

    tables = Bundle("tables")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        shutil.copy(EMPTY[0], self.folder / "ledger.sqlite")
        self.database = Database(f"sqlite:///{self.folder / 'ledger.sqlite'}")
        self.clubs: list[Access] = []
        self.played: list[Table] = []
        self.answers: dict[str, Written] = {}

    def teardown(self) -> None:
        """Give the file back."""
        self.database.close()
        shutil.rmtree(self.folder)

    @initialize()
    def first_club(self) -> None:
        """There is always one club."""
        self.found_club()

    @rule()
    def found_club(self) -> None:
        """Found a club, without the slow hash."""
        if len(self.clubs) == 3:
            return
        name = f"Club {len(self.clubs)}"
        with self.database.write() as session:
            club = Club(
                name=name,
                name_key=names.key(name),
                passcode_hash="",
                viewer_key=name,
                created_at=now(),
            )
            session.add(club)
        assert club.id is not None
        self.clubs.append(Access(club.id, Role.SCORER, "Sue"))

    @rule(
        target=tables,
        club=st.integers(0, 2),
        game=st.sampled_from(["crazy-solo", "six-bid"]),
        seats=st.sampled_from([4, 5, 7]),
    )
    def start(self, club: int, game: str, seats: int) -> Table:
        """Start a session."""
        access = self.clubs[club % len(self.clubs)]
        session_id = table.start(self.database, access, table.SEVEN[:seats], game)
        self.played.append(Table(access, session_id, game, table.SEVEN[:seats]))
        return self.played[-1]

    def write(self, at: Table, act: Callable[[str], Answer]) -> Answer | None:
        """Write under a new key; the model follows where the books did."""
        key = table.new_key()
        if not at.open:
            with pytest.raises(SessionClosed):
                act(key)
            return None
        answer = act(key)
        at.revision += 1
        assert answer["revision"] == at.revision
        self.answers[key] = Written(at.access, act, answer)
        return answer

    @rule(at=tables, drawn=DRAWN)
    def record(self, at: Table, drawn: Drawn) -> None:
        """Write the next hand."""
        hand, paid = a_hand(at, drawn)
        number = len(at.paid) + 1
        answer = self.write(
            at, lambda key: hands.record(self.database, at.access, key, at.id, hand)
        )
        if answer:
            assert answer["hand"] == number
            at.paid[number], at.said[number] = paid, hand

    @rule(at=tables, which=st.integers(0, 50), drawn=DRAWN)
    def correct(self, at: Table, which: int, drawn: Drawn) -> None:
        """Correct any hand, also one that is void or says so already."""
        hand, paid = a_hand(at, drawn)
        number = which % len(at.paid) + 1 if at.paid else 1

        def act(key: str) -> Any:
            return corrections.correct(
                self.database, at.access, key, at.id, number, hand, reason="why"
            )

        refusal = self.refusal_of(at, number) or (Unchanged if at.said[number] == hand else None)
        if at.open and refusal:
            with pytest.raises(refusal):
                act(table.new_key())
            return
        if self.write(at, act):
            at.paid[number], at.said[number] = paid, hand

    @rule(at=tables, which=st.integers(0, 50))
    def void(self, at: Table, which: int) -> None:
        """Void any hand, also one that is void."""
        number = which % len(at.paid) + 1 if at.paid else 1

        def act(key: str) -> Any:
            return corrections.void(self.database, at.access, key, at.id, number, reason="why")

        refusal = self.refusal_of(at, number)
        if at.open and refusal:
            with pytest.raises(refusal):
                act(table.new_key())
            return
        if self.write(at, act):
            at.void.add(number)

    def refusal_of(self, at: Table, number: int) -> type[Exception] | None:
        """Say what a change of a hand is refused with, if it is."""
        if number not in at.paid:
            return NotFound
        return AlreadyVoid if number in at.void else None

    @rule(at=tables)
    def close_or_reopen(self, at: Table) -> None:
        """Close a session that is open, reopen one that is closed."""
        turn = sessions.close if at.open else sessions.reopen
        turn(self.database, at.access, table.new_key(), at.id)
        at.open, at.revision = not at.open, at.revision + 1

    @rule(which=st.integers(0, 50))
    def retry(self, which: int) -> None:
        """Send an old write again: the first answer comes back, and nothing changes."""
        if self.answers:
            key = list(self.answers)[which % len(self.answers)]
            written = self.answers[key]
            assert written.act(key) == written.answer

    @rule(at=tables, which=st.integers(0, 50))
    def reuse(self, at: Table, which: int) -> None:
        """Use an old key for something else."""
        own = [key for key in list(self.answers) if self.answers[key].access == at.access]
        if own:
            with pytest.raises(KeyReused):
                corrections.void(
                    self.database, at.access, own[which % len(own)], at.id, 99, reason="new"
                )

    @rule(at=tables, drawn=DRAWN)
    def preview(self, at: Table, drawn: Drawn) -> None:
        """Look at what a hand would pay: the model knows, and nothing changes."""
        hand, paid = a_hand(at, drawn)
        seen = hands.preview(self.database, at.access, at.id, hand)
        assert seen.balances == {name: at.balances[name] + paid[name] for name in at.players}

    @invariant()
    def the_balances_are_those_of_the_model(self) -> None:
        """Kept, shown by the session, and summed up by the history."""
        for at in self.played[-3:]:
            assert table.balances(self.database, at.access, at.id) == at.balances
            lines = history.hands(self.database, at.access, at.id)
            assert [line.number for line in lines if line.state == "void"] == sorted(at.void)
            if lines:
                assert dict(zip(at.players, lines[-1].balances, strict=True)) == at.balances

    @invariant()
    def the_books_agree_with_themselves(self) -> None:
        """Every entry sums to zero, every account to its postings, all of them to nothing."""
        with self.database.read() as session:
            postings = session.exec(select(Posting).order_by(col(Posting.id))).all()
            accounts = {row.id: row for row in session.exec(select(Account))}
            entries = session.exec(select(JournalEntry).order_by(col(JournalEntry.id))).all()
        running = dict.fromkeys(accounts, 0)
        sums = dict.fromkeys((entry.id for entry in entries), 0)
        for posting in postings:
            assert accounts[posting.account_id].club_id == posting.club_id
            running[posting.account_id] += posting.amount
            sums[posting.entry_id] += posting.amount
            assert posting.balance == running[posting.account_id]
        assert set(sums.values()) <= {0}
        assert running == {number: account.balance for number, account in accounts.items()}
        last: dict[int, str] = {}
        for entry in entries:
            assert entry.previous_digest == last.get(entry.club_id, "0" * 64)
            last[entry.club_id] = entry.digest


EMPTY: list[Path] = []


def test_whatever_is_done_the_books_agree_with_a_plain_model(empty_books: Path) -> None:
    """Clubs, both games, corrections, voids, closings and retries, in any order."""
    EMPTY[:] = [empty_books]
    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=20,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
