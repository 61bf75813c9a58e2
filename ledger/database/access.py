"""The requester's club, role and name: the name is stored with each change."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from ledger.words.problems import OwnersOnly, ReadOnly


class Role(StrEnum):
    """The permissions of a device, link or token in its club; each role includes those after it."""

    OWNER = "owner"
    SCORER = "scorer"
    VIEWER = "viewer"


class Event(StrEnum):
    """The kinds of event in a club's log of access: passcodes, devices, roles, links and tokens."""

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
    """The right to use one club's data, from a passcode, link or token.

    ``holder`` is the device or token; ``used_at`` is when its last use was stored.
    """

    club_id: int
    role: Role
    author: str
    holder: str = field(default="", compare=False)
    used_at: datetime | None = field(default=None, compare=False, repr=False)

    @property
    def may_write(self) -> bool:
        """Whether the role is scorer or owner."""
        return self.role is not Role.VIEWER

    @property
    def may_own(self) -> bool:
        """Whether the role is owner, which changes of passcode, roles, links, devices and tokens require."""
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
