"""A form that was saved, gone back to and changed: shows the saved content, and is never stuck."""

from collections.abc import Callable

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.reads import accounts
from ledger.services.session.load import load
from tests.ledger import table
from tests.ledger.table import ask
from tests.ledger.web.phone import Form, Page, Phone


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Ann, Bob, Cyd and Dee with 150 chips each."""
    return table.start(database, club, table.FOUR, starting_stack=150)


@pytest.fixture
def place(club: Access, tonight: int) -> str:
    """Where its pages are."""
    return f"/clubs/{club.club_id}/sessions/{tonight}"


def to(page: Page, ending: str) -> Form:
    """The form of a page with this target."""
    return page.form(ending)


def lend(phone: Phone, form: Form, chips: str) -> Page:
    """Let the bank lend Ann chips."""
    return phone.send(form, what="lend", player="Ann", chips=chips)


def test_a_count_gone_back_to_can_be_counted_anew(
    scorer: Phone, place: str, database: Database, club: Access, tonight: int
) -> None:
    """Six fives noted, back, seven: once a notice that Ann's count is noted, then noted as well."""
    ann = ask(database, club, load, tonight).seats[0]
    form = scorer.open(f"{place}/count").form("/count")
    pieces = f"pieces-{ann.id}-5"
    looked = scorer.send(form, **{pieces: "6"})
    assert scorer.send(looked.form("/count"), do="write").status == 303
    looked = scorer.send(form, **{pieces: "7"})
    notice = scorer.send(looked.form("/count"), do="write")
    assert notice.status == 409
    assert "The count of Ann is already saved" in notice.wrong("")
    assert "key" not in notice.text
    assert dict(notice.form("/count").fields)[pieces] == "7"
    assert scorer.send(notice.form("/count"), do="write").status == 303


@pytest.mark.parametrize(
    ("address", "ending", "first", "second"),
    [
        ("bank", "/bank", {"player": "Ann", "chips": "10"}, {"player": "Ann", "chips": "20"}),
        ("table", "/join", {"new_name": "Zoe"}, {"new_name": "Yan"}),
        ("rules", "/rate", {"rate_chips": "5", "rate_money": "1"}, {"rate_chips": "7"}),
        (
            "table/seats",
            "/seats",
            {"do": "save", "order": ["Bob", "Ann", "Cyd", "Dee"]},
            {"do": "save", "order": ["Ann", "Cyd", "Bob", "Dee"]},
        ),
    ],
)
def test_any_form_gone_back_to_and_changed_is_saved_by_one_more_tap(
    scorer: Phone,
    place: str,
    address: str,
    ending: str,
    first: dict[str, str | list[str]],
    second: dict[str, str | list[str]],
) -> None:
    """Not untold, in words of the table, and with nothing typed lost."""
    send: Callable[..., Page] = scorer.send
    form = to(scorer.open(f"{place}/{address}"), ending)
    assert send(form, **first).status == 303
    notice = send(form, **{**first, **second})
    assert notice.status == 409
    assert "This form was saved before, and changed since." in notice.text
    assert "key" not in notice.text
    assert send(to(notice, ending), **{**first, **second}).status == 303


def test_a_used_key_hides_nobody_elses_write(
    scorer: Phone, place: str, database: Database, club: Access, tonight: int
) -> None:
    """The form's own write is no news to its writer; a hand written after it is."""
    form = scorer.open(f"{place}/bank").form("/bank")
    assert lend(scorer, form, "10").status == 303
    table.record(
        database,
        club,
        tonight,
        {"contract": {"bidder": "Ann", "bid": "go-alone", "trump": "S"}, "points": 85},
    )
    saved_before = lend(scorer, form, "20")
    assert saved_before.status == 409
    notice = lend(scorer, saved_before.form("/bank"), "20")
    assert (notice.status, "meanwhile: hand 1 was recorded (Sue, " in notice.text) == (412, True)
    assert lend(scorer, notice.form("/bank"), "20").status == 303
    bank = [
        each
        for each in ask(database, club, accounts.books, tonight).accounts
        if each.kind == "bank"
    ]
    assert [each.balance for each in bank] == [-630]


def test_a_page_without_a_form_says_it_in_words_of_the_table_too(scorer: Phone, place: str) -> None:
    """A key that wrote something else meets the button that closes the session."""
    form = scorer.open(f"{place}/bank").form("/bank")
    assert lend(scorer, form, "10").status == 303
    used = dict(form.fields)["key"]
    refused = scorer.send(scorer.open(f"{place}/table").form("/close"), key=used)
    assert refused.status == 409
    assert "This form was saved before" in refused.text
    assert "idempotency" not in refused.text
