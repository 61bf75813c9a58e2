"""Signatures under entries: Ed25519, by a key that is kept outside the database.

A key is kept as text: its 32 bytes in base64 and, where it was made by this program, since when it signs.
What is signed is the digest of an entry and the number of its club, so that no entry passes for another's.
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
    """A text that is not a key; the message says what one is."""


def new_key(at: datetime) -> str:
    """Make a key that signs from now on, as it is kept."""
    seed = base64.b64encode(secrets.token_bytes(_BYTES)).decode()
    return f"{seed}{_SINCE}{at.astimezone(UTC).isoformat(timespec='microseconds')}"


@dataclass(frozen=True)
class SigningKey:
    """A public key; its private part where this program signs with it, and since when, if known.

    What signs is loaded with the first signature: nobody who starts the service waits for it.
    """

    stated: str = ""
    seed: bytes | None = field(default=None, repr=False)
    since: datetime | None = None

    @classmethod
    def kept(cls, text: str) -> Self:
        """Read a private key as it is kept. Raises ``NotAKey``."""
        seed_text, _, since = text.strip().partition(_SINCE)
        seed = _decoded(seed_text)
        try:
            at = datetime.fromisoformat(since) if since else None
        except ValueError as error:
            raise NotAKey(f"{since!r} is not when a key was made") from error
        return cls("", seed, at)

    @classmethod
    def of(cls, public: str) -> Self:
        """Read a public key, as ``verify`` and ``doctor`` print it. Raises ``NotAKey``."""
        return cls(base64.b64encode(_decoded(public)).decode())

    @cached_property
    def public(self) -> str:
        """The public key in base64, worked out of the private one where this is such."""
        if self.seed is None:
            return self.stated
        return base64.b64encode(self._signer.public_key().public_bytes_raw()).decode()

    def sign(self, club_id: int, digest: str) -> bytes:
        """Sign the digest of an entry."""
        return self._signer.sign(_signed(club_id, digest))

    def made(self, signature: bytes, club_id: int, digest: str) -> bool:
        """Whether a signature under an entry is this key's."""
        if self.seed is not None:
            # This kind of signature is always the same: making it again takes a third of looking at it.
            return secrets.compare_digest(self.sign(club_id, digest), signature)
        from cryptography.exceptions import InvalidSignature

        try:
            self._verifier.verify(signature, _signed(club_id, digest))
        except InvalidSignature:
            return False
        return True

    @cached_property
    def _signer(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if self.seed is None:
            raise NotAKey("a public key signs nothing")
        return Ed25519PrivateKey.from_private_bytes(self.seed)

    @cached_property
    def _verifier(self) -> "Ed25519PublicKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        return Ed25519PublicKey.from_public_bytes(base64.b64decode(self.public))


def _decoded(text: str) -> bytes:
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != _BYTES:
        raise NotAKey("a key is 32 bytes in base64, such as openssl rand -base64 32 prints")
    return key


def _signed(club_id: int, digest: str) -> bytes:
    return f"solo-ledger entry of club {club_id}: {digest}".encode()
