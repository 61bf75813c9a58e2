"""Who is asking: the club in hand, what they may do in it, and the name their changes are kept under."""

from dataclasses import dataclass
from enum import StrEnum

from ledger.problems import ReadOnly


class Role(StrEnum):
    """What a device or a token may do in its club."""

    SCORER = "scorer"
    VIEWER = "viewer"


@dataclass(frozen=True, slots=True)
class Access:
    """The right to one club's books, earned by passcode, viewer link or token."""

    club_id: int
    role: Role
    author: str

    @property
    def may_write(self) -> bool:
        """Whether this is a scorer's access."""
        return self.role is Role.SCORER

    def must_write(self) -> None:
        """Raise ``ReadOnly`` unless this is a scorer's access."""
        if not self.may_write:
            raise ReadOnly()
