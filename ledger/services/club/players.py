"""The players of a club: listing, adding, renaming and archiving."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from engine.words.sentences import say
from ledger.database.models import Player
from ledger.database.scope import Built, ScopedSession
from ledger.runtime.clock import now
from ledger.services.club.clubs import NameTaken
from ledger.services.common import names
from ledger.services.common.values import of_row
from ledger.services.common.writing import WriteContext, WriteResponse, must_be_as_seen, writes
from ledger.words.problems import Invalid, Unchanged


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player of the club; an ``archived`` one is not offered as a seat."""

    id: int
    name: str
    archived: bool = False


_EVERYONE = Built(
    PlayerView, select(Player.id, Player.name, Player.archived).order_by(col(Player.name_key))
)


def everyone(session: ScopedSession) -> list[PlayerView]:
    """Return all players of the club by name, archived ones included."""
    return session.ask(_EVERYONE)


def page_of(
    session: ScopedSession, *, offset: int = 0, limit: int, after: int = 0
) -> tuple[list[PlayerView], int]:
    """Return a page of the club's players by name, archived ones included, and the number of all.

    With ``after``, the id of a player, the page begins behind that player, and ``offset`` counts from there.
    Raises ``Invalid`` at ``after`` for an unknown id.
    """
    people = everyone(session)
    first = 0
    if after:
        ids = [player.id for player in people]
        if after not in ids:
            sentence = say("Nobody in this club has the number {number}.", number=after)
            raise Invalid.at("after", "out-of-range", sentence)
        first = ids.index(after) + 1
    return people[first:][offset : offset + limit], len(people)


def show(session: ScopedSession, player_id: int) -> PlayerView:
    """Return a player, archived or not. Raises ``NotFound``."""
    return of_row(PlayerView, _find(session, player_id))


def coming(session: ScopedSession) -> list[PlayerView]:
    """Return the players who are not archived, by name."""
    return [player for player in everyone(session) if not player.archived]


@writes("archive player")
def archive(tx: WriteContext, player_id: int, *, archived: bool = True) -> WriteResponse:
    """Archive a player, or bring one back if ``archived`` is false; the history stays as it is.

    Taking a seat brings a player back, too. Raises ``NotFound``, and ``Unchanged`` if nothing would change.
    """
    row = _find(tx.session, player_id)
    if row.archived == archived:
        raise Unchanged
    row.archived = archived
    return {"id": row.id, "name": row.name, "archived": archived}


@writes("add player")
def add(tx: WriteContext, *, name: str) -> WriteResponse:
    """Add a player. Raises ``Invalid`` for an unsuitable name, and ``NameTaken`` for one in use."""
    session = tx.session
    cleaned = names.clean_new_player(name, _names(session))
    _must_be_free(session, cleaned)
    row = Player(name=cleaned, name_key=names.key(cleaned), created_at=tx.at)
    session.add(row)
    session.flush()
    return {"id": row.id, "name": row.name, "archived": row.archived}


@writes("rename player")
def rename(tx: WriteContext, player_id: int, *, name: str) -> WriteResponse:
    """Rename a player; records already written keep the old name.

    Raises ``NotFound``, ``Stale``, ``Unchanged``, and as ``add`` does.
    """
    session = tx.session
    row = _find(session, player_id)
    must_be_as_seen(
        lambda: of_row(PlayerView, row), tx.seen, say("The name of {name}", name=row.name)
    )
    cleaned = names.clean_player(name)
    if cleaned == row.name:
        raise Unchanged
    if names.key(cleaned) != row.name_key:
        others = [other for other in _names(session) if other != row.name]
        _must_be_free(session, names.clean_new_player(name, others))
    row.name, row.name_key = cleaned, names.key(cleaned)
    return {"id": row.id, "name": row.name, "archived": row.archived}


def by_name(session: ScopedSession, name: str, field: str) -> Player:
    """Return the player with this name, however it is spelled.

    Raises ``Invalid`` at ``field`` if there is none. The error lists the names in the club.
    """
    row = session.exec(select(Player).where(Player.name_key == names.key(name))).one_or_none()
    if row is None:
        raise Invalid.at(
            field,
            "unknown-player",
            say("Nobody in this club is called {name}.", name=name),
            tuple(_names(session)),
        )
    return row


def by_names(session: ScopedSession, fields: Mapping[str, str]) -> list[Player]:
    """Return the players with these names, in this order; add unknown ones and bring archived ones back.

    ``fields`` maps the form's fields to names. Raises ``Invalid`` at the field of an unsuitable name.
    """
    cleaned = [names.clean_player(name, field) for field, name in fields.items()]
    keys = [names.key(name) for name in cleaned]
    players = {
        row.name_key: row
        for row in session.exec(select(Player).where(col(Player.name_key).in_(keys))).all()
    }
    existing = [] if players.keys() >= set(keys) else [*_names(session)]
    for field, name, name_key in zip(fields, cleaned, keys, strict=True):
        if name_key not in players:
            names.clean_new_player(name, existing, field)
            existing.append(name)
            players[name_key] = Player(name=name, name_key=name_key, created_at=now())
            session.add(players[name_key])
    for player in players.values():
        player.archived = False  # taking a seat brings an archived player back
    session.flush()
    return [players[name_key] for name_key in keys]


def _find(session: ScopedSession, player_id: int) -> Player:
    return session.one(select(Player).where(Player.id == player_id), "player")


def _names(session: ScopedSession) -> Sequence[str]:
    """Return the names of the club's players."""
    return session.exec(select(Player.name).order_by(col(Player.id))).all()


def _must_be_free(session: ScopedSession, name: str) -> None:
    """Raise ``NameTaken`` with the existing spelling, such as "Bob" for "bob"."""
    existing = session.exec(select(Player.name).where(Player.name_key == names.key(name))).first()
    if existing is not None:
        raise NameTaken(say(NameTaken.player, name=existing))
