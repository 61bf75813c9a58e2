"""What the table agrees on: chips put right, pots and differences shared out."""

from collections.abc import Callable
from functools import partial

import pytest

from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import AccountKind, EntryKind
from ledger.runtime.clock import now
from ledger.services.chips import adjust as chips_adjust
from ledger.services.club import clubs
from ledger.services.common.writing import Write
from ledger.services.table import lifecycle, seating
from ledger.words.problems import Conflict, Invalid, SessionClosed, Stale
from tests.ledger import cash, table


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def ante(db: Database, access: Access, session_id: int, **pots: int) -> None:
    """Let Ann put chips into the pots."""
    ann = cash.seat(db, access, session_id, "Ann").account_id
    with db.write(access) as session:
        amounts = {ann: -sum(pots.values())}
        for name, chips in pots.items():
            pot = journal.open_account(session, AccountKind.POT, session_id=session_id, name=name)
            amounts[pot.id] = chips
        header = EntryHeader(session_id, EntryKind.ADJUSTMENT, "Sue", now(), now())
        journal.post(session, header, amounts)


def test_an_adjustment_goes_against_the_account_of_differences(
    any_database: Database, here: Access
) -> None:
    """A named account keeps the other side, so no chip comes from nowhere."""
    tonight = table.start(any_database, here, table.FOUR)
    answer = chips_adjust.adjust(
        table.write(any_database, here),
        tonight,
        player="Bob",
        chips=-10,
        reason="fell under the sofa",
    )
    bob = cash.seat(any_database, here, tonight, "Bob")
    made, moved = cash.entry(any_database, here, answer)
    assert (made.kind, made.reason) == ("adjustment", "fell under the sofa")
    assert moved == {f"seat/{bob.id}": -10, f"session/{tonight}/differences": 10}
    assert bob.net == -10


def test_pots_are_shared_equally_among_those_who_play(any_database: Database, here: Access) -> None:
    """Eleven and four among three: 4 4 3 and 2 1 1; who sits out gets nothing."""
    tonight = table.start(any_database, here, table.FOUR)
    ante(any_database, here, tonight, frog=11, solo=4)
    seating.sit_out(table.write(any_database, here), tonight, player="Bob")
    answer = chips_adjust.share_pots(table.write(any_database, here), tonight)
    made, moved = cash.entry(any_database, here, answer)
    assert made.kind == "pots-shared"
    assert moved[f"session/{tonight}/pot/frog"] == -11
    assert moved[f"session/{tonight}/pot/solo"] == -4
    assert answer["balances"] == {"Ann": -15 + 6, "Bob": 0, "Cyd": 5, "Dee": 4}
    with pytest.raises(Conflict, match="no pot holds a chip"):
        chips_adjust.share_pots(table.write(any_database, here), tonight)


def test_a_player_can_be_paid_from_a_pot_as_far_as_it_holds(
    database: Database, club: Access
) -> None:
    """Not more; and only from a pot there is."""
    tonight = table.start(database, club, table.FOUR)
    ante(database, club, tonight, frog=11)

    def take(pot: str, chips: int) -> object:
        return chips_adjust.adjust(
            table.write(database, club),
            tonight,
            player="Bob",
            chips=chips,
            reason="agreed",
            pot=pot,
        )

    with pytest.raises(Invalid, match="The frog pot holds 11 chips; 12") as caught:
        take("frog", 12)
    assert [fault.field for fault in caught.value.faults] == ["chips"]
    with pytest.raises(Invalid, match="has no pot called “gold”") as caught:
        take("gold", 1)
    assert [(fault.field, fault.legal) for fault in caught.value.faults] == [("pot", ("frog",))]
    take("frog", 11)
    take("frog", -3)
    assert cash.held(database, club)[f"session/{tonight}/pot/frog"] == 3
    assert table.balances(database, club, tonight)["Bob"] == 8


def test_differences_are_borne_in_equal_parts(database: Database, club: Access) -> None:
    """Five chips too few among four: the first is spared the odd one."""
    tonight = table.start(database, club, table.FOUR)
    chips_adjust.adjust(
        table.write(database, club), tonight, player="Ann", chips=5, reason="miscounted"
    )
    answer = chips_adjust.share_differences(table.write(database, club), tonight)
    assert answer["balances"] == {"Ann": 4, "Bob": -1, "Cyd": -1, "Dee": -2}
    with pytest.raises(Conflict, match="no chips differ"):
        chips_adjust.share_differences(table.write(database, club), tonight)


def test_nothing_is_shared_where_nobody_plays(database: Database, club: Access) -> None:
    """The pot waits for them."""
    tonight = table.start(database, club, table.FOUR)
    ante(database, club, tonight, frog=11)
    for player in table.FOUR:
        seating.sit_out(table.write(database, club), tonight, player=player)
    with pytest.raises(Conflict, match="nobody is playing"):
        chips_adjust.share_pots(table.write(database, club), tonight)


@pytest.mark.parametrize(
    ("said", "field"),
    [({"player": "Zed"}, "player"), ({"chips": 0}, "chips"), ({"reason": " "}, "reason")],
)
def test_an_adjustment_that_cannot_be_is_refused_at_its_field(
    database: Database, club: Access, said: dict[str, object], field: str
) -> None:
    """An adjustment always says why."""
    tonight = table.start(database, club, table.FOUR)
    with pytest.raises(Invalid) as caught:
        chips_adjust.adjust(
            table.write(database, club),
            tonight,
            **{"player": "Bob", "chips": 5, "reason": "why", **said},  # type: ignore[arg-type]
        )
    assert [fault.field for fault in caught.value.faults] == [field]


@pytest.mark.parametrize("chips", [0, 10**9 + 1, -(10**9) - 1])
def test_an_adjustment_says_that_chips_go_either_way(
    database: Database, club: Access, chips: int
) -> None:
    """Less than nothing takes them; none are none, and there is a most."""
    tonight = table.start(database, club, table.FOUR)
    adjust = partial(chips_adjust.adjust, player="Bob", reason="why")
    with pytest.raises(Invalid, match="from 1 to 1,000,000,000, or from -1 to -1,000,000,000"):
        adjust(table.write(database, club), tonight, chips=chips)
    adjust(table.write(database, club), tonight, chips=-1)


def test_adjusting_and_sharing_wait_for_nobodys_back(database: Database, club: Access) -> None:
    """Not by what was seen before, not in a closed session; a retry shares once."""
    tonight = table.start(database, club, table.FOUR)
    ante(database, club, tonight, frog=8)
    key = table.new_key()
    first = chips_adjust.share_pots(Write(database, club, key, 1), tonight)
    assert chips_adjust.share_pots(Write(database, club, key, 1), tonight) == first

    def adjust(revision: int | None = None) -> object:
        return chips_adjust.adjust(
            table.write(database, club, revision),
            tonight,
            player="Bob",
            chips=5,
            reason="why",
        )

    acts: tuple[Callable[..., object], ...] = (
        adjust,
        lambda revision=None: chips_adjust.share_pots(
            table.write(database, club, revision), tonight
        ),
    )
    for act in acts:
        with pytest.raises(Stale):
            act(revision=1)
    lifecycle.close(table.write(database, club), tonight)
    for act in acts:
        with pytest.raises(SessionClosed):
            act()
