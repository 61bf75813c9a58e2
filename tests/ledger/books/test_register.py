"""The register: whatever is changed of names, keys, seats and settings is an entry, made by itself."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import col, select

from ledger.books.sealed_columns import SEALED
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import JournalEntry, PlaySession
from ledger.database.narrowing import OutOfScope
from ledger.services.audit import verify
from ledger.services.chips import count
from ledger.services.club import clubs, devices, links, players, tokens
from ledger.services.club.passcodes import ClientDevice, origin_of
from ledger.services.money import convert, currency
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle, seating
from ledger.services.undo import last
from tests.ledger import table


def said(db: Database, access: Access) -> dict[str, Any]:
    """Return what the club's newest entry of the register says of rows, and who wrote it."""
    with db.read(access) as session:
        entry = session.exec(
            select(JournalEntry)
            .where(JournalEntry.kind == "register")
            .order_by(col(JournalEntry.id).desc())
            .limit(1)
        ).one()
    return {"by": entry.author, **entry.details["rows"]}


Act = Callable[[Database, Access, int], object]


def _undo_a_count(db: Database, who: Access, session_id: int) -> None:
    count.record(table.write(db, who), session_id, {"Ann": {5: 1}}, post=False)
    last.undo(table.write(db, who), session_id)


@pytest.mark.parametrize(
    ("act", "row", "values"),
    [
        (lambda db, who, _: players.rename(table.write(db, who), 1, name="Anna"),
         "player/1", {"name": "Anna"}),
        (lambda db, who, _: currency.change(table.write(db, who), denominations=[1, 2]),
         "club/1", {"denominations": [1, 2]}),
        (lambda db, who, s: seating.sit_out(table.write(db, who), s, player="Bob"),
         "seat/2", {"state": "sitting-out"}),
        (lambda db, who, s: lifecycle.pause(table.write(db, who), s),
         "play_session/1", {"state": "paused"}),
        (lambda db, who, s: convert.set_rate(table.write(db, who), s, rate=Rate(10, 5)),
         "play_session/1", {"rate_chips": 10, "rate_money": 5}),
        (_undo_a_count, "chip_count/1", None),
    ],
)  # fmt: skip
def test_what_a_write_sets_is_entered_with_who_set_it(
    database: Database, club: Access, act: Act, row: str, values: dict[str, Any] | None
) -> None:
    """Only the columns that changed; nothing of a row that is deleted."""
    act(database, club, table.start(database, club))
    assert said(database, club) == {"by": "Sue", row: values}


def test_secrets_are_entered_as_digests(database: Database, club: Access) -> None:
    """Of a passcode and a token others see only that they changed."""
    clubs.change_passcode(database, club, passcode="five aces")
    passcode = said(database, club)["club/1"]["passcode_hash"]
    tokens.issue(database, club, label="tablet", role=club.role)
    token = said(database, club)["api_token/1"]
    assert passcode.startswith("sha256:")
    assert (token["label"], token["digest"][:7]) == ("tablet", "sha256:")


READER = ClientDevice(origin_of("192.0.2.7"), "iPhone", {})


def test_a_device_that_only_reads_is_not_entered_until_it_may_write(
    database: Database, club: Access
) -> None:
    """Who knows how many open a viewer link. One made a scorer is entered as a whole, and taken out again."""
    tokens.issue(database, club, label="owner", role=Role.OWNER)
    before = table.row_counts(database)["journal_entry"]
    devices.admit(database, Access(club.club_id, Role.VIEWER, "viewer"), READER)
    assert table.row_counts(database)["journal_entry"] == before
    devices.change_role(database, club, 1, role=Role.SCORER)
    entered = said(database, club)
    assert entered["by"] == "Sue"
    assert set(entered["device/1"]) == {*SEALED["device"]}
    assert entered["device/1"]["digest"].startswith("sha256:")
    devices.change_role(database, club, 1, role=Role.VIEWER)
    assert said(database, club) == {"by": "Sue", "device/1": None}
    entries = table.row_counts(database)["journal_entry"]
    devices.revoke(database, club, 1)
    assert table.row_counts(database)["journal_entry"] == entries
    assert list(verify(database)) == []


def test_a_link_is_revoked_with_the_devices_that_came_by_it_in_one_entry(
    database: Database, club: Access
) -> None:
    """Their revocation is entered, not when they were last used."""
    _, link = links.make(database, club, table.SECRET, role=Role.SCORER, lasts="evening")
    devices.admit(database, Access(club.club_id, Role.SCORER, "Mia"), READER, link_id=link.id)
    assert said(database, club)["by"] == "Mia"
    links.revoke(database, club, link.id)
    at = said(database, club)
    assert at == {"by": "Sue", **dict.fromkeys(("link/1", "device/1"), at["link/1"])}
    assert list(at["link/1"]) == ["revoked_at"]


def test_a_hand_enters_nothing_but_itself(database: Database, club: Access) -> None:
    """What it changes is recomputed by verify; a save stays one entry."""
    played = table.start(database, club)
    before = table.row_counts(database)["journal_entry"]
    table.record(database, club, played, table.HEARTS_74)
    assert table.row_counts(database)["journal_entry"] == before + 1


def test_nothing_sealed_is_changed_outside_a_club(database: Database, club: Access) -> None:
    """No entry could say so: a programming error, and nothing is written."""
    table.start(database, club)
    with pytest.raises(OutOfScope, match="play_session/1"), database.write() as session:
        session.exec(select(PlaySession)).one().title = "Another"
