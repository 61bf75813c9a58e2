"""Evenings are chosen in the same way on both databases."""

from datetime import date

import pytest

from ledger.database.scope import ScopedSession
from ledger.services.reads import sessions
from ledger.services.session.session_filter import SessionFilter
from ledger.services.table import start
from tests.ledger.evenings import CardClub

FILTERS: dict[str, tuple[SessionFilter, list[int]]] = {
    "days": (SessionFilter(first_day=date(2026, 1, 16), last_day=date(2026, 1, 16)), [1, 2]),
    "after a row of the same day": (SessionFilter(after=1), [2, 3]),
    "a player after a row": (SessionFilter(player="ann", after=2), [3]),
    "another game": (SessionFilter(game="frog"), []),
}
"""Filters with the places of the sessions that they choose, newest first."""


@pytest.mark.parametrize(("chosen", "places"), FILTERS.values(), ids=FILTERS)
def test_each_list_of_evenings_has_the_chosen_ones(
    any_club: CardClub, chosen: SessionFilter, places: list[int]
) -> None:
    """The sessions and the club's evenings, and their number counts those on other pages, too."""
    days = (date(2026, 1, 9), date(2026, 1, 16), date(2026, 1, 16), date(2026, 2, 6))
    newest_first = [any_club.start(started_on=day).id for day in days][::-1]
    if chosen.after is not None:
        chosen = SessionFilter(player=chosen.player, after=newest_first[chosen.after])
    expected = [newest_first[place] for place in places]

    def read(session: ScopedSession) -> list[list[int]]:
        return [
            [row.id for row in start.list_all(session, chosen)],
            [row.session_id for row in sessions.of_club(session, chosen)],
        ]

    assert any_club.read(read) == [expected, expected]
    skipped = 0 if chosen.after is None else len(newest_first) - len(expected)
    assert any_club.read(chosen.count) == len(expected) + skipped
