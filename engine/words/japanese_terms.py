"""Japanese for the words of the games: suits, bids, roles, house rules. Data only."""

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    "spades": "スペード",
    "hearts": "ハート",
    "diamonds": "ダイヤモンド",
    "clubs": "クラブ",
    "bidder": "ビッダー",
    "opponents": "相手側",
    "won": "勝ち",
    "tied": "引き分け",
    "prime": "プリム",
    "tout": "続行によるトゥー",
    "announced-tout": "宣言したトゥー",
    "matadors-declarers": "マタドール3枚すべてがディクレアラー側",
    "matadors-defenders": "マタドール3枚すべてがディフェンダー側",
    "frog pot": "フロッグポット",
    "solo pot": "ソロポット",
}
