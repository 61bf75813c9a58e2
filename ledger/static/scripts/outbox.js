/* Nothing typed is ever lost: what is half entered, and what was sent and not yet answered, is kept in the browser
   (IndexedDB) and survives a reload, a closed tab, a phone that sleeps and a server that is gone.

   A form with `data-draft` is kept as it is filled in, under its address, and filled in again when its page is
   next opened. A form with `data-outbox` is kept when it is sent, with its key, until the ledger has answered;
   it is sent again from whatever page is open then: once, as its key says, and in order. Its words stand in
   `data-outbox`. A form that has its own way to be filled in hears
   `draft:back` (detail: fields, state), and prevents the default; it may say its state by the event `draft`. */
(() => {
  "use strict";

  const TRIES_EVERY = 3000;
  const LOOKS = new Set(["show", "compare", "look", "another"]);  // what a button does that saves nothing
  const OF_THE_PAGE = new Set(["csrf_token", "key", "revision", "do", "seen", "seen_hands", "begun"]);

  // --- the browser's own keeping -------------------------------------------------------------------

  const opened = new Promise((resolve, reject) => {
    const opening = indexedDB.open("solo-ledger", 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("drafts", { keyPath: "at" });
      opening.result.createObjectStore("outbox", { keyPath: "number", autoIncrement: true });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  let keeps = true;
  opened.catch(() => { keeps = false; });
  async function store(name, act) {
    const database = await opened;
    return new Promise((resolve, reject) => {
      const within = database.transaction(name, "readwrite");
      const asked = act(within.objectStore(name));
      within.oncomplete = () => resolve(asked?.result);
      within.onerror = within.onabort = () => reject(within.error);
    });
  }
  const all = (name) => store(name, (kept) => kept.getAll()).catch(() => []);
  const put = (name, value) => store(name, (kept) => kept.put(value)).catch(() => { keeps = false; });
  const drop = (name, key) => store(name, (kept) => kept.delete(key)).catch(() => {});

  // --- half entered --------------------------------------------------------------------------------

  const place = (form) => new URL(form.action, location.href).pathname;
  const fieldsOf = (form, submitter) =>
    [...new FormData(form, submitter)].filter(([, value]) => typeof value === "string");
  const isTyped = (form) => [...form.elements].some((each) => (
    each.matches("[type=radio], [type=checkbox]") ? each.checked !== each.defaultChecked
      : each.matches("input:not([type=hidden]), textarea") && each.value !== each.defaultValue
  ));
  const draftOf = (form) => form?.closest?.("form[data-draft]");

  function keepDraft(form, state = null) {
    const fields = fieldsOf(form).filter(([name]) => !OF_THE_PAGE.has(name));
    return put("drafts", { at: place(form), fields, state });
  }
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => {
      const form = draftOf(event.target);
      if (form && event.isTrusted) keepDraft(form);
      const sent = event.isTrusted && event.target.form?.elements.key?.value;
      if (!sent) return;
      forget(sent);  // it is changed, so it is no longer what was sent
      event.target.form.removeAttribute("data-kept");
    });
  }
  document.addEventListener("draft", (event) => {
    const form = draftOf(event.target);
    if (!form) return;
    if (event.detail.state === null) drop("drafts", place(form));
    else keepDraft(form, event.detail.state);
  });

  const back = document.getElementById("draft");
  // A form that shows what waits in the outbox is not typed over by what was entered after that: it is put aside.
  async function move(kept, at) {
    await put("drafts", { ...kept, at });
    await drop("drafts", kept.at);
  }
  async function bringBack() {
    const kept = counted(await all("outbox")), sent = new Set(kept.map((each) => each.key));
    for (const form of document.querySelectorAll("form[data-draft]")) {
      const isBegun = isTyped(form);
      if (!isBegun) tellOfWaiting(form, kept);
      const drafts = await all("drafts"), aside = `${place(form)} aside`;
      const own = drafts.find((each) => each.at === place(form)), after = drafts.find((each) => each.at === aside);
      if (sent.has(form.elements.key?.value)) {
        if (own) await move(own, aside);
        continue;
      }
      const half = own || after;
      if (!half || isBegun) continue;
      if (!own) await move(after, place(form));
      const event = new CustomEvent("draft:back", { bubbles: true, cancelable: true, detail: half });
      if (form.dispatchEvent(event)) await fillIn(form, half.fields);
      back.hidden = false;
    }
  }
  // The form of a new hand comes after those that wait (see next.js).
  function tellOfWaiting(form, kept) {
    const isHand = place(form).endsWith("/hands/new") && !kept.some((each) => each.key === form.elements.key.value);
    const detail = kept.filter((each) => isHand && each.state === "waiting" && each.address === place(form));
    if (!detail.length) return;
    form.dispatchEvent(new CustomEvent("behind", { bubbles: true, detail }));
    show();
  }
  // Where the page has all the fields they are filled in; else the ledger makes the page that has them.
  async function fillIn(form, fields) {
    const choices = (name) => [...form.elements].filter((each) => each.name === name && !each.matches(":disabled"));
    const isThere = ([name, value]) => choices(name).some((each) => (
      !each.matches("[type=radio], [type=checkbox]") || each.value === value));
    if (!fields.every(isThere)) {
      const guard = fieldsOf(form).filter(([name]) => OF_THE_PAGE.has(name));
      const asking = formOf(form.action, [...guard, ...fields, ["do", form.dataset.draft || "show"]]);
      const how = { "hx-post": form.action, "hx-target": "#main", "hx-select": "#main", "hx-swap": "outerMorph" };
      for (const [name, value] of Object.entries(how)) asking.setAttribute(name, value);
      const answered = new Promise((resolve) => asking.addEventListener("htmx:finally:request", resolve, { once: true }));
      htmx.process(asking);
      asking.requestSubmit();
      await answered;
      asking.remove();
      return;
    }
    const said = new Map();
    for (const [name, value] of fields) said.set(name, [...(said.get(name) || []), value]);
    for (const each of form.elements) {
      if (!each.name || OF_THE_PAGE.has(each.name)) continue;
      if (each.matches("[type=radio], [type=checkbox]")) each.checked = (said.get(each.name) || []).includes(each.value);
      else if (said.has(each.name) && each.matches("input, textarea, select")) each.value = said.get(each.name).shift() ?? "";
    }
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }
  function formOf(address, fields) {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: address, hidden: true });
    for (const [name, value] of fields) {
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    document.body.append(form);
    return form;
  }
  back.querySelector("button").addEventListener("click", async () => {
    for (const form of document.querySelectorAll("form[data-draft]")) await drop("drafts", place(form));
    location.reload();
  });

  // What somebody else has saved already is not entered once more.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-discards]"), form = draftOf(link?.closest("form"));
    if (!form) return;
    event.preventDefault();
    await drop("drafts", place(form));
    await forget(form.elements.key.value);
    location.assign(link.href);
  });

  // --- sent, and not yet answered ------------------------------------------------------------------

  const box = document.getElementById("pending");
  const ours = (each) => location.pathname.startsWith(each.club);

  function wordsOf(form) {
    const said = [];
    for (const each of form.elements) {
      if (!each.name || OF_THE_PAGE.has(each.name) || !each.checkVisibility?.()) continue;
      if (each.matches("[type=radio], [type=checkbox]")) {
        if (each.checked) said.push((each.labels[0]?.querySelector("bdi") || each.labels[0])?.textContent.trim());
      } else if (each.matches("input:not([type=hidden]), textarea") && each.value) said.push(each.value);
    }
    return said.filter(Boolean).join(" · ");
  }
  document.addEventListener("submit", (event) => {
    const form = event.target, by = event.submitter;
    const key = form.elements.key?.value;
    if (!form.matches("[data-outbox]") || !key) return;
    if (form.elements.do && (by?.name !== "do" || LOOKS.has(by.value))) return;
    answered.delete(key);
    keep({
      key,
      address: place(form),
      club: place(form).match(/^\/clubs\/\d+(?=\/)/)?.[0] || "/",
      fields: fieldsOf(form, event.submitter),
      what: form.dataset.outbox,
      words: form.dataset.said ?? wordsOf(form),
      state: "waiting",
    }).then(() => form.setAttribute("data-kept", ""));
    drop("drafts", place(form));
    back.hidden = true;
  }, true);
  // One after another: a field that is left when the button is tapped changes the form before it is sent.
  let turn = Promise.resolve();
  const others = new BroadcastChannel("solo-ledger-outbox");
  others.onmessage = () => { show(); sendLater(); };  // the page that sent it gets its answer first
  function inTurn(act) {
    turn = turn.then(act).then(() => { others.postMessage("changed"); return show(); });
    return turn;
  }
  const keep = (entry) => inTurn(async () => {
    const before = (await all("outbox")).find((each) => each.key === entry.key);
    await put("outbox", before ? { ...entry, number: before.number } : entry);
  });
  const forget = (key) => inTurn(async () => {
    for (const each of await all("outbox")) if (each.key === key) await drop("outbox", each.number);
  });
  // A page whose form is sent, or waits to be sent again, is not refreshed: that would give the form another key,
  // and the answer to it says what is new.
  // Nor is one that follows what is being sent: what is new to it is known (see goOn).
  document.addEventListener("live", (event) => {
    const isCarriedOn = sending && document.querySelector("form [name=follows]");
    if (isCarriedOn || document.querySelector("form[data-kept]")) event.stopImmediatePropagation();
  }, true);
  const answered = new Set();  // keys that the ledger has answered, which may take a moment to be forgotten
  const isHere = (each) => document.querySelector(`form[data-outbox] [name=key][value="${CSS.escape(each.key)}"]`);

  // The page's own form is answered: whatever the answer is, it is there to be read.
  document.addEventListener("htmx:after:request", (event) => {
    const { sourceElement: form, response } = event.detail.ctx;
    if (!form?.matches?.("form[data-outbox], form[data-draft]") || response.status >= 500) return;
    const key = form.elements.key?.value;
    if (key) {
      answered.add(key);
      forget(key);
    }
    if (response.raw?.headers.has("HX-Location")) drop("drafts", place(form));
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.sourceElement?.id === "watch") return;  // no more is entered; and it may yet be thrown away
    back.hidden = true;
    const isShownAgain = event.detail.ctx.request.method === "POST";
    for (const form of document.querySelectorAll("form[data-draft]")) if (isShownAgain) keepDraft(form);
    if (!isShownAgain) bringBack();
    show();
  });

  let sending = false, timer = 0;
  async function send() {
    if (sending) return;
    let tellOf = false;
    sending = true;
    clearTimeout(timer);
    try {
      for (const { number } of await all("outbox")) {
        const entry = (await all("outbox")).find((each) => each.number === number);
        if (entry?.state !== "waiting") continue;
        if (isHere(entry) || !await sendOne(entry)) break;  // what is here its own form sends
        tellOf = true;
      }
    } finally {
      sending = false;
    }
    if (tellOf) document.querySelector("#main [data-live]")?.dispatchEvent(new CustomEvent("live", { bubbles: true }));
    show();
    sendLater();
  }
  // Whether all that was kept before a form was sent is answered, so that it may be sent again itself.
  async function isNext(form) {
    const key = form.elements.key?.value;
    await turn;
    await send();
    const [first, ...rest] = (await all("outbox")).filter((each) => each.state === "waiting");
    return first?.key === key || !rest.some((each) => each.key === key);
  }
  async function sendLater() {
    const waits = (await all("outbox")).some((each) => each.state === "waiting");
    clearTimeout(timer);
    if (waits) timer = setTimeout(send, TRIES_EVERY);
  }
  // Whether the ledger has answered: it is saved, or is for somebody to look at.
  async function sendOne(entry) {
    let answer, text;
    try {
      answer = await fetch(entry.address, {
        method: "POST", body: new URLSearchParams(entry.fields), headers: { "HX-Request": "true" }, redirect: "manual",
      });
      text = await answer.text();
    } catch {
      return false;
    }
    if (answer.status >= 500 || answer.status === 429) return false;
    if (answer.headers.has("HX-Location")) {
      await goOn(entry);
      await drop("outbox", entry.number);
      return true;
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    const why = page.querySelector("#notice p, #faults .wrong, #faults li, #main .wrong, #main p");
    await put("outbox", { ...entry, state: "refused", why: why?.textContent.trim() || "" });
    return true;
  }
  // Each save is one revision, and a new hand's one hand more: what this device sent upon the same page has seen
  // its own save before it. Whose turn it is has moved on then: a dealer nobody touched is whoever is due, but of a
  // hand that was entered as the next one (`follows`), which the ledger holds against who is due.
  async function goOn(saved) {
    const session = saved.address.match(/^\/clubs\/\d+\/sessions\/\d+/)?.[0];
    const { revision: seen, seen_hands: dealt } = Object.fromEntries(saved.fields);
    const isHand = saved.address.endsWith("/hands/new");
    if (!session || !seen) return;
    for (const each of await all("outbox")) {
      if (each.number <= saved.number || !each.address.startsWith(`${session}/`)) continue;
      const { revision, dealer, dealer_proposed: proposed, follows } = Object.fromEntries(each.fields);
      if (revision !== seen) continue;
      const isMore = (name, value) => name === "revision" || (isHand && name === "seen_hands" && value === dealt);
      let fields = each.fields.map(([name, value]) => [name, isMore(name, value) ? String(Number(value) + 1) : value]);
      if (isHand && !follows && each.address === saved.address && dealer === proposed) {
        fields = fields.filter(([name]) => name !== "dealer" && name !== "seen").concat([["seen", "unseen"]]);
      }
      await put("outbox", { ...each, fields });
    }
    for (const form of document.querySelectorAll("form[data-outbox]")) {
      const { revision, seen_hands: hands, follows } = form.elements, isKept = form.matches("[data-kept]");
      if (!place(form).startsWith(`${session}/`) || revision?.value !== seen || !(follows || isKept)) continue;
      for (const each of isHand && hands?.value === dealt ? [revision, hands] : [revision]) each.value = Number(each.value) + 1;
      const page = form.querySelector("[data-live]");
      if (page) page.dataset.revision = revision.value;
      if (!isKept) form.dispatchEvent(new CustomEvent("carried", { bubbles: true }));
    }
  }

  // --- what the page shows of it -------------------------------------------------------------------

  // Hands that wait are counted on, however many pages they were entered upon at once.
  function counted(entries) {
    const last = {};
    return entries.map((each) => {
      if (!each.address.endsWith("/hands/new")) return each;
      const what = each.what.replace(/\d+/, (number) => (last[each.address] = Math.max(number, (last[each.address] || 0) + 1)));
      return { ...each, what };
    });
  }
  async function show() {
    const entries = counted(await all("outbox")).filter((each) => ours(each) && !isHere(each) && !answered.has(each.key));
    const list = box.querySelector("ul");
    list.replaceChildren(...entries.map((each) => {
      const row = box.querySelector(`template[data-of=${each.state}]`).content.firstElementChild.cloneNode(true);
      for (const part of ["what", "words", "why"]) {
        const at = row.querySelector(`[data-part=${part}]`);
        if (at) at.textContent = each[part] || "";
      }
      row.querySelector("[data-again]")?.addEventListener("click", () => lookAt(each));
      row.querySelector("[data-drop]")?.addEventListener("click", () => forget(each.key));
      return row;
    }));
    box.hidden = !entries.length;
  }
  // The ledger shows both versions: what was typed, and what has been saved meanwhile.
  const lookAt = (entry) => formOf(entry.address, entry.fields).submit();

  // --- a device that leaves a club keeps nothing of it ---------------------------------------------

  document.addEventListener("submit", (event) => {
    const club = event.target.dataset.leaves;
    if (!club) return;
    const isTheirs = (address) => address === club || address.startsWith(`${club}/`);
    all("drafts").then((kept) => kept.forEach((each) => isTheirs(each.at) && drop("drafts", each.at)));
    all("outbox").then((kept) => kept.forEach((each) => isTheirs(each.address) && drop("outbox", each.number)));
  }, true);

  for (const kind of ["online", "pageshow"]) addEventListener(kind, send);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
  document.addEventListener("live:back", send);
  function newKey() {
    const random = crypto.getRandomValues(new Uint8Array(16));
    return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // --- opened offline --------------------------------------------------------------------------------

  // A page as it was last seen, which the worker gave while nobody answered: what is sent from it was never sent before.
  if (document.documentElement.dataset.asSeen !== undefined) {
    for (const key of document.querySelectorAll("[name=key]:not([value^=at-])")) key.value = newKey();
  }
  if (navigator.serviceWorker) {
    addEventListener("load", () => navigator.serviceWorker.register(box.dataset.worker).catch(() => {}));
  }

  // Only once the page's other scripts hear of what is filled in.
  document.addEventListener("DOMContentLoaded", () => opened.then(() => { bringBack(); show(); }, () => {}));
  window.soloOutbox = { keeps: () => keeps, isNext, newKey, show };
})();
