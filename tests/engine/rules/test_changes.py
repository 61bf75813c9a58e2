"""Rule changes by engine version: a hand is scored again as it was when it was saved."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.batch import score_many
from engine.errors import Refused
from engine.games import GAMES
from engine.record import HandRecord
from engine.rules.changes import CHANGES, VERSION, is_newer, since, supported_version
from engine.rules.verdict import Verdict
from engine.scoring.score import score

FIRST = "0.1.0"
SAVED = [
    json.loads(line)
    for line in Path(__file__).with_name("scored_by_0.1.0.jsonl").read_text("utf-8").splitlines()
]
"""Hands and verdicts as the first engine saved them: German Solo with all cards, and progressive."""


def kept(scored: Verdict | Refused) -> Any:
    """Return a verdict as books hold it, or the codes of a refusal."""
    if isinstance(scored, Refused):
        return [each.code for each in scored.violations]
    return json.loads(json.dumps(scored.to_stored()))


def test_another_spelling_of_this_version_is_not_newer() -> None:
    """Its numbers are the same."""
    assert not is_newer(f"{VERSION}.0")


def test_hands_of_the_first_engine_keep_their_verdicts() -> None:
    """One by one and together, although some would be scored otherwise today, or refused."""
    records = [hand["record"] for hand in SAVED]
    verdicts = [hand["verdict"] for hand in SAVED]
    assert [kept(score(HandRecord.from_mapping(each), FIRST)) for each in records] == verdicts
    assert [*map(kept, score_many(records, FIRST))] == verdicts
    today = [*map(kept, score_many(records))]
    assert [*map(kept, score_many(records, FIRST))] == verdicts  # whatever was scored between
    compared = zip(records, today, verdicts, strict=True)
    differing = {record["game"] for record, now, then in compared if now != then}
    assert differing == {change.game for change in CHANGES}
    refusals = {code for now in today if isinstance(now, list) for code in now}
    assert refusals == {"must-play-called-card", "bid-owed"}


@pytest.mark.parametrize(
    ("version", "older"),
    [
        *(("0.1.0", True), ("0", True), ("0.1.7.dev3+abc", True), ("0.1.999999999", True)),
        *(("", True), ("unknown", True), ("v2", True), ("-1", True), ("٢", True)),
        *((VERSION, False), ("0.2", False), ("0.2.0.0", False), ("0.2.1", False), ("10", False)),
        ("9" * 5000, False),
    ],
)
def test_any_text_is_a_version(version: str, older: bool) -> None:
    """A text that is no version counts as older than all; two versions are compared number by number."""
    changes = since(version, "progressive", "hoyle")
    assert ([change.slug for change in changes] == ["idle-paid-by-hoyle"]) is older
    rules = GAMES["progressive"].rules("hoyle", {}, 4, version)
    assert rules.options["idle_paid_on_loss"] is not older


def test_a_newer_version_than_this_engine_is_known_as_such() -> None:
    """Its hands are scored by the newest rules that there are."""
    assert [is_newer(each) for each in (FIRST, VERSION, "0.1.9", "", "9.0")] == [False] * 4 + [True]
    assert [supported_version(each) for each in (FIRST, VERSION, "9.0")] == [
        FIRST,
        VERSION,
        VERSION,
    ]


def test_the_list_runs_from_old_to_new_and_names_what_there_is() -> None:
    """Each change once, of a game, its variants and its house rules."""
    versions = [[*map(int, change.version.split("."))] for change in CHANGES]
    assert versions == sorted(versions)
    assert len({change.slug for change in CHANGES}) == len(CHANGES)
    for change in CHANGES:
        sheet = GAMES[change.game]
        assert set(change.variants) <= {variant.slug for variant in sheet.variants}
        assert set(change.defaults) <= {option.slug for option in sheet.options}
        assert change.description.endswith(".")


def test_a_table_that_chose_a_house_rule_keeps_it_under_every_version() -> None:
    """Only options left out take the default of the day; rules without a change are the same."""
    for value in (True, False):
        for version in (FIRST, VERSION):
            rules = GAMES["progressive"].rules("hoyle", {"idle_paid_on_loss": value}, 4, version)
            assert rules.options["idle_paid_on_loss"] is value
    frog = GAMES["frog"]
    assert frog.rules(None, {}, 3, FIRST) == frog.rules(None, {}, 3)
    pennycook = GAMES["progressive"].rules("pennycook", {}, 4, FIRST)
    assert pennycook.options["idle_paid_on_loss"] is False
