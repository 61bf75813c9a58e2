"""Bearer tokens: shown once, kept as a digest, taken back at any time."""

from contextlib import nullcontext
from datetime import timedelta

import pytest
from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import ApiToken
from ledger.runtime.clock import now
from ledger.services.club import live, tokens
from ledger.words.problems import Invalid, NotFound, NotSignedIn, OwnersOnly, ReadOnly
from tests.ledger.table import ask


@pytest.mark.parametrize("role", Role)
def test_a_token_opens_its_club_in_its_role(database: Database, club: Access, role: Role) -> None:
    """Its changes are recorded under its label."""
    secret, view = tokens.issue(database, club, label=" Kitchen  script ", role=role)
    assert view.label == "Kitchen script"
    assert ask(database, None, tokens.open_with, secret) == Access(
        club.club_id, role, "Kitchen script"
    )


def test_the_secret_is_kept_nowhere(database: Database, club: Access) -> None:
    """Only a digest is stored; a reader of the books can't use it."""
    secret, _ = tokens.issue(database, club, label="script", role=Role.SCORER)
    with database.read(club) as session:
        row = session.exec(select(ApiToken)).one()
    assert secret not in str(row.model_dump())
    with pytest.raises(NotSignedIn):
        ask(database, None, tokens.open_with, row.digest)


@pytest.mark.parametrize("secret", ["", "solo_guessed", "\ud800", "\0"])
def test_an_unknown_token_opens_nothing(database: Database, secret: str) -> None:
    """With any text."""
    with pytest.raises(NotSignedIn):
        ask(database, None, tokens.open_with, secret)


def test_a_token_taken_back_opens_nothing(database: Database, club: Access) -> None:
    """Taking it back twice is no mistake, and keeps the first time; it stays in the list."""
    secret, view = tokens.issue(database, club, label="script", role=Role.VIEWER)
    kept, _ = tokens.issue(database, club, label="other", role=Role.VIEWER)
    assert view.revoked_at is None
    first = tokens.revoke(database, club, view.id)
    assert first.revoked_at is not None
    assert tokens.revoke(database, club, view.id) == first
    with pytest.raises(NotSignedIn, match="revoked"):
        ask(database, None, tokens.open_with, secret)
    ask(database, None, tokens.open_with, kept)
    assert [token.label for token in ask(database, club, tokens.list_all, club)] == [
        "other",
        "script",
    ]


def test_a_token_of_another_club_cannot_be_taken_back(
    database: Database, ours: Access, theirs: Access
) -> None:
    """It is not found, nor listed."""
    (foreign,) = ask(database, theirs, tokens.list_all, theirs)
    with pytest.raises(NotFound):
        tokens.revoke(database, ours, foreign.id)
    assert ask(database, theirs, tokens.list_all, theirs) == [foreign]
    assert foreign not in ask(database, ours, tokens.list_all, ours)


def test_a_viewer_neither_makes_nor_sees_nor_takes_back_tokens(
    database: Database, club: Access
) -> None:
    """A viewer's link gives no keys."""
    viewer = Access(club.club_id, Role.VIEWER, "viewer")
    _, view = tokens.issue(database, club, label="script", role=Role.SCORER)
    with pytest.raises(ReadOnly):
        tokens.issue(database, viewer, label="mine", role=Role.SCORER)
    with pytest.raises(ReadOnly):
        ask(database, viewer, tokens.list_all, viewer)
    with pytest.raises(ReadOnly):
        tokens.revoke(database, viewer, view.id)


def test_a_token_ends_after_its_days(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opens nothing from then on; one without days goes on."""
    ends, _ = tokens.issue(database, club, label="script", role=Role.VIEWER, days=7)
    stays, _ = tokens.issue(database, club, label="other", role=Role.VIEWER)
    for days, opens in ((6, [ends, stays]), (8, [stays])):
        later = now() + timedelta(days=days)
        monkeypatch.setattr(live, "now", lambda: later)  # noqa: B023
        for secret in (ends, stays):
            with nullcontext() if secret in opens else pytest.raises(NotSignedIn, match="ended"):
                ask(database, None, tokens.open_with, secret)


def test_only_an_owner_makes_sees_and_revokes_tokens(database: Database, club: Access) -> None:
    """A scorer scores."""
    scorer = Access(club.club_id, Role.SCORER, "Tom")
    _, view = tokens.issue(database, club, label="script", role=Role.SCORER)
    with pytest.raises(OwnersOnly):
        tokens.issue(database, scorer, label="mine", role=Role.SCORER)
    with pytest.raises(OwnersOnly):
        ask(database, scorer, tokens.list_all, scorer)
    with pytest.raises(OwnersOnly):
        tokens.revoke(database, scorer, view.id)


def test_a_token_needs_a_label(database: Database, club: Access) -> None:
    """The history shows it, so it is held to the rules for names."""
    with pytest.raises(Invalid) as caught:
        tokens.issue(database, club, label=" ", role=Role.SCORER)
    assert [fault.field for fault in caught.value.faults] == ["label"]
    assert ask(database, club, tokens.list_all, club) == []
