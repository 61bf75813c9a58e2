/* Pages that follow: the server tells them when what they show has changed, and they ask for it again.

   What a page follows stands in an element of #main: `data-live` is the address of the stream, `data-revision`
   the number that the page was made at. When a higher one is told, the event `live` is dispatched there: a
   page that asks again does so upon it (`hx-trigger="live"`), a form of its own hears it. Where no stream can
   be had, the page asks every two seconds. */
(() => {
  "use strict";

  const ASKS_EVERY = 2000;
  const STREAMS_AGAIN_AFTER = 15000;

  let stream = null;    // the connection, while there is one
  let address = null;   // what it follows
  let told = 0;         // the newest number that was told
  let asking = 0;       // the timer of who asks instead
  let streaming = 0;    // the timer of the next try to stream
  let busy = 0;         // how many requests of the page are under way, besides asking for news

  const page = () => document.querySelector("#main [data-live]");
  const news = document.getElementById("news");

  // Whether somebody has typed or tapped something here, or reads what is wrong with it. What an answer to a
  // form shows again was typed, too.
  let isShownAgain = false;
  function isTyped() {
    if (isShownAgain) return true;
    const fields = document.querySelectorAll("#main :is(input:not([type=hidden]), textarea, select)");
    return [...fields].some((each) => each.form && (
      each.matches("[type=radio], [type=checkbox]") ? each.checked !== each.defaultChecked
        : each.matches("select") ? [...each.options].some((one) => one.selected !== one.defaultSelected)
          : each.value !== each.defaultValue
    )) || document.querySelector("#main :is(#faults, [aria-invalid])") !== null;
  }

  function ask(at) {
    if (at.hasAttribute("hx-get") && isTyped()) {
      news.hidden = !(told > Number(at.dataset.revision));
      return;
    }
    at.dispatchEvent(new CustomEvent("live", { bubbles: true, detail: { revision: told } }));
  }
  function look() {
    const at = page();
    if (at && !busy && told > Number(at.dataset.revision)) ask(at);
  }

  function askInstead() {
    if (asking || document.hidden) return;
    const next = () => {
      const at = page();
      if (at && !busy) ask(at);
      asking = setTimeout(next, ASKS_EVERY);
    };
    next();
  }
  function stopAsking() {
    clearTimeout(asking);
    asking = 0;
  }

  function follow() {
    const wanted = document.hidden ? null : page()?.dataset.live ?? null;
    if (wanted === address && (stream || asking)) return;
    end();
    address = wanted;
    told = 0;
    if (wanted) begin();
  }
  function begin() {
    let lost = false;
    const own = stream = new EventSource(address);
    own.onopen = () => {
      stopAsking();
      const at = page();
      if (lost && at) ask(at);  // so that the line which says that nobody answers goes
      lost = false;
      document.dispatchEvent(new CustomEvent("live:back"));
    };
    own.onmessage = (event) => {
      told = Math.max(told, Number(event.data));
      look();
    };
    own.onerror = () => {
      lost = true;
      askInstead();
      if (own.readyState !== EventSource.CLOSED) return;
      clearTimeout(streaming);
      stream = null;
      streaming = setTimeout(() => { if (!stream && address) begin(); }, STREAMS_AGAIN_AFTER);
    };
  }
  function end() {
    stream?.close();
    stream = null;
    clearTimeout(streaming);
    stopAsking();
  }

  // A phone that slept, or a page that lay behind another, streams no news; the first thing a new stream
  // tells is how things stand.
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", () => { end(); address = null; });
  addEventListener("pageshow", follow);

  // What the page itself asks for comes first, and shows what is new by itself.
  const isNews = (event) => event.detail.ctx.sourceElement?.matches?.("[data-live]");
  document.addEventListener("htmx:before:request", (event) => { if (!isNews(event)) busy += 1; });
  document.addEventListener("htmx:finally:request", (event) => {
    if (isNews(event)) setTimeout(look, ASKS_EVERY);  // in case it was answered to come again
    else setTimeout(() => { busy -= 1; look(); });
  });

  // A new hand is said to who hears the page instead of seeing it; what stood there before is not.
  const heard = document.getElementById("heard");
  const said = () => [...document.querySelectorAll("#main [data-told]")]
    .map((each) => each.textContent.trim().replace(/\s+/g, " ")).join(". ");
  let before = said();
  document.addEventListener("htmx:after:swap", (event) => {
    const now = said();
    if (isNews(event) && now && now !== before) heard.textContent = now;
    before = now;
    news.hidden = true;
    isShownAgain = event.detail.ctx.request.method === "POST";
    follow();
    look();
  });

  follow();
})();
