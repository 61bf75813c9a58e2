/* Entering a hand card by card: whose turn it is follows from the cards, and every step is written to the form's fields
   and stored with its draft. Nothing is sent; the form asks for its payout once the dialog is closed. */
const soloEntry = (() => {
  "use strict";

  const { words, fill, read, written } = soloCardText;
  const { contractOf, stateOf, certainRest, sideOf, wouldViolate, lackingOf, cardsOf } = soloPlay;
  const view = soloEntryView;
  const { dialog, part } = view;

  const LARGE = "card-keys";    // where this device stores the layout of the keys
  const USUAL = "by-cards";     // where it stores whether the last hand was entered card by card
  const SHOWN_FOR = 400;        // so that the last card is seen, and its second tap hits nothing
  const ENDINGS = ["claimed_by", "conceded"];  // the questions for an early end; their answers differ
  const CLAIMS = ["<bidder>", "<opponents>"], CONCESSIONS = ["bidder", "opponents"];
  const LONGEST_WORD = 20;      // shown of a text that is not a card

  let play = null;              // the contract
  let entry = null;             // what is entered: cards, hands, widow, and the ending, an answer to one of ENDINGS
  let collected = null;         // the hand or widow that is being entered (see entry-deal.js)
  let isChanged = false;
  let isStated = false;         // whether every question about the contract is answered
  let message = "";
  let closing = 0, closedAt = -Infinity;

  /* --- the form's fields --- */

  const fieldOf = (of) => soloHand.find().querySelector(`[name="${of}"]:not([type=radio])`);
  const handField = (who) => fieldOf(`hand_${soloHand.description().seats.indexOf(who) + 1}`);
  const inputsOf = (name) => soloHand.inputs(soloHand.find(), name);
  const cardsIn = (field) => read(field?.value || "").cards;

  const CONTRACT = ["bidder", "bid", "trump", "called"];
  const askedNow = () => soloHand.now().questions.filter((each) => CONTRACT.includes(each.question.name));

  // Returns the contract that the form states, or null while it asks for a part of it.
  function contractNow() {
    return askedNow().some((each) => each.missing) ? null : contractOf(soloHand.description().play, soloHand.now().facts);
  }

  function load() {
    const { cards, unread } = read(fieldOf("cards").value);
    entry = {
      cards,
      hands: play.names.map((who) => cardsIn(handField(who))),
      widow: cardsIn(fieldOf("widow")),
      ending: ENDINGS.flatMap(inputsOf).find((input) => input.checked && input.value)?.value || "",
    };
    message = unread && notRead(unread);
  }

  function notRead(word) {
    const letters = [...word], text = letters.length > LONGEST_WORD ? `${letters.slice(0, LONGEST_WORD).join("")}…` : word;
    return fill(words().texts.unread, { text });
  }

  function write(field, cards) {
    if (!field) return;
    field.disabled = false;
    field.value = cards.join(" ");
  }

  // Writes the entry to the form, whose draft is stored on the device.
  function store() {
    isChanged = true;
    write(fieldOf("cards"), entry.cards);
    write(fieldOf("widow"), entry.widow);
    play.names.forEach((who, seat) => write(handField(who), entry.hands[seat]));
    for (const name of ENDINGS) {
      const inputs = inputsOf(name), chosen = inputs.find((input) => input.value === entry.ending);
      for (const input of inputs) {
        input.disabled = false;
        input.checked = chosen ? input === chosen : !input.value;
      }
    }
    soloHand.find().dispatchEvent(new CustomEvent("said", { bubbles: true }));
  }

  /* --- what the dialog shows --- */

  const bidTitle = () => {
    const input = soloHand.inputs(soloHand.find(), "bid").find((each) => each.checked);
    return input.closest(".tap").querySelector("bdi").textContent.trim();
  };
  const namesOf = (seats) => view.namesIn(seats.map((seat) => play.names[seat]));

  // Returns the two sides in words, the bidder's first.
  function sides(state) {
    const { texts } = words(), { seats, isKnown } = sideOf(play, entry, state);
    const own = namesOf(seats);
    const others = [...play.names.keys()].filter((seat) => !seats.includes(seat));
    return isKnown ? [own, namesOf(others)] : [fill(texts.unknown_side, { who: own }), texts.others];
  }

  function noticeOf(state) {
    const { texts } = words(), [violation] = state.violations;
    if (message) return message;
    if (violation) return `${view.violationText(play, violation)} ${texts.server}`;
    if (!entry.ending) return "";
    const [claimer, loser] = [CLAIMS, CONCESSIONS].map((values) => sides(state)[values.indexOf(entry.ending)]);
    if (loser) return fill(texts.gave_up, { who: loser });
    const claimed = claimer ? fill(texts.claimed, { who: claimer }) : labelOf(entry.ending);
    const lacking = lackingOf(play, entry);
    return lacking ? `${claimed} ${texts[`needs_${lacking}`]}` : claimed;
  }

  const labelOf = (claim) => inputsOf("claimed_by").find((input) => input.value === claim).closest(".tap").textContent.trim();

  function render() {
    const state = stateOf(play, entry), side = sideOf(play, entry, state);
    view.showTitle(play, bidTitle(), state);
    view.showScore(play, entry, state, side);
    view.showTricks(play, state);
    if (collected) soloEntryDeal.show(play, entry, collected);
    else {
      const isOpen = state.turn !== null && !entry.ending;
      view.showSeats(play, isOpen ? state : { ...state, turn: null }, side);
      view.showKeys(isOpen ? entry.cards : cardsOf(play.sheet.pack), isOpen ? [...state.legal, ...state.possible] : []);
    }
    const rest = collected || entry.ending ? null : certainRest(play, entry);
    view.show("finish", rest !== null);
    view.show("skip", collected !== null);
    view.show("widow", !collected && lackingOf(play, entry) === "widow");
    view.show("done", !collected && entry.ending !== "");
    for (const of of ["claim", "give-up"]) view.show(of, !collected && !entry.ending && state.turn !== null);
    const notice = noticeOf(state);
    part("notice").hidden = !notice;
    part("notice").replaceChildren(...view.coloured(notice));
    return state;
  }

  function announce(text) {
    part("live").textContent = text;
  }

  /* --- playing --- */

  // Stores a step and shows its result, or why not all of it was possible; the dialog closes once the hand is over.
  function step(problem = "") {
    message = problem;
    store();
    const state = render();
    announce([view.spoken(play, state), part("notice").textContent].filter(Boolean).join(" "));
    const isDone = state.turn === null || (entry.ending && !lackingOf(play, entry));
    if (isDone && !collected && !message) closing = setTimeout(close, SHOWN_FOR);
  }

  function playCards(cards) {
    entry.cards.push(...cards);
    step();
  }

  function press(card) {
    if (collected) return addCollected(card) ? step() : undefined;
    const state = stateOf(play, entry);
    if (entry.ending || state.turn === null || entry.cards.includes(card)) return undefined;
    if ([...state.legal, ...state.possible].includes(card)) return playCards([card]);
    return confirmCard(card, state);
  }

  // Asks whether an impossible card was really played; it is a revoke, which the ledger judges.
  function confirmCard(card, state) {
    const { texts } = words(), violation = wouldViolate(play, entry, card);
    const why = violation ? view.violationText(play, violation) : fill(texts.impossible, { who: play.names[state.turn] });
    ask(fill(texts.really, { card: written(card) }), `${why} ${texts.server}`, [[texts.yes, () => playCards([card])]]);
  }

  function undo() {
    clearTimeout(closing);
    if (collected) soloEntryDeal.removeLast(entry, collected);
    else if (entry.ending) entry.ending = "";
    else if (!entry.cards.pop()) return;
    step();
  }

  function backTo(number) {
    const { texts } = words(), { tricks } = stateOf(play, entry);
    const kept = tricks.slice(0, number - 1).flatMap((trick) => trick.cards).length;
    ask(fill(texts.back_to, { trick: number }), "", [[texts.undo, () => {
      entry.ending = "";
      entry.cards.length = kept;
      step();
    }]]);
  }

  // Asks which side gets the rest of the tricks.
  function claim() {
    const others = inputsOf("claimed_by").map((input) => input.value).filter((value) => value && !CLAIMS.includes(value));
    askEnding(words().texts.who_claims, CLAIMS, others.map((value) => [labelOf(value), () => end(value)]));
  }

  // Asks which side gives up. It loses the hand if the bid may be conceded, else the other side gets the rest.
  function giveUp() {
    const { texts } = words(), concession = soloHand.now().questions.find(({ question }) => question.name === "conceded");
    const offered = (concession?.offered || []).map(([value]) => value), others = [...CLAIMS].reverse();
    const values = CONCESSIONS.map((value, at) => (offered.includes(value) ? value : others[at]));
    askEnding(concession ? texts.who_concedes : texts.who_gives_up, values);
  }

  function askEnding(question, [ours, theirs], more = []) {
    const [bidders, others] = sides(stateOf(play, entry));
    ask(question, "", [[bidders, () => end(ours)], [others, () => end(theirs)], ...more]);
  }

  function end(ending) {
    entry.ending = ending;
    step();
  }

  // Plays pasted or typed cards, or adds them to the hand that is being entered, up to the first that can't be one of it; a
  // whole hand as a line fills in the form.
  function paste(text) {
    if (text.includes("@")) return fillIn(text);
    if (entry.ending && !collected) return;
    const { cards, unread } = read(text), add = collected ? addCollected : addPlayed;
    const wrong = cards.find((card) => !add(card));
    step(wrong ? fill(words().texts.twice, { card: written(wrong) }) : unread && notRead(unread));
  }

  function addPlayed(card) {
    return cardsOf(play.sheet.pack).includes(card) && !entry.cards.includes(card) && entry.cards.push(card) > 0;
  }

  function fillIn(line) {
    isChanged = false;
    close();
    fieldOf("cards").value = line;
    fieldOf("cards").dispatchEvent(new Event("input", { bubbles: true }));
  }

  /* --- entering the deal or the widow --- */

  function collect(targets) {
    collected = soloEntryDeal.begin(play, entry, targets);
    step();
  }

  // Returns whether the card was added.
  function addCollected(card) {
    const isAdded = collected !== null && soloEntryDeal.add(play, entry, collected, card);
    endCollecting();
    return isAdded;
  }

  function endCollecting() {
    if (collected && soloEntryDeal.isDone(play, entry, collected)) collected = null;
  }

  function skip() {
    soloEntryDeal.skip(entry, collected);
    endCollecting();
    step();
  }

  /* --- questions, which cover the keys --- */

  function ask(question, detail, choices, ...content) {
    const make = (text, act, style) => {
      const button = soloCardText.element("button", style, ...view.coloured(text));
      button.type = "button";
      button.addEventListener("click", (event) => {
        if (event.detail > 1) return;  // the second tap of a double tap doesn't answer a question
        dismiss();
        act();
      });
      return button;
    };
    const { element } = soloCardText;
    const buttons = [...choices.map(([text, act]) => make(text, act, "")), make(words().texts.cancel, () => {}, "secondary")];
    part("sheet").replaceChildren(element("p", "question", ...view.coloured(question)),
      ...(detail ? [element("p", "", ...view.coloured(detail))] : []), ...content, element("div", "pair", ...buttons));
    cover(true);
    (content[0] || buttons[0]).focus({ preventScroll: true });
  }

  // The keyboard doesn't reach what the sheet covers.
  function cover(isAsking) {
    part("sheet").hidden = !isAsking;
    for (const each of dialog().querySelectorAll(":scope > :not(header, [aria-live], [data-part=sheet])")) each.inert = isAsking;
  }

  function dismiss() {
    cover(false);
    part("title").focus({ preventScroll: true });
  }

  /* --- opening and closing --- */

  const isLarge = () => localStorage.getItem(LARGE) === "large";

  function resize() {
    localStorage.setItem(LARGE, isLarge() ? "small" : "large");
    view.drawKeys(play, isLarge());
    render();
  }

  function open() {
    play = contractNow();
    if (!play) return;
    [collected, isChanged] = [null, false];
    load();
    view.drawKeys(play, isLarge());
    cover(false);
    dialog().showModal();
    announce(view.spoken(play, render()));
    part("title").focus({ preventScroll: true });
  }

  function close() {
    clearTimeout(closing);
    dialog().close();
  }

  // The form is updated once; it then asks for the payout.
  function closed() {
    closedAt = performance.now();
    localStorage.setItem(USUAL, entry.cards.length ? "yes" : "no");
    const form = soloHand.find();
    if (!form || !isChanged) return;
    soloHand.again(form);
    refresh();
    if (soloHand.isByKeys()) soloHand.goOn(form);
  }

  // Shows the button that opens the dialog once the contract is complete. The dialog opens by itself after the last tap on
  // an answer about the contract if the last hand was entered card by card; arrow keys only pass through answers.
  function refresh(isAnswer) {
    const button = document.getElementById("open-card-entry");
    if (!button || !dialog() || !soloHand.find()) return;
    const ready = contractNow(), { texts } = words(), wasStated = isStated;
    isStated = Boolean(ready) && askedNow().every((each) => each.answers.length);
    button.hidden = !ready;
    if (!ready) return;
    const cards = cardsIn(fieldOf("cards")).length;
    const values = { n: cards, of: ready.names.length * ready.sheet.size };
    const label = cards ? fill(texts.go_on, values) : texts.open;
    if (button.textContent !== label) button.textContent = label;
    if (isAnswer && !soloHand.isByKeys() && isStated && !wasStated && !cards && localStorage.getItem(USUAL) === "yes") open();
  }

  return {
    open, close, closed, refresh, press, undo, paste, claim, giveUp, skip, backTo, resize, ask, dismiss, collect,
    finish: () => playCards(certainRest(play, entry) || []),
    names: () => play.names,
    isAsking: () => !part("sheet").hidden,
    isFresh: () => performance.now() - closedAt < SHOWN_FOR,
    isOpen: () => Boolean(dialog()?.open),
  };
})();
