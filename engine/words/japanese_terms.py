"""Japanese for the words of the games: suits, bids, roles, house rules. Data only."""

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    "{counts}": "{counts}",
    "spades": "スペード",
    "hearts": "ハート",
    "diamonds": "ダイヤモンド",
    "clubs": "クラブ",
    "trumps": "切り札",
    "widow": "ウィドウ",
    "spit": "スピット",
    "true": "はい",
    "false": "いいえ",
    "declarers": "ディクレアラー側",
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
    "caller": "コーラー",
    "declarer": "ディクレアラー",
    "lost": "負け",
    "made": "成功",
    "ante": "アンティ",
    "stake": "アンティ",
    "solo factor": "ソロの倍率",
    "on loss": "失敗時",
    "pot": "ポット",
    "bid": "ビッド",
    "trump": "切り札",
    "called": "コールカード",
    "called card": "コールカード",
    "partner": "パートナー",
    "the reason": "理由",
    "what was wrong": "誤っていた点",
    "points": "点",
    "card points": "点",
    "made or lost": "成功か失敗",
    "conceded": "降参",
    "Given up early?": "途中で降参？",
    "played out": "最後までプレイ",
    "by the {bidder}": "{bidder}",
    "by the others": "ほかの人",
    "by the opponents": "相手側",
    "by the defenders": "ディフェンダー側",
    "by the {side}": "{side}",
    "{bidder}'s side": "{bidder}側",
    "defenders": "ディフェンダー側",
    "split": "両側に分かれた",
    "announced tout": "宣言したトゥー",
    "Announced tout": "トゥーを宣言",
    "with the bid": "ビッドと同時に",
    "the other side's card points": "相手側の点",
    "or the others'": "または相手側の点",
    "of {total} in all": "合計{total}点",
    "tricks won": "獲得トリック",
    "the first tricks": "最初のトリック",
    "The first {needed} tricks": "最初の{needed}トリック",
    "Not all won": "すべては取れず",
    "All won, then stopped: prime": "すべて取って終了：プリム",
    "All won, and played on: tout": "すべて取って続行：トゥー",
    "All won, and played on": "すべて取って続行",
    "stopped": "終了",
    "matadors": "マタドール",
    "All three matadors": "マタドール3枚",
    "dealt to": "配られた側",
    "asked for the partner": "パートナーを尋ねた",
    "then no slam": "尋ねるとトゥーなし",
    "Asked “partner?”": "「パートナーは？」と尋ねた",
    "Made or lost?": "成功か失敗か",
    "Made": "成功",
    "Lost": "失敗",
    "ace": "エース",
    "ten": "10",
    "king": "キング",
    "queen": "クイーン",
    "ace or ten": "エースか10",
    "Crazy Solo": "クレイジーソロ",
    "Three to twelve play; whoever holds the card the caller names is the secret partner.": (
        "3～12人で遊びます。コーラーがコールしたカードを持つ人が秘密のパートナーです。"
    ),
    "Hearts may be trumps in a plain solo or go-alone, too, at the rate for hearts.": (
        "通常のソロやゴーアローンでも、ハートの配点でハートを切り札にできます。"
    ),
    "no": "いいえ",
    "yes": "はい",
    "How each payment is rounded.": "配点の丸め方",
    "to the nearest 5": "5単位に丸める",
    "not rounded": "丸めない",
    "Three players leave out the sixes, sevens and eights and play with 24 cards.": (
        "3人のときは6・7・8を除き、24枚で遊びます。"
    ),
    "Go alone": "ゴーアローン",
    "Go alone in hearts": "ハートのゴーアローン",
    "Blind": "ブラインド",
    "Solo": "ソロ",
    "Solo in hearts": "ハートのソロ",
    "Six-Bid Solo": "シックスビッドソロ",
    "Three play, up to four more sit out in turn; six bids from solo to call solo.": (
        "3人がプレイし、最大4人が順に休みます。ビッドはソロからコールソロまで6種類です。"
    ),
    "Hoyle": "ホイル",
    "Solo counts 1 a point and heart solo 2, a misère 40; exactly 60 is won and pays nothing.": (
        "ソロは1点につき1、ハートソロは2、ミゼールは40です。ちょうど60点は勝ちですが、やり取りはありません。"
    ),
    "Pagat": "パガット",
    "Solo counts 2 a point and heart solo 3, a misère 30; exactly 60 is tied.": (
        "ソロは1点につき2、ハートソロは3、ミゼールは30です。ちょうど60点は引き分けです。"
    ),
    "Hearts may be trumps in a plain solo, at the plain solo's rate.": (
        "通常のソロでも、同じ配点でハートを切り札にできます。"
    ),
    "Hearts may be trumps in a plain solo, too, at the plain solo's rate.": (
        "通常のソロでも、同じ配点でハートを切り札にできます。"
    ),
    "A lost hand is paid to everyone at the table, those who sit out included.": (
        "負けたディールは、休んでいる人も含めて卓の全員に支払います。"
    ),
    "Any trick breaks a misère, even one without card points.": (
        "点のないトリックでも、1トリック取ればミゼールは失敗です。"
    ),
    "In call solo the bidder may call a card of their own, and nothing is exchanged.": (
        "コールソロでは自分のカードをコールでき、その場合は交換しません。"
    ),
    "When all pass, the cards are thrown in.": "全員がパスして流れた後",
    "the deal moves left": "左隣が配る",
    "the same dealer deals again": "同じ人がもう一度配る",
    "two at a time": "2人ずつ競る",
    "round the table": "順に回す",
    "The packets in which the cards are dealt.": "カードを配る順と枚数",
    "4, 3, widow, 4": "4、3、ウィドウ、4",
    "4, widow, 3, 4": "4、ウィドウ、3、4",
    "Heart solo": "ハートソロ",
    "Misère": "ミゼール",
    "Guarantee solo": "ギャランティソロ",
    "Spread misère": "スプレッドミゼール",
    "Call solo": "コールソロ",
    "Frog": "フロッグ",
    "Three play; frog takes up the widow, chico and grand leave it face down.": (
        "3人でプレイします。フロッグはウィドウを手札に加え、チコとグランドでは伏せたままにします。"
    ),
    "Hearts may be trumps in chico, too, at chico's rate.": (
        "チコでも、チコの配点でハートを切り札にできます。"
    ),
    "What grand counts for each point over or under 60.": "グランドの配点",
    "3 a point": "1点につき3",
    "4 a point": "1点につき4",
    "How the bidding goes.": "ビッドの進め方",
    "round the table until all but one have passed": "1人を残して全員がパスするまで順に回す",
    "one call each": "1人1回",
    "Chico": "チコ",
    "Grand": "グランド",
    "Progressive Solo": "プログレッシブソロ",
    "Three play, up to four more sit out; frog and four solos, which may be doubled.": (
        "3人がプレイし、最大4人が休みます。フロッグと4つのソロがあり、ダブルもできます。"
    ),
    "Pennycook": "ペニークック",
    "Only the two opponents are paid; where there are pots, both take the same stake.": (
        "2人の相手だけに支払います。ポットを使う場合、両方に同じ額を入れます。"
    ),
    "A loss is paid to those who sit out, too; where there are pots, the solo pot takes a double stake.": (
        "負けたディールは、休んでいる人にも支払います。ポットを使う場合、ソロポットには2倍の額を入れます。"
    ),
    "A lost hand is paid to those who sit out, too, once; doubling never touches them.": (
        "負けたディールは、休んでいる人にも1倍で支払います。ダブルは関係ありません。"
    ),
    "Everybody antes to a frog pot and a solo pot each deal; a won contract takes its pot.": (
        "ディールごとに全員がフロッグポットとソロポットにアンティを払い、成功したコントラクトがそのポットを取ります。"
    ),
    "What every seat antes to the frog pot each deal.": (
        "ディールごとに各席がフロッグポットに払うアンティ"
    ),
    "How many times as much goes to the solo pot.": "ソロポットに入れる額の倍率",
    "What a lost contract does to its pot.": "コントラクトに失敗したときのポット",
    "it stays": "そのまま",
    "the bidder adds as much as it holds": "ビッダーが同額を足す",
    "Spade solo": "スペードソロ",
    "Club solo": "クラブソロ",
    "Diamond solo": "ダイヤモンドソロ",
    "German Solo": "ドイツソロ",
    "Four play for tricks; a called ace is the secret partner, and the black queens are trumps.": (
        "4人でトリックを争います。コールされたエースを持つ人が秘密のパートナーで、黒のクイーンは常に切り札です。"
    ),
    "Altenburg": "アルテンブルク",
    "32 cards and eight tricks, of which the declarer's side needs five.": (
        "32枚、8トリック。ディクレアラー側は5トリックが必要です。"
    ),
    "Sollo": "ゾロ",
    "24 cards, without eights and nines, and six tricks, of which the declarer's side needs four.": (
        "8と9を除く24枚、6トリック。ディクレアラー側は4トリックが必要です。"
    ),
    "What a solo counts before anything is added.": "ソロの基本点",
    "6 points": "6ポイント",
    "2 points": "2ポイント",
    "The 2 for the matadors count only when the declarer's own side was dealt them.": (
        "マタドールの2は、ディクレアラー側に配られたときだけ数えます。"
    ),
    "How eldest hand may open.": "エルデストハンドの最初のビッド",
    "with any bid": "どれでもよい",
    "with Frage, or passes": "フラーゲかパス",
    "The 2 for the matadors count on a loss, too.": ("マタドールの2は負けたときにも数えます。"),
    "Of two equal bids the one in clubs is higher.": (
        "同じビッドどうしではクラブのビッドが上です。"
    ),
    "Whoever holds the called card and leads its suit leads that card.": (
        "コールカードを持つ人がそのスートをリードするときは、コールカードをリードします。"
    ),
    "What a player must have been dealt to owe a grossfrage, unless solo is bid.": (
        "グロスフラーゲをビッドしなければならない手札（ソロがビッドされない場合）"
    ),
    "both black queens": "黒のクイーン2枚",
    "the queen of clubs and any seven": "クラブのクイーンといずれかの7",
    "nothing": "なし",
    "Force": "フォルス",
    "Frage": "フラーゲ",
    "Grossfrage": "グロスフラーゲ",
    "Straight Solo": "ストレートソロ",
    "Experimental: the sources say only that it is Frog without the frog. Three play, solo or heart solo.": (
        "試験的：出典には、フロッグから「フロッグ」のコントラクトを除いたものとだけあります。3人でソロかハートソロをプレイします。"
    ),
    "Played out": "最後までプレイ",
    "card points in tricks": "トリックの点",
    "card points in tricks and widow": "トリックとウィドウの点",
    "card points of caller and partner": "コーラーとパートナーの点",
    "card points of the caller": "コーラーの点",
    "tricks": "トリック",
}
