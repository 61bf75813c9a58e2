"""Compares each write with its preview: it moves these balances, and no others in the club."""

from contextlib import suppress
from typing import Any, NamedTuple

from sqlmodel import col, func, select

from ledger.database.models import Account, Player, Seat
from ledger.services.common.writing import WriteResponse
from ledger.services.hands import record
from ledger.services.hands.preview import Preview
from ledger.words.problems import Invalid, Problem
from tests.ledger.model.clients import Act, Clients, Who
from tests.ledger.model.evening import Evening, Turn
from tests.ledger.model.games import Drawn
from tests.ledger.model.paying import Said, turned
from tests.ledger.table import ALL_PASS, ask


class Line(NamedTuple):
    """An account of the database: its kind, owner's name, unit and balance."""

    kind: str
    name: str
    unit: str
    balance: int


Moved = tuple[str, str, int, int, str]
"""A changed balance as previews state it: kind, name, amount, new balance, unit."""


class Promises(Clients):
    """Compares each write with the preview requested right before it."""

    promised: Preview | None = None

    def proposed(self, at: Evening) -> Turn | None:
        """Return the next hand's turn, after checking that the service proposes the same."""
        expected, found = at.proposal(), None
        with suppress(Invalid):
            found = ask(self.database, self.clubs[at.club][0], record.propose, at.id)
        told = found and (found.dealer, found.lead, found.under)
        required = expected and (expected.dealer, expected.lead, expected.under)
        assert told == required, (told, required)
        return expected

    def next_hand(self, at: Evening, drawn: Drawn) -> tuple[Said, Said]:
        """Make the next hand; send it with its dealer, with its lead, or, as proposed, with neither."""
        proposed = self.proposed(at)
        if proposed is None:
            return ALL_PASS, ALL_PASS
        players, way = [seat.player for seat in at.playing], drawn.partner % 3
        if way == 2:
            drawn = drawn._replace(dealer=players.index(proposed[0]))
        said = at.game.hand(players, drawn)
        rest = {key: value for key, value in said.items() if key != "dealer"}
        lead = turned(players, said["dealer"])[0]
        return said, (said, {**rest, "lead": lead}, rest)[way]

    def books(self, club: int) -> dict[str, Line]:
        """Read every account of a club."""
        whose = func.coalesce(Account.player_id, Seat.player_id)
        with self.database.read(self.clubs[club][0]) as session:
            rows: Any = session.exec(
                select(Account, Player.name, Seat.scored)
                .outerjoin(Seat, col(Seat.id) == Account.seat_id)
                .outerjoin(Player, col(Player.id) == whose)
            ).all()
        lines: dict[str, Line] = {}
        for row, player, scored in rows:
            name, unit = player or row.name or row.kind, row.unit
            if row.kind == "world":
                unit = "score"
            lines[row.key] = Line(row.kind, name, unit, row.balance - (scored or 0))
            if scored:
                lines[f"{row.key} scored"] = Line(row.kind, name, "score", scored)
        return lines

    def moved_since(self, club: int, before: dict[str, Line]) -> dict[str, Moved]:
        """Return the accounts with another balance now, by their keys."""
        now = self.books(club)
        removed = {key: line._replace(balance=0) for key, line in before.items() if key not in now}
        return {
            key: (line.kind, line.name, line.balance - held, line.balance, line.unit)
            for key, line in {**removed, **now}.items()
            for held in [before[key].balance if key in before else 0]
            if line.balance != held
        }

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
        """Write, and compare the moves with those promised; nothing if it was refused."""
        promised, self.promised = self.promised, None
        before = self.books(at.club)
        answer = super().write(
            at,
            who,
            act,
            *refusals,
            of_hands=of_hands,
            is_step=is_step,
            after_closing=after_closing,
        )
        moved = self.moved_since(at.club, before)
        if answer is None:
            assert not moved
        elif promised is not None:
            assert promised.revision == at.revision - 1
            assert sorted(moved.values()) == sorted(
                (each.kind, each.name, each.amount, each.balance, each.unit)
                for each in promised.moves
            )
        return answer
