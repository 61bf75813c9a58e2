/* Keeps the form of the next hand ahead, so that a phone without a connection can go on from the newest one, and says on
   a stored copy that it is older than what this device has seen. */
(() => {
  "use strict";

  const { all, put, newKey } = window.soloOutbox;

  // The service worker returned a stored copy of the page, so give its forms new keys.
  const isAsSeen = document.documentElement.dataset.asSeen !== undefined;
  if (isAsSeen) {
    for (const key of document.querySelectorAll("[name=key]:not([value^=at-])")) key.value = newKey();
    document.addEventListener("live:back", () => document.getElementById("seen-at")?.remove());  // the news follows
  }
  if (navigator.serviceWorker) {
    const { worker } = document.getElementById("pending").dataset;
    addEventListener("load", () => navigator.serviceWorker.register(worker).catch(() => {}));
  }

  // Stores the newest number that this device has seen of a session; a save adds one. The service worker keeps the form
  // of the next hand at that number, also if it was never opened here.
  async function note(saves = 0) {
    const page = document.querySelector("#main [data-live]");
    if (!page) return;
    // On a stored copy this may be older than what the device has seen elsewhere.
    const known = isAsSeen && (await all("drafts")).find((each) => each.at === page.dataset.live)?.number;
    const number = Math.max(Number(page.dataset.revision) + saves, known || 0);
    await put("drafts", { at: page.dataset.live, number });
    const form = document.querySelector("#main :is(a[href$='/hands/new'], form[action$='/hands/new'])");
    if (!form || saves) return;
    const { pathname } = new URL(form.href || form.action);
    navigator.serviceWorker?.ready.then(({ active }) => active.postMessage({ form: pathname, number }));
  }
  // Shows on a stored copy of the form that this device has seen changes since.
  async function compare() {
    const page = document.querySelector("#hand [data-live]");
    const newest = (await all("drafts")).find((each) => each.at === page?.dataset.live)?.number;
    if (!(Number(page?.dataset.revision) < newest)) return;
    const older = Object.assign(document.createElement("div"), { id: "older", className: "notice", role: "status" });
    older.textContent = document.documentElement.dataset.asSeen;
    document.getElementById("hand").before(older);
  }

  document.addEventListener("DOMContentLoaded", () => (isAsSeen ? compare() : note()));
  window.soloAhead = { note };
})();
