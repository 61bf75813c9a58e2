/* Live pages: the server announces changes, and the page requests its content again.

   An element of #main names what the page follows: `data-live` is the URL of the stream, `data-revision` the number
   that the page was rendered at. When a higher number arrives, the event `live` is dispatched on this element; the
   page reloads itself (`hx-trigger="live"`), and forms have their own listeners. Without a stream the page polls every
   two seconds.

   A hidden page has no stream, and catches up when it becomes visible. A browser opens at most six connections to a
   plain HTTP server for all windows together, and a save that waits for a seventh is blocked. So only the first few
   visible windows keep a stream; each other one opens a stream every two seconds and closes it after the first number. */
(() => {
  "use strict";

  const ASKS_EVERY = 2000;
  const STREAMS_AGAIN_AFTER = 15000;
  const MOST_STREAMS = 3;
  const ANSWERED_WITHIN = 100;

  let stream = null;    // the open connection
  let since = 0;        // when this window asked for one; an earlier window comes first
  let isHeld = true;    // whether it stays open after the first number
  let address = null;   // the URL it follows
  let told = 0;         // the newest number received
  let asking = 0;       // the timer for polling instead
  let streaming = 0;    // the timer of the next try to stream
  let busy = 0;         // the page's pending requests, without those for news

  const page = () => document.querySelector("#main [data-live]");
  const news = document.getElementById("news");

  // Returns whether the page contains typed values or errors, which a reload would lose. A form that the server has
  // shown again counts as typed.
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
  const before = new Set();  // the times at which earlier windows asked
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
      if (lost && at) ask(at);  // so that the notice about the lost connection disappears
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

  // A sleeping phone and a hidden page have no stream; a new stream begins with the current number.
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", () => { end(); address = null; });
  addEventListener("pageshow", follow);

  // Wait for the page's own requests first, as their responses contain the news.
  const isNews = (event) => event.detail.ctx.sourceElement?.matches?.("[data-live]");
  document.addEventListener("htmx:before:request", (event) => { if (!isNews(event)) busy += 1; });
  document.addEventListener("htmx:finally:request", (event) => {
    if (isNews(event)) setTimeout(look, ASKS_EVERY);  // in case the server asked to come again
    else setTimeout(() => { busy -= 1; look(); });
  });

  // Announce a new hand to screen readers, but not what the page showed before.
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
