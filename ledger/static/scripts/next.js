/* The next hand, entered upon the page of one that waits to be sent: the same questions, none of them answered, and
   dealt by whoever is due after the hand that was entered. Hands go out one after another (see outbox.js), and the
   ledger shows one again, instead of saving it, whose dealer is not due after all. */
(() => {
  "use strict";

  const { find, inputs, again, ask, description } = soloHand;

  function dealerAfter(form) {
    const { seats, after } = description();
    const [dealer, bidder, bid, blind] = ["dealer", "bidder", "bid", "blind_round"]
      .map((name) => inputs(form, name).find((each) => each.checked)?.value);
    if (blind === "yes" || after[bid] === "unknown") return null;
    return after[bidder] === "stays" ? dealer : seats[(seats.indexOf(dealer) + 1) % seats.length];
  }

  // In a blind round the deal depends on what only the ledger knows.
  document.addEventListener("waits", (event) => {
    const form = event.target, isKnown = dealerAfter(form) !== null;
    form.querySelector("[data-next]").hidden = !isKnown;
    for (const line of form.querySelectorAll("#unlock > p")) line.hidden = isKnown;
  }, true);

  // Wherever the page says which hand it is.
  function recount(form) {
    const was = form.dataset.outbox.match(/\d+/)[0], now = String(Number(was) + 1);
    const count = (text) => text.replace(was, now);
    document.title = count(document.title);
    for (const name of ["outbox", "saving"]) form.dataset[name] = count(form.dataset[name]);
    for (const each of [document.querySelector("#main h1"), ...form.querySelectorAll("#unlock [data-change], #save")]) {
      each.textContent = count(each.textContent);
    }
  }

  function clear(form, dealer) {
    for (const each of form.querySelectorAll("#answer > :not(.dock, input)")) each.remove();
    for (const each of form.elements) {
      if (each.name === "blind_round") continue;
      if (each.matches("[type=radio], [type=checkbox]")) each.checked = each.name === "dealer" && each.value === dealer;
      else if (each.matches("[type=text]")) each.value = "";
    }
    for (const each of form.querySelectorAll("details[open]")) each.open = false;
    form.elements.begun?.remove();
    form.elements.active_of.value = form.elements.dealer_proposed.value = dealer;
  }

  // The pots are the ledger's to say: they stand as they were before the hand that waits.
  function follow(form) {
    document.getElementById("pots")?.remove();
    document.getElementById("notice")?.remove();
    const { key } = form.elements;
    if (!form.elements.follows) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "follows" }));
    form.elements.follows.value = key.value;
    key.value = soloOutbox.newKey();
    form.removeAttribute("data-kept");
  }

  document.addEventListener("click", (event) => {
    const form = find();
    if (!event.target.closest("[data-next]") || !form) return;
    const dealer = dealerAfter(form);
    form.dispatchEvent(new CustomEvent("goes", { bubbles: true }));
    recount(form);
    follow(form);
    clear(form, dealer);
    again(form);
    form.dispatchEvent(new CustomEvent("said", { bubbles: true }));
    soloOutbox.show();
    window.scrollTo(0, 0);
    document.querySelector("#main").focus({ preventScroll: true });
  });

  // The hand before it was saved meanwhile: now the ledger can say what this one comes to.
  document.addEventListener("carried", (event) => ask(event.target, 0));
})();
