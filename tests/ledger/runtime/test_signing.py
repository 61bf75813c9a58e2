"""Signatures: by a key outside the database, over an entry's digest and its club."""

from datetime import UTC, datetime

import pytest

from ledger.runtime.signing import NotAKey, SigningKey, new_key

AT = datetime(2026, 1, 2, 3, 4, 5, 678_901, tzinfo=UTC)


def test_a_signature_is_of_one_key_one_entry_and_one_club() -> None:
    """With its private part or the public one alone, which is shorter."""
    key, other = SigningKey.from_text(new_key(AT)), SigningKey.from_text(new_key(AT))
    signature = key.sign(1, "a" * 64)
    for known in (key, SigningKey.from_public(key.public)):
        assert known.verifies(signature, 1, "a" * 64)
        assert not known.verifies(signature, 2, "a" * 64)
        assert not known.verifies(signature, 1, "b" * 64)
        assert not known.verifies(other.sign(1, "a" * 64), 1, "a" * 64)
        assert not known.verifies(b"", 1, "a" * 64)


def test_a_key_is_kept_with_the_time_since_when_it_signs() -> None:
    """To the microsecond: an entry written just before has no signature. Another's key has no time."""
    text = new_key(AT)
    assert SigningKey.from_text(text).since == AT
    bare, _, _ = text.partition(" ")
    assert (SigningKey.from_text(bare).since, SigningKey.from_text(bare).public) == (
        None,
        SigningKey.from_text(text).public,
    )


@pytest.mark.parametrize("text", ["", "secret", "YQ==", "?" * 44, f"{'YWFh' * 11} since noon"])
def test_what_is_no_key_is_refused_in_a_sentence(text: str) -> None:
    """With any other text in its place."""
    with pytest.raises(NotAKey, match="key"):
        SigningKey.from_text(text)


def test_a_key_shows_nothing_of_what_signs() -> None:
    """Not in a traceback either."""
    key = SigningKey.from_text(new_key(datetime(2026, 1, 1, tzinfo=UTC)))
    assert key.seed is not None
    assert repr(key.seed) not in repr(key)
