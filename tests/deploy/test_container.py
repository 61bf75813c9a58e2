"""Checks of the Containerfile without a container engine: the commands of its steps are run."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.runtime.config import load
from tests.support.server import Server, answering, fork_server
from tests.support.tree import ROOT, project_files

FILE = ROOT / ".deploy" / "Containerfile"
PROGRAM = "/opt/solo-ledger/bin/solo-ledger"
PYTHON = "/opt/solo-ledger/bin/python"


def stages() -> list[dict[str, list[str]]]:
    """Return each stage's instructions, by their names, in order."""
    results: list[dict[str, list[str]]] = []
    for line in FILE.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, _, said = line.partition(" ")
        if name == "FROM":
            results.append(defaultdict(list))
        results[-1][name].append(said)
    return results


def variables() -> dict[str, str]:
    """Return the variables that the image sets."""
    (said,) = stages()[-1]["ENV"]
    return dict(each.split("=", 1) for each in said.split())


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The service by the image's command and settings, in a folder of ours."""
    last = stages()[-1]
    (entry,), (command,) = last["ENTRYPOINT"], last["CMD"]
    assert [*json.loads(entry), *json.loads(command)] == [PROGRAM, "serve"]
    own = variables()
    folder = tmp_path_factory.mktemp("data")
    assert (own.pop("LEDGER_DATA_DIR"), last["VOLUME"]) == ("/data", ["/data"])
    assert own.pop("LEDGER_PORT") in last["EXPOSE"]
    started = answering(fork_server(folder, environment=own))
    yield started
    started.stop()


def test_its_base_is_pinned_and_one_for_both_stages() -> None:
    """By a tag with Python's version and Debian's; both stages have the same base."""
    built, last = (stage["FROM"][0].split()[0] for stage in stages())
    assert built == last
    assert re.fullmatch(r"docker\.io/library/python:3\.\d+-slim-[a-z]+", last)


def test_it_does_not_run_as_root() -> None:
    """Its user is a number, so that a host can check it; the folder of the books is theirs."""
    last = stages()[-1]
    assert last["USER"] == ["10001:10001"]
    assert any("--owner=10001" in each and each.endswith(" /data") for each in last["RUN"])


def test_it_installs_as_the_readme_does() -> None:
    """The same two steps, with the extras that a server may want."""
    (installing,) = stages()[0]["RUN"]
    said = (ROOT / "README.md").read_text().split("## Run it")[1].split("```sh\n")[1]
    make, install, _ = said.splitlines()[0].split(" && ")
    as_here = installing.replace(" --no-cache-dir", "").replace("'.[postgres,metrics]'", ".")
    assert as_here == f"{make} && {install}".replace(".venv", "/opt/solo-ledger")


def test_what_it_copies_builds_the_wheel_of_the_whole_clone(tmp_path: Path) -> None:
    """Nothing that the service needs is left out, and nothing of the tests comes along."""
    clone = tmp_path / "clone"
    for said in stages()[0]["COPY"]:
        *sources, target = said.split()
        for source in sources:
            for path in project_files():
                if path == Path(source) or Path(source) in path.parents:
                    (clone / path).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / path, clone / path)
            assert target in ("./", source)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)]
    subprocess.run([*build, str(clone)], check=True, capture_output=True, timeout=180)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {
        f"ledger/{path}" if path.parts[0] in ("templates", "migrations") else str(path)
        for path in project_files()
        if path.parts[0] in ("engine", "ledger", "templates", "migrations")
    }
    assert inside == expected


def test_its_health_check_tells_a_service_that_answers_from_none(running: Server) -> None:
    """Its own command, with our port: it ends well while the service runs, else not."""
    (said,) = stages()[-1]["HEALTHCHECK"]
    program, *arguments = json.loads(said.partition("CMD ")[2])
    assert program == PYTHON
    port = running.url.rpartition(":")[2]
    for at, well in ((port, True), ("1", False)):
        asking = [each.replace(":8000/", f":{at}/") for each in arguments]
        result = subprocess.run(
            [sys.executable, *asking], capture_output=True, check=False, timeout=60
        )
        assert (result.returncode == 0) is well, result.stderr


def test_its_settings_are_ones_there_are(running: Server, tmp_path: Path) -> None:
    """It listens to others than itself, and logs for programs."""
    settings = load(variables() | {"LEDGER_DATA_DIR": str(tmp_path)})
    assert (settings.port, settings.log) == (8000, "json")
    assert settings.host == "0.0.0.0"  # noqa: S104 - in a container, others ask from outside
    assert '"path":"/health"' in running.log
