"""German for the sentences in which the engine refuses cards and calls, by their English. Data only."""

from collections.abc import Mapping

CARDS: Mapping[str, str] = {
    # What the cards tell.
    "By the cards the bidding side's card points are {right:or}, not {said}.": (
        "Nach den Karten hat die Partei des Spielmachers {right:or} Augen, nicht {said}."
    ),
    "By the cards the other side's card points are {right:or}, not {said}.": (
        "Nach den Karten hat die andere Partei {right:or} Augen, nicht {said}."
    ),
    "By the cards the tricks won are {right:or}, not {said}.": (
        "Nach den Karten wurden {right:or} Stiche gemacht, nicht {said}."
    ),
    "By the cards that the first tricks were won is {right:or}, not {said}.": (
        "Dass die ersten Stiche gemacht wurden, ist nach den Karten {right:or}; eingetragen ist {said}."
    ),
    "By the cards the side with the matadors is {right:or}, not {said}.": (
        "Nach den Karten gilt für die Matadore: {right:or}, nicht {said}."
    ),
    "{name} did not hold {card} and was not the partner.": (
        "{name} hatte {card} nicht und war nicht der Partner."
    ),
    "{card} was held by {holder}; the record says that the caller played alone.": (
        "{card} hatte {holder}; eingetragen ist, dass der Spielmacher allein gespielt hat."
    ),
    "{card} was held by {holder}; the record says that {name} was the partner.": (
        "{card} hatte {holder}; als Partner eingetragen ist {name}."
    ),
    "{card} was played in trick {number}, so from the fifth trick on there was no partner to ask for; "
    "leave asked_partner out.": (
        "{card} wurde im {number}. Stich gespielt, also war ab dem fünften Stich nach keinem Partner mehr zu "
        "fragen; lass asked_partner weg."
    ),
    "The unplayed cards fit no possible deal: a player who does not follow suit has none of it.": (
        "Zu den nicht gespielten Karten passt keine Verteilung: Wer nicht bedient, hat die Farbe nicht."
    ),
    # The deal.
    "the widow": "Stock",
    "{seat} sat out this hand and was dealt no cards.": (
        "{seat} hat in diesem Spiel ausgesetzt und keine Karten bekommen."
    ),
    "{n:card is|cards are} recorded for {place}; {size} {size:~is|are} dealt there (write ? for an "
    "unknown one).": (
        "{place}: {n:Karte ist|Karten sind} eingetragen, gegeben {size:~wird|werden} {size} (schreib ? für "
        "eine unbekannte)."
    ),
    "{card} is not in the pack for {n} players.": "Bei {n} Spielern ist {card} nicht im Spiel.",
    "{card} is not in the pack.": "{card} ist nicht im Spiel.",
    "{card} was already dealt.": "{card} ist schon ausgeteilt.",
    "{card} was dealt twice: to {first} and to {second}.": (
        "{card} ist zweimal ausgeteilt: an {first} und an {second}."
    ),
    "Every card of the deal must be known to play it.": (
        "Zum Spielen müssen alle ausgeteilten Karten bekannt sein."
    ),
    "Card {number} of the deal goes to {due}, not to {place}.": (
        "Die {number}. Karte geht an: {due}, nicht an: {place}."
    ),
    "Card {number} of the deal could go to {places:or}, not {place}.": (
        "Die {number}. Karte kann gehen an: {places:or}, nicht an: {place}."
    ),
    "Card {number} of the deal is {card}, which was already dealt.": (
        "Die {number}. Karte ist {card}; die ist schon ausgeteilt."
    ),
    "All cards are dealt; {place} gets no more.": (
        "Alle Karten sind ausgeteilt; für {place} gibt es keine mehr."
    ),
    "With {n} players no card is spit; leave the spit deal out.": (
        "Bei {n} Spielern gibt es keinen Spit; lass ihn weg."
    ),
    "{n} cards of the 36 are not dealt yet.": "{n} der 36 Karten sind noch nicht ausgeteilt.",
    "{seat} showed {card}, which is not a card that {seat} held and had to show.": (
        "{seat} hat {card} gezeigt; diese Karte hatte {seat} nicht oder musste sie nicht zeigen."
    ),
    "{seat} drew {card}, which does not lie in the pile.": (
        "{seat} hat {card} gezogen; diese Karte liegt nicht bei den beiseitegelegten."
    ),
    "{seat} still holds {card}, which must be shown and exchanged.": (
        "{seat} hat noch {card}; diese Karte muss gezeigt und getauscht werden."
    ),
    "By the spit deal {seat} did not get {card}.": "Beim Spit hat {seat} {card} nicht bekommen.",
    # The auction.
    "Call {number}: the auction was over, and {seat} called {call}.": (
        "Ansage {number}: Das Reizen war vorbei, und {seat} sagte {call}."
    ),
    "Call {number}: it was {speaker}'s turn, not {seat}'s.": (
        "Ansage {number}: {speaker} war an der Reihe, nicht {seat}."
    ),
    "Call {number}: {seat} bid {call}, which is not higher than {high}; the choices were {choices:and}.": (
        "Ansage {number}: {seat} bot {call}, das ist nicht höher als {high}; möglich waren {choices:and}."
    ),
    "Call {number}: {seat} called {call}, which was not possible; the choices were {choices:and}.": (
        "Ansage {number}: {seat} sagte {call}, das ging nicht; möglich waren {choices:and}."
    ),
    "Call {number}: {seat}'s cards require {owed}; {call} is not enough.": (
        "Ansage {number}: Die Karten von {seat} verlangen {owed}; {call} genügt nicht."
    ),
    "The auction is not over: it is {speaker}'s turn.": (
        "Das Reizen ist noch nicht vorbei: {speaker} ist an der Reihe."
    ),
    "The auction ended in {bid}, not in {said}.": "Das Reizen endete mit {bid}, nicht mit {said}.",
    "By the auction {bid} is played by {bidder}, not by {said}.": (
        "Nach dem Reizen spielt {bidder} {bid}, nicht {said}."
    ),
    "One {bid} went over another, which only {trump:term} can: they are trumps, not {said}.": (
        "Ein {bid} wurde mit einem zweiten überboten, das geht nur in {trump:term}: Das ist Trumpf, nicht "
        "{said}."
    ),
    "The bid was {bid} in {trump:term}: they are trumps, not {said}.": (
        "Geboten war {bid} in {trump:term}: Das ist Trumpf, nicht {said}."
    ),
    "By the auction {right} doubled; the record says {said}.": (
        "Kontra gab nach dem Reizen: {right}; eingetragen ist: {said}."
    ),
    "By the auction {bidder} redoubled {right}; the record says {said}.": (
        "Re von {bidder} bekam nach dem Reizen: {right}; eingetragen ist: {said}."
    ),
    "{bidder} could call no card in {bid:term} with {trump:term} as trumps, and had to declare more.": (
        "Bei {bid:term} mit {trump:term} als Trumpf konnte {bidder} keine Karte rufen und musste mehr "
        "ansagen."
    ),
    "{seat} held no {suit:term}, so {bid:term} could not be bid: the bidding was open to all.": (
        "{seat} hatte kein {suit:term}, also ging {bid:term} nicht: Das Reizen stand allen offen."
    ),
    "{seat} was dealt cards that require {owed}, so the bidding could not end in {bid}.": (
        "{seat} bekam Karten, die {owed} verlangen, also konnte das Reizen nicht mit {bid} enden."
    ),
    "{seat} was under and held {suit:term}, so the bid is {bid}.": (
        "{seat} war in der Pflicht und hatte {suit:term}, also heißt das Gebot {bid}."
    ),
    "{bid:term} is played by whoever was dealt {card}: {seat}, not {bidder}.": (
        "{bid:term} spielt, wer {card} bekommen hat: {seat}, nicht {bidder}."
    ),
    # The exchange.
    "{seat} gave {card}, but did not hold it.": "{seat} hat {card} abgegeben, hatte sie aber nicht.",
    "{seat} has no cards left to give, but gave {card}.": (
        "{seat} hat nichts mehr abzugeben, hat aber {card} abgegeben."
    ),
    "In {bid:term} the widow is not taken up; leave the exchange out.": (
        "Bei {bid:term} wird der Stock nicht aufgenommen; lass den Tausch weg."
    ),
    "In {bid:term} no called card is given; leave the exchange out.": (
        "Bei {bid:term} wird keine gerufene Karte abgegeben; lass den Tausch weg."
    ),
    "The bidder took {n} different cards; it must be {right}.": (
        "Der Spielmacher hat {n:Karte|verschiedene Karten} aufgenommen; es müssen {right} sein."
    ),
    "The bidder discarded {n} different cards; it must be {right}.": (
        "Der Spielmacher hat {n:Karte|verschiedene Karten} weggelegt; es müssen {right} sein."
    ),
    "Nothing is exchanged with the widow, so no card is returned.": (
        "Mit dem Stock wird nicht getauscht, also wird keine Karte zurückgegeben."
    ),
    "Say which card was returned to {seat} for the called one.": (
        "Gib an, welche Karte {seat} für die gerufene bekommen hat."
    ),
    "The widow held {cards}; that is what the bidder took.": (
        "Im Stock lagen {cards}; die hat der Spielmacher aufgenommen."
    ),
    "{card} shows that the bidder took other cards.": (
        "{card} zeigt, dass der Spielmacher andere Karten aufgenommen hat."
    ),
    "{seat} cannot have given {card}; it came from {others:list} or the widow.": (
        "{card} kann nicht von {seat} gekommen sein, nur von {others:list} oder aus dem Stock."
    ),
    "{card} did not come from {seat}.": "{card} kam nicht von {seat}.",
    "{card} was in the widow, so it did not come from {seat}.": (
        "{card} lag im Stock, kam also nicht von {seat}."
    ),
    "{card} was held by {holder}, so it did not come from {seat}.": (
        "{card} hatte {holder}, also kam die Karte nicht von {seat}."
    ),
    "The cards dealt to {seat} and those {seat} played come to {n}; a hand holds {size}.": (
        "Bekommene und gespielte Karten von {seat} sind zusammen {n}; ein Blatt hat {size}."
    ),
    # The tricks.
    "Trick {number} has {n:card|cards}; with {count} playing, it needs {count}.": (
        "Stich {number} hat {n:Karte|Karten}; bei {count} Spielern müssen es {count} sein."
    ),
    "A hand has {of} tricks; the record holds {n}.": "Ein Spiel hat {of} Stiche; eingetragen sind {n}.",
    "A side that stops does so after {stop} tricks; the record holds {n}.": (
        "Aufgehört wird nach {stop} Stichen; eingetragen sind {n}."
    ),
    "Trick {number} has only {n:card|cards} of {count}.": (
        "Stich {number} hat nur {n:Karte|Karten} von {count}."
    ),
    "Trick {number} is missing; the record holds {complete} of {of}.": (
        "Stich {number} fehlt; eingetragen sind {complete} von {of}."
    ),
    "{fact} Record the rest, or that the side stopped.": (
        "{fact} Trag den Rest ein, oder dass die Partei aufgehört hat."
    ),
    "{fact} Record the rest, or who gave the hand up.": (
        "{fact} Trag den Rest ein, oder wer aufgegeben hat."
    ),
    "Trick {number} is missing: {leader} led it, and the next one recorded was led by {name}.": (
        "Stich {number} fehlt: Ihn hat {leader} ausgespielt, den nächsten eingetragenen {name}."
    ),
    "Trick {number}: {leader} leads, not {name}.": "Stich {number}: {leader} spielt aus, nicht {name}.",
    "Trick {number}: {leader} won trick {before} and leads, not {name}.": (
        "Stich {number}: {leader} hat Stich {before} gemacht und spielt aus, nicht {name}."
    ),
    "Trick {number}: {seat} played {card}, which had already been played.": (
        "Stich {number}: {seat} spielte {card}; die war schon gespielt."
    ),
    "Trick {number}: {seat} played {card}, which is not in the pack.": (
        "Stich {number}: {seat} spielte {card}; die ist nicht im Spiel."
    ),
    "Trick {number}: {seat} played {card}, which {holder} held.": (
        "Stich {number}: {seat} spielte {card}; die hatte {holder}."
    ),
    "Trick {number}: {seat} played {card}, but did not hold it.": (
        "Stich {number}: {seat} spielte {card}, hatte die Karte aber nicht."
    ),
    "Trick {number}: {seat} played {card}, which the bidder had discarded.": (
        "Stich {number}: {seat} spielte {card}; die hatte der Spielmacher weggelegt."
    ),
    "Trick {number}: {seat} played {card}, which lay in the widow.": (
        "Stich {number}: {seat} spielte {card}; die lag im Stock."
    ),
    "Trick {number}: {seat} played {card}, but held {held:and} and had to follow {led:term}.": (
        "Stich {number}: {seat} spielte {card}, hatte aber {held:and} und musste {led:term} bedienen."
    ),
    "Trick {number}: {seat} played {card}, but had no {led:term}, held {held:and} and had to play a trump.": (
        "Stich {number}: {seat} spielte {card}, hatte kein {led:term}, aber {held:and} und musste Trumpf "
        "spielen."
    ),
    "Trick {number}: {seat} played {card}, but held {held:and}, the called card, which must be played "
    "when its suit is led.": (
        "Stich {number}: {seat} spielte {card}, hatte aber {held:and}, die gerufene Karte; sie muss gespielt "
        "werden, wenn ihre Farbe ausgespielt wird."
    ),
    "Trick {number}: {seat} led {card}, but held {called:and}, the called card, which must be led by a "
    "holder who leads its suit.": (
        "Stich {number}: {seat} spielte {card} aus, hatte aber {called:and}, die gerufene Karte; wer sie hat "
        "und ihre Farbe ausspielt, muss sie ausspielen."
    ),
    "{what} {card} was played in trick {number}.": "{what} {card} wurde im {number}. Stich gespielt.",
    # A hand guided step by step.
    "{seat} cannot declare {named} now; whoever won the bidding may declare {choices:or} instead of "
    "{bid:term}.": (
        "{seat} kann jetzt nicht {named} ansagen; wer das Reizen gewonnen hat, darf statt {bid:term} "
        "{choices:or} ansagen."
    ),
    "{seat} cannot declare {named} now; no other contract may be declared any more.": (
        "{seat} kann jetzt nicht {named} ansagen; ein anderes Spiel kann nicht mehr angesagt werden."
    ),
    "With {n} players no card is spit.": "Bei {n} Spielern gibt es keinen Spit.",
    "{what} does not belong in this part of the hand.": (
        "{what} gehört nicht in diesen Teil des Spiels."
    ),
    "“{what}” cannot be said now.": "„{what}“ kann jetzt nicht gesagt werden.",
    "The hand cannot be ended now by {what}.": "Mit {what} kann das Spiel jetzt nicht enden.",
}
