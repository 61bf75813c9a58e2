"""Ed25519 signatures of journal entries, with a key stored outside the database.

A key's text is its 32 bytes in base64 and, if this program made it, the time since which it signs. It signs
an entry's digest with the club's number, so that no entry passes for another club's.
"""

import base64
import binascii
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

_SINCE = " since "
_BYTES = 32


class NotAKey(ValueError):
    """Raised for a text that is not a key, or for signing with a public key.

    The message explains the format.
    """


def new_key(at: datetime) -> str:
    """Return the text of a new random key that signs from ``at`` on."""
    seed = base64.b64encode(secrets.token_bytes(_BYTES)).decode()
    return f"{seed}{_SINCE}{at.astimezone(UTC).isoformat(timespec='microseconds')}"


@dataclass(frozen=True)
class SigningKey:
    """A public key, with its private part and starting time if this program signs with it.

    The cryptography library is loaded by the first signature, so that starting the service doesn't wait for
    it.
    """

    stated: str = ""
    seed: bytes | None = field(default=None, repr=False)
    since: datetime | None = None

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse a private key's stored text. Raises ``NotAKey``."""
        seed_text, _, since = text.strip().partition(_SINCE)
        seed = _decoded(seed_text)
        try:
            at = datetime.fromisoformat(since) if since else None
        except ValueError as error:
            raise NotAKey(f"{since!r} is not when a key was made") from error
        return cls("", seed, at)

    @classmethod
    def from_public(cls, public: str) -> Self:
        """Parse a public key, as ``verify`` and ``doctor`` print it. Raises ``NotAKey``."""
        return cls(base64.b64encode(_decoded(public)).decode())

    @property
    def public(self) -> str:
        """The public key as text: 32 bytes in base64."""
        if self.seed is None:
            return self.stated
        return base64.b64encode(self._private.public_key().public_bytes_raw()).decode()

    def sign(self, club_id: int, digest: str) -> bytes:
        """Return the signature of an entry's digest. Raises ``NotAKey`` if there is only the public key."""
        return self._private.sign(_message(club_id, digest))

    def verifies(self, signature: bytes, club_id: int, digest: str) -> bool:
        """Return whether an entry's signature is by this key, for this club and digest."""
        if self.seed is not None:
            # Ed25519 is deterministic: signing again takes a third of the time of verifying.
            return secrets.compare_digest(self.sign(club_id, digest), signature)
        from cryptography.exceptions import InvalidSignature

        try:
            self._verifier.verify(signature, _message(club_id, digest))
        except InvalidSignature:
            return False
        return True

    # Cached for the benchmark verify: each signature is checked with it.
    @cached_property
    def _private(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if self.seed is None:
            raise NotAKey("a public key signs nothing")
        return Ed25519PrivateKey.from_private_bytes(self.seed)

    @property
    def _verifier(self) -> "Ed25519PublicKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        return Ed25519PublicKey.from_public_bytes(base64.b64decode(self.stated))


def _decoded(text: str) -> bytes:
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != _BYTES:
        raise NotAKey("a key is 32 bytes in base64, such as openssl rand -base64 32 prints")
    return key


def _message(club_id: int, digest: str) -> bytes:
    return f"solo-ledger entry of club {club_id}: {digest}".encode()
