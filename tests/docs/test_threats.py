"""The threat page stays short enough to be read to its end."""

from tests.support.tree import ROOT


def test_the_threat_page_is_two_screens() -> None:
    """And ends with what nobody can see: all before leads there."""
    page = (ROOT / ".docs" / "THREATS.md").read_text(encoding="utf-8")
    assert len(page.splitlines()) <= 70
    assert page.split("\n## ")[-1].startswith("What stays undetectable\n")
