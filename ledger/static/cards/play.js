/* The state of a hand that is entered card by card, from the answers of the form and the cards so far. It doesn't touch
   the page. A seat is a place in `names`, which begin with eldest hand. */
const soloPlay = (() => {
  "use strict";

  const cardsOf = (text) => (text ? text.split(" ") : []);
  const remaining = (cards, without) => cards.filter((card) => !without.includes(card));

  // Returns the play of the chosen contract, or null while an answer is missing. `facts` are the form's answers.
  function contractOf(sheet, facts) {
    const [bid] = facts.bid || [], names = facts.active || [], bidder = names.indexOf(facts.bidder?.[0]);
    const terms = sheet.bids[bid];
    if (!terms || bidder < 0) return null;
    const trumps = Object.keys(terms.needs), trump = trumps.length > 1 ? facts.trump?.[0] : trumps[0];
    if (!(trump in terms.needs)) return null;
    const [called = ""] = facts.called || [];
    return { sheet, terms, names, bidder, bid, trump, called, partner: facts.partner?.[0] || "", isTrumpNamed: trumps.length > 1 };
  }

  // Returns the hands that are known during the play: an exchange changes those of who takes part in it.
  function handsInPlay({ terms, bidder, called }, hands) {
    return hands.map((hand, seat) => {
      const exchanges = terms.takes && (seat === bidder || (terms.takes === "called" && hand.includes(called)));
      return exchanges ? [] : hand;
    });
  }

  function setupOf(play, { hands, widow }) {
    const { sheet, names, bidder, bid, trump, called, terms } = play;
    return soloReferee.setupOf(sheet, {
      seats: names.length, bidder, bid, trump, called,
      hands: handsInPlay(play, hands).map((hand) => hand.join(" ")),
      aside: terms.takes === "widow" ? "" : widow.join(" "),
    });
  }

  function stateOf(play, entry) {
    return soloReferee.referee(play.sheet.order, setupOf(play, entry), entry.cards);
  }

  const isComplete = (play, trick) => trick.cards.length === play.names.length;

  // Returns who played which card, in order.
  function playsOf(play, state) {
    return state.tricks.flatMap(({ leader, cards }, at) => cards.map((card, place) => (
      { card, seat: (leader + place) % play.names.length, trick: at + 1 })));
  }

  // Returns the rest of the hand if every card of it is certain, else null.
  function certainRest(play, entry) {
    let state = stateOf(play, entry);
    const known = { ...entry, hands: knownHands(play, entry, state) }, rest = [];
    while (state.turn !== null) {
      state = stateOf(play, { ...known, cards: [...entry.cards, ...rest] });
      const choices = [...state.legal, ...state.possible];
      if (state.turn !== null && choices.length !== 1) return null;
      rest.push(...choices);
    }
    return rest.length ? rest : null;
  }

  // Returns the hands with those that follow from the cards played; unknown cards aside leave all others open.
  function knownHands(play, { hands, widow, cards }, state) {
    const { sheet, names, terms } = play, { suitOf } = soloReferee.orderOf(sheet.order, setupOf(play, { hands, widow }));
    const aside = terms.takes === "widow" ? [] : widow;
    if (aside.length < sheet.widow) return hands;
    const playsBy = (seat) => playsOf(play, state).filter((one) => one.seat === seat).map((one) => one.card);
    let open = remaining(cardsOf(sheet.pack), [...cards, ...aside]);
    const found = names.map(() => []), seats = new Set(names.keys());
    const inPlay = handsInPlay(play, hands);
    for (let isFound = true; isFound;) {
      isFound = false;
      for (const seat of seats) {
        const own = remaining(inPlay[seat], cards), left = sheet.size - playsBy(seat).length;
        const held = open.filter((card) => !state.voids[seat].includes(suitOf(card)));
        const candidates = own.length >= left ? own : held;
        if (candidates.length > left) continue;
        found[seat] = [...playsBy(seat), ...candidates];
        open = remaining(open, candidates);
        seats.delete(seat);
        isFound = true;
      }
    }
    return hands.map((hand, seat) => (seats.has(seat) ? hand : found[seat]));
  }

  // Returns the seats of the bidding side, whether its partner is known, and its points or tricks so far.
  function sideOf(play, entry, state) {
    const { terms, bidder, called, names, partner, trump } = play;
    let place = bidder;
    if (terms.partner) {
      const shown = playsOf(play, state).find((one) => one.card === called)?.seat ?? entry.hands.findIndex((hand) => hand.includes(called));
      place = shown >= 0 ? shown : partner.startsWith("<alone") ? bidder : names.indexOf(partner);
    }
    const seats = [...new Set([bidder, place])].filter((seat) => seat >= 0);
    const counts = terms.counts === "points" ? state.points : state.tricksWon;
    return {
      seats,
      isKnown: place >= 0,
      count: seats.reduce((sum, seat) => sum + counts[seat], 0),
      goal: terms.needs[trump],
    };
  }

  // Returns the first violation that a card would add to those there are, or undefined.
  function wouldViolate(play, entry, card) {
    const before = stateOf(play, entry).violations.map((one) => one.card);
    const after = stateOf(play, { ...entry, cards: [...entry.cards, card] }).violations;
    return after.find((one) => !before.includes(one.card));
  }

  // Returns which unknown cards aside decide the result, as after a claim of the opponents: "widow", "discard" or "".
  function lackingOf({ sheet, terms, trump }, { widow, ending }) {
    if (terms.counts !== "points" || terms.needs[trump] === 0 || ending !== "<opponents>") return "";
    if (terms.takes === "widow") return "discard";
    return widow.length < sheet.widow ? "widow" : "";
  }

  return { contractOf, stateOf, certainRest, sideOf, wouldViolate, lackingOf, playsOf, isComplete, cardsOf, remaining };
})();
