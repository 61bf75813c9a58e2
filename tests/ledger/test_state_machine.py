"""After any steps in any order, the books agree with a plain model of them, and verify.

A state machine lets two scorers play every game in two clubs: they join, leave, borrow, count, correct, void,
restore, undo, convert, pay, rename, confirm and send things twice, now and then at the revision before the
other wrote, and look at a preview or a quote first. A model keeps it all in dictionaries; after every step
both agree, and every so often all statistics do.
"""

import os
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from engine import games
from ledger.services.audit import verify
from ledger.services.reads import session
from tests.ledger.model.clients import Who
from tests.ledger.model.games import GAMES
from tests.ledger.model.paper_rules import OnPaper
from tests.ledger.table import ask
from tests.ledger.turned import TurnedDatabase


class Books(OnPaper):
    """All rules together; at the end nothing is lost, and the books verify, also on the way."""

    def look_back(self) -> None:
        """Recompute all in the middle of an evening, too."""
        super().look_back()
        assert [str(difference) for difference in verify(self.database)] == []

    def teardown(self) -> None:
        """Look at every hand that was ever written, and recompute all."""
        try:
            for at in self.evenings:
                lines = ask(self.database, self.clubs[at.club][0], session.hands, at.id)
                paid = at.play().paid
                assert [(line.number, line.state) for line in lines] == [
                    (number, "void" if hand.void else "standing")
                    for number, hand in at.hands.items()
                ]
                for line in lines:
                    if line.state == "standing":
                        assert sorted(filter(None, line.deltas)) == sorted(
                            filter(None, paid[line.number].values())
                        )
            self.look_back()
        finally:
            super().teardown()


def test_the_model_plays_every_game_of_the_engine() -> None:
    """A game that the engine gets is played here, too."""
    assert {game.slug for game in GAMES} == set(games.GAMES)


def test_whatever_is_done_the_books_agree_with_a_plain_model(empty_books: Path) -> None:
    """Every game, every change, retries and stale phones, in any order."""
    Books.empty, Books.turned = empty_books, TurnedDatabase(empty_books)
    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=int(os.environ.get("LEDGER_TEST_EXAMPLES", "9")),
            stateful_step_count=50,
            deadline=None,
            phases=[Phase.generate],  # to shorten a failure takes longer than a test may
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_the_model_counts_money_that_was_undone_since(empty_books: Path) -> None:
    """An undone conversion stays in the journal, with its reversal, so the currency is fixed."""
    Books.empty, Books.turned = empty_books, TurnedDatabase(empty_books)
    books, scorer = Books(), Who(0, careful=False)
    frog = next(game for game in GAMES if game.slug == "frog")
    at: Any = books.start(0, frog, 0, 100, (10, 5))
    books.borrow(at, scorer, 0, 20, back=False)
    books.adjust(at, scorer, 0, 20, pays=False, pot=None)
    books.adjust(at, scorer, 1, 20, pays=True, pot=None)
    books.convert(at, scorer, None)
    assert at.has_money_entries
    books.undo(at, scorer)
    books.pause_or_resume(at, scorer, resume=False)
    books.change_currency(0, "USD")
    assert books.currencies[0] == "EUR"
    books.teardown()
