"""The bank's page: loans, repayments, adjustments and shares."""

import re
from collections.abc import Sequence

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from tests.ledger import cash, table
from tests.ledger.web.phone import Phone


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Ann, Bob, Cyd and Dee with 150 chips each."""
    return table.start(database, club, table.FOUR, starting_stack=150)


def test_a_loan_is_in_hand_and_not_won(
    scorer: Phone, viewer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Everybody can see the borrowers and their chips."""
    answer = scorer.send(scorer.open(f"{address}/bank").form("/bank"), player="Cyd", chips="50")
    newest = table.row_counts(database)["journal_entry"]
    assert (answer.status, answer.location) == (
        303,
        f"{address}/bank?done=lend&who=Cyd&entry={newest}",
    )
    assert "The bank has lent Cyd 50 chips." in scorer.open(answer.location).text
    assert table.balances(database, club, tonight)["Cyd"] == 200
    assert "Cyd 200 200 0" in viewer.open(f"{address}/bank").text
    assert "Cyd 200 0" in viewer.open(address).text


def test_chips_are_read_with_their_thousands_apart_as_they_are_written(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """A German page writes 1.000 chips and so reads them; in English that is no number of chips."""
    for language, thousand, other, sentence in (
        ("en", "1,000", "1.000", "from 1 to"),
        ("de", "1.000", "1,000", "Chips: 1 bis"),
    ):
        scorer.send(scorer.open("/display").form("/display"), language=language)
        form = scorer.open(f"{address}/bank").form("/bank")
        assert scorer.send(form, player="Cyd", chips=thousand).status == 303
        form = scorer.open(f"{address}/bank").form("/bank")
        scorer.must_refuse(form, "chips", sentence, player="Cyd", chips=other)
    assert sum(table.balances(database, club, tonight).values()) == 4 * 150 + 2 * 1000


def test_chips_are_taken_back_at_most_what_was_given(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """More is refused at the number, which stays."""
    form = scorer.open(f"{address}/bank").form("/bank")
    page = scorer.send(form, what="repay", player="Cyd", chips="151")
    assert page.status == 422
    assert "Cyd has 150 chips from the bank" in page.wrong("chips")
    assert dict(page.form("/bank").fields)["chips"] == "151"
    assert scorer.send(page.form("/bank"), chips="30").status == 303
    assert table.balances(database, club, tonight)["Cyd"] == 120


REFUSED: Sequence[tuple[str, str, dict[str, str]]] = (
    ("chips", "from 1 to", {"player": "Cyd", "chips": ""}),
    ("chips", "from 1 to", {"player": "Cyd", "chips": "many"}),
    ("chips", "from 1 to", {"player": "Cyd", "chips": "-5"}),
    ("player", "Zoe has no seat", {"player": "Zoe", "chips": "5"}),
    ("player", "Tap the player", {"chips": "5"}),
    ("reason", "Give a reason", {"player": "Cyd", "chips": "5", "what": "give"}),
    ("reason", "501 characters", {"player": "Cyd", "chips": "5", "reason": "x" * 501}),
    (
        "pot",
        "no pot called “frog”",
        {"player": "Cyd", "chips": "5", "what": "give", "reason": "r", "pot": "frog"},
    ),
    *(
        ("chips", "from 1 to 1,000,000,000", {"player": "Cyd", "chips": typed})
        for typed in ("9223372036854775807", "1000000001", "9" * 200)
    ),
)
"""The input, the sentence at it and what was typed. Nine digits of nineteen would be another number."""


def test_what_cannot_be_moved_is_said_at_its_input(
    scorer: Phone, address: str, database: Database
) -> None:
    """Nothing is saved, and the typed text stays."""
    before = table.row_counts(database)
    form = scorer.open(f"{address}/bank").form("/bank")
    for field, sentence, typed in REFUSED:
        page = scorer.must_refuse(form, field, sentence, **typed)
        assert dict(page.form("/bank").fields)["chips"] == typed["chips"]
    assert table.row_counts(database) == before


def test_all_that_is_missing_is_said_at_once(scorer: Phone, address: str) -> None:
    """Player, chips and reason of an adjustment: not one a tap."""
    page = scorer.send(scorer.open(f"{address}/bank").form("/bank"), what="give")
    assert page.status == 422
    assert "Tap the player" in page.wrong("player")
    assert "from 1 to" in page.wrong("chips")
    assert "Give a reason" in page.wrong("reason")


def test_an_adjustment_stays_visible_until_it_is_shared(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Ann gives up 10 that nobody else got; the four share them."""
    form = scorer.open(f"{address}/bank").form("/bank")
    answer = scorer.send(form, what="take", player="Ann", chips="10", reason="a chip was found")
    assert answer.status == 303
    page = scorer.open(f"{address}/bank")
    assert "Counted chips are off by −10" in page.text
    assert "The players hold 10 chips fewer than the ledger says." in page.text
    assert "those who play get that many in the ledger: Ann +3 Bob +3 Cyd +2 Dee +2" in page.text
    assert "Give 10 chips to those who play" in page.text
    assert scorer.send(page.form("/share-differences")).status == 303
    assert table.balances(database, club, tonight) == {
        "Ann": 143,
        "Bob": 153,
        "Cyd": 152,
        "Dee": 152,
    }


def test_who_gives_how_much_of_a_surplus_is_said_before(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Ann was given 5 that nobody lost: the first seat gives the one that is left over... and so it comes."""
    form = scorer.open(f"{address}/bank").form("/bank")
    scorer.send(form, what="give", player="Ann", chips="5", reason="a chip was found")
    page = scorer.open(f"{address}/bank")
    assert "The players hold 5 chips more than" in page.text
    assert (
        "those who play give up that many in the ledger: Ann −1 Bob −1 Cyd −1 Dee −2" in page.text
    )
    assert scorer.send(page.form("/share-differences")).status == 303
    assert table.balances(database, club, tonight) == {
        "Ann": 154,
        "Bob": 149,
        "Cyd": 149,
        "Dee": 148,
    }


def test_the_pots_are_shared_out(scorer: Phone, database: Database, club: Access) -> None:
    """Progressive Solo with a stake of 5: 10 a player lie in the two pots of a thrown-in hand."""
    options = {"pots": {"stake": 5, "solo_factor": 1}}
    tonight = table.start(database, club, ("Ann", "Bob", "Cyd"), "progressive", options=options)
    table.record(database, club, tonight, table.ALL_PASS)
    address = f"/clubs/{club.club_id}/sessions/{tonight}"
    board = scorer.open(address).text
    assert "Frog pot 15" in board
    assert "Solo pot 15" in board
    assert "Ann −10 Bob −10 Cyd −10" in board[board.index("Hand 1") :]
    settle = scorer.open(f"{address}/settle").text
    assert "share it out first. To the bank" in settle
    page = scorer.open(f"{address}/bank")
    assert "from the first seat: Ann +10 Bob +10 Cyd +10 Share out 30 chips" in page.text
    assert scorer.send(page.form("/share-pots")).status == 303
    assert table.balances(database, club, tonight) == {"Ann": 0, "Bob": 0, "Cyd": 0}


def test_a_double_tap_lends_once(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Both answers lead on."""
    form = scorer.open(f"{address}/bank").form("/bank")
    assert [scorer.send(form, player="Cyd", chips="50").status for _ in range(2)] == [303, 303]
    assert table.balances(database, club, tonight)["Cyd"] == 200


def test_who_was_overtaken_lends_with_one_tap_more(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """412, everything typed still there."""
    form = scorer.open(f"{address}/bank").form("/bank")
    cash.lend(database, club, tonight, "Dee", 10)
    stale = scorer.send(form, player="Cyd", chips="50")
    assert stale.status == 412
    assert scorer.send(stale.form("/bank")).status == 303
    assert table.balances(database, club, tonight)["Cyd"] == 200


def test_a_confirmation_repeats_whose_chips_were_moved_and_how_many(
    scorer: Phone, club: Access, tonight: int
) -> None:
    """From the books: the address can't put anything else into it."""
    address = f"/clubs/{club.club_id}/sessions/{tonight}/bank"
    for what, sentence in (
        ("lend", "The bank has lent Ann 30 chips."),
        ("repay", "The bank has taken 30 chips back from Ann."),
        ("give", "Ann's chips are corrected: 30 chips more."),
        ("take", "Ann's chips are corrected: 30 chips fewer."),
    ):
        form = scorer.open(address).form("/bank")
        done = scorer.send(form, what=what, player="Ann", chips="30", reason="found")
        assert sentence in scorer.open(done.location).text
    for entry in ("999999", "-1", "x", "9" * 30):
        page = scorer.open(f"{address}?done=lend&who=Ann&entry={entry}")
        assert "The bank has lent Ann chips." in page.text


def test_the_most_that_is_lent_can_be_typed(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """It has ten digits."""
    form = scorer.open(f"{address}/bank").form("/bank")
    assert scorer.send(form, player="Cyd", chips="1000000000").status == 303
    assert table.balances(database, club, tonight)["Cyd"] == 1_000_000_150


def test_no_field_for_a_number_cuts_what_is_typed(scorer: Phone, address: str) -> None:
    """A browser would do so without a word."""
    for place in ("bank", "count", "settle", "hands/new", "rules"):
        page = scorer.open(f"{address}/{place}")
        assert page.status == 200
        fields = re.findall(r"<input[^>]*inputmode=[^>]*>", page.response.get_data(as_text=True))
        assert [field for field in fields if "maxlength" in field] == [], place


def test_chips_may_be_typed_in_any_digits(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """As money may."""
    for times, typed in enumerate(("٥٠", "５０", "५०"), start=1):
        form = scorer.open(f"{address}/bank").form("/bank")
        assert scorer.send(form, player="Cyd", chips=typed).status == 303
        assert table.balances(database, club, tonight)["Cyd"] == 150 + times * 50
