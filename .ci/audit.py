"""Looks up what the service installs among the known vulnerabilities, by pip-audit; fails on one.

Where no advisory service answers (it takes the network) it says so, and that is no failure. Looked up is what
`solo-ledger` and its extras need that operators may install, not what a developer or the machine has besides.
"""

import json
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

SECONDS = 60


def needed(name: str, extras: frozenset[str], found: dict[str, str]) -> None:
    """Put what a package needs into ``found``, by name with its version, and what that needs."""
    for said in distribution(name).requires or ():
        wanted = Requirement(said)
        marks = [{"extra": extra} for extra in (extras or frozenset({""}))]
        if wanted.marker and not any(wanted.marker.evaluate(each) for each in marks):
            continue
        try:
            version = distribution(wanted.name).version
        except PackageNotFoundError:  # for another system or another Python
            continue
        if wanted.name not in found:
            found[wanted.name] = version
            needed(wanted.name, frozenset(wanted.extras), found)


def main() -> int:
    """Look all of it up; return the status to end with."""
    found: dict[str, str] = {}
    needed("solo-ledger", frozenset({"postgres", "metrics", "mdns"}), found)
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "needed.txt"
        listed.write_text("".join(f"{name}=={version}\n" for name, version in found.items()))
        asking = [sys.executable, "-m", "pip_audit", "--requirement", str(listed), "--no-deps"]
        asking += ["--disable-pip", "--progress-spinner", "off", "--timeout", "5"]
        try:
            done = subprocess.run(  # noqa: S603 - the tool of the dev extra
                [*asking, "--format", "json"],
                capture_output=True,
                text=True,
                check=False,
                timeout=SECONDS,
            )
            told = json.loads(done.stdout)["dependencies"]
        except (subprocess.TimeoutExpired, ValueError):
            told = []
    looked_up = [each for each in told if "vulns" in each]
    if not looked_up:
        print(f"No advisory service answers here: none of {len(found)} packages was looked up.")
        return 0
    print(f"{len(looked_up)} of {len(found)} packages were looked up.")
    faults = [(each, fault) for each in looked_up for fault in each["vulns"]]
    for each, fault in faults:
        mend = ", ".join(fault["fix_versions"]) or "nothing yet"
        print(f"{each['name']} {each['version']}: {fault['id']}; mended in {mend}")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
