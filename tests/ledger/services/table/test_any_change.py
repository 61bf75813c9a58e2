"""The rules for every change of a session: its authors, its revision, and its time."""

from collections.abc import Callable

import pytest

from ledger.services.common.writing import Write
from ledger.services.hands import correct, record
from ledger.services.reads import session
from ledger.services.session.load import load
from ledger.services.table import lifecycle, seating, start
from ledger.words.problems import NotFound, ReadOnly, SessionClosed, Stale
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening

CHANGES: dict[str, Callable[[Write, int], object]] = {
    "a hand": lambda write, number: record.record(write, number, table.ALONE_85),
    "a correction": lambda write, number: correct.correct(
        write, number, 1, table.HEARTS_46, reason="why"
    ),
    "a void": lambda write, number: correct.void(write, number, 1, reason="why"),
    "new rules": lambda write, number: start.change_rules(
        write, number, game="crazy-solo", variant=None, options={"rounding": 0}
    ),
    "closing": lifecycle.close,
    "joining": lambda write, number: seating.join(write, number, player="Zoe"),
    "sitting out": lambda write, number: seating.sit_out(write, number, player="Ann"),
    "coming back": lambda write, number: seating.come_back(write, number, player="Gus"),
    "new seats": lambda write, number: seating.change_seats(write, number, order=table.SEVEN[::-1]),
    "a pause": lifecycle.pause,
}


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """An evening of one hand, after which Gus sits out; it is at revision 3."""
    started = sqlite_club.start(table.SEVEN, title="New Year")
    started.record(table.HEARTS_74)
    started.sit_out("Gus")
    return started


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_made_on_top_of_the_current_state_of_an_open_session(
    evening: Evening, change: str
) -> None:
    """Not by a viewer, in no session, or by an old revision; in a closed session hands alone can change."""
    club, act = evening.club, CHANGES[change]
    with club.refuses(ReadOnly):
        act(club.viewer().write(), evening.id)
    with club.refuses(NotFound):
        act(club.write(), 999)
    before = evening.view
    missed = r"meanwhile: hand 1 was recorded \(Sue, \d\d:\d\d\)"
    never = r"has never been as you say that you saw it; it is at revision 3\."
    for revision, message in ((1, missed), (4, never)):
        with club.refuses(Stale, message) as caught:
            act(club.write(revision), evening.id)
        assert caught.value.status == 412
    assert evening.view == before
    act(club.write(3), evening.id)
    assert evening.view.revision == 4
    if change != "closing":
        evening.close()
    if change in {"a correction", "a void"}:
        evening.restore(1) if change == "a void" else evening.void(1)
        return
    with club.refuses(SessionClosed, "“New Year” is closed; reopen it"):
        act(club.write(), evening.id)


@pytest.mark.parametrize("change", CHANGES)
def test_a_session_of_another_club_is_not_found(
    our_club: CardClub, their_club: CardClub, change: str
) -> None:
    """As if it were not there, for reading and for writing."""
    (foreign,) = their_club.read(start.list_all)
    with our_club.refuses(NotFound):
        CHANGES[change](our_club.write(), foreign.id)
    for read in (load, record.propose, session.summary, session.hands):
        with our_club.refuses(NotFound):
            our_club.read(read, foreign.id)
    with our_club.refuses(NotFound):
        our_club.do(lifecycle.reopen, foreign.id)
    with our_club.refuses(NotFound):
        our_club.preview(record.record, foreign.id, table.HEARTS_74)
