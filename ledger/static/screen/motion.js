/* What moves on the board view: ranks that swap, chips from payer to payee, and the player whose line the chart shows.
   Nothing moves for people who asked for less movement. */
(() => {
  "use strict";

  const SHOWS_EACH = 5000;
  const SLIDES = 1400;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  const board = () => document.querySelector(".big-board");
  const rows = () => [...document.querySelectorAll(".big-standings tr[data-seat]")];
  const middle = (each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };

  // Remember what the board showed before news replace it.
  const seen = () => ({
    hand: Number(board()?.dataset.hand),
    session: board()?.dataset.session,
    tops: new Map(rows().map((row) => [row.dataset.seat, row.getBoundingClientRect().top])),
  });
  let before = seen();
  document.addEventListener("htmx:before:swap", () => { before = seen(); });
  document.addEventListener("htmx:after:swap", () => {
    stayAwake();
    if (!board() || still.matches) return;
    const now = seen();
    if (now.session === before.session) {
      if (now.hand > before.hand) {
        document.documentElement.dataset.newHand = now.hand;  // for replay-board.js
        pay();
      }
      swapRanks();
    }
    before = now;
  });

  function swapRanks() {
    for (const row of rows()) {
      const moved = before.tops.get(row.dataset.seat) - row.getBoundingClientRect().top;
      if (Math.abs(moved) > 1) {
        row.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], {
          duration: SLIDES, easing: "ease-in-out", id: "rank",
        });
      }
    }
  }

  // One to five chips for each payment, compared with the largest. A pot, or a player who left, is in the middle.
  function pay() {
    const payments = JSON.parse(board().dataset.payments);
    const most = Math.max(...payments.map(([, , amount]) => amount));
    const place = (seat) => document.querySelector(`.at[data-seat="${seat}"]`) ?? document.querySelector(".middle");
    for (const [payer, payee, amount] of payments) {
      const [from, to] = [middle(place(payer)), middle(place(payee))];
      for (let chip = 0; chip < Math.ceil((5 * amount) / most); chip += 1) {
        fly(`chip seat-${payer}`, [
          { transform: `translate(${from[0]}px, ${from[1]}px) translate(-50%, -50%)` },
          { transform: `translate(${to[0]}px, ${to[1]}px) translate(-50%, -50%)` },
        ], { duration: SLIDES, delay: 120 * chip, easing: "ease-in-out", fill: "backwards", id: "chip" });
      }
    }
  }

  function fly(name, frames, options) {
    const piece = Object.assign(document.createElement("span"), { className: name, ariaHidden: "true" });
    document.body.append(piece);
    piece.animate(frames, options).finished.finally(() => piece.remove());
  }

  // The chart shows one player at a time, best first, and between two rounds all of them.
  let turn = -1;
  function showNext() {
    const seats = rows().map((row) => row.dataset.seat);
    turn = still.matches || !seats.length ? -1 : (turn + 2) % (seats.length + 1) - 1;
    const seat = seats[turn];
    for (const plot of document.querySelectorAll(".plot")) {
      plot.classList.toggle("one", seat !== undefined);
      for (const line of plot.querySelectorAll("polyline, .initials")) {
        line.classList.toggle("lit", line.classList.contains(`seat-${seat}`));
      }
    }
    for (const row of rows()) row.classList.toggle("lit", row.dataset.seat === seat);
  }
  setInterval(showNext, SHOWS_EACH);

  // Until the end that the table agreed on.
  function countDown() {
    const end = document.getElementById("ends");
    if (!end) return;
    const left = Math.ceil((new Date(end.dataset.at) - Date.now()) / 60000);
    const [hours, minutes] = [Math.floor(left / 60), String(left % 60).padStart(2, "0")];
    const time = hours ? `${hours}:${minutes} h` : `${left} min`;
    const text = left > 0 ? end.dataset.left.replace("{time}", time) : end.dataset.over;
    if (end.lastElementChild.textContent !== text) end.lastElementChild.textContent = text;
  }
  setInterval(countDown, 1000);
  document.addEventListener("htmx:after:swap", countDown);
  countDown();

  // During an evening the screen stays on if the browser allows it (with HTTPS, while the page is visible).
  let awake = null;
  async function stayAwake() {
    const isPlaying = !document.hidden && document.querySelector("[data-awake]");
    try {
      if (!isPlaying) await awake?.release();
      else if (!awake || awake.released) awake = await navigator.wakeLock?.request("screen");
    } catch { /* the screen may turn off */ }
  }
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();
})();
