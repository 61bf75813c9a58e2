"""The players of a club: listing, adding, renaming and archiving."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated

from sqlmodel import col, select

from engine.words.sentences import say
from ledger.database.models import Player
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.runtime.clock import now
from ledger.services.club.clubs import NameTaken
from ledger.services.common import emojis, names, pictures
from ledger.services.common.writing import WriteContext, WriteResponse, must_be_as_seen, writes
from ledger.words.player_marks import MANY, colour_of, least_used, player_colour
from ledger.words.problems import Invalid, NotFound, Unchanged


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player of the club; an ``archived`` one is not offered as a seat.

    ``colour`` is the number of their colour, from 0 to 11, and ``mark`` the shape drawn with it.
    """

    id: int
    name: str
    archived: bool
    colour: int
    mark: str
    emoji: Annotated[str, "Empty without one."]
    picture: Annotated[str, "The SHA-256 of the player's picture; empty without one."]

    @classmethod
    def of_row(cls, row: Player) -> "PlayerView":
        """Build from a row."""
        return cls.of(row.id, row.name, row.archived, row.colour, row.emoji, row.picture_digest)

    @classmethod
    def from_mapping(cls, stored: WriteResponse) -> "PlayerView":
        """Build from the response to a write; one of an older version lacks the newer fields."""
        first = cls.of(stored["id"], stored["name"], stored["archived"], None, "", "")
        return replace(first, **stored)

    @classmethod
    def of(
        cls,
        player_id: int,
        name: str,
        archived: bool,
        colour: int | None,
        emoji: str,
        picture_digest: str,
    ) -> "PlayerView":
        """Build from stored values."""
        number = colour_of(player_id, colour)
        mark = player_colour(number).mark
        return cls(player_id, name, archived, number, mark, emoji, picture_digest)


_EVERYONE = Built(
    PlayerView.of,
    select(Player.id, Player.name, Player.archived)
    .add_columns(col(Player.colour), col(Player.emoji), col(Player.picture_digest))
    .order_by(col(Player.name_key)),
)


@asked_once
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
    return PlayerView.of_row(_find(session, player_id))


def picture_of(session: ScopedSession, player_id: int) -> tuple[bytes, str]:
    """Return a player's picture with its digest. Raises ``NotFound`` without one."""
    row = _find(session, player_id)
    if row.picture is None:
        raise NotFound(say("{name} has no picture.", name=row.name))
    return row.picture, row.picture_digest


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
    return asdict(PlayerView.of_row(row))


@writes("add player")
def add(tx: WriteContext, *, name: str) -> WriteResponse:
    """Add a player. Raises ``Invalid`` for an unsuitable name, and ``NameTaken`` for one in use."""
    session = tx.session
    people = session.ask(_EVERYONE)
    cleaned = names.clean_new_player(name, [player.name for player in people])
    _must_be_free(session, cleaned)
    row = Player(name=cleaned, name_key=names.key(cleaned), created_at=tx.at)
    row.colour = least_used([player.colour for player in people])
    session.add(row)
    session.flush()
    return asdict(PlayerView.of_row(row))


@writes("rename player")
def rename(tx: WriteContext, player_id: int, *, name: str) -> WriteResponse:
    """Rename a player; records already written keep the old name.

    Raises ``NotFound``, ``Stale``, ``Unchanged``, and as ``add`` does.
    """
    session = tx.session
    row = _find(session, player_id)
    must_be_as_seen(
        lambda: PlayerView.of_row(row), tx.seen, say("The name of {name}", name=row.name)
    )
    cleaned = names.clean_player(name)
    if cleaned == row.name:
        raise Unchanged
    if names.key(cleaned) != row.name_key:
        others = [other for other in _names(session) if other != row.name]
        _must_be_free(session, names.clean_new_player(name, others))
    row.name, row.name_key = cleaned, names.key(cleaned)
    return asdict(PlayerView.of_row(row))


@writes("change a player's mark")
def change_mark(
    tx: WriteContext,
    player_id: int,
    *,
    colour: int | None = None,
    emoji: str | None = None,
    picture: str | None = None,
) -> WriteResponse:
    """Change a player's colour, with its mark, their emoji and their picture; None leaves one as it is.

    ``picture`` is a JPEG in base64. An empty text removes emoji or picture. Raises ``NotFound``, ``Invalid``
    at the name of a value, ``Stale`` and ``Unchanged``.
    """
    row = _find(tx.session, player_id)
    before = PlayerView.of_row(row)
    must_be_as_seen(lambda: before, tx.seen, say("The mark of {name}", name=row.name))
    if colour is not None and colour not in range(MANY):
        sentence = say("A colour has a number from 0 to {most}.", most=MANY - 1)
        raise Invalid.at("colour", "out-of-range", sentence)
    if colour not in (None, before.colour):
        row.colour = colour
    if emoji is not None:
        row.emoji = emojis.clean(emoji, "emoji")
    if picture is not None:
        row.picture = pictures.clean(picture, "picture")
        row.picture_digest = pictures.digest(row.picture) if row.picture else ""
    after = PlayerView.of_row(row)
    if after == before:
        raise Unchanged
    return asdict(after)


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
    people = [] if players.keys() >= set(keys) else session.ask(_EVERYONE)
    existing, colours = [player.name for player in people], [player.colour for player in people]
    for field, name, name_key in zip(fields, cleaned, keys, strict=True):
        if name_key not in players:
            names.clean_new_player(name, existing, field)
            existing.append(name)
            colours.append(least_used(colours))
            row = Player(name=name, name_key=name_key, created_at=now(), colour=colours[-1])
            players[name_key] = row
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
