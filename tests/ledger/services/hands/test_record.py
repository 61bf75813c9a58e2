"""A hand: previewed, recorded and paid; retried without harm; refused at the field that is wrong."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from sqlmodel import select

from engine.record import HandRecord
from engine.rules.changes import VERSION
from engine.rules.verdict import in_words
from engine.scoring.score import score
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Account, HandVersionTable
from ledger.runtime import clock
from ledger.services.club import clubs, players
from ledger.services.common import dates
from ledger.services.hands import correct
from ledger.services.hands import record as hands_record
from ledger.services.reads import session as reads_session
from ledger.services.session.load import load
from ledger.services.table import start
from ledger.words.problems import Invalid, NotFound
from tests.ledger import table
from tests.ledger.table import ask, asking, dry


@pytest.fixture
def evening(database: Database, club: Access) -> int:
    """A Crazy Solo session of seven; Gus deals first, so Ann leads."""
    return table.start(database, club, first_dealer="Gus")


def test_a_recorded_hand_is_paid_at_once(any_database: Database) -> None:
    """002's example: caller and partner are paid by five who lose 40 each; the answer says it all."""
    access, _ = clubs.found(any_database, name="Kitchen Table", passcode="123456")
    evening = table.start(any_database, access)
    answer = table.record(any_database, access, evening, table.HEARTS_74)
    assert answer["balances"] == table.PAYS_HEARTS_74
    assert {key: answer[key] for key in ("session", "hand", "version", "state", "revision")} == {
        "session": evening,
        "hand": 1,
        "version": 1,
        "state": "standing",
        "revision": 2,
    }
    assert answer["verdict"]["amount"] == 40
    assert table.balances(any_database, access, evening) == table.PAYS_HEARTS_74
    answer = table.record(any_database, access, evening, table.ALONE_85)
    both = table.total(table.PAYS_HEARTS_74, table.PAYS_ALONE_85)
    assert (answer["hand"], answer["revision"], answer["balances"]) == (2, 3, both)


def test_a_hand_keeps_its_record_its_verdict_and_who_wrote_it(
    database: Database, club: Access, evening: int
) -> None:
    """The whole record, with what the session knew filled in, and what the engine said of it."""
    said = {**table.HEARTS_74, "note": "🎉", "played_at": "2026-01-31T21:15:00+01:00"}
    table.record(database, club, evening, said)
    record, verdict, version = ask(database, club, table.version_record, evening, 1)
    whole = HandRecord.from_mapping(record)
    assert (whole.game, whole.players, whole.dealer) == ("crazy-solo", table.SEVEN, "Gus")
    assert (whole.points, whole.note) == (74, "🎉")
    assert "explanation" not in verdict
    assert in_words(verdict) == score(whole).to_mapping()
    assert version.played_at == datetime.fromisoformat("2026-01-31T21:15:00+01:00")
    assert (version.author, version.action, version.reason) == ("Sue", "recorded", None)
    assert version.engine_version == VERSION
    assert version.entered_at > version.played_at


def test_a_hand_that_all_passed_is_written_and_moves_nothing(
    database: Database, club: Access, evening: int
) -> None:
    """It counts as a hand, and the same dealer deals again."""
    answer = table.record(database, club, evening, table.ALL_PASS)
    assert answer["verdict"]["outcome"] == "passed-out"
    assert set(answer["balances"].values()) == {0}
    (line,) = ask(database, club, reads_session.hands, evening)
    assert (line.bid_title, line.bidder, line.deltas) == ("Passed out", None, (0,) * 7)
    assert ask(database, club, hands_record.propose, evening).dealer == "Gus"


@pytest.mark.parametrize(
    ("hand", "deltas"),
    [
        # Hoyle: 1 a point over 60. Three play: the king (Dee, who deals) neither pays nor is paid.
        ({"contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 72}, (24, -12, -12, 0)),
        # A lost hand is paid to everyone at the table, the king included.
        ({"contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 48}, (-36, 12, 12, 12)),
        ({"contract": {"bidder": "Bob", "bid": "misere"}, "points": 0}, (-40, 80, -40, 0)),
    ],
)  # fmt: skip
def test_the_king_is_paid_when_a_six_bid_hand_is_lost(
    database: Database, club: Access, hand: Mapping[str, Any], deltas: tuple[int, ...]
) -> None:
    """Four at the table: +2 to win, −3 to lose."""
    session_id = table.start(database, club, table.FOUR, "six-bid", first_dealer="Dee")
    table.record(database, club, session_id, hand)
    assert tuple(table.balances(database, club, session_id).values()) == deltas
    assert ask(database, club, hands_record.propose, session_id).dealer == "Ann"


@pytest.mark.parametrize("seats", [4, 5, 7])
@pytest.mark.parametrize("game", ["crazy-solo", "six-bid"])
def test_every_size_of_table_balances_and_the_deal_goes_round(
    database: Database, club: Access, seats: int, game: str
) -> None:
    """One round: each deals once, and the chips sum to zero all the while."""
    names = table.SEVEN[:seats]
    session_id = table.start(database, club, names, game)
    dealers = []
    for _ in names:
        proposal = ask(database, club, hands_record.propose, session_id)
        dealers.append(proposal.dealer)
        bid = "go-alone" if game == "crazy-solo" else "solo"
        hand = {"contract": {"bidder": proposal.lead, "bid": bid, "trump": "S"}, "points": 70}
        assert sum(table.record(database, club, session_id, hand)["balances"].values()) == 0
    assert dealers == list(names)


def test_dealer_and_lead_are_proposed_and_the_table_may_say_otherwise(
    database: Database, club: Access, evening: int
) -> None:
    """The next follows on whoever dealt, not on whoever should have."""
    assert table.turn(database, club, evening) == ("Gus", "Ann")
    table.record(database, club, evening, table.HEARTS_74)
    assert table.turn(database, club, evening) == ("Ann", "Bob")
    table.record(database, club, evening, {**table.HEARTS_74, "dealer": "Dee"})
    assert table.turn(database, club, evening) == ("Eve", "Fay")
    table.void(database, club, evening, 2)
    assert table.turn(database, club, evening) == ("Ann", "Bob")


def test_a_preview_saves_nothing_and_says_what_saving_gives(
    database: Database, club: Access, evening: int
) -> None:
    """Verdict, balances and revision; a correction's, too."""
    for number in (None, None, 1):
        draft = table.ALONE_85 if number else table.HEARTS_74
        before = table.row_counts(database), ask(database, club, load, evening)
        seen = (
            ask(database, club, dry(correct.correct), evening, number, draft)
            if number
            else ask(database, club, dry(hands_record.record), evening, draft)
        )
        assert (table.row_counts(database), ask(database, club, load, evening)) == before
        assert seen.revision == before[1].revision
        if number is None:
            answer = table.record(database, club, evening, draft)
        else:
            answer = table.correct(database, club, evening, number, draft)
        assert dict(seen.balances) == answer["balances"]
        assert seen.verdict is not None
        assert seen.record is not None
        assert seen.verdict.to_mapping() == answer["verdict"]
        kept, _, _ = ask(database, club, table.version_record, evening, answer["hand"])
        assert seen.record == kept


@pytest.mark.parametrize(
    ("hand", "field", "code"),
    [
        ({**table.HEARTS_74, "points": 1}, "points", None),
        ({**table.HEARTS_74, "points": 119}, "points", None),
        ({**table.HEARTS_74, "points": 121}, "points", None),
        ({**table.HEARTS_74, "points": -3}, "points", None),
        ({**table.HEARTS_74, "points": "abc"}, "points", "ill-typed"),
        ({**table.HEARTS_74, "points": None}, "points", "points-missing"),
        ({}, "contract", "contract-missing"),
        ({**table.HEARTS_74, "dealer": "Zed"}, "dealer", None),
        ({**table.HEARTS_74, "game": "six-bid"}, "game", "differs-from-session"),
        ({**table.HEARTS_74, "rules": "pagat"}, "rules", "differs-from-session"),
        ({**table.HEARTS_74, "options": {"rounding": 0}}, "options", "differs-from-session"),
        ({**table.HEARTS_74, "players": ["Ann", "Bob"]}, "players", "differs-from-session"),
        ({**table.HEARTS_74, "format": 2}, "format", "differs-from-session"),
        ({**table.HEARTS_74, "weather": "fine"}, "weather", "unknown-key"),
        ({**table.ALL_PASS, "played_at": "today"}, "played_at", "ill-typed"),
        ({**table.ALL_PASS, "played_at": "0001-01-01T00:00:00+14:00"}, "played_at", "time-out-of-bounds"),
        ({**table.ALL_PASS, "note": "half a \ud800"}, "note", "ill-typed"),
        ({**table.ALL_PASS, "note": "x" * 2001}, "note", "note-too-long"),
        ({**table.ALL_PASS, "note": "rang \0 twice"}, "note", "note-has-controls"),
    ],
)  # fmt: skip
def test_a_hand_that_cannot_be_is_refused_at_the_field(
    database: Database,
    club: Access,
    evening: int,
    hand: Mapping[str, Any],
    field: str,
    code: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the preview and by saving alike, and nothing is saved."""
    both_at = clock.now()  # one refusal names the second it is given in
    monkeypatch.setattr(dates, "now", lambda: both_at)
    before = table.row_counts(database), ask(database, club, load, evening)
    refusals = []
    for try_ in (asking(dry(hands_record.record)), lambda *given: table.record(*given)):
        with pytest.raises(Invalid) as caught:
            try_(database, club, evening, hand)
        refusals.append(caught.value.faults)
    assert refusals[0] == refusals[1]
    assert field in [fault.field for fault in refusals[0]]
    assert code in (None, *(fault.code for fault in refusals[0]))
    assert (table.row_counts(database), ask(database, club, load, evening)) == before


def test_a_hand_may_repeat_what_the_session_says(
    database: Database, club: Access, evening: int
) -> None:
    """A whole record, as a file holds it, is as good; a key that holds nothing is left out."""
    repeated = {
        **table.HEARTS_74,
        "format": 1,
        "game": "crazy-solo",
        "rules": None,
        "options": {},
        "players": list(table.SEVEN),
        "dealer": None,
    }
    answer = table.record(database, club, evening, repeated)
    assert answer["balances"] == table.PAYS_HEARTS_74


def test_a_player_renamed_since_keeps_hands_and_chips(
    database: Database, club: Access, evening: int
) -> None:
    """Old records keep the old name and stay valid; whatever is shown or written uses the new one."""
    table.record(database, club, evening, table.HEARTS_74)
    ann = next(one.id for one in ask(database, club, players.everyone) if one.name == "Ann")
    players.rename(table.write(database, club), ann, name="Anna")
    paid = {("Anna" if name == "Ann" else name): n for name, n in table.PAYS_HEARTS_74.items()}
    assert table.balances(database, club, evening) == paid
    record, _, _ = ask(database, club, table.version_record, evening, 1)
    assert score(HandRecord.from_mapping(record)).bidder == "Ann"
    (line,) = ask(database, club, reads_session.hands, evening)
    assert (line.bidder, line.partner) == ("Anna", "Bob")
    assert ask(database, club, hands_record.propose, evening).dealer == "Anna"
    corrected = {**table.HEARTS_46, "contract": {**table.HEARTS_46["contract"], "bidder": "Anna"}}
    seen = ask(database, club, dry(correct.correct), evening, 1, corrected)
    answer = table.correct(database, club, evening, 1, corrected)
    assert answer["balances"] == {name: -n for name, n in paid.items()} == dict(seen.balances)
    with pytest.raises(Invalid):
        table.correct(database, club, evening, 1, table.HEARTS_74)


def test_a_hand_of_another_club_is_not_found(
    database: Database, ours: Access, theirs: Access
) -> None:
    """Nor one of another session, nor one that was never dealt; the answer says how many there are."""
    (foreign,) = ask(database, theirs, start.list_all)
    own = table.start(database, ours, title="Ours")
    before = table.row_counts(database)
    for session_id in (foreign.id, own):
        for act in (table.void, asking(table.version_record)):
            with pytest.raises(NotFound):
                act(database, ours, session_id, 1)
        with pytest.raises(NotFound):
            table.correct(database, ours, session_id, 1, table.HEARTS_46)
        with pytest.raises(NotFound):
            ask(database, ours, dry(correct.correct), session_id, 1, table.HEARTS_46)
    with pytest.raises(NotFound, match="no hand 1 in “Ours”; no hand has been recorded there yet"):
        table.void(database, ours, own, 1)
    assert table.row_counts(database) == before


def test_a_score_that_is_no_payment_comes_from_the_worlds_account(
    database: Database, club: Access, evening: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such games come later; their entries balance, too, and one account a session takes the rest."""

    def scored(record: HandRecord, version: str) -> Any:
        verdict = score(record, version)
        return verdict._replace(deltas={**verdict.deltas, "Gus": 100})

    monkeypatch.setattr("ledger.services.hands.draft.score", scored)
    for _ in range(2):
        table.record(database, club, evening, table.HEARTS_74)
    with database.read(club) as session:
        accounts = session.exec(select(Account)).all()
        assert sum(account.balance for account in accounts) == 0
        (world,) = [account for account in accounts if account.kind == "world"]
        assert world.balance == -280
        assert len(session.exec(select(HandVersionTable)).all()) == 2
    assert table.balances(database, club, evening)["Gus"] == 200
    summary = ask(database, club, reads_session.summary, evening)
    assert summary.payments == ()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            {"game": "six-bid"},
            "This session plays Progressive Solo; the hand is one of Six-Bid Solo.",
        ),
        (
            {"rules": "hoyle"},
            "This session plays the variant pennycook; the hand says hoyle.",
        ),
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
            {"pots": {"frog": 7, "solo": 0}},
            "Before this hand the pots hold: frog 0, solo 0. The hand says: frog 7, solo 0.",
        ),
    ],
)
def test_what_contradicts_the_session_is_said_in_table_words(
    database: Database, club: Access, said: dict[str, Any], sentence: str
) -> None:
    """What holds here, and what the hand says; never the way a program writes it."""
    options = {"pots": {"stake": 5}, "idle_paid_on_loss": True}
    played = table.start(database, club, table.FOUR, "progressive", options=options)
    with pytest.raises(Invalid) as refused:
        ask(database, club, dry(hands_record.record), played, {**table.ALL_PASS, **said})
    assert [fault.message for fault in refused.value.faults] == [sentence]


@pytest.mark.parametrize("long", [["Ann"] * 500, "x" * 5000, {f"rule {n}": n for n in range(500)}])
def test_what_contradicts_the_session_is_never_said_at_length(
    database: Database, club: Access, long: object
) -> None:
    """Whatever was sent, the sentence can be read."""
    played = table.start(database, club, table.FOUR)
    for key in ("players", "options", "rules"):
        with pytest.raises(Invalid) as refused:
            ask(database, club, dry(hands_record.record), played, {**table.ALL_PASS, key: long})
        assert len(refused.value.message) < 600
