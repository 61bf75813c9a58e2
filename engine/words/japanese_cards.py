"""Japanese for the sentences in which the engine refuses cards and calls, by their English. Data only."""

from collections.abc import Mapping

CARDS: Mapping[str, str] = {
    # What the cards tell.
    "By the cards the bidding side's card points are {right:or}, not {said}.": (
        "カードによればビッドした側は{right:or}点です。{said}点ではありません。"
    ),
    "By the cards the other side's card points are {right:or}, not {said}.": (
        "カードによれば相手側は{right:or}点です。{said}点ではありません。"
    ),
    "By the cards the tricks won are {right:or}, not {said}.": (
        "カードによれば獲得は{right:or}トリックです。{said}トリックではありません。"
    ),
    "By the cards that the first tricks were won is {right:or}, not {said}.": (
        "最初のトリックをすべて取ったかどうかは、カードによれば「{right:or}」です。「{said}」ではありません。"
    ),
    "By the cards the side with the matadors is {right:or}, not {said}.": (
        "カードによればマタドールは{right:or}です。{said}ではありません。"
    ),
    "{name} did not hold {card} and was not the partner.": (
        "{name}は{card}を持っていなかったので、パートナーではありません。"
    ),
    "{card} was held by {holder}; the record says that the caller played alone.": (
        "{card}は{holder}が持っていましたが、記録ではコーラーが1人でプレイしています。"
    ),
    "{card} was held by {holder}; the record says that {name} was the partner.": (
        "{card}は{holder}が持っていましたが、記録ではパートナーは{name}です。"
    ),
    "{card} was played in trick {number}, so from the fifth trick on there was no partner to ask for; "
    "leave asked_partner out.": (
        "{card}は第{number}トリックで出たので、5トリック目からはパートナーを尋ねられません。asked_partnerを"
        "省いてください。"
    ),
    "The unplayed cards fit no possible deal: a player who does not follow suit has none of it.": (
        "出なかったカードに合う配り方がありません。フォローしない人はそのスートを持っていません。"
    ),
    # The deal.
    "the widow": "ウィドウ",
    "{seat} sat out this hand and was dealt no cards.": (
        "{seat}はこのディールを休み、カードを配られていません。"
    ),
    "{n:card is|cards are} recorded for {place}; {size} {size:~is|are} dealt there (write ? for an "
    "unknown one).": (
        "{place}のカードが{n}枚記録されていますが、配るのは{size}枚です（分からないカードは「?」と書きます）。"
    ),
    "{card} is not in the pack for {n} players.": "{n}人では{card}を使いません。",
    "{card} is not in the pack.": "{card}は使わないカードです。",
    "{card} was already dealt.": "{card}はすでに配られています。",
    "{card} was dealt twice: to {first} and to {second}.": (
        "{card}が2回配られています：{first}と{second}。"
    ),
    "Every card of the deal must be known to play it.": (
        "プレイするには、配ったカードがすべて分かっていなければなりません。"
    ),
    "Card {number} of the deal goes to {due}, not to {place}.": (
        "{number}枚目のカードの行き先は{due}です。{place}ではありません。"
    ),
    "Card {number} of the deal could go to {places:or}, not {place}.": (
        "{number}枚目のカードの行き先は{places:or}です。{place}ではありません。"
    ),
    "Card {number} of the deal is {card}, which was already dealt.": (
        "{number}枚目のカード{card}は、すでに配られています。"
    ),
    "All cards are dealt; {place} gets no more.": (
        "カードはすべて配られました。{place}にはもう配られません。"
    ),
    "With {n} players no card is spit; leave the spit deal out.": (
        "{n}人ではスピットをしません。スピットの記録を省いてください。"
    ),
    "{n} cards of the 36 are not dealt yet.": "36枚のうち{n}枚がまだ配られていません。",
    "{seat} showed {card}, which is not a card that {seat} held and had to show.": (
        "{seat}が見せた{card}は、{seat}が見せるべきカードではありません。"
    ),
    "{seat} drew {card}, which does not lie in the pile.": (
        "{seat}が引いた{card}は、脇に置いたカードの中にありません。"
    ),
    "{seat} still holds {card}, which must be shown and exchanged.": (
        "{seat}がまだ{card}を持っています。見せて交換しなければなりません。"
    ),
    "By the spit deal {seat} did not get {card}.": (
        "スピットの記録によれば、{seat}は{card}を受け取っていません。"
    ),
    # The auction.
    "Call {number}: the auction was over, and {seat} called {call}.": (
        "{number}番目の宣言：ビッドは終わっていましたが、{seat}が{call}と言いました。"
    ),
    "Call {number}: it was {speaker}'s turn, not {seat}'s.": (
        "{number}番目の宣言：{speaker}の番です。{seat}の番ではありません。"
    ),
    "Call {number}: {seat} bid {call}, which is not higher than {high}; the choices were {choices:and}.": (
        "{number}番目の宣言：{seat}の{call}は{high}より高くありません。選べたのは{choices:and}です。"
    ),
    "Call {number}: {seat} called {call}, which was not possible; the choices were {choices:and}.": (
        "{number}番目の宣言：{seat}の{call}は言えません。選べたのは{choices:and}です。"
    ),
    "Call {number}: {seat}'s cards require {owed}; {call} is not enough.": (
        "{number}番目の宣言：{seat}の手札では{owed}が必要です。{call}では足りません。"
    ),
    "The auction is not over: it is {speaker}'s turn.": (
        "ビッドは終わっていません。{speaker}の番です。"
    ),
    "The auction ended in {bid}, not in {said}.": "ビッドは{bid}で終わりました。{said}ではありません。",
    "By the auction {bid} is played by {bidder}, not by {said}.": (
        "ビッドによれば{bid}をプレイするのは{bidder}です。{said}ではありません。"
    ),
    "One {bid} went over another, which only {trump:term} can: they are trumps, not {said}.": (
        "{bid}に{bid}を重ねられるのは{trump:term}だけです。切り札は{said}ではなく{trump:term}です。"
    ),
    "The bid was {bid} in {trump:term}: they are trumps, not {said}.": (
        "ビッドは{trump:term}の{bid}でした。切り札は{said}ではありません。"
    ),
    "By the auction {right} doubled; the record says {said}.": (
        "ダブルした人は、ビッドによれば「{right}」ですが、記録では「{said}」です。"
    ),
    "By the auction {bidder} redoubled {right}; the record says {said}.": (
        "{bidder}のリダブルの相手は、ビッドによれば「{right}」ですが、記録では「{said}」です。"
    ),
    "{bidder} could call no card in {bid:term} with {trump:term} as trumps, and had to declare more.": (
        "{bidder}は{trump:term}を切り札にした{bid:term}ではカードをコールできず、より高く宣言する必要がありました。"
    ),
    "{seat} held no {suit:term}, so {bid:term} could not be bid: the bidding was open to all.": (
        "{seat}は{suit:term}を持っていなかったので{bid:term}はビッドできず、普通のビッドになるはずでした。"
    ),
    "{seat} was dealt cards that require {owed}, so the bidding could not end in {bid}.": (
        "{seat}に配られた手札では{owed}が必要なので、ビッドは{bid}では終わりません。"
    ),
    "{seat} was under and held {suit:term}, so the bid is {bid}.": (
        "{seat}はアンダーで{suit:term}を持っていたので、ビッドは{bid}です。"
    ),
    "{bid:term} is played by whoever was dealt {card}: {seat}, not {bidder}.": (
        "{bid:term}をプレイするのは{card}を配られた{seat}です。{bidder}ではありません。"
    ),
    # The exchange.
    "{seat} gave {card}, but did not hold it.": "{seat}が渡した{card}は、{seat}の手札にありません。",
    "{seat} has no cards left to give, but gave {card}.": (
        "{seat}が渡すカードはもうないのに、{card}を渡しています。"
    ),
    "In {bid:term} the widow is not taken up; leave the exchange out.": (
        "{bid:term}ではウィドウを取りません。交換を省いてください。"
    ),
    "In {bid:term} no called card is given; leave the exchange out.": (
        "{bid:term}ではコールカードを渡しません。交換を省いてください。"
    ),
    "The bidder took {n} different cards; it must be {right}.": (
        "ビッダーが取ったカードは（重複を除いて）{n}枚ですが、{right}枚でなければなりません。"
    ),
    "The bidder discarded {n} different cards; it must be {right}.": (
        "ビッダーが捨てたカードは（重複を除いて）{n}枚ですが、{right}枚でなければなりません。"
    ),
    "Nothing is exchanged with the widow, so no card is returned.": (
        "ウィドウとは交換しないので、返すカードはありません。"
    ),
    "Say which card was returned to {seat} for the called one.": (
        "コールカードの代わりに{seat}に渡したカードを入力してください。"
    ),
    "The widow held {cards}; that is what the bidder took.": (
        "ウィドウは{cards}でした。ビッダーが取ったのはこれです。"
    ),
    "{card} shows that the bidder took other cards.": (
        "{card}から、ビッダーが取ったのは別のカードだと分かります。"
    ),
    "{seat} cannot have given {card}; it came from {others:list} or the widow.": (
        "{card}を渡したのは{seat}ではありません。{others:list}かウィドウです。"
    ),
    "{card} did not come from {seat}.": "{card}は{seat}から来たものではありません。",
    "{card} was in the widow, so it did not come from {seat}.": (
        "{card}はウィドウにあったので、{seat}から来たものではありません。"
    ),
    "{card} was held by {holder}, so it did not come from {seat}.": (
        "{card}は{holder}が持っていたので、{seat}から来たものではありません。"
    ),
    "The cards dealt to {seat} and those {seat} played come to {n}; a hand holds {size}.": (
        "{seat}に配られたカードと{seat}が出したカードは合わせて{n}枚ですが、手札は{size}枚です。"
    ),
    # The tricks.
    "Trick {number} has {n:card|cards}; with {count} playing, it needs {count}.": (
        "第{number}トリックのカードは{n}枚ですが、{count}人なら{count}枚です。"
    ),
    "A hand has {of} tricks; the record holds {n}.": (
        "1ディールは{of}トリックですが、記録には{n}トリックあります。"
    ),
    "A side that stops does so after {stop} tricks; the record holds {n}.": (
        "途中で終えるのは{stop}トリックの後ですが、記録には{n}トリックあります。"
    ),
    "Trick {number} has only {n:card|cards} of {count}.": (
        "第{number}トリックのカードは{count}枚中{n}枚しかありません。"
    ),
    "Trick {number} is missing; the record holds {complete} of {of}.": (
        "第{number}トリックがありません。記録は全{of}トリック中{complete}トリックです。"
    ),
    "{fact} Record the rest, or that the side stopped.": (
        "{fact}残りか、途中で終えたことを記録してください。"
    ),
    "{fact} Record the rest, or who gave the hand up.": (
        "{fact}残りか、誰が降参したかを記録してください。"
    ),
    "Trick {number} is missing: {leader} led it, and the next one recorded was led by {name}.": (
        "第{number}トリックがありません。{leader}がリードしたはずですが、次の記録では{name}がリードしています。"
    ),
    "Trick {number}: {leader} leads, not {name}.": (
        "第{number}トリック：リードは{leader}です。{name}ではありません。"
    ),
    "Trick {number}: {leader} won trick {before} and leads, not {name}.": (
        "第{number}トリック：リードは第{before}トリックを取った{leader}です。{name}ではありません。"
    ),
    "Trick {number}: {seat} played {card}, which had already been played.": (
        "第{number}トリック：{seat}の出した{card}は、すでに出ています。"
    ),
    "Trick {number}: {seat} played {card}, which is not in the pack.": (
        "第{number}トリック：{seat}の出した{card}は、使わないカードです。"
    ),
    "Trick {number}: {seat} played {card}, which {holder} held.": (
        "第{number}トリック：{seat}の出した{card}は、{holder}の手札です。"
    ),
    "Trick {number}: {seat} played {card}, but did not hold it.": (
        "第{number}トリック：{seat}の出した{card}は、{seat}の手札にありません。"
    ),
    "Trick {number}: {seat} played {card}, which the bidder had discarded.": (
        "第{number}トリック：{seat}の出した{card}は、ビッダーが捨てたカードです。"
    ),
    "Trick {number}: {seat} played {card}, which lay in the widow.": (
        "第{number}トリック：{seat}の出した{card}は、ウィドウのカードです。"
    ),
    "Trick {number}: {seat} played {card}, but held {held:and} and had to follow {led:term}.": (
        "第{number}トリック：{seat}は{card}を出しましたが、{held:and}があるので{led:term}をフォローしなければ"
        "なりません。"
    ),
    "Trick {number}: {seat} played {card}, but had no {led:term}, held {held:and} and had to play a trump.": (
        "第{number}トリック：{seat}は{card}を出しましたが、{led:term}がなく{held:and}があるので、切り札を"
        "出さなければなりません。"
    ),
    "Trick {number}: {seat} played {card}, but held {held:and}, the called card, which must be played "
    "when its suit is led.": (
        "第{number}トリック：{seat}は{card}を出しましたが、コールカード{held:and}があります。そのスートが"
        "リードされたら出さなければなりません。"
    ),
    "Trick {number}: {seat} led {card}, but held {called:and}, the called card, which must be led by a "
    "holder who leads its suit.": (
        "第{number}トリック：{seat}は{card}をリードしましたが、コールカード{called:and}があります。そのスートを"
        "リードするなら、コールカードをリードしなければなりません。"
    ),
    "{what} {card} was played in trick {number}.": "{what}{card}は第{number}トリックで出ています。",
    # A hand guided step by step.
    "{seat} cannot declare {named} now; whoever won the bidding may declare {choices:or} instead of "
    "{bid:term}.": (
        "{seat}は今{named}を宣言できません。ビッドに勝った人は{bid:term}の代わりに{choices:or}を宣言できます。"
    ),
    "{seat} cannot declare {named} now; no other contract may be declared any more.": (
        "{seat}は今{named}を宣言できません。別のコントラクトはもう宣言できません。"
    ),
    "With {n} players no card is spit.": "{n}人ではスピットをしません。",
    "{what} does not belong in this part of the hand.": "{what}はディールのこの段階ではできません。",
    "“{what}” cannot be said now.": "今は「{what}」と言えません。",
    "The hand cannot be ended now by {what}.": "今は{what}でディールを終えられません。",
}
