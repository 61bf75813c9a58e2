"""Correcting by page a hand that was recorded with its cards: they never go unseen."""

import sys
from typing import Any

import pytest

from engine.errors.codes import examples
from engine.replay.replay import replay
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import players
from ledger.services.hands import record
from tests.engine.rules.test_changes import FIRST, SAVED
from tests.ledger import table
from tests.ledger.services.hands.test_old_rules import is_illegal_by_now
from tests.ledger.table import ask
from tests.ledger.web.phone import Page, Phone

CARDS = {key: examples()["differs-from-cards"][key] for key in ("deal", "contract", "tricks")}
"""Each of four was dealt a whole suit, and Ann took every trick alone in spades: (120 − 60) × 2."""

PAYS = {"Ann": 360, "Bob": -120, "Cyd": -120, "Dee": -120}


@pytest.fixture
def dealt(database: Database, club: Access) -> str:
    """The address of a session with one hand that has its deal and tricks, and no count."""
    number = table.start(database, club, table.FOUR, "crazy-solo", first_dealer="Dee")
    table.record(database, club, number, CARDS)
    return f"/clubs/{club.club_id}/sessions/{number}"


def correct(phone: Phone, session: str, do: str, **filled: Any) -> Page:
    """Open hand 1's form, change it and look at the payout, or save it after having looked."""
    form = phone.open(f"{session}/hands/1/correct").form("/correct")
    preview = phone.send(form, do="show", reason="miscounted", **filled)
    return preview if do == "show" else phone.send(preview.form("/correct"), do=do)


def written(database: Database, club: Access, session: str) -> dict[str, Any]:
    """Return hand 1's record."""
    return dict(ask(database, club, table.version_record, int(session.rsplit("/", 1)[1]), 1)[0])


def test_what_the_cards_tell_fills_the_form(scorer: Phone, dealt: str) -> None:
    """It shows the cards and asks for no points; saying nothing else is no correction."""
    page = scorer.open(f"{dealt}/hands/1/correct")
    fields = dict(page.form("/correct").fields)
    assert (fields["bidder"], fields["bid"]) == ("Ann", "go-alone")
    assert fields["cards"].startswith("AS AH AD AC / TS TH TD TC / ")
    assert fields["hand_1"] == CARDS["deal"]["hands"]["Ann"]
    assert "points" not in fields
    assert "Still needed: the change, the reason" in page.text


def test_cards_that_agree_are_kept(
    scorer: Phone, dealt: str, database: Database, club: Access
) -> None:
    """A note more, and all else as it was written; also when a player is called otherwise by now."""
    before = written(database, club, dealt)
    everyone = ask(database, club, players.everyone)
    bob = next(player.id for player in everyone if player.name == "Bob")
    players.rename(table.write(database, club), bob, name="Zoë")
    assert "recorded with its cards" not in correct(scorer, dealt, "show", note="close").text
    assert correct(scorer, dealt, "save", note="close").status == 303
    after = written(database, club, dealt)
    assert after.keys() - before.keys() == {"note"}
    assert after["tricks"][1] == before["tricks"][1]
    assert after["deal"]["hands"]["Zoë"] == before["deal"]["hands"]["Bob"]


def test_cards_that_a_newer_rule_forbids_are_kept(
    scorer: Phone, database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand is corrected by the rules it was scored by: its cards agree with those."""
    hand = next(each["record"] for each in SAVED if is_illegal_by_now(each["record"]))
    number = table.start(database, club, table.FOUR, "german-solo")
    with monkeypatch.context() as then:
        then.setattr(record, "VERSION", FIRST)
        table.record(database, club, number, hand)
    session = f"/clubs/{club.club_id}/sessions/{number}"
    assert correct(scorer, session, "save", note="close").status == 303
    assert written(database, club, session) == {**hand, "rules": "altenburg", "note": "close"}


def test_cards_that_say_otherwise_go_only_when_that_was_seen(
    scorer: Phone, dealt: str, database: Database, club: Access
) -> None:
    """The contradiction, that saving replaces the cards, and a switch that saving requires."""
    assert table.balances(database, club, int(dealt.rsplit("/", 1)[1])) == PAYS
    before, rows = written(database, club, dealt), table.row_counts(database)
    preview = correct(scorer, dealt, "show", cards="", points="90")
    assert "By the cards the bidding side's card points are 120, not 90." in preview.text
    assert "Saving replaces the cards with the result." in preview.text
    assert "Ann +180 360 180" in preview.text
    refused = scorer.send(preview.form("/correct"), do="save")
    assert refused.status == 422
    assert "Confirm that the result replaces the cards" in refused.wrong("replace")
    assert written(database, club, dealt) == before
    assert table.row_counts(database) == rows
    saved = scorer.send(refused.form("/correct"), do="save", replace="yes")
    assert saved.status == 303
    after = written(database, club, dealt)
    assert after["points"] == 90
    assert after.keys().isdisjoint({"deal", "tricks"})
    number = int(dealt.rsplit("/", 1)[1])
    # (90 − 60) × 2 from each of the three.
    assert table.balances(database, club, number) == {
        "Ann": 180,
        "Bob": -60,
        "Cyd": -60,
        "Dee": -60,
    }


def test_what_is_wrong_by_itself_is_said_as_ever(scorer: Phone, dealt: str) -> None:
    """A miscount is a miscount, with cards or without."""
    page = correct(scorer, dealt, "show", cards="", points="119")
    assert "miscount" in page.wrong("points")
    assert "replaces the cards" not in page.text


def test_all_passed_in_place_of_cards_has_to_be_agreed_to(scorer: Phone, dealt: str) -> None:
    """Nothing was played, so no tricks were."""
    preview = correct(scorer, dealt, "show", bidder="<nobody>")
    assert "Saving replaces the cards with the result." in preview.text
    assert correct(scorer, dealt, "save", bidder="<nobody>", replace="yes").status == 303


def test_the_page_plays_the_cards_again_once(
    scorer: Phone, dealt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is the main cost: opening the correction of a hand with cards does it once."""
    played: list[object] = []

    def counted(*given: Any) -> Any:
        played.append(given)
        return replay(*given)

    for room in (
        "engine.scoring.score",
        "ledger.services.hands.draft",
        "ledger.web.hand.correction_form",
    ):
        monkeypatch.setattr(sys.modules[room], "replay", counted)
    assert scorer.open(f"{dealt}/hands/1/correct").status == 200
    assert len(played) == 1
