"""Clubs and evenings for tests: each service call with database, access, key and session filled in."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import Account, ClubOwned, JournalEntry, Player, Posting
from ledger.database.scope import ScopedSession
from ledger.services.audit import verify
from ledger.services.chips import adjust, bank, count
from ledger.services.club import clubs
from ledger.services.common.writing import DryRun, Write
from ledger.services.hands import correct, record
from ledger.services.money import convert
from ledger.services.session.load import load
from ledger.services.session.view import Rate, SeatView, SessionView
from ledger.services.table import lifecycle, seating, start
from ledger.services.undo import entry as undo_entry
from ledger.services.undo import last
from ledger.services.undo import leaving as undo_leaving
from ledger.words.problems import Problem
from tests.ledger import cash, table

T = TypeVar("T")
Hand = Mapping[str, Any]
RULES_OF: Mapping[str, Any] = {"variant": None, "options": {}}


class CardClub:
    """A club in a database, with the access that its calls use."""

    def __init__(self, db: Database, access: Access) -> None:
        self.db, self.access = db, access

    def viewer(self) -> "CardClub":
        """Return the same club with a viewer's access."""
        return CardClub(self.db, Access(self.access.club_id, Role.VIEWER, "viewer"))

    def write(self, revision: int | None = None, key: str | None = None) -> Write:
        """Return a write, by default with a new key and at any revision."""
        return Write(self.db, self.access, table.new_key() if key is None else key, revision)

    def do(self, service: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a service that writes."""
        return service(self.write(), *args, **kwargs)

    def read(self, query: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Call a service that reads."""
        with self.db.read(self.access) as session:
            return query(session, *args, **kwargs)

    def preview(self, service: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Return the preview of a service that writes, without writing."""
        with self.db.read(self.access) as session:
            return service(DryRun(session), *args, **kwargs)

    def writing(self) -> AbstractContextManager[ScopedSession]:
        """Open a write transaction."""
        return self.db.write(self.access)

    def start(
        self, players: Sequence[str] = table.FOUR, game: str = "crazy-solo", **draft: Any
    ) -> "Evening":
        """Start an evening."""
        return self.evening(table.start(self.db, self.access, players, game, **draft))

    def evening(self, session_id: int) -> "Evening":
        """Return an evening of the club by its number."""
        return Evening(self, session_id)

    def pay(self, payer: str, payee: str, amount: int) -> Any:
        """Mark a payment as made."""
        return cash.pay(self.db, self.access, payer, payee, amount)

    @property
    def owed(self) -> dict[str, int]:
        """The money that the club owes each player; debts are negative."""
        return cash.owed(self.db, self.access)

    @property
    def accounts(self) -> dict[str, int]:
        """The balance of every account of the club, by its key."""
        return cash.held(self.db, self.access)

    @property
    def kinds(self) -> list[str]:
        """The kinds of the club's entries, first to last."""
        return cash.kinds(self.db, self.access)

    @property
    def rows(self) -> dict[str, int]:
        """The number of rows in every table."""
        return table.row_counts(self.db)

    def player(self, name: str) -> int:
        """Return the number of a player."""
        with self.db.read(self.access) as session:
            return session.exec(select(Player.id).where(Player.name == name)).one()

    def entry(self, answer: Mapping[str, Any]) -> tuple[JournalEntry, dict[str, int]]:
        """Return the entry that a response names, and its amounts by account key."""
        with self.db.read(self.access) as session:
            entry = session.exec(
                select(JournalEntry).where(JournalEntry.id == answer["entry"])
            ).one()
            postings = select(Account.key, Posting.amount).join(
                Posting, col(Posting.account_id) == Account.id
            )
            moved = session.exec(postings.where(Posting.entry_id == entry.id)).all()
        return entry, {key: amount for key, amount in moved}  # noqa: C416 - rows are no pairs to mypy

    def must_verify(self) -> None:
        """Check that verifying the database reports nothing."""
        assert [str(finding) for finding in verify(self.db)] == []

    @contextmanager
    def refuses(
        self,
        error: type[BaseException],
        match: str | None = None,
        *,
        at: str | None = None,
        code: str | None = None,
    ) -> Iterator[pytest.ExceptionInfo[Any]]:
        """Check that the block raises this error, at this field and with this code, and writes no row."""
        before = self.rows
        with pytest.raises(error, match=match) as caught:
            yield caught
        faults = caught.value.faults if isinstance(caught.value, Problem) else ()
        if at is not None:
            assert [fault.field for fault in faults] == [at]
        if code is not None:
            assert [fault.code for fault in faults] == [code]
        assert self.rows == before


def another_club(db: Database, passcode: str = "123456") -> CardClub:
    """Create another club in the database, and return it with its owner's access.

    Its ids begin after those of the first club, so that its rows can't be found there by accident.
    """
    founding = clubs.creating(db, name="Other Table", passcode=passcode)
    with founding as (session, access, _):
        skip_ids(session)
    return CardClub(db, access)


def skip_ids(session: ScopedSession, number: int = 1000) -> None:
    """Give away ids of each of the club's tables, so that its next rows have ids beyond them."""
    for model in ClubOwned.__subclasses__():
        session.next_ids(str(model.__tablename__), number)


class Evening:
    """One session of a club, with a method for each step of an evening."""

    def __init__(self, club: CardClub, session_id: int) -> None:
        self.club, self.id = club, session_id

    def do(self, service: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a service that writes in this session."""
        return service(self.club.write(), self.id, *args, **kwargs)

    def read(self, query: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Call a service that reads this session."""
        return self.club.read(query, self.id, *args, **kwargs)

    def preview(self, service: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Return the preview of a service that writes in this session, without writing."""
        return self.club.preview(service, self.id, *args, **kwargs)

    # The steps.

    def record(self, hand: Hand) -> Any:
        """Record the next hand."""
        return self.do(record.record, hand)

    def correct(self, number: int, hand: Hand) -> Any:
        """Correct a hand."""
        return self.do(correct.correct, number, hand, reason="miscounted")

    def void(self, number: int) -> Any:
        """Void a hand."""
        return self.do(correct.void, number, reason="misdeal")

    def restore(self, number: int) -> Any:
        """Restore a voided hand."""
        return self.do(correct.restore, number, reason="it counts")

    def lend(self, player: str, chips: int) -> Any:
        """Lend chips of the bank."""
        return self.do(bank.lend, player=player, chips=chips)

    def repay(self, player: str, chips: int) -> Any:
        """Repay chips to the bank."""
        return self.do(bank.take_repayment, player=player, chips=chips)

    def adjust(self, player: str, chips: int, pot: str | None = None) -> Any:
        """Give a player chips by agreement, from a pot if one is named, else from the differences."""
        return self.do(adjust.adjust, player=player, chips=chips, reason="agreed", pot=pot)

    def count(self, counts: Mapping[str, Mapping[int, int]], *, post: bool = False) -> Any:
        """Count chips."""
        return self.do(count.record, counts, post=post)

    def join(self, player: str, **place: int) -> Any:
        """Seat a player."""
        return self.do(seating.join, player=player, **place)

    def leave(self, *players: str) -> Any:
        """Cash players out, one after another; return the last response."""
        return [cash.leave(self.club.db, self.club.access, self.id, name) for name in players][-1]

    def stay(self, player: str) -> Any:
        """Undo a player's leaving."""
        return self.do(undo_leaving.take_back, player=player, reason="stays on")

    def sit_out(self, *players: str) -> Any:
        """Let players sit out; return the last response."""
        return [self.do(seating.sit_out, player=name) for name in players][-1]

    def come_back(self, player: str) -> Any:
        """Bring a player back who sits out, to play."""
        return self.do(seating.come_back, player=player)

    def play(self, game: str, **rules: Any) -> Any:
        """Change the game from the next hand on."""
        return self.do(start.change_rules, game=game, **{**RULES_OF, **rules})

    def set_rate(self, rate: Rate | None) -> Any:
        """Set the rate; `None` removes it."""
        return self.do(convert.set_rate, rate=rate)

    def convert(self, rate: Rate | None = None) -> Any:
        """Cash the chips in."""
        return self.do(convert.convert, rate=rate)

    def take_back(self, entry: int) -> Any:
        """Undo one entry."""
        return self.do(undo_entry.take_back, entry, reason="it was a mistake")

    def undo(self) -> Any:
        """Undo the last step."""
        return self.do(last.undo)

    def redo(self) -> Any:
        """Redo the step that was undone last."""
        return self.do(last.redo)

    def pause(self) -> Any:
        """Pause the session."""
        return self.do(lifecycle.pause)

    def resume(self) -> Any:
        """Resume the session."""
        return self.do(lifecycle.resume)

    def close(self) -> Any:
        """Close the session."""
        return self.do(lifecycle.close)

    def reopen(self) -> Any:
        """Reopen the session."""
        return self.do(lifecycle.reopen)

    # State for assertions.

    @property
    def view(self) -> SessionView:
        """The session as its services load it."""
        return self.read(load)

    def seat(self, player: str) -> SeatView:
        """Return a player's seat: the one at the table, else one that they left."""
        return next(seat for seat in self.view.seats if seat.name == player)

    @property
    def present(self) -> list[str]:
        """The players at the table, clockwise."""
        return [seat.name for seat in self.view.present]

    @property
    def balances(self) -> dict[str, int]:
        """The chips in front of each player."""
        return {seat.name: seat.balance for seat in self.view.seats}

    @property
    def nets(self) -> dict[str, int]:
        """The chips that each player has won, without those from the bank."""
        return {seat.name: seat.net for seat in self.view.seats}

    @property
    def turn(self) -> tuple[str, str]:
        """The dealer and the lead of the next hand."""
        proposal = self.read(record.propose)
        return proposal.dealer, proposal.lead

    def must_balance(self) -> None:
        """Verify the database, and check that seats that were left have closed accounts without chips."""
        self.club.must_verify()
        with self.club.db.read(self.club.access) as session:
            accounts = select(Account.seat_id).where(col(Account.closed_at).is_not(None))
            closed = set(session.exec(accounts))
        view = self.view
        assert closed & {seat.id for seat in view.seats} == {s.id for s in view.seats if s.has_left}
        assert not any(seat.balance for seat in view.seats if seat.has_left and view.in_chips)

    def account(self, name: str) -> int:
        """Return the balance of the session's bank, till, differences or a pot ("pot/frog")."""
        return self.club.accounts.get(f"session/{self.id}/{name}", 0)

    def entry(self, answer: Mapping[str, Any]) -> tuple[JournalEntry, dict[str, int]]:
        """Return the entry that a response names, and its amounts by "Bob", "bank" or "Bob/EUR"."""
        entry, moved = self.club.entry(answer)
        names = {f"seat/{seat.id}": seat.name for seat in self.view.seats}
        for seat in self.view.seats:
            names[f"player/{seat.player_id}/EUR"] = f"{seat.name}/EUR"
        return entry, {
            names.get(key, key.removeprefix(f"session/{self.id}/")): chips
            for key, chips in moved.items()
        }


@contextmanager
def sent_by(club: CardClub, *, many: bool = False) -> Iterator[list[tuple[str, Any]]]:
    """Collect the statements that a block sends, with parameters; those of bulk writes only with `many`."""
    statements: list[tuple[str, Any]] = []

    def collect(_c: Any, _cursor: Any, query: str, values: Any, _context: Any, all_: bool) -> None:
        if many or (not all_ and query.startswith(("SELECT", "UPDATE", "DELETE"))):
            statements.append((query, values))

    event.listen(club.db.engine, "before_cursor_execute", collect)
    try:
        yield statements
    finally:
        event.remove(club.db.engine, "before_cursor_execute", collect)


def plan_of(club: CardClub, query: str, parameters: Any) -> list[str]:
    """Return the steps of SQLite's query plan for a statement."""
    with club.db.engine.connect() as connection:
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", parameters)
        return [row[3] for row in rows]
