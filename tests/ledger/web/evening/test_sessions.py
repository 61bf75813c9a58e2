"""A session's pages: set up tap by tap, shown, its rules changed, closed, printed."""

from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.session.load import load
from ledger.services.session.session_filter import EVERY_SESSION
from tests.ledger import table
from tests.ledger.table import ask
from tests.ledger.web.phone import Form, Page, Phone


def setting_up(phone: Phone, club: Access) -> Form:
    """The form of a new session."""
    return phone.open(f"/clubs/{club.club_id}/sessions/new").form("/sessions/new")


def seated(page: Page) -> list[str]:
    """The players seated by now."""
    return [value for name, value in page.form("/sessions/new").fields if name == "seat"]


def test_players_sit_down_in_the_order_tapped(
    scorer: Phone,
    club: Access,
    ours: Access,  # noqa: ARG001
) -> None:
    """Players of the club by a tap, somebody new by name; a tap takes a seat away again."""
    page = scorer.send(setting_up(scorer, club), sit="Cyd")
    page = scorer.send(page.form("/new"), sit="Ann")
    page = scorer.send(page.form("/new"), do="add", new_name=" Łukasz ")
    assert seated(page) == ["Cyd", "Ann", "Łukasz"]
    page = scorer.send(page.form("/new"), stand="Ann")
    assert seated(page) == ["Cyd", "Łukasz"]
    assert ("sit", "Ann") in page.form("/new").buttons


def test_the_first_dealer_is_drawn_by_lot(
    scorer: Phone, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From those who are seated; with one or nobody there is nothing to draw."""
    page = setting_up(scorer, club)
    for name in ("Ann", "Bob", "Cyd"):
        page = scorer.send(page, do="add", new_name=name).form("/new")
        assert (("do", "draw") in page.buttons) is (name != "Ann")
    for drawn in ("Cyd", "Bob"):
        monkeypatch.setattr("secrets.choice", lambda seats, name=drawn: seats[seats.index(name)])
        page = scorer.send(page, do="draw").form("/new")
        assert dict(page.fields)["first_dealer"] == drawn


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ann", "is already at the table"),
        ("<b>", "can't hold <"),
        ("x" * 500, "500 characters"),
        ("spit", "means something else"),
    ],
)
def test_a_name_that_cannot_sit_down_is_refused_where_it_was_typed(
    scorer: Phone, club: Access, name: str, sentence: str
) -> None:
    """It stays in its field."""
    page = scorer.send(setting_up(scorer, club), do="add", new_name="Ann")
    page = scorer.send(page.form("/new"), do="add", new_name=name)
    assert sentence in page.wrong("new")
    assert seated(page) == ["Ann"]
    assert dict(page.form("/new").fields)["new_name"] == name


def test_a_session_starts_with_what_was_chosen(
    scorer: Phone, club: Access, database: Database
) -> None:
    """Game, tariff, house rules, first dealer, title."""
    form = setting_up(scorer, club)
    form = scorer.send(form, seat=["Ann", "Bob", "Cyd", "Dee"], game="six-bid").form("/new")
    form = scorer.send(form, **{"variant-six-bid": "pagat"}).form("/new")
    assert dict(form.fields)["rule-hearts_in_solo"] == "1"  # pagat's own way
    started = scorer.send(
        form, do="start", first_dealer="Cyd", title="Test night", **{"rule-misere_by_tricks": "1"}
    )
    assert started.status == 303
    view = ask(database, club, load, int(started.location.rsplit("/", 1)[1]))
    assert (view.game, view.variant, dict(view.options)) == (
        "six-bid",
        "pagat",
        {"misere_by_tricks": True},
    )
    assert (view.names, view.first_dealer, view.title) == (
        ("Ann", "Bob", "Cyd", "Dee"),
        2,
        "Test night",
    )
    page = scorer.open(started.location).text
    assert "Cyd deals" in page
    assert "Dee leads" in page


def test_a_switch_turned_off_stays_off(scorer: Phone, club: Access, database: Database) -> None:
    """A switch that is on by default sends nothing when it is off."""
    form = setting_up(scorer, club)
    started = scorer.send(
        form, do="start", seat=["Ann", "Bob", "Cyd"], **{"rule-hearts_in_solo": None}
    )
    view = ask(database, club, load, int(started.location.rsplit("/", 1)[1]))
    assert dict(view.options) == {"hearts_in_solo": False}


def test_another_games_house_rules_are_left_at_its_own_defaults(
    scorer: Phone, club: Access
) -> None:
    """Hoyle has no hearts in solo, for either state of Crazy Solo's switch."""
    page = scorer.send(setting_up(scorer, club), game="six-bid", seat=["Ann"])
    assert "rule-hearts_in_solo" not in dict(page.form("/new").fields)


@pytest.mark.parametrize(
    ("game", "count", "field", "sentence"),
    [
        ("crazy-solo", 2, "players", "3 to 12"),
        ("six-bid", 8, "players", "3 to 7"),
        ("crazy-solo", 13, "players", "3 to 12"),
    ],
)
def test_a_table_of_the_wrong_size_is_refused(
    scorer: Phone,
    club: Access,
    database: Database,
    game: str,
    count: int,
    field: str,
    sentence: str,
) -> None:
    """At the players, who all keep their seats."""
    before = table.row_counts(database)
    players = [f"P{number}" for number in range(count)]
    page = scorer.send(setting_up(scorer, club), do="start", game=game, seat=players)
    assert page.status == 422
    assert sentence in page.wrong(field)
    assert seated(page) == players
    assert table.row_counts(database) == before


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"title": "x" * 500}, "title", "500 characters"),
        ({"title": "<script>"}, "title", "can't hold <"),
        ({"first_dealer": "Zoe"}, "first_dealer", "has no seat tonight"),
        ({"seat": ["Ann", "ann", "Cyd"]}, "players", "can't sit in two seats"),
    ],
)
def test_what_cannot_start_is_refused_at_its_input(
    scorer: Phone,
    club: Access,
    database: Database,
    changes: dict[str, str],
    field: str,
    sentence: str,
) -> None:
    """Nothing is saved, the players neither."""
    before = table.row_counts(database)
    filled: dict[str, Any] = {"seat": ["Ann", "Bob", "Cyd"], **changes}
    page = scorer.send(setting_up(scorer, club), do="start", **filled)
    assert page.status == 422
    assert sentence in page.wrong(field)
    assert table.row_counts(database) == before


def test_a_double_tap_starts_one_session(scorer: Phone, club: Access, database: Database) -> None:
    """Both answers lead to it."""
    form = setting_up(scorer, club)
    pages = [scorer.send(form, do="start", seat=["Ann", "Bob", "Cyd"]) for _ in range(2)]
    assert {page.status for page in pages} == {303}
    assert len({page.location for page in pages}) == 1
    assert ask(database, club, EVERY_SESSION.count) == 1


def test_the_scoreboard_answers_nothing_new_while_nothing_is(
    viewer: Phone, seven: str, database: Database, club: Access
) -> None:
    """204 for the revision seen, the page once there is another."""
    number = int(seven.rsplit("/", 1)[1])
    seen = ask(database, club, load, number).revision
    assert viewer.open(f"{seven}?revision={seen}").status == 204
    table.record(database, club, number, table.HEARTS_74)
    page = viewer.open(f"{seven}?revision={seen}")
    assert page.status == 200
    assert "1 A Ann 1/1 120 +120 2 B Bob 80 +80 3 C Cyd −40 −40" in page.text
    assert 'data-label="bids made">1/1<' in viewer.client.get(seven).text


def test_rules_change_from_the_next_hand_on(
    scorer: Phone, four: str, database: Database, club: Access
) -> None:
    """The hand already down keeps its tariff, the form shows the new one's bids."""
    number = int(four.rsplit("/", 1)[1])
    hand = {"contract": {"bidder": "Bob", "bid": "solo", "trump": "S"}, "points": 74}
    table.record(database, club, number, hand)
    page = scorer.open(f"{four}/rules")
    form = scorer.send(page.form("/rules"), **{"variant-six-bid": "pagat"}).form("/rules")
    assert scorer.send(form, do="save").status == 303
    assert ask(database, club, load, number).variant == "pagat"
    assert "× 1 a point" in scorer.open(f"{four}/history").text
    assert (
        "hearts"
        in scorer.send(scorer.open(f"{four}/hands/new").form("/new"), do="show", bid="solo").text
    )


def test_rules_somebody_else_changed_meanwhile_are_not_overwritten(
    scorer: Phone, four: str, database: Database, club: Access
) -> None:
    """412, and one more tap saves."""
    page = scorer.open(f"{four}/rules")
    table.record(database, club, int(four.rsplit("/", 1)[1]), table.ALL_PASS)
    stale = scorer.send(page.form("/rules"), do="save", **{"variant-six-bid": "pagat"})
    assert stale.status == 412
    assert "has changed meanwhile" in stale.text
    assert scorer.send(stale.form("/rules"), do="save").status == 303


def test_a_game_for_fewer_is_refused_for_the_table(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Eight cannot go over to Six-Bid."""
    number = table.start(database, club, [f"P{n}" for n in range(8)])
    address = f"/clubs/{club.club_id}/sessions/{number}/rules"
    page = scorer.send(scorer.open(address).form("/rules"), do="save", game="six-bid")
    assert page.status == 422
    assert "3 to 7" in page.text
    assert ask(database, club, load, number).game == "crazy-solo"


def test_a_session_is_closed_and_reopened(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """Closed, it shows the payments, and offers no hand."""
    table.record(database, club, int(seven.rsplit("/", 1)[1]), table.HEARTS_74)
    closed = scorer.send(scorer.open(seven).form("/close"))
    assert closed.status == 303
    page = scorer.open(closed.location)
    assert "Settle up" in page.text
    assert "pays A Ann" in page.text
    assert f"{seven}/hands/new" not in page.reader.links
    assert scorer.send(page.form("/reopen")).status == 303
    assert f"{seven}/hands/new" in scorer.open(seven).reader.links


def test_a_session_in_which_somebody_wrote_meanwhile_is_not_closed_unseen(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """412, with the way back to the scoreboard."""
    form = scorer.open(seven).form("/close")
    number = int(seven.rsplit("/", 1)[1])
    table.record(database, club, number, table.HEARTS_74)
    page = scorer.send(form)
    assert page.status == 412
    assert seven in page.reader.links
    assert ask(database, club, load, number).is_open


def test_the_report_is_a_pdf_named_by_title_and_day(
    viewer: Phone, database: Database, club: Access
) -> None:
    """With any title, without characters that no file name may have."""
    number = table.start(database, club, title="Łukasz: 5/6?")
    answer = viewer.open(f"/clubs/{club.club_id}/sessions/{number}/report.pdf").response
    assert answer.status_code == 200
    assert answer.data.startswith(b"%PDF")
    assert answer.mimetype == "application/pdf"
    assert "%C5%81ukasz-%205-6-%20" in answer.headers["Content-Disposition"]
