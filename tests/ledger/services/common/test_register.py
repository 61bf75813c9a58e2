"""The register: whatever is changed of names, keys, seats and settings is an entry, made by itself."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import col, select

from ledger.access import Access
from ledger.db import Database
from ledger.models import JournalEntry, PlaySession
from ledger.scope import OutOfScope
from ledger.services.club import clubs, players, tokens
from ledger.services.money import convert, currency
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle, seating
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
    ],
)  # fmt: skip
def test_what_a_write_sets_is_entered_with_who_set_it(
    database: Database, club: Access, act: Act, row: str, values: dict[str, Any]
) -> None:
    """Only the columns that changed."""
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
