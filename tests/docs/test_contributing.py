"""The recipes of CONTRIBUTING.md: every task has one, and every path in them exists."""

import re

import pytest

from tests.support.tree import ROOT

PAGE = (ROOT / ".docs" / "CONTRIBUTING.md").read_text(encoding="utf-8")
TOPS = ("engine", "ledger", "migrations", "templates", "tests", ".docs", ".ci", ".deploy")
PATHS = sorted(
    {
        path
        for text in re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL))
        for path in text.split()
        if path.startswith(tuple(f"{top}/" for top in TOPS)) and not set("*<") & set(path)
    }
)
TASKS = (
    *("A house rule", "A key of the hand record", "An error message", "A language", "A CSV column"),
    *("A game with a 32-card pack", "A PDF column", "A club setting", "An entry kind"),
    *("A page", "A permission"),
)


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_the_page_names_exists(path: str) -> None:
    """A file that was moved is renamed on the page, too."""
    assert (ROOT / path).exists()


def test_every_task_has_a_recipe_with_a_check() -> None:
    """Files in order, the tests to run, and where to see it work."""
    recipes = re.split(r"\n### ", PAGE.split("\n## Recipes\n")[1].split("\n## ")[0])[1:]
    assert [recipe.splitlines()[0] for recipe in recipes] == list(TASKS)
    for recipe in recipes:
        assert "\n1. " in recipe
        assert "\nCheck: " in recipe
        assert "See: " in recipe
