"""Commands run as another user than the tests', and files that another user owns."""

import os
import pwd
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support import nursery
from tests.support.needs import unavailable


def is_root() -> bool:
    """Return whether the tests run as root."""
    return os.geteuid() == 0


def nobody() -> pwd.struct_passwd:
    """Return a user without rights; skip, or fail under CI, unless the tests run as root."""
    if not is_root():
        unavailable("Only root can make files of another user: run this test as root.")
    return pwd.getpwnam("nobody")


@contextmanager
def folder(owner: pwd.struct_passwd) -> Iterator[Path]:
    """Make a folder of a user's that every user can reach; pytest's own are the runner's alone."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        os.chown(name, owner.pw_uid, owner.pw_gid)
        yield Path(name)


def run(
    *arguments: object, user: pwd.struct_passwd | None = None, **settings: object
) -> subprocess.CompletedProcess[str]:
    """Run a command of the ledger with these settings, as a user or as the user running the tests."""
    ids = "" if user is None else f"{user.pw_uid}:{user.pw_gid}"
    return _python(_RUN, ids, *map(str, arguments), **settings)


def found_club(data_dir: Path, **settings: object) -> subprocess.CompletedProcess[str]:
    """Found the club "Kitchen" in a new ledger, as the user running the tests."""
    return _python(_FOUND, data_dir=data_dir, **settings)


def _python(code: str, *arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    stated = {f"LEDGER_{name.upper()}": str(value) for name, value in settings.items()}
    return nursery.run(code, arguments, {"PATH": os.environ["PATH"], **stated})


_FOUND = """
from ledger.keeping import migrate
from ledger.runtime import config
from ledger.services.club import clubs
database = migrate.open_books(config.load())
clubs.create(database, name="Kitchen", passcode="four aces", author="Sue")
database.close()
"""
_RUN = """
import os, sys
from click.testing import CliRunner
from ledger.cli import main
_, ids, *arguments = sys.argv
if ids:
    CliRunner().invoke(main, arguments)  # imports what the user may not be able to read
    uid, gid = map(int, ids.split(":"))
    os.setgroups([]), os.setgid(gid), os.setuid(uid)
main(arguments)
"""
