/* What the pages need of a script besides htmx. Everything works without it, in a plain way. */
(() => {
  "use strict";

  // A press on a button that sends a form counts once, until the page comes back.
  document.addEventListener("submit", (event) => {
    const watch = event.target.dataset.watched && document.querySelector(event.target.dataset.watched);
    if (watch) watch.dispatchEvent(new CustomEvent("htmx:abort"));
    if (event.defaultPrevented || event.target.hasAttribute("hx-post")) return;
    for (const button of event.target.querySelectorAll("button[type=submit]")) {
      setTimeout(() => { button.disabled = true; });
    }
  });
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    for (const button of document.querySelectorAll("button[type=submit]:disabled")) button.disabled = false;
  });

  // A morph leaves what was ticked by hand; the server's word on what is chosen is the newer one.
  document.addEventListener("htmx:after:swap", (event) => {
    const within = document.getElementById("main");
    if (!within) return;
    for (const input of within.querySelectorAll("input[type=radio], input[type=checkbox]")) {
      if (input.checked !== input.defaultChecked) input.checked = input.defaultChecked;
    }
    for (const input of within.querySelectorAll("input[data-follow]")) input.value = input.defaultValue;
    for (const wrong of within.querySelectorAll("details .wrong")) wrong.closest("details").open = true;
    if (event.target === document.body) window.scrollTo(0, 0);
    forgetNotice();
  });

  // A notice of what was saved is for once: reloading the page shows it without.
  function forgetNotice() {
    const address = new URL(location.href);
    if (!address.searchParams.has("saved") && !address.searchParams.has("done")) return;
    address.searchParams.delete("saved");
    address.searchParams.delete("done");
    history.replaceState(history.state, "", address);
  }
  forgetNotice();

  // Say when the ledger can't be reached; the next answer takes it back.
  const reached = (online) => {
    const line = document.getElementById("offline");
    if (line && line.hidden !== online) line.hidden = online;
  };
  document.addEventListener("htmx:error", () => reached(false));
  document.addEventListener("htmx:after:request", (event) => {
    reached(true);
    // Whoever is let in no longer is told so by the page itself.
    const { sourceElement, response } = event.detail.ctx;
    if (sourceElement.id === "board" && [401, 403, 404].includes(response.status)) location.reload();
  });

  // Counting up and down beside a number; what is typed there counts as any other.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (!button) return;
    const field = document.getElementById(button.dataset.for);
    const count = Number.parseInt(field.value || "0", 10);
    field.value = Math.max((Number.isNaN(count) ? 0 : count) + Number(button.dataset.step), 0);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

  // Copying: the clipboard is there under HTTPS only, so a home table copies by selecting.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.querySelector(button.dataset.copy);
    field.select();
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
      else document.execCommand("copy");
      button.textContent = button.dataset.copied;
    } catch { /* it stays selected, to be copied by hand */ }
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-select]")) event.target.select();
  });
})();
