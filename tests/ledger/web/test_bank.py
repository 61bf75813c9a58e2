"""The bank's page, the count of chips, and the undo."""

import pytest

from ledger.access import Access
from ledger.db import Database
from ledger.services import accounts, sessions
from tests.ledger import cash, table
from tests.ledger.web.phone import Page, Phone


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Ann, Bob, Cyd and Dee with 150 chips each."""
    return table.start(database, club, table.FOUR, starting_stack=150)


@pytest.fixture
def address(club: Access, tonight: int) -> str:
    """Where the session's pages are."""
    return f"/clubs/{club.club_id}/sessions/{tonight}"


def chips(database: Database, club: Access, tonight: int) -> dict[str, int]:
    """What each has in hand."""
    return table.balances(database, club, tonight)


def seat(database: Database, club: Access, tonight: int, name: str) -> int:
    """The number of somebody's seat."""
    return next(s.id for s in sessions.show(database, club, tonight).seats if s.name == name)


def test_a_loan_is_in_hand_and_not_won(
    scorer: Phone, viewer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Everybody can see who borrowed what."""
    sent = scorer.send(scorer.open(f"{address}/bank").form("/bank"), player="Cyd", chips="50")
    assert (sent.status, sent.location) == (303, f"{address}/bank?done=lend")
    assert chips(database, club, tonight)["Cyd"] == 200
    assert "Cyd 200 200 0" in viewer.open(f"{address}/bank").text
    assert "Cyd 200 0" in viewer.open(address).text


def test_chips_are_taken_back_at_most_what_was_given(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """More is refused at the number, which stays."""
    form = scorer.open(f"{address}/bank").form("/bank")
    page = scorer.send(form, what="repay", player="Cyd", chips="151")
    assert page.status == 422
    assert "Cyd has 150 chips of the bank's" in page.wrong("chips")
    assert dict(page.form("/bank").fields)["chips"] == "151"
    assert scorer.send(page.form("/bank"), chips="30").status == 303
    assert chips(database, club, tonight)["Cyd"] == 120


@pytest.mark.parametrize(
    ("said", "field", "sentence"),
    [
        ({"player": "Cyd", "chips": ""}, "chips", "from 1 to"),
        ({"player": "Cyd", "chips": "many"}, "chips", "from 1 to"),
        ({"player": "Cyd", "chips": "-5"}, "chips", "from 1 to"),
        ({"player": "Zoe", "chips": "5"}, "player", "Zoe has no seat"),
        ({"chips": "5"}, "player", "has no seat"),
        ({"player": "Cyd", "chips": "5", "what": "give"}, "reason", "Say why"),
        ({"player": "Cyd", "chips": "5", "reason": "x" * 501}, "reason", "501 characters"),
        (
            {"player": "Cyd", "chips": "5", "what": "give", "reason": "r", "pot": "frog"},
            "pot",
            "no frog pot",
        ),
    ],
)
def test_what_cannot_be_moved_is_said_at_its_input(
    scorer: Phone,
    address: str,
    database: Database,
    said: dict[str, str],
    field: str,
    sentence: str,
) -> None:
    """Nothing is saved."""
    before = table.row_counts(database)
    page = scorer.send(scorer.open(f"{address}/bank").form("/bank"), **said)
    assert page.status == 422
    assert sentence in page.wrong(field)
    assert table.row_counts(database) == before


def test_an_adjustment_stays_visible_until_it_is_shared(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Ann gives up 10 that nobody else got; the four share them."""
    form = scorer.open(f"{address}/bank").form("/bank")
    sent = scorer.send(form, what="take", player="Ann", chips="10", reason="a chip was found")
    assert sent.status == 303
    page = scorer.open(f"{address}/bank")
    assert "Counted chips differ by −10" in page.text
    assert scorer.send(page.form("/share-differences")).status == 303
    assert chips(database, club, tonight) == {"Ann": 143, "Bob": 153, "Cyd": 152, "Dee": 152}


def test_the_pots_are_shared_out(scorer: Phone, database: Database, club: Access) -> None:
    """Progressive Solo with a stake of 5: 10 a player lie in the two pots of a thrown-in hand."""
    options = {"pots": {"stake": 5, "solo_factor": 1}}
    tonight = table.start(database, club, ("Ann", "Bob", "Cyd"), "progressive", options=options)
    table.record(database, club, tonight, table.ALL_PASS)
    address = f"/clubs/{club.club_id}/sessions/{tonight}"
    board = scorer.open(address).text
    assert "Frog pot 15" in board
    assert "Solo pot 15" in board
    page = scorer.open(f"{address}/bank")
    assert "Share out 30 chips" in page.text
    assert scorer.send(page.form("/share-pots")).status == 303
    assert chips(database, club, tonight) == {"Ann": 0, "Bob": 0, "Cyd": 0}


def test_a_double_tap_lends_once(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Both answers lead on."""
    form = scorer.open(f"{address}/bank").form("/bank")
    assert [scorer.send(form, player="Cyd", chips="50").status for _ in range(2)] == [303, 303]
    assert chips(database, club, tonight)["Cyd"] == 200


def test_who_was_overtaken_lends_with_one_tap_more(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """412, everything typed still there."""
    form = scorer.open(f"{address}/bank").form("/bank")
    cash.lend(database, club, tonight, "Dee", 10)
    stale = scorer.send(form, player="Cyd", chips="50")
    assert stale.status == 412
    assert scorer.send(stale.form("/bank")).status == 303
    assert chips(database, club, tonight)["Cyd"] == 200


def counting(phone: Phone, address: str, **pieces: str) -> Page:
    """Type pieces into the form of a count, and hold them against the ledger."""
    return phone.send(phone.open(f"{address}/count").form("/count"), do="compare", **pieces)


def test_a_count_is_held_against_the_ledger_a_player_and_in_sum(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Ann is 5 short, Bob 20 over; nothing is written by looking."""
    before = table.row_counts(database)
    ann, bob = (seat(database, club, tonight, name) for name in ("Ann", "Bob"))
    page = counting(
        scorer,
        address,
        **{f"pieces-{ann}-5": "5", f"pieces-{ann}-20": "6", f"pieces-{bob}-20": "1"},
        **{f"pieces-{bob}-30": "5"},
    )
    assert "Counted 145: −5" in page.text
    assert "Counted 170: +20" in page.text
    assert "2 of 4 counted in sum +15" in page.text
    assert table.row_counts(database) == before


def test_a_difference_is_posted_when_the_table_agrees(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """The ledger follows the chips on the table; a count that is only noted moves nothing."""
    ann = seat(database, club, tonight, "Ann")
    page = counting(scorer, address, **{f"pieces-{ann}-5": "5", f"pieces-{ann}-20": "6"})
    noted = scorer.send(page.form("/count"), do="write")
    assert noted.location == f"{address}/bank?done=counted"
    assert chips(database, club, tonight)["Ann"] == 150
    page = counting(scorer, address, **{f"pieces-{ann}-5": "5", f"pieces-{ann}-20": "6"})
    posted = scorer.send(page.form("/count"), do="post", reason="one lies under the sofa")
    assert posted.location == f"{address}/bank?done=followed"
    assert chips(database, club, tonight)["Ann"] == 145
    assert "Counted chips differ by −5" in scorer.open(f"{address}/bank").text


@pytest.mark.parametrize("typed", ["six", "-1", "99999"])
def test_what_is_no_number_of_chips_is_said_at_its_input(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int, typed: str
) -> None:
    """Nothing is saved, what was typed stays."""
    before = table.row_counts(database)
    name = f"pieces-{seat(database, club, tonight, 'Ann')}-5"
    form = scorer.open(f"{address}/count").form("/count")
    page = scorer.send(form, do="write", **{name: typed})
    assert page.status == 422
    assert page.wrong(name)
    assert dict(page.form("/count").fields)[name] == typed
    assert table.row_counts(database) == before


def test_an_empty_count_is_none(scorer: Phone, address: str, database: Database) -> None:
    """At least one player is counted."""
    before = table.row_counts(database)
    assert "at least one player" in counting(scorer, address).text
    form = scorer.open(f"{address}/count").form("/count")
    assert scorer.send(form, do="write").status == 422
    assert table.row_counts(database) == before


def test_a_count_against_an_older_ledger_is_shown_again(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """412: the difference is another one by now."""
    ann = seat(database, club, tonight, "Ann")
    page = counting(scorer, address, **{f"pieces-{ann}-30": "5"})
    table.record(database, club, tonight, cash.ANN_WINS)
    stale = scorer.send(page.form("/count"), do="post")
    assert stale.status == 412
    assert "Counted 150: −150" in stale.text


def test_undo_says_what_it_takes_back_and_takes_it_back(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """A loan first, then the hand before it, with the balances it moves."""
    table.record(database, club, tonight, cash.ANN_WINS)
    cash.lend(database, club, tonight, "Bob", 20)
    assert f"{address}/undo" in scorer.open(address).reader.links
    page = scorer.open(f"{address}/undo")
    assert "This takes back the last loan of the bank." in page.text
    undone = scorer.send(page.form("/undo"))
    assert (undone.status, undone.location) == (303, f"{address}?done=undone")
    assert chips(database, club, tonight) == {"Ann": 300, "Bob": 100, "Cyd": 100, "Dee": 100}


def test_an_undone_hand_shows_every_balance_before(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """And a double tap undoes one thing."""
    table.record(database, club, tonight, cash.ANN_WINS)
    page = scorer.open(f"{address}/undo")
    assert "This takes back hand 1." in page.text
    assert "Ann 300 −150 150" in page.text
    form = page.form("/undo")
    assert [scorer.send(form).status for _ in range(2)] == [303, 303]
    assert set(chips(database, club, tonight).values()) == {150}
    assert "takes back the voiding of hand 1" in scorer.open(f"{address}/undo").text


def test_nothing_to_undo_is_said(scorer: Phone, database: Database, club: Access) -> None:
    """In a session without stacks nothing was written yet."""
    tonight = table.start(database, club, table.FOUR)
    page = scorer.open(f"/clubs/{club.club_id}/sessions/{tonight}/undo")
    assert page.status == 200
    assert "nothing to undo" in page.text


def test_an_undo_overtaken_by_another_hand_undoes_nothing(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """412, and the page says what it would take back now."""
    table.record(database, club, tonight, cash.ANN_WINS)
    form = scorer.open(f"{address}/undo").form("/undo")
    table.record(database, club, tonight, table.ALL_PASS)
    stale = scorer.send(form)
    assert stale.status == 412
    assert "takes back hand 2" in stale.text
    assert chips(database, club, tonight)["Ann"] == 300
    every = accounts.every(database, club, tonight)
    assert sum(account.balance for account in every if account.unit == "chips") == 0
