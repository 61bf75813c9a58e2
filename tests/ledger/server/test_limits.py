"""How many connections a server asks the system for."""

import resource

import pytest

from ledger import server


def test_a_system_that_says_no_limit_and_means_another_is_asked_for_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So does macOS: it refuses the limit that it names; the server starts all the same."""
    requests: list[int] = []

    def grant(_what: int, limits: tuple[int, int]) -> None:
        requests.append(limits[0])
        if limits[0] == resource.RLIM_INFINITY:
            raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", grant)
    assert server._raise_file_limit() == server.GRANTED
    assert requests == [resource.RLIM_INFINITY, server.GRANTED]


def test_a_system_that_grants_nothing_more_leaves_what_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Fewer may follow then, and nothing fails."""

    def refuse(*_: object) -> None:
        raise OSError("not permitted")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (1_024, 4_096))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert server._raise_file_limit() == 1_024
