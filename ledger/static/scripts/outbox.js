/* Stores drafts and unanswered forms in the browser (IndexedDB), so that they survive a reload, a closed tab, a sleeping
   phone and an unreachable server.

   A form with `data-draft` is stored while it is filled in, under its URL, and filled in again when its page is next
   opened. A form with `data-outbox` (its title) is stored with its key when it is sent, until the server has answered.
   Any open page sends it again, in order; the key ensures that it is saved once. A form that restores itself listens
   to `draft:back` (detail: fields, state) and prevents the default; it passes its state with the event `draft`. */
(() => {
  "use strict";

  const TRIES_EVERY = 3000;
  const LOOKS = new Set(["show", "compare", "look", "another"]);  // the buttons that save nothing
  const OF_THE_PAGE = new Set(["csrf_token", "key", "revision", "do", "seen", "seen_hands", "begun"]);

  // --- the browser's database ----------------------------------------------------------------------

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

  // --- drafts --------------------------------------------------------------------------------------

  const place = (form) => new URL(form.action, location.href).pathname;
  const fieldsOf = (form, submitter) =>
    [...new FormData(form, submitter)].filter(([, value]) => typeof value === "string");
  const isTyped = (form) => [...form.elements].some((each) => (
    each.matches("[type=radio], [type=checkbox]") ? each.checked !== each.defaultChecked
      : each.matches("input:not([type=hidden]), textarea") && each.value !== each.defaultValue
  ));
  const draftOf = (form) => form?.closest?.("form[data-draft]");

  function keepDraft(form, state = null, all = fieldsOf(form)) {
    const fields = all.filter(([name]) => !OF_THE_PAGE.has(name));
    return put("drafts", { at: place(form), fields, state });
  }
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => {
      const form = draftOf(event.target);
      // A form that restores itself also stores itself, by the event `draft`.
      if (form && event.isTrusted && form.dataset.draft !== "none") keepDraft(form);
      const sent = event.isTrusted && event.target.form?.elements.key?.value;
      if (!sent) return;
      forget(sent);  // it was changed, so it differs from what was sent
      event.target.form.removeAttribute("data-kept");
    });
  }
  document.addEventListener("draft", (event) => {
    const form = draftOf(event.target);
    if (!form) return;
    if (event.detail.state === null) drop("drafts", place(form));
    else keepDraft(form, event.detail.state, event.detail.fields);
  });

  const back = document.getElementById("draft");
  // A draft that was typed after a form in the outbox is put aside while the page shows that form.
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
  // Passes the waiting hands to the form of a new hand, which continues after them (see next.js).
  function tellOfWaiting(form, kept) {
    const isHand = place(form).endsWith("/hands/new") && !kept.some((each) => each.key === form.elements.key.value);
    const detail = kept.filter((each) => isHand && each.state === "waiting" && each.address === place(form));
    if (!detail.length) return;
    form.dispatchEvent(new CustomEvent("behind", { bubbles: true, detail }));
    show();
  }
  // Fills in the fields; if the page lacks some of them, requests the page that has them from the server.
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

  // Discards a hand that another scorer has already saved.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-discards]"), form = draftOf(link?.closest("form"));
    if (!form) return;
    event.preventDefault();
    await drop("drafts", place(form));
    await forget(form.elements.key.value);
    location.assign(link.href);
  });

  // --- forms that were sent and are not answered yet -----------------------------------------------

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
      payout: form.dataset.payout,
      state: "waiting",
    }).then(() => form.setAttribute("data-kept", ""));
    drop("drafts", place(form));
    back.hidden = true;
  }, true);
  // One change after another, as leaving a field by tapping the button changes the form before it is sent.
  let turn = Promise.resolve();
  const others = new BroadcastChannel("solo-ledger-outbox");
  others.onmessage = () => { show(); sendLater(); };  // so that the page that sent a form gets its response first
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
  // Don't refresh a page whose form is being sent or waits to be sent again: it would get another key, and its response
  // contains the news anyway. Nor a page with the hand after the one being sent, as goOn updates it.
  document.addEventListener("live", (event) => {
    const isCarriedOn = sending && document.querySelector("form [name=follows]");
    if (isCarriedOn || document.querySelector("form[data-kept]")) event.stopImmediatePropagation();
  }, true);
  const answered = new Set();  // keys that the server has answered; removing them from the database takes a moment
  const isHere = (each) => document.querySelector(`form[data-outbox] [name=key][value="${CSS.escape(each.key)}"]`);

  // The page shows the response to its own form, so the form need not be stored any more.
  document.addEventListener("htmx:after:request", (event) => {
    const { sourceElement: form, response } = event.detail.ctx;
    if (!form?.matches?.("form[data-outbox], form[data-draft]") || response.status >= 500) return;
    const key = form.elements.key?.value;
    if (key) {
      answered.add(key);
      forget(key);
    }
    if (!response.raw?.headers.has("HX-Location")) return;
    drop("drafts", place(form));
    if (place(form).endsWith("/hands/new")) window.soloAhead.note(1);
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.sourceElement?.id === "watch") return;  // a preview enters nothing, and may still be discarded
    back.hidden = true;
    const isShownAgain = event.detail.ctx.request.method === "POST";
    for (const form of document.querySelectorAll("form[data-draft]")) if (isShownAgain) keepDraft(form);
    if (!isShownAgain) bringBack();
    window.soloAhead.note();
    show();
  });

  // Returns whether a hand waits until an earlier one of its session, which was refused, is saved or discarded.
  const isBehind = (entry, kept) => entry.address.endsWith("/hands/new") && kept.some((each) => (
    each.number < entry.number && each.state === "refused" && each.address === entry.address));
  let sending = false, timer = 0;
  async function send() {
    if (sending) return;
    let tellOf = false;
    sending = true;
    clearTimeout(timer);
    try {
      for (const { number } of await all("outbox")) {
        const kept = await all("outbox"), entry = kept.find((each) => each.number === number);
        if (entry?.state !== "waiting" || isBehind(entry, kept)) continue;
        if (isHere(entry) || !await sendOne(entry)) break;  // the form on this page sends itself
        tellOf = true;
      }
    } finally {
      sending = false;
    }
    if (tellOf) document.querySelector("#main [data-live]")?.dispatchEvent(new CustomEvent("live", { bubbles: true }));
    show();
    sendLater();
  }
  // Returns whether all forms stored before this one are answered, so that it may be sent again.
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
  // Returns whether the server has answered: the form is saved, or marked as refused for somebody to look at.
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
  // Updates later forms of the same session after a save. Each save is one revision, and a new hand one hand more; this
  // device has seen its own save. A dealer that nobody chose is left to the server, except in a hand entered as the
  // next one (`follows`), whose dealer the server compares with the one who is due.
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
      if (isKept) continue;
      form.dispatchEvent(new CustomEvent("carried", { bubbles: true }));
      window.soloAhead.note();
    }
  }

  // --- the list of waiting forms -------------------------------------------------------------------

  // Numbers the waiting hands one after another, also if they were entered on several pages.
  function counted(entries) {
    const last = {};
    return entries.map((each) => {
      if (!each.address.endsWith("/hands/new")) return each;
      const what = each.what.replace(/\d+/, (number) => (last[each.address] = Math.max(number, (last[each.address] || 0) + 1)));
      return { ...each, what };
    });
  }
  async function show() {
    const kept = counted(await all("outbox")), own = kept.find(isHere);
    const entries = kept.filter((each) => ours(each) && !isHere(each) && !answered.has(each.key));
    const rows = entries.map((each) => {
      const row = box.querySelector(`template[data-of=${each.state}]`).content.firstElementChild.cloneNode(true);
      for (const part of ["what", "words", "why"]) {
        const at = row.querySelector(`[data-part=${part}]`);
        if (at) at.textContent = each[part] || "";
      }
      row.querySelector("[data-again]")?.addEventListener("click", () => lookAt(each));
      row.querySelector("[data-drop]")?.addEventListener("click", () => forget(each.key));
      return row;
    });
    box.querySelector("ul").replaceChildren(...rows);
    box.hidden = !entries.length;
    const earlier = own ? entries.filter((each) => each.number < own.number) : entries;
    document.dispatchEvent(new CustomEvent("unsent", { detail: { entries, rows, earlier } }));
  }
  // Sends the form, so that the server shows the typed values beside what was saved meanwhile.
  const lookAt = (entry) => formOf(entry.address, entry.fields).submit();

  // --- a device that leaves a club deletes its data ------------------------------------------------

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

  // Wait for the other scripts, which listen to what is filled in.
  document.addEventListener("DOMContentLoaded", () => opened.then(() => {
    bringBack();
    show();
  }, () => {}));
  window.soloOutbox = { keeps: () => keeps, isNext, newKey, show, all, put };
})();
