/* Entering the next hand on the page of one that waits to be sent: the same questions without answers, with the dealer
   who is due after the waiting hand. Hands are sent one after another (see outbox.js). If a hand's dealer turns out not
   to be due, the server shows the hand again instead of saving it. A reloaded page also continues after the last waiting
   hand. */
(() => {
  "use strict";

  const { find, again, ask, dock, description } = soloHand;
  const said = (form) => Object.fromEntries(new FormData(form));

  function dealerAfter({ dealer, bidder, bid, blind_round: blind }) {
    const { seats, after } = description();
    if (!seats.includes(dealer) || blind === "yes" || after[bid] === "unknown") return null;
    return after[bidder] === "stays" ? dealer : seats[(seats.indexOf(dealer) + 1) % seats.length];
  }

  // In a blind round only the server knows the next dealer.
  document.addEventListener("waits", (event) => {
    const form = event.target;
    if (form.elements.seen.value === "unseen" && !form.dataset.payout) forgetPayout(form);  // it was computed from other values
    const isKnown = dealerAfter(said(form)) !== null;
    form.querySelector("[data-next]").hidden = !isKnown;
    for (const line of form.querySelectorAll("#unlock > p")) line.hidden = isKnown;
  }, true);

  // Replaces the number of the hand everywhere on the page.
  const numberOf = (words) => Number(words.match(/\d+/)[0]);
  function recount(form, number) {
    const was = String(numberOf(form.dataset.outbox));
    const count = (text) => text.replace(was, number);
    document.title = count(document.title);
    for (const name of ["outbox", "saving"]) form.dataset[name] = count(form.dataset[name]);
    for (const each of [document.querySelector("#main h1"), ...form.querySelectorAll("#unlock [data-change], #save")]) {
      each.textContent = count(each.textContent);
    }
  }

  function forgetPayout(form) {
    for (const each of form.querySelectorAll("#answer > :not(.dock, input)")) each.remove();
  }

  function clear(form, dealer) {
    forgetPayout(form);
    for (const each of form.elements) {
      if (each.name === "blind_round") continue;
      if (each.matches("[type=radio], [type=checkbox]")) each.checked = each.name === "dealer" && each.value === dealer;
      else if (each.matches("[type=text], textarea, [name=line]")) each.value = "";
    }
    for (const each of form.querySelectorAll("details[open]")) each.open = false;
    form.elements.begun?.remove();
    form.elements.active_of.value = form.elements.dealer_proposed.value = dealer;
  }

  // Remove the pots: they show the state before the waiting hand, and only the server knows the new one.
  function follow(form, before) {
    document.getElementById("pots")?.remove();
    document.getElementById("notice")?.remove();
    if (!form.elements.follows) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "follows" }));
    form.elements.follows.value = before;
  }

  // `payouts` are those of the waiting hands, null for one that is not known.
  function goOn(form, dealer, number, before, payouts) {
    recount(form, number);
    follow(form, before);
    form.dataset.carried = JSON.stringify(payouts);
    form.elements.key.value = soloOutbox.newKey();
    form.removeAttribute("data-kept");
    clear(form, dealer);
    again(form);
  }

  document.addEventListener("click", (event) => {
    const form = find();
    if (!event.target.closest("[data-next]") || !form) return;
    form.dispatchEvent(new CustomEvent("goes", { bubbles: true }));
    const payouts = [...JSON.parse(form.dataset.carried || "[]"), payoutOf(form.dataset)];
    goOn(form, dealerAfter(said(form)), numberOf(form.dataset.outbox) + 1, form.elements.key.value, payouts);
    form.dispatchEvent(new CustomEvent("said", { bubbles: true }));
    soloOutbox.show();
    window.scrollTo(0, 0);
    document.querySelector("#main").focus({ preventScroll: true });
  });

  // Give an older page the revision of the last waiting hand, if only hands were recorded between the two.
  function catchUp(form, seen) {
    const { revision, seen_hands: hands } = form.elements;
    if (seen.revision - revision.value !== seen.seen_hands - hands.value) return;
    [revision.value, hands.value] = [seen.revision, seen.seen_hands];
    form.querySelector("[data-live]").dataset.revision = revision.value;
  }

  const payoutOf = ({ payout }) => (payout ? JSON.parse(payout) : null);

  // Returns the dealer of the last waiting hand and the next one; a dealer that nobody chose moves on with each hand.
  function dealerOf(form, waiting) {
    const [first] = waiting, proposed = first.seen_hands === form.elements.seen_hands.value && form.elements.dealer_proposed.value;
    let dealer = null, due = first.dealer || proposed || null;
    for (const hand of waiting) {
      const isSaid = hand.dealer && (hand.follows || hand.dealer !== hand.dealer_proposed);
      dealer = isSaid ? hand.dealer : due;
      due = dealerAfter({ ...hand, dealer });
    }
    return [dealer, due];
  }

  // If the next dealer is unknown, show the waiting hand itself, which is then sent from this form.
  function standStill(form, dealer, { fields, key, ...last }) {
    const state = {};
    for (const [name, value] of fields) (state[name] ||= []).push(value);
    recount(form, numberOf(last.what));
    if (state.follows) follow(form, state.follows[0]);
    form.elements.key.value = key;
    const [begun] = state.begun || state.seen_hands;
    const detail = { fields, state: { ...state, ...(dealer && { dealer: [dealer] }), begun } };
    form.dispatchEvent(new CustomEvent("draft:back", { bubbles: true, cancelable: true, detail }));
    form.setAttribute("data-kept", "");
    form.dispatchEvent(new CustomEvent("kept", { bubbles: true }));
  }

  // The page was loaded while hands wait. If it is newer than they are, leave the decision to the server.
  document.addEventListener("behind", (event) => {
    const form = event.target, waiting = event.detail.map((each) => Object.fromEntries(each.fields));
    const last = event.detail.at(-1), seen = waiting.at(-1);
    if (form.elements.follows || Number(form.elements.revision.value) > Number(seen.revision)) return;
    const [dealer, due] = dealerOf(form, waiting), payouts = event.detail.map(payoutOf);
    catchUp(form, seen);
    if (due) return goOn(form, due, numberOf(last.what) + 1, last.key, payouts);
    form.dataset.carried = JSON.stringify(payouts.slice(0, -1));
    standStill(form, dealer, last);
  });

  // An earlier hand that the ledger refused is saved or discarded first.
  document.addEventListener("unsent", ({ detail: { earlier } }) => {
    const form = find(), first = form?.querySelector("#first");
    if (!first) return;
    const before = earlier.find((each) => each.state === "refused" && each.address === new URL(form.action).pathname);
    form.dataset.before = before?.what ?? "";
    dock(form);
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#first")) return;
    const box = document.getElementById("pending");
    box.querySelector("[data-again]").focus({ preventScroll: true });
    box.scrollIntoView({ block: "center" });
  });

  // The hand before this one was saved, so the server can now compute this one's payout.
  document.addEventListener("carried", (event) => ask(event.target, 0));
})();
