"""Japanese for what the engine says. Data only, beside `english`."""

from collections.abc import Mapping

from engine.words.japanese_cards import CARDS
from engine.words.japanese_refusals import REFUSALS
from engine.words.japanese_terms import TERMS
from engine.words.language import Language

TEMPLATES: Mapping[str, str] = {
    # What was brought home.
    "over-half": "{points:card point}、{half}点を{off}点上回る",
    "under-half": "{points:card point}、{half}点に{off}点足りない",
    "exactly-half": "{points:card point}、ちょうど半分",
    "target-made": "{points:card point}（{trump:?in-trump}必要なのは{target}点）：成功",
    "target-missed": "{points:card point}（{trump:?in-trump}必要なのは{target}点）：{off}点不足",
    "everything-made": "{target:card point}すべて：成功",
    "everything-missed": "{target}点のうち{points:card point}：{off}点不足",
    "no-points-made": "トリックで{points:card point}：成功",
    "no-points-broken": "トリックで{points:card point}：失敗",
    "no-tricks-made": "獲得{tricks:trick}：成功",
    "no-tricks-broken": "獲得{tricks:trick}：失敗",
    "tricks-made": "{of}トリック中{tricks}トリック（必要なのは{needed}トリック）：成功",
    "tricks-missed": "{of}トリック中{tricks}トリック（必要なのは{needed}トリック）：{off}トリック不足",
    "said-made": "コントラクトは成功",
    "said-lost": "コントラクトは失敗",
    "conceded": "{by:term}が降参",
    "thrown-in": "全員パス：このディールは流れ",
    "in-trump": "切り札が{trump:term}なので",
    # What it costs.
    "rate": "1点につき{rate}なので × {rate} = {amount:,}",
    "rate-trump": "{trump:term}なので × {rate} = {amount:,}",
    "rounded": "{nearest}単位に丸めて = {amount:,}",
    "price": "{trump:?in-trump}配点は{amount:,}",
    "base": "{bid:term}の基本点は{amount:,}",
    "feat": "{feat:term}：{more:,}加算 = {amount:,}",
    "level": "やり取りなし：{outcome:term}",
    "doubled": "{name}がダブル：× 2 = {amount:,}",
    "redoubled": "{name}にリダブル：× 4 = {amount:,}",
    # Who settles with whom.
    "won": "{principal}が{others:and}から受け取る",
    "won-both": "{principal}が{others:and}から、{second}が{rest:and}から受け取る",
    "lost": "{principal}が{others:and}に支払う",
    "lost-both": "{principal}が{others:and}に、{second}が{rest:and}に支払う",
    "idle-paid": "休みの{names:and}も受け取る",
    "idle-all-paid": "休みの{names:and}も受け取る",
    "scores": "{names:and}に{amount:point}加点",
    "score-each": "{names:and}にそれぞれ{amount:point}加点",
    "loses": "{names:and}から{amount:point}減点",
    "lose-each": "{names:and}からそれぞれ{amount:point}減点",
    "antes": "全員がフロッグポットに{frog:,}、ソロポットに{solo:,}のアンティを払う",
    "pot-taken": "{name}が{pot:term}を取る：{amount:,}",
    "pot-matched": "{name}が{pot:term}に同じ額を足す：{amount:,}",
    "pot-stays": "{pot:term}はそのまま：{amount:,}",
}

NOUNS: Mapping[str, tuple[str, ...]] = {
    "card point": ("{}点",),
    "trick": ("{}トリック",),
    "point": ("{}ポイント",),
}
"""Each noun with any number: there is one form."""

GOALS: Mapping[str, str] = {
    "{points} card points or more": "{points}点以上",
    "{points} card points or more, {hearts} in hearts": "{points}点以上、ハートは{hearts}点以上",
    "all {points} card points": "{points}点すべて",
    "no card points in tricks": "トリックで0点",
    "no trick": "1トリックも取らない",
    "{needed} of {of} tricks": "{of}トリック中{needed}トリック",
    "{rate} a point": "1点につき{rate}",
    "{rate} a point, {hearts} in hearts": "1点につき{rate}、ハートは{hearts}",
    "{price}": "{price}",
    "{price}, in hearts {hearts}": "{price}、ハートは{hearts}",
    "{rule:head}: {what}.": "{rule:head}：{what}。",
    "{parts:list}": "{parts:list}",
    "{part:term} {what}": "{part:term}：{what}",
    "{points:point|points}": "{points}ポイント",
}
"""What a bid needs and costs, as a tariff card says it."""

JAPANESE = Language(
    "ja",
    TEMPLATES,
    NOUNS,
    TERMS,
    conjunction="、",
    form=lambda _: 0,
    alternative="または",
    comma="、",
    colon="：",
    semicolon="、",
    stop="。",
    weekday="y年M月d日（E）",
    gap="",
    sentences={**REFUSALS, **CARDS, **GOALS},
)
