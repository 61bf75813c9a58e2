"""Secrets: slow hashes for those chosen by people, digests for random ones."""

import pytest

from ledger.runtime import secrets
from ledger.runtime.secrets import (
    digest,
    hash_passcode,
    link_key,
    new_key,
    new_token,
    passcode_opens,
)


@pytest.fixture(autouse=True)
def _quick_passcodes() -> None:
    """Keep the slow hash of production: the suite's quick one is not tested here."""


@pytest.mark.parametrize("passcode", ["four aces", "пароль", "🂡🂱", "x" * 128, "half a \ud800"])
def test_a_passcode_opens_what_it_locked_and_no_other_does(passcode: str) -> None:
    """Any text will do; capitals and spaces count."""
    stored = hash_passcode(passcode)
    assert passcode_opens(stored, passcode)
    assert not passcode_opens(stored, passcode + " ")
    assert not passcode_opens(stored, passcode.swapcase() + "x")


def test_a_passcode_is_kept_as_a_salted_argon2id_hash() -> None:
    """The same passcode twice is kept differently, and slowly to be guessed."""
    one, two = hash_passcode("four aces"), hash_passcode("four aces")
    assert one != two
    assert one.startswith("$argon2id$")
    assert "m=19456,t=2,p=1" in one


def test_no_passcode_opens_a_club_that_is_not_there() -> None:
    """Not even the one its stand-in was made from; a hash that is none opens nothing either."""
    assert not passcode_opens(None, "nobody's passcode")
    assert not passcode_opens("", "nobody's passcode")
    assert not passcode_opens("not a hash", "four aces")


def test_a_club_that_is_not_there_takes_as_long_to_refuse() -> None:
    """Its stand-in is hashed as slowly as a passcode is now, so that time reveals no club."""
    slow = hash_passcode("four aces").split("$")[:4]
    assert secrets.NOBODY.split("$")[:4] == slow


def test_tokens_and_links_are_made_by_chance() -> None:
    """256 bits for a token, 128 for a link, never the same twice; a token begins with its kind."""
    assert len({new_token() for _ in range(50)}) == 50
    assert len({new_key() for _ in range(50)}) == 50
    assert len({link_key("a secret", new_key()) for _ in range(50)}) == 50
    assert new_token().startswith("solo_")
    assert len(new_token()) >= 5 + 43
    assert len(new_key()) >= 22
    assert len(link_key("a secret", new_key())) >= 22


def test_a_links_key_is_worked_out_of_the_secret_beside_the_ledger() -> None:
    """The same each time it is shown; with another secret it is another."""
    assert link_key("a secret", "nonce") == link_key("a secret", "nonce")
    assert link_key("a secret", "nonce") != link_key("another secret", "nonce")


def test_a_digest_tells_tokens_apart_and_nothing_about_them() -> None:
    """The same each time, so that an index finds it."""
    assert digest("solo_a") == digest("solo_a")
    assert digest("solo_a") != digest("solo_b")
    assert len(digest("solo_a")) == 64
