"""The page that imports balances: choose or paste a file, check it, save it."""

from io import BytesIO

import pytest

from tests.ledger.keeping.imports import foreign_files as files
from tests.ledger.web.phone import Form, Page, Phone


@pytest.fixture
def address(scorer: Phone, cashed_in: str) -> str:
    """The address of the page, for a club in which Ann is owed 1.50."""
    return next(link for link in scorer.open(cashed_in).reader.links if link.endswith("/import"))


def form(page: Page) -> Form:
    """Return the form of the page."""
    return next(form for form in page.reader.forms if form.action.endswith("/import"))


def look(phone: Phone, page: Page, **filled: str | list[str] | None) -> Page:
    """Send the form for a preview."""
    return phone.send(form(page), do="look", **filled)


def test_a_pasted_file_is_previewed_and_imported(scorer: Phone, address: str) -> None:
    """Nothing is saved before; the second time there is nothing to save."""
    page = look(scorer, scorer.open(address), content=files.SPLITWISE)
    assert page.status == 200
    assert "2 rows can be imported." in page.text
    assert "Splitwise (CSV)" in page.text
    assert "Pizza" in page.text
    saved = scorer.send(form(page), do="save")
    assert saved.status == 303
    assert "The balances are imported." in scorer.open(saved.location).text
    again = look(scorer, scorer.open(address), content=files.SPLITWISE)
    assert "2 rows were imported before." in again.text
    assert ("do", "save") not in form(again).buttons
    nothing = scorer.send(form(again), do="save")
    assert "nothing was saved" in scorer.open(nothing.location).text


def test_a_file_is_uploaded(scorer: Phone, address: str) -> None:
    """Larger than other forms may be, in any encoding."""
    rows = "".join(f"2026-01-03;Nr {n};Essen;2,00;EUR;1,00;-1,00;0,00\n" for n in range(5000))
    head = files.SPLITWISE.partition("\n")[0]
    sent = dict(form(scorer.open(address)).fields)
    sent |= {"file": (BytesIO(f"{head}\n{rows}".encode("utf-16")), "x.csv"), "do": "look"}  # type: ignore[dict-item]
    page = Page(scorer.client.post(address, data=sent, content_type="multipart/form-data"))
    assert "5000 rows can be imported." in page.text.replace(",", "")
    assert scorer.send(form(page), do="save").status == 303


def test_the_columns_of_a_table_are_chosen(scorer: Phone, address: str) -> None:
    """First nothing but the columns is asked for; wrong ones keep the choice open."""
    page = look(scorer, scorer.open(address), content=files.TRICOUNT)
    assert "4 Paid by (Ann)" in page.text
    assert "Players" not in page.text
    wrong = look(scorer, page, **{"column-date": "3"})
    assert wrong.status == 422
    assert "Choose the column of the day" in wrong.text
    columns = {"date": "3", "text": "1", "cost": "2", "payer": "4", "members": "5"}
    chosen = {f"column-{name}": number for name, number in columns.items()} | {"order": "dmy"}
    page = look(scorer, wrong, **chosen)
    assert "2 rows can be imported." in page.text
    chosen |= {"format": "table", "of-0": "Impacted to Ann", "of-1": "Impacted to Bob"}
    page = look(scorer, page, **chosen, **{"member-0": "Ann", "member-1": ""})
    assert "Line 2: Impacted to Bob is left out." in page.text
    saved = scorer.send(form(page), **chosen, **{"member-1": "Bob", "do": "save", "as": "rows"})
    assert saved.status == 303


def test_refusals_keep_the_file_and_the_choices(scorer: Phone, address: str) -> None:
    """At the member's input; without a file there is an error at the file."""
    empty = look(scorer, scorer.open(address))
    assert (empty.status, "Choose a file, or paste its text." in empty.text) == (422, True)
    odd = files.SPLITWISE.replace("Cyd", "The bank")
    page = look(scorer, scorer.open(address), content=odd)
    assert page.status == 422
    assert "is the name of an account" in page.text
    page = look(scorer, page, **{"member-2": "Cyd"})
    assert "2 rows can be imported." in page.text
    bad = files.SPLITWISE.replace("2026-01-05", "2026-99-05")
    page = look(scorer, scorer.open(address), content=bad)
    assert "Line 4: “2026-99-05” is not a day" in page.text
    refused = scorer.send(form(page), do="save", whole="yes")
    assert refused.status == 422
    assert "Line 4 can't be imported, so nothing is" in refused.text


def test_an_import_is_undone_from_a_statement(scorer: Phone, address: str) -> None:
    """The whole of it, with a reason."""
    page = look(scorer, scorer.open(address), content=files.SPLITWISE)
    money = scorer.send(form(page), do="save").location
    links = scorer.open(money).reader.links
    statement = scorer.open(next(link for link in links if link.endswith("/statement")))
    assert "Imported balance" in statement.text
    undo = next(each for each in statement.reader.forms if dict(each.fields).get("entry"))
    done = scorer.send(undo, reason="wrong club")
    assert done.status == 303
    again = look(scorer, scorer.open(address), content=files.SPLITWISE)
    assert "2 rows can be imported." in again.text
