/* Reads a hand from its compact line (.docs/HAND_RECORD.md) as engine/notation/compact.py does; one file of lines tests
   both. It depends neither on the page nor on any game. It checks the grammar, the check characters and the type
   of each value; but not whether a hand was legal, words and numbers are valid, or the spelling is the engine's. */
const soloLine = (() => {
  "use strict";

  const LONGEST = 16384, DEEPEST = 8, CHECK_LENGTH = 4, FEWEST = 3;
  const SEATS = "abcdefghijkl", SUITS = "SHDC", RANKS = "6789JQKTA", UNKNOWN = "?";
  const LETTERS = "\u00c0-\u024f\u0388-\u0481\u048a-\u0556\u0561-\u0587\u05d0-\u05ea\u0620-\u064a\u0660-\u0669"
    + "\u0671-\u06d3\u0904-\u0ddf\u0e01-\u0e4e\u10d0-\u10fa\u1ea0-\u1eff\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff"
    + "\uac00-\ud7a3";
  const sticky = (pattern) => new RegExp(pattern, "y");
  const TEXT = `(?:[A-Za-z0-9_.:${LETTERS}+-]|\\$[0-9a-f]{0,6}\\.)+`;
  const TOKENS = {
    text: sticky(TEXT), key: sticky(`${TEXT}=`), simple: sticky("![01]|-?[0-9](?:[0-9.]|e-?)*(?=[,)]|$)"),
    suit: sticky(`[${SUITS}]`), rank: sticky(`[${RANKS}]`), card: sticky(`[${SUITS}][${RANKS}]`),
    run: sticky(`[${SUITS}][${RANKS}]+`), lead: sticky(`[${SUITS.toLowerCase()}][${RANKS}]|-`),
    seats: sticky(`[${SEATS}]*`), slug: sticky("[a-z]{2}[a-z0-9-]*|[xy]"), digit: sticky("[0-9]"),
  };
  const NUMBER = /^-?[0-9]{1,40}(\.[0-9]{1,40})?(e-?[0-9]{1,3})?$/;
  const SEPARATOR = "&";  // between a line, which can't contain it, and a step
  const CALLS = { x: "double", y: "redouble" };

  // A line that can't be read. `code` is "line-cut" if it doesn't end with check characters, "line-check" if they
  // don't fit it, and "line-malformed" if it has something wrong at `column`.
  class LineError extends Error {
    constructor(code, column) {
      super(`${code} at character ${column}`);
      Object.assign(this, { code, column });
    }
  }

  // Returns a table that has no keys of its own, so that a key such as "constructor" is one like any other.
  const emptyTable = (keys) => Object.assign(Object.create(null), keys);

  class Reader {
    constructor(text, offset) {
      Object.assign(this, { text, offset, at: 0 });
    }

    get isOver() {
      return this.at >= this.text.length;
    }

    malformed() {
      return new LineError("line-malformed", this.offset + this.at + 1);
    }

    // Returns the next token of a kind, or "" if there is none.
    maybe(kind) {
      const pattern = TOKENS[kind];
      pattern.lastIndex = this.at;
      const token = pattern.exec(this.text)?.[0] || "";
      this.at += token.length;
      return token;
    }

    take(kind) {
      const token = this.maybe(kind);
      if (!token) throw this.malformed();
      return token;
    }

    // Returns the next character if it is one of the signs, else "".
    sign(signs) {
      if (this.isOver || !signs.includes(this.text[this.at])) return "";
      return this.text[this.at++];
    }

    need(signs) {
      const sign = this.sign(signs);
      if (!sign) throw this.malformed();
      return sign;
    }

    string() {
      return this.take("text").replaceAll("+", " ").replace(/\$([0-9a-f]*)\./g, (_, digits) => {
        const number = parseInt(digits, 16);
        if (number > 0x10ffff || (number >= 0xd800 && number < 0xe000)) throw this.malformed();
        return digits ? String.fromCodePoint(number) : "";
      });
    }

    value(depth = 0) {
      if (this.sign("(")) return this.inBrackets(depth + 1);
      const token = this.maybe("simple");
      if (!token) return this.string();
      if (token[0] === "!") return token === "!1";
      if (!NUMBER.test(token) || !Number.isFinite(Number(token))) throw this.malformed();
      return Number(token);
    }

    inBrackets(depth) {
      if (depth > DEEPEST) throw this.malformed();
      if (this.sign(")")) return [];
      if (this.text.startsWith("=)", this.at)) {
        this.at += 2;
        return emptyTable();
      }
      const start = this.at;
      const isTable = this.maybe("key") !== "";
      this.at = start;
      const items = [], table = emptyTable();
      do {
        if (isTable) {
          const key = this.string();
          this.need("=");
          if (key in table) throw this.malformed();
          table[key] = this.value(depth);
        } else items.push(this.value(depth));
      } while (this.need(",)") === ",");
      return isTable ? table : items;
    }

    card() {
      const [suit, rank] = this.take("card");
      return rank + suit;
    }

    suited() {
      const cards = [];
      for (let run = this.maybe("run"); run; run = this.maybe("run"))
        cards.push(...[...run.slice(1)].map((rank) => rank + run[0]));
      while (this.sign(UNKNOWN)) cards.push(UNKNOWN);
      return cards.join(" ");
    }
  }

  // The letters of the players' seats, and of the dealer's.
  class Seats {
    constructor(players, dealer) {
      Object.assign(this, { players, dealer, letters: SEATS.slice(0, players.length) });
    }

    name(letter) {
      return this.players[SEATS.indexOf(letter)];
    }

    leftOf(letter) {
      return SEATS[(SEATS.indexOf(letter) + 1) % this.players.length];
    }

    one(source) {
      return this.name(source.need(this.letters));
    }

    several(source) {
      const names = [];
      for (let letter = source.sign(this.letters); letter; letter = source.sign(this.letters))
        names.push(this.name(letter));
      return names;
    }
  }

  function readBlindRound(source, seats) {
    const done = seats.several(source);
    return { ...(done.length && { done }), ...(!source.isOver && { heartless: Number(source.take("digit")) }) };
  }

  function readSpit(source, seats) {
    const order = [], drawn = [];
    let turn = seats.leftOf(seats.dealer), suit = "";
    while (!source.isOver) {
      if (source.sign(",")) {
        while (!source.isOver) drawn.push([seats.one(source), source.card(), source.card()]);
        return { order, drawn };
      }
      const isAside = source.sign("-");
      const letter = (!isAside && source.sign(seats.letters)) || turn;
      suit = source.maybe("suit") || suit;
      if (!suit) throw source.malformed();
      order.push([isAside ? "spit" : seats.name(letter), source.take("rank") + suit]);
      if (!isAside) turn = seats.leftOf(letter);
    }
    return { order };
  }

  function readDeal(source, seats) {
    const deal = {}, hands = emptyTable();
    while (!source.isOver) {
      if (source.sign("w")) deal.widow = source.suited();
      else hands[seats.one(source)] = source.suited();
    }
    return { ...(Object.keys(hands).length && { hands }), ...deal };
  }

  function readAuction(source, seats) {
    const calls = [];
    while (!source.isOver) {
      const seat = seats.one(source);
      if (source.sign("-")) calls.push([seat, "pass"]);
      else {
        const word = source.take("slug");
        const doubler = source.sign(".") ? [seats.one(source)] : [];
        source.need(",");
        calls.push([seat, CALLS[word] || word, ...doubler]);
      }
    }
    return calls;
  }

  function readContract(source, seats) {
    const contract = {};
    if (!source.sign(".")) contract.bidder = seats.one(source);
    const bid = source.maybe("slug");
    if (bid) contract.bid = bid;
    while (!source.isOver) {
      const mark = source.need("+!=,");
      if (mark === "+") contract.trump = source.take("suit");
      else if (mark === "!") contract.called = source.card();
      else if (mark === "=" && source.sign("0")) contract.alone = true;
      else if (mark === "=") contract.partner = seats.one(source);
      else if (source.sign("t")) contract.announced_tout = true;
      else contract[source.need("xy") === "x" ? "doubled" : "redoubled"] = seats.several(source);
    }
    return contract;
  }

  function readExchange(source, seats) {
    const exchange = {};
    while (!source.isOver) {
      const mark = source.need("tdfr");
      if (mark === "t") exchange.took = source.suited();
      else if (mark === "d") exchange.discarded = source.suited();
      else if (mark === "f") exchange.from = source.sign("w") ? "widow" : seats.one(source);
      else exchange.returned = source.card();
    }
    return exchange;
  }

  function readTricks(source, seats) {
    const tricks = [];
    while (!source.isOver) {
      const leader = source.sign("@") && seats.one(source);
      const lead = source.take("lead");
      const led = lead === "-" ? "" : lead[0].toUpperCase();
      const cards = [led ? lead[1] + led : UNKNOWN];
      for (;;) {
        if (source.sign(UNKNOWN)) {
          cards.push(UNKNOWN);
          continue;
        }
        const suit = source.maybe("suit");
        const rank = suit ? source.take("rank") : led && source.maybe("rank");
        if (!rank) break;
        cards.push(rank + (suit || led));
      }
      tricks.push({ ...(leader && { leader }), cards: cards.join(" ") });
    }
    return tricks;
  }

  const PARTS = {
    b: ["blind_round", readBlindRound], s: ["spit", readSpit], d: ["deal", readDeal], a: ["auction", readAuction],
    c: ["contract", readContract], e: ["exchange", readExchange], t: ["tricks", readTricks],
  };

  // The types of values that are written as `key=value`. A seat is one of the players.
  const isText = (value) => typeof value === "string";
  const isFlag = (value) => typeof value === "boolean";
  const isCount = Number.isInteger;
  const isAny = () => true;
  const isSeat = (value, players) => players.includes(value);
  const isCard = (value) => isText(value) && /^[6-9JQKTA][SHDC]$/.test(value);
  const isSuit = (value) => isText(value) && /^[SHDC]$/.test(value);
  const isCards = (value) => isText(value) && /^((^| )([6-9JQKTA][SHDC]|\?))*$/.test(value);
  const listOf = (isItem) => (value, players) => Array.isArray(value) && value.every((item) => isItem(item, players));
  const rowOf = (...items) => (value, players) =>
    Array.isArray(value) && value.length <= items.length && items.every((isItem, at) => isItem(value[at], players));
  const isTable = (value) => typeof value === "object" && !Array.isArray(value);
  const mapOf = (isKey, isItem) => (value, players) => isTable(value)
    && Object.entries(value).every(([key, item]) => isKey(key, players) && isItem(item, players));
  const tableOf = (keys, ...required) => (value, players) => isTable(value) && required.every((key) => key in value)
    && Object.entries(value).every(([key, item]) => Object.hasOwn(keys, key) && keys[key](item, players));
  const isOptional = (isItem) => (value, players) => value === undefined || isItem(value, players);
  const TYPES = {
    options: mapOf(isText, (value) => isFlag(value) || isCount(value) || isText(value) || isTable(value)),
    blind_round: tableOf({ done: listOf(isSeat), heartless: isCount }),
    spit: tableOf({ order: listOf(rowOf(isText, isCard)), drawn: listOf(rowOf(isSeat, isCard, isCard)) }),
    deal: tableOf({ hands: mapOf(isSeat, isCards), widow: isCards }),
    auction: listOf(rowOf(isSeat, isText, isOptional(isSeat))),
    contract: tableOf({
      bidder: isSeat, bid: isText, trump: isSuit, called: isCard, partner: isSeat, alone: isFlag,
      doubled: listOf(isSeat), redoubled: listOf(isSeat), announced_tout: isFlag,
    }),
    exchange: tableOf({ took: isCards, discarded: isCards, from: isText, returned: isCard }),
    tricks: listOf(tableOf({ leader: isSeat, cards: isCards }, "cards")),
    points: isCount, points_against: isCount, tricks_won: isCount,
    matadors: isText, first_tricks_won: isFlag, stopped: isFlag, asked_partner: isFlag, made: isFlag, conceded: isText,
    claimed: tableOf({ by: isText, after: isCount, tricks: isCount, points: isCount, shown: isCards }, "by", "after"),
    spread: tableOf({ after: isCard }, "after"),
    irregular: listOf(tableOf({
      what: isText, seat: isSeat, trick: isCount, card: isCard, settled: isText,
      transfers: listOf(tableOf({ from: isSeat, to: isSeat, amount: isCount }, "from", "to", "amount")),
    }, "what", "settled")),
    pots: mapOf(isText, isCount),
    played_at: isText, note: isText,
    stated: tableOf({ points: isCount, amount: isCount, deltas: mapOf(isSeat, isCount) }),
    notes: listOf(tableOf({ trick: isCount, card: isCard, call: isCount, text: isText }, "text")),
    evening: isTable,
  };

  // Returns the record of a line as plain values, without `format`; blanks around it are ignored. Throws `LineError`.
  function read(text) {
    const line = text.trim();
    if (line.length > LONGEST) throw new LineError("line-malformed", LONGEST + 1);
    const end = line.length - CHECK_LENGTH - 1;
    if (!/\/[0-9a-z]{4}$/.test(line)) throw new LineError("line-cut", line.length + 1);
    if (line.slice(end + 1) !== checkOf(line.slice(0, end))) throw new LineError("line-check", end + 2);
    const [game, header, ...parts] = line.slice(0, end).split("/");
    if (header === undefined) throw new LineError("line-malformed", game.length + 1);
    const { record, seats } = readHeader(new Reader(game, 0), new Reader(header, game.length + 1));
    let offset = game.length + header.length + 2;
    for (const part of parts) {
      readPart(new Reader(part, offset), record, seats);
      offset += part.length + 1;
    }
    return record;
  }

  function readHeader(source, header) {
    const record = emptyTable({ game: source.string() });
    if (source.sign(",")) record.rules = source.string();
    if (!source.isOver) throw source.malformed();
    record.players = [header.string()];
    while (record.players.length < SEATS.length && header.sign(",")) record.players.push(header.string());
    const count = new Set(record.players).size;
    if (count < FEWEST || count < record.players.length) throw header.malformed();
    header.need("@");
    const dealer = header.need(SEATS.slice(0, record.players.length));
    const seats = new Seats(record.players, dealer);
    record.dealer = seats.name(dealer);
    if (header.sign("=")) record.active = seats.several(header);
    if (!header.isOver) throw header.malformed();
    return { record, seats };
  }

  function readPart(source, record, seats) {
    const [key, readValue] = (source.text[1] === ":" && PARTS[source.text[0]]) || [];
    if (key) source.at = 2;
    const name = key || source.string();
    if (!key) source.need("=");
    if (name in record) throw new LineError("line-malformed", source.offset + 1);
    record[name] = key ? readValue(source, seats) : source.value();
    if (!source.isOver) throw source.malformed();
    const isOfType = name.startsWith("x-") ? isAny : Object.hasOwn(TYPES, name) && TYPES[name];
    if (!isOfType || !isOfType(record[name], record.players)) throw new LineError("line-malformed", source.offset + 1);
  }

  // Returns the four check characters of a text.
  function checkOf(text) {
    let remainder = 0;
    for (const character of text) remainder = (remainder * 257 + character.codePointAt(0)) % 1679609;
    return remainder.toString(36).padStart(CHECK_LENGTH, "0");
  }

  // Splits a link, its fragment or a line into the line and the step at which the replay opens, "" if it names none.
  // Removes what other programs add: text around a link, percent signs, a full stop at the end.
  function split(text) {
    const [fragment] = text.slice(text.indexOf("#") + 1).trim().split(/\s/);
    const [line, step = ""] = decoded(fragment).replace(/[^0-9a-z]+$/, "").split(SEPARATOR);
    return { line, step: /^[a-z]+(-\d{1,3})?$/.test(step) ? step : "" };
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  // Returns the fragment of a link to a hand, or to a step of its replay, such as "card-17".
  const fragment = (line, step = "") => `#${line}${step && SEPARATOR + step}`;

  return { LineError, fragment, read, split };
})();
