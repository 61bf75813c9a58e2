"""The rules of a season in words, and the figures of its table in the reader's language."""

from collections.abc import Mapping, Sequence

from engine.games import GAMES
from engine.rules.sheet import SCORE
from engine.words.sentences import later, say
from ledger.database.kinds.seasons import ScoringMethod, TieBreak
from ledger.services.reads.seasons import POINTS, SeasonTable
from ledger.words.numbers import money, number

METHODS: Mapping[str, tuple[str, str]] = {
    ScoringMethod.CHIPS: (later("Chips"), later("The chips won in all evenings are added up.")),
    ScoringMethod.MONEY: (
        later("Money"),
        later(
            "The money that evenings came to is added up; an evening counts once it is cashed in."
        ),
    ),
    ScoringMethod.RANKS: (
        later("Points by rank"),
        later("In each evening a player gets one point for everybody who won less."),
    ),
    ScoringMethod.WINS: (
        later("Evenings won"),
        later("The evenings in which nobody won more are counted; players who are equal both win."),
    ),
}
"""The methods with their titles and their rules."""

_SCORE_RULE = later("The scores of all evenings are added up.")

TIE_BREAKS: Mapping[str, str] = {
    TieBreak.WINS: later("more evenings won"),
    TieBreak.EVENINGS: later("more evenings played"),
    TieBreak.BEST: later("the better best evening"),
    TieBreak.AMOUNT: later("the larger sum of all evenings"),
}
"""The tie-breaks in words."""


def unit_title(table: SeasonTable) -> str:
    """Return the head of the column of totals."""
    heads = {SCORE: later("Score"), POINTS: later("Points")}
    return say(heads.get(table.unit, METHODS[table.season.method][0]))


def sentences(table: SeasonTable) -> Sequence[str]:
    """Return the rules of a season as sentences."""
    rules, in_scores = table.season, table.unit == SCORE
    words = [say(_SCORE_RULE if in_scores else METHODS[rules.method][1])]
    if rules.game:
        words.append(say("Only evenings of {game:term} count.", game=GAMES[rules.game].title))
    if rules.least_evenings > 1:
        words.append(say("It takes {n:evening|evenings} to get a place.", n=rules.least_evenings))
    breaks = [say(TIE_BREAKS[slug]) for slug in rules.tie_breaks]
    together = later("If players are equal, these decide, in this order: {words:list}.")
    shared = later("Players who are equal share a place.")
    words.append(say(together, words=breaks) if breaks else say(shared))
    return words


def figure(table: SeasonTable, total: int) -> str:
    """Return a total in the reader's language, money with its currency."""
    if table.season.method == ScoringMethod.MONEY:
        return f"{money(total, table.unit)} {table.unit}"
    return number(total)
