"""Japanese for the sentences in which the engine refuses something, by their English. Data only."""

from collections.abc import Mapping

REFUSALS: Mapping[str, str] = {
    # What was written.
    '"{text}"': "「{text}」",
    '"{what:term}"': "「{what:term}」",
    "nothing": "なし",
    "nobody": "なし",
    "a list": "リスト",
    "a list of {n} items": "{n}項目のリスト",
    "a table of keys": "キーの表",
    "a number out of range": "範囲外の数",
    "a whole number": "整数",
    "a whole number from {least} to {most}": "{least}～{most}の整数",
    "a whole number from −{most:,} to {most:,}": "−{most:,}～{most:,}の整数",
    "true or false": "trueかfalse",
    "true or false, a whole number or a word": "trueかfalse、整数、単語のいずれか",
    "0, 1 or 2: at the third such deal a player is passed over": (
        "0、1、2のいずれか（3回目には次の人に移ります）"
    ),
    "text": "文字列",
    "text of whole characters": "壊れた文字のない文字列",
    "half a character": "文字の半分",
    "a time with its offset, such as 2026-01-31T20:15:00Z": (
        "2026-01-31T20:15:00Zのような時差付きの日時"
    ),
    "cards, such as AS TD 7H": "AS TD 7Hのようなカード",
    "{words:or}": "{words:or}",
    "{names:and}": "{names:and}",
    "A hand": "ディール",
    "{what} must be {wanted}, not {value}.": "{what}は{wanted}でなければなりません（今は{value}）。",
    "{field}: {value} is not a suit; the suits are S ♠, H ♥, D ♦ and C ♣.": (
        "{field}：{value}はスートではありません。スートはS ♠、H ♥、D ♦、C ♣です。"
    ),
    "{field}: {value} is not a card; write rank and suit, such as TD for the ten of diamonds, from "
    "A T K Q J 9 8 7 6.": (
        "{field}：{value}はカードではありません。ダイヤモンドの10ならTDのように、ランク"
        "（A T K Q J 9 8 7 6）とスートで書いてください。"
    ),
    "{key} appears twice; keep one of them.": "{key}が2回あります。1つだけ残してください。",
    "Line {line}: {key} appears twice; keep one of them.": (
        "{line}行目：{key}が2回あります。1つだけ残してください。"
    ),
    "A hand record has no key {key}.": "ディールの記録に{key}というキーはありません。",
    "{key} is missing.": "{key}がありません。",
    "This program reads format {format} of the hand record, not {value}.": (
        "このプログラムが読めるディール記録の形式は{format}です（今は{value}）。"
    ),
    # Game, house rules and seats.
    "There is no game {game}; the games are {games:and}.": (
        "{game}というゲームはありません。あるのは{games:and}です。"
    ),
    "{game:term} has no variant {variant}; leave `rules` out.": (
        "{game:term}に{variant}というバリアントはありません。`rules`を省いてください。"
    ),
    "{game:term} has no variant {variant}; it is played as {variants:or}.": (
        "{game:term}に{variant}というバリアントはありません。あるのは{variants:or}です。"
    ),
    "{game:term} is played by {fewest} at the table, not by {seats}.": (
        "{game:term}は{fewest}人で遊びます。今は{seats}人です。"
    ),
    "{game:term} is played by {fewest} to {most} at the table, not by {seats}.": (
        "{game:term}は{fewest}～{most}人で遊びます。今は{seats}人です。"
    ),
    "This game has no house rule {rule}.": "このゲームに{rule}というハウスルールはありません。",
    "{group} has no part {part}.": "{group}に{part}という項目はありません。",
    "The house rule {rule} takes {what}, not {value}.": (
        "ハウスルール{rule}に使えるのは{what}です（今は{value}）。"
    ),
    "{choices:or}": "{choices:or}",
    "{what} or a table of {parts:list}": "{what}、または{parts:list}の表",
    "{fewest} to {most} players sit at a table, not {n}.": (
        "1卓は{fewest}～{most}人です。今は{n}人です。"
    ),
    "Seat {place} has no name.": "{place}番目の席に名前がありません。",
    "The name of seat {place} has {n:,} characters; it may have {most}.": (
        "{place}番目の席の名前が{n:,}文字あります。上限は{most}文字です。"
    ),
    "{name} cannot be a player's name: it stands for cards laid aside.": (
        "{name}は脇に置いたカードを指すので、プレイヤーの名前には使えません。"
    ),
    "Two seats are called {name}; give each its own name.": (
        "{name}という席が2つあります。別々の名前にしてください。"
    ),
    "{other} and {name} are one name, as capitals, spaces and invisible marks make no difference; give "
    "each seat its own.": (
        "{other}と{name}は同じ名前です（大文字と小文字、空白、見えない文字は区別しません）。別々の名前にして"
        "ください。"
    ),
    "{name} looks like {other}, but has letters of another alphabet; change one of the two.": (
        "{name}は{other}と同じに見えますが、別の種類の文字が入っています。どちらかを変えてください。"
    ),
    "{name} has no seat at this table; seated are {seats:list}.": (
        "{name}の席はこの卓にありません。席にいるのは{seats:list}です。"
    ),
    "{name} has no seat at this table; the seat is called {seat}, and a reference must match it exactly.": (
        "{name}の席はこの卓にありません。席の名前は{seat}です。まったく同じ名前で記録してください。"
    ),
    "{name} has no seat at this table; {seat} only looks the same, with letters of another alphabet.": (
        "{name}の席はこの卓にありません。{seat}は同じに見えますが、別の種類の文字です。"
    ),
    "{n} different players are active in a hand; the record names {names:list}.": (
        "1ディールの参加者は別々の{n}人ですが、記録では{names:list}です。"
    ),
    "At a table with pots nobody can be called {name}: that is the pot's name.": (
        "ポットのある卓では{name}という名前は使えません。ポットの名前です。"
    ),
    "Say what the frog pot and the solo pot held before the antes.": (
        "アンティの前にフロッグポットとソロポットにあった額を入力してください。"
    ),
    "The {pot:term} cannot hold {held}; it is never negative.": (
        "{pot:term}が{held}になることはありません。マイナスにはなりません。"
    ),
    "The {pot:term} can't hold more than {most:,}, and after this hand it would hold {held:,}; share it "
    "out first, or play for a smaller stake.": (
        "{pot:term}の上限は{most:,}ですが、このディールの後は{held:,}になります。先に分配するか、アンティを"
        "減らしてください。"
    ),
    "{lead} has been under, so the blind round is over; leave blind_round out.": (
        "{lead}はすでにアンダーだったので、ブラインドラウンドは終わりです。blind_roundを省いてください。"
    ),
    # The contract.
    "Say what was played, or that all passed.": (
        "何をプレイしたか、または全員がパスしたことを入力してください。"
    ),
    "When all pass here, {bid} is played: write that as the bid, with its trump.": (
        "ここでは全員がパスすると{bid}になります。それをビッドとして、切り札とともに書いてください。"
    ),
    "When all pass here, somebody must play {bid}: say who, and how it went.": (
        "ここでは全員がパスすると誰かが{bid}をプレイします。誰がプレイし、どうなったかを入力してください。"
    ),
    "All passed, so nothing was played: leave {key} out.": (
        "全員がパスしたので、プレイはありません。{key}を省いてください。"
    ),
    "{key} has no meaning in {game} as it is played here; leave it out.": (
        "ここで遊ぶ{game}に{key}はありません。省いてください。"
    ),
    "Say what was bid.": "ビッドを選んでください。",
    "{bid} is not a bid here; with {n} players the bids are {bids:and}.": (
        "{bid}はここでは使えないビッドです。{n}人で使えるビッドは{bids:and}です。"
    ),
    "Say who won the bidding.": "誰がビッドに勝ったかを選んでください。",
    "{name} sat out this hand; {players:and} played.": (
        "{name}はこのディールを休みました。参加者は{players:and}です。"
    ),
    "{bid:term} belongs to the player on the lead: {lead}, not {bidder}.": (
        "{bid:term}をビッドできるのはリードの{lead}だけです。{bidder}はできません。"
    ),
    "{bid:term} needs a trump suit: {suits:or}.": "{bid:term}には切り札が必要です：{suits:or}。",
    "{bid:term}: only {suits:or} can be trumps, not {trump:term}.": (
        "{bid:term}で切り札にできるのは{suits:or}だけです。{trump:term}はできません。"
    ),
    "{bid:term} is played without trumps; leave {trump:term} out.": (
        "{bid:term}に切り札はありません。{trump:term}を省いてください。"
    ),
    "In {bid:term} no card is called; leave {card} out.": (
        "{bid:term}ではカードをコールしません。{card}を省いてください。"
    ),
    "{card} is not in the deck in play with {n} players.": "{n}人では{card}を使いません。",
    "{name} cannot have doubled: only {legal:and} can.": (
        "{name}はダブルできません。できるのは{legal:and}だけです。"
    ),
    "{name} cannot have been redoubled: only {legal:and} can.": (
        "{name}へのリダブルはできません。できる相手は{legal:and}だけです。"
    ),
    "{name} cannot have been redoubled: nobody doubled.": (
        "誰もダブルしていないので、{name}へのリダブルはできません。"
    ),
    "{name} is named twice among those who doubled; once is enough.": (
        "ダブルした人に{name}が2回挙がっています。1回で十分です。"
    ),
    "{name} is named twice among those redoubled; once is enough.": (
        "リダブルの相手に{name}が2回挙がっています。1回で十分です。"
    ),
    "In {bid:term} nobody may call a card of their own and play alone.": (
        "{bid:term}では自分のカードをコールして1人でプレイすることはできません。"
    ),
    "Say who held the called card.": "コールカードを持っていた人を選んでください。",
    "Say who held the called card, or that the caller played alone.": (
        "コールカードを持っていた人か、コーラーが1人でプレイしたことを選んでください。"
    ),
    "{name} cannot be their own partner.": "{name}は自分自身のパートナーにはなれません。",
    "{name} cannot be their own partner; a caller of their own card plays alone.": (
        "{name}は自分自身のパートナーにはなれません。自分のカードをコールした人は1人でプレイします。"
    ),
    "The bidder plays alone here, so {name} cannot be the partner.": (
        "ここではビッダーが1人でプレイするので、{name}はパートナーになれません。"
    ),
    "In {bid:term} the bidder always plays alone.": "{bid:term}では、ビッダーは必ず1人でプレイします。",
    # A called card.
    "an ace": "エース",
    "a king": "キング",
    "{card} is in the bidder's own hand; call a card that somebody else holds.": (
        "{card}はビッダー自身の手札です。ほかの人が持つカードをコールしてください。"
    ),
    "{card} is a trump; the called card must be of another suit.": (
        "{card}は切り札です。コールカードは別のスートでなければなりません。"
    ),
    "{card} cannot be called; it must be {first:or}.": (
        "{card}はコールできません。コールできるのは{first:or}です。"
    ),
    "{card} cannot be called; it must be {first:or}, or {then:or} when the bidder holds every one of "
    "those.": (
        "{card}はコールできません。コールできるのは{first:or}です。ビッダーがそれをすべて持つときは"
        "{then:or}です。"
    ),
    "In {bid:term} {named:term} cannot be trumps now; the choices are {choices:and}.": (
        "{bid:term}では今{named:term}を切り札にできません。選べるのは{choices:and}です。"
    ),
    "In {bid:term} {named:term} cannot be the called card now; the choices are {choices:and}.": (
        "{bid:term}では今{named:term}をコールできません。選べるのは{choices:and}です。"
    ),
    "Nothing is left to name, but {named:term} was named.": (
        "指定するものはもうないのに、{named:term}が指定されました。"
    ),
    "Say which card was called: what changed hands depends on it.": (
        "コールしたカードを入力してください。交換したカードがそれで決まります。"
    ),
    # What was counted.
    "Say how many {counts:term} the bidding side has.": (
        "ビッドした側の{counts:term}を入力してください。"
    ),
    "A hand holds 0 to {most} card points, not {points}.": (
        "1ディールの点は0～{most}点です。{points}点にはなりません。"
    ),
    "No set of tricks can hold exactly {points:card point}: this is a miscount.": (
        "トリックの点がちょうど{points:card point}になることはありません。数え間違いです。"
    ),
    "{ours} and {theirs} card points make {sum}; together they must make {total}.": (
        "{ours}点と{theirs}点を足すと{sum}点です。合計は{total}点でなければなりません。"
    ),
    "{ours} and {theirs} card points in tricks leave {rest} for the widow, which no three cards are worth.": (
        "トリックの点が{ours}点と{theirs}点ならウィドウは{rest}点ですが、3枚でその点にはなりません。"
    ),
    "The cards laid aside are worth {worth}, so the bidder cannot have {points} {counts:term}.": (
        "脇に置いたカードが{worth}点なので、ビッダーの{counts:term}は{points}点になりません。"
    ),
    "The widow is worth {worth}, so of the other {rest} card points {right} are the opponents', not "
    "{against}.": (
        "ウィドウが{worth}点なので、残り{rest}点のうち相手側は{right}点です。{against}点ではありません。"
    ),
    "With {tricks:trick} the bidder has {least} to {most} {counts:term}, so it cannot be {points}.": (
        "獲得{tricks:trick}ならビッダーの{counts:term}は{least}～{most}点です。{points}点にはなりません。"
    ),
    "A hand has {most} tricks, so {tricks} cannot have been won.": (
        "1ディールは{most}トリックなので、{tricks}トリックは取れません。"
    ),
    "The bidder has {points} card points in tricks, so the tricks won cannot be 0.": (
        "ビッダーはトリックで{points}点取ったので、獲得トリックは0になりません。"
    ),
    "A trick worth nothing breaks a misère at this table: say how many were won.": (
        "この卓では点のないトリックでもミゼールは失敗です。獲得トリックの数を入力してください。"
    ),
    "{bid:term} is not made or lost for one price; count, and leave made out.": (
        "{bid:term}の配点は成功か失敗かだけでは決まりません。点を数えて入力し、madeを省いてください。"
    ),
    "The record says that the contract was made, but by the rest of it it was lost.": (
        "記録では成功ですが、ほかの内容からは失敗です。"
    ),
    "The record says that the contract was lost, but by the rest of it it was made.": (
        "記録では失敗ですが、ほかの内容からは成功です。"
    ),
    "{bid:term} is played to the end; the {by:term} cannot give it up.": (
        "{bid:term}は最後までプレイします。{by:term}は降参できません。"
    ),
    "With {n} {counts:term} the hand was already {decided:term}, so the {by:term} cannot have given it up.": (
        "{counts:term}が{n}点で、すでに{decided:term}が決まっていたので、{by:term}は降参できません。"
    ),
    "With {n} card points on the other side the hand was already {decided:term}, so the {by:term} cannot "
    "have given it up.": (
        "相手側の点が{n}点で、すでに{decided:term}が決まっていたので、{by:term}は降参できません。"
    ),
    "With {n:trick} of the bidder's the hand was already {decided:term}, so the {by:term} cannot have "
    "given it up.": (
        "ビッダーが{n:trick}を取り、すでに{decided:term}が決まっていたので、{by:term}は降参できません。"
    ),
    # German Solo.
    "Card points do not count in this game; leave {key} out.": (
        "このゲームではカードの点を数えません。{key}を省いてください。"
    ),
    "Say how many of the {of} tricks the declarer's side won.": (
        "{of}トリックのうちディクレアラー側が取った数を入力してください。"
    ),
    "Say which side was dealt all three matadors, or that they were split.": (
        "マタドール3枚すべてがどちらに配られたか、または分かれたかを選んでください。"
    ),
    "Say whether the first {needed} tricks were all the declarer's side's.": (
        "最初の{needed}トリックをディクレアラー側がすべて取ったかどうかを選んでください。"
    ),
    "In {bid:term} the declarer plays alone; there is no partner to ask.": (
        "{bid:term}ではディクレアラーが1人でプレイするので、尋ねるパートナーはいません。"
    ),
    "A declarer who announced tout plays for every trick and cannot stop.": (
        "トゥーを宣言したディクレアラーは全トリックを狙うので、途中で終えられません。"
    ),
    "A declarer who announced tout cannot ask for the partner: then no slam counts.": (
        "トゥーを宣言したディクレアラーはパートナーを尋ねられません。尋ねると全トリックの得点がなくなるためです。"
    ),
    "Only a side that has won the first {needed} tricks may stop.": (
        "途中で終えられるのは、最初の{needed}トリックをすべて取った側だけです。"
    ),
    "A side that stops after the first {needed} tricks has won {needed}, not {tricks}.": (
        "最初の{needed}トリックで終えた側の獲得は{needed}トリックです。{tricks}トリックではありません。"
    ),
    "With {tricks} of {of} tricks the side cannot have won the first {needed}.": (
        "{of}トリック中{tricks}トリックでは、最初の{needed}トリックをすべて取ったことになりません。"
    ),
    "With {tricks} of {of} tricks the side cannot have lost any of the first {needed}.": (
        "{of}トリック中{tricks}トリックなら、最初の{needed}トリックはすべて取っているはずです。"
    ),
}
