"""The API's files for other programs."""

import csv
from io import StringIO

import pytest

from ledger.keeping.exports import formats
from tests.ledger.api.caller import Caller, faults
from tests.ledger.table import HEARTS_74, SEVEN

PATH = "/club/export"


@pytest.fixture(autouse=True)
def _played(sue: Caller) -> None:
    """Play a hand."""
    assert sue.post(f"{sue.start(started_on='2026-01-30')}/hands", HEARTS_74).status_code == 201


@pytest.mark.parametrize("slug", formats.FORMATS)
def test_every_format_is_sent_with_its_type_and_a_name(viewer: Caller, slug: str) -> None:
    """Also to a viewer's token."""
    answer = viewer.get(f"{PATH}?format={slug}")
    chosen = formats.FORMATS[slug]
    assert (answer.status_code, answer.mimetype) == (200, chosen.media_type)
    assert chosen.ending in answer.headers["Content-Disposition"]
    assert answer.data


def test_days_game_evening_and_dialect_choose_rows(sue: Caller) -> None:
    """Of the table of hands, which is the default."""

    def rows(query: str, separator: str = ",") -> int:
        text = sue.get(f"{PATH}?{query}").data.decode("utf-8-sig")
        return len(list(csv.DictReader(StringIO(text), delimiter=separator)))

    assert rows("") == rows("dialect=excel-de", ";") == len(SEVEN)
    assert rows("from=2026-01-30&to=2026-01-30&game=crazy-solo&session=1") == len(SEVEN)
    assert rows("from=2026-01-31") == rows("game=frog") == 0


def test_an_odd_choice_is_refused_at_its_field(sue: Caller) -> None:
    """What is always of the whole club takes no days."""
    for query, field in (
        ("format=xls", "format"),
        ("dialect=french", "dialect"),
        ("game=bridge", "game"),
        ("from=2026-02-01&to=2026-01-01", "to"),
        ("format=hledger&from=2026-01-01", "format"),
        ("format=csv-balances&session=1", "format"),
        ("format=csv-statistics&session=1", "format"),
    ):
        answer = sue.get(f"{PATH}?{query}")
        assert (answer.status_code, [*faults(answer)]) == (422, [field]), query
    assert sue.get(f"{PATH}?session=9").status_code == 404


def test_a_file_that_is_too_large_is_refused(sue: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line writes it."""
    monkeypatch.setattr(formats, "MOST_BYTES", 100)
    answer = sue.get(PATH)
    assert answer.status_code == 409
    assert "solo-ledger export" in answer.json["detail"]
