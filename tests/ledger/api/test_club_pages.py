"""The API has what the pages of statistics, of an evening's result and of safekeeping show."""

from datetime import UTC, datetime

import pytest

from ledger.books import journal
from ledger.keeping import backup
from ledger.keeping.backup import Backups
from ledger.runtime.config import Settings
from tests.ledger.api.caller import Caller
from tests.ledger.evenings import CardClub
from tests.ledger.table import ALL_PASS, ALONE_85, HEARTS_46, HEARTS_74


def test_the_clubs_statistics_have_standings_contracts_and_the_best_and_worst_hand(
    sue: Caller,
) -> None:
    """In each unit played for; an evening before the first hand has none."""
    path = sue.start(title="Friday", started_on="2026-01-30")
    assert sue.get("/club/statistics").json == {"units": [], "games": []}
    for hand in (HEARTS_74, ALONE_85, ALL_PASS):
        sue.post(f"{path}/hands", hand)
    stats = sue.get("/club/statistics").json
    (chips,) = stats["units"]
    place = {"session": 1, "title": "Friday", "played_on": "2026-01-30", "unit": "chips"}
    assert chips["unit"] == "chips"
    assert [line["name"] for line in chips["standings"][:2]] == ["Cyd", "Ann"]
    assert chips["standings"][1] == {
        "id": 1,
        "name": "Ann",
        "total": 70,
        "hands": 3,
        "contracts": 1,
        "made": 1,
        "average": "23.33",
        "share": 100,
        "on_paper": 0,
    }
    assert chips["best"] == {"player": "Cyd", "hand": {**place, "amount": 300, "hand": 2}}
    assert chips["worst"]["hand"]["amount"] == -50
    (game,) = stats["games"]
    assert (game["game"], game["contracts"], game["made"], game["share"]) == (
        "crazy-solo",
        2,
        2,
        100,
    )
    assert {bid["bid"]: bid["made"] for bid in game["bids"]} == {"solo-in-hearts": 1, "go-alone": 1}


def test_an_evenings_highlights_are_its_podium_and_its_feats(sue: Caller) -> None:
    """Null for those that nobody achieved yet; each names its players, and its hand if it has one."""
    path = sue.start()
    nothing = dict.fromkeys(("gain", "loss", "comeback", "run", "bids", "scorers"))
    reply = sue.get(f"{path}/highlights")
    assert reply.json == {**nothing, "changes": 0, "podium": []}
    assert reply.headers["ETag"].startswith('"1')
    for hand in (HEARTS_74, ALONE_85, HEARTS_46):
        sue.post(f"{path}/hands", hand)
    feats = sue.get(f"{path}/highlights").json
    assert feats["gain"] == {"players": ["Cyd"], "amount": 300, "hand": 2}
    assert feats["loss"]["hand"] in {1, 2, 3}
    assert feats["bids"] == {"players": ["Cyd", "Ann"], "amount": 1, "hand": None}
    assert feats["changes"] == 1
    assert feats["podium"] == sue.get(f"{path}/standings").json[: len(feats["podium"])]
    assert sue.get("/sessions/9/highlights").status_code == 404


def test_safekeeping_lists_the_backups_and_the_head_of_the_journal(
    sue: Caller,
    tom: Caller,
    daily: Settings,
    sqlite_club: CardClub,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Newest first, with the daily time and when one was missed, to scorers and owners."""
    dates = [datetime(2026, 1, day, 2, 30, tzinfo=UTC) for day in (30, 31)]
    for date in dates:
        monkeypatch.setattr(backup, "now", lambda date=date: date)
        Backups.of(daily).make()
    sue.start()
    state = tom.get("/club/safekeeping").json
    assert [each["made_at"] for each in state["backups"]] == [
        date.isoformat() for date in reversed(dates)
    ]
    assert (state["daily"], state["missed"] is None) == ("03:30", False)
    with sqlite_club.db.read(sqlite_club.access) as session:
        assert state["head"] == journal.head(session)
    assert sue.get("/club/safekeeping").json == state


def test_without_a_daily_backup_safekeeping_states_none(sue: Caller) -> None:
    """Nor any backup that was missed."""
    state = sue.get("/club/safekeeping").json
    assert (state["backups"], state["daily"], state["missed"]) == ([], None, None)


def test_a_viewer_is_refused_safekeeping(viewer: Caller, anyone: Caller) -> None:
    """As on its page; the documentation names the role."""
    refused = viewer.get("/club/safekeeping")
    assert (refused.status_code, refused.json["code"]) == (403, "read-only")
    page = anyone.get("/docs").data.decode()
    part = page[page.index("/api/v1/club/safekeeping") :][:1500]
    assert (
        "A scorer&#39;s or an owner&#39;s token." in part
        or "A scorer's or an owner's token." in part
    )
    part = page[page.index("/api/v1/devices") :][:1500]
    assert "An owner&#39;s token." in part or "An owner's token." in part
