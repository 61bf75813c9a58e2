"""The table's page: joining, sitting out, coming back, leaving, changing seats; breaks and their end."""

from datetime import UTC, datetime

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.http.reader_language import ZONE_COOKIE
from ledger.runtime.clock import stopped
from ledger.services.session.load import load
from ledger.services.session.view import Rate, SessionView
from ledger.services.table import lifecycle
from tests.ledger import cash, table
from tests.ledger.table import ask
from tests.ledger.web.phone import Page, Phone


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Ann, Bob, Cyd and Dee with 150 chips each, 100 of them worth 1.00."""
    return table.start(
        database, club, table.FOUR, starting_stack=150, rate=Rate(100, 100), title="Tonight"
    )


@pytest.fixture
def address(club: Access, tonight: int) -> str:
    """Where the session's pages are."""
    return f"/clubs/{club.club_id}/sessions/{tonight}"


def seats(database: Database, club: Access, tonight: int) -> list[tuple[str, str, int]]:
    """The present players, with state and chips."""
    view: SessionView = ask(database, club, load, tonight)
    return [(seat.name, seat.state, seat.balance) for seat in view.present]


def one_of(page: Page, ending: str, player: str) -> Page:
    """The page with only the form of one player left of those that end so."""
    page.reader.forms = [
        form
        for form in page.reader.forms
        if form.action.endswith(ending) and ("player", player) in form.fields
    ]
    return page


def test_somebody_new_joins_where_they_sit_down(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """After Bob, with the stack everybody had."""
    form = scorer.open(f"{address}/table").form("/join")
    joined = scorer.send(form, new_name="Łukasz", place="2")
    assert joined.status == 303
    assert (
        "Łukasz has joined the table, from the next hand on." in scorer.open(joined.location).text
    )
    names = [(name, chips) for name, _, chips in seats(database, club, tonight)]
    assert names == [("Ann", 150), ("Bob", 150), ("Łukasz", 150), ("Cyd", 150), ("Dee", 150)]


def test_a_player_of_the_club_joins_last_unless_told_otherwise(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """One tap on the name, one on the button."""
    table.start(database, club, ("Ann", "Eve", "Fay"))
    form = scorer.open(f"{address}/table").form("/join")
    assert form.choices["player"] == ["Eve", "Fay"]
    assert scorer.send(form, player="Fay").status == 303
    assert seats(database, club, tonight)[-1][0] == "Fay"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("Ann", "has a seat"),
        ("", "is missing"),
        ("x" * 65, "65 characters"),
        ("<b>", "can't hold <"),
    ],
)
def test_who_cannot_join_is_said_at_the_name(
    scorer: Phone, address: str, database: Database, typed: str, sentence: str
) -> None:
    """Nothing is saved, the typed name stays."""
    before = table.row_counts(database)
    page = scorer.send(scorer.open(f"{address}/table").form("/join"), new_name=typed)
    assert page.status == 422
    assert sentence in page.wrong("player")
    assert dict(page.form("/join").fields)["new_name"] == typed
    assert table.row_counts(database) == before


def test_a_double_tap_seats_one(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """The second answer is the first one's."""
    form = scorer.open(f"{address}/table").form("/join")
    assert [scorer.send(form, new_name="Eve").status for _ in range(2)] == [303, 303]
    assert len(seats(database, club, tonight)) == 5


def test_who_was_overtaken_is_told_and_changes_nothing(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """412; the page that comes back can be sent at once."""
    form = scorer.open(f"{address}/table").form("/join")
    table.record(database, club, tonight, table.ALL_PASS)
    stale = scorer.send(form, new_name="Eve")
    assert stale.status == 412
    assert "has changed meanwhile" in stale.text
    assert len(seats(database, club, tonight)) == 4
    assert scorer.send(stale.form("/join")).status == 303


def test_who_sits_out_is_dealt_no_hand_until_they_are_back(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """The hand form offers the others."""
    page = one_of(scorer.open(f"{address}/table"), "/sit-out", "Cyd")
    assert scorer.send(page.form("/sit-out")).status == 303
    assert seats(database, club, tonight)[2] == ("Cyd", "sitting-out", 150)
    bidders = scorer.open(f"{address}/hands/new").form("/new").choices["bidder"]
    assert "Cyd" not in bidders
    page = one_of(scorer.open(f"{address}/table"), "/come-back", "Cyd")
    assert scorer.send(page.form("/come-back")).status == 303
    assert seats(database, club, tonight)[2] == ("Cyd", "playing", 150)


def test_with_too_few_the_scoreboard_says_so_and_stands(scorer: Phone, address: str) -> None:
    """Two of four sit out: nobody deals, nothing breaks."""
    for name in ("Cyd", "Dee"):
        page = one_of(scorer.open(f"{address}/table"), "/sit-out", name)
        assert scorer.send(page.form("/sit-out")).status == 303
    board = scorer.open(address)
    assert board.status == 200
    assert "Crazy Solo is played by 3 to 12 at the table; now 2 play." in board.text
    assert "Somebody must join or come back" in board.text
    assert f"{address}/hands/new" not in board.reader.links
    assert "or come back" in scorer.open(f"{address}/table").text
    dealt = scorer.open(f"{address}/hands/new")
    assert (dealt.status, dealt.location) == (303, f"{address}/table")


def test_who_leaves_sees_before_what_they_take(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Bob lost 50 of his 150 and borrowed 20: 120 in hand, 0.50 owed."""
    table.record(database, club, tonight, cash.ANN_WINS)
    cash.lend(database, club, tonight, "Bob", 20)
    page = scorer.open(f"{address}/table/leave?player=Bob")
    assert "Chips in hand, to the bank 120 Of these, from the bank 170 Lost −50" in page.text
    assert "Bob owes 0.50 EUR" in page.text
    left = scorer.send(page.form("/leave"))
    assert (left.status, left.location) == (303, f"{address}/table?done=left&who=Bob")
    assert "Bob has cashed out and left." in scorer.open(left.location).text
    assert [name for name, _, _ in seats(database, club, tonight)] == ["Ann", "Cyd", "Dee"]
    assert "Bob −0.50" in scorer.open(f"{address.split('/sessions')[0]}/money").text
    assert "Bob left" in scorer.open(address).text


def test_a_leaving_is_taken_back_with_a_reason(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Without one it is refused at the reason."""
    cash.leave(database, club, tonight, "Bob")
    form = scorer.open(f"{address}/table").form("/return")
    refused = scorer.send(form, reason="")
    assert refused.status == 422
    assert "Give a reason" in refused.wrong("reason")
    assert scorer.send(form, reason="the train was late").status == 303
    assert [name for name, _, _ in seats(database, club, tonight)] == ["Ann", "Bob", "Cyd", "Dee"]


def test_leaving_for_somebody_who_is_not_here_is_refused(scorer: Phone, address: str) -> None:
    """422 on the table's page."""
    page = scorer.open(f"{address}/table/leave?player=Zoe")
    assert page.status == 422
    assert "Zoe has no seat" in page.text


def test_seats_are_changed_tap_by_tap_and_then_for_good(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Dee moves up twice; nothing is saved before the last button."""
    page = scorer.open(f"{address}/table/seats")
    for _ in range(2):
        page = scorer.send(page.form("/seats"), up="Dee")
    assert [name for name, _, _ in seats(database, club, tonight)] == list(table.FOUR)
    assert scorer.send(page.form("/seats"), do="save").status == 303
    assert [name for name, _, _ in seats(database, club, tonight)] == ["Ann", "Dee", "Bob", "Cyd"]


def test_an_order_without_somebody_is_refused(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """For any other list: everybody sits somewhere, once."""
    form = scorer.open(f"{address}/table/seats").form("/seats")
    page = scorer.send(form, do="save", order=["Ann", "Ann", "Bob", "Cyd"])
    assert page.status == 422
    assert "Name everybody at the table once" in page.text
    assert [name for name, _, _ in seats(database, club, tonight)] == list(table.FOUR)


def test_in_a_break_no_hand_is_written(scorer: Phone, address: str) -> None:
    """The scoreboard offers to go on instead, and is where that leads."""
    form = scorer.open(f"{address}/hands/new").form("/new")
    assert scorer.send(scorer.open(f"{address}/table").form("/pause")).status == 303
    board = scorer.open(address)
    assert f"{address}/hands/new" not in board.reader.links
    preview = scorer.send(form, do="show", bidder="<nobody>").form("/new")
    late = scorer.send(preview, do="save")
    assert late.status in {409, 412}
    assert scorer.send(board.form("/resume")).location.partition("?")[0] == address
    assert f"{address}/hands/new" in scorer.open(address).reader.links


def test_a_session_is_renamed(scorer: Phone, address: str) -> None:
    """On every page; an empty title is refused at its field, with the old one kept."""
    form = scorer.open(f"{address}/table").form("/rename")
    assert scorer.send(form, title="Friday at Dee's").status == 303
    assert "Friday at Dee's" in scorer.open(address).text
    refused = scorer.send(scorer.open(f"{address}/table").form("/rename"), title=" ")
    assert refused.status == 422
    assert "name is missing" in refused.wrong("title")
    assert "Friday at Dee's" in scorer.open(address).text
    late = scorer.send(form, title="Saturday", key="a-key-of-its-own")
    assert (late.status, "changed" in late.text) == (412, True)


def test_a_session_started_by_mistake_is_deleted(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Its page offers it only while nothing was recorded; the club's page no longer names it."""
    answer = scorer.send(scorer.open(f"{address}/table").form("/delete"))
    home = address.partition("/sessions")[0]
    assert (answer.status, answer.location) == (303, f"{home}?done=deleted")
    assert "How to begin" in scorer.open(home).text
    assert scorer.open(address).status == 404
    played = table.start(database, club, table.FOUR)
    here = f"{home}/sessions/{played}/table"
    late = scorer.open(here).form("/delete")
    table.record(database, club, played, cash.ANN_WINS)
    assert "Delete the session" not in scorer.open(here).text
    assert scorer.send(late).status == 412
    assert tonight != played


def test_a_closed_table_does_not_change(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """409 for a form opened before; the page offers none."""
    form = scorer.open(f"{address}/table").form("/join")
    lifecycle.close(table.write(database, club), tonight)
    late = scorer.send(form, new_name="Eve")
    assert late.status == 409
    assert "is closed; reopen it" in late.text
    forms = scorer.open(f"{address}/table").reader.forms
    assert [form.action.rsplit("/", 1)[1] for form in forms] == ["delete"]


def test_undo_names_what_was_done_at_the_table_and_when(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Sitting out, a change of rules, a break: each names the player and the action, and moves no balance."""
    page = one_of(scorer.open(f"{address}/table"), "/sit-out", "Bob")
    scorer.send(page.form("/sit-out"))
    assert f"{address}/undo" in scorer.open(f"{address}/table").reader.links
    undo = scorer.open(f"{address}/undo")
    assert "Last change: Bob sat out. After the undo they play again." in undo.text
    assert "Entered by Mia, " in undo.text
    assert "No balance moves." in undo.text
    scorer.send(undo.form("/undo"))
    assert ("Bob", "playing", 150) in seats(database, club, tonight)
    assert "There is nothing to undo." in scorer.open(f"{address}/undo").text
    lifecycle.pause(table.write(database, club), tonight)
    assert f"{address}/undo" in scorer.open(address).reader.links
    undo = scorer.open(f"{address}/undo")
    assert "Last change: the session was paused. After the undo it resumes." in undo.text
    scorer.send(undo.form("/undo"))
    assert ask(database, club, load, tonight).is_open


def test_a_leaving_to_be_taken_back_shows_every_balance_it_moves(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Chips and money, each in its own figures, at the table and in the undo."""
    table.record(database, club, tonight, cash.ANN_WINS)
    cash.leave(database, club, tonight, "Bob")
    for place in ("/table", "/undo"):
        page = scorer.open(f"{address}{place}").text
        assert "Bob 0 +100 100" in page
        assert "The bank −500 −100 −600" in page
        assert "Bob EUR −0.50 +0.50 0.00" in page
        assert "The till EUR 0.50 −0.50 0.00" in page


def test_an_undone_correction_shows_every_balance_it_moves(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """From 85 back: 50 and not 40 from each."""
    table.record(database, club, tonight, cash.ANN_WINS)
    table.correct(database, club, tonight, 1, {**cash.ANN_WINS, "points": 80})
    page = scorer.open(f"{address}/undo").text
    assert "Last change: hand 1 was corrected." in page
    assert "Ann 270 +30 300 Bob 110 −10 100 Cyd 110 −10 100 Dee 110 −10 100" in page


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        ("bob", "Bob sits out until they are back."),
        ("Everybody, pay Mallory: nobody", "The player sits out until they are back."),
        ("", "The player sits out until they are back."),
    ],
)
def test_an_address_makes_nobody_read_of_somebody_who_is_not_here(
    scorer: Phone, address: str, who: str, sentence: str
) -> None:
    """Actions are shown only for players with a seat, as the club spells them."""
    text = scorer.open(f"{address}/table?done=sits-out&who={who}").text
    assert sentence in text
    assert "Mallory" not in text


def test_the_table_agrees_on_an_end(scorer: Phone, address: str) -> None:
    """The board view counts down to it; the same end again, or no time, is refused, and empty removes it."""
    form = scorer.open(f"{address}/table").form("/end")
    with stopped() as set_to:
        set_to(datetime(2025, 11, 20, 21, 15, tzinfo=UTC))
        scorer.client.set_cookie(ZONE_COOKIE, "Asia/Tokyo")
        assert scorer.send(form, ends="06:30").status == 303
    page = scorer.client.get(f"{address}/screen").text
    assert "Ends at 06:30" in page
    assert 'data-at="2025-11-20T21:30:00+00:00"' in page
    form = scorer.open(f"{address}/table").form("/end")
    assert "This is not a time" in scorer.send(form, ends="soon").wrong("ends")
    assert scorer.send(form, ends="").status == 303
    assert "Ends at" not in scorer.open(f"{address}/screen").text
    assert scorer.send(scorer.open(f"{address}/table").form("/end"), ends="").status == 409
