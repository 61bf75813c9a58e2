"""How to play: every game for anybody, and at a table as it plays now."""

from engine.games import GAMES
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.session.load import load
from ledger.services.table import start
from tests.ledger import table as tables
from tests.ledger.table import ask, write
from tests.ledger.web.phone import Phone


def test_anybody_reads_how_each_game_is_played(stranger: Phone) -> None:
    """From the first page, in each variant, for each number at the table, also one that is none."""
    assert 'href="/how-to-play"' in stranger.client.get("/").text
    listed = stranger.client.get("/how-to-play").text
    for sheet in GAMES.values():
        assert f'href="/how-to-play/{sheet.slug}"' in listed
        default = 4 if 4 in sheet.seats else 3
        for variant in [each.slug for each in sheet.variants] or [""]:
            for seats in (*sheet.seats, 99):
                page = stranger.open(f"/how-to-play/{sheet.slug}?variant={variant}&seats={seats}")
                assert page.status == 200
                rules = sheet.rules(variant or None, {}, default if seats == 99 else seats)
                assert all(bid.title in page.text for bid in rules.bids)
    assert stranger.open("/how-to-play/bridge").status == 404


def test_a_house_rule_that_is_not_usual_is_marked(
    viewer: Phone, database: Database, club: Access, seven: str
) -> None:
    """A viewer sees it among the rules; the examples are scored by it."""
    before = viewer.open(f"{seven}/how-to-play").text
    assert "to the nearest 5 = 40" in before
    assert "changed here" not in before
    session_id = int(seven.rsplit("/", 1)[1])
    view = ask(database, club, load, session_id)
    start.change_rules(
        write(database, club),
        session_id,
        game=view.game,
        variant=view.variant,
        options={"rounding": 0},
    )
    after = viewer.open(f"{seven}/how-to-play").text
    assert "not rounded. changed here" in after
    assert "to the nearest 5 = 40" not in after
    assert "Change the house rules" not in after


def test_a_page_says_what_the_house_rules_change(
    viewer: Phone, database: Database, club: Access
) -> None:
    """Of German Solo each rule and its opposite; of progressive the payees of a loss."""
    default = viewer.open("/how-to-play/german-solo").text
    options = {"clubs_preference": False, "called_card_leads": False, "matadors_on_loss": False}
    table_id = tables.start(database, club, tables.FOUR, "german-solo", options=options)
    here = viewer.open(f"/clubs/{club.club_id}/sessions/{table_id}/how-to-play").text
    for said, instead in (
        ("Of two equal bids, the one in clubs is higher.", "No bid goes over an equal one."),
        (
            "Its holder, too, leads it when they lead its suit.",
            "Its holder may lead another card of its suit.",
        ),
        ("add 2. Worked examples", "A side that fails loses nothing for them."),
        (
            "Another player's grossfrage does not release them.",
            "has to bid it, unless solo is bid.",
        ),
    ):
        assert said in default
        assert instead in here
    idle = "A bidder who loses also pays those who sit out, once."
    assert idle in viewer.open("/how-to-play/progressive?variant=hoyle").text
    assert idle not in viewer.open("/how-to-play/progressive?variant=pennycook").text
