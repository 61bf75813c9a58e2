/* Works out the course of a recorded hand from its record and the play sheet of its table: who held which card, who played
   it, and the state at any moment. It doesn't touch the page. A seat is a place from eldest hand. The holders of cards
   are the seats and, after the last one, the cards aside: the widow, or later the discard. */
const soloCourse = (() => {
  "use strict";

  const { cardsOf, remaining } = soloPlay;
  const UNKNOWN = "?";
  const known = (text) => cardsOf(text).filter((card) => card !== UNKNOWN);

  function activeSeats(sheet, { players, dealer, active }) {
    const left = players.indexOf(dealer) + 1;
    const order = [...players.slice(left), ...players.slice(0, left)];
    const count = (sheet.pack.split(" ").length - sheet.widow) / sheet.size;
    return active ? order.filter((name) => active.includes(name)) : order.slice(0, count);
  }

  // Returns the play of the record's contract (see play.js), or null if it has none that was played.
  function contractOf(sheet, seats, { bid = "", bidder, trump, called, partner, alone } = {}) {
    if (!Object.hasOwn(sheet.bids, bid)) return null;
    return soloPlay.contractOf(sheet, {
      bid: [bid], active: seats, bidder: [bidder], trump: [trump], called: [called], partner: [alone ? "<alone>" : partner],
    });
  }

  function refereed({ sheet, seats, play }, cards, holders) {
    const texts = holders?.map((held) => held.join(" "));
    const setup = soloReferee.setupOf(sheet, {
      ...play, seats: seats.length, hands: texts?.slice(0, -1), aside: texts?.at(-1),
    });
    return soloReferee.referee(sheet.order, setup, cards);
  }

  // Returns the recorded tricks with their leaders, winners and points, as far as the contract and the cards show them,
  // the number of cards up to there, and the bidder's partner if there is one, also if only the cards show who it is.
  function follow({ sheet, seats, play, dealt }, { tricks = [] }) {
    const rows = tricks.map((trick) => ({ cards: cardsOf(trick.cards), leader: trick.leader }));
    if (!play) return { rows, followed: 0 };
    const cards = rows.flatMap((row) => row.cards);
    const before = cards.includes(UNKNOWN) ? cards.slice(0, cards.indexOf(UNKNOWN)) : cards;
    const state = refereed({ sheet, seats, play }, before), played = state.tricks;
    const bidders = soloPlay.sideOf(play, { hands: dealt.slice(0, -1), cards: before }, state).seats;
    let side = 0, followed = 0;
    for (const [at, row] of rows.entries()) {
      const { leader, winner, points, cards: found } = played[at] || {};
      if (!found || (row.leader && row.leader !== seats[leader])) break;  // an unknown card, or a lead out of turn
      row.leader = seats[leader];
      followed += found.length;
      if (found.length < seats.length) break;
      Object.assign(row, { winner: seats[winner], points });
      row.best = (winner - leader + seats.length) % seats.length;
      if (bidders.includes(winner)) side += play.terms.counts === "points" ? points : 1;
      row.side = side;
    }
    return { rows, followed, partner: seats[bidders[1]] };
  }

  function holdersDealt(seats, { deal = {}, spit = {} }) {
    const holders = seats.map((name) => (deal.hands && name in deal.hands ? known(deal.hands[name]) : []));
    for (const [name, card] of spit.order ?? []) holders[seats.indexOf(name)]?.push(card);
    for (const [name, shown, drawn] of spit.drawn ?? []) {
      const seat = seats.indexOf(name);
      if (seat >= 0) holders[seat] = [...remaining(holders[seat], [shown]), drawn];
    }
    return [...holders, known(deal.widow)];
  }

  // Returns the cards that change hands in the exchange.
  function movesOf(seats, { contract = {}, exchange = {} }) {
    const bidder = seats.indexOf(contract.bidder), giver = seats.indexOf(exchange.from), aside = seats.length;
    if (bidder < 0) return [];
    const swapped = giver < 0 ? [] : [
      { card: contract.called, from: giver, to: bidder }, { card: exchange.returned, from: bidder, to: giver },
    ];
    return [
      ...known(exchange.took).map((card) => ({ card, from: aside, to: bidder })),
      ...known(exchange.discarded).map((card) => ({ card, from: bidder, to: aside })),
      ...swapped.filter(({ card }) => card),
    ];
  }

  function moved(holders, moves) {
    const after = holders.map((held) => [...held]);
    for (const { card, from, to } of moves) {
      after[from] = remaining(after[from], [card]);
      if (!after[to].includes(card)) after[to].push(card);
    }
    return after;
  }

  // Adds the cards played to those dealt; the cards left over are those of the only holder who lacks any.
  function completed(sheet, holders, plays) {
    const held = holders.map((cards, seat) => [...new Set([...cards, ...plays.filter((play) =>
      play.seat === seat && play.card !== UNKNOWN).map((play) => play.card)])]);
    const sizes = held.map((_, seat) => (seat < held.length - 1 ? sheet.size : sheet.widow));
    const lacking = held.filter((cards, seat) => cards.length < sizes[seat]);
    const rest = remaining(cardsOf(sheet.pack), held.flat());
    if (lacking.length === 1 && rest.length === sizes[held.indexOf(lacking[0])] - lacking[0].length) lacking[0].push(...rest);
    return held;
  }

  // Returns the course of a hand: `dealt` and `held` are the holders before and after the exchange.
  function courseOf(sheet, record) {
    const seats = activeSeats(sheet, record), play = contractOf(sheet, seats, record.contract);
    const dealt = holdersDealt(seats, record);
    const { rows, followed, partner } = follow({ sheet, seats, play, dealt }, record);
    const plays = rows.flatMap(({ cards, leader }, at) => cards.map((card, place) => {
      const seat = seats.includes(leader) ? (seats.indexOf(leader) + place) % seats.length : undefined;
      return { card, seat, trick: at + 1 };
    }));
    const moves = movesOf(seats, record);
    const held = completed(sheet, moved(dealt, moves), plays);
    const back = moves.map(({ card, from, to }) => ({ card, from: to, to: from })).reverse();
    const idle = record.players.filter((name) => !seats.includes(name));
    return { sheet, record, seats, idle, play, rows, followed, partner, plays, moves, held, dealt: moved(held, back) };
  }

  // Returns the state after the first cards played, or after cards of one's own; null where it can't be known.
  function stateAfter(course, cards, isOwn) {
    const isFollowed = isOwn || cards.length <= course.followed;
    return course.play && isFollowed ? refereed(course, cards, course.held) : null;
  }

  // Returns the points of the cards aside, which the bidding side counts once all cards are played; else 0.
  function pointsAside({ play, sheet }, state) {
    const { terms, trump } = play ?? {};
    if (!state || state.turn !== null || !sheet.widow || terms.counts !== "points" || !terms.needs[trump]) return 0;
    const all = cardsOf(sheet.pack).reduce((sum, card) => sum + (sheet.worth[card[0]] || 0), 0);
    return state.points.reduce((rest, points) => rest - points, all);
  }

  // Returns the bidding side so far. Of its partner only is known what the `open` seats show, or the called card.
  function sideOf(course, cards, state, isOpen) {
    const { play, held, seats } = course, hands = held.slice(0, -1).map((hand, seat) => (isOpen(seat) ? hand : []));
    const partner = seats.every((_, seat) => isOpen(seat)) ? play.partner : "";
    const side = soloPlay.sideOf({ ...play, partner }, { hands, widow: [], cards }, state);
    return { ...side, count: side.count + pointsAside(course, state) };
  }

  // Returns a function that sorts cards: trumps first, then suits of alternating colours, each from high to low.
  function sorter({ sheet, play }) {
    const order = play && soloReferee.orderOf(sheet.order, { ...play, mustLead: false });
    const trumps = play ? cardsOf(sheet.order.trumps[play.trump]) : [];
    const plain = ([first, second]) => [first, second].filter((suit) => suit !== play?.trump);
    const [long, short] = [plain("SC"), plain("HD")].sort((a, b) => b.length - a.length);
    const suits = long.flatMap((suit, at) => [suit, short[at]]);
    const rank = (card) => (order?.isTrump(card) ? trumps.indexOf(card)
      : 100 * (1 + suits.indexOf(card[1])) + sheet.order.ranks.indexOf(card[0]));
    return (cards) => [...cards].sort((a, b) => rank(a) - rank(b));
  }

  return { UNKNOWN, courseOf, stateAfter, sideOf, pointsAside, sorter };
})();
