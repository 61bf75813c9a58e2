"""The history: every hand with its versions; corrected and voided there."""

import re
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import players
from ledger.services.hands import correct as hands_correct
from ledger.services.session.load import load
from ledger.services.table import lifecycle
from tests.ledger import table
from tests.ledger.table import ask
from tests.ledger.web.phone import Page, Phone


@pytest.fixture
def played(database: Database, club: Access, seven: str) -> str:
    """The address of a session with two hands: 74 in hearts, and Cyd alone with 85."""
    number = int(seven.rsplit("/", 1)[1])
    table.record(database, club, number, table.HEARTS_74)
    table.record(database, club, number, table.ALONE_85)
    return seven


def balances(database: Database, club: Access, address: str) -> dict[str, int]:
    """Each player's balance."""
    return table.balances(database, club, int(address.rsplit("/", 1)[1]))


def correct(phone: Phone, session: str, number: int, **filled: Any) -> tuple[Page, Page]:
    """Correct a hand; return the page with the payout, and the answer to saving."""
    page = phone.open(f"{session}/hands/{number}/correct")
    preview = phone.send(page.form("/correct"), do="show", **filled)
    return preview, phone.send(preview.form("/correct"), do="save")


def test_a_correction_begins_with_what_is_written(scorer: Phone, played: str) -> None:
    """Every input is filled; the wrong part is still to be corrected."""
    page = scorer.open(f"{played}/hands/1/correct")
    fields = dict(page.form("/correct").fields)
    expected = {
        "bidder": "Ann",
        "bid": "solo-in-hearts",
        "called": "AH",
        "partner": "Bob",
        "points": "74",
    }
    assert fields | expected == fields
    assert "Still needed: the change" in page.text


def test_a_correction_shows_every_balance_it_moves_then_moves_it(
    scorer: Phone, played: str, database: Database, club: Access
) -> None:
    """46 for 74: the winnings are lost; hand 2 stands."""
    preview, saved = correct(scorer, played, 1, points="46", reason="counted wrongly")
    assert "Ann −120 70 −170" in preview.text
    assert (saved.status, saved.location) == (303, f"{played}/history?saved=1#hand-1")
    expected = table.total(table.PAYS_HEARTS_46, table.PAYS_ALONE_85)
    assert balances(database, club, played) == expected
    assert "Hand 1 corrected: Ann −120" in scorer.open(f"{played}/history?saved=1").text


def test_the_history_shows_old_and_new_who_and_why(
    scorer: Phone, viewer: Phone, played: str
) -> None:
    """Also to viewers."""
    correct(scorer, played, 1, points="46", reason="counted <b>wrongly</b>")
    text = viewer.open(f"{played}/history").text.partition("Show these")[2]
    assert text.index("Go alone") < text.index("Solo in hearts")
    assert "last changed by Mia: “counted <b>wrongly</b>”" in text
    assert "Recorded by Sue" in text
    assert "Ann +120 Bob +80" in text


def test_the_history_shows_the_note(scorer: Phone, viewer: Phone, played: str) -> None:
    """A note from the table can be read there again; other hands show none."""
    assert "Note:" not in viewer.open(f"{played}/history").text
    correct(scorer, played, 1, note="the ace was <b>blank</b>", reason="a note")
    assert "Note: the ace was <b>blank</b>" in viewer.open(f"{played}/history").text


def test_a_correction_without_a_reason_is_refused_at_the_reason(
    scorer: Phone, played: str, database: Database
) -> None:
    """Nothing is saved, nothing typed is lost."""
    before = table.row_counts(database)
    _, saved = correct(scorer, played, 1, points="46", reason="  ")
    assert saved.status == 422
    assert "Give a reason" in saved.wrong("reason")
    assert dict(saved.form("/correct").fields)["points"] == "46"
    assert table.row_counts(database) == before


def test_a_correction_says_before_it_is_saved_that_it_needs_its_reason(
    scorer: Phone, played: str
) -> None:
    """From the first payout on, with a link to the field; no more once it is there."""
    page = scorer.open(f"{played}/hands/1/correct")
    preview = scorer.send(page.form("/correct"), do="show", points="46")
    assert "Still needed: the reason" in preview.text
    assert "#reason" in preview.reader.links
    given = scorer.send(preview.form("/correct"), do="show", reason="counted wrongly")
    assert "Still needed" not in given.text


def test_a_reason_too_long_is_refused_at_the_reason(scorer: Phone, played: str) -> None:
    """And kept, to be shortened."""
    _, saved = correct(scorer, played, 1, points="46", reason="x" * 501)
    assert saved.status == 422
    assert "501 characters" in saved.wrong("reason")
    assert dict(saved.form("/correct").fields)["reason"] == "x" * 501


def test_a_correction_that_changes_nothing_is_said_to_be_none(scorer: Phone, played: str) -> None:
    """Not even of a hand with trump implied by the bid."""
    _, saved = correct(scorer, played, 2, reason="just looking")
    assert saved.status == 409
    assert "already says this" in saved.text


def test_who_was_overtaken_corrects_with_one_tap_more(
    scorer: Phone, played: str, database: Database, club: Access
) -> None:
    """412, and the other's hand is shown."""
    page = scorer.open(f"{played}/hands/1/correct")
    preview = scorer.send(page.form("/correct"), do="show", points="46", reason="counted wrongly")
    table.record(database, club, int(played.rsplit("/", 1)[1]), table.ALL_PASS)
    stale = scorer.send(preview.form("/correct"), do="save")
    assert stale.status == 412
    assert "Hand 3: All passed" in stale.text
    assert dict(stale.form("/correct").fields)["reason"] == "counted wrongly"
    assert scorer.send(stale.form("/correct"), do="save").status == 303


def test_who_was_overtaken_by_a_correction_is_shown_it(
    scorer: Phone, played: str, database: Database, club: Access
) -> None:
    """Its author and time, and the hand's present content; the typed values stay."""
    page = scorer.open(f"{played}/hands/1/correct")
    preview = scorer.send(page.form("/correct"), do="show", points="46", reason="counted wrongly")
    session_id = int(played.rsplit("/", 1)[1])
    table.correct(database, club, session_id, 1, {**table.HEARTS_74, "points": 95})
    stale = scorer.send(preview.form("/correct"), do="save")
    assert stale.status == 412
    assert "meanwhile: hand 1 was corrected (Sue, " in stale.text
    assert "Hand 1: Ann with Bob, Solo in hearts" in stale.text
    assert "95 points, won" in stale.text
    fields = dict(stale.form("/correct").fields)
    assert (fields["points"], fields["reason"]) == ("46", "counted wrongly")


@pytest.mark.parametrize("turn", ["void", "restore"])
def test_who_was_overtaken_by_the_same_voiding_is_offered_none(
    scorer: Phone, played: str, database: Database, club: Access, turn: str
) -> None:
    """The page names the author, and that it is done; the only way is back."""
    session_id = int(played.rsplit("/", 1)[1])
    if turn == "restore":
        table.void(database, club, session_id, 2)
    form = scorer.open(f"{played}/hands/2/{turn}").form(f"/{turn}")
    if turn == "restore":
        hands_correct.restore(table.write(database, club), session_id, 2, reason="misdeal")
    else:
        table.void(database, club, session_id, 2)
    stale = scorer.send(form, reason="misdeal")
    assert stale.status == 412
    said = {"void": "hand 2 was voided", "restore": "hand 2 was restored"}[turn]
    assert f"{said} (Sue, " in stale.text
    already = "Hand 2 is already void" if turn == "void" else "Hand 2 is not void; only a void hand"
    assert already in stale.text
    assert stale.form(f"/{turn}").buttons == []


def test_a_hand_is_corrected_under_the_names_of_today(
    scorer: Phone, played: str, database: Database, club: Access
) -> None:
    """Ann is called Anna by now."""
    ann = next(p for p in ask(database, club, players.everyone) if p.name == "Ann")
    players.rename(table.write(database, club), ann.id, name="Anna")
    preview, saved = correct(scorer, played, 1, points="46", reason="counted wrongly")
    assert "Anna −120" in preview.text
    assert saved.status == 303


def test_a_void_hand_counts_in_no_balance(
    scorer: Phone, played: str, database: Database, club: Access
) -> None:
    """The page shows the moves; the history keeps the hand, with the reason."""
    page = scorer.open(f"{played}/hands/1/void")
    assert "Ann 70 −120 −50" in page.text
    saved = scorer.send(page.form("/void"), reason="a card was missing")
    assert (saved.status, saved.location) == (303, f"{played}/history?saved=1#hand-1")
    assert balances(database, club, played) == table.PAYS_ALONE_85
    history = scorer.open(saved.location)
    assert "Hand 1 is void" in history.text
    assert "“a card was missing”" in history.text
    assert f"{played}/hands/1/correct" not in history.reader.links


def test_voiding_without_a_reason_is_refused_at_the_reason(
    scorer: Phone, played: str, database: Database
) -> None:
    """Nothing is saved."""
    before = table.row_counts(database)
    page = scorer.send(scorer.open(f"{played}/hands/1/void").form("/void"), reason="")
    assert page.status == 422
    assert "Give a reason" in page.wrong("reason")
    assert table.row_counts(database) == before


def test_a_double_tap_voids_once(scorer: Phone, played: str) -> None:
    """The second answer is the first one's, not that it is already void."""
    form = scorer.open(f"{played}/hands/1/void").form("/void")
    assert [scorer.send(form, reason="misdeal").status for _ in range(2)] == [303, 303]


def test_a_void_hand_is_neither_voided_nor_corrected(
    scorer: Phone, played: str, database: Database, club: Access
) -> None:
    """409, in the words of the table."""
    voiding = scorer.open(f"{played}/hands/1/void").form("/void")
    correcting = scorer.open(f"{played}/hands/1/correct").form("/correct")
    number = int(played.rsplit("/", 1)[1])
    table.void(database, club, number, 1)
    revision = str(ask(database, club, load, number).revision)
    repeated = scorer.send(voiding, reason="twice", revision=revision)
    assert repeated.status == 409
    assert "Hand 1 is already void" in repeated.text
    late = scorer.send(correcting, do="save", points="46", reason="late", revision=revision)
    assert late.status == 409
    assert "Hand 1 is already void" in late.text
    assert scorer.open(f"{played}/hands/1/correct").status == 409


def test_a_form_from_before_the_closing_is_shown_again_before_a_hand_changes(
    scorer: Phone, played: str, database: Database, club: Access
) -> None:
    """The history still offers corrections, and one after the closing is saved as usual."""
    form = scorer.open(f"{played}/hands/1/void").form("/void")
    lifecycle.close(table.write(database, club), int(played.rsplit("/", 1)[1]))
    page = scorer.send(form, reason="late")
    assert page.status == 412
    assert scorer.send(page.form("/void"), reason="late").status == 303
    assert "void" in scorer.open(f"{played}/history").text


@pytest.fixture
def with_pots(database: Database, club: Access) -> str:
    """The address of a session for pots in which nobody won one: 36 hands, all of them Ann's."""
    options = {"pots": {"stake": 5}}
    number = table.start(
        database, club, ("Ann", "Bob", "Cyd"), "progressive", options=options, first_dealer="Ann"
    )
    lost = {"contract": {"bidder": "Ann", "bid": "frog"}, "points": 40}
    for _ in range(36):
        table.record(database, club, number, lost)
    return f"/clubs/{club.club_id}/sessions/{number}"


def test_a_change_says_how_many_later_hands_are_recalculated(scorer: Phone, with_pots: str) -> None:
    """Next to the result of a correction, and above the list, which ends after thirty."""
    page = scorer.open(f"{with_pots}/hands/2/correct")
    preview = scorer.send(page.form("/correct"), do="show", points="70", reason="miscounted")
    assert preview.text.count("34 later hands are recalculated") == 2
    void = scorer.open(f"{with_pots}/hands/35/void").text
    assert "1 later hand is recalculated: the pots that they were played for" in void
    void = scorer.open(f"{with_pots}/hands/1/void").text
    assert "35 later hands are recalculated: the pots that they were played for" in void
    assert "Hand 31 Frog pot" in void
    assert "Hand 32 frog pot" not in void
    assert "These are the first 30; the last is hand 36." in void


def test_beyond_the_last_page_of_the_history_is_the_last(scorer: Phone, with_pots: str) -> None:
    """A link from an evening that was longer, or a typed number, shows hands, not that there are none."""
    last = scorer.open(f"{with_pots}/history?page=2").text
    assert scorer.open(f"{with_pots}/history?page=99").text == last
    assert "No hand" not in last


@pytest.fixture
def four_hands(database: Database, club: Access, played: str) -> str:
    """A session with a third hand that Cyd lost, and a fourth in which all passed; the second was voided."""
    number = int(played.rsplit("/", 1)[1])
    table.record(database, club, number, {**table.ALONE_85, "points": 44})
    table.record(database, club, number, table.ALL_PASS)
    table.void(database, club, number, 2)
    return played


def test_the_history_shows_only_the_hands_that_are_looked_for(
    viewer: Phone, four_hands: str
) -> None:
    """By player, as bidder or partner, by bid, lost, corrected or void; or all at once."""
    expected = {
        "": [4, 3, 2, 1],
        "player=Cyd": [3, 2],
        "player=Bob": [1],
        "player=Gus": [],
        "player=Nobody": [],
        "bid=go-alone": [3, 2],
        "bid=pass": [4],
        "bid=bridge": [],
        "lost=1": [3],
        "changed=1": [2],
        "player=Cyd&bid=go-alone&lost=1": [3],
        "bid=go-alone&page=99": [3, 2],
    }
    pages = {query: viewer.client.get(f"{four_hands}/history?{query}").text for query in expected}
    numbers = {query: re.findall(r'id="hand-(\d+)"', page) for query, page in pages.items()}
    assert {query: list(map(int, texts)) for query, texts in numbers.items()} == expected


def test_running_totals_of_a_found_hand_are_those_of_the_whole_history(
    viewer: Phone, four_hands: str
) -> None:
    """Hands between two that were found count, though they are not shown."""
    every, some = (
        re.findall(r'(id="hand-[13]".*?</table>)', viewer.client.get(address).text, re.DOTALL)
        for address in (f"{four_hands}/history", f"{four_hands}/history?player=Cyd&lost=1")
    )
    assert [every[0]] == some


def test_a_renamed_player_is_found_by_todays_name(
    viewer: Phone, four_hands: str, database: Database, club: Access
) -> None:
    """The record keeps the old one."""
    person = next(each for each in ask(database, club, players.everyone) if each.name == "Cyd")
    players.rename(table.write(database, club), person.id, name="Cynthia")
    assert 'id="hand-3"' in viewer.client.get(f"{four_hands}/history?player=Cynthia").text
    assert 'id="hand-3"' not in viewer.client.get(f"{four_hands}/history?player=Cyd").text
