/* Live pages: the server announces changes, and the page requests its content again.

   What a page follows stands in an element of #main: `data-live` is the address of the stream, `data-revision`
   the number that the page was made at. When a higher one is told, the event `live` is dispatched there: a
   page that asks again does so upon it (`hx-trigger="live"`), a form of its own hears it. Where no stream can
   be had, the page asks every two seconds.

   A page out of sight streams nothing, and catches up once it is seen. A browser holds six connections to a plain
   HTTP server for all its windows together, and one that waits for the seventh saves nothing. So of the windows
   that are seen side by side the first few hold a stream; the others open one every two seconds, for the first
   number that it tells. */
(() => {
  "use strict";

  const ASKS_EVERY = 2000;
  const STREAMS_AGAIN_AFTER = 15000;
  const MOST_STREAMS = 3;
  const ANSWERED_WITHIN = 100;

  let stream = null;    // the open connection
  let since = 0;        // when this window asked for one: whoever asked before comes first
  let isHeld = true;    // whether it is held, or given up after the first number
  let address = null;   // the URL it follows
  let told = 0;         // the newest number received
  let asking = 0;       // the timer for polling instead
  let streaming = 0;    // the timer of the next try to stream
  let busy = 0;         // the page's pending requests, without those for news

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
    if (wanted === address && (stream || asking || streaming)) return;
    end();
    address = wanted;
    told = 0;
    if (wanted) begin();
  }
  const windows = new BroadcastChannel("solo-ledger-streams");
  const before = new Set();  // the windows that come first, each by when it asked
  windows.onmessage = ({ data: { asks, streams } }) => {
    if (asks > since && address && isHeld) windows.postMessage({ streams: since });
    if (!(streams < since)) return;
    before.add(streams);
    if (stream && before.size >= MOST_STREAMS) later(ASKS_EVERY);
  };
  function begin() {
    since = Date.now() + Math.random();
    isHeld = true;
    before.clear();
    windows.postMessage({ asks: since });
    clearTimeout(streaming);
    streaming = setTimeout(() => {
      isHeld = before.size < MOST_STREAMS;
      open();
    }, ANSWERED_WITHIN);
  }
  function later(milliseconds) {
    stream?.close();
    stream = null;
    isHeld = false;
    clearTimeout(streaming);
    streaming = setTimeout(begin, milliseconds);
  }
  function open() {
    let lost = false;
    const own = stream = new EventSource(address);
    own.onopen = () => {
      stopAsking();
      const at = page();
      if (lost && at) ask(at);  // so that the line which says that nobody answers goes
      if (lost || isHeld) document.dispatchEvent(new CustomEvent("live:back"));
      lost = false;
    };
    own.onmessage = (event) => {
      told = Math.max(told, Number(event.data));
      look();
      if (!isHeld) later(ASKS_EVERY);
    };
    own.onerror = () => {
      lost = true;
      askInstead();
      if (own.readyState === EventSource.CLOSED) later(STREAMS_AGAIN_AFTER);
    };
  }
  function end() {
    stream?.close();
    stream = null;
    clearTimeout(streaming);
    streaming = 0;
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
    .map((each) => each.textContent.trim().replace(/\s+/g, " ")).join(". ")
    .replace(/([.。])\. /g, "$1 ");  // a whole sentence has its own stop
  let heardOf = said();
  document.addEventListener("htmx:after:swap", (event) => {
    const now = said();
    if (isNews(event) && now && now !== heardOf) heard.textContent = now;
    heardOf = now;
    news.hidden = true;
    isShownAgain = event.detail.ctx.request.method === "POST";
    follow();
    look();
  });

  follow();
})();
