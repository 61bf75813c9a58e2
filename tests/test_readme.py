"""The README's commands: one line each, and the ones that CI runs are the README's own."""

import re
import subprocess
import tomllib

from ledger.keeping.doctor import TESTED_PYTHONS
from tests.support.tree import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands(heading: str) -> list[str]:
    """Return the lines of the first block of commands under a heading."""
    block = re.search(rf"^## {heading}$.*?^```sh\n(.*?)\n```", README, re.DOTALL | re.MULTILINE)
    assert block, f"README.md has no block of commands under “{heading}”"
    return block[1].splitlines()


def test_one_command_installs_and_serves() -> None:
    """With nothing but Python: it makes its own environment, and ends by serving."""
    (line,) = commands("Run it")
    steps = [step.strip() for step in line.split("&&")]
    assert re.fullmatch(r"python3 -I?m venv \.venv", steps[0])
    assert " pip install " in steps[1]
    assert steps[1].endswith(" .")
    assert re.search(r" -I?m ledger serve$", steps[-1])


def test_one_command_installs_and_runs_the_tests() -> None:
    """All of them, in two processes: it names no folder and deselects nothing."""
    (line,) = commands("Test it")
    assert re.search(r" -I?m pytest -n 2 --dist loadfile$", line)
    assert "[test]" in line


def test_ci_runs_the_tests_in_the_readmes_own_words() -> None:
    """What `.ci/run` takes from the README is the command under its heading."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    taking = re.search(r"^test_command\(\) \{\n.*?^\}", script, re.DOTALL | re.MULTILINE)
    assert taking, ".ci/run has no function test_command"
    done = subprocess.run(
        ["bash", "-c", f"{taking[0]}\ntest_command"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert done.stdout.splitlines() == commands("Test it")
    assert 'bash -c "$command"' in script


def test_the_tested_pythons_are_the_same_everywhere() -> None:
    """In the doctor, which warns of others, in the package's classifiers, in the README."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = [f"Programming Language :: Python :: {each}" for each in TESTED_PYTHONS]
    assert project["classifiers"] == versions
    assert project["requires-python"] == f">={TESTED_PYTHONS[0]}"
    assert f"Python {TESTED_PYTHONS[0]} or later (tested: {', '.join(TESTED_PYTHONS)})" in README


def test_three_lines_say_how_the_ledger_is_kept_safe() -> None:
    """How a backup is made, by hand and each night, and how one is brought back."""
    lines = README.split("\n## Backups\n")[1].split("\n## ")[0].strip().splitlines()
    assert len(lines) <= 3
    for told in ("`solo-ledger backup`", "LEDGER_BACKUP_AT=", "`solo-ledger restore "):
        assert told in " ".join(lines)


def test_every_command_and_setting_stands_in_the_readme() -> None:
    """Whoever looks for one finds it there."""
    from ledger.cli import COMMANDS
    from ledger.runtime import config

    settings = set(re.findall(r"LEDGER_[A-Z_]+", config.__doc__ or ""))
    assert "LEDGER_DATABASE_URL" in settings
    missing = [name for name in settings if name not in README]
    missing += [name for name in COMMANDS if f"`solo-ledger {name}" not in README]
    assert missing == []
