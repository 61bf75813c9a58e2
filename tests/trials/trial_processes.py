"""Several processes serve one PostgreSQL, with their secrets shared by settings.

A follower of one gets the saves of the other, passcodes are counted across them, and one is
stopped and started again while scorers save through both.
"""

import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from threading import Event

from tests.support.postgres import running_cluster
from tests.support.server import Server, answering, fork_server, free_port
from tests.trials.rows import Row, count, seconds
from tests.trials.scorers import Scorer, acknowledged, kept, made, more, scoring
from tests.trials.trial_followers import Crowd, devices, wait
from tests.trials.trial_postgres import KEPT, migrate_at

SECRET = "a secret that both of them were told, each by its own setting"
FOLLOWERS = {True: 20, False: 200}
SCORERS = 4
RESTARTS = {True: 1, False: 5}
HANDS = 20
FREE_TRIES = 5
"""So many wrong passcodes cost a network no wait."""


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Follow, guess, restart."""
    with running_cluster(KEPT if KEPT.is_dir() else folder, migrate_at) as cluster:
        books = made(cluster.migrated())
        ports = [free_port(), free_port()]

        def begun(number: int) -> Server:
            place = folder / f"process-{number}"
            place.mkdir(exist_ok=True)
            settings = {
                "LEDGER_SECRET_KEY": SECRET,
                "LEDGER_SIGNING_KEY_FILE": str(folder / "process-0" / "signing-key"),
            }
            return answering(
                fork_server(place, database_url=books.url, environment=settings, port=ports[number])
            )

        servers = [begun(0), begun(1)]
        try:
            many = FOLLOWERS[short]
            evening = f"/clubs/{books.access.club_id}/sessions/{books.evening}"
            cookies = devices(servers[0], books, many, SECRET)
            crowd = Crowd(servers[1], evening, cookies, many)  # the other one knows them as well
            crowd.start()
            wait(crowd, "told", many)
            one = Scorer(0, ports[0], books, Event(), 1)
            one.run()
            saved = time.monotonic()
            wait(crowd, "told", 2 * many)
            told = time.monotonic() - saved
            crowd.left.set()
            crowd.join(30)
            yield Row("followers of the other process", f"{many}")
            yield seconds("until all are told what one saved", told, 3)

            answers = [wrong(servers[number % 2]) for number in range(FREE_TRIES + 3)]
            free = answers.index(429) if 429 in answers else len(answers)
            yield Row(
                "wrong passcodes at both until one waits",
                f"{free}",
                f"{FREE_TRIES}",
                free == FREE_TRIES,
            )

            with (
                scoring(ports[0], books, SCORERS, first=1) as here,
                scoring(ports[1], books, SCORERS, first=1 + SCORERS) as there,
            ):
                for _ in range(RESTARTS[short]):
                    more([*here, *there], HANDS)
                    servers[0].stop()
                    more(there, HANDS)
                    servers[0] = begun(0)
                    more(here, HANDS)
        finally:
            for server in servers:
                server.stop()
        yield Row("restarts of one while both save", f"{RESTARTS[short]}")
        yield Row("hands saved by each", f"{acknowledged(here)} and {acknowledged(there)}")
        yield count(
            "told that it can't be reached by the other", sum(s.answers[503] for s in there)
        )
        yield from kept(books, [*here, *there, one])


def wrong(server: Server) -> int:
    """Try a wrong passcode on the page; return the status."""
    line = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
    )
    with line.open(f"{server.url}/enter", timeout=20) as page:
        token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page.read().decode())
    assert token
    form = {
        "csrf_token": token[1],
        "name": "Kitchen Table",
        "passcode": "wrong one",
        "author": "Zoe",
    }
    try:
        with line.open(f"{server.url}/enter", urllib.parse.urlencode(form).encode()) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code
