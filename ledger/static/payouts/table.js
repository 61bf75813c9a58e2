/* Looks up a hand in its table's payouts (ledger/web/hand/payouts.py). It knows no rule: prices, payments and sentences
   are in the table; the amounts of a hand are products and sums of these. */
const soloPayoutTable = (() => {
  "use strict";

  const kept = new Map();  // the rules for plurals and numbers, which take long to make
  const make = (type, lang) => kept.get(type) ?? kept.set(type, new Intl[type](lang)).get(type);
  const FORMS = ["zero", "one", "two", "few", "many", "other"];

  // Returns the part of a sentence in the plural form of its number, with the numbers filled in.
  function fill(lang, forms, values) {
    const numbers = Object.values(values).filter((value) => typeof value === "number");
    const rules = make("PluralRules", lang);
    const own = FORMS.filter((form) => rules.resolvedOptions().pluralCategories.includes(form));
    const form = forms[Math.min(own.indexOf(rules.select(Math.abs(numbers[0] ?? 0))), forms.length - 1)];
    return form.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === "number" ? number(lang, values[name]) : values[name]));
  }

  const number = (lang, value) => `${value < 0 ? "\u2212" : ""}${make("NumberFormat", lang).format(Math.abs(value))}`;

  const clockwise = (seats, first) => [...seats.slice(seats.indexOf(first)), ...seats.slice(0, seats.indexOf(first))];

  /* Returns the verdict of a hand, or null if the table does not contain it. A hand has the players clockwise, the
     dealer, the active players, and those who sit out from the dealer's left; the bid ("pass" if all passed), the bidder
     and the partner, the trump suit, the players who doubled and were redoubled, and the answers by question; the
     contents of the pots, if there are any; the deals without a heart in a blind round, else null; and if the rest of the
     tricks was claimed, the side and the number of tricks before. */
  function lookUp(table, hand) {
    const { players, dealer, bid, bidder, partner, doubled, redoubled, pots, heartless, claim } = hand;
    const { keys, prices } = table.bids[bid] || {};
    const row = table.prices[prices?.[hand.trump]]?.[keys?.map((key) => hand.answers[key] ?? "").join("/")];
    const isForPots = Object.keys(table.pots).length > 0;
    if (!row || (isForPots && !pots)) return null;
    const [outcome, amount, ...lines] = row;
    const order = clockwise(players, bidder || players[0]);
    const deltas = Object.fromEntries(players.map((who) => [who, 0]));
    const pay = (payer, payee, chips) => {
      if (payer in deltas) deltas[payer] -= chips;
      if (payee in deltas) deltas[payee] += chips;
    };
    const says = [];
    const say = ([forms, numbers], names, value) => {
      const values = Object.fromEntries(Object.entries(numbers).map(([name, factor]) => [name, value(factor)]));
      says.push(fill(table.lang, forms, values).split(/([@#]\d+)/).map((part, at) => (at % 2 ? { who: names(part) } : part)));
    };
    const names = (mark) => (mark[0] === "@" ? order : hand.idle)[mark.slice(1)];

    if (claim) say(table.claims[claim.by], names, () => claim.after);
    for (const line of lines) says.push([table.lines[line]]);
    if (amount) {
      const places = hand.active.map((who) => order.indexOf(who)).sort((one, other) => one - other);
      const payout = table.seats[[outcome === "won" ? 1 : 0, partner ? order.indexOf(partner) : 0, ...places].join("/")];
      if (!payout) return null;
      const times = (who) => table.factors[doubled.includes(who) + redoubled.includes(who)];
      for (const [payer, payee, owed] of payout.transfers) {
        pay(order[payer], order[payee], owed * amount * times(order[payer]) * times(order[payee]));
      }
      payout.scores.forEach((score, place) => { deltas[order[place]] += score * amount; });
      for (const who of doubled) say(table.doubles[Number(redoubled.includes(who))], () => who, (factor) => factor * amount);
      for (const step of payout.steps) say(step, names, (factor) => factor * amount);
    }

    const result = { outcome, amount, deltas, says, pots: null, ante: 0, pot: 0 };
    const moved = table.pots[`${bid}/${outcome}`];
    if (isForPots && !moved) return null;  // it brings more than a pot can hold
    if (moved) {
      const value = ([constant, frog, solo]) => constant + frog * pots.frog + solo * pots.solo;
      const between = deltas[bidder];
      for (const [payer, payee, chips] of moved.transfers) pay(order[payer], order[payee], value(chips));
      result.pots = Object.fromEntries(Object.entries(moved.contents).map(([pot, content]) => [pot, value(content)]));
      for (const step of moved.steps) say(step, names, value);
      if (bidder) [result.ante, result.pot] = [-moved.ante, deltas[bidder] - between + moved.ante];
    }

    const stays = table.stays[bid][heartless === null ? 0 : heartless + 1];
    const next = clockwise(players, dealer)[stays ? 0 : 1];
    return { ...result, next: { dealer: next, lead: clockwise(players, next)[1] } };
  }

  return { lookUp, fill, number };
})();
