"""German for the sentences in which the engine refuses something, by their English. Data only."""

from collections.abc import Mapping

REFUSALS: Mapping[str, str] = {
    # What was written.
    '"{text}"': "„{text}“",
    '"{what:term}"': "„{what:term}“",
    "nothing": "nichts",
    "nobody": "niemand",
    "a list": "eine Liste",
    "a list of {n} items": "eine Liste mit {n} Einträgen",
    "a table of keys": "eine Tabelle von Schlüsseln",
    "a number out of range": "eine Zahl außerhalb des Bereichs",
    "a whole number": "eine ganze Zahl",
    "a whole number from {least} to {most}": "eine ganze Zahl von {least:,} bis {most:,}",
    "a whole number from −{most:,} to {most:,}": "eine ganze Zahl von −{most:,} bis {most:,}",
    "true or false": "true oder false",
    "true or false, a whole number or a word": "true oder false, eine ganze Zahl oder ein Wort",
    "0, 1 or 2: at the third such deal a player is passed over": (
        "0, 1 oder 2: beim dritten solchen Geben wird der Spieler übergangen"
    ),
    "text": "ein Text",
    "text of whole characters": "ein Text aus ganzen Zeichen",
    "half a character": "ein halbes Zeichen",
    "a time with its offset, such as 2026-01-31T20:15:00Z": (
        "eine Zeit mit ihrer Zeitzone, etwa 2026-01-31T20:15:00Z"
    ),
    "cards, such as AS TD 7H": "Karten, etwa AS TD 7H",
    "{words:or}": "{words:or}",
    "{names:and}": "{names:and}",
    "A hand": "Ein Spiel",
    "{what} must be {wanted}, not {value}.": "{what} muss {wanted} sein, nicht {value}.",
    "{field}: {value} is not a suit; the suits are S ♠, H ♥, D ♦ and C ♣.": (
        "{field}: {value} ist keine Farbe; die Farben sind S ♠, H ♥, D ♦ und C ♣."
    ),
    "{field}: {value} is not a card; write rank and suit, such as TD for the ten of diamonds, from "
    "A T K Q J 9 8 7 6.": (
        "{field}: {value} ist keine Karte; schreib Rang und Farbe, etwa TD für die Karo-Zehn, aus "
        "A T K Q J 9 8 7 6."
    ),
    "{key} appears twice; keep one of them.": "{key} steht zweimal da; behalte eines davon.",
    "Line {line}: {key} appears twice; keep one of them.": (
        "Zeile {line}: {key} steht zweimal da; behalte eines davon."
    ),
    "A hand record has no key {key}.": "Ein Spiel hat keinen Schlüssel {key}.",
    "{key} is missing.": "{key} fehlt.",
    "This program reads format {format} of the hand record, not {value}.": (
        "Dieses Programm liest Spiele im Format {format}, nicht im Format {value}."
    ),
    # Game, house rules and seats.
    "There is no game {game}; the games are {games:and}.": (
        "Das Kartenspiel {game} gibt es hier nicht; es gibt {games:and}."
    ),
    "{game:term} has no variant {variant}; leave `rules` out.": (
        "{game:term} hat keine Variante {variant}; lass `rules` weg."
    ),
    "{game:term} has no variant {variant}; it is played as {variants:or}.": (
        "{game:term} hat keine Variante {variant}; gespielt wird {variants:or}."
    ),
    "{game:term} is played by {fewest} at the table, not by {seats}.": (
        "{game:term} spielt man mit {fewest} Spielern, nicht mit {seats}."
    ),
    "{game:term} is played by {fewest} to {most} at the table, not by {seats}.": (
        "{game:term} spielt man mit {fewest} bis {most} Spielern, nicht mit {seats}."
    ),
    "This game has no house rule {rule}.": "Dieses Kartenspiel hat keine Hausregel {rule}.",
    "{group} has no part {part}.": "{group} hat keinen Teil {part}.",
    "The house rule {rule} takes {what}, not {value}.": (
        "Die Hausregel {rule} nimmt {what}, nicht {value}."
    ),
    "{choices:or}": "{choices:or}",
    "{what} or a table of {parts:list}": "{what} oder eine Tabelle mit {parts:list}",
    "{fewest} to {most} players sit at a table, not {n}.": (
        "An einem Tisch sitzen {fewest} bis {most} Spieler, nicht {n}."
    ),
    "Seat {place} has no name.": "Platz {place} hat keinen Namen.",
    "The name of seat {place} has {n:,} characters; it may have {most}.": (
        "Der Name von Platz {place} hat {n:,} Zeichen; höchstens {most} gehen."
    ),
    "{name} cannot be a player's name: it stands for cards laid aside.": (
        "So kann kein Spieler heißen: {name} steht für beiseitegelegte Karten."
    ),
    "Two seats are called {name}; give each its own name.": (
        "Zwei Plätze heißen {name}; gib jedem einen eigenen Namen."
    ),
    "{other} and {name} are one name, as capitals, spaces and invisible marks make no difference; give "
    "each seat its own.": (
        "{other} und {name} sind ein Name: Groß- und Kleinschreibung, Leerzeichen und unsichtbare Zeichen "
        "zählen nicht. Gib jedem Platz einen eigenen."
    ),
    "{name} looks like {other}, but has letters of another alphabet; change one of the two.": (
        "{name} sieht aus wie {other}, hat aber Buchstaben eines anderen Alphabets; ändere einen der beiden "
        "Namen."
    ),
    "{name} has no seat at this table; seated are {seats:list}.": (
        "{name} hat keinen Platz an diesem Tisch; hier sitzen {seats:list}."
    ),
    "{name} has no seat at this table; the seat is called {seat}, and a reference must match it exactly.": (
        "{name} hat keinen Platz an diesem Tisch; der Platz heißt {seat}, und genau so muss der Name überall "
        "stehen."
    ),
    "{name} has no seat at this table; {seat} only looks the same, with letters of another alphabet.": (
        "{name} hat keinen Platz an diesem Tisch; {seat} sieht nur gleich aus, mit Buchstaben eines anderen "
        "Alphabets."
    ),
    "{n} different players are active in a hand; the record names {names:list}.": (
        "In einem Spiel spielen {n} verschiedene Spieler mit; eingetragen: {names:list}."
    ),
    "At a table with pots nobody can be called {name}: that is the pot's name.": (
        "An einem Tisch mit Pötten kann niemand {name} heißen: So heißt der Pott."
    ),
    "Say what the frog pot and the solo pot held before the antes.": (
        "Gib an, was vor den Einsätzen im Frog-Pott und im Solo-Pott war."
    ),
    "The {pot:term} cannot hold {held}; it is never negative.": (
        "Im {pot:term} können nicht {held} sein; er ist nie im Minus."
    ),
    "The {pot:term} can't hold more than {most:,}, and after this hand it would hold {held:,}; share it "
    "out first, or play for a smaller stake.": (
        "In den {pot:term} passen höchstens {most:,}, und nach diesem Spiel wären {held:,} darin; teilt ihn "
        "zuerst auf, oder spielt um kleinere Einsätze."
    ),
    "{lead} has been under, so the blind round is over; leave blind_round out.": (
        "{lead} war schon in der Pflicht, also ist die Blindrunde vorbei; lass blind_round weg."
    ),
    # The contract.
    "Say what was played, or that all passed.": (
        "Gib an, was gespielt wurde, oder dass alle gepasst haben."
    ),
    "When all pass here, {bid} is played: write that as the bid, with its trump.": (
        "Passen hier alle, wird {bid} gespielt: Trag das als Gebot ein, mit seinem Trumpf."
    ),
    "When all pass here, somebody must play {bid}: say who, and how it went.": (
        "Passen hier alle, muss jemand {bid} spielen: Gib an, wer, und wie es ausging."
    ),
    "All passed, so nothing was played: leave {key} out.": (
        "Alle haben gepasst, also wurde nichts gespielt: Lass {key} weg."
    ),
    "{key} has no meaning in {game} as it is played here; leave it out.": (
        "{key} hat in {game}, wie es hier gespielt wird, keine Bedeutung; lass es weg."
    ),
    "Say what was bid.": "Gib an, was geboten wurde.",
    "{bid} is not a bid here; with {n} players the bids are {bids:and}.": (
        "{bid} ist hier kein Gebot; bei {n} Spielern gibt es {bids:and}."
    ),
    "Say who won the bidding.": "Gib an, wer das Reizen gewonnen hat.",
    "{name} sat out this hand; {players:and} played.": (
        "{name} hat in diesem Spiel ausgesetzt; gespielt haben {players:and}."
    ),
    "{bid:term} belongs to the player on the lead: {lead}, not {bidder}.": (
        "{bid:term} spielen darf nur, wer ausspielt: {lead}, nicht {bidder}."
    ),
    "{bid:term} needs a trump suit: {suits:or}.": "{bid:term} braucht eine Trumpffarbe: {suits:or}.",
    "{bid:term}: only {suits:or} can be trumps, not {trump:term}.": (
        "{bid:term}: Trumpf kann nur {suits:or} sein, nicht {trump:term}."
    ),
    "{bid:term} is played without trumps; leave {trump:term} out.": (
        "{bid:term} wird ohne Trumpf gespielt; lass {trump:term} weg."
    ),
    "In {bid:term} no card is called; leave {card} out.": (
        "Bei {bid:term} wird keine Karte gerufen; lass {card} weg."
    ),
    "{card} is not in the deck in play with {n} players.": "Bei {n} Spielern ist {card} nicht im Spiel.",
    "{name} cannot have doubled: only {legal:and} can.": (
        "{name} kann hier kein Kontra geben, nur {legal:and}."
    ),
    "{name} cannot have been redoubled: only {legal:and} can.": (
        "Gegen {name} gibt es hier kein Re, nur gegen {legal:and}."
    ),
    "{name} cannot have been redoubled: nobody doubled.": (
        "Gegen {name} gibt es hier kein Re: Niemand hat Kontra gegeben."
    ),
    "{name} is named twice among those who doubled; once is enough.": (
        "{name} steht zweimal bei Kontra; einmal genügt."
    ),
    "{name} is named twice among those redoubled; once is enough.": (
        "{name} steht zweimal bei Re; einmal genügt."
    ),
    "In {bid:term} nobody may call a card of their own and play alone.": (
        "Bei {bid:term} darf niemand eine eigene Karte rufen und allein spielen."
    ),
    "Say who held the called card.": "Gib an, wer die gerufene Karte hatte.",
    "Say who held the called card, or that the caller played alone.": (
        "Gib an, wer die gerufene Karte hatte, oder dass der Spielmacher allein gespielt hat."
    ),
    "{name} cannot be their own partner.": "{name} kann nicht der eigene Partner sein.",
    "{name} cannot be their own partner; a caller of their own card plays alone.": (
        "{name} kann nicht der eigene Partner sein; wer eine eigene Karte ruft, spielt allein."
    ),
    "The bidder plays alone here, so {name} cannot be the partner.": (
        "Der Spielmacher spielt hier allein, also kann {name} nicht der Partner sein."
    ),
    "In {bid:term} the bidder always plays alone.": "Bei {bid:term} spielt man immer allein.",
    # A called card.
    "an ace": "ein Ass",
    "a king": "ein König",
    "{card} is in the bidder's own hand; call a card that somebody else holds.": (
        "{card} hat der Spielmacher selbst; ruf eine Karte, die jemand anderes hat."
    ),
    "{card} is a trump; the called card must be of another suit.": (
        "{card} ist Trumpf; die gerufene Karte muss von einer anderen Farbe sein."
    ),
    "{card} cannot be called; it must be {first:or}.": (
        "{card} kann nicht gerufen werden; es muss {first:or} sein."
    ),
    "{card} cannot be called; it must be {first:or}, or {then:or} when the bidder holds every one of "
    "those.": (
        "{card} kann nicht gerufen werden; es muss {first:or} sein, oder {then:or}, wenn der Spielmacher "
        "alle davon hat."
    ),
    "In {bid:term} {named:term} cannot be trumps now; the choices are {choices:and}.": (
        "Bei {bid:term} kann {named:term} jetzt nicht Trumpf werden; möglich sind {choices:and}."
    ),
    "In {bid:term} {named:term} cannot be the called card now; the choices are {choices:and}.": (
        "Bei {bid:term} kann {named:term} jetzt nicht gerufen werden; möglich sind {choices:and}."
    ),
    "Nothing is left to name, but {named:term} was named.": (
        "Es ist nichts mehr zu nennen, aber {named:term} wurde genannt."
    ),
    "Say which card was called: what changed hands depends on it.": (
        "Gib an, welche Karte gerufen wurde: Davon hängt ab, was getauscht wurde."
    ),
    # What was counted.
    "Say how many {counts:term} the bidding side has.": ("Gib an: {counts:term}."),
    "A hand holds 0 to {most} card points, not {points}.": (
        "In einem Spiel sind 0 bis {most} Augen, nicht {points}."
    ),
    "No set of tricks can hold exactly {points:card point}: this is a miscount.": (
        "Mit keinen Stichen kommt man auf genau {points:card point}: Da hat sich jemand verzählt."
    ),
    "{ours} and {theirs} card points make {sum}; together they must make {total}.": (
        "{ours} und {theirs} Augen sind {sum}; zusammen müssen es {total} sein."
    ),
    "{ours} and {theirs} card points in tricks leave {rest} for the widow, which no three cards are worth.": (
        "Bei {ours} und {theirs} Augen in den Stichen bleiben {rest} für den Stock; so viel sind keine drei "
        "Karten wert."
    ),
    "The cards laid aside are worth {worth}, so the bidder cannot have {points} {counts:term}.": (
        "Die weggelegten Karten sind {worth} wert, also kann der Spielmacher nicht {points} {counts:term} "
        "haben."
    ),
    "The widow is worth {worth}, so of the other {rest} card points {right} are the opponents', not "
    "{against}.": (
        "Der Stock ist {worth} wert, also gehören von den übrigen {rest} Augen {right} den Gegnern, nicht "
        "{against}."
    ),
    "With {tricks:trick} the bidder has {least} to {most} {counts:term}, so it cannot be {points}.": (
        "Bei {tricks:Stich|Stichen} hat der Spielmacher {least} bis {most} {counts:term}, also können es "
        "nicht {points} sein."
    ),
    "A hand has {most} tricks, so {tricks} cannot have been won.": (
        "Ein Spiel hat {most} Stiche, also können nicht {tricks} gemacht worden sein."
    ),
    "The bidder has {points} card points in tricks, so the tricks won cannot be 0.": (
        "Der Spielmacher hat {points} Augen in den Stichen, also können es nicht null Stiche sein."
    ),
    "A trick worth nothing breaks a misère at this table: say how many were won.": (
        "An diesem Tisch ist die Misère auch mit einem Stich ohne Augen verloren: Gib an, wie viele Stiche "
        "gemacht wurden."
    ),
    "{bid:term} is not made or lost for one price; count, and leave made out.": (
        "{bid:term} wird nicht zu einem festen Preis gewonnen oder verloren; zähle die Augen und lass made "
        "weg."
    ),
    "The record says that the contract was made, but by the rest of it it was lost.": (
        "Eingetragen ist das Spiel als gewonnen, aber nach den übrigen Angaben ist es verloren."
    ),
    "The record says that the contract was lost, but by the rest of it it was made.": (
        "Eingetragen ist das Spiel als verloren, aber nach den übrigen Angaben ist es gewonnen."
    ),
    "{bid:term} is played to the end; the {by:term} cannot give it up.": (
        "{bid:term} wird zu Ende gespielt und kann nicht {by:term by} aufgegeben werden."
    ),
    "With {n} {counts:term} the hand was already {decided:term}, so the {by:term} cannot have given it up.": (
        "Mit {n} {counts:term} war das Spiel schon {decided:term}, also kann es nicht mehr {by:term by} "
        "aufgegeben worden sein."
    ),
    "With {n} card points on the other side the hand was already {decided:term}, so the {by:term} cannot "
    "have given it up.": (
        "Mit {n} Augen auf der anderen Seite war das Spiel schon {decided:term}, also kann es nicht mehr "
        "{by:term by} aufgegeben worden sein."
    ),
    "With {n:trick} of the bidder's the hand was already {decided:term}, so the {by:term} cannot have "
    "given it up.": (
        "Mit {n:Stich|Stichen} des Spielmachers war das Spiel schon {decided:term}, also kann es nicht mehr "
        "{by:term by} aufgegeben worden sein."
    ),
    # German Solo.
    "Card points do not count in this game; leave {key} out.": (
        "Augen zählen in diesem Spiel nicht; lass {key} weg."
    ),
    "Say how many of the {of} tricks the declarer's side won.": (
        "Gib an, wie viele der {of} Stiche die Partei des Spielmachers gemacht hat."
    ),
    "Say which side was dealt all three matadors, or that they were split.": (
        "Gib an, welche Partei alle drei Matadore bekommen hat, oder dass sie verteilt waren."
    ),
    "Say whether the first {needed} tricks were all the declarer's side's.": (
        "Gib an, ob die Partei des Spielmachers die ersten {needed} Stiche alle gemacht hat."
    ),
    "In {bid:term} the declarer plays alone; there is no partner to ask.": (
        "Bei {bid:term} spielt der Spielmacher allein; es gibt keinen Partner, nach dem zu fragen wäre."
    ),
    "A declarer who announced tout plays for every trick and cannot stop.": (
        "Wer Tout angesagt hat, spielt um alle Stiche und kann nicht aufhören."
    ),
    "A declarer who announced tout cannot ask for the partner: then no slam counts.": (
        "Wer Tout angesagt hat, kann nicht nach dem Partner fragen: Dann zählt kein Tout."
    ),
    "Only a side that has won the first {needed} tricks may stop.": (
        "Aufhören darf eine Partei nur, wenn sie die ersten {needed} Stiche gemacht hat."
    ),
    "A side that stops after the first {needed} tricks has won {needed}, not {tricks}.": (
        "Wer nach den ersten {needed} Stichen aufhört, hat {needed} Stiche gemacht, nicht {tricks}."
    ),
    "With {tricks} of {of} tricks the side cannot have won the first {needed}.": (
        "Mit {tricks} von {of} Stichen kann die Partei nicht die ersten {needed} gemacht haben."
    ),
    "With {tricks} of {of} tricks the side cannot have lost any of the first {needed}.": (
        "Mit {tricks} von {of} Stichen kann die Partei keinen der ersten {needed} verloren haben."
    ),
}
