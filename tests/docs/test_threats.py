"""The page on threats stays short."""

from tests.support.tree import ROOT


def test_the_threat_page_is_two_screens() -> None:
    """It ends with the undetectable changes."""
    page = (ROOT / ".docs" / "THREATS.md").read_text(encoding="utf-8")
    assert len(page.splitlines()) <= 70
    assert page.split("\n## ")[-1].startswith("What stays undetectable\n")
