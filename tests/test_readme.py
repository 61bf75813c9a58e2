"""The README's commands: one line each, and the ones that CI runs are the README's own."""

import dataclasses
import re
import subprocess
import tomllib

import click

import ledger.server.app  # noqa: F401 - defines every kind of problem
from ledger.cli import COMMANDS, main
from ledger.keeping.doctor import TESTED_PYTHONS
from ledger.runtime import config
from ledger.words.problems import Problem
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
    """All of them, in three processes: it names no folder and deselects nothing."""
    (line,) = commands("Test it")
    assert re.search(r" -I?m pytest -n 4 --dist loadfile$", line)
    assert "[test]" in line


def test_ci_runs_the_tests_in_the_readmes_own_words() -> None:
    """The part of the README that `.ci/run` runs is the command under its heading."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    taking = re.search(r"^test_command\(\) \{\n.*?^\}", script, re.DOTALL | re.MULTILINE)
    assert taking, ".ci/run has no function test_command"
    result = subprocess.run(
        ["bash", "-c", f"{taking[0]}\ntest_command"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert result.stdout.splitlines() == commands("Test it")
    assert 'bash -c "$command"' in script


def test_the_tested_pythons_are_the_same_everywhere() -> None:
    """In the doctor, which warns of others, in the package's classifiers, in the README."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = [f"Programming Language :: Python :: {version}" for version in TESTED_PYTHONS]
    assert project["classifiers"] == versions
    assert project["requires-python"] == f">={TESTED_PYTHONS[0]}"
    assert f"Python {TESTED_PYTHONS[0]} or later (tested: {', '.join(TESTED_PYTHONS)})" in README


def test_three_lines_explain_backups() -> None:
    """How a backup is made, by hand and each night, and how one is brought back."""
    lines = README.split("\n## Backups\n")[1].split("\n## ")[0].strip().splitlines()
    assert len(lines) <= 3
    for part in ("`solo-ledger backup`", "LEDGER_BACKUP_AT=", "`solo-ledger restore "):
        assert part in " ".join(lines)


def table(heading: str) -> list[list[str]]:
    """Return the cells of the table under a heading, without its first two lines."""
    part = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def code(*names: str) -> str:
    """Return names as the tables print them."""
    return " ".join(f"`{name}`" for name in names)


def test_the_commands_are_those_of_the_program() -> None:
    """Each with its arguments and all of its options, in the order of the program's help."""
    rows = []
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command
        arguments = [each for each in command.params if isinstance(each, click.Argument)]
        options = [each.opts[-1] for each in command.params if isinstance(each, click.Option)]
        context = click.Context(command)
        usage = " ".join((name, *(each.make_metavar(context) for each in arguments)))
        rows.append([code(f"solo-ledger {usage}"), code(*options)])
    assert [row[:2] for row in table("The command line")] == rows


def test_the_settings_are_those_of_the_program() -> None:
    """Every variable of the program and no other, and numbers that are the program's defaults."""
    listed = {row[0].strip("`"): row[2] for row in table("Settings")}
    assert set(listed) == set(re.findall(r"LEDGER_[A-Z_]+", config.__doc__ or ""))
    default = {each.name: each.default for each in dataclasses.fields(config.Settings)}
    for name in ("host", "port", "threads", "followers", "clubs_per_hour", "backups_kept"):
        assert listed[f"LEDGER_{name.upper()}"] == str(default[name])


def test_the_codes_of_the_api_are_those_of_the_program() -> None:
    """Every kind of problem that the product defines, by its status."""
    codes: dict[int, set[str]] = {}
    kinds = [Problem]
    for kind in kinds:
        kinds += kind.__subclasses__()
        if kind.__module__.startswith("ledger."):
            codes.setdefault(kind.status, set()).add(kind.code)
    expected = [[str(status), code(*sorted(codes[status]))] for status in sorted(codes)]
    assert [row[:2] for row in table("The API")] == expected


def test_links_and_pictures_lead_to_files() -> None:
    """Nothing in the README points at a file that is not there."""
    names = re.findall(r"\]\((\.[^)#]+)\)|src=\"([^\"]+)\"", README)
    assert [name for pair in names for name in pair if name and not (ROOT / name).is_file()] == []
