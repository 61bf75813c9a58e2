"""Rules for evenings that were scored on paper: entered, corrected and removed, never reopened."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from ledger.services.common.writing import Write
from ledger.services.session.load import load
from ledger.services.table import lifecycle, paper
from ledger.words.problems import Invalid, Problem, SessionClosed
from tests.ledger import table
from tests.ledger.model.clients import FIRST_DAY, RATES, rate_of
from tests.ledger.model.confirm_rules import Confirming
from tests.ledger.model.evening import Entry, Evening, Key, Seat, money_for
from tests.ledger.model.games import GAMES
from tests.ledger.table import ask

MOST_ON_PAPER = 2
"""The number of evenings on paper that are there at a time."""
FROG = next(game for game in GAMES if game.slug == "frog")
AMOUNTS = st.lists(st.integers(-300, 300), min_size=1, max_size=3).filter(any)
RATE = st.sampled_from(RATES)


class OnPaper(Confirming):
    """Rules for evenings on paper. They are in no bundle: nothing else may be written in them."""

    @property
    def on_paper(self) -> list[Evening]:
        """The evenings on paper."""
        return [at for at in self.evenings if at.on_paper]

    @precondition(lambda self: len(self.on_paper) < MOST_ON_PAPER)
    @rule(club=st.integers(0, 1), amounts=AMOUNTS, rate=RATE, off=st.sampled_from([0, 0, 1]))
    def enter(self, club: int, amounts: list[int], rate: tuple[int, int] | None, off: int) -> None:
        """Enter an evening; one that doesn't add up to 0 is refused."""
        if off:
            before = self.books(club)
            with pytest.raises(Invalid):
                paper.enter(self.writing(club), self.result(club, amounts, rate, off))
            assert not self.moved_since(club, before)
            return
        evening = self.result(club, amounts, rate)
        answer = self.remember(club, self.writing(club), lambda write: paper.enter(write, evening))
        self.evenings.append(self.entered(club, answer["id"], evening))

    @precondition(lambda self: self.on_paper)
    @rule(which=st.integers(0, 50), amounts=AMOUNTS, rate=RATE)
    def correct_on_paper(
        self, which: int, amounts: list[int], rate: tuple[int, int] | None
    ) -> None:
        """Replace an evening by another of the same day, with a new id."""
        at = self.on_paper[which % len(self.on_paper)]
        day = self.evenings.index(at)
        old = ask(self.database, self.clubs[at.club][0], paper.show, at.id)
        result = self.result(at.club, amounts, rate)
        evening = replace(result, started_on=old.started_on, title=result.title)
        answer = self.remember(
            at.club, self.writing(at.club), lambda write: paper.correct(write, at.id, evening)
        )
        self.evenings[day] = self.entered(at.club, answer["id"], evening)

    @precondition(lambda self: self.evenings and self.evenings[-1].on_paper)
    @rule()
    def remove(self) -> None:
        """Remove the last evening, so that the days of the others stay."""
        at = self.evenings.pop()
        self.remember(at.club, self.writing(at.club), lambda write: lifecycle.delete(write, at.id))

    @precondition(lambda self: self.on_paper)
    @rule(which=st.integers(0, 50), reopens=st.booleans())
    def play_on_paper(self, which: int, reopens: bool) -> None:
        """Neither reopen nor pause one: both are refused."""
        at = self.on_paper[which % len(self.on_paper)]
        act = lifecycle.reopen if reopens else lifecycle.pause
        refusal: type[Problem] = lifecycle.ScoredOnPaper if reopens else SessionClosed
        with pytest.raises(refusal):
            act(self.writing(at.club), at.id)
        self.touched = at

    def writing(self, club: int) -> Write:
        """Return a write of the first scorer."""
        return table.write(self.database, self.clubs[club][0])

    def result(
        self, club: int, amounts: list[int], rate: tuple[int, int] | None, off: int = 0
    ) -> paper.PaperEvening:
        """Return the evening of the next day in which the first players won these amounts."""
        everybody = [*amounts, off - sum(amounts)]
        won = dict(zip(self.players[club], everybody, strict=False))
        day = FIRST_DAY + timedelta(days=len(self.evenings))
        title = f"Sheet {len(self.answers)}"
        return paper.PaperEvening(FROG.slug, won, day, title=title, rate=rate_of(rate))

    def entered(self, club: int, session_id: int, evening: paper.PaperEvening) -> Evening:
        """Return the model of an evening on paper, closed and with its chips cashed in at a rate."""
        view = ask(self.database, self.clubs[club][0], load, session_id)
        seats = [Seat(seat.id, seat.name, seat.position) for seat in view.seats]
        at = Evening(club, session_id, FROG, 0, None, seats, state="closed", on_paper=True)
        won = {seat.id: evening.won[seat.player] for seat in seats}
        at.enter(Entry("paper-result", Counter({("seat", id): chips for id, chips in won.items()})))
        if evening.rate is not None:
            at.rate = evening.rate.chips, evening.rate.money
            back: Counter[Key] = Counter({("seat", id): -chips for id, chips in won.items()})
            for seat, amount in money_for(won, at.rate, 0).items():
                back["player", next(each.player for each in seats if each.id == seat)] += amount
            lent = Counter({id: -chips for id, chips in won.items()})
            at.enter(Entry("conversion", back, lent, Counter(won)))
        at.revision = view.revision
        self.touched = at
        return at
