"""Who is asking: the club in hand, what they may do in it, and the name their changes are kept under."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from ledger.words.problems import OwnersOnly, ReadOnly


class Role(StrEnum):
    """What a device, a link or a token may do in its club; each may do all that the ones after it may."""

    OWNER = "owner"
    SCORER = "scorer"
    VIEWER = "viewer"


class Event(StrEnum):
    """What a club's log tells of."""

    REFUSED = "refused-passcode"
    PASSCODE = "passcode-changed"
    CAME = "device-in"
    LEFT = "device-left"
    OUT = "device-revoked"
    ROLE = "role-changed"
    LINK = "link-made"
    LINK_OUT = "link-revoked"
    TOKEN = "token-made"  # noqa: S105 - a word
    TOKEN_OUT = "token-revoked"  # noqa: S105 - a word


@dataclass(frozen=True, slots=True)
class Access:
    """The right to one club's books, earned by passcode, link or token.

    ``holder`` is the device or token that has it, and ``used_at`` when that was last noted as used.
    """

    club_id: int
    role: Role
    author: str
    holder: str = field(default="", compare=False)
    used_at: datetime | None = field(default=None, compare=False, repr=False)

    @property
    def may_write(self) -> bool:
        """Whether this is a scorer's access, or an owner's."""
        return self.role is not Role.VIEWER

    @property
    def may_own(self) -> bool:
        """Whether this is an owner's access: passcode, roles, links, devices and tokens are theirs."""
        return self.role is Role.OWNER

    def must_write(self) -> None:
        """Raise ``ReadOnly`` for a viewer."""
        if not self.may_write:
            raise ReadOnly()

    def must_own(self) -> None:
        """Raise ``OwnersOnly`` for a scorer, ``ReadOnly`` for a viewer."""
        self.must_write()
        if not self.may_own:
            raise OwnersOnly()
