"""A hand of every game by its page: its questions, and its payout as worked out by hand from the rules."""

from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from tests.ledger import table
from tests.ledger.web.games import FRAGE, GAMES, SOLO, Game, ann, pays
from tests.ledger.web.phone import Page, Phone


def show(phone: Phone, session: str, **filled: Any) -> Page:
    """Fill in the form and ask for the payout."""
    return phone.send(phone.open(f"{session}/hands/new").form("/new"), do="show", **filled)


def begin(database: Database, club: Access, game: Game) -> tuple[int, str]:
    """Start a session; return its id and address."""
    number = table.start(
        database,
        club,
        game.players,
        game.slug,
        variant=game.variant,
        options=game.options or {},
        first_dealer=game.players[-1],
    )
    return number, f"/clubs/{club.club_id}/sessions/{number}"


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_each_hand_of_each_game_is_written_by_its_page(
    scorer: Phone, database: Database, club: Access, game: Game
) -> None:
    """The last at the table deals each hand; twice sent is saved once."""
    number, session = begin(database, club, game)
    so_far = dict.fromkeys(game.players, 0)
    for hand, payout in game.hands:
        preview = show(scorer, session, dealer=game.players[-1], **hand)
        assert ("do", "save") in preview.form("/new").buttons, preview.text
        for name in hand.keys() & {"first_tricks_won", "matadors", "tricks_won", "called"}:
            offered = preview.form("/new").choices.get(name)
            assert offered is None or hand[name] in offered
        first, second = (scorer.send(preview.form("/new"), do="save") for _ in "ab")
        assert (first.status, first.location) == (303, second.location)
        so_far = {name: holding + payout[name] for name, holding in so_far.items()}
        assert table.balances(database, club, number) == so_far


def test_a_bidder_paid_by_a_pot_alone_is_told_how_much(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Frog with exactly 60 is won for nothing from the others; the frog pot of 40 less the antes of 15."""
    game = GAMES["progressive with pots"]
    number, session = begin(database, club, game)
    table.record(database, club, number, table.ALL_PASS)
    preview = show(scorer, session, dealer="Dee", **ann("frog", 60))
    assert "Won Ann +25 ante −15 pot +40" in preview.text
    preview = show(scorer, session, dealer="Dee", **ann("spade-solo", 65))
    assert "Won Ann +85 10 each ante −15 pot +80" in preview.text
    assert "only the pots move" not in preview.text


def test_a_corrected_hand_names_the_later_hands_that_moved_with_it(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Hand 2 won the pots of hand 1, which are no longer there."""
    number, session = begin(database, club, GAMES["progressive with pots"])
    solo = {
        "dealer": "Dee",
        "contract": {"bidder": "Ann", "bid": "spade-solo"},
        "points": 65,
    }
    for hand in (table.ALL_PASS, solo):
        table.record(database, club, number, hand)
    assert "Recalculated" not in scorer.open(f"{session}/history?saved=1").text
    table.correct(database, club, number, 1, solo)
    text = scorer.open(f"{session}/history?saved=1").text
    assert "Hand 1 corrected" in text
    assert "Recalculated because the pots changed: hand 2." in text


def german(scorer: Phone, database: Database, club: Access, **filled: Any) -> Page:
    """Fill in a hand of German Solo."""
    _, session = begin(database, club, GAMES["german-solo"])
    return show(scorer, session, **filled)


def test_german_solo_scores_a_declarer_and_offers_nothing_that_cannot_be(
    scorer: Phone, database: Database, club: Access
) -> None:
    """No all-pass, no trump ace, nobody alone; no prime after six tricks, no tout after asking."""
    page = german(scorer, database, club, **FRAGE, tricks_won="5", matadors="split")
    choices = page.form("/new").choices
    assert "<nobody>" not in choices["bidder"]
    assert choices["called"] == ["AC", "AH", "AS", "KC", "KH", "KS"]
    assert choices["partner"] == ["Bob", "Cyd", "Dee"]
    assert choices["tricks_won"] == [str(count) for count in range(9)]
    assert choices["first_tricks_won"] == ["lost", "stopped", "on"]
    assert "Declarer" in page.text
    assert "payout" not in page.text.lower()
    form = page.form("/new")
    six = scorer.send(form, do="show", tricks_won="6").form("/new")
    assert six.choices["first_tricks_won"] == ["lost", "on"]
    for more in ({"tricks_won": "4"}, {"tricks_won": "8"}, {"announced_tout": "yes"}):
        assert "first_tricks_won" not in scorer.send(form, do="show", **more).form("/new").choices
    asked = scorer.send(form, do="show", asked_partner="yes").form("/new")
    assert "announced_tout" not in asked.choices
    alone = scorer.send(form, do="show", **SOLO).form("/new")
    assert alone.choices.keys().isdisjoint({"called", "partner", "asked_partner"})


def test_what_no_page_of_german_solo_offers_is_refused_at_its_input(
    scorer: Phone, database: Database, club: Access
) -> None:
    """In the engine's own words; nothing is saved."""
    _, session = begin(database, club, GAMES["german-solo"])
    before = table.row_counts(database)
    hand = {**FRAGE, "tricks_won": "5", "first_tricks_won": "lost", "matadors": "split"}
    form = scorer.open(f"{session}/hands/new").form("/new")
    for field, changes, sentence in (
        ("tricks_won", {"tricks_won": "9"}, "A hand has 8 tricks"),
        ("tricks_won", {"tricks_won": ""}, "Say how many of the 8 tricks"),
        ("matadors", {"matadors": ""}, "Say which side was dealt all three matadors"),
        ("first_tricks_won", {"first_tricks_won": ""}, "Say whether the first 5 tricks"),
        ("called", {"called": "AD"}, "A♦\ufe0e is a trump"),
        ("bid", {"bidder": "<nobody>", "bid": ""}, "somebody must play Force"),
    ):
        scorer.must_refuse(form, field, sentence, do="save", **{**hand, **changes})
    assert table.row_counts(database) == before


def test_only_who_plays_against_the_bidder_doubles_and_only_doublers_are_redoubled(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Never the king; a double taken away takes the redouble with it."""
    _, session = begin(database, club, GAMES["progressive"])
    page = show(scorer, session, **ann("frog", 74), doubled="Bob", redoubled="Bob")
    form = page.form("/new")
    assert (form.choices["doubled"], form.choices["redoubled"]) == (["Bob", "Cyd"], ["Bob"])
    assert "Ann +70" in page.text  # 14 × 4 and 14
    single = scorer.send(form, do="show", doubled=None)
    assert "redoubled" not in single.form("/new").choices
    assert "Ann +28" in single.text


def test_pots_are_shown_and_never_typed(scorer: Phone, database: Database, club: Access) -> None:
    """Before the antes, from the books; after, with the payout."""
    number, session = begin(database, club, GAMES["progressive with pots"])
    table.record(database, club, number, table.ALL_PASS)
    page = show(scorer, session, bidder="<nobody>")
    assert "Frog pot 20 Solo pot 40 before the antes" in page.text
    assert "Frog pot +20 40 Solo pot +40 80" in page.text
    assert not [name for name, _ in page.form("/new").fields if "pot" in name]


def test_a_table_sets_its_pots_by_page(scorer: Phone, database: Database, club: Access) -> None:
    """A switch, then a stake and a factor that are typed; impossible ones are refused at their field."""
    number, session = begin(database, club, GAMES["progressive"])
    form = scorer.open(f"{session}/rules").form("/rules")
    on = scorer.send(form, **{"rule-pots": "1"})
    assert "What every seat antes to the frog pot each deal" in on.text
    typed = {"do": "save", "rule-pots.stake": "0", "rule-pots.on_loss": "match"}
    wrong = scorer.send(on.form("/rules"), **typed)
    assert wrong.status == 422
    assert "a whole number from 1 to 1000000, not 0" in wrong.wrong("rule-pots.stake")
    saved = scorer.send(wrong.form("/rules"), do="save", **{"rule-pots.stake": "3"})
    assert saved.status == 303
    # Antes of 3 and 3, doubled up by a lost frog: 8 to each of two, 12 to the pot it lost.
    lost = {**ann("frog", 52), "dealer": "Dee"}
    preview = show(scorer, session, **lost)
    assert scorer.send(preview.form("/new"), do="save").status == 303
    assert table.balances(database, club, number) == pays(-16 - 6 - 12, 2, 2, -6)
