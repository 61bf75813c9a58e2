"""German for the words of the games: suits, bids, roles, house rules. Data only."""

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    "{counts}": "{counts}",
    "spades": "Pik",
    "hearts": "Herz",
    "diamonds": "Karo",
    "clubs": "Kreuz",
    "trumps": "Trumpf",
    "widow": "Stock",
    "spit": "Spit",
    "true": "wahr",
    "false": "falsch",
    "declarers": "Partei des Spielmachers",
    "bidder": "Spielmacher",
    "bidder by": "vom Spielmacher",
    "opponents": "Gegner",
    "opponents by": "von den Gegnern",
    "won": "gewonnen",
    "tied": "unentschieden",
    "prime": "Prime",
    "tout": "Tout, da weitergespielt wurde",
    "announced-tout": "angesagter Tout",
    "matadors-declarers": "alle drei Matadore bei der Partei des Spielmachers",
    "matadors-defenders": "alle drei Matadore bei den Gegenspielern",
    "frog pot": "Frog-Pott",
    "solo pot": "Solo-Pott",
    "caller": "Spielmacher",
    "declarer": "Spielmacher",
    "lost": "verloren",
    "made": "gewonnen",
    "ante": "Einsatz",
    "stake": "Einsatz",
    "solo factor": "Solo-Faktor",
    "on loss": "bei Verlust",
    "pot": "Pott",
    "bid": "Gebot",
    "trump": "Trumpf",
    "called": "gerufene Karte",
    "called card": "gerufene Karte",
    "partner": "Partner",
    "the reason": "Grund",
    "what was wrong": "was falsch war",
    "points": "Augen",
    "card points": "Augen",
    "made or lost": "gewonnen oder verloren",
    "conceded": "aufgegeben",
    "Given up early?": "Vorzeitig aufgegeben?",
    "played out": "zu Ende gespielt",
    "by the {bidder}": "vom {bidder}",
    "by the others": "von den anderen",
    "by the opponents": "von den Gegnern",
    "by the defenders": "von den Gegenspielern",
    "by the {side}": "{side}",
    "{bidder}'s side": "{bidder} und Partner",
    "defenders": "Gegenspieler",
    "split": "verteilt",
    "announced tout": "angesagter Tout",
    "Announced tout": "Tout angesagt",
    "with the bid": "mit dem Gebot",
    "the other side's card points": "Augen der anderen",
    "or the others'": "oder die der anderen",
    "of {total} in all": "von insgesamt {total}",
    "tricks won": "Stiche",
    "the first tricks": "die ersten Stiche",
    "The first {needed} tricks": "Die ersten {needed} Stiche",
    "Not all won": "Nicht alle gewonnen",
    "All won, then stopped: prime": "Alle gewonnen, dann aufgehört: Prime",
    "All won, and played on: tout": "Alle gewonnen und weitergespielt: Tout",
    "All won, and played on": "Alle gewonnen und weitergespielt",
    "stopped": "aufgehört",
    "matadors": "Matadore",
    "All three matadors": "Alle drei Matadore",
    "dealt to": "wer sie bekam",
    "asked for the partner": "nach dem Partner gefragt",
    "then no slam": "dann kein Tout",
    "Asked “partner?”": "„Helfer?“ gefragt",
    "Made or lost?": "Gewonnen oder verloren?",
    "Made": "Gewonnen",
    "Lost": "Verloren",
    "ace": "Ass",
    "ten": "Zehn",
    "king": "König",
    "queen": "Dame",
    "ace or ten": "Ass oder Zehn",
    "Crazy Solo": "Crazy Solo",
    "Three to twelve play; whoever holds the card the caller names is the secret partner.": (
        "Drei bis zwölf spielen; wer die gerufene Karte hat, ist heimlich der Partner."
    ),
    "Hearts may be trumps in a plain solo or go-alone, too, at the rate for hearts.": (
        "Auch im einfachen Solo und beim Alleingang darf Herz Trumpf sein, zum Satz für Herz."
    ),
    "no": "nein",
    "yes": "ja",
    "How each payment is rounded.": "Wie jede Zahlung gerundet wird.",
    "to the nearest 5": "auf volle 5",
    "not rounded": "gar nicht",
    "Three players leave out the sixes, sevens and eights and play with 24 cards.": (
        "Zu dritt bleiben Sechsen, Siebenen und Achten weg; gespielt wird mit 24 Karten."
    ),
    "Go alone": "Alleingang",
    "Go alone in hearts": "Alleingang in Herz",
    "Blind": "Blind",
    "Solo": "Solo",
    "Solo in hearts": "Solo in Herz",
    "Six-Bid Solo": "Six-Bid Solo",
    "Three play, up to four more sit out in turn; six bids from solo to call solo.": (
        "Drei spielen, bis zu vier weitere setzen reihum aus; sechs Gebote von Solo bis Ruf-Solo."
    ),
    "Hoyle": "Hoyle",
    "Solo counts 1 a point and heart solo 2, a misère 40; exactly 60 is won and pays nothing.": (
        "Solo zählt 1 je Auge und Herz-Solo 2, eine Misère 40; genau 60 ist gewonnen und "
        "bringt nichts."
    ),
    "Pagat": "Pagat",
    "Solo counts 2 a point and heart solo 3, a misère 30; exactly 60 is tied.": (
        "Solo zählt 2 je Auge und Herz-Solo 3, eine Misère 30; genau 60 ist unentschieden."
    ),
    "Hearts may be trumps in a plain solo, at the plain solo's rate.": (
        "Im einfachen Solo darf Herz Trumpf sein, zum Satz des einfachen Solos."
    ),
    "Hearts may be trumps in a plain solo, too, at the plain solo's rate.": (
        "Auch im einfachen Solo darf Herz Trumpf sein, zum Satz des einfachen Solos."
    ),
    "A lost hand is paid to everyone at the table, those who sit out included.": (
        "Ein verlorenes Spiel wird an alle am Tisch gezahlt, auch an die, die aussetzen."
    ),
    "Any trick breaks a misère, even one without card points.": (
        "Eine Misère ist mit jedem Stich verloren, auch mit einem ohne Augen."
    ),
    "In call solo the bidder may call a card of their own, and nothing is exchanged.": (
        "Im Ruf-Solo darf der Spielmacher eine eigene Karte rufen; dann wird nichts getauscht."
    ),
    "When all pass, the cards are thrown in.": "Wenn alle passen, wird eingeworfen.",
    "the deal moves left": "danach gibt der linke Nachbar",
    "the same dealer deals again": "derselbe gibt noch einmal",
    "two at a time": "je zwei gegeneinander",
    "round the table": "reihum",
    "The packets in which the cards are dealt.": "In welchen Päckchen gegeben wird.",
    "4, 3, widow, 4": "4, 3, Stock, 4",
    "4, widow, 3, 4": "4, Stock, 3, 4",
    "Heart solo": "Herz-Solo",
    "Misère": "Misère",
    "Guarantee solo": "Garantie-Solo",
    "Spread misère": "Misère ouverte",
    "Call solo": "Ruf-Solo",
    "Frog": "Frog",
    "Three play; frog takes up the widow, chico and grand leave it face down.": (
        "Drei spielen; Frog nimmt den Stock auf, Chico und Grand lassen ihn liegen."
    ),
    "Hearts may be trumps in chico, too, at chico's rate.": (
        "Auch im Chico darf Herz Trumpf sein, zum Satz des Chico."
    ),
    "What grand counts for each point over or under 60.": (
        "Was Grand für jedes Auge über oder unter 60 zählt."
    ),
    "3 a point": "3 je Auge",
    "4 a point": "4 je Auge",
    "How the bidding goes.": "Wie gereizt wird.",
    "round the table until all but one have passed": "reihum, bis alle bis auf einen gepasst haben",
    "one call each": "jeder spricht einmal",
    "Chico": "Chico",
    "Grand": "Grand",
    "Progressive Solo": "Progressive Solo",
    "Three play, up to four more sit out; frog and four solos, which may be doubled.": (
        "Drei spielen, bis zu vier weitere setzen aus; Frog und vier Soli, mit Kontra und Re."
    ),
    "Pennycook": "Pennycook",
    "Only the two opponents are paid; where there are pots, both take the same stake.": (
        "Nur die beiden Gegner werden bezahlt; gibt es Pötte, kommt in beide gleich viel."
    ),
    "A loss is paid to those who sit out, too; where there are pots, the solo pot takes a double stake.": (
        "Wer verliert, zahlt auch denen, die aussetzen; gibt es Pötte, kommt in den Solo-Pott das Doppelte."
    ),
    "A lost hand is paid to those who sit out, too, once; doubling never touches them.": (
        "Ein verlorenes Spiel wird auch denen gezahlt, die aussetzen, einfach; Kontra und Re gelten für "
        "sie nie."
    ),
    "Everybody antes to a frog pot and a solo pot each deal; a won contract takes its pot.": (
        "Alle setzen je Spiel in einen Frog-Pott und einen Solo-Pott; ein gewonnenes Spiel "
        "nimmt seinen Pott."
    ),
    "What every seat antes to the frog pot each deal.": (
        "Was jeder am Tisch je Spiel in den Frog-Pott setzt."
    ),
    "How many times as much goes to the solo pot.": "Wievielmal so viel in den Solo-Pott kommt.",
    "What a lost contract does to its pot.": "Was bei einem verlorenen Spiel mit seinem Pott geschieht.",
    "it stays": "er bleibt stehen",
    "the bidder adds as much as it holds": "der Spielmacher legt so viel dazu, wie darin ist",
    "Spade solo": "Pik-Solo",
    "Club solo": "Kreuz-Solo",
    "Diamond solo": "Karo-Solo",
    "German Solo": "Deutsches Solo",
    "Four play for tricks; a called ace is the secret partner, and the black queens are trumps.": (
        "Vier spielen um Stiche; wer das gerufene Ass hat, ist heimlich der Partner, "
        "und die schwarzen Damen sind immer Trumpf."
    ),
    "Altenburg": "Altenburg",
    "32 cards and eight tricks, of which the declarer's side needs five.": (
        "32 Karten und acht Stiche, von denen die Partei des Spielmachers fünf braucht."
    ),
    "Sollo": "Sollo",
    "24 cards, without eights and nines, and six tricks, of which the declarer's side needs four.": (
        "24 Karten, ohne Achten und Neunen, und sechs Stiche, von denen die Partei des "
        "Spielmachers vier braucht."
    ),
    "What a solo counts before anything is added.": "Was ein Solo zählt, bevor etwas dazukommt.",
    "6 points": "6 Punkte",
    "2 points": "2 Punkte",
    "The 2 for the matadors count only when the declarer's own side was dealt them.": (
        "Die 2 für die Matadore zählen nur, wenn die Partei des Spielmachers sie bekommen hat."
    ),
    "How eldest hand may open.": "Womit Vorhand eröffnen darf.",
    "with any bid": "mit jedem Gebot",
    "with Frage, or passes": "nur mit Frage",
    "The 2 for the matadors count on a loss, too.": (
        "Die 2 für die Matadore zählen auch, wenn das Spiel verloren geht."
    ),
    "Of two equal bids the one in clubs is higher.": (
        "Von zwei gleichen Geboten ist das in Kreuz höher."
    ),
    "Whoever holds the called card and leads its suit leads that card.": (
        "Wer die gerufene Karte hat und ihre Farbe ausspielt, spielt diese Karte aus."
    ),
    "What a player must have been dealt to owe a grossfrage, unless solo is bid.": (
        "Was zur Großfrage verpflichtet, sofern nicht Solo geboten wird."
    ),
    "both black queens": "beide schwarzen Damen",
    "the queen of clubs and any seven": "die Kreuz-Dame und irgendeine Sieben",
    "nothing": "nichts",
    "Force": "Mussfrage",
    "Frage": "Frage",
    "Grossfrage": "Großfrage",
    "Straight Solo": "Straight Solo",
    "Experimental: the sources say only that it is Frog without the frog. Three play, solo or heart solo.": (
        "Zum Ausprobieren: Die Quellen sagen nur, dass es Frog ohne den Frog ist. Drei "
        "spielen, Solo oder Herz-Solo."
    ),
    "Played out": "Zu Ende gespielt",
    "card points in tricks": "Augen in den Stichen",
    "card points in tricks and widow": "Augen in Stichen und Stock",
    "card points of caller and partner": "Augen von Spielmacher und Partner",
    "card points of the caller": "Augen des Spielmachers",
    "tricks": "Stiche",
}
