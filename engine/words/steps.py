"""The English template of each step in the explanation of a verdict. A stored verdict has the keys."""

from collections.abc import Mapping
from typing import Final

STEPS: Final[Mapping[str, str]] = {
    # The events at the table.
    "claimed": (
        "{by:bidder=the bidder|opponents=the opponents} claimed the rest after {after:trick|tricks}"
    ),
    "claimed-tricks": (
        "{by:bidder=the bidder|opponents=the opponents} claimed "
        "{tricks:0=no trick|trick|tricks} of the rest after {after:trick|tricks}"
    ),
    "claimed-points": (
        "{by:bidder=the bidder|opponents=the opponents} claimed "
        "{points:0=no card points|card point|card points} of the rest after {after:trick|tricks}"
    ),
    "irregular": (
        "{what:revoke=revoke|exposed=exposed card|misdeal=misdeal|out-of-turn=play out of turn}"
        "{seat:? by {seat}}{trick:? in trick {trick}}: {settled:play-on=played on|replayed=replayed|"
        "void=the hand does not count|lost=lost at full value|agreed=settled by agreement}"
    ),
    "agreed-payment": "{payer} pays {payee} {amount:,}",
    # The result.
    "over-half": "{points:card point|card points}, {off} over {half}",
    "under-half": "{points:0=no card points|card point|card points}, {off} under {half}",
    "exactly-half": "{points:card point|card points}, exactly half",
    "target-made": "{points:card point|card points} of the {target} needed{trump:? in {trump:term}}: made",
    "target-missed": (
        "{points:0=no card points|card point|card points} of the {target} needed{trump:? in {trump:term}}: "
        "{off} short"
    ),
    "everything-made": "all {target:card point|card points}: made",
    "everything-missed": "{points:0=no card points|card point|card points} of {target}: {off} short",
    "no-points-made": "no card points in tricks: made",
    "no-points-broken": "{points:card point|card points} in tricks: broken",
    "no-tricks-made": "no tricks won: made",
    "no-tricks-broken": "{tricks:trick|tricks} won: broken",
    "tricks-made": "{tricks} of {of:trick|tricks}, {needed} needed: made",
    "tricks-missed": "{tricks} of {of:trick|tricks}, {needed} needed: {off} short",
    "said-made": "the contract was made",
    "said-lost": "the contract was lost",
    "conceded": "conceded by the {by:term}",
    "thrown-in": "all passed: the hand is thrown in",
    # The price.
    "rate": "× {rate} a point = {amount:,}",
    "rate-trump": "× {rate} for {trump:term} = {amount:,}",
    "rounded": "to the nearest {nearest} = {amount:,}",
    "price": "the price is {amount:,}{trump:? in {trump:term}}",
    "base": "{bid:term} counts {amount:,}",
    "feat": (
        "{feat:prime=prime|tout=tout, as they played on|announced-tout=announced tout|"
        "matadors-declarers=all three matadors on the declarer's side|"
        "matadors-defenders=all three matadors on the defenders' side}: {more:,} more = {amount:,}"
    ),
    "level": "nothing is paid: {outcome:term}",
    "doubled": "{name} doubled: × 2 = {amount:,}",
    "redoubled": "{name} was redoubled: × 4 = {amount:,}",
    # The payments.
    "won": "{principal} is paid by {others:and}",
    "won-both": "{principal} is paid by {others:and}; {second} by {rest:and}",
    "lost": "{principal} pays {others:and}",
    "lost-both": "{principal} pays {others:and}; {second} pays {rest:and}",
    "idle-paid": "{names:and} sits out and is paid too",
    "idle-all-paid": "{names:and} sit out and are paid too",
    "scores": "{names:and} scores {amount} {amount:~point|points}",
    "score-each": "{names:and} score {amount} {amount:~point|points} each",
    "loses": "{names:and} loses {amount} {amount:~point|points}",
    "lose-each": "{names:and} lose {amount} {amount:~point|points} each",
    "antes": "everyone antes {frog:,} to the frog pot and {solo:,} to the solo pot",
    "pot-taken": "{name} takes the {pot:term}: {amount:,}",
    "pot-matched": "{name} adds to the {pot:term} as much as it holds: {amount:,}",
    "pot-stays": "the {pot:term} stays: {amount:,}",
}
