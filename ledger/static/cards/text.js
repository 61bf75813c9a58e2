/* Cards as text: their faces and names in the reader's language, and reading what people type. The page contains the
   words as data (templates/parts/card_pad.html, replay_player.html). A card is a text such as "TD". */
const soloCardText = (() => {
  "use strict";

  const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
  const ENGLISH = { ranks: { 10: "T" }, suits: {} };
  for (const rank of "ATKQJ9876") ENGLISH.ranks[rank.toLowerCase()] = rank;
  const signs = Object.fromEntries(Object.entries(SIGNS).map(([letter, sign]) => [sign, letter]));
  ENGLISH.suits = { ...signs, s: "S", h: "H", d: "D", c: "C" };

  let source = "", loaded = null;
  // The words of the pad include those of the replay player; a page may have either or both.
  function words() {
    const text = (document.getElementById("card-words") ?? document.getElementById("replay-words")).textContent;
    if (text !== source) loaded = JSON.parse(source = text);
    return loaded;
  }

  // Replaces {name} in a sentence.
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  // Returns a sentence as nodes; a value may be an element.
  function filled(text, values) {
    return text.split(/\{(\w+)\}/).map((piece, at) => (at % 2 ? values[piece] : piece)).filter((piece) => piece !== "");
  }

  const rankOf = (card) => words().ranks[card[0]];
  const colourOf = (suit) => (suit === "H" || suit === "D" ? "red" : "black");

  function written(card) {
    const parts = [rankOf(card), SIGNS[card[1]]];
    return (words().suit_first ? parts.reverse() : parts).join("");
  }

  function element(tag, className = "", ...content) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...content);
    return made;
  }

  const sign = (suit) => element("span", `suit ${colourOf(suit)} suit-${suit}`, `${SIGNS[suit]}\ufe0e`);

  // Returns a card in its colour, as it is written in a line of text.
  function face(card) {
    const parts = [rankOf(card), `${SIGNS[card[1]]}\ufe0e`];
    const shown = element("span", `suit ${colourOf(card[1])} suit-${card[1]}`);
    shown.append(...(words().suit_first ? parts.reverse() : parts));
    return shown;
  }

  // Returns the last card played in words, who wins the trick that it completes, and whose turn it is; `who` names a seat.
  function playInWords(texts, who, play, last, state) {
    const trick = state?.tricks.at(-1), sentences = [];
    if (last) sentences.push(fill(texts.played, { who: who(last.seat), card: words().names[last.card] ?? "?" }));
    if (last && trick?.cards.length === play.names.length) {
      const text = play.terms.counts === "points" ? texts.wins : texts.wins_trick;
      sentences.push(fill(text, { who: who(trick.winner), trick: last.trick, points: trick.points }));
    }
    if (state && state.turn !== null) sentences.push(fill(texts.is_to_play, { who: who(state.turn) }));
    return sentences.join(" ");
  }

  // Returns a map from each spelling of each card to the card; the first language wins.
  function spellingsOf(languages) {
    const found = new Map();
    const add = (text, card) => found.has(text) || found.set(text, card);
    for (const { ranks, suits } of languages) {
      const pairs = Object.entries(ranks).flatMap((rank) => Object.entries(suits).map((suit) => [rank, suit]));
      for (const [[rank, letter], [suit, of]] of pairs) add(rank + suit, letter + of);
      for (const [[rank, letter], [suit, of]] of pairs) add(suit + rank, letter + of);
    }
    return found;
  }

  // Returns the reader's spellings; digits mean the same in every language.
  const own = () => ({ ranks: { ...ENGLISH.ranks, ...words().spellings.ranks }, suits: { ...signs, ...words().spellings.suits } });

  // Returns the spellings for single keys: the reader's own letters first, then those of a record.
  const typed = () => spellingsOf([own(), ENGLISH]);

  // Returns the card that a word means in any language, as Card.parse of engine/cards/cards.py does: a record's spelling
  // comes first, any other must mean only one card.
  function cardOf(word) {
    const { languages, joints, longest } = words();
    if ([...word].length > longest) return undefined;
    const text = word.replaceAll("\ufe0f", "").normalize("NFKC").toLowerCase(), found = new Set();
    for (let at = 1; at < text.length; at += 1) {
      const first = text.slice(0, at), rest = text.slice(at);
      for (const joint of joints.filter((each) => rest.startsWith(each))) {
        const then = rest.slice(joint.length);
        for (const [place, [ranks, suits]] of languages.entries()) {
          if (Object.hasOwn(ranks, first) && Object.hasOwn(suits, then)) {
            if (place === 0 && ["", "-"].includes(joint)) return ranks[first] + suits[then];
            found.add(ranks[first] + suits[then]);
          }
          if (Object.hasOwn(ranks, then) && Object.hasOwn(suits, first)) found.add(ranks[then] + suits[first]);
        }
      }
    }
    return found.size === 1 ? [...found][0] : undefined;
  }

  // Returns the cards of a text up to the first word that is not a card, and that word.
  function read(text) {
    const cards = [];
    for (const word of text.split(/[\s,;、，；/]+/).filter(Boolean)) {
      const card = cardOf(word);
      if (!card) return { cards, unread: word };
      cards.push(card);
    }
    return { cards, unread: "" };
  }

  return { words, fill, filled, element, face, sign, written, rankOf, playInWords, read, typed, name: (card) => words().names[card] };
})();
