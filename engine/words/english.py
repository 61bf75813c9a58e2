"""English for the steps of a verdict. Data only: a translation is another such module."""

from collections.abc import Mapping

from engine.words.language import Language

TEMPLATES: Mapping[str, str] = {
    # What was brought home.
    "over-half": "{points:card point}, {off} over {half}",
    "under-half": "{points:card point}, {off} under {half}",
    "exactly-half": "{points:card point}, exactly half",
    "target-made": "{points:card point} of the {target} needed{trump:?in-trump}: made",
    "target-missed": "{points:card point} of the {target} needed{trump:?in-trump}: {off} short",
    "everything-made": "all {target:card point}: made",
    "everything-missed": "{points:card point} of {target}: {off} short",
    "no-points-made": "{points:card point} in tricks: made",
    "no-points-broken": "{points:card point} in tricks: broken",
    "no-tricks-made": "{tricks:trick} won: made",
    "no-tricks-broken": "{tricks:trick} won: broken",
    "tricks-made": "{tricks} of {of:trick}, {needed} needed: made",
    "tricks-missed": "{tricks} of {of:trick}, {needed} needed: {off} short",
    "said-made": "the contract was made",
    "said-lost": "the contract was lost",
    "conceded": "conceded by the {by:term}",
    "thrown-in": "all passed: the hand is thrown in",
    "in-trump": " in {trump:term}",
    # What it costs.
    "rate": "× {rate} a point = {amount:,}",
    "rate-trump": "× {rate} for {trump:term} = {amount:,}",
    "rounded": "to the nearest {nearest} = {amount:,}",
    "price": "the price is {amount:,}{trump:?in-trump}",
    "base": "{bid:term} counts {amount:,}",
    "feat": "{feat:term}: {more:,} more = {amount:,}",
    "level": "nothing is paid: {outcome:term}",
    "doubled": "{name} doubled: × 2 = {amount:,}",
    "redoubled": "{name} was redoubled: × 4 = {amount:,}",
    # Who settles with whom.
    "won": "{principal} is paid by {others:and}",
    "won-both": "{principal} is paid by {others:and}; {second} by {rest:and}",
    "lost": "{principal} pays {others:and}",
    "lost-both": "{principal} pays {others:and}; {second} pays {rest:and}",
    "idle-paid": "{names:and} sits out and is paid too",
    "idle-all-paid": "{names:and} sit out and are paid too",
    "scores": "{names:and} scores {amount:point}",
    "score-each": "{names:and} score {amount:point} each",
    "loses": "{names:and} loses {amount:point}",
    "lose-each": "{names:and} lose {amount:point} each",
    "antes": "everyone antes {frog:,} to the frog pot and {solo:,} to the solo pot",
    "pot-taken": "{name} takes the {pot:term}: {amount:,}",
    "pot-matched": "{name} adds to the {pot:term} as much as it holds: {amount:,}",
    "pot-stays": "the {pot:term} stays: {amount:,}",
}

NOUNS: Mapping[str, tuple[str, ...]] = {
    "card point": ("no card points", "{} card point", "{} card points"),
    "trick": ("no tricks", "{} trick", "{} tricks"),
    "point": ("no points", "{} point", "{} points"),
}
"""Each noun with a zero, a one and any other number."""

TERMS: Mapping[str, str] = {
    "spades": "spades",
    "hearts": "hearts",
    "diamonds": "diamonds",
    "clubs": "clubs",
    "bidder": "bidder",
    "opponents": "opponents",
    "won": "won",
    "tied": "tied",
    "prime": "prime",
    "tout": "tout, as they played on",
    "announced-tout": "announced tout",
    "matadors-declarers": "all three matadors on the declarer's side",
    "matadors-defenders": "all three matadors on the defenders' side",
    "frog pot": "frog pot",
    "solo pot": "solo pot",
}

ENGLISH = Language(
    "en", TEMPLATES, NOUNS, TERMS, conjunction="and", form=lambda number: min(abs(number), 2)
)
"""What code and templates say: every sentence stands there in English, whole."""
