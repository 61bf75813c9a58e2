"""Flask as this service has it: JSON as the books write it, cookies looked at where there are any."""

import json

import pytest
from flask import Flask, jsonify, session

from ledger.http.flask_app import Application


@pytest.fixture
def app() -> Flask:
    """An application with a page that counts its visits, and nothing else."""
    app = Application("tests")
    app.secret_key = "kept for this test"

    @app.get("/visits")
    def visits() -> str:
        session["visits"] = session.get("visits", 0) + 1
        return str(session["visits"])

    return app


def test_keys_stand_as_they_come(app: Flask) -> None:
    """Seats stand clockwise, not by the letters of their names; and no letter is spelled as a number."""
    with app.app_context():
        assert jsonify({"Zoë": 1, "Ann": 2}).get_data(as_text=True) == '{"Zoë":1,"Ann":2}'


def test_a_number_that_no_column_holds_is_answered_all_the_same(app: Flask) -> None:
    """Only stored numbers are bounded to 64 bits."""
    with app.app_context():
        assert json.loads(jsonify([10**30]).get_data()) == [10**30]


def test_what_json_has_no_word_for_is_a_mistake(app: Flask) -> None:
    """It is never written as something else."""
    with app.app_context(), pytest.raises(TypeError):
        jsonify({"cards": object()})


def test_a_device_is_known_again_by_its_cookie(app: Flask) -> None:
    """A client without one is a new device each time, with any other headers."""
    phone = app.test_client()
    assert [phone.get("/visits").text for _ in range(3)] == ["1", "2", "3"]
    program = app.test_client(use_cookies=False)
    assert [program.get("/visits").text for _ in range(2)] == ["1", "1"]
    phone.set_cookie("session", "forged")
    assert phone.get("/visits").text == "1"


def test_a_key_signs_for_its_own_application_only(app: Flask) -> None:
    """Two applications in one process do not accept each other's cookies."""
    other = Application("tests")
    other.secret_key = "another one"
    interface = app.session_interface
    written = interface.get_signing_serializer(app).dumps({"visits": 7})  # type: ignore[attr-defined]
    assert interface.get_signing_serializer(other).loads_unsafe(written)[0] is False  # type: ignore[attr-defined]
