/* Referees the play of a hand from the cards so far, exactly as engine/guide/referee.py does; one file of positions
   tests both. It depends neither on the page nor on any game: the table of card orders comes from the engine.
   A card is a text such as "TD", a seat its place from eldest hand. */
const soloReferee = (() => {
  "use strict";

  const cardsOf = (text) => (text ? text.split(" ") : []);

  // Returns the play of a contract from a table's play sheet (engine/guide/play_sheet.py). `seats` is their number,
  // `bidder` a place from eldest hand; `hands` has the known cards of each seat.
  function setupOf(sheet, { seats, bidder, bid, trump, called, hands, aside }) {
    const { needs, must_play: binds, must_lead: mustLead, spread } = sheet.bids[bid];
    const { ranking, pack, worth, size } = sheet;
    return {
      ranking, pack, worth, size, seats, mustLead,
      trump: trump || Object.keys(needs)[0],
      called: (binds && called) || "",
      leader: spread ? (bidder + 1) % seats : 0,
      hands: hands || Array(seats).fill(""),
      aside: aside || "",
    };
  }

  // Returns the order of the cards under a trump suit (a letter, or "" for none).
  function orderOf(table, { trump, called, mustLead }) {
    const trumps = cardsOf(table.trumps[trump]);
    const trumpSuit = trumps.every((card) => card[1] === trump) ? trump : "trumps";
    const suitOf = (card) => (trumps.includes(card) ? trumpSuit : card[1]);
    const calledIn = (suit) => (called && suitOf(called) === suit ? [called] : []);
    return {
      called,
      suitOf,
      isTrump: (card) => trumps.includes(card),
      // The higher number wins a trick; a card that is neither trump nor of the suit led can't win.
      strength(card, led) {
        if (trumps.includes(card)) return 100 - trumps.indexOf(card);
        return card[1] === led ? 50 - table.ranks.indexOf(card[0]) : 0;
      },
      // Returns whether a seat that plays a card to a suit (undefined: leads it) must not hold another card.
      forbids(card, led) {
        const suit = suitOf(card);
        if (led === undefined || suit === led) {
          const owed = led === undefined && !mustLead ? [] : calledIn(suit);
          return (other) => other !== card && owed.includes(other);
        }
        const mustTrump = table.must_trump && !trumps.includes(card);
        return (other) => suitOf(other) === led || (mustTrump && trumps.includes(other));
      },
    };
  }

  // Returns the state of the play after the cards, with every violation that they or the known cards prove.
  function referee(table, setup, cards) {
    const { seats, size, worth } = setup;
    const order = orderOf(table, setup);
    const pack = cardsOf(setup.pack);
    const aside = cardsOf(setup.aside);
    const hands = setup.hands.map(cardsOf);
    const tricks = [];
    const plays = [];
    const laid = new Set();
    let impossible = [];
    let leader = setup.leader;
    for (const card of cards) {
      const before = tricks.at(-1)?.cards.length < seats ? tricks.at(-1).cards : [];
      const seat = (leader + before.length) % seats;
      const trick = tricks.length + (before.length ? 0 : 1);
      const code = trick > size ? "tricks-too-many" : laid.has(card) ? "card-played-twice" : "card-not-in-pack";
      if (trick > size || laid.has(card) || !pack.includes(card)) {
        impossible = [{ code, trick, seat, card, legal: [] }];
        break;
      }
      const led = before.length ? order.suitOf(before[0]) : undefined;
      plays.push({ seat, card, trick, led, forbids: order.forbids(card, led) });
      laid.add(card);
      if (before.length) tricks.pop();
      const whole = [...before, card];
      const strengths = whole.map((other) => order.strength(other, order.suitOf(whole[0])));
      const winner = (leader + strengths.indexOf(Math.max(...strengths))) % seats;
      const points = whole.reduce((sum, other) => sum + (worth[other[0]] || 0), 0);
      tricks.push({ leader, cards: whole, winner, points });
      if (whole.length === seats) leader = winner;
    }
    const violations = judge({ order, pack, aside, hands, size, plays });
    const unheld = hands.map((_, seat) => plays.filter((play) => play.seat === seat && !play.revoked));
    // A seat that played a card showed that it held none of those which the card forbids.
    const isMissing = (seat) => (card) => unheld[seat].some((play) => play.forbids(card));
    const complete = tricks.filter((trick) => trick.cards.length === seats);
    const state = { turn: null, legal: [], possible: [] };
    if (complete.length < size) {
      const trick = tricks.length > complete.length ? tricks.at(-1).cards : [];
      state.turn = (leader + trick.length) % seats;
      const led = trick.length ? order.suitOf(trick[0]) : undefined;
      Object.assign(state, choices(state.turn, led));
    }

    function choices(seat, led) {
      const left = size - plays.filter((play) => play.seat === seat).length;
      const elsewhere = [...aside, ...hands.filter((_, place) => place !== seat).flat()];
      let held = hands[seat].filter((card) => !laid.has(card));
      let candidates = pack.filter((card) => held.includes(card)
        || (!laid.has(card) && !elsewhere.includes(card) && !isMissing(seat)(card)));
      if (held.length >= left) candidates = held;
      else if (candidates.length <= left) held = candidates;
      const isPlayable = (card) => !held.some(order.forbids(card, led));
      const playable = pack.filter((card) => candidates.includes(card) && isPlayable(card));
      return {
        legal: playable.filter((card) => held.includes(card)),
        possible: playable.filter((card) => !held.includes(card)),
      };
    }

    const suits = [...new Set(pack.map(order.suitOf))];
    return {
      ...state,
      tricks,
      points: hands.map((_, seat) => complete.reduce((sum, trick) => sum + (trick.winner === seat ? trick.points : 0), 0)),
      tricksWon: hands.map((_, seat) => complete.filter((trick) => trick.winner === seat).length),
      trumpsLeft: pack.filter((card) => order.isTrump(card) && !laid.has(card) && !aside.includes(card)).length,
      voids: hands.map((_, seat) => suits.filter((suit) =>
        pack.every((card) => order.suitOf(card) !== suit || isMissing(seat)(card)))),
      violations: [...violations, ...impossible],
    };
  }

  // Marks the plays that broke a duty as revoked, and returns all violations in the order of play.
  function judge({ order, pack, aside, hands, size, plays }) {
    const isComplete = hands.every((hand) => hand.length === size);
    const known = hands.map((hand, seat) =>
      hand.filter((card) => !plays.some((play) => play.seat === seat && play.card === card)));
    const violations = [];
    for (const [at, play] of [...plays.entries()].reverse()) {
      const { seat, card, trick, led, forbids } = play;
      const violation = { seat, card, trick };
      const isElsewhere = aside.includes(card) || hands.some((hand, place) => place !== seat && hand.includes(card))
        || (hands[seat].length === size && !hands[seat].includes(card));
      if (!isElsewhere) known[seat].push(card);
      const held = known[seat];
      violation.legal = pack.filter((other) => held.includes(other) && !held.some(order.forbids(other, led)));
      if (isElsewhere) {
        violations.push({ code: "card-not-held", ...violation });
        known[seat].push(card);
        continue;
      }
      if (!held.some(forbids)) continue;
      play.revoked = true;
      const owes = (suit) => violation.legal.some((other) => order.suitOf(other) === suit);
      const isCalled = led === undefined || violation.legal.includes(order.called);
      violation.code = isCalled ? "must-play-called-card" : owes(led) ? "must-follow-suit" : "must-trump";
      const owed = isCalled ? [order.called] : violation.legal;
      const proof = plays.slice(at + 1).find((other) => other.seat === seat && owed.includes(other.card));
      if (proof && !isComplete) Object.assign(violation, { proof: proof.card, proofTrick: proof.trick });
      violations.push(violation);
    }
    return violations.reverse();
  }

  return { referee, setupOf, orderOf };
})();
