"""Writing a hand down on its page: seen before it is saved, saved once, nothing typed lost."""

import json
from collections.abc import Sequence

from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import JournalEntry
from ledger.services.session.load import load
from ledger.services.table import lifecycle
from tests.ledger import table
from tests.ledger.table import ask
from tests.ledger.web.phone import Page, Phone

HEARTS_74 = {
    "bidder": "Ann",
    "bid": "solo-in-hearts",
    "called": "AH",
    "partner": "Bob",
    "points": "74",
}


def show(phone: Phone, session: str, **filled: str | list[str]) -> Page:
    """Fill in the form and ask for the payout."""
    return phone.send(phone.open(f"{session}/hands/new").form("/new"), do="show", **filled)


def save(phone: Phone, shown: Page, **filled: str) -> Page:
    """Save the form of a page."""
    return phone.send(shown.form("/new"), do="save", **filled)


def test_the_payout_and_its_reasoning_show_before_saving(
    scorer: Phone, seven: str, database: Database
) -> None:
    """002's example: 74 in hearts at seven is 40; nothing is saved by looking."""
    before = table.row_counts(database)
    page = show(scorer, seven, **HEARTS_74)
    assert page.status == 200
    assert "× 3 for hearts = 42 to the nearest 5 = 40" in page.text
    assert "Ann is paid by Cyd, Dee and Eve; Bob by Fay and Gus" in page.text
    assert "A Ann +120 120 B Bob +80 80 C Cyd −40 −40" in page.text
    assert ("do", "save") in page.form("/new").buttons
    assert table.row_counts(database) == before


def test_saving_takes_one_step_more_and_leads_back_to_the_scoreboard(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """With a notice of the save."""
    saved = save(scorer, show(scorer, seven, **HEARTS_74))
    assert (saved.status, saved.location) == (303, f"{seven}?saved=1")
    assert "Hand 1 saved: Ann +120 Bob +80 Cyd −40" in scorer.open(saved.location).text
    number = int(seven.rsplit("/", 1)[1])
    assert table.balances(database, club, number) == table.PAYS_HEARTS_74


def test_what_was_changed_after_the_payout_is_shown_again_before_it_is_saved(
    scorer: Phone, seven: str, database: Database
) -> None:
    """Nobody saves a payout they have not seen."""
    preview = show(scorer, seven, **HEARTS_74)
    before = table.row_counts(database)
    repeated = save(scorer, preview, points="46")
    assert repeated.status == 200
    assert "Look at the payout" in repeated.text
    assert "Ann −120" in repeated.text
    assert table.row_counts(database) == before
    assert save(scorer, repeated).status == 303


def test_a_double_tap_saves_once(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """The second answer is the first one's, though the deal has moved on in the meantime."""
    preview = show(scorer, seven, **HEARTS_74)
    first, second = save(scorer, preview), save(scorer, preview)
    assert (first.status, second.status) == (303, 303)
    assert first.location == second.location
    assert ask(database, club, load, int(seven.rsplit("/", 1)[1])).hands_dealt == 1


def test_a_form_saved_before_and_changed_since_is_not_saved_unasked(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """The same key with another hand: a notice, with everything kept, and a new key for one more tap."""
    preview = show(scorer, seven, **HEARTS_74)
    save(scorer, preview)
    changed = save(scorer, preview, points="46", seen=_seal(scorer, seven, points="46"))
    assert changed.status == 409
    assert "saved before" in changed.text
    assert dict(changed.form("/new").fields)["points"] == "46"
    assert ask(database, club, load, int(seven.rsplit("/", 1)[1])).hands_dealt == 1
    assert save(scorer, changed).status == 303


def _seal(phone: Phone, session: str, **changes: str) -> str:
    fields = dict(
        show(phone, session, **{**HEARTS_74, "dealer": "Ann", **changes}).form("/new").fields
    )
    return fields["seen"]


def test_who_was_overtaken_is_told_what_is_new_and_saves_with_one_tap_more(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """412; the other's hand is shown, all that was typed is there, the dealer has moved on."""
    preview = show(scorer, seven, **{**HEARTS_74, "note": "close"})
    table.record(database, club, int(seven.rsplit("/", 1)[1]), table.ALONE_85)
    stale = save(scorer, preview)
    assert stale.status == 412
    assert "Hand 1: Cyd, Go alone" in stale.text
    assert "; 85 points, won. Cyd" in stale.text
    fields = dict(stale.form("/new").fields)
    assert fields | {**HEARTS_74, "note": "close"} == fields
    assert fields["dealer"] == "Bob"
    assert "Save hand 2" in stale.text
    assert save(scorer, stale).status == 303


def test_what_is_wrong_out_of_sight_is_said_where_it_belongs(scorer: Phone, seven: str) -> None:
    """A note behind its fold, a trio in a game that has none: never a form that just stays as it is."""
    for field, value, sentence in (
        ("note", "x" * 2001, "The note has 2,001 characters"),
        ("active", "Ann", "7 different players are active in a hand"),
    ):
        preview = show(scorer, seven, **{**HEARTS_74, field: value})
        assert "Save hand" not in preview.text
        assert sentence in preview.wrong(field)


def test_all_passed_is_saved_in_two_taps(scorer: Phone, seven: str) -> None:
    """One choice and the button."""
    preview = show(scorer, seven, bidder="<nobody>")
    assert "all passed: the hand is thrown in" in preview.text
    assert save(scorer, preview).status == 303


def test_while_somebody_is_at_it_nothing_is_called_missing(scorer: Phone, seven: str) -> None:
    """The preview mentions the open questions in passing; the page offers the next one by itself."""
    form = scorer.open(f"{seven}/hands/new").form("/new")
    form.action = form.action.replace("/new", "/preview")
    page = scorer.send(form, bidder="Ann", bid="solo", points="1")
    assert page.status == 200
    assert page.reader.alerts == {}
    assert "Still needed: trump, partner" in page.text
    assert page.reader.forms == []


def test_who_only_looked_is_not_told_that_nothing_was_saved(scorer: Phone, seven: str) -> None:
    """Missing answers come first; only after a save a notice states that nothing was saved."""
    page = scorer.open(f"{seven}/hands/new")
    typed = {**HEARTS_74, "points": ""}
    looked = scorer.send(page.form("/new"), do="show", **typed)
    assert "Fix these first: Say how many card points" in looked.text
    assert "Nothing was saved" not in looked.text
    assert "Nothing was saved" in save(scorer, page, **typed).text


def test_a_bad_count_is_refused_at_the_points(
    scorer: Phone, seven: str, database: Database
) -> None:
    """422, the sentence at the field, the typed text still there, nothing saved."""
    before = table.row_counts(database)
    form = scorer.open(f"{seven}/hands/new").form("/new")
    for typed, sentence in (
        ("1", "miscount"),
        ("119", "miscount"),
        ("121", "0 to 120 card points, not 121"),
        ("-3", "0 to 120 card points, not -3"),
        ("abc", "whole number"),
        ("", "Say how many"),
        ("9" * 5000, "whole number"),
    ):
        filled = {**HEARTS_74, "points": typed}
        page = scorer.must_refuse(form, "points", sentence, do="save", **filled)
        assert dict(page.form("/new").fields)["points"] == typed
        assert dict(page.form("/new").fields)["partner"] == "Bob"
    assert table.row_counts(database) == before


def test_counts_that_do_not_add_up_are_refused_at_the_others(scorer: Phone, seven: str) -> None:
    """74 and 40 are not 120."""
    page = save(scorer, scorer.open(f"{seven}/hands/new"), **{**HEARTS_74, "points_against": "40"})
    assert page.status == 422
    assert "must make 120" in page.wrong("points_against")


NOT_OFFERED: Sequence[tuple[str, dict[str, str], str]] = (
    ("bidder", {"bidder": "Ann"}, "Ann sat out this hand; Bob, Cyd and Dee played"),
    ("bidder", {"bidder": "Zoe"}, "Zoe has no seat"),
    ("bidder", {"bidder": ""}, "Say who won the bidding"),
    (
        "bid",
        {"bid": "frog"},
        "is not a bid here; with 4 players the bids are Solo, Heart solo, Misère, Guarantee solo, ",
    ),
    ("bid", {"bid": ""}, "Say what was bid"),
    ("trump", {"trump": "H"}, "Solo: only spades, diamonds or clubs can be trumps"),
    ("trump", {"trump": "X"}, "is not a suit"),
    ("trump", {"trump": ""}, "Solo needs a trump suit"),
    ("trump", {"bid": "misere", "trump": "S"}, "played without trumps"),
    ("conceded", {"conceded": "bidder"}, "cannot give it up"),
    ("dealer", {"dealer": "Zoe"}, "Zoe has no seat"),
)


def test_what_no_page_offers_is_refused_at_its_input(
    scorer: Phone, four: str, database: Database
) -> None:
    """Sent all the same, it gets the engine's own sentence; nothing is saved."""
    before = table.row_counts(database)
    form = scorer.open(f"{four}/hands/new").form("/new")
    for field, changes, sentence in NOT_OFFERED:
        filled = {"bidder": "Bob", "bid": "solo", "trump": "S", "points": "74", **changes}
        scorer.must_refuse(form, field, sentence, do="save", **filled)
    assert table.row_counts(database) == before


def test_a_partner_or_card_that_cannot_be_is_refused_at_its_input(
    scorer: Phone, seven: str, database: Database
) -> None:
    """The caller as partner, a card that is out of the deck."""
    before = table.row_counts(database)
    form = scorer.open(f"{seven}/hands/new").form("/new")
    for field, changes, sentence in (
        ("partner", {"partner": "Ann"}, "Ann cannot be their own partner"),
        ("partner", {"partner": ""}, "Say who held the called card"),
        ("called", {"called": "6S"}, "6♠\ufe0e is not in the deck"),
        ("called", {"called": "1X"}, "is not a card"),
    ):
        scorer.must_refuse(form, field, sentence, do="save", **{**HEARTS_74, **changes})
    assert table.row_counts(database) == before


def test_two_active_players_are_refused_where_the_seats_are(scorer: Phone, four: str) -> None:
    """Three play a hand."""
    page = show(scorer, four, active=["Bob", "Cyd"])
    assert "3 different players are active" in page.wrong("active")


def test_another_trio_may_play(scorer: Phone, four: str) -> None:
    """The king plays if the table agrees."""
    page = show(scorer, four, active=["Ann", "Bob", "Cyd"], bidder="Ann", bid="misere", made="made")
    assert "Ann is paid by Bob and Cyd" in page.text
    assert save(scorer, page).status == 303


def test_a_closed_session_shows_the_head_of_the_books(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """The digest that seals all up to its closing, for verify to look for; an open one has none yet."""
    assert "head of the books" not in scorer.open(seven).text
    entry = lifecycle.close(table.write(database, club), int(seven.rsplit("/", 1)[1]))["entry"]
    with database.read(club) as session:
        closing = session.exec(select(JournalEntry.digest).where(JournalEntry.id == entry)).one()
    assert closing in scorer.open(seven).text


def test_a_closed_session_takes_no_hand(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """409 in the words of the table, whether it is opened or sent."""
    preview = show(scorer, seven, **HEARTS_74)
    lifecycle.close(table.write(database, club), int(seven.rsplit("/", 1)[1]))
    page = save(scorer, preview)
    assert page.status == 409
    assert "is closed; reopen it" in page.text
    assert scorer.open(f"{seven}/hands/new").status == 409


def test_htmx_is_told_where_to_go(scorer: Phone, seven: str) -> None:
    """A redirect would be followed unseen, so the answer names the place."""
    scorer.client.environ_base["HTTP_HX_REQUEST"] = "true"
    saved = save(scorer, show(scorer, seven, **HEARTS_74))
    assert saved.status == 200
    where = json.loads(saved.response.headers["HX-Location"])
    assert where == {"path": f"{seven}?saved=1", "replace": "true", "source": "#main"}


def test_a_page_that_has_what_stands_around_is_sent_no_more_than_its_main_part(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """With its title and, on the scoreboard, the chart, which a first look asks for by itself."""
    for hand in (table.HEARTS_74, table.ALONE_85):
        table.record(database, club, int(seven.rsplit("/", 1)[1]), hand)
    complete = scorer.client.get(seven)
    main = scorer.client.get(seven, headers={"HX-Request": "true", "HX-Target": "main#main"})
    assert main.text.lstrip().startswith("<title>")
    assert not any(each in main.text for each in ("<head>", "<body>", 'id="pending"', "</html>"))
    assert 'id="main"' in main.text
    assert '<polyline class="seat-0"' in main.text
    assert "<polyline" not in complete.text
    assert main.headers["Cache-Control"] == "no-store"
    part = scorer.client.get(
        f"{seven}/chart", headers={"HX-Request": "true", "HX-Target": "div#plots-at-3"}
    )
    assert "<title>" not in part.text  # else the scoreboard would be called by it


def test_dealer_and_lead_are_proposed_and_every_seat_can_be_made_the_lead(
    scorer: Phone, four: str, database: Database, club: Access
) -> None:
    """Ann deals, Bob leads; a tapped player leads, with the dealer on their right, and is saved so."""
    page = scorer.open(f"{four}/hands/new")
    assert "Ann deals, Bob leads; Ann sits out" in page.text
    assert "Lead the seat on its right deals" in page.text
    assert page.form("/new").choices["lead"] == list(table.FOUR)
    for place, lead in enumerate(table.FOUR):
        preview = scorer.send(page.form("/new"), do="show", lead=lead, bidder="<nobody>")
        dealer = table.FOUR[place - 1]
        assert f"{dealer} deals, {lead} leads; {dealer} sits out" in preview.text
    assert save(scorer, preview).status == 303
    session = int(four.rsplit("/", 1)[1])
    assert table.turn(database, club, session) == ("Dee", "Ann")


def test_the_board_and_the_form_say_who_is_under_in_a_blind_round(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Begun by a tap on the form; without a heart the same dealer deals and the same player is under."""
    session = table.start(database, club, table.FOUR, first_dealer="Dee")
    evening = f"/clubs/{club.club_id}/sessions/{session}"
    page = scorer.open(f"{evening}/hands/new")
    assert "Dee deals, Ann leads change" in page.text
    preview = scorer.send(page.form("/new"), do="show", blind_round="yes", bidder="<nobody>")
    assert "Dee deals, Ann leads and is under change" in preview.text
    assert "Then Dee deals and Ann leads." in preview.text
    assert save(scorer, preview).status == 303
    assert "Ann leads and is under again" in scorer.open(evening).text
    page = scorer.open(f"{evening}/hands/new")
    assert "Dee deals, Ann leads and is under again change" in page.text
    blind = {"bidder": "Ann", "bid": "blind", "partner": "Bob", "points": "74"}
    assert save(scorer, scorer.send(page.form("/new"), do="show", **blind)).status == 303
    assert "Bob leads and is under" in scorer.open(evening).text
    page = scorer.open(f"{evening}/hands/new")
    preview = scorer.send(page.form("/new"), do="show", blind_round="no", bidder="<nobody>")
    assert "Ann deals, Bob leads change" in preview.text
    assert save(scorer, preview).status == 303
    assert "is under" not in scorer.open(evening).text


def test_a_dealer_and_a_lead_that_do_not_go_together_are_said_at_the_lead(
    scorer: Phone, four: str
) -> None:
    """Where both were changed before the page came back; nothing is saved."""
    page = scorer.open(f"{four}/hands/new")
    body = {"dealer": "Bob", "lead": "Ann", "bidder": "<nobody>"}
    preview = scorer.send(page.form("/new"), do="show", **body)
    assert preview.wrong("lead") == "With Bob dealing, Cyd leads. For Ann to lead, Dee must deal."
    assert ("do", "save") not in preview.form("/new").buttons


def test_no_form_is_offered_while_the_session_is_paused(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """In the words in which saving would be refused; a correction shows them, too, and no payout."""
    save(scorer, show(scorer, seven, **HEARTS_74))
    session = int(seven.rsplit("/", 1)[1])
    correcting = scorer.open(f"{seven}/hands/1/correct").form("/correct")
    lifecycle.pause(table.write(database, club), session)
    new = scorer.open(f"{seven}/hands/new")
    assert new.status == 409
    assert "is paused; resume it to record hands" in new.text
    for page in (
        scorer.send(correcting, do="show", points="46"),
        scorer.open(f"{seven}/hands/1/void"),
    ):
        assert "is paused; resume it to record hands" in page.text
        assert "Balances that move" not in page.text
        assert all(("do", "save") not in form.buttons for form in page.reader.forms)
