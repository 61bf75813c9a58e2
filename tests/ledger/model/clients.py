"""The base of all rules: two scorers writing in the same clubs."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import ClassVar, NamedTuple

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule
from sqlmodel import col, select

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import Account, Club, ClubName
from ledger.database.narrowing import Scope
from ledger.database.scope import narrow
from ledger.runtime.clock import now
from ledger.services.common import names
from ledger.services.common.writing import Write, WriteResponse
from ledger.services.hands import correct
from ledger.services.money import currency as money_currency
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle
from ledger.services.table import start as table_start
from ledger.words.problems import KeyReused, Problem, SessionClosed, SessionPaused, Stale
from tests.ledger import table
from tests.ledger.model import stack
from tests.ledger.model.evening import BANK, SCORES, Entry, Evening, Key, Seat
from tests.ledger.model.games import GAMES, Game
from tests.ledger.table import ask
from tests.ledger.turned import TurnedDatabase

EVENINGS = Bundle("evenings")
PLAYERS = (*table.SEVEN, "Hal", "Ida")
MOST_EVENINGS = 3
FIRST_DAY = date(2025, 12, 30)
"""The day of the first evening; each of the others is a day later, so that they cross the end of a year."""
RATES = (None, (10, 5), (7, 3))

Act = Callable[[Write], WriteResponse]
"""A service that writes; the clients choose its scorer, key and revision."""


class Who(NamedTuple):
    """The writing scorer, and whether the write names the revision that they saw last."""

    client: int
    careful: bool


A_GAME = st.sampled_from([*GAMES, *(game for game in GAMES if game.with_pots)])
STACKS = st.sampled_from([0, 150])
ANYBODY = st.integers(0, 5 * len(PLAYERS) - 1)
WHO = st.builds(Who, st.integers(0, 1), st.booleans())


def rate_of(said: tuple[int, int] | None) -> Rate | None:
    """Convert a rate to the services' type."""
    return None if said is None else Rate(*said)


class Clients(RuleBasedStateMachine):
    """Clubs, sessions and writes; after each step the books agree with the model."""

    empty: ClassVar[Path]
    turned: ClassVar[TurnedDatabase]

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        shutil.copy(self.empty, self.folder / "ledger.sqlite")
        self.database: Database = self.turned
        self.turned.turn_to(f"sqlite:///{self.folder / 'ledger.sqlite'}")
        self.clubs: list[tuple[Access, Access]] = []
        self.evenings: list[Evening] = []
        self.paid: list[Counter[Key]] = []
        self.players = [list(PLAYERS), list(PLAYERS)]
        self.seen: dict[tuple[int, int, int], int] = {}
        self.answers: dict[str, tuple[int, Callable[[], WriteResponse], WriteResponse]] = {}
        self.touched: Evening | None = None
        self.found_clubs()

    def teardown(self) -> None:
        """Close the database and delete its folder."""
        self.database.close()
        shutil.rmtree(self.folder)

    def found_clubs(self) -> None:
        """Create two clubs, without the slow passcode hash."""
        for name in ("Kitchen Table", "Other Table"):
            with self.database.write() as session:
                club = Club(name=name, name_key=names.key(name), passcode_hash="", created_at=now())
                session.add(club)
                session.flush()
                session.add(ClubName(key=club.name_key, club_id=club.id))
                session.flush()
                narrow(session, Scope(club.id))
            scorers = [
                Access(club.id, Role.SCORER, author, holder=f"{author}'s phone")
                for author in ("Sue", "Tom")
            ]
            self.clubs.append((scorers[0], scorers[1]))
            self.paid.append(Counter())

    @precondition(lambda self: sum(not at.on_paper for at in self.evenings) < MOST_EVENINGS)
    @rule(
        target=EVENINGS,
        club=st.integers(0, 1),
        game=A_GAME,
        more=st.integers(0, 4),
        stack=STACKS,
        rate=st.sampled_from(RATES),
    )
    def start(
        self, club: int, game: Game, more: int, stack: int, rate: tuple[int, int] | None
    ) -> Evening:
        """Start a session; one that counts scores has no chips."""
        if game.slug == SCORES:
            stack, rate = 0, None
        seats = min(game.seats.start + more, game.seats.stop - 1)
        draft = table_start.SessionDraft(
            tuple(self.players[club][:seats]),
            game.slug,
            options=game.options,
            starting_stack=stack,
            rate=rate_of(rate),
            started_on=FIRST_DAY + timedelta(days=len(self.evenings)),
        )
        access = self.clubs[club][0]
        write = table.write(self.database, access)
        answer = self.remember(club, write, lambda write: table_start.start(write, draft))
        view = ask(self.database, access, load, answer["id"])
        sitting = [Seat(seat.id, seat.name, seat.position) for seat in view.seats]
        at = Evening(club, view.id, game, stack, rate, sitting, first=sitting[0].id)
        at.currency = ask(self.database, access, money_currency.show).currency
        if stack:
            at.enter(self.stacks(at, at.seats))
        self.evenings.append(at)
        self.seen |= {(client, at.club, at.id): 1 for client in (0, 1)}
        self.touched = at
        return at

    @staticmethod
    def stacks(at: Evening, seats: list[Seat]) -> Entry:
        """Return the entry for the stacks from the bank."""
        moved: Counter[Key] = Counter({("seat", seat.id): at.stack for seat in seats})
        moved[BANK] = -at.stack * len(seats)
        return Entry("stack", moved, Counter({seat.id: at.stack for seat in seats}))

    def somebody(self, at: Evening, whose: int, *, here: bool = True) -> str:
        """Return a player: mostly one who is present (or is not), now and then anybody."""
        present = {seat.player for seat in at.present}
        everybody = self.players[at.club]
        names = [name for name in everybody if (name in present) == here]
        if not names or whose < len(PLAYERS):
            return everybody[whose % len(PLAYERS)]
        return names[whose % len(names)]

    def access(self, at: Evening, who: Who) -> Access:
        """Return the writing scorer's access."""
        return self.clubs[at.club][who.client]

    def write(
        self,
        at: Evening,
        who: Who,
        act: Act,
        *refusals: type[Problem],
        of_hands: bool = False,
        is_step: bool = True,
        after_closing: bool = False,
    ) -> WriteResponse | None:
        """Write under a new key; None if it was refused, as the model predicts.

        The write is a step that can be undone, unless it was an undo or a redo itself. One ``after_closing``
        is possible in a closed session.
        """
        seen = self.seen[who.client, at.club, at.id] if who.careful else None
        expected: tuple[type[Problem], ...] = refusals
        if at.state == "closed" and not after_closing:
            expected = (SessionClosed,)
        elif who.careful and seen != at.revision:
            expected = (Stale,)
        elif of_hands and at.state == "paused":
            expected = (SessionPaused,)
        write = table.write(self.database, self.access(at, who), seen)
        self.touched = at
        if expected:
            with pytest.raises(expected):
                act(write)
            self.look_again(at, who)
            return None
        answer = act(write)
        if is_step:
            stack.begin(at)
        at.revision += 1
        assert answer["revision"] == at.revision
        self.seen[who.client, at.club, at.id] = at.revision
        self.answers[write.key] = at.club, lambda: act(write), answer
        return answer

    def remember(self, club: int, write: Write, act: Act) -> WriteResponse:
        """Store a write without a revision, to be sent again later."""
        answer = act(write)
        self.answers[write.key] = club, lambda: act(write), answer
        return answer

    def look_again(self, at: Evening, who: Who) -> None:
        """Follow a refusal's advice: reopen the session, resume it, or read its new revision."""
        access = self.access(at, who)
        if at.state == "closed":
            lifecycle.reopen(table.write(self.database, access), at.id)
            stack.begin(at)
            at.enter(Entry("reopening", Counter()))
            at.state, at.revision = "open", at.revision + 1
        elif at.state == "paused":
            lifecycle.resume(table.write(self.database, access), at.id)
            stack.begin(at)
            at.note("resumption", partial(setattr, at, "state", "paused"))
            at.state, at.revision = "open", at.revision + 1
        self.seen[who.client, at.club, at.id] = at.revision

    @precondition(lambda self: self.answers)
    @rule(which=st.integers(0, 100))
    def retry(self, which: int) -> None:
        """Repeat an old write: the first response is returned, and nothing changes."""
        _, again, answer = list(self.answers.values())[which % len(self.answers)]
        assert again() == answer

    @precondition(lambda self: self.answers)
    @rule(at=EVENINGS, which=st.integers(0, 100))
    def reuse(self, at: Evening, which: int) -> None:
        """Use an old key of the club for another write, which is refused."""
        own = [key for key, (club, *_) in self.answers.items() if club == at.club]
        if own:
            access, key = self.clubs[at.club][0], own[which % len(own)]
            with pytest.raises(KeyReused):
                correct.void(Write(self.database, access, key), at.id, 99, reason="another")

    @precondition(lambda self: self.touched)
    @invariant()
    def the_session_is_as_the_model_has_it(self) -> None:
        """Its seats in order, its state and revision, every account it has."""
        at, self.touched = self.touched, None
        assert at is not None
        view = ask(self.database, self.clubs[at.club][0], load, at.id)
        held, scored = at.shown(), at.scores()
        assert view.in_chips == at.in_chips
        assert [
            (
                *(seat.id, seat.name, seat.state, seat.balance, seat.scored),
                *(seat.advanced, seat.converted),
            )
            for seat in (
                *view.present,
                *sorted(view.seats[len(view.present) :], key=attrgetter("id")),
            )
        ] == [
            (
                seat.id,
                seat.player,
                seat.state,
                held[seat.id],
                scored[seat.id],
                at.advanced[seat.id],
                at.converted[seat.id],
            )
            for seat in (*at.present, *(seat for seat in at.seats if seat.state == "left"))
        ]
        assert (view.state, view.revision) == (at.state, at.revision)
        assert (view.game, view.rate) == (at.game.slug, rate_of(at.rate))
        with self.database.read(self.clubs[at.club][0]) as session:
            rows = session.exec(
                select(Account)
                .where(Account.session_id == at.id, Account.balance != 0)
                .order_by(col(Account.id))
            ).all()
        expected = {at.name_of(key): amount for key, amount in at.accounts().items()}
        assert {row.key: row.balance for row in rows} == expected
