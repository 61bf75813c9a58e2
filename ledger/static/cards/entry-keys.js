/* Taps, typed letters and pasted text in the dialog for entering cards. "th" is the ten of hearts, Backspace undoes
   it, Enter ends, Escape leads back to the form. */
(() => {
  "use strict";

  const { words, typed } = soloCardText;
  const { dialog, part } = soloEntryView;
  const WAITS = 700;  // for another letter, if the letters so far are already a card, as "ak" and "akr" in German

  let letters = "", timer = 0;

  const isOpen = () => Boolean(dialog()?.open);

  function menu() {
    const { texts } = words(), { element } = soloCardText, seats = [...soloEntry.names().keys()];
    const isLarge = dialog().classList.contains("large");
    const field = element("textarea", "cards");
    field.rows = 2;
    field.setAttribute("aria-label", texts.typed_cards);
    field.placeholder = texts.typed_cards;
    field.dir = "ltr";
    soloEntry.ask(texts.more, "", [
      [texts.play_typed, () => soloEntry.paste(field.value)],
      [isLarge ? texts.small : texts.large, soloEntry.resize],
      [texts.deal, () => soloEntry.collect(seats)],
      [texts.hand_over, soloEntryLink.show],
    ], field);
  }

  const ACTIONS = {
    close: soloEntry.close,
    done: soloEntry.close,
    undo: soloEntry.undo,
    finish: soloEntry.finish,
    skip: soloEntry.skip,
    claim: soloEntry.claim,
    "give-up": soloEntry.giveUp,
    widow: () => soloEntry.collect([soloEntryDeal.WIDOW]),
    menu,
  };

  document.addEventListener("click", (event) => {
    const target = event.target.closest("button");
    if (target?.id === "open-card-entry") return soloEntry.open();
    if (!isOpen() || !dialog().contains(target)) return undefined;
    const { card, trick, do: action } = target.dataset;
    if (card) soloEntry.press(card);
    else if (trick) soloEntry.backTo(Number(trick));
    else ACTIONS[action]?.();
    // A key that was hidden would leave the focus nowhere.
    if (card && !soloEntry.isAsking()) part("title").focus({ preventScroll: true });
    return undefined;
  });

  // The second tap of a double tap on the last card would hit the form below.
  document.addEventListener("click", (event) => {
    if (event.detail < 2 || !soloEntry.isFresh()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  function commit(card) {
    clearTimeout(timer);
    letters = "";
    soloEntry.press(card);
  }

  function type(key) {
    clearTimeout(timer);
    const spellings = typed(), isBegun = (text) => [...spellings.keys()].some((each) => each.startsWith(text));
    letters = isBegun(letters + key) ? letters + key : isBegun(key) ? key : "";
    const card = spellings.get(letters), isLonger = [...spellings.keys()].some((each) => each !== letters && each.startsWith(letters));
    if (card && !isLonger) commit(card);
    else if (card) timer = setTimeout(() => commit(card), WAITS);
  }

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!isOpen() || event.ctrlKey || event.altKey || event.metaKey || target.matches("input, textarea")) return;
    if (soloEntry.isAsking()) return;
    if (key === "Backspace") letters ? (letters = letters.slice(0, -1)) : soloEntry.undo();
    else if (key === "Enter" && !target.matches("button, summary")) enter();
    else if (key.length === 1 && key !== " ") type(key.toLowerCase());
    else return;
    event.preventDefault();
  });

  function enter() {
    const card = typed().get(letters);
    if (card) commit(card);
    else if (!dialog().querySelector("[data-do=finish]").hidden) soloEntry.finish();
    else soloEntry.close();
  }

  document.addEventListener("paste", (event) => {
    if (!isOpen() || soloEntry.isAsking() || event.target.matches("input, textarea")) return;
    event.preventDefault();
    soloEntry.paste(event.clipboardData.getData("text"));
  });

  // Escape closes a question first.
  document.addEventListener("cancel", (event) => {
    if (event.target !== dialog() || !soloEntry.isAsking()) return;
    event.preventDefault();
    soloEntry.dismiss();
  }, true);
  document.addEventListener("close", (event) => {
    if (event.target === dialog()) soloEntry.closed();
  }, true);

  const refresh = (event) => setTimeout(() => soloEntry.refresh(event?.isTrusted || event?.type === "said"));
  for (const kind of ["change", "input", "said", "draft:back", "htmx:after:swap"]) document.addEventListener(kind, refresh);
  // Another scorer's hand changes the form, and perhaps who leads: show it.
  document.addEventListener("htmx:after:swap", (event) => {
    if (isOpen() && event.detail.ctx.sourceElement?.id !== "watch") soloEntry.close();
  });

  // The dialog and its words are a file of their own, which browsers store for good.
  let isFetched = false;
  async function fetchPad() {
    const address = document.querySelector("[data-card-pad]")?.dataset.cardPad;
    if (!address || isFetched) return;
    isFetched = true;
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(String(answer.status));
      document.body.insertAdjacentHTML("beforeend", await answer.text());
    } catch {
      isFetched = false;  // the form also works without it
      return;
    }
    soloEntryLink.receive();
    refresh();
  }
  for (const kind of ["htmx:after:swap", "live:back"]) document.addEventListener(kind, fetchPad);
  fetchPad();
})();
