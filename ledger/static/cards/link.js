/* Links to hands. On the page that replays a hand from a link (templates/replay.html): reads the line after # in the
   address, chooses the play sheet of its table, and draws the hand or says what is wrong with the line. On the page of a
   hand: shares its link through the phone's share sheet if it has one. */
const soloLink = (() => {
  "use strict";

  const own = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);

  // Returns the play sheet of a record's table with its order of the cards, from the `tables` of the page
  // (engine/guide/play_sheets.py); undefined for an unknown game, variant, number of seats or house rule.
  function sheetFor(tables, record) {
    const game = own(tables.games, record.game);
    const variant = record.rules ?? game?.default;
    const options = game && own(game.options, variant);
    if (!options) return undefined;
    const chosen = { ...options, ...record.options };
    const values = Object.keys(options).map((option) => chosen[option]);
    const sheet = tables.sheets[own(game.tables, [variant, record.players.length, ...values].join("/"))];
    return sheet && { ...sheet, order: tables.orders[sheet.ranking] };
  }

  // Shows one message about the line, or none.
  function complain(page, code, column) {
    for (const message of page.querySelectorAll("[data-wrong]")) {
      message.hidden = message.dataset.wrong !== code;
      for (const part of message.querySelectorAll("[data-column]")) part.textContent = column;
    }
    page.querySelector("textarea").setAttribute("aria-invalid", String(code !== ""));
  }

  function draw() {
    const page = document.getElementById("replay");
    if (!page) return;
    const { line } = soloLine.split(location.hash);
    const hand = page.querySelector("#replayed");
    hand.hidden = true;
    complain(page, "", "");
    page.querySelector("details").open = true;
    if (!line) return;
    page.querySelector("textarea").value = line;
    try {
      const record = soloLine.read(line);
      const tables = JSON.parse(page.querySelector("script").textContent);
      const sheet = sheetFor(tables, record);
      if (!sheet) complain(page, "unknown-table", "");
      else show(page, hand, tables, record);
    } catch (error) {
      if (!(error instanceof soloLine.LineError)) throw error;
      complain(page, error.code, error.column);
    }
  }

  function show(page, hand, tables, record) {
    hand.querySelector("[data-game]").textContent = tables.titles[record.game];
    const tricks = (record.tricks || []).map(({ cards }) => cards);
    hand.querySelector("ol").replaceChildren(...tricks.map((cards) =>
      Object.assign(document.createElement("li"), { textContent: cards })));
    hand.hidden = false;
    page.querySelector("details").open = false;
  }

  // Pasting a line, or a link to one, opens it as a link would.
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("#paste")) return;
    event.preventDefault();
    const { line, step } = soloLine.split(event.target.querySelector("textarea").value);
    const shown = soloLine.split(location.hash);
    if (!line) complain(event.target.closest("#replay"), "line-cut", "");
    else if (line === shown.line && step === shown.step) draw();
    else location.hash = soloLine.fragment(line, step);
  });
  document.addEventListener("click", async (event) => {
    const { share, title } = event.target.closest("[data-share]")?.dataset ?? {};
    if (!share) return;
    try {
      await navigator.share({ title, url: document.querySelector(share).value });
    } catch { /* whoever closed the share sheet can still copy the link */ }
  });

  function start() {
    for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
    draw();
  }

  addEventListener("hashchange", draw);
  document.addEventListener("htmx:after:swap", start);
  start();

  return { sheetFor };
})();
