"""The parts for installing the pages: a manifest, icons, and a worker that is renewed with its files."""

import re

from flask import Flask


def test_the_manifest_names_icons_that_there_are(app: Flask) -> None:
    """Their files are as large as stated, one of them for a mask; the pages name the manifest."""
    client = app.test_client()
    assert 'rel="manifest" href="/manifest.webmanifest"' in client.get("/").text
    answer = client.get("/manifest.webmanifest")
    assert (answer.status_code, answer.mimetype) == (200, "application/manifest+json")
    manifest = answer.get_json(force=True)
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert "maskable" in [icon.get("purpose") for icon in manifest["icons"]]
    for icon in manifest["icons"]:
        picture = client.get(icon["src"]).data
        width, height = (int.from_bytes(picture[at : at + 4]) for at in (16, 20))
        assert icon["sizes"] == f"{width}x{height}"


def test_the_worker_keeps_the_files_that_pages_are_made_of(app: Flask) -> None:
    """Each under the name that it has today, and the worker itself is asked for each time."""
    client = app.test_client()
    answer = client.get("/worker.js")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("text/javascript", "no-store")
    files = re.findall(r'"(/static/[^"]+)"', answer.text)
    of_a_page = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:js|css))"', client.get("/").text)
    assert of_a_page
    assert set(of_a_page) <= set(files)
    of_cards = [name for name in files if re.search(r"/(cards|replay)\..*\.(js|css)$", name)]
    players = [name for name in files if name.endswith(".html")]
    assert (len(of_cards), len(players)) == (4, 2)
    assert {client.get(file).status_code for file in files} == {200}
