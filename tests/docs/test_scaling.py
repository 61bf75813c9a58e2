"""The calls for Citus in .docs/SCALING.md name every table of a club, by its column with the club."""

import re

from ledger.database.models import metadata
from tests.support.tree import ROOT

PAGE = (ROOT / ".docs" / "SCALING.md").read_text(encoding="utf-8")


def test_each_club_table_is_distributed_by_its_club() -> None:
    """A table that is missing would stay on the coordinator."""
    calls = dict(re.findall(r"create_distributed_table\('(\w+)', '(\w+)'", PAGE))
    own = [table.name for table in metadata.sorted_tables if {"id", "club_id"} <= {*table.c.keys()}]
    expected = dict.fromkeys(own, "club_id")
    assert calls == {"club": "id", **expected}
