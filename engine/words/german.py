"""German for what the engine says. Data only, beside `english`."""

from collections.abc import Mapping

from engine.words.german_cards import CARDS
from engine.words.german_refusals import REFUSALS
from engine.words.german_terms import TERMS
from engine.words.language import Language

TEMPLATES: Mapping[str, str] = {
    # What was brought home.
    "over-half": "{points:card point}, {off} über {half}",
    "under-half": "{points:card point}, {off} unter {half}",
    "exactly-half": "{points:card point}, genau die Hälfte",
    "target-made": "{points:card point} von {target} nötigen{trump:?in-trump}: gewonnen",
    "target-missed": "{points:card point} von {target} nötigen{trump:?in-trump}: {off} zu wenig",
    "everything-made": "alle {target:card point}: gewonnen",
    "everything-missed": "{points:card point} von {target}: {off} zu wenig",
    "no-points-made": "{points:card point} in den Stichen: gewonnen",
    "no-points-broken": "{points:card point} in den Stichen: verloren",
    "no-tricks-made": "{tricks:trick} gemacht: gewonnen",
    "no-tricks-broken": "{tricks:trick} gemacht: verloren",
    "tricks-made": "{tricks} von {of:Stich|Stichen}, {needed} nötig: gewonnen",
    "tricks-missed": "{tricks} von {of:Stich|Stichen}, {needed} nötig: {off} zu wenig",
    "said-made": "das Spiel ist gewonnen",
    "said-lost": "das Spiel ist verloren",
    "conceded": "aufgegeben {by:term by}",
    "thrown-in": "alle haben gepasst, es wird eingeworfen",
    "in-trump": " in {trump:term}",
    # What it costs.
    "rate": "× {rate} je Auge = {amount:,}",
    "rate-trump": "× {rate} für {trump:term} = {amount:,}",
    "rounded": "auf volle {nearest} gerundet = {amount:,}",
    "price": "fester Preis{trump:?in-trump}: {amount:,}",
    "base": "{bid:term} zählt {amount:,}",
    "feat": "{feat:term}: {more:,} dazu = {amount:,}",
    "level": "{outcome:term}, nichts wird gezahlt",
    "doubled": "Kontra von {name}: × 2 = {amount:,}",
    "redoubled": "Re gegen {name}: × 4 = {amount:,}",
    # Who settles with whom.
    "won": "{principal} kassiert von {others:and}",
    "won-both": "{principal} kassiert von {others:and}; {second} von {rest:and}",
    "lost": "{principal} zahlt an {others:and}",
    "lost-both": "{principal} zahlt an {others:and}; {second} zahlt an {rest:and}",
    "idle-paid": "{names:and} setzt aus und kassiert auch",
    "idle-all-paid": "{names:and} setzen aus und kassieren auch",
    "scores": "{names:and} bekommt {amount:point}",
    "score-each": "{names:and} bekommen je {amount:point}",
    "loses": "{names:and} verliert {amount:point}",
    "lose-each": "{names:and} verlieren je {amount:point}",
    "antes": "alle setzen {frog:,} in den Frog-Pott und {solo:,} in den Solo-Pott",
    "pot-taken": "{name} nimmt den {pot:term}: {amount:,}",
    "pot-matched": "{name} legt in den {pot:term} noch einmal so viel, wie darin ist: {amount:,}",
    "pot-stays": "der {pot:term} bleibt stehen: {amount:,}",
}

NOUNS: Mapping[str, tuple[str, ...]] = {
    "card point": ("keine Augen", "{} Auge", "{} Augen"),
    "trick": ("kein Stich", "{} Stich", "{} Stiche"),
    "point": ("keine Punkte", "{} Punkt", "{} Punkte"),
}
"""Each noun with a zero, a one and any other number."""

GOALS: Mapping[str, str] = {
    "{points} card points or more": "{points} Augen oder mehr",
    "{points} card points or more, {hearts} in hearts": "{points} Augen oder mehr, {hearts} in Herz",
    "all {points} card points": "alle {points} Augen",
    "no card points in tricks": "keine Augen in den Stichen",
    "no trick": "kein Stich",
    "{needed} of {of} tricks": "{needed} von {of} Stichen",
    "{rate} a point": "{rate} je Auge",
    "{rate} a point, {hearts} in hearts": "{rate} je Auge, {hearts} in Herz",
    "{price}": "{price}",
    "{price}, in hearts {hearts}": "{price}, in Herz {hearts}",
    "{rule:head}: {what}.": "{rule:head}: {what}.",
    "{parts:list}": "{parts:list}",
    "{part:term} {what}": "{part:term}: {what}",
    "{points:point|points}": "{points:Punkt|Punkte}",
}
"""What a bid needs and costs, as a tariff card says it."""

GERMAN = Language(
    "de",
    TEMPLATES,
    NOUNS,
    TERMS,
    conjunction="und",
    form=lambda number: min(abs(number), 2),
    alternative="oder",
    thousands=".",
    point=",",
    ranks={"Q": "D", "J": "B"},
    sentences={**REFUSALS, **CARDS, **GOALS},
)
