"""Notices of a save offer its undo: one tap if only chips move, a preview first if money does."""

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.chips import bank
from ledger.services.common.writing import Write
from tests.ledger import cash, table
from tests.ledger.web.phone import Page, Phone

HAND = {"bidder": "Ann", "bid": "go-alone", "trump": "S", "points": "85"}


def save_a_hand(scorer: Phone, address: str) -> Page:
    """Save a hand by its form; return the scoreboard with the notice."""
    form = scorer.open(f"{address}/hands/new").form("/new")
    preview = scorer.send(form, do="show", **HAND)
    return scorer.open(scorer.send(preview.form("/new"), do="save").location)


def undo_of(page: Page) -> list[str]:
    """Return the addresses of a page's forms that undo."""
    return [form.action for form in page.reader.forms if form.action.endswith("/undo")]


def test_a_saved_hand_is_undone_from_its_notice(
    scorer: Phone, address: str, tonight: int, database: Database, club: Access
) -> None:
    """Once, for any number of taps; the notice of that has no further undo."""
    before = table.balances(database, club, tonight)
    page = save_a_hand(scorer, address)
    assert "Undo hand 2" in page.text
    answer = scorer.send(page.form("/undo"))
    assert (answer.status, answer.location) == (303, f"{address}?done=undone")
    assert scorer.send(page.form("/undo")).location == answer.location
    assert table.balances(database, club, tonight) == before
    assert undo_of(scorer.open(answer.location)) == []
    assert undo_of(scorer.open(address)) == []


def test_a_loan_and_a_change_of_the_table_are_undone_where_they_are_told(
    scorer: Phone, address: str, tonight: int, database: Database, club: Access
) -> None:
    """And lead back there."""
    before = table.balances(database, club, tonight)
    form = scorer.open(f"{address}/bank").form("/bank")
    notice = scorer.open(scorer.send(form, what="lend", player="Bob", chips="30").location)
    assert "Undo the loan" in notice.text
    assert scorer.send(notice.form("/undo")).location == f"{address}/bank?done=undone"
    assert table.balances(database, club, tonight) == before
    out = scorer.open(f"{address}/table").form("/sit-out")
    notice = scorer.open(scorer.send(out).location)
    assert scorer.send(notice.form("/undo")).location == f"{address}/table?done=undone"


def test_what_somebody_else_did_meanwhile_is_not_undone_by_it(
    scorer: Phone, address: str, tonight: int, database: Database, club: Access
) -> None:
    """A notice offers only its reader's last action; one that is old by a write is refused."""
    page = save_a_hand(scorer, address)
    tom = Access(club.club_id, club.role, "Tom")
    bank.lend(Write(database, tom, table.new_key()), tonight, player="Bob", chips=30)
    late = scorer.send(page.form("/undo"))
    assert (late.status, "changed" in late.text or "meanwhile" in late.text) == (412, True)
    assert undo_of(scorer.open(f"{address}?saved=2")) == []


def test_where_money_moves_a_look_comes_first(scorer: Phone, address: str) -> None:
    """After a departure with money, the notice leads to the page with the preview."""
    form = scorer.open(f"{address}/settle").form("/rate")
    scorer.send(form, rate_chips="100", rate_money="1")
    leaving = scorer.open(f"{address}/table/leave?player=Bob").form("/leave")
    notice = scorer.open(scorer.send(leaving, player="Bob").location)
    assert undo_of(notice) == []
    assert f"{address}/undo" in notice.reader.links


def test_a_payment_is_undone_from_its_notice(
    scorer: Phone, cashed_in: str, database: Database, club: Access
) -> None:
    """It is owed again."""
    owed = cash.owed(database, club)
    paying = next(f for f in scorer.open(cashed_in).reader.forms if f.action.endswith("/pay"))
    notice = scorer.open(scorer.send(paying).location)
    assert cash.owed(database, club) != owed
    answer = scorer.send(notice.form("/money/undo"))
    assert (answer.status, answer.location) == (303, f"{cashed_in}?done=unpaid")
    assert cash.owed(database, club) == owed
