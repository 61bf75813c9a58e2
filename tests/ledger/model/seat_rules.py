"""Rules for a session: joining, sitting out, leaving, seats, breaks, closing and the game."""

from collections import Counter
from functools import partial

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule

from ledger.services.money.till import TillNotEmpty
from ledger.services.table import cash_out, lifecycle, seating, start
from ledger.services.undo import leaving as undo_leaving
from ledger.services.undo.reverse import CannotUndo
from ledger.words.problems import Conflict, Invalid, Problem, Stale, Unchanged
from tests.ledger import table
from tests.ledger.model import stack
from tests.ledger.model.clients import ANYBODY, EVENINGS, PLAYERS, WHO, Who
from tests.ledger.model.evening import BANK, TILL, Entry, Evening, Key, Seat
from tests.ledger.model.games import GAMES, Game
from tests.ledger.model.undo_rules import Undoing


class Table(Undoing):
    """Rules for seats, breaks and the game."""

    @rule(at=EVENINGS, who=WHO, whose=ANYBODY, place=st.integers(0, 9))
    def join(self, at: Evening, who: Who, whose: int, place: int) -> None:
        """Join, also once more, or at a place that is none."""
        player, here = self.somebody(at, whose, here=False), at.present
        position = None if place == 9 else place
        sits = player in [seat.player for seat in here]
        answer = self.write(
            at,
            who,
            lambda write: seating.join(write, at.id, player=player, position=position),
            *((Invalid,) if sits or (position or 0) > len(here) else ()),
        )
        if answer is not None:
            seat = Seat(answer["seat"], player, 0)
            at.seats.append(seat)
            place = len(here) if position is None else position
            at.arrange([*here[:place], seat, *here[place:]])
            entry = self.stacks(at, [seat]) if at.stack else Entry("joining", Counter())
            entry.seat = seat
            at.enter(entry)

    @rule(at=EVENINGS, who=WHO, whose=ANYBODY, state=st.sampled_from(["playing", "sitting-out"]))
    def sit(self, at: Evening, who: Who, whose: int, state: str) -> None:
        """Sit out, or come back."""
        player = self.somebody(at, whose)
        seats = [seat for seat in at.present if seat.player == player]
        turn = seating.come_back if state == "playing" else seating.sit_out
        refusal = Invalid if not seats else Conflict
        if self.write(
            at,
            who,
            lambda write: turn(write, at.id, player=player),
            *((refusal,) if not seats or seats[0].state == state else ()),
        ):
            seat, was = seats[0], seats[0].state
            seat.state = state
            at.note(state, lambda: setattr(seat, "state", was))

    @rule(
        at=EVENINGS,
        who=WHO,
        order=st.permutations(range(len(PLAYERS))),
        short=st.sampled_from([0, 0, 1]),
    )
    def move(self, at: Evening, who: Who, order: list[int], short: int) -> None:
        """Change seats; every present player has to be named."""
        here = {seat.player: seat for seat in at.present}
        names = [self.players[at.club][place] for place in order]
        said = [name for name in names if name in here][short:]
        refusals: tuple[type[Problem], ...] = ()
        if len(said) < len(here):
            refusals = (Invalid,)
        elif said == list(here):
            refusals = (Unchanged,)
        if self.write(
            at, who, lambda write: seating.change_seats(write, at.id, order=said), *refusals
        ):
            before = at.present
            at.arrange([here[name] for name in said])
            at.note("seats-changed", lambda: at.arrange(before))

    @rule(at=EVENINGS, who=WHO, whose=ANYBODY)
    def leave(self, at: Evening, who: Who, whose: int) -> None:
        """Cash out, for money if there is a rate."""
        player = self.somebody(at, whose)
        seats = [seat for seat in at.present if seat.player == player]
        refusals = () if seats else (Invalid,)
        if not self.write(
            at, who, lambda write: cash_out.leave(write, at.id, player=player), *refusals
        ):
            return
        seat = seats[0]
        chips, won = at.chips()[seat.id], at.won()[seat.id]
        moved: Counter[Key] = Counter({("seat", seat.id): -chips, BANK: chips})
        converted: Counter[int] = Counter()
        if at.rate is not None:
            amount = at.worth(won)
            moved.update({("player", seat.player): amount, TILL: -amount})
            converted[seat.id] = won
        before = seat.state, seat.position
        at.paid_alone.update(converted)
        at.leavings.pop(seat.id, None)  # so that they stay in the order of leaving
        at.leavings[seat.id] = at.enter(
            Entry("cash-out", moved, Counter({seat.id: -chips}), converted, seat, before, at.rate)
        )
        at.vacate(seat)

    @rule(at=EVENINGS, who=WHO, whose=ANYBODY)
    def come_back_for_good(self, at: Evening, who: Who, whose: int) -> None:
        """Undo a player's last leaving."""
        player = self.somebody(at, whose, here=False)
        left = [seat for seat in at.seats if seat.player == player and seat.state == "left"]
        ids = {seat.id for seat in left}
        entries = [entry for seat_id, entry in at.leavings.items() if seat_id in ids]
        refusals = self.keeps(at, entries[-1]) if entries else (Invalid,)
        assert set(refusals) <= {Invalid, CannotUndo}
        if self.write(
            at,
            who,
            lambda write: undo_leaving.take_back(write, at.id, player=player, reason="why"),
            *refusals,
        ):
            self.take_back(at, entries[-1])

    @rule(at=EVENINGS, who=WHO, game=st.sampled_from(GAMES))
    def change_rules(self, at: Evening, who: Who, game: Game) -> None:
        """Play another game from now on, if so many can."""
        if self.write(
            at,
            who,
            lambda write: start.change_rules(
                write, at.id, game=game.slug, variant=None, options=game.options
            ),
            *self.other_rules(at, game),
        ):
            was = at.game
            at.game = game
            at.note("rules-changed", lambda: setattr(at, "game", was))

    @staticmethod
    def other_rules(at: Evening, game: Game) -> tuple[type[Problem], ...]:
        """Return why a game can't be changed to."""
        if len(at.playing) not in game.seats:
            return (Invalid,)
        return (Unchanged,) if game == at.game else ()

    @rule(at=EVENINGS, who=WHO, resume=st.booleans())
    def pause_or_resume(self, at: Evening, who: Who, resume: bool) -> None:
        """Pause or resume the session."""
        state = "open" if resume else "paused"
        turn = lifecycle.resume if resume else lifecycle.pause
        if self.write(
            at, who, lambda write: turn(write, at.id), *((Conflict,) if at.state == state else ())
        ):
            at.note(state, partial(setattr, at, "state", at.state))
            at.state = state

    @rule(at=EVENINGS, who=WHO, sure=st.sampled_from([True, False, False, False]))
    def close_or_reopen(self, at: Evening, who: Who, sure: bool) -> None:
        """Close a session that is not, unless its till holds money; reopen one that is."""
        closed = at.state == "closed"
        if not closed and not sure:
            return
        turn = lifecycle.reopen if closed else lifecycle.close
        seen = self.seen[who.client, at.club, at.id] if who.careful else None
        write = table.write(self.database, self.access(at, who), seen)
        stale = seen not in (None, at.revision)
        if stale or (not closed and at.moved[TILL]):
            with pytest.raises(Stale if stale else TillNotEmpty):
                turn(write, at.id)
            self.seen[who.client, at.club, at.id] = at.revision
            return
        self.remember(at.club, write, lambda write: turn(write, at.id))
        stack.begin(at)
        at.state, at.revision = "open" if closed else "closed", at.revision + 1
        at.enter(Entry("reopening" if closed else "closing", Counter()))
        self.touched = at
