"""A write repeated with the same key is answered as the first was, and says so in a header."""

import pytest
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database import json
from tests.ledger.api.caller import Caller
from tests.ledger.api.test_document import operations, parameters
from tests.ledger.table import HEARTS_46, HEARTS_74, new_key

HEADER = "Idempotency-Replayed"


def test_a_repeated_write_is_marked_as_replayed_and_the_first_is_not(sue: Caller) -> None:
    """A hand, and a new player, whose responses are built in two ways."""
    writes = [(f"{sue.start()}/hands", HEARTS_74), ("/players", {"name": "Zoë"})]
    for path, content in writes:
        key = new_key()
        first, again = (sue.post(path, content, key=key) for _ in range(2))
        assert (first.status_code, again.status_code) == (201, 201)
        assert HEADER not in first.headers
        assert again.headers[HEADER] == "true"
        assert again.json == first.json


def test_a_response_stored_before_players_had_marks_is_replayed(
    sue: Caller, database: Database
) -> None:
    """With the fields of now."""
    sue.post("/players", {"name": "Ann"})
    key = new_key()
    first = sue.call("PATCH", "/players/1", {"name": "Anna"}, key=key)
    assert first.status_code == 200
    with database.engine.begin() as connection:
        old = json.text({"id": 1, "name": "Anna", "archived": False})
        where = {"old": old, "key": key}
        connection.execute(text("UPDATE written_answer SET answer = :old WHERE key = :key"), where)
    again = sue.call("PATCH", "/players/1", {"name": "Anna"}, key=key)
    assert (again.status_code, again.headers[HEADER], again.json) == (200, "true", first.json)


@pytest.mark.parametrize("first", [{"contract": {"bid": "heart"}}, HEARTS_46])
def test_a_key_that_stored_no_response_for_this_hand_marks_nothing(
    sue: Caller, first: dict[str, object]
) -> None:
    """After a refused hand the corrected one is new; a key of another hand is a conflict."""
    path, key = f"{sue.start()}/hands", new_key()
    sue.post(path, first, key=key)
    then = sue.post(path, HEARTS_74, key=key)
    assert then.status_code == (409 if first is HEARTS_46 else 201)
    assert HEADER not in then.headers


def test_every_write_with_a_key_documents_the_header(anyone: Caller) -> None:
    """No read does, and no operation of owners, which take no key."""
    document = anyone.get("/openapi.json").json
    for _, path, operation in operations(document):
        names = parameters(document, operation)
        written = [r for code, r in operation["responses"].items() if code in {"200", "201"}]
        documented = [HEADER in response.get("headers", {}) for response in written]
        assert any(documented) == ("Idempotency-Key" in names), path
