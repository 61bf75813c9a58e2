"""Pictures of players through the API."""

import pytest

from tests.ledger.api.caller import Caller
from tests.ledger.photos import EXIF, PHOTO, as_text, photo


def test_a_picture_is_set_read_and_deleted(sue: Caller) -> None:
    """Its digest is with the player, so a client learns when to read it again; 404 without one."""
    sue.post("/players", {"name": "Ann"})
    address = "/players/1/picture"
    assert sue.get(address).status_code == 404
    answer = sue.put(address, {"picture": PHOTO})
    digest = answer.json["picture"]
    assert (answer.status_code, len(digest)) == (200, 64)
    assert answer.headers["ETag"]
    picture = sue.get(address)
    assert (picture.mimetype, picture.data) == ("image/jpeg", photo())
    assert sue.get("/players/1").json["picture"] == digest
    assert sue.put(address, {"picture": PHOTO}).json["code"] == "unchanged"
    assert sue.call("DELETE", address).json["picture"] == ""
    assert sue.get(address).status_code == 404
    assert sue.call("DELETE", address).json["code"] == "unchanged"


@pytest.mark.parametrize(
    "picture",
    [as_text(photo(exif=EXIF)), as_text(photo(kind="PNG")), PHOTO[:-4], "🦊", "A" * 10_000],
)
def test_another_file_is_refused_as_the_picture_and_changes_nothing(
    sue: Caller, picture: str
) -> None:
    """With the code `not-a-picture`, at its key."""
    sue.post("/players", {"name": "Ann"})
    refused = sue.put("/players/1/picture", {"picture": picture})
    assert refused.status_code == 422
    assert [(fault["field"], fault["code"]) for fault in refused.json["errors"]] == [
        ("picture", "not-a-picture")
    ]
    assert sue.get("/players/1").json["picture"] == ""
