/* Behaviour of all pages beyond htmx. Pages also work without scripts. */
(() => {
  "use strict";

  // Send every form that writes through htmx, which keeps the typed values if the server doesn't answer. Unless the
  // form says otherwise, the response replaces #main.
  const SENT = '{"target": "#main", "select": "#main", "swap": "outerMorph", "push": "false"}';
  function take() {
    for (const form of document.querySelectorAll("form[method=post]:not([hx-post])")) {
      form.setAttribute("hx-boost", SENT);
      htmx.process(form);
    }
  }
  take();

  // The page ends above the fixed dock. A variable for the height would style all elements again whenever it changes.
  const endAbove = (dock) => {
    const height = dock ? dock.offsetHeight : 0, isFixed = dock && getComputedStyle(dock).position === "fixed";
    document.body.style.paddingBottom = isFixed ? `${height}px` : 0;
    document.documentElement.style.scrollPaddingBottom = `calc(${height}px + 1rem)`;
  };
  const measured = new ResizeObserver(([dock]) => endAbove(dock.target));
  function measure() {
    measured.disconnect();
    const dock = document.querySelector(".dock");
    if (dock) measured.observe(dock);
    else endAbove(null);
  }
  measure();

  // The web fonts of a page (ledger/web/frame/letters.py) load after it is drawn, and Chromium keeps missing-glyph boxes
  // that it has cached for a font size. An invisibly larger size makes it look for glyphs again.
  let drawn = 0;
  function redraw() {
    if (document.fonts.size) document.documentElement.style.setProperty("--drawn", `${(drawn += 1) / 20}px`);
  }
  document.fonts.addEventListener("loadingdone", redraw);
  document.fonts.ready.then(redraw);

  // A form is submitted once until its response arrives.
  const sending = new WeakSet();
  document.addEventListener("submit", (event) => {
    if (sending.has(event.target)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    const { watched } = event.target.dataset;
    for (const each of watched ? document.querySelectorAll(watched) : []) each.dispatchEvent(new CustomEvent("htmx:abort"));
  }, true);
  document.addEventListener("htmx:before:request", (event) => sending.add(event.detail.ctx.sourceElement));
  document.addEventListener("htmx:finally:request", (event) => sending.delete(event.detail.ctx.sourceElement));

  // htmx also fires this event for a 204, which swaps nothing.
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.response?.status === 204) event.stopImmediatePropagation();
  });

  // Returns whether a request fetches the page after a write: into the body, or only into #main.
  const isNextPage = (ctx) => ctx.sourceElement === document.body || ctx.sourceElement?.id === "main";

  // A morph keeps what the user has ticked, but the server's choice is newer.
  document.addEventListener("htmx:after:swap", (event) => {
    const within = document.getElementById("main");
    if (!within) return;
    if (event.detail.ctx.sourceElement?.id === "watch") return measure();  // it contains no inputs
    for (const input of within.querySelectorAll("input[type=radio], input[type=checkbox]")) {
      if (input.checked !== input.defaultChecked) input.checked = input.defaultChecked;
    }
    for (const input of within.querySelectorAll("input[data-follow]")) input.value = input.defaultValue;
    for (const wrong of within.querySelectorAll("details .wrong")) wrong.closest("details").open = true;
    take();
    measure();
    if (isNextPage(event.detail.ctx)) {
      window.scrollTo(0, 0);
      within.focus({ preventScroll: true });  // as the focused button is gone
    }
    if (event.detail.ctx.sourceElement?.matches?.("form")) {
      keepFocus(within, event.detail.ctx.request.submitter);
      showWhatIsWrong();
    }
    forgetNotice();
  });

  // If the button that sent the form is gone, focus the first one like it.
  function keepFocus(within, sent) {
    if (!sent || document.activeElement !== document.body) return;
    const like = [...within.querySelectorAll("button")].find((each) => each.name === sent.name && each.className === sent.className);
    (like || within).focus({ preventScroll: true });
  }

  // Before leaving a changed form with `data-asks`, ask that question.
  let entered = null;
  for (const kind of ["input", "change", "submit"]) {
    document.addEventListener(kind, (event) => {
      const { asks, draft } = (event.target.form || event.target).dataset || {};
      const isKept = draft !== undefined && window.soloOutbox?.keeps();
      if (asks && !isKept) entered = asks;
    }, true);
  }
  document.addEventListener("htmx:after:swap", () => {
    if (!document.querySelector("form[data-asks]")) entered = null;
  });
  addEventListener("beforeunload", (event) => { if (entered) event.preventDefault(); });
  // Some phones never fire beforeunload, so links ask, too.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!entered || !link || link.target || (link.hash && link.pathname === location.pathname)) return;
    if (confirm(entered)) entered = null;
    else event.preventDefault();
  });

  // Focus the first error of a refused form and scroll its message into view.
  const FIELD = "input:not([type=hidden]), select, textarea";
  function showWhatIsWrong(at) {
    const found = at || [...document.querySelectorAll("#main [aria-invalid], #main .wrong, #notice")]
      .find((each) => each.checkVisibility() && !each.closest("#faults, .dock"));
    const shown = found || document.getElementById("faults");
    if (!shown) return;
    const said = shown.matches(".wrong") && shown.closest(".field, fieldset");
    const field = shown.matches(FIELD) ? shown
      : (said && said.querySelector("[aria-invalid]")) || (said && said.querySelector(FIELD)) || shown;
    field.focus({ preventScroll: true });
    shown.scrollIntoView({ block: shown.id === "faults" || shown.id === "notice" ? "nearest" : "center" });
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#faults a, .sum a");
    const at = link && document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (!at) return;
    event.preventDefault();
    if (at.closest("details")) at.closest("details").open = true;
    showWhatIsWrong(at);
  });

  // Pages hold times in UTC and show them here by the reader's clock. For the report and messages a cookie names the time zone.
  const { lang } = document.documentElement;
  const clock = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { dateStyle: "medium", timeStyle: "short" });
  document.cookie = `solo-ledger-zone=${clock.resolvedOptions().timeZone}; path=/; max-age=34560000; samesite=lax`;
  function showTimes() {
    for (const time of document.querySelectorAll("time[datetime]")) time.textContent = clock.format(new Date(time.dateTime));
  }
  showTimes();
  document.addEventListener("htmx:after:swap", showTimes);

  // Scroll details into view when they open, so that the dock doesn't cover them.
  document.addEventListener("click", (event) => {
    const details = event.target.closest("summary")?.parentElement;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    if (details && !details.open) requestAnimationFrame(() => details.scrollIntoView({ block: "nearest", behavior }));
  });

  // Remove the notice's parameters from the URL, so that reloading the page doesn't repeat it.
  function forgetNotice() {
    const address = new URL(location.href);
    if (!address.searchParams.has("saved") && !address.searchParams.has("done")) return;
    for (const part of ["saved", "done", "who"]) address.searchParams.delete(part);
    history.replaceState(history.state, "", address);
  }
  forgetNotice();
  document.addEventListener("htmx:after:history:update", forgetNotice);

  // While the server can't be reached, show a line about it, and repeat the request once it is back. An unchanged form
  // is sent with its key, so that it is saved once. A form that was changed since is only previewed, and saved when
  // the user taps the button.
  const line = document.getElementById("offline");
  let again = null;
  const say = (what, form = null) => {
    line.textContent = form?.dataset[what] ?? line.dataset[what];
    line.hidden = false;
    if (form?.dataset.outbox && form.dataset[what]) form.dispatchEvent(new CustomEvent("waits"));
  };
  const reached = () => { if (!line.hidden) line.hidden = true; again = null; };
  const touch = (input) => input?.isConnected && input.dispatchEvent(new Event("change", { bubbles: true }));
  async function tryAgain() {
    const wanted = again;
    if (!wanted) return;
    try {
      if (!(await fetch(line.dataset.health, { cache: "no-store" })).ok) throw new Error("not yet");
    } catch {
      setTimeout(tryAgain, 1500);
      return;
    }
    const { form, submitter, input, address } = wanted;
    const isNext = !form?.isConnected || await window.soloOutbox?.isNext(form) !== false;
    if (again !== wanted) return tryAgain();
    if (!isNext) {
      setTimeout(tryAgain, 1500);
      return;
    }
    reached();
    if (address) {
      entered = null;
      location.assign(address);
    } else if (form?.isConnected) form.requestSubmit(submitter?.isConnected ? submitter : undefined);
    else touch(input);
  }
  // The form now contains the next hand; outbox.js sends this one.
  document.addEventListener("goes", reached);
  function waitFor(what) {
    const waits = again !== null;
    again = what;
    if (!waits) setTimeout(tryAgain, 1500);
  }
  // A reloaded page continues to wait with the form that was stored.
  document.addEventListener("kept", ({ target: form }) => {
    say("saving", form);
    waitFor({ form, submitter: form.querySelector("#save") });
  });
  let changed = null;
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => {
      changed = event.target;
      if (!again?.form?.contains(changed)) return;
      say("changed");
      again = { input: changed, was: "changed" };
    }, true);
  }
  // Firefox aborts the requests of a page at once when the page is left, and reports them as failed.
  let isLeft = false;
  addEventListener("beforeunload", () => { isLeft = true; });
  document.addEventListener("htmx:before:request", () => { isLeft = false; });
  document.addEventListener("htmx:error", (event) => {
    const ctx = event.detail.ctx;
    if (!ctx) return;
    const { sourceElement, request } = ctx;
    if (isLeft && !sourceElement.matches("form")) return;
    if (sourceElement.id === "meanwhile") return;  // taps work without the server
    if (sourceElement.id === "follows") return say("looking");
    if (isNextPage(ctx)) {
      say("looking");
      return waitFor({ address: request.action });
    }
    if (sourceElement.matches("form")) {
      say("saving", sourceElement);
      return waitFor({ form: sourceElement, submitter: request.submitter });
    }
    if (again?.form) return;
    const was = again?.was || "looking";
    say(was);
    waitFor({ input: changed, was });
  });
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    const { sourceElement, response } = ctx;
    if (response.status >= 500) {
      ctx.swap = "none";
      if (sourceElement.matches("form") && response.status === 503) {
        say("saving", sourceElement);
        return waitFor({ form: sourceElement, submitter: ctx.request.submitter });
      }
      if (sourceElement.id === "meanwhile") return;
      return say(sourceElement.id === "follows" ? "looking" : "failed");
    }
    const isFormElsewhere = again?.form?.isConnected && again.form !== sourceElement;
    if (again && (isFormElsewhere || sourceElement.matches("[data-live]"))) return;  // the waiting request is repeated separately
    reached();
    // A device whose access has ended gets the page that explains it.
    if (sourceElement.id === "follows" && [401, 403, 404].includes(response.status)) location.reload();
  });

  // The buttons beside a number; they fire the same event as typing.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (!button) return;
    const field = document.getElementById(button.dataset.for);
    const count = Number.parseInt(field.value || "0", 10);
    field.value = Math.max((Number.isNaN(count) ? 0 : count) + Number(button.dataset.step), 0);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

  document.addEventListener("click", ({ target }) => {
    const field = document.getElementById(target.closest("[data-fill]")?.dataset.fill);
    if (!field) return;
    field.value = target.textContent;
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
  });

  // Counting goes on to the next player; opening one folds the others, which have the same name.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-on]");
    const next = button?.closest(".counted").nextElementSibling?.querySelector("details");
    if (!next) return;
    next.open = true;
    if (button.type === "button") next.querySelector("summary").focus();  // as the button is folded too
  });

  // The clipboard API needs HTTPS; without it the text is selected and copied.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.querySelector(button.dataset.copy), folded = field.closest("details");
    if (folded) folded.open = true;  // nothing can be selected in a folded part
    field.select();
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
      else document.execCommand("copy");
      button.textContent = button.dataset.copied;
    } catch { /* it stays selected, to be copied manually */ }
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-select]")) event.target.select();
  });

  // Going back shows the browser's copy of a page, which may be outdated, so reload it. Pages with a form that writes
  // are left alone, so that typed values stay.
  addEventListener("pageshow", (event) => {
    const [way] = performance.getEntriesByType("navigation");
    const isKept = event.persisted || way?.type === "back_forward";
    if (isKept && !document.querySelector("[name=key]")) location.reload();
  });
})();
