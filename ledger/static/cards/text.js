/* Cards as text: their faces and names in the reader's language, and reading what people type. The page contains the
   words as data (templates/parts/card_pad.html). A card is a text such as "TD". */
const soloCardText = (() => {
  "use strict";

  const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
  const ENGLISH = { ranks: { 10: "T" }, suits: {} };
  for (const rank of "ATKQJ9876") ENGLISH.ranks[rank.toLowerCase()] = rank;
  const signs = Object.fromEntries(Object.entries(SIGNS).map(([letter, sign]) => [sign, letter]));
  ENGLISH.suits = { ...signs, s: "S", h: "H", d: "D", c: "C" };

  let source = "", loaded = null;
  function words() {
    const text = document.getElementById("card-words").textContent;
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

  // Typed letters are the reader's own first; a pasted text has the letters of a record first, as for the server.
  const typed = () => spellingsOf([own(), ENGLISH]);
  const pasted = () => spellingsOf([ENGLISH, own()]);

  // Returns the cards of a text up to the first word that is not a card, and that word.
  function read(text) {
    const spellings = pasted(), cards = [];
    for (const word of text.split(/[\s,;/.]+/).filter(Boolean)) {
      const card = spellings.get(word.toLowerCase().replace(/[\ufe0e\ufe0f]/g, ""));
      if (!card) return { cards, unread: word };
      cards.push(card);
    }
    return { cards, unread: "" };
  }

  return { words, fill, filled, element, face, sign, written, rankOf, read, typed, name: (card) => words().names[card] };
})();
