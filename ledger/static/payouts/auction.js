/* The auction of the hand form, call by call and without a request: the buttons for the calls that may follow, and the
   contract that a finished auction shows. It knows no rule: the states of the auction are in the table's file
   (ledger/web/hand/payouts.py). A text that it can't follow is left to the server. */
const soloAuction = (() => {
  "use strict";

  const NOBODY = "<nobody>";
  const CONTRACT = ["bidder", "bid", "trump", "called", "partner", "doubled", "redoubled"];
  const UNDO = "undo";
  const SECOND_TAP = 250;  // in milliseconds: the second tap of a double tap doesn't call for the next seat, however late a slow phone handles it
  let auction = null;      // the states and the names of calls
  let calledAt = -Infinity;
  let seatsDrawn = "";     // the seats whose calls were offered last

  const seatsNow = () => soloHand.now().facts.active;
  const named = (text, place, seats) => text.replace(place, (_, at) => seats[at]);

  // Returns each call that may follow: its line in the text, its name and the state after it.
  const callsOf = ({ turn, calls }, seats) => Object.entries(calls).map(([call, next]) => ({
    line: `${seats[turn]} ${named(call, /(?<= )(\d+)$/, seats)}`,
    name: named(auction.names[call], /\{(\d+)\}/, seats),
    state: auction.states[next],
  }));

  // Returns the state after the calls of a text, or null if the table does not contain one of them.
  function stateOf(text, seats) {
    let state = auction?.states[0] ?? null;
    for (const line of text.split("\n").filter(Boolean)) {
      state = (state && callsOf(state, seats).find((call) => call.line === line)?.state) ?? null;
    }
    return state;
  }

  // Returns the answers of the form to which a finished auction leads.
  function answersOf({ bid, bidder, trump, doubled = [], redoubled = [] }, seats) {
    if (bid === "pass") return { bidder: [NOBODY] };
    const names = (places) => places.map((place) => seats[place]);
    return { bid: [bid], bidder: names(bidder ? [bidder] : []), trump: trump ? [trump] : [], doubled: names(doubled), redoubled: names(redoubled) };
  }

  function draw(form) {
    const section = form.querySelector("#more-auction"), text = form.elements.auction?.value ?? "";
    const seats = seatsNow(), state = section && stateOf(text, seats);
    const isReseated = seatsDrawn && seats.join("\n") !== seatsDrawn;
    seatsDrawn = seats.join("\n");
    if (!section || (!state && !isReseated)) return;
    const [line, buttons] = section.querySelectorAll(":scope > p, :scope > .calls");
    if (!state) {  // calls that these seats can't have made
      line.hidden = true;
      buttons.replaceChildren();
      document.getElementById("fill").dispatchEvent(new Event("fill"));
      return;
    }
    const calls = callsOf(state, seats);
    line.hidden = !calls.length;
    line.querySelector("bdi").textContent = seats[state.turn] ?? "";
    section.querySelector(`:scope > [value="${UNDO}"]`).hidden = !text;
    if (calls.map((call) => call.line).join("\n") === [...buttons.children].map((each) => each.value).join("\n")) return;
    buttons.replaceChildren(...calls.map((call) => (
      Object.assign(document.createElement("button"), { type: "submit", name: "call", value: call.line, className: "secondary", textContent: call.name })
    )));
  }

  // Makes a call or undoes the last one; the contract entered before is discarded, as it is by the server. A response that
  // fills in the form (see half.js) would bring the calls before back, so its request is cancelled.
  function make(form, value, state) {
    document.getElementById("fill").dispatchEvent(new CustomEvent("htmx:abort"));
    const field = form.elements.auction, lines = field.value.split("\n").filter(Boolean);
    field.disabled = false;
    field.value = (value === UNDO ? lines.slice(0, -1) : [...lines, value]).join("\n");
    const answers = state.contract.bid ? answersOf(state.contract, seatsNow()) : {};
    for (const name of CONTRACT) {
      for (const input of soloHand.inputs(form, name)) {
        input.disabled = false;
        input.checked = Boolean(answers[name]?.includes(input.value));
      }
    }
    soloHand.again(form);
    form.dispatchEvent(new CustomEvent("said", { bubbles: true }));  // draws the auction and stores the draft
    form.querySelector("#more-auction button[name=call]:not([hidden])")?.focus({ preventScroll: true });
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("#more-auction button[name=call]"), form = soloHand.find();
    if (!button || !form || !auction) return;
    const text = form.elements.auction.value, lines = text.split("\n").filter(Boolean);
    const state = stateOf(button.value === UNDO ? lines.slice(0, -1).join("\n") : [...lines, button.value].join("\n"), seatsNow());
    if (!state) return;
    event.preventDefault();
    if (event.detail > 1 && button.value !== UNDO && event.timeStamp - calledAt < SECOND_TAP) return;
    calledAt = event.timeStamp;
    make(form, button.value, state);
  });
  document.addEventListener("said", (event) => auction && event.target === soloHand.find() && draw(event.target));

  // Offers calls by a table's file from now on; null for none.
  function use(loaded) {
    auction = loaded;
    seatsDrawn = "";
    if (auction && soloHand.find()) draw(soloHand.find());
  }

  // Returns whether a hand is what the auction of a text leads to.
  function leadsTo(text, { active, bid, bidder, trump, doubled, redoubled }) {
    const contract = stateOf(text, active)?.contract ?? {};
    if (!contract.bid) return false;
    const names = (places = []) => places.map((place) => active[place]).sort().join("\n");
    return contract.bid === bid
      && (!contract.bidder || active[contract.bidder] === bidder)
      && (!contract.trump || contract.trump === trump)
      && names(contract.doubled) === [...doubled].sort().join("\n")
      && names(contract.redoubled) === [...redoubled].sort().join("\n");
  }

  return { use, leadsTo };
})();
