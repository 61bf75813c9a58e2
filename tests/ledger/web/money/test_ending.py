"""The end of an evening is one path: count, cash in, pay, result; pages that do not apply are left out."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.money import convert
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle
from tests.ledger import cash, table
from tests.ledger.table import ask
from tests.ledger.web.phone import Page, Phone


def steps(page: Page) -> list[str]:
    """Return the targets of the path's links, without the evening named in them."""
    return [
        link.partition("?")[0].rsplit("/", 1)[1]
        for link in page.reader.links
        if "?ending=" in link and "hand" not in link
    ]


@pytest.fixture
def for_money(address: str, tonight: int, database: Database, club: Access) -> str:
    """An evening at a rate, in which Ann won 150."""
    convert.set_rate(table.write(database, club), tonight, rate=Rate(10, 10))
    return address


def test_the_path_leads_from_the_count_to_the_result(
    scorer: Phone, for_money: str, tonight: int, database: Database, club: Access
) -> None:
    """Each page's save leads on; the last one closes the session, and stays."""
    board = scorer.open(for_money)
    assert "End the evening" in board.text
    start = next(link for link in board.reader.links if "?ending=" in link)
    page = scorer.open(start)
    assert "End of the evening 1 of 4" in page.text
    assert set(steps(page)) == {"count", "settle", "money", "result"}
    counted = scorer.send(
        page.form(f"/count?ending={tonight}"), do="compare", **{"pieces-1-30": "10"}
    )
    saved = scorer.send(counted.form(f"/count?ending={tonight}"), do="write")
    assert saved.location == f"{for_money}/settle?done=counted&ending={tonight}"
    page = scorer.open(saved.location)
    assert "End of the evening 2 of 4" in page.text
    cashed = scorer.send(page.form(f"/settle?ending={tonight}"))
    home = f"/clubs/{club.club_id}"
    assert cashed.location == f"{home}/money?done=converted&ending={tonight}"
    page = scorer.open(cashed.location)
    assert "3 of 4" in page.text
    paying = next(form for form in page.reader.forms if "/pay" in form.action)
    assert f"ending={tonight}" in scorer.send(paying).location
    page = scorer.open(f"{for_money}/result?ending={tonight}")
    assert "4 of 4" in page.text
    assert "Who pays whom" in page.text
    closed = scorer.send(page.form(f"/close?ending={tonight}"))
    assert closed.location == f"{for_money}/result?done=closed&ending={tonight}"
    assert "Ann won +150" in scorer.open(closed.location).text
    assert not ask(database, club, load, tonight).is_open


def test_what_does_not_apply_is_left_out(
    scorer: Phone, address: str, tonight: int, database: Database, club: Access
) -> None:
    """Without money nothing is cashed in or paid; of scores and of a closed session the result is left."""
    page = scorer.open(f"{address}/count?ending={tonight}")
    assert "1 of 2" in page.text
    assert set(steps(page)) == {"count", "result"}
    lifecycle.close(table.write(database, club), tonight)
    assert "1 of 1" in scorer.open(f"{address}/result?ending={tonight}").text
    scored = table.start(database, club, table.FOUR, "german-solo")
    table.record(database, club, scored, table.german_solo("Ann"))
    there = address.rpartition("/")[0] + f"/{scored}"
    assert f"{there}/result?ending={scored}" in scorer.open(there).reader.links
    page = scorer.open(f"{there}/result?ending={scored}")
    assert "1 of 1" in page.text
    assert "Ann leads +6" in page.text


def test_an_ending_that_is_none_shows_no_path(scorer: Phone, viewer: Phone, address: str) -> None:
    """Another number, no number; viewers see the result alone."""
    for wrong in ("99", "x", "-1"):
        assert "End of the evening" not in scorer.open(f"{address}/bank?ending={wrong}").text
    page = viewer.open(f"{address}/result?ending=1")
    assert (page.status, "End of the evening" in page.text) == (200, False)
    assert "Ann leads +150" in page.text
    assert page.reader.forms == []


def test_the_result_tells_what_there_is_to_tell(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """With a line for each player, and the way to the hands it names."""
    played = int(seven.rsplit("/", 1)[1])
    assert "No hand yet" in scorer.open(f"{seven}/result").text
    for hand in (table.ALONE_85, table.ALONE_85, table.HEARTS_46):
        table.record(database, club, played, hand)
    page = scorer.open(f"{seven}/result")
    assert "Best hand Cyd +300 hand 1" in page.text
    assert f"{seven}/history?hand=1#hand-1" in page.reader.links
    assert "Worst hand Ann −120 hand 3" in page.text
    assert "Longest run of bids won Cyd 2 hands" in page.text
    assert "Most bids won Cyd 2" in page.text
    html = page.response.get_data(as_text=True)
    assert html.count("<polyline") == 7
    assert f"{seven}/report.pdf" in page.reader.links


def test_the_result_counts_how_often_the_lead_changed(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """Once, in a word; more often, in figures."""
    played = int(seven.rsplit("/", 1)[1])
    for hand in (table.HEARTS_74, table.ALONE_85):
        table.record(database, club, played, hand)
    assert "The lead changed once." in scorer.open(f"{seven}/result").text
    table.record(database, club, played, cash.ANN_WINS)
    assert "The lead changed 2 times." in scorer.open(f"{seven}/result").text


def test_one_hand_is_no_line_worth_looking_at(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Two are the least to draw: then there is a line a player."""
    played = table.start(database, club, table.FOUR)
    address = f"/clubs/{club.club_id}/sessions/{played}/result"
    for lines in (0, 4):
        table.record(database, club, played, cash.ANN_WINS)
        assert scorer.client.get(address).text.count("<polyline") == lines


def test_only_the_end_of_an_evening_is_celebrated(
    scorer: Phone, database: Database, club: Access
) -> None:
    """With confetti for all who won; there is none before, nor if everybody is even or nobody played."""
    played = table.start(database, club, table.FOUR)
    address = f"/clubs/{club.club_id}/sessions/{played}/result"
    for bidder in ("Ann", "Bob"):
        contract = {"bidder": bidder, "bid": "go-alone", "trump": "S"}
        table.record(database, club, played, {"contract": contract, "points": 85})
    page = scorer.open(address)
    assert "Ann and Bob lead +100" in page.text
    assert "confetti" not in page.response.get_data(as_text=True)
    lifecycle.close(table.write(database, club), played)
    page = scorer.open(address)
    assert "Ann and Bob won +100" in page.text
    assert "confetti" in page.response.get_data(as_text=True)
    for hands, words in (([], "No hand was played"), ([table.ALL_PASS], "Everybody is even")):
        other = table.start(database, club, table.FOUR)
        for hand in hands:
            table.record(database, club, other, hand)
        lifecycle.close(table.write(database, club), other)
        page = scorer.open(f"/clubs/{club.club_id}/sessions/{other}/result")
        assert words in page.text
        assert "confetti" not in page.response.get_data(as_text=True)


def test_a_leader_with_less_than_nothing_has_not_won(
    scorer: Phone, database: Database, club: Access
) -> None:
    """All have lost at German Solo, Ann most, and nobody is celebrated."""
    played = table.start(database, club, table.FOUR, "german-solo")
    for bidder in (*table.FOUR, "Ann"):
        table.record(database, club, played, table.german_solo(bidder, made=False))
    lifecycle.close(table.write(database, club), played)
    page = scorer.open(f"/clubs/{club.club_id}/sessions/{played}/result")
    assert "Bob, Cyd and Dee lead −6" in page.text
    assert "won" not in page.text.partition("lead −6")[0]
