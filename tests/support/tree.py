"""The project's own files: where they are, and which of them git keeps."""

import fnmatch
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds `pyproject.toml`."""

VENDOR = Path("ledger/static/vendor")
"""Third-party files, kept as they came."""


def project_files() -> list[Path]:
    """List every file of the project, relative to `ROOT`, sorted.

    In a git checkout: the files that git tracks or would (new, not ignored), so that a file is
    held to the rules before it is committed. In an unpacked archive, or without git: every file
    that `.gitignore` does not name.
    """
    # The clone may belong to another user than the one running the tests; git refuses such a folder by
    # default, and is only asked for a list.
    listing = [
        *("git", "-c", f"safe.directory={ROOT}", "ls-files"),
        *("-z", "--cached", "--others", "--exclude-standard"),
    ]
    if (ROOT / ".git").exists():
        try:
            answer = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True, timeout=60)
        except (OSError, subprocess.SubprocessError):
            pass
        else:
            found = {Path(os.fsdecode(name)) for name in answer.stdout.split(b"\0") if name}
            return sorted(path for path in found if (ROOT / path).is_file())
    return sorted(_walk())


def python_files(*tops: str) -> list[Path]:
    """List the project's Python files under the given folders, relative to `ROOT`."""
    folders = [Path(top) for top in tops]
    return [
        path
        for path in project_files()
        if path.suffix == ".py" and any(path.is_relative_to(folder) for folder in folders)
    ]


def _walk() -> Iterator[Path]:
    """Yield the files below `ROOT` that no pattern of `.gitignore` (plain names only) matches."""
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    ignored = [".git", *(line.strip("/") for line in lines if not line.startswith("#"))]

    def kept(name: str) -> bool:
        return not any(fnmatch.fnmatch(name, pattern) for pattern in ignored)

    for folder, folders, names in os.walk(ROOT):
        folders[:] = filter(kept, folders)
        here = Path(folder).relative_to(ROOT)
        yield from (here / name for name in names if kept(name))
