"""A client generated from the OpenAPI document plays an evening, and reads every answer."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from tests.ledger.api.caller import BASE, Caller, complete_hands
from tests.ledger.api.generated import Program, make, operations
from tests.ledger.photos import PHOTO
from tests.ledger.table import ALONE_85, FOUR, HEARTS_74

WHY = "as the table agreed"
SECRETS = {"show_club", "list_tokens"}
"""For owners, and tried where they are."""


@pytest.fixture(scope="module", autouse=True)
def package(application: Flask, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The generated client, importable; generating it takes longer than all its calls."""
    document = application.test_client().get(f"{BASE}/openapi.json").get_data(as_text=True)
    folder = tmp_path_factory.mktemp("client")
    assert make(document, folder) == []
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield


@pytest.fixture
def ann(app: Flask) -> Program:
    """A program of Ann's that has just founded a club."""
    anyone = Program(app)
    draft = anyone.models.ClubDraft(name="Friday", passcode="four aces", author="Ann")
    founded = anyone.does("found_club", body=draft)
    return Program(app, founded.token.secret)


def test_a_generated_client_sends_complete_hands_unchanged(app: Flask, anyone: Caller) -> None:
    """Each part has a place in its models, and nothing is lost on the way."""
    program = Program(app)
    for record in complete_hands():
        model = program.models.HandDraft.from_dict(record)
        assert model.additional_properties == {}
        assert model.to_dict() == record
        scored = anyone.post("/score", record).json
        assert program.does("score_hand", body=model).to_dict() == scored


def test_a_generated_client_plays_an_evening(ann: Program) -> None:
    """From founding the club to the printed page, a correction and somebody else's on the way."""
    evening = started(ann)
    play(ann, evening)
    correct(ann, evening)
    count_and_borrow(ann, evening)
    cash_in_and_pay(ann, evening)
    _, read_before = ann.call("show_session", evening)
    assert ann.does("close_session", evening, if_match=read_before).unconverted.to_dict() == {}
    assert ann.does("print_report", evening).payload.read().startswith(b"%PDF")
    read_all(ann, evening)


def started(ann: Program) -> int:
    """Start a session for money, with chips from the bank; return its number."""
    models = ann.models
    ann.does("change_club_money", body=models.ClubMoneyDraft(denominations=[5, 20, 50]))
    rate = models.Rate(chips=10, money=5)
    draft = models.SessionDraft("crazy-solo", [*FOUR, "Eve", "Fay", "Gus"], starting_stack=600)
    draft.rate, draft.first_dealer = rate, "Gus"
    number: int = ann.does("start_session", body=draft).id
    read_before = ann.does("show_session", number)
    assert (read_before.next_.dealer, read_before.rate, read_before.state) == ("Gus", rate, "open")
    return number


def hand(ann: Program, said: Any) -> Any:
    """Write a hand down in the generated model."""
    return ann.models.SessionHand.from_dict(said)


def play(ann: Program, evening: int) -> None:
    """Record three hands, each after a dry run; an impossible one is refused in a problem with its field."""
    for number, said in enumerate((HEARTS_74, ALONE_85, {"contract": {"bid": "pass"}}), start=1):
        preview = ann.does("record_hand", evening, body=hand(ann, said), dry_run=True)
        written = ann.does("record_hand", evening, body=hand(ann, said))
        assert (written.hand, written.balances) == (number, preview.balances)
    refused, _ = ann.call("record_hand", evening, body=hand(ann, {**HEARTS_74, "points": 119}))
    assert (refused.status, refused.errors[0].field) == (422, "points")


def correct(ann: Program, evening: int) -> None:
    """Correct a hand on top of the last read, after somebody else has written; void and restore another."""
    models = ann.models
    correction = models.Correction(hand(ann, {**HEARTS_74, "points": 46}), reason=WHY)
    _, stale = ann.call("show_hand", evening, 1)
    ann.does("void_hand", evening, 2, body=models.WithReason(WHY), if_match=stale)
    refused, _ = ann.call("correct_hand", evening, 1, body=correction, if_match=stale)
    assert (refused.status, refused.code) == (412, "stale")
    refused, _ = ann.call("correct_hand", evening, 1, body=correction)
    assert (refused.status, refused.code) == (428, "revision-missing")
    _, read_before = ann.call("list_hands", evening)
    corrected = ann.does("correct_hand", evening, 1, body=correction, if_match=read_before)
    assert (corrected.version, corrected.balances["Ann"]) == (2, 600 - 120)
    ann.does("restore_hand", evening, 2, body=models.WithReason(WHY), if_match="*")
    undone = ann.does("undo_last", evening, if_match="*")
    assert (undone.undone, undone.hand) == ("restored", 2)


def count_and_borrow(ann: Program, evening: int) -> None:
    """Lend chips, take some back; count somebody's; seat a latecomer and let somebody leave."""
    models = ann.models
    ann.does("lend_chips", evening, body=models.Exchange("Bob", 150))
    ann.does("repay_chips", evening, body=models.Exchange("Bob", 100))
    counted = models.CountDraft(models.CountDraftCounts.from_dict({"Ann": {"20": 24}}))
    assert ann.does("count_chips", evening, body=counted).differences.to_dict() == {"Ann": 0}
    assert ann.does("join_session", evening, body=models.Joining("Hal")).balances["Hal"] == 600
    left = ann.does("leave_session", evening, body=models.Leaving("Hal"))
    assert (left.chips, left.won, left.money) == (600, 0, 0)


def cash_in_and_pay(ann: Program, evening: int) -> None:
    """Cash in the chips, and pay the debts on top of the settlement that was read."""
    models = ann.models
    preview = ann.does("convert_chips", evening, body=models.ConversionDraft(), dry_run=True)
    cashed = ann.does("convert_chips", evening, body=models.ConversionDraft())
    assert {each.player: each.money for each in cashed.players} == {
        each.player: each.money for each in preview.players
    }
    owing, read_before = ann.call("settle_up")
    first, *others = owing.payments
    made = models.PaymentDraft(first.payer, first.payee, first.amount)
    paid = ann.does("make_payment", body=made, if_match=read_before)
    assert ann.call("make_payment", body=made, if_match=read_before)[0].status == 412
    ann.does("take_payment_back", paid.entry, body=models.WithReason(WHY))
    ann.does("make_payment", body=made)
    for each in others:
        ann.does("make_payment", body=models.PaymentDraft(each.payer, each.payee, each.amount))
    assert ann.does("settle_up").balances == []


def read_all(ann: Program, evening: int) -> None:
    """Read everything that can be read; a current copy is not sent again."""
    account = ann.does("list_accounts", evening)[0].id
    player = ann.does("list_players")[0].id
    draft = {"name": "All", "first_day": "2000-01-01", "last_day": "2100-12-31"}
    season = ann.does("create_season", body=ann.models.SeasonDraft.from_dict(draft)).id
    places = {"session_id": evening, "number": 1, "player_id": player, "account_id": account}
    places["season_id"] = season
    ann.does("change_picture", player, body=ann.models.PictureDraft(PHOTO))
    at = ann.does("show_session", evening).created_at
    read = 0
    for name, operation in operations().items():
        takes = operation.sync_detailed.__annotations__
        if name.startswith(("show_", "list_", "settle_up")) and name not in SECRETS | {
            "show_payout"
        }:
            place = [places[each] for each in takes if each in places]
            ann.does(name, *place, **({"at": at} if "at" in takes else {}))
            read += 1
    assert read >= 21
    _, read_before = ann.call("show_standings", evening)
    operation = operations()["show_standings"]
    repeated = operation.sync_detailed(evening, client=ann._client, if_none_match=read_before)
    assert (repeated.status_code, repeated.content) == (304, b"")
