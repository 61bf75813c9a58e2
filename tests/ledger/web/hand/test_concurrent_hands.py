"""Saves by others while a hand form is open: shown in the form, and an identical hand is recognised."""

from typing import Any

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.table import start
from tests.ledger import table
from tests.ledger.web.hand.test_hand import HEARTS_74, save, show
from tests.ledger.web.phone import Form, Page, Phone

SAME = "The same hand as hand 1?"


def number(session: str) -> int:
    """The number of the session at an address."""
    return int(session.rsplit("/", 1)[1])


def save_another(phone: Phone, session: str, **changes: str) -> Page:
    """Score a hand on a second phone."""
    return save(phone, show(phone, session, **{**HEARTS_74, **changes}))


def buttons(page: Page) -> list[str]:
    """Return the values of the form's visible buttons."""
    return [value for _, value in page.form("/new").buttons]


def told(phone: Phone, form: Form, **filled: str) -> Page:
    """Ask for news, as the form does when notified."""
    return phone.send(form, do="meanwhile", **filled)


def test_the_identical_hand_of_two_phones_is_asked_about_and_saved_once(
    scorer: Phone, owner: Phone, seven: str
) -> None:
    """The second phone is asked instead of being offered to save hand 2; discarding is one tap."""
    mine = show(scorer, seven, **{**HEARTS_74, "note": "mine"})
    assert save_another(owner, seven).status == 303
    question = save(scorer, mine)
    assert question.status == 412
    assert (
        "Hand 1 was recorded meanwhile, here or on another device, and says just" in question.text
    )
    assert SAME in question.text
    assert "save" not in buttons(question)
    assert "another" in buttons(question)
    assert seven in question.reader.links
    assert "1 hand." in scorer.open(seven).text


def test_a_save_that_goes_on_nevertheless_is_asked_back(
    scorer: Phone, owner: Phone, seven: str, database: Database
) -> None:
    """A script's button may be tapped before the question is there: nothing is saved untold."""
    mine = show(scorer, seven, **HEARTS_74)
    save_another(owner, seven)
    question = save(scorer, mine)
    before = table.row_counts(database)
    repeated = scorer.send(question.form("/new"), do="save", seen="unseen")
    assert repeated.status == 409
    assert SAME in repeated.text
    assert table.row_counts(database) == before


def test_who_says_that_it_is_another_hand_saves_it_and_is_asked_no_more(
    scorer: Phone, owner: Phone, seven: str
) -> None:
    """It is hand 2, dealt by the next."""
    mine = show(scorer, seven, **HEARTS_74)
    save_another(owner, seven)
    another = scorer.send(save(scorer, mine).form("/new"), do="another")
    assert SAME not in another.text
    assert "save" in buttons(another)
    assert save(scorer, another).location.endswith("?saved=2")


def test_it_is_the_same_by_what_it_says_of_the_play(
    scorer: Phone, owner: Phone, seven: str
) -> None:
    """Also counted from the other side, or with a note; not with another dealer that somebody tapped."""
    forms = [
        (show(scorer, seven, **{**HEARTS_74, **changes}), is_same)
        for changes, is_same in (
            ({"points": "75"}, False),
            ({"partner": "Cyd"}, False),
            ({"dealer": "Fay"}, False),
            ({"points": "", "points_against": "46"}, True),
            ({"note": "a word"}, True),
        )
    ]
    save_another(owner, seven)
    for mine, is_same in forms:
        page = save(scorer, mine)
        assert (SAME in page.text) is is_same
        assert ("save" in buttons(page)) is not is_same


def test_what_is_changed_upon_the_question_is_another_hand(
    scorer: Phone, owner: Phone, seven: str
) -> None:
    """And typed back it is the same again, though the form has been shown the hand before."""
    mine = show(scorer, seven, **HEARTS_74)
    save_another(owner, seven)
    question = save(scorer, mine)
    changed = scorer.send(question.form("/new"), do="show", points="75")
    assert SAME not in changed.text
    assert SAME in scorer.send(changed.form("/new"), do="show", points="74").text


def test_a_void_hand_is_no_hand_to_be_the_same_as(
    scorer: Phone, owner: Phone, seven: str, database: Database, club: Access
) -> None:
    """A voided hand may be entered again."""
    mine = show(scorer, seven, **HEARTS_74)
    save_another(owner, seven)
    table.void(database, club, number(seven), 1)
    assert SAME not in save(scorer, mine).text


def test_a_save_whose_answer_was_lost_is_answered_as_at_first(scorer: Phone, seven: str) -> None:
    """Its own hand is no other's: the key shows it."""
    mine = show(scorer, seven, **HEARTS_74)
    first = save(scorer, mine)
    assert save(scorer, mine).location == first.location


def test_nor_is_it_asked_about_itself_once_it_has_seen_what_it_saved(
    scorer: Phone, seven: str
) -> None:
    """The form takes up the new revision and is sent again: the first answer, and no second hand."""
    mine = show(scorer, seven, **HEARTS_74)
    first = save(scorer, mine)
    now = dict(scorer.open(f"{seven}/hands/new").form("/new").fields)["revision"]
    assert save(scorer, mine, revision=now).location == first.location
    assert "1 hand." in scorer.open(seven).text


def test_its_key_with_another_hand_is_refused_and_a_bad_one_too(scorer: Phone, seven: str) -> None:
    """Also with the same play: the saved hand is shown, and nothing is saved twice."""
    mine = show(scorer, seven, **HEARTS_74)
    save(scorer, mine)
    now = dict(scorer.open(f"{seven}/hands/new").form("/new").fields)["revision"]
    other = save(scorer, mine, revision=now, note="a word", seen="unseen")
    assert other.status == 409
    assert "Hand 1 is already saved" in other.text
    assert save(scorer, mine, revision=now, key="\0").status == 422
    assert "1 hand." in scorer.open(seven).text


def test_a_hand_of_ones_own_from_another_form_is_asked_about(scorer: Phone, seven: str) -> None:
    """By its name alone nobody knows whether it was this phone: the question doesn't name another."""
    mine, other = show(scorer, seven, **HEARTS_74), show(scorer, seven, **HEARTS_74)
    save(scorer, mine)
    question = save(scorer, other)
    assert question.status == 412
    assert "Hand 1 was recorded meanwhile, here or on another device" in question.text


def test_a_form_is_told_what_is_new_and_keeps_what_is_typed(
    scorer: Phone, owner: Phone, seven: str
) -> None:
    """The other's hand in a line; number, dealer and revision are taken over, so the next save is saved."""
    mine = scorer.open(f"{seven}/hands/new").form("/new")
    assert told(scorer, mine).status == 204
    save_another(owner, seven, points="85")
    new = told(scorer, mine, **HEARTS_74)
    assert new.status == 200
    assert "Meanwhile: hand 1 was recorded (Sue, " in new.text
    assert "Ann with Bob, Solo in hearts ♥︎ called A♥︎; 85 points, won. Ann" in new.text
    assert "Yours is hand 2 now: Bob deals, Cyd leads." in new.text
    fields = dict(new.form("/new").fields)
    assert fields["points"] == "74"
    assert fields["dealer"] == "Bob"
    assert told(scorer, new.form("/new")).status == 204
    assert save(scorer, new).location.endswith("?saved=2")


def test_a_form_is_told_of_what_is_no_hand(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """A hand that was voided: yours stays the number it was."""
    table.record(database, club, number(seven), table.ALONE_85)
    mine = scorer.open(f"{seven}/hands/new").form("/new")
    table.void(database, club, number(seven), 1)
    new = told(scorer, mine, bidder="Ann")
    assert "Meanwhile: hand 1 was voided (" in new.text
    assert dict(new.form("/new").fields)["bidder"] == "Ann"


def test_a_form_is_told_that_answers_no_longer_fit_after_the_game_was_changed(
    scorer: Phone, database: Database, club: Access
) -> None:
    """The bidder stays; a bid that the other game lacks does not."""
    session = table.start(database, club, table.FOUR)
    mine = scorer.open(f"/clubs/1/sessions/{session}/hands/new").form("/new")
    six_bid: dict[str, Any] = {"game": "six-bid", "variant": None, "options": {}}
    start.change_rules(table.write(database, club), session, **six_bid)
    new = told(scorer, mine, bidder="Bob", bid="go-alone", trump="S")
    assert "only what still fits the game stays" in new.text
    assert "What you have entered stays" not in new.text
    fields = dict(new.form("/new").fields)
    assert fields["bidder"] == "Bob"
    assert "bid" not in fields


def test_a_correction_is_told_what_is_new_too(
    scorer: Phone, owner: Phone, seven: str, database: Database, club: Access
) -> None:
    """The typed part of the correction stays, with its reason."""
    table.record(database, club, number(seven), table.ALONE_85)
    mine = scorer.open(f"{seven}/hands/1/correct").form("/correct")
    save_another(owner, seven)
    new = told(scorer, mine, points="90", reason="miscounted")
    assert "Meanwhile: hand 2 was recorded" in new.text
    assert "Yours is hand" not in new.text
    fields = dict(new.form("/correct").fields)
    assert (fields["points"], fields["reason"]) == ("90", "miscounted")


def test_a_hand_of_a_dealer_who_is_not_due_is_shown_before_it_is_saved(
    scorer: Phone, seven: str, database: Database
) -> None:
    """As one that was entered offline after another, should its page be wrong: nobody chose the dealer."""
    mine = show(scorer, seven, **HEARTS_74)
    fields = dict(mine.form("/new").fields)
    assert fields["dealer"] == fields["dealer_proposed"]
    wrong = next(name for name in table.SEVEN if name != fields["dealer"])
    before = table.row_counts(database)
    entered = {"dealer": wrong, "dealer_proposed": wrong, "seen": "unseen"}
    preview = save(scorer, mine, **entered)
    assert preview.status == 409
    said = f"Hand 1 is {fields['dealer']}'s deal, and it was entered as {wrong}'s."
    assert said in preview.text
    assert table.row_counts(database) == before
    assert dict(preview.form("/new").fields)["dealer"] == fields["dealer"]
    assert save(scorer, preview).status == 303
    chosen = show(scorer, seven, **HEARTS_74)
    assert save(scorer, chosen, dealer=wrong, seen="unseen").status == 303
