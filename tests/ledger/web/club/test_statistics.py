"""A player's page, head to head, the pages of the history, and the moves of a correction."""

import itertools
import re
from datetime import date, timedelta

import pytest
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import players
from ledger.services.reads import club_statistics
from ledger.services.session.view import Rate
from ledger.web.frame.chart import Chart
from tests.ledger import cash, table
from tests.ledger.table import ask
from tests.ledger.web.phone import Phone


@pytest.fixture
def played(database: Database, club: Access) -> int:
    """An evening of two hands: Ann wins 150, then all pass; turned into money at 100 to 1.00."""
    session = table.start(database, club, table.FOUR, rate=Rate(100, 100), title="Friday")
    table.record(database, club, session, cash.ANN_WINS)
    table.record(database, club, session, table.ALL_PASS)
    cash.convert(database, club, session)
    return session


def test_a_players_page_shows_hands_contracts_best_worst_and_money(
    viewer: Phone, database: Database, club: Access, played: int
) -> None:
    """Also to viewers; the line over time is drawn without a style."""
    ann = table.player_id(database, club, "Ann")
    page = viewer.open(f"/clubs/{club.club_id}/players/{ann}")
    assert "Played 2 +150 +75.0" in page.text
    assert "As bidder 1 1 +150 +150.0" in page.text
    assert "Go alone 1 1 +150" in page.text
    assert "hand 1 +150" in page.text
    assert "now 1.50 EUR" in page.text
    html = page.response.get_data(as_text=True)
    assert "<polyline" in html
    assert " style=" not in html
    assert f"/clubs/{club.club_id}/sessions/{played}" in page.reader.links


def test_who_never_played_has_a_page_too(viewer: Phone, database: Database, club: Access) -> None:
    """And nobody's number has none."""
    players.add(table.write(database, club), name="Zoe")
    zoe = table.player_id(database, club, "Zoe")
    assert "No hand yet" in viewer.open(f"/clubs/{club.club_id}/players/{zoe}").text
    assert viewer.open(f"/clubs/{club.club_id}/players/999").status == 404


@pytest.mark.usefixtures("played")
def test_a_players_page_renames_them(
    scorer: Phone, viewer: Phone, database: Database, club: Access
) -> None:
    """Viewers can't; an invalid name is refused at the name."""
    address = f"/clubs/{club.club_id}/players/{table.player_id(database, club, 'Ann')}"
    form = scorer.open(address).reader.forms[-1]
    assert dict(form.fields)["name"] == "Ann"
    assert "means something else" in scorer.send(form, name="Solo pot").wrong("name")
    assert scorer.send(form, name="Anne").status == 303
    assert "Anne Statement" in viewer.open(address).text
    assert [form.action for form in viewer.open(address).reader.forms] == [address]  # the period


@pytest.mark.usefixtures("played")
def test_head_to_head_is_seen_from_both_sides(viewer: Phone, club: Access) -> None:
    """Ann got 50 of each; they got nothing of one another."""
    text = viewer.open(f"/clubs/{club.club_id}/head-to-head").text
    assert "Ann – +50 +50 +50" in text
    assert "Bob −50 –" in text


def test_head_to_head_lists_one_player_s_totals_best_first(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Of the chosen player, else of the one with the device's name, else of the first by name."""
    session = table.start(database, club, ("Ann", "Bob", "Mia"))
    alone = {"bidder": "Bob", "bid": "go-alone-in-hearts"}
    for hand in (cash.ANN_WINS, {"contract": alone, "points": 85}):
        table.record(database, club, session, hand)
    address = f"/clubs/{club.club_id}/head-to-head"
    bob = table.player_id(database, club, "Bob")
    bobs = scorer.open(f"{address}?player={bob}").text
    assert re.search(
        r"Bob against the others .* Mia got \d+ in 1 hand, paid 0 in 0 \+\d+ Ann got", bobs
    )
    assert "ahead of 2, behind 0" in bobs
    assert "Mia against the others" in scorer.open(address).text
    for unknown in ("999", "x"):
        assert "Mia against the others" in scorer.open(f"{address}?player={unknown}").text


@pytest.mark.usefixtures("played")
def test_head_to_head_begins_with_the_first_player_for_a_device_that_is_none(
    viewer: Phone, club: Access
) -> None:
    """The list and the table are of the same totals."""
    text = viewer.open(f"/clubs/{club.club_id}/head-to-head").text
    assert "Ann against the others +150 chips in all; ahead of 3, behind 0." in text


def test_an_empty_club_has_no_head_to_head(viewer: Phone, club: Access) -> None:
    """The page states it."""
    assert "Nobody has paid" in viewer.open(f"/clubs/{club.club_id}/head-to-head").text


def test_the_history_is_paged_and_a_hand_found_on_its_page(
    scorer: Phone, database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest first; a corrected hand is shown on its own page."""
    monkeypatch.setattr("ledger.web.evening.history.A_PAGE", 3)
    session = table.start(database, club, ("Ann", "Bob", "Cyd"))
    for _ in range(4):
        table.record(database, club, session, table.ALL_PASS)
    address = f"/clubs/{club.club_id}/sessions/{session}"
    newest = scorer.open(f"{address}/history")
    assert f"{address}/hands/4/correct" in newest.reader.links
    assert f"{address}/hands/1/correct" not in newest.reader.links
    assert f"{address}/history?page=2" in newest.reader.links
    assert f"{address}/hands/1/correct" in scorer.open(f"{address}/history?hand=1").reader.links
    voided = scorer.send(scorer.open(f"{address}/hands/1/void").form("/void"), reason="misdeal")
    assert voided.location == f"{address}/history?page=2&saved=1#hand-1"
    assert "Hand 1 is void" in scorer.open(voided.location).text


def test_a_void_hand_is_restored_with_a_reason(
    scorer: Phone, database: Database, club: Access, played: int
) -> None:
    """The page shows the moves; without a reason there are none."""
    table.void(database, club, played, 1)
    address = f"/clubs/{club.club_id}/sessions/{played}"
    assert f"{address}/hands/1/restore" in scorer.open(f"{address}/history").reader.links
    page = scorer.open(f"{address}/hands/1/restore")
    assert "Ann −150 +150 0" in page.text
    refused = scorer.send(page.form("/restore"), reason=" ")
    assert refused.status == 422
    assert "Give a reason" in refused.wrong("reason")
    restored = scorer.send(page.form("/restore"), reason="the cards were there")
    assert restored.status == 303
    text = scorer.open(restored.location.split("#")[0]).text
    assert "Hand 1 restored: Ann +150" in text
    assert "corrected" not in text
    assert f"{address}/hands/1/void" in scorer.open(f"{address}/history").reader.links
    assert scorer.send(page.form("/restore"), reason="again", key="another-key").status in {
        409,
        412,
    }


WINS_THE_FROG = {"contract": {"bidder": "Ann", "bid": "frog"}, "points": 74}


@pytest.fixture
def with_pots(database: Database, club: Access) -> int:
    """A session for pots: all passed, then Ann won the frog."""
    options = {"pots": {"stake": 5, "solo_factor": 1}}
    session = table.start(database, club, ("Ann", "Bob", "Cyd"), "progressive", options=options)
    table.record(database, club, session, table.ALL_PASS)
    table.record(database, club, session, WINS_THE_FROG)
    return session


def test_a_correction_shows_the_hands_that_follow_it(
    scorer: Phone, club: Access, with_pots: int
) -> None:
    """A hand removed from the pots changes a later winner's payment from them."""
    address = f"/clubs/{club.club_id}/sessions/{with_pots}"
    page = scorer.open(f"{address}/hands/1/void")
    assert "Later hands recalculated" in page.text
    assert "1 later hand is recalculated" in page.text
    assert "Hand 2 Frog pot 0, Solo pot 0 Ann −15" in page.text
    assert scorer.send(page.form("/void"), reason="misdeal").status == 303
    text = scorer.open(f"{address}/history").text
    assert "follows hand 1" in text
    assert "corrected" not in text
    assert "hand 1 voided: misdeal" in text


def test_a_corrected_hand_that_follows_another_stays_marked_as_corrected(
    scorer: Phone, database: Database, club: Access, with_pots: int
) -> None:
    """It has both marks: the change to it, and the hand it was recalculated for."""
    table.correct(database, club, with_pots, 2, {**WINS_THE_FROG, "points": 80})
    table.void(database, club, with_pots, 1)
    text = scorer.open(f"/clubs/{club.club_id}/sessions/{with_pots}/history").text
    assert "80 points, won corrected follows hand 1" in text


def test_a_payout_says_how_it_is_paid_in_chips(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Before it is saved and after, where the table has chips."""
    session = table.start(database, club, table.FOUR, starting_stack=150)
    address = f"/clubs/{club.club_id}/sessions/{session}"
    form = scorer.open(f"{address}/hands/new").form("/new")
    told = {"bidder": "Ann", "bid": "go-alone", "trump": "S", "points": "85"}
    preview = scorer.send(form, do="show", **told)
    assert "Bob, Cyd, Dee to Ann, 50 each: 2 × 20, 2 × 5" in preview.text
    saved = scorer.send(preview.form("/new"), do="save")
    assert "Bob, Cyd, Dee to Ann, 50 each: 2 × 20, 2 × 5" in scorer.open(saved.location).text
    assert "In chips" not in scorer.open(address).text


def test_antes_and_the_pot_taken_are_paid_in_chips_too(
    scorer: Phone, database: Database, club: Access
) -> None:
    """The same before the hand is saved and after: the pot is taken with its chips."""
    options = {"pots": {"stake": 5, "solo_factor": 1}}
    trio = table.FOUR[:3]
    session = table.start(
        database, club, trio, "progressive", options=options, starting_stack=150, first_dealer="Ann"
    )
    address = f"/clubs/{club.club_id}/sessions/{session}"
    form = scorer.open(f"{address}/hands/new").form("/new")
    told = {"bidder": "Ann", "bid": "spade-solo", "points": "70"}
    preview = scorer.send(form, do="show", **told)
    saved = scorer.open(scorer.send(preview.form("/new"), do="save").location)
    for page in (preview, saved):
        assert "Bob, Cyd to Ann, 20 each: 1 × 20" in page.text
        assert "Ann, Bob, Cyd to frog pot, 5 each: 1 × 5" in page.text
        assert "solo pot to Ann, 15: 3 × 5" in page.text


def test_a_line_without_a_move_is_flat() -> None:
    """Along the level of nothing won; nothing at all is no line."""
    assert Chart.of([]) is None
    flat = Chart.of([0, 0])
    assert flat is not None
    assert {each.partition(",")[2] for each in flat.points.split()} == {f"{flat.zero}"}


def test_a_line_goes_on_from_where_it_stood() -> None:
    """The latest part of a longer one does not begin with nothing, but nothing is in the picture."""
    late = Chart.of([110, 120], start=100)
    assert late is not None
    assert (late.values, late.lowest) == ((100, 110, 120), 100)
    assert (late.zero, "0") in late.levels
    assert late.points.startswith(f"{late.left},")


def test_the_axes_say_round_figures_and_days() -> None:
    """A day is written once, under its place, and no two stand in each other's way."""
    days = [date(2026, 1, 2), *(date(2026, 1, 2) + timedelta(days=7 * n) for n in range(11))]
    chart = Chart.of([-130, 260, *range(10)], days=days, formatted=lambda each: f"{each} chips")
    assert chart is not None
    assert [figure for _, figure in chart.levels] == [
        f"{each} chips" for each in (-200, -100, 0, 100, 200, 300)
    ]
    shown = [on for _, on, _ in chart.dates]
    assert shown[0] == days[0]
    assert shown[-1] == days[-1]
    assert len(set(shown)) == len(shown) > 2
    places = [at for at, _, _ in chart.dates]
    assert all(after - at >= 76 for at, after in itertools.pairwise(places))
    once = Chart.of([1, 2, 3], days=[days[0]] * 3)
    assert once is not None
    assert [on for _, on, _ in once.dates] == [days[0]]


def test_the_club_s_statistics_say_who_won_what_was_played_and_how_often_it_was_made(
    viewer: Phone, database: Database, club: Access
) -> None:
    """Chips and scores apart, with the best and the worst hand of each; the club's page leads there.

    Another order of the players is a link away, an unknown one is the first.
    """
    six_bid = table.start(database, club, table.FOUR, "six-bid", first_dealer="Dee")
    lost = {"contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 48}
    table.record(database, club, six_bid, lost)
    german = table.start(database, club, table.FOUR, "german-solo")
    table.record(database, club, german, table.german_solo("Bob"))
    address = f"/clubs/{club.club_id}/statistics"
    assert address in viewer.open(f"/clubs/{club.club_id}").reader.links
    page = viewer.open(address)
    won = "Bob 1 hand, 0 of 0 bids made +12 Cyd 1 hand, 0 of 0 bids made +12 Dee 0 hands"
    assert won in page.text
    assert "Ann 1 hand, 0 of 1 bid made −36" in page.text
    assert "Worst hand: Ann" in page.text
    assert "Bob 1 hand, 1 of 1 bid made +6 Ann 1 hand, 0 of 0 bids made 0" in page.text
    assert "Best hand: Bob" in page.text
    assert "German Solo 1 of 1 contract made 100 % Solo 1 of 1 contract made 100 %" in page.text
    assert "Six-Bid Solo 0 of 1 contract made 0 % Solo 0 of 1 contract made 0 %" in page.text
    assert f"/clubs/{club.club_id}/sessions/{german}/history?hand=1#hand-1" in page.reader.links
    bid = viewer.open(f"{address}?by=share")
    assert "Chips Of the contracts that a player bid" in bid.text
    assert "Score Of the contracts that a player bid, those that were made. Bob 1 hand" in bid.text
    average = viewer.open(f"{address}?by=average").text
    assert "Ann 1 hand, 0 of 1 bid made −36.0" in average
    assert "Dee 0 hands, 0 of 0 bids made 0 The others 1 player Ann" in average
    assert viewer.open(f"{address}?by=name").text == page.text
    view = ask(database, club, club_statistics.of_club)
    assert [sum(each.total for each in part.standings) for part in view.units] == [0, 6]


def test_a_game_that_no_rules_of_today_know_counts_as_chips_by_its_slug(
    viewer: Phone, database: Database, club: Access, played: int
) -> None:
    """On the club's page and on a player's: the sums stay the same."""
    assert played
    with database.engine.begin() as books:
        books.execute(text("UPDATE tally SET game = 'old-solo'"))
    assert (
        "old-solo 1 of 1 contract made 100 % Go alone 1 of 1"
        in viewer.open(f"/clubs/{club.club_id}/statistics").text
    )
    ann = table.player_id(database, club, "Ann")
    page = viewer.open(f"/clubs/{club.club_id}/players/{ann}").text
    assert "old-solo" in page
    assert "Go alone 1 1 +150" in page
    view = ask(database, club, club_statistics.of_club)
    assert [(part.unit, part.standings[0].total) for part in view.units] == [("chips", 150)]


def test_a_game_somebody_only_sat_out_makes_no_empty_table(
    viewer: Phone, database: Database, club: Access
) -> None:
    """Ann, the king of her only hand of Six-Bid; the others' page has the game."""
    six_bid = table.start(database, club, table.FOUR, "six-bid", first_dealer="Ann")
    solo = {"contract": {"bidder": "Bob", "bid": "solo", "trump": "S"}, "points": 72}
    table.record(database, club, six_bid, solo)
    pages = {
        name: viewer.open(
            f"/clubs/{club.club_id}/players/{table.player_id(database, club, name)}"
        ).text
        for name in ("Ann", "Bob")
    }
    assert "Sat out 1" in pages["Ann"]
    assert "Six-Bid" not in pages["Ann"].partition(" Show ")[2]
    assert "Six-Bid" in pages["Bob"]


def test_bids_made_rank_whoever_bid_by_their_share_then_by_their_bids(
    viewer: Phone, database: Database, club: Access
) -> None:
    """Ann made one of one, Bob two of two, and Cyd none of one; Dee has bid nothing."""
    played = table.start(database, club, table.FOUR)
    for bidder, points in (("Ann", 120), ("Bob", 70), ("Bob", 70), ("Cyd", 30)):
        contract = {"bidder": bidder, "bid": "go-alone", "trump": "S"}
        table.record(database, club, played, {"contract": contract, "points": points})
    page = viewer.open(f"/clubs/{club.club_id}/statistics?by=share").text
    names = re.findall(r"(\w+) 4 hands, \d of \d bids? made", page)
    assert names == ["Bob", "Ann", "Cyd"]


def test_statistics_are_limited_by_the_year_days_and_game_in_the_address(
    viewer: Phone, database: Database, club: Access
) -> None:
    """Links keep the choice; days in the wrong order are exchanged, unreadable ones are left out."""
    for year in (2025, 2026):
        evening = table.start(
            database, club, table.FOUR, title=f"In {year}", started_on=date(year, 5, 1)
        )
        table.record(database, club, evening, cash.ANN_WINS)
    home = f"/clubs/{club.club_id}"
    ann = f"{home}/players/{table.player_id(database, club, 'Ann')}"
    for page in ("/statistics", "/head-to-head", ann.removeprefix(home)):
        everything = viewer.open(f"{home}{page}").text
        ending = "Best hand"  # below it a player's page has running totals
        assert "300" in everything or "+100" in everything
        for days in ("from=2026-01-01&to=2026-12-31", "from=2026-12-31&to=2026-01-01"):
            shown = viewer.open(f"{home}{page}?{days}")
            assert "150" in shown.text
            assert "300" not in shown.text.partition(ending)[0]
            assert any("from=2026-01-01&to=2026-12-31" in link for link in shown.reader.links)
        for query in ("from=2020-01-01&to=2020-12-31", "from=2026-01-01&game=frog"):
            assert "No hand in this period" in viewer.open(f"{home}{page}?{query}").text
        for query in ("from=soon&to=2026-13-01", "game=whist", "from=&to=&game="):
            assert viewer.open(f"{home}{page}?{query}").text == everything
    listed = viewer.open(f"{home}/evenings?from=2025-01-01&to=2025-12-31")
    assert "In 2025" in listed.text
    assert "In 2026" not in listed.text
    assert "No evening in this period" in viewer.open(f"{home}/evenings?game=frog").text
