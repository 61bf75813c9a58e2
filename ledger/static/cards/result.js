/* The result that the cards of a hand show: the answers that its form would have without them. Tricks, sides and points
   are the referee's. */
const soloCardResult = (() => {
  "use strict";

  const { contractOf, stateOf, sideOf, playsOf, isComplete, cardsOf } = soloPlay;
  const BIDDER = "<bidder>", STOPPED = "<stopped>", ALONE = "<alone>", CONCESSIONS = ["bidder", "opponents"];
  const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

  // Returns the cards of a form's answers and how the hand ended early, or null if a card can't be read.
  function entryOf({ seats }, { names }, facts) {
    const fields = ["cards", "widow", ...names.map((who) => `hand_${seats.indexOf(who) + 1}`)];
    const texts = fields.map((name) => soloCardText.read(facts[name]?.[0] ?? ""));
    if (texts.some((each) => each.unread)) return null;
    const [cards, widow, ...hands] = texts.map((each) => each.cards);
    return { cards, widow, hands, ending: facts.claimed_by?.[0] ?? facts.conceded?.[0] ?? "" };
  }

  /* Returns the result, or null if these are not the cards of a legal hand that is over. `answers` has those that the cards
     show by question, `open` the questions that they leave open, `counts` the numbers that decide a bid with one price,
     `tricks` the cards of each trick and the early end, and `claim` the side that claimed the rest, and after which trick. */
  function read(description, facts) {
    const play = document.getElementById("card-words") && contractOf(description.play, facts);
    const entry = play && entryOf(description, play, facts), state = entry && stateOf(play, entry);
    if (!state || state.violations.length || (state.turn !== null && !entry.ending)) return null;
    const { names, bidder, called, terms, trump } = play, { ending } = entry, goal = terms.needs[trump];
    const plays = playsOf(play, state), { seats, isKnown } = sideOf(play, entry, state);
    const holderOf = (card) => plays.find((one) => one.card === card)?.seat ?? entry.hands.findIndex((hand) => hand.includes(card));
    const holder = terms.partner ? holderOf(called) : -1;
    const tricks = [...state.tricks.map(({ cards }) => cards.join(" ")), ending.replace(/[<>]/g, "")];
    const result = { answers: {}, open: [], counts: {}, tricks };
    if (holder >= 0) result.answers.partner = [holder === bidder ? ALONE : names[holder]];
    else if (terms.partner) result.open.push("partner");
    if (!isKnown) return result;
    const all = worthOf(play, cardsOf(play.sheet.pack)), own = sum(seats.map((seat) => state.points[seat]));
    const left = all - sum(state.points), isOurs = ending === BIDDER;
    if (CONCESSIONS.includes(ending)) {
      const isLost = goal ? own + left < goal : own > 0;
      return ending === "opponents" && isLost ? null : result;
    }
    const won = state.tricks.filter((trick) => isComplete(play, trick)).map(({ winner }) => seats.includes(winner));
    if (ending && ending !== STOPPED) {
      result.claim = { by: tricks.at(-1), after: won.length };
      won.push(...Array(play.sheet.size - won.length).fill(isOurs));
    }
    const taken = won.filter(Boolean).length;
    if (terms.counts === "points") {
      // The cards that no seat held count for the bidder, but not in a misère.
      const aside = ending ? worthAside(play, entry) : left;
      addPoints(result, own + (isOurs ? left - (goal ? 0 : aside) : goal && aside), taken);
      return result;
    }
    const isFirst = won.length >= goal && won.slice(0, goal).every(Boolean);
    if (ending === STOPPED && (!isFirst || state.tricks.length > goal)) return null;
    result.answers.tricks_won = [String(taken)];
    result.answers.first_tricks_won = [!isFirst ? "lost" : ending === STOPPED ? "stopped" : "on"];
    const matadors = matadorSide(matadorsOf(play).map(holderOf), seats);
    if (!matadors) return null;  // the server may infer it, as far as it follows
    result.answers.matadors = [matadors];
    return result;
  }

  const worthOf = ({ sheet }, cards) => sum(cards.map((card) => sheet.worth[card[0]] ?? 0));
  const worthAside = (play, { widow }) => (
    play.terms.takes === "widow" || widow.length < play.sheet.widow ? NaN : worthOf(play, widow));

  function addPoints(result, points, tricks) {
    if (Number.isNaN(points)) return result.open.push("points", "points_against", "made");
    result.answers.points = [String(points)];
    result.counts = { points: String(points), tricks_won: points ? "" : String(tricks) };
  }

  const matadorsOf = ({ sheet: { order }, trump }) => cardsOf(order.trumps[trump]).slice(0, order.matadors);

  // Returns the side that was dealt the matadors, or "" if it is unknown; `holders` are their seats, -1 for an unknown one.
  function matadorSide(holders, seats) {
    const sides = new Set(holders.filter((seat) => seat >= 0).map((seat) => (seats.includes(seat) ? "declarers" : "defenders")));
    if (sides.size > 1) return "split";
    return holders.includes(-1) ? "" : [...sides][0];
  }

  return { read };
})();
