/* Draws the dialog for entering a hand card by card (templates/parts/card_pad.html). */
const soloEntryView = (() => {
  "use strict";

  const { words, fill, filled, element, face, sign, written, rankOf, playInWords, name } = soloCardText;
  const { cardsOf, isComplete, playsOf } = soloPlay;
  const LONG_WORD = 12;
  const dialog = () => document.getElementById("card-entry");
  const part = (of) => dialog().querySelector(`[data-part="${of}"]`);
  const who = (text) => element("bdi", "who", text);
  const listed = (texts) => new Intl.ListFormat(document.documentElement.lang).format(texts);

  // Returns names as a list; one written from the right doesn't change the order of the others.
  const namesIn = (names) => listed(names.length > 1 ? names.map((name) => `\u2068${name}\u2069`) : names);

  // Returns a text in which the suits' signs have their colours.
  function coloured(text) {
    return text.split(/([♠♥♦♣])/).map((piece) => {
      const suit = "SHDC"["♠♥♦♣".indexOf(piece)];
      return piece && suit ? sign(suit) : piece;
    });
  }

  // Creates a key for each card of the pack: a row for each suit or, with large keys, a column.
  function drawKeys(play, isLarge) {
    const pack = cardsOf(play.sheet.pack);
    const ranks = [...play.sheet.order.ranks].filter((rank) => pack.some((card) => card[0] === rank));
    const suits = [..."SHDC"].filter((suit) => pack.some((card) => card[1] === suit));
    const rows = isLarge ? ranks.map((rank) => suits.map((suit) => rank + suit))
      : suits.map((suit) => ranks.map((rank) => rank + suit));
    dialog().classList.toggle("large", isLarge);
    part("keys").dataset.columns = rows[0].length;
    part("keys").replaceChildren(...rows.flat().map((card) => (pack.includes(card) ? keyOf(card) : element("span"))));
  }

  function keyOf(card) {
    const key = element("button", "card-key", element("b", "", rankOf(card)), sign(card[1]));
    key.type = "button";
    key.dataset.card = card;
    key.classList.add(card[1] === "H" || card[1] === "D" ? "red" : "black");
    key.setAttribute("aria-label", name(card));
    return key;
  }

  // Hides the keys of the cards that are gone and dims those that can't be played.
  function showKeys(gone, playable) {
    for (const key of part("keys").querySelectorAll("[data-card]")) {
      const { card } = key.dataset, isOff = !playable.includes(card);
      key.classList.toggle("gone", gone.includes(card));
      key.disabled = gone.includes(card);
      key.classList.toggle("off", isOff);
      key.setAttribute("aria-label", isOff ? fill(words().texts.unlikely, { card: name(card) }) : name(card));
    }
  }

  function seatOf(play, state, side, seat) {
    const { texts, tricks } = words(), trick = state.tricks.at(-1);
    const isTurn = seat === state.turn;
    // A complete trick stays on the table until the next card, but for the card of its winner, who leads.
    const at = trick ? (seat - trick.leader + play.names.length) % play.names.length : 0;
    const card = isTurn ? undefined : trick?.cards[at];
    const role = seat === play.bidder ? texts.plays : side.seats.includes(seat) ? texts.partner : "";
    const isWinner = trick && isComplete(play, trick) && trick.winner === seat;
    const cell = element("li", isTurn ? "turn" : isWinner ? "won" : "");
    const badge = isTurn ? texts.to_play : "";
    const isLong = play.names[seat].split(/[\s-]/u).some((word) => word.length > LONG_WORD);
    cell.append(element("span", "name", element("bdi", isLong ? "who long" : "who", play.names[seat]), ...(role ? [element("small", "role", role)] : [])));
    cell.append(element("span", "played", card ? face(card) : ""));
    const points = state.points.some(Boolean) ? ` · ${state.points[seat]}` : "";
    cell.append(element("small", "taken", `${tricks[state.tricksWon[seat]]}${points}`));
    cell.append(element("small", "short", `${state.tricksWon[seat]}${points}`), element("small", "badge-turn", badge));
    cell.classList.toggle("side", side.seats.includes(seat));
    if (isTurn) cell.setAttribute("aria-current", "true");
    return cell;
  }

  function showSeats(play, state, side) {
    const list = part("seats");
    list.dataset.seats = play.names.length;
    list.classList.toggle("complete", state.tricks.length > 0 && isComplete(play, state.tricks.at(-1)));
    list.replaceChildren(...play.names.map((_, seat) => seatOf(play, state, side, seat)));
  }

  function showScore(play, entry, state, side) {
    const { texts } = words(), values = {
      who: who(namesIn(side.seats.map((seat) => play.names[seat]))),
      n: element("strong", "", String(side.count)),
      goal: side.goal,
    };
    const key = side.goal ? play.terms.counts : `no_${play.terms.counts}`;
    const lines = [element("span", "", ...filled(texts[key], values))];
    const out = cardsOf(play.sheet.pack).length - entry.cards.length - entry.widow.length;
    const trumps = play.sheet.order.trumps[play.trump] ? [counter(texts.trumps, state.trumpsLeft)] : [];
    lines.push(element("span", "out", ...trumps, counter(texts.cards, out)));
    if (state.turn !== null) lines.unshift(element("span", "next", ...filled(texts.is_to_play, { who: who(play.names[state.turn]) })));
    if (!side.isKnown) lines.push(element("span", "unknown", ...filled(texts.unknown_partner, { card: face(play.called) })));
    part("score").replaceChildren(...lines);
  }

  const counter = (text, n) => element("span", "", ...filled(text, { n: element("strong", "", String(n)) }));

  function trickLine(play, trick, number) {
    const cards = trick.cards.map((card, at) => {
      const isWinner = isComplete(play, trick) && (trick.leader + at) % play.names.length === trick.winner;
      return element(isWinner ? "strong" : "span", "", face(card));
    });
    const winner = who(play.names[trick.winner]), { texts } = words();
    const taken = Object.keys(play.sheet.worth).length ? filled(texts.taken, { who: winner, points: trick.points }) : [winner];
    const taker = element("small", "taker", ...taken);
    const line = element("button", "trick-line", element("small", "", `${number}.`), element("bdi", "", play.names[trick.leader]), ...cards, taker);
    line.type = "button";
    line.dataset.trick = number;
    return element("li", "", line);
  }

  function showTricks(play, state) {
    const list = part("tricks"), past = state.tricks.filter((trick) => isComplete(play, trick));
    list.dataset.seats = play.names.length;
    list.replaceChildren(...past.map((trick, at) => trickLine(play, trick, at + 1)));
    list.scrollTop = list.scrollHeight;
  }

  function showTitle(play, bid, state) {
    const { texts } = words(), { names, bidder, trump, sheet, isTrumpNamed } = play;
    const text = trump && isTrumpNamed ? texts.title_in : texts.title;
    part("title").replaceChildren(...filled(text, { who: who(names[bidder]), bid: element("span", "", ...coloured(bid)), trump: trump && sign(trump) }));
    const done = state.tricks.filter((trick) => isComplete(play, trick)).length;
    part("trick").textContent = fill(texts.trick, { trick: Math.min(done + 1, sheet.size), of: sheet.size });
  }

  // Returns a violation in words.
  function violationText(play, { code, trick, seat, card, legal }) {
    const known = words().violations;
    const values = { trick, who: play.names[seat], card: written(card), legal: listed(legal.map(written)) };
    return fill(known[code], values);
  }

  // Returns the last card and what it has won, for a screen reader.
  const spoken = (play, state) =>
    playInWords(words().texts, (seat) => play.names[seat], play, playsOf(play, state).at(-1), state);

  // Shows the cards of a hand or the widow that is being entered, instead of the table.
  function showCollected(title, cards, size) {
    const { texts } = words();
    part("seats").dataset.seats = 1;
    part("seats").classList.remove("complete");
    part("seats").replaceChildren(element("li", "turn collected", element("span", "name", title),
      element("span", "played", ...cards.map(face)), element("small", "taken", fill(texts.of_cards, { n: cards.length, of: size }))));
  }

  function show(of, isShown) {
    for (const button of dialog().querySelectorAll(`[data-do="${of}"]`)) button.hidden = !isShown;
  }

  return {
    dialog, part, drawKeys, showKeys, showSeats, showScore, showTricks, showTitle, showCollected, show, spoken, violationText, namesIn, coloured,
  };
})();
