/* Entering the dealt hands or the widow on the keys of the card pad, one after the other. A target is a seat, or -1 for
   the widow. */
const soloEntryDeal = (() => {
  "use strict";

  const { words, fill } = soloCardText;
  const { cardsOf, remaining, playsOf, stateOf } = soloPlay;
  const WIDOW = -1;

  const cardsOfTarget = (entry, target) => (target === WIDOW ? entry.widow : entry.hands[target]);
  const sizeOf = ({ sheet }, target) => (target === WIDOW ? sheet.widow : sheet.size);
  const isFull = (play, entry, target) => cardsOfTarget(entry, target).length >= sizeOf(play, target);
  const targetsOf = ({ names, sheet }) => [...names.keys(), ...(sheet.widow ? [WIDOW] : [])];

  // Begins with the cards that the seats have played, unless an exchange may have changed their hands.
  function begin(play, entry, targets) {
    if (!play.terms.takes) {
      for (const { card, seat } of playsOf(play, stateOf(play, entry))) {
        if (targets.includes(seat) && !entry.hands[seat].includes(card)) entry.hands[seat].push(card);
      }
    }
    return { targets, at: 0 };
  }

  // Returns the cards that the current target can't get, as they are in another place.
  function goneFor(play, entry, { targets, at }) {
    const others = targetsOf(play).filter((target) => target !== targets[at]).flatMap((target) => cardsOfTarget(entry, target));
    const played = play.terms.takes ? [] : playsOf(play, stateOf(play, entry)).filter((one) => one.seat !== targets[at]);
    return [...others, ...played.map((one) => one.card), ...cardsOfTarget(entry, targets[at])];
  }

  function show(play, entry, collected) {
    const { texts } = words(), target = collected.targets[collected.at];
    const title = target === WIDOW ? texts.widow : fill(texts.hand_of, { who: play.names[target] });
    soloEntryView.showCollected(title, cardsOfTarget(entry, target), sizeOf(play, target));
    const gone = goneFor(play, entry, collected), pack = cardsOf(play.sheet.pack);
    soloEntryView.showKeys(gone, remaining(pack, gone));
  }

  // Returns whether the card was added.
  function add(play, entry, collected, card) {
    if (goneFor(play, entry, collected).includes(card)) return false;
    const target = collected.targets[collected.at];
    cardsOfTarget(entry, target).push(card);
    if (isFull(play, entry, target)) collected.at += 1;
    return true;
  }

  function removeLast(entry, collected) {
    if (!cardsOfTarget(entry, collected.targets[collected.at]).pop() && collected.at) {
      collected.at -= 1;
      cardsOfTarget(entry, collected.targets[collected.at]).pop();
    }
  }

  // Leaves a hand unknown.
  function skip(entry, collected) {
    cardsOfTarget(entry, collected.targets[collected.at]).length = 0;
    collected.at += 1;
  }

  // Returns whether all is entered. The last hand, or the widow, is what the others leave.
  function isDone(play, entry, { targets, at }) {
    const all = targetsOf(play), open = all.filter((target) => !isFull(play, entry, target));
    if (open.length === 1 && targets.length > 1) {
      const rest = remaining(cardsOf(play.sheet.pack), all.flatMap((target) => (target === open[0] ? [] : cardsOfTarget(entry, target))));
      if (rest.length === sizeOf(play, open[0])) cardsOfTarget(entry, open[0]).splice(0, Infinity, ...rest);
      return true;
    }
    return at >= targets.length;
  }

  return { begin, show, add, removeLast, skip, isDone, WIDOW };
})();
