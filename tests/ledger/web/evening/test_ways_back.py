"""Where a page that cannot be shown leads: into the session or the club it is of, never out of it."""

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.table import lifecycle
from tests.ledger import table
from tests.ledger.web.phone import Phone


def test_an_address_that_only_takes_what_is_sent_leads_to_its_page(
    scorer: Phone, seven: str
) -> None:
    """A reload after a refusal, or a return to the tab, leads to the page of the form."""
    club = seven.split("/sessions")[0]
    for sent_to, page_of_form in (
        ("/sessions/1/table/join", "/sessions/1/table"),
        ("/sessions/1/table/sit-out", "/sessions/1/table"),
        ("/sessions/1/bank/share-pots", "/sessions/1/bank"),
        ("/sessions/1/close", "/sessions/1"),
        ("/sessions/1/hands/preview", "/sessions/1"),
        ("/money/pay", "/money"),
    ):
        page = scorer.open(club + sent_to)
        assert (page.status, page.location) == (303, club + page_of_form)
        assert scorer.open(club + page_of_form).status == 200


def test_the_api_says_what_an_address_takes(scorer: Phone) -> None:
    """A program is led nowhere: 405, with the verbs that are taken."""
    answer = scorer.client.delete("/api/v1/clubs")
    assert answer.status_code == 405
    assert "Allow" in answer.headers
    assert answer.get_json()["detail"] == "This address takes only POST."


def test_what_is_not_there_leads_back_into_the_club(scorer: Phone, seven: str) -> None:
    """To the session where it is one of the club's, else to the club; not to the first page."""
    club = seven.split("/sessions")[0]
    for missing, link in (
        ("/sessions/1/hands/9/void", "/sessions/1"),
        ("/sessions/1/nothing", "/sessions/1"),
        ("/sessions/99", ""),
        ("/sessions/99/bank", ""),
        ("/players/99", ""),
        ("/nothing", ""),
    ):
        page = scorer.open(club + missing)
        assert page.status == 404, missing
        assert page.reader.links[-1] == club + link, missing


def test_a_closed_session_offers_no_form_that_would_be_refused(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """Counting and a new hand show at once that it is closed, and lead to its reopening."""
    number = int(seven.rsplit("/", 1)[1])
    table.record(database, club, number, table.ALL_PASS)
    lifecycle.close(table.write(database, club), number)
    for place in ("/count", "/hands/new"):
        page = scorer.open(seven + place)
        assert page.status == 409
        assert "is closed; reopen it" in page.text
        assert page.reader.links[-1] == seven
    for place in ("/hands/1/void", "/hands/1/correct"):
        assert scorer.open(seven + place).status == 200
    settle = scorer.open(f"{seven}/settle")
    assert "The session is closed. Reopen it from its scoreboard" in settle.text


def test_a_note_asks_for_no_second_look(scorer: Phone, seven: str) -> None:
    """The payout is the same with a note; changes of it are shown before saving."""
    form = scorer.open(f"{seven}/hands/new").form("/new")
    chosen = {"bidder": "Cyd", "bid": "go-alone-in-hearts", "points": "74"}
    preview = scorer.send(form, do="show", **chosen)
    repeated = scorer.send(preview.form("/new"), do="save", points="75", note="close")
    assert "Look at the payout" in repeated.text
    assert scorer.send(preview.form("/new"), do="save", note="close").status == 303


def test_a_refusal_is_summed_up_at_the_top_and_leads_to_its_fields(
    scorer: Phone, seven: str
) -> None:
    """Each sentence a link to where it stands; the first faulty field has the caret without a script."""
    html = scorer.send(scorer.open(f"{seven}/bank").form("/bank"), what="give").response.text
    top = html[html.index('id="faults"') : html.index("<h1>")]
    assert 'href="#wrong-player"' in top
    assert 'href="#wrong-reason"' in scorer.send(
        scorer.open(f"{seven}/bank").form("/bank"), what="give", player="Cyd", chips="5"
    ).response.get_data(as_text=True)
    assert html.index("autofocus") > html.index('name="player"')
    assert 'id="wrong-player"' in html


def test_nobody_is_told_to_look_at_the_top_while_typing(scorer: Phone, seven: str) -> None:
    """A preview shows errors at their field and by the button, and leaves the caret alone."""
    form = scorer.open(f"{seven}/hands/new").form("/new")
    form.action = f"{seven}/hands/preview"
    chosen = {"bidder": "Cyd", "bid": "go-alone-in-hearts", "points": "119"}
    html = scorer.send(form, **chosen).response.get_data(as_text=True)
    assert 'id="faults"' not in html
    assert "autofocus" not in html
    assert "miscount" in html[html.index('id="sum"') :]


def test_a_number_too_long_for_any_club_leads_to_none(scorer: Phone) -> None:
    """Not to the club with its first nine digits."""
    assert scorer.open("/clubs/" + "123456789" * 3).reader.links[-1] == "/"
