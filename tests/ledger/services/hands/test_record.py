"""A hand: previewed, recorded and paid; retried without harm; refused at the field that is wrong."""

from datetime import datetime
from typing import Any

import pytest
from sqlmodel import select

from engine.errors.codes import examples
from engine.record import HandRecord
from engine.rules.changes import VERSION
from engine.rules.verdict import verdict_in_words
from engine.scoring.score import score
from ledger.database.models import Account, HandVersionTable
from ledger.runtime import clock
from ledger.services.club import players
from ledger.services.common import dates
from ledger.services.hands import correct
from ledger.services.hands import record as hands_record
from ledger.services.reads import session as reads_session
from ledger.services.table import start
from ledger.words.problems import Invalid, NotFound
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening, Hand


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """A Crazy Solo session of seven; Gus deals first, so Ann leads."""
    return sqlite_club.start(table.SEVEN, first_dealer="Gus")


def test_a_recorded_hand_is_paid_at_once(any_club: CardClub) -> None:
    """002's example: caller and partner are paid by five who lose 40 each; the answer says it all."""
    evening = any_club.start(table.SEVEN)
    answer = evening.record(table.HEARTS_74)
    assert (answer["session"], answer["hand"], answer["version"]) == (evening.id, 1, 1)
    assert (answer["state"], answer["revision"]) == ("standing", 2)
    assert answer["verdict"]["amount"] == 40
    assert answer["balances"] == table.PAYS_HEARTS_74 == evening.balances
    answer = evening.record(table.ALONE_85)
    both = table.total(table.PAYS_HEARTS_74, table.PAYS_ALONE_85)
    assert (answer["hand"], answer["revision"], answer["balances"]) == (2, 3, both)


def test_a_hand_keeps_its_record_its_verdict_and_who_wrote_it(evening: Evening) -> None:
    """The whole record, with what the session knew filled in, and what the engine said of it."""
    played_at = "2026-01-31T21:15:00+01:00"
    evening.record({**table.HEARTS_74, "note": "🎉", "played_at": played_at})
    stored, verdict, version = evening.read(table.version_record, 1)
    record = HandRecord.from_mapping(stored)
    assert (record.game, record.players, record.dealer) == ("crazy-solo", table.SEVEN, "Gus")
    assert (record.points, record.note) == (74, "🎉")
    assert "explanation" not in verdict
    assert verdict_in_words(verdict) == score(record).to_mapping()
    assert version.played_at == datetime.fromisoformat(played_at)
    assert (version.author, version.action, version.reason) == ("Sue", "recorded", None)
    assert version.engine_version == VERSION
    assert version.entered_at > version.played_at
    evening.record(table.HEARTS_74)
    *_, version = evening.read(table.version_record, 2)
    assert version.played_at == version.entered_at  # if the hand states no time


def test_a_hand_that_all_passed_is_written_and_moves_nothing(evening: Evening) -> None:
    """Its line says so."""
    answer = evening.record(table.ALL_PASS)
    assert answer["verdict"]["outcome"] == "passed-out"
    assert set(answer["balances"].values()) == {0}
    (line,) = evening.read(reads_session.hands)
    assert (line.bid_title, line.bidder, line.deltas) == ("Passed out", None, (0,) * 7)


@pytest.mark.parametrize(
    ("bid", "points", "deltas"),
    [
        # Hoyle: 1 a point over 60. Three play: the king (Dee, who deals) neither pays nor is paid.
        ({"bidder": "Ann", "bid": "solo", "trump": "S"}, 72, (24, -12, -12, 0)),
        # A lost hand is paid to everyone at the table, the king included.
        ({"bidder": "Ann", "bid": "solo", "trump": "S"}, 48, (-36, 12, 12, 12)),
        ({"bidder": "Bob", "bid": "misere"}, 0, (-40, 80, -40, 0)),
    ],
)
def test_the_king_is_paid_when_a_six_bid_hand_is_lost(
    sqlite_club: CardClub, bid: Hand, points: int, deltas: tuple[int, ...]
) -> None:
    """Four at the table: +2 to win, −3 to lose."""
    evening = sqlite_club.start(game="six-bid", first_dealer="Dee")
    evening.record({"contract": bid, "points": points})
    assert tuple(evening.balances.values()) == deltas
    assert evening.turn[0] == "Ann"


@pytest.mark.parametrize("seats", [4, 5, 7])
@pytest.mark.parametrize(("game", "bid"), [("crazy-solo", "go-alone"), ("six-bid", "solo")])
def test_every_size_of_table_balances_and_the_deal_goes_round(
    sqlite_club: CardClub, seats: int, game: str, bid: str
) -> None:
    """One round: each deals once, and the chips sum to zero all the while."""
    names = table.SEVEN[:seats]
    evening = sqlite_club.start(names, game)
    dealers = []
    for _ in names:
        dealer, lead = evening.turn
        dealers.append(dealer)
        hand = {"contract": {"bidder": lead, "bid": bid, "trump": "S"}, "points": 70}
        assert sum(evening.record(hand)["balances"].values()) == 0
    assert dealers == list(names)


def test_a_preview_saves_nothing_and_says_what_saving_gives(evening: Evening) -> None:
    """Verdict, balances and revision; a correction's, too."""
    for service, *hand in (
        (hands_record.record, table.HEARTS_74),
        (hands_record.record, table.HEARTS_74),
        (correct.correct, 1, table.ALONE_85),
    ):
        rows, view = evening.club.rows, evening.view
        preview = evening.preview(service, *hand)
        assert (evening.club.rows, evening.view) == (rows, view)
        assert preview.revision == view.revision
        why = {"reason": "miscounted"} if service is correct.correct else {}
        answer = evening.do(service, *hand, **why)
        assert dict(preview.balances) == answer["balances"]
        assert preview.verdict.to_mapping() == answer["verdict"]
        assert preview.record == evening.read(table.version_record, answer["hand"])[0]


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"points": 1}, "points", None),
        ({"points": 119}, "points", None),
        ({"points": 121}, "points", None),
        ({"points": -3}, "points", None),
        ({"points": "abc"}, "points", "ill-typed"),
        ({"points": None}, "points", "points-missing"),
        ({"contract": None, "points": None}, "contract", "contract-missing"),
        ({"dealer": "Zed"}, "dealer", None),
        ({"game": "six-bid"}, "game", "differs-from-session"),
        ({"rules": "pagat"}, "rules", "differs-from-session"),
        ({"options": {"rounding": 0}}, "options", "differs-from-session"),
        ({"players": ["Ann", "Bob"]}, "players", "differs-from-session"),
        ({"format": 2}, "format", "unknown-format"),
        ({"weather": "fine"}, "weather", "unknown-key"),
        ({"played_at": "today"}, "played_at", "ill-typed"),
        ({"played_at": "0001-01-01T00:00:00+14:00"}, "played_at", "time-out-of-bounds"),
        ({"note": "half a \ud800"}, "note", "ill-typed"),
        ({"note": "x" * 2001}, "note", "note-too-long"),
        ({"note": "rang \0 twice"}, "note", "note-has-controls"),
        ({"notes": [{"text": "a \0"}]}, "notes.1.text", "note-has-controls"),
        ({"evening": {"number": 1}}, "evening", "differs-from-session"),
        ({"stated": {"amount": 39}}, "stated.amount", "stated-differs"),
        ({"x-a": [None]}, "x-a.1", "ill-typed"),
    ],
)
def test_an_invalid_hand_is_refused_at_the_field(
    evening: Evening,
    change: dict[str, Any],
    field: str,
    code: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the preview and by saving alike, and nothing is saved."""
    at = clock.now()  # one refusal names the second it is given in
    monkeypatch.setattr(dates, "now", lambda: at)
    view, refusals = evening.view, []
    for act in (evening.preview, evening.do):
        with evening.club.refuses(Invalid) as caught:
            act(hands_record.record, {**table.HEARTS_74, **change})
        refusals.append(caught.value.faults)
    assert refusals[0] == refusals[1]
    assert field in [fault.field for fault in refusals[0]]
    assert code in (None, *(fault.code for fault in refusals[0]))
    assert evening.view == view


def test_a_hand_may_repeat_what_the_session_says(evening: Evening) -> None:
    """A whole record, as a file holds it, is as good; a key that holds nothing is left out."""
    repeated = {"format": 1, "game": "crazy-solo", "players": list(table.SEVEN), "options": {}}
    empty = {"rules": None, "dealer": None}
    answer = evening.record({**table.HEARTS_74, **repeated, **empty})
    assert answer["balances"] == table.PAYS_HEARTS_74


def test_a_contract_is_stored_as_it_is_stated(sqlite_club: CardClub) -> None:
    """Without the partner, whom the cards show, too."""
    cards = {key: examples()["partner-differs"][key] for key in ("deal", "tricks")}
    contract = {"bidder": "Ann", "bid": "solo", "trump": "S", "called": "AH"}
    evening = sqlite_club.start(first_dealer="Dee")
    answer = evening.record({"contract": contract, **cards})
    assert answer["record"]["contract"] == contract
    assert answer["verdict"]["partner"] == "Bob"


def test_a_stated_result_is_checked_and_not_stored(evening: Evening) -> None:
    """It is the verdict's, which later corrections may change; notes and foreign keys stay."""
    notes, stated = [{"trick": 3, "text": "Ann hesitated"}], {"points": 74, "deltas": {"Ann": 120}}
    added = {"x-seat": {"seat": "Ann", "order": [1, "Ann"]}}
    evening.record({**table.HEARTS_74, "stated": stated, "notes": notes, **added})
    evening.club.do(players.rename, evening.club.player("Ann"), name="Anna")
    record, _, _ = evening.read(table.version_record, 1)
    assert "stated" not in record
    assert (record["format"], record["notes"]) == (1.1, notes)
    contract = {**table.HEARTS_46["contract"], "bidder": "Anna"}
    corrected = {**table.HEARTS_46, "contract": contract, "notes": notes, **added}
    evening.do(correct.correct, 1, corrected, reason="miscounted")
    record, _, _ = evening.read(table.version_record, 1)
    assert (record["notes"], record["x-seat"]) == (notes, added["x-seat"])


def test_a_player_renamed_since_keeps_hands_and_chips(evening: Evening) -> None:
    """Old records keep the old name and stay valid; whatever is shown or written uses the new one."""
    evening.record(table.HEARTS_74)
    evening.club.do(players.rename, evening.club.player("Ann"), name="Anna")
    paid = {("Anna" if name == "Ann" else name): n for name, n in table.PAYS_HEARTS_74.items()}
    assert evening.balances == paid
    record, _, _ = evening.read(table.version_record, 1)
    assert score(HandRecord.from_mapping(record)).bidder == "Ann"
    (line,) = evening.read(reads_session.hands)
    assert (line.bidder, line.partner) == ("Anna", "Bob")
    assert evening.turn[0] == "Anna"
    hand = {**table.HEARTS_46, "contract": {**table.HEARTS_46["contract"], "bidder": "Anna"}}
    preview = evening.preview(correct.correct, 1, hand)
    answer = evening.correct(1, hand)
    assert answer["balances"] == {name: -n for name, n in paid.items()} == dict(preview.balances)
    with evening.club.refuses(Invalid):
        evening.correct(1, table.HEARTS_74)


def test_a_hand_of_another_club_is_not_found(our_club: CardClub, their_club: CardClub) -> None:
    """Nor one of another session, nor one that was never dealt; the answer says how many there are."""
    (foreign,) = their_club.read(start.list_all)
    own = our_club.start(title="Ours")
    for evening in (our_club.evening(foreign.id), own):
        with our_club.refuses(NotFound):
            evening.void(1)
        with our_club.refuses(NotFound):
            evening.read(table.version_record, 1)
        with our_club.refuses(NotFound):
            evening.correct(1, table.HEARTS_46)
        with our_club.refuses(NotFound):
            evening.preview(correct.correct, 1, table.HEARTS_46)
    with our_club.refuses(NotFound, "no hand 1 in “Ours”; no hand has been recorded there yet"):
        own.void(1)


def test_a_score_that_is_no_payment_comes_from_the_worlds_account(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such entries balance, too, and one account a session takes the rest."""

    def scored(record: HandRecord, version: str) -> Any:
        verdict = score(record, version)
        return verdict._replace(deltas={**verdict.deltas, "Gus": 100})

    monkeypatch.setattr("ledger.services.hands.draft.score", scored)
    for _ in range(2):
        evening.record(table.HEARTS_74)
    with evening.club.db.read(evening.club.access) as session:
        accounts = session.exec(select(Account)).all()
        assert sum(account.balance for account in accounts) == 0
        (world,) = [account for account in accounts if account.kind == "world"]
        assert world.balance == -280
        assert len(session.exec(select(HandVersionTable)).all()) == 2
    assert evening.balances["Gus"] == 200
    assert evening.read(reads_session.summary).payments == ()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"game": "six-bid"},
            "This session plays Progressive Solo; the hand is one of Six-Bid Solo.",
        ),
        ({"rules": "hoyle"}, "This session plays the variant pennycook; the hand says hoyle."),
        (
            {"options": {"idle_paid_on_loss": False, "pots": {"stake": 2}}},
            "This session's house rules: pots (stake 5), idle paid on loss: on. "
            "The hand says: idle paid on loss: off, pots (stake 2).",
        ),
        (
            {"options": {}},
            "This session's house rules: pots (stake 5), idle paid on loss: on. "
            "The hand says: none.",
        ),
        (
            {"players": ["Ann", "Bob", "Cyd"]},
            "The next hand is played by, clockwise: Ann, Bob, Cyd, Dee. The hand says: Ann, Bob, "
            "Cyd.",
        ),
        (
            {"players": [*"ABCDEFGHIJKL"]},
            "The next hand is played by, clockwise: Ann, Bob, Cyd, Dee. The hand says: A, B, C, D, E, "
            "F, G, H, I, J, K, L.",
        ),
        (
            {"players": [*"ABCDEFGHIJKLM"]},
            "The next hand is played by, clockwise: Ann, Bob, Cyd, Dee. The hand says: A, B, C, D, E, "
            "F, G, H, I, J, K, L, ….",
        ),
        (
            {"pots": {"frog": 7, "solo": 0}},
            "Before this hand the pots hold: frog 0, solo 0. The hand says: frog 7, solo 0.",
        ),
    ],
)
def test_what_contradicts_the_session_is_said_in_table_words(
    sqlite_club: CardClub, change: dict[str, Any], sentence: str
) -> None:
    """What holds here, and what the hand says; never the way a program writes it. A name is also listed."""
    options = {"pots": {"stake": 5}, "idle_paid_on_loss": True}
    evening = sqlite_club.start(game="progressive", options=options)
    with sqlite_club.refuses(Invalid) as caught:
        evening.preview(hands_record.record, {**table.ALL_PASS, **change})
    (fault,) = caught.value.faults
    assert fault.message == sentence
    names = {"game": ("progressive",), "rules": ("pennycook",)}
    assert fault.legal == names.get(fault.field, ())


@pytest.mark.parametrize("long", [["Ann"] * 500, "x" * 5000, {f"rule {n}": n for n in range(500)}])
def test_what_contradicts_the_session_is_never_said_at_length(
    sqlite_club: CardClub, long: object
) -> None:
    """Whatever was sent, the sentence can be read."""
    evening = sqlite_club.start()
    for key in ("players", "options", "rules"):
        with sqlite_club.refuses(Invalid) as caught:
            evening.preview(hands_record.record, {**table.ALL_PASS, key: long})
        assert len(caught.value.message) < 600
