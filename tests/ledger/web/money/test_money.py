"""Money on the pages: the rate, the conversion, payments and statements; the club's chips and currency."""

from datetime import timedelta

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.runtime.clock import today
from ledger.services.chips import adjust
from ledger.services.money import convert, statements
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from tests.ledger import cash, table
from tests.ledger.table import ask
from tests.ledger.web.phone import Phone


def agree(database: Database, club: Access, session: int, rate: Rate) -> None:
    """Agree on a rate."""
    convert.set_rate(table.write(database, club), session, rate=rate)


def statement(database: Database, club: Access, name: str) -> str:
    """The address of a player's statement."""
    number = table.player_id(database, club, name)
    return f"/clubs/{club.club_id}/players/{number}/statement"


def test_the_conversion_is_seen_before_it_is_made(
    scorer: Phone, address: str, cashed_in: str, database: Database, club: Access, tonight: int
) -> None:
    """Ann 1.50, the others −0.50 each; then nobody has a chip."""
    assert set(table.balances(database, club, tonight).values()) == {0}
    text = scorer.open(cashed_in).text
    assert "Bob pays Ann 0.50" in text
    assert "Ann 1.50 Bob −0.50 Cyd −0.50 Dee −0.50" in text
    assert "All chips of this session have been cashed in" in scorer.open(f"{address}/settle").text


def test_who_leaves_is_paid_for_chips_and_never_for_a_score(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Ann scored 6 at German Solo and won 150 chips, ten to a cent."""
    played = cash.voided_scores(database, club, table.german_solo("Ann"))
    cash.restore(database, club, played, 1)
    table.record(database, club, played, cash.ANN_WINS)
    page = scorer.open(f"/clubs/{club.club_id}/sessions/{played}/table/leave?player=Ann")
    assert "Won +150" in page.text
    assert "0.15" in page.text
    assert "156" not in page.text


def test_what_everybody_gets_is_shown_at_the_rate(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Before anything is written; 30 chips to 0.07 leave a cent over, which nobody loses."""
    agree(database, club, tonight, Rate(30, 7))
    before = table.row_counts(database)
    text = scorer.open(f"{address}/settle").text
    assert "30 chips are worth 0.07 EUR" in text
    assert "Ann +150 0.35" in text
    assert "Bob −50 −0.11 Cyd −50 −0.12 Dee −50 −0.12" in text
    assert table.row_counts(database) == before


def test_a_rate_at_which_no_account_could_hold_the_money_can_be_changed_where_it_is_refused(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """The players with too much money, no button that could not work, and the rate open to be corrected."""
    cash.lend(database, club, tonight, "Bob", 10**9)
    adjust.adjust(table.write(database, club), tonight, player="Bob", chips=10**9, reason="a slip")
    adjust.adjust(
        table.write(database, club),
        tonight,
        player="Cyd",
        chips=-(10**9),
        reason="a slip",
    )
    agree(database, club, tonight, Rate(1, 10**9))
    page = scorer.open(f"{address}/settle")
    assert page.status == 200
    assert "This would put Bob at 9,999,999,500,000,000.00 EUR" in page.text
    leaving = scorer.open(f"{address}/table/leave?player=Bob")
    assert leaving.status == 409
    assert "This would put Bob at 9,999,999,500,000,000.00 EUR" in leaving.text
    assert scorer.send(page.form("/settle")).status == 409
    assert scorer.send(page.form("/rate"), rate_chips="100", rate_money="1").status == 303
    assert scorer.send(scorer.open(f"{address}/settle").form("/settle")).status == 303


def test_a_rate_that_is_none_is_refused_at_its_input(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Nothing is agreed on, the typed text stays."""
    form = scorer.open(f"{address}/settle").form("/rate")
    for chips, worth, field, sentence in (
        ("0", "1", "rate_chips", "how many chips are worth how much"),
        ("100", "", "rate_money", "0.01 to 10,000,000.00 EUR"),
        ("100", "a lot", "rate_money", "“a lot” is not an amount in EUR"),
    ):
        page = scorer.must_refuse(form, field, sentence, rate_chips=chips, rate_money=worth)
        assert dict(page.form("/rate").fields)["rate_chips"] == chips
    assert ask(database, club, load, tonight).rate is None


def test_chips_that_lie_elsewhere_are_said_to_wait(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """An adjustment to be shared first; sent all the same, it is refused."""
    agree(database, club, tonight, Rate(100, 100))
    form = scorer.open(f"{address}/bank").form("/bank")
    scorer.send(form, what="take", player="Ann", chips="10", reason="found")
    page = scorer.open(f"{address}/settle")
    assert "Counted chips are off by −10 in total" in page.text
    refused = scorer.send(page.form("/settle"))
    assert refused.status == 409
    assert table.balances(database, club, tonight)["Ann"] == 290


def test_closing_a_session_somebody_left_for_money_shows_what_is_to_be_settled(
    scorer: Phone, viewer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """The page that turns the chips into money, with its button; the club's money names the session."""
    agree(database, club, tonight, Rate(100, 100))
    cash.leave(database, club, tonight, "Ann")
    page = scorer.send(scorer.open(address).form("/close"))
    assert page.status == 409
    assert "Cash in the chips first, or undo the leaving" in page.text
    money_page = viewer.open(f"/clubs/{club.club_id}/money").text
    assert "Tonight: Ann left and gets 1.50 EUR." in money_page
    assert "Nobody owes anything" not in money_page
    assert scorer.send(page.form("/settle")).status == 303
    assert scorer.send(scorer.open(address).form("/close")).status == 303


def test_no_page_says_that_nobody_owes_anything_while_a_session_is_unfinished(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Ann's winnings of one evening are her losses of the next: 0 on the books, yet both are unfinished."""
    agree(database, club, tonight, Rate(100, 100))
    cash.leave(database, club, tonight, "Ann")
    monday = table.start(database, club, table.FOUR, rate=Rate(100, 100), title="Monday")
    table.record(database, club, monday, {**cash.ANN_WINS, "points": 35})
    cash.leave(database, club, monday, "Ann")
    page = scorer.open(f"/clubs/{club.club_id}/money")
    assert "Nobody owes anything" not in page.text
    assert page.text.count("Some players left early for money") == 1
    assert "Tonight: Ann left and gets 1.50 EUR." in page.text
    assert "Monday: Ann left owing 1.50 EUR." in page.text
    mine = scorer.open(statement(database, club, "Ann"))
    assert "Ann nothing is owed so far" in mine.text
    assert "Monday: Ann left owing 1.50 EUR." in mine.text
    place = address.removesuffix(str(tonight))
    assert {f"{place}{tonight}/settle", f"{place}{monday}/settle"} <= set(page.reader.links)


def test_what_is_owed_from_before_is_paid_while_another_session_is_unfinished(
    scorer: Phone, cashed_in: str, database: Database, club: Access
) -> None:
    """Tonight's debts are known; Bob left Monday owing 0.50, and pays Ann tonight's all the same."""
    monday = table.start(database, club, table.FOUR, rate=Rate(100, 100), title="Monday")
    table.record(database, club, monday, cash.ANN_WINS)
    cash.leave(database, club, monday, "Bob")
    page = scorer.open(cashed_in)
    assert "Monday: Bob left owing 0.50 EUR. Cash in the chips" in page.text
    assert f"/clubs/{club.club_id}/sessions/{monday}" in page.reader.links
    assert "The fewest payments" not in page.text
    assert "Earlier debts can be paid meanwhile" in page.text
    form = page.form("/money/pay")
    assert scorer.send(form, payer="Bob", payee="Ann", amount="0.50").status == 303
    assert cash.owed(database, club) == {"Ann": 100, "Bob": -50, "Cyd": -50, "Dee": -50}
    scorer.send(
        scorer.open(f"{cashed_in.removesuffix('money')}sessions/{monday}/settle").form("/settle")
    )
    text = scorer.open(cashed_in).text
    assert "Bob pays Ann 0.50" in text
    assert "Ann 2.50 Bob −0.50 Cyd −1.00 Dee −1.00" in text


@pytest.mark.usefixtures("cashed_in")
def test_a_conversion_is_taken_back_from_the_page_that_made_it(
    scorer: Phone, viewer: Phone, address: str, database: Database, club: Access
) -> None:
    """Undo reaches it, too.

    Here the moves are shown, a reason is required, and the list marks it as undone.
    """
    cash.lend(database, club, int(address.rpartition("/")[2]), "Bob", 5)
    scorer.send(scorer.open(f"{address}/undo").form("/undo"))
    undo = scorer.open(f"{address}/undo")
    assert "Last change: the chips were cashed in." in undo.text
    way = next(
        link for link in scorer.open(f"{address}/settle").reader.links if "/take-back" in link
    )
    page = scorer.open(way)
    assert "Chips cashed in" in page.text
    assert "Ann EUR 1.50 −1.50 0.00" in page.text
    assert viewer.open(way).status == 403
    missing = scorer.send(page.form("/take-back"), reason=" ")
    assert missing.status == 422
    assert missing.wrong("reason")
    done = scorer.send(page.form("/take-back"), reason="the rate was wrong")
    assert done.location == f"{address}/entries?done=taken-back"
    text = viewer.open(f"{address}/entries").text
    assert "undone" in text
    assert "the rate was wrong" in text
    assert cash.owed(database, club) == {}
    repeated = scorer.open(way)
    assert "was already undone" in repeated.text
    assert "/take-back" not in " ".join(scorer.open(f"{address}/settle").reader.links)
    assert "Ann +150 1.50" in scorer.open(f"{address}/settle").text


def test_an_adjustment_is_taken_back_where_the_bank_lists_it(
    scorer: Phone, viewer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Though a hand was played since; a viewer sees the list without the button."""
    form = scorer.open(f"{address}/bank").form("/bank")
    scorer.send(form, what="give", player="Bob", chips="7", reason="found")
    table.record(database, club, tonight, table.ALL_PASS)
    assert f"{address}/entries" in scorer.open(f"{address}/bank").reader.links
    listed = scorer.open(f"{address}/entries")
    assert "Adjustment, Bob" in listed.text
    assert "Bob +7" in listed.text
    assert "/take-back" not in " ".join(viewer.open(f"{address}/entries").reader.links)
    (way,) = [link for link in listed.reader.links if "/take-back" in link]
    page = scorer.open(way)
    assert scorer.send(page.form("/take-back"), reason="lost again").status == 303
    assert table.balances(database, club, tonight)["Bob"] == 100


def test_a_double_tap_converts_once(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """And an overtaken one converts nothing."""
    agree(database, club, tonight, Rate(100, 100))
    form = scorer.open(f"{address}/settle").form("/settle")
    table.record(database, club, tonight, cash.ANN_WINS)
    stale = scorer.send(form)
    assert stale.status == 412
    assert "Ann +300 3.00" in stale.text
    again = stale.form("/settle")
    assert [scorer.send(again).status for _ in range(2)] == [303, 303]


def test_before_anything_was_won_nothing_is_said_to_be_cashed_in(scorer: Phone, seven: str) -> None:
    """Without a hand there is nothing to cash in; it was not done either."""
    form = scorer.open(f"{seven}/settle").form("/rate")
    assert scorer.send(form, rate_chips="100", rate_money="1").status == 303
    page = scorer.open(f"{seven}/settle")
    assert "No chips have been won or lost yet; there is nothing to cash in." in page.text
    assert "have been cashed in" not in page.text


def test_the_day_of_a_conversion_is_proposed_and_can_be_chosen(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Long after an evening its own day; an invalid or future one is refused at its field."""
    played = table.start(database, club, rate=cash.TEN_FOR_ONE)
    table.record(database, club, played, {**cash.ANN_WINS, "played_at": "2025-12-12T12:30:00Z"})
    address = f"/clubs/{club.club_id}/sessions/{played}"
    page = scorer.open(f"{address}/settle")
    assert ("day", "2025-12-12") in page.form("/settle").fields
    for wrong in ("yesterday", "", "2999-01-01", "2025-02-30", "0001-01-01", "9999-12-31"):
        refused = scorer.send(page.form("/settle"), day=wrong)
        assert "Nothing was saved" in refused.text, wrong
        assert ("day", wrong or "2025-12-12") in refused.form("/settle").fields
        page = scorer.open(f"{address}/settle")
    scorer.send(page.form("/settle"))
    assert "12 Dec 2025" in scorer.open(statement(database, club, "Ann")).text


@pytest.mark.parametrize(("day", "shown"), [("2025-12-14", "14 Dec 2025"), (None, None)])
def test_the_day_that_was_chosen_stands_in_the_statement(
    scorer: Phone, database: Database, club: Access, day: str | None, shown: str | None
) -> None:
    """Today is this very moment, and not its noon; sent twice, it is saved once."""
    played = table.start(database, club, rate=cash.TEN_FOR_ONE)
    table.record(database, club, played, {**cash.ANN_WINS, "played_at": "2025-12-12T12:30:00Z"})
    form = scorer.open(f"/clubs/{club.club_id}/sessions/{played}/settle").form("/settle")
    chosen = day or today().isoformat()
    assert [scorer.send(form, day=chosen).status for _ in range(2)] == [303, 303]
    (line,) = ask(database, club, statements.of_player, 1, limit=9).lines
    if shown is None:
        assert abs(line.occurred_at - line.entered_at) < timedelta(minutes=1)
    else:
        assert shown in scorer.open(statement(database, club, "Ann")).text
