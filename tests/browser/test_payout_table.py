"""The page looks up in the table of payouts what `score` gives, for thousands of random hands."""

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from engine.games import GAMES
from engine.guide.payout_table import Answers, decisive_keys, payout_table
from engine.record import PASS, HandRecord
from engine.rules.sheet import Rules
from engine.scoring.score import score
from ledger.runtime.paths import STATIC
from ledger.web.hand.payouts import payout_file
from tests.engine.payouts import TableVerdict, hands, tables

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

SEED, TABLES, HANDS = 5, 3, 400
"""The tables of each game, and the hands of each table."""

LOOK_UP = """(text) => {
    const [table, hands] = JSON.parse(text);
    const said = (parts) => parts.map((part) => part.who || part).join("");
    return JSON.stringify(hands.map((hand) => {
        const { outcome, amount, deltas, pots, says, next } = soloPayoutTable.lookUp(table, hand);
        return [outcome, amount, deltas, pots, says.map(said), [next.dealer, next.lead]];
    }));
}"""


def asked(rules: Rules, keys: dict[str, Any], answers: Answers) -> dict[str, Any]:
    """Return a record as the hand form describes it to the script."""
    record = HandRecord.from_mapping(keys)
    contract = record.contract
    assert contract is not None
    table = rules.table(record.players, record.dealer, record.active)
    bid = rules.by_slug.get(contract.bid or "")
    names = [key.name for key in decisive_keys(bid)] if bid else []
    implied = bid.trumps[0] if bid and len(bid.trumps) == 1 else None
    trump = contract.trump or implied
    return {
        "players": record.players,
        "dealer": record.dealer,
        "active": table.active,
        "idle": table.idle,
        "bid": contract.bid or PASS,
        "bidder": contract.bidder,
        "partner": contract.partner,
        "trump": trump.value if trump else "",
        "doubled": contract.doubled or (),
        "redoubled": contract.redoubled or (),
        "answers": dict(zip(names, answers, strict=True)),
        "pots": record.pots and record.pots._asdict(),
        "heartless": None if record.blind_round is None else record.blind_round.heartless,
    }


@pytest.mark.parametrize("game", GAMES)
def test_the_page_finds_the_verdict_of_scoring(phone: "Phones", game: str) -> None:
    """With partners, doubles, pots, blind rounds, all passed, and players who sit out."""
    page = phone()
    page.add_script_tag(path=STATIC / "payouts" / "table.js")
    chosen = random.Random(SEED)  # noqa: S311 - no secret hangs on it
    for rules in chosen.sample(list(tables(GAMES[game])), TABLES):
        every = list(hands(rules, payout_table(rules)))
        some = chosen.sample(every, min(HANDS, len(every)))
        table = json.loads(payout_file(rules).content)
        wanted = [asked(rules, keys, answers) for keys, answers in some]
        found = json.loads(page.evaluate(LOOK_UP, json.dumps([table, wanted])))
        for (keys, _), (outcome, amount, deltas, pots, says, following) in zip(
            some, found, strict=True
        ):
            verdict = TableVerdict.of(score(HandRecord.from_mapping(keys)))
            looked_up = (outcome, amount, deltas, pots, tuple(says), tuple(following))
            assert looked_up == verdict, keys
