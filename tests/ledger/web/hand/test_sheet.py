"""The sheet of one hand: its auction, its tricks and its payout, linked from where the hand is listed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import unescape
from typing import Any
from urllib.parse import unquote

import pytest

from engine.cards.cards import FULL, Card
from engine.games import find
from engine.notation import compact
from engine.record import HandRecord
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.http.reader_language import COOKIE
from ledger.services.club import players
from ledger.services.hands.versions import find as find_version
from ledger.services.session.load import load
from tests.ledger import table
from tests.ledger.evenings import another_club
from tests.ledger.web.hand.test_correction_form import CARDS
from tests.ledger.web.phone import Page, Phone

NAMES = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jim", "Kay", "Lee")
RecordHand = Callable[..., str]


@pytest.fixture
def recorded(database: Database, club: Access) -> RecordHand:
    """A function that records a hand at a new table, where the last player deals.

    It returns the address of the session.
    """

    def record(game: str, seats: int, hand: Mapping[str, Any], names: Sequence[str] = NAMES) -> str:
        players = names[:seats]
        number = table.start(database, club, players, game, first_dealer=players[-1])
        table.record(database, club, number, hand)
        return f"/clubs/{club.club_id}/sessions/{number}"

    return record


def random_hand(
    game: str,
    seats: int,
    accept: Callable[[Mapping[str, Any]], object] = lambda _: True,
    names: Sequence[str] = NAMES,
) -> dict[str, Any]:
    """Return a random hand with its tricks, which the last player deals."""
    return table.with_cards(game, names[:seats], names[seats - 1], accept)


@pytest.fixture
def suits(recorded: RecordHand) -> str:
    """The address of a session with a single hand, dealt in whole suits: Ann took every trick in spades."""
    return recorded("crazy-solo", 4, CARDS)


def rows(page: Page) -> str:
    """Return the text of the page from the heading of its tricks on."""
    return page.text[page.text.index(" Tricks ") :]


def test_the_sheet_shows_tricks_with_leader_winner_and_points(viewer: Phone, suits: str) -> None:
    """Nine tricks; the side's points add up to all 120. A viewer sees it, without a form that writes."""
    page = viewer.open(f"{suits}/hands/1")
    assert page.status == 200
    assert "Ann, Go alone ♠" in page.text.replace("\ufe0e", "")
    text = rows(page).replace("\ufe0e", "")
    assert "1 Ann A♠ A♥ A♦ A♣ Ann 44 44" in text
    assert "2 Ann 10♠ 10♥ 10♦ 10♣ Ann 40 84" in text
    assert "9 Ann 6♠ 6♥ 6♦ 6♣ Ann 0 120" in text
    assert {form.action.rsplit("/", 1)[1] for form in page.reader.forms} <= {"leave"}


def test_the_winning_card_of_each_trick_is_emphasised(viewer: Phone, suits: str) -> None:
    """Ann's, the first of each trick."""
    html = viewer.open(f"{suits}/hands/1").response.get_data(as_text=True)
    assert html.count('<strong class="best">') == 9
    assert '<strong class="best"><span class="suit black suit-S">A♠' in html


def test_hands_with_tricks_have_a_link_and_others_no_sheet(
    viewer: Phone, suits: str, recorded: RecordHand
) -> None:
    """In the history and under the last hand on the board; a hand without tricks answers 404."""
    bare = recorded("crazy-solo", 7, table.HEARTS_74)
    for place in ("", "/history"):
        assert f"{suits}/hands/1" in viewer.open(suits + place).reader.links
        assert f"{bare}/hands/1" not in viewer.open(bare + place).reader.links
    missing = viewer.open(f"{bare}/hands/1")
    assert missing.status == 404
    assert "Hand 1 was recorded without its cards." in missing.text
    assert viewer.open(f"{suits}/hands/2").status == 404


def test_a_sheet_of_another_club_is_not_found(
    scorer: Phone, database: Database, suits: str
) -> None:
    """The same numbers lead nowhere from a club that the device has entered."""
    access = another_club(database).access
    other = table.start(database, access, table.FOUR)
    club = suits.split("/sessions/")[0]
    assert scorer.open(f"{club}/sessions/{other}/hands/1").status == 404
    assert scorer.open(f"/clubs/{access.club_id}/sessions/{other}/hands/1").status in {401, 404}


def test_the_sheet_shows_the_current_version(
    scorer: Phone, database: Database, club: Access, suits: str
) -> None:
    """Corrected, with a renamed player, then void, which is marked."""
    number = int(suits.rsplit("/", 1)[1])
    claimed = {**CARDS, "tricks": CARDS["tricks"][:3], "claimed": {"by": "bidder", "after": 3}}
    table.correct(database, club, number, 1, claimed)
    everyone = table.ask(database, club, players.everyone)
    ann = next(player.id for player in everyone if player.name == "Ann")
    players.rename(table.write(database, club), ann, name="Zed")
    page = scorer.open(f"{suits}/hands/1")
    assert "corrected" in page.text
    assert "claimed the rest after 3 tricks" in page.text
    assert "3 Zed K♠ K♥ K♦ K♣ Zed 16 100" in rows(page).replace("\ufe0e", "")
    assert "4 Zed" not in rows(page)
    assert "from the widow" not in page.text
    table.void(database, club, number, 1)
    page = scorer.open(f"{suits}/hands/1")
    assert "Hand 1 is void" in page.text
    assert page.status == 200


def test_a_misere_counts_tricks_and_german_solo_too(viewer: Phone, recorded: RecordHand) -> None:
    """Without a column for card points."""
    hand = random_hand("german-solo", 4, lambda hand: len(hand["tricks"]) == 8)
    html = viewer.open(f"{recorded('german-solo', 4, hand)}/hands/1")
    assert " Points " not in rows(html)
    hand = random_hand("six-bid", 3, lambda hand: hand["contract"]["bid"] == "heart-solo")
    assert " Points " in rows(viewer.open(f"{recorded('six-bid', 3, hand)}/hands/1"))


def test_the_exchange_and_the_widow_are_shown(viewer: Phone, recorded: RecordHand) -> None:
    """Frog's widow with the discard and its points, and both ways in which a call solo's card comes."""
    hand = random_hand("frog", 3, discards_points)
    page = viewer.open(f"{recorded('frog', 3, hand)}/hands/1")
    assert "From the widow: " in page.text
    assert "Discarded: " in page.text
    points = sum(map(FULL.points, map(Card.parse, hand["exchange"]["discarded"].split())))
    assert f"And from the widow or the discard: {points} point" in page.text
    from_widow = random_hand("six-bid", 3, lambda hand: giver_of(hand) == "widow")
    from_player = random_hand("six-bid", 3, lambda hand: giver_of(hand) in NAMES)
    for hand, words in ((from_widow, " was in the widow."), (from_player, " gave ")):
        page = viewer.open(f"{recorded('six-bid', 3, hand)}/hands/1")
        assert words in page.text[: page.text.index(" Tricks ")]
        assert " Widow" in page.text


def discards_points(hand: Mapping[str, Any]) -> bool:
    """Return whether frog was played to the end, and a card that counts was discarded."""
    discarded = hand.get("exchange", {}).get("discarded", "")
    return len(hand["tricks"]) == 11 and any(card[0] in "ATKQJ" for card in discarded.split())


def giver_of(hand: Mapping[str, Any]) -> str | None:
    """Return the giver of the called card; None without an exchange."""
    giver: str | None = hand.get("exchange", {}).get("from")
    return giver


def test_notes_name_their_place_and_stay_text(viewer: Phone, recorded: RecordHand) -> None:
    """Notes on the hand, a call, a trick and a card; markup in them is escaped."""
    notes = [
        {"text": "<b>lucky</b>"},
        {"trick": 2, "text": "a careless lead"},
        {"trick": 1, "card": "AH", "text": "why the ace?"},
        {"card": "9S", "text": "the last trump"},
    ]
    page = viewer.open(
        f"{recorded('crazy-solo', 4, {**CARDS, 'note': 'by candle light', 'notes': notes})}/hands/1"
    )
    text = page.text.replace("\ufe0e", "")
    for words in (
        "by candle light",
        "<b>lucky</b>",
        "Trick 2: a careless lead",
        "Trick 1, A♥: why the ace?",
        "9♠: the last trump",
    ):
        assert words in text
    assert "<b>lucky</b>" not in page.response.get_data(as_text=True)


def test_calls_and_cards_are_in_the_readers_language(viewer: Phone, recorded: RecordHand) -> None:
    """German has its own letters and names of bids."""
    doubled = random_hand(
        "progressive", 4, lambda hand: any(len(call) == 3 for call in hand["auction"])
    )
    place = recorded("progressive", 4, doubled)
    assert "against" in viewer.open(f"{place}/hands/1").text
    viewer.client.set_cookie(COOKIE, "de")
    text = viewer.open(f"{place}/hands/1").text.replace("\ufe0e", "")
    assert "Reizen" in text
    assert " Passe" in text
    assert "♠10" in text
    assert "♠B" in text


def test_the_compact_line_is_the_hand(
    viewer: Phone, database: Database, club: Access, suits: str
) -> None:
    """It can be read back, and is the line of the stored record."""
    html = viewer.open(f"{suits}/hands/1").response.get_data(as_text=True)
    line = html.split("data-select>", 1)[1].split("</textarea>")[0]
    with database.read(club) as session:
        number = int(suits.rsplit("/", 1)[1])
        stored = find_version(session, load(session, number), 1).record
    assert line == compact.write(HandRecord.from_mapping(stored))
    assert compact.read(line).tricks is not None


def test_a_link_replays_the_hand_without_what_is_the_club_s_own(
    viewer: Phone, recorded: RecordHand
) -> None:
    """The line has the notes; the link has the same hand without them."""
    noted = {"note": "Bob slept", "notes": [{"text": "why?", "trick": 1}], "x-app": "7"}
    session = recorded("crazy-solo", 4, {**CARDS, **noted, "played_at": "2026-01-31T20:15:00Z"})
    html = viewer.open(f"{session}/hands/1").response.get_data(as_text=True)
    line = re.search(r'<textarea id="line"[^>]*>([^<]*)<', html)
    link = re.search(r'<input id="link-to-hand"[^>]* value="([^"]*)"', html)
    assert line is not None
    assert link is not None
    address, _, fragment = unescape(link[1]).partition("#")
    assert address == "http://localhost/replay"
    complete, shared = compact.read(unescape(line[1])), compact.read(unquote(fragment))
    assert (complete.note, complete.added) == ("Bob slept", {"x-app": "7"})
    assert shared == replace(complete, note=None, notes=None, added=None, played_at=None)


def test_a_hand_too_long_for_a_line_has_a_sheet_without_it(
    viewer: Phone, recorded: RecordHand
) -> None:
    """With long notes."""
    notes = [{"text": "x" * 2_000}] * 9
    page = viewer.open(f"{recorded('crazy-solo', 4, {**CARDS, 'notes': notes})}/hands/1")
    assert page.status == 200
    assert "as one line" not in page.text


def test_a_settled_hand_without_a_contract_shows_its_cards(
    viewer: Phone, recorded: RecordHand
) -> None:
    """The winners of its tricks are unknown, so nobody is named."""
    hand = {
        "tricks": CARDS["tricks"][:2],
        "irregular": [{"what": "misdeal", "settled": "void"}],
    }
    page = viewer.open(f"{recorded('crazy-solo', 4, hand)}/hands/1")
    assert "misdeal: the hand does not count" in page.text
    assert "A♠ A♥ A♦ A♣ –" in rows(page).replace("\ufe0e", "")


def test_a_hand_lost_by_a_settlement_counts_nothing_from_the_widow(
    viewer: Phone, recorded: RecordHand
) -> None:
    """Its points are those of the settlement, and its tricks those that were played."""
    lost = {"what": "exposed", "seat": "Ann", "settled": "lost"}
    page = viewer.open(f"{recorded('crazy-solo', 4, {**CARDS, 'irregular': [lost]})}/hands/1")
    assert "0 points" in page.text
    assert "from the widow" not in page.text


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        (game, seats)
        for game in ("crazy-solo", "six-bid", "german-solo")
        for seats in (3, 4, 7, 12)
        if seats in find(game).seats
    ],
)
def test_every_table_size_has_a_sheet(
    viewer: Phone, recorded: RecordHand, game: str, seats: int
) -> None:
    """With names from the right, of signs, and long ones; each trick is there."""
    odd = ("محمد عبد الرحمن", "🂡 Ace 🎉", "Maximiliane-Henriette von Trips-Rosenberg", *NAMES)[
        :seats
    ]
    hand = random_hand(game, seats, names=odd)
    page = viewer.open(f"{recorded(game, seats, hand, odd)}/hands/1")
    assert page.status == 200
    html = page.response.get_data(as_text=True)
    assert html.count('<th scope="row">') == len(hand["tricks"])
    assert all(f"<bdi>{name}</bdi>" in html for name in odd[:3])
