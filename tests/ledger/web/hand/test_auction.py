"""The auction entered call by call: only legal calls are offered, and the contract follows from them."""

from itertools import islice

import pytest
from werkzeug.datastructures import MultiDict

from engine.games import GAMES, find
from engine.guide.random_hands import random_hands
from engine.record import Call, HandRecord
from engine.rules.seating import Turn
from engine.scoring.score import score
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.web.hand import bidding
from ledger.web.hand.form import HandForm
from ledger.web.hand.play import record_of
from tests.ledger import table
from tests.ledger.table import ask
from tests.ledger.web.phone import Page, Phone

SOME = 20
"""The hands of each game."""


def after(record: HandRecord, **fields: str) -> HandForm:
    """Return the form of a record's table with some fields."""
    rules = find(record.game).rules(record.rules, record.options, len(record.players))
    turn = Turn(rules.seating, rules.table(record.players, record.dealer), None)
    body = MultiDict({"dealer": record.dealer, **fields})
    body.setlist("active", list(record.active or ()))
    return HandForm.read(rules, record.players, turn, body)


@pytest.mark.parametrize("game", GAMES)
def test_every_auction_of_a_game_is_entered_by_its_buttons(game: str) -> None:
    """Each call is among those offered, and nothing is offered after the last one."""
    for record in islice(random_hands(game, seed="auction"), SOME):
        text = ""
        for call in record.auction or ():
            form = after(record, auction=text)
            button = bidding.written([call])
            assert button in dict(form.auction.choices)
            assert "bidder" not in form.chosen
            text = after(record, auction=text, call=button).chosen["auction"]
        form = after(record, auction=text)
        assert form.auction.choices == []
        assert [Call(*call) for call in form.draft["auction"]] == list(record.auction or ())
        assert record.contract is not None
        if record.contract.bid == "pass":
            assert form.draft["contract"] == {"bid": "pass"}
        elif form.chosen["bid"] == record.contract.bid and "bidder" in form.chosen:
            contract = form.draft["contract"]
            assert contract["bidder"] == record.contract.bidder
            for key in ("doubled", "redoubled"):
                assert set(contract.get(key, ())) == set(getattr(record.contract, key) or ())


@pytest.mark.parametrize("game", GAMES)
def test_no_illegal_call_is_offered(game: str) -> None:
    """After any beginning of an auction the engine accepts each call that is offered."""
    for record in islice(random_hands(game, seed="offers"), SOME):
        calls = list(record.auction or ())
        rules = find(record.game).rules(record.rules, record.options, len(record.players))
        for count in range(len(calls)):
            form = after(record, auction=bidding.written(calls[:count]))
            seats = rules.table(record.players, record.dealer, record.active).active
            auction = rules.auction(seats).after(*calls[:count])
            legal = [bidding.written([call]) for call in auction.legal]
            assert [value for value, _ in form.auction.choices] == legal


def test_a_hand_with_its_auction_and_cards_is_scored_with_both() -> None:
    """Contract, doubles and play come from the auction and the cards alone."""
    hands = random_hands("progressive", seed="both")
    played = (hand for hand in hands if hand.tricks and not hand.pots)
    for record in islice(played, SOME):
        cards = " / ".join(" ".join(map(str, trick.cards)) for trick in record.tricks or ())
        form = after(record, auction=bidding.written(record.auction or ()), cards=cards)
        if record.exchange is None and not record.conceded:
            entered = record_of(form.rules, form.names, form.draft)
            assert score(entered).deltas == score(record).deltas


@pytest.mark.parametrize(
    "text",
    [
        "Bob solo\nCyd heart-solo\nBob pass\nDee pass",
        "bob Solo, CYD Heart solo, Bob pass, Dee pass",
        "Bob  solo,Cyd heart_solo\n\nBob PASS\nDee pass\n",
    ],
)
def test_calls_may_be_written_with_lines_or_commas_and_in_words(text: str) -> None:
    """Names are compared as everywhere, calls as in records."""
    record = HandRecord.from_mapping(
        {"game": "six-bid", "players": ["Ann", "Bob", "Cyd", "Dee"], "dealer": "Ann"}
    )
    form = after(record, auction=text)
    assert form.draft["auction"] == [
        ["Bob", "solo"],
        ["Cyd", "heart-solo"],
        ["Bob", "pass"],
        ["Dee", "pass"],
    ]
    assert form.draft["contract"] == {"bidder": "Cyd", "bid": "heart-solo", "trump": "H"}


def test_names_with_blanks_and_commas_are_read_with_the_calls_of_their_line() -> None:
    """A name may begin like another one, or hold a comma."""
    names = ("Ann", "Ann Lee", "Lee, Bob")
    rules = find("six-bid").rules("hoyle", {}, 3)
    entered = bidding.read(rules, names, "Ann pass\nAnn Lee solo\nLee, Bob pass")
    assert entered.calls == [["Ann", "pass"], ["Ann Lee", "solo"], ["Lee, Bob", "pass"]]
    assert entered.contract(rules) == {"bidder": "Ann Lee", "bid": "solo"}


def press(phone: Phone, page: Page, button: str) -> Page:
    """Press a button of the auction, which must be on the page."""
    form = page.form("/new")
    assert ("call", button) in form.buttons
    return phone.send(form, call=button)


def test_an_auction_is_entered_without_a_script_and_saved(
    scorer: Phone, four: str, database: Database, club: Access
) -> None:
    """One button a call, the last call undone, and then bidder and bid are answered."""
    page = scorer.open(f"{four}/hands/new")
    for button in ("Bob solo", "Cyd pass", "undo", "Cyd heart-solo", "Bob pass", "Dee pass"):
        page = press(scorer, page, button)
        assert not page.reader.alerts
    fields = dict(page.form("/new").fields)
    assert (fields["bidder"], fields["bid"]) == ("Cyd", "heart-solo")
    assert [value for name, value in page.form("/new").buttons if name == "call"] == ["undo"]
    preview = scorer.send(page.form("/new"), do="show", points="74")
    assert scorer.send(preview.form("/new"), do="save").status == 303
    record = ask(database, club, table.version_record, int(four.rsplit("/", 1)[1]), 1)[0]
    assert record["auction"][1] == ["Cyd", "heart-solo"]
    assert record["contract"]["bidder"] == "Cyd"


def test_an_unfinished_auction_is_still_needed_and_no_error_while_it_is_entered(
    scorer: Phone, four: str
) -> None:
    """A request for the payout is answered with the turn."""
    page = press(scorer, scorer.open(f"{four}/hands/new"), "Bob solo")
    assert not page.reader.alerts
    fields = {"bidder": "Bob", "bid": "solo", "trump": "S", "points": "74"}
    preview = scorer.send(page.form("/new"), do="show", **fields)
    assert preview.wrong("auction") == "The auction is not over: it is Cyd's turn."
    form = preview.form("/new")
    form.action = f"{four}/hands/preview"
    assert "Still needed: the rest of the auction" in scorer.send(form, **fields).text


def test_an_auction_in_which_all_pass_is_a_hand_that_all_passed(scorer: Phone, four: str) -> None:
    """Nothing else is asked."""
    page = scorer.open(f"{four}/hands/new")
    for seat in ("Bob", "Cyd", "Dee"):
        page = press(scorer, page, f"{seat} pass")
    assert dict(page.form("/new").fields)["bidder"] == "<nobody>"
    assert scorer.send(page.form("/new"), do="save").status == 303


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Bob solo\nCyd solo", "Cyd bid Solo, which is not higher than Solo"),
        ("Cyd solo", "it was Bob's turn, not Cyd's"),
        ("Zoe solo", "Zoe"),
        ("Bob whist", "which was not possible"),
        ("Bob", "Bob called"),
        ("\n".join(["Bob pass"] * 300), "200"),
    ],
)
def test_wrong_calls_are_refused_at_the_auction(
    scorer: Phone, four: str, text: str, message: str
) -> None:
    """A low bid, a call out of turn, a stranger, no call, a seat alone, far too many."""
    form = scorer.open(f"{four}/hands/new").form("/new")
    fields = {"bidder": "Bob", "bid": "solo", "trump": "S", "points": "74", "auction": text}
    assert message in scorer.send(form, do="show", **fields).wrong("auction")


def test_a_correction_shows_the_recorded_auction(
    scorer: Phone, four: str, database: Database, club: Access
) -> None:
    """Call by call; unchanged, it is kept as it was recorded."""
    hand = {
        "dealer": "Ann",
        "auction": [["Bob", "solo"], ["Cyd", "pass"], ["Dee", "pass"]],
        "contract": {"bidder": "Bob", "bid": "solo", "trump": "S"},
        "points": 74,
    }
    number = int(four.rsplit("/", 1)[1])
    table.record(database, club, number, hand)
    page = scorer.open(f"{four}/hands/1/correct")
    assert dict(page.form("/correct").fields)["auction"] == "Bob solo\nCyd pass\nDee pass"
    preview = scorer.send(page.form("/correct"), do="show", reason="sum", points="75")
    assert scorer.send(preview.form("/correct"), do="save").status == 303
    record = ask(database, club, table.version_record, number, 1)[0]
    assert (record["auction"], record["points"]) == (hand["auction"], 75)


@pytest.mark.parametrize("name", ["auction", "call", "line"])
def test_garbage_in_the_fields_of_the_auction_is_answered_by_a_page(
    scorer: Phone, four: str, name: str
) -> None:
    """For any text: nothing is saved, and it is no error of the server."""
    fields = {"bidder": "Bob", "bid": "solo", "trump": "S"}
    texts = ["\ufdfa" * 300, "," * 3_000, "Bob\n" * 2_000, "\x00", "Bob redouble Bob", "a/b@" * 900]
    for text in texts:
        page = scorer.send(
            scorer.open(f"{four}/hands/new").form("/new"), do="show", **fields, **{name: text}
        )
        assert page.status == 200
        repeated = {"points": "abc", "seen": "unseen", name: text}
        assert scorer.send(page.form("/new"), do="save", **repeated).status in (200, 422)
