/* Links to hands. On the page that replays a hand from a link (templates/replay.html): reads the line after # in the
   address, chooses the play sheet of its table, and shows the hand or what is wrong with the line. On the page of a
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
    const { line, step } = soloLine.split(location.hash);
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
      else show(page, hand, { tables, sheet, record, cardLink: linkOf(line, step) });
    } catch (error) {
      if (!(error instanceof soloLine.LineError)) throw error;
      complain(page, error.code, error.column);
    }
  }

  // Returns the tricks with their leaders, winners and points, as far as the contract and the cards show them.
  function follow(sheet, { players, dealer, active, contract, tricks = [] }) {
    const left = players.indexOf(dealer) + 1;
    const order = [...players.slice(left), ...players.slice(0, left)];
    const count = (sheet.pack.split(" ").length - sheet.widow) / sheet.size;
    const seats = active ? order.filter((name) => active.includes(name)) : order.slice(0, count);
    const rows = tricks.map((trick) => ({ cards: trick.cards.split(" ").filter(Boolean), leader: trick.leader }));
    const bid = own(sheet.bids, contract?.bid), bidder = seats.indexOf(contract?.bidder);
    if (!bid || bidder < 0) return { bid, rows };
    const setup = soloReferee.setupOf(sheet, { ...contract, seats: seats.length, bidder });
    const cards = rows.flatMap((row) => row.cards);
    const known = cards.includes("?") ? cards.slice(0, cards.indexOf("?")) : cards;
    const played = soloReferee.referee(sheet.order, setup, known).tricks;
    let side = 0;
    for (const [at, row] of rows.entries()) {
      const { leader, winner, points, cards: found } = played[at] || {};
      if (!found || (row.leader && row.leader !== seats[leader])) break;  // an unknown card, or a lead out of turn
      row.leader = seats[leader];
      if (found.length < seats.length) break;
      Object.assign(row, { winner: seats[winner], points });
      row.best = (winner - leader + seats.length) % seats.length;
      if ([contract.bidder, contract.partner].includes(row.winner)) side += bid.counts === "points" ? points : 1;
      row.side = side;
    }
    return { bid, rows };
  }

  function element(tag, properties = {}, ...content) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...content);
    return made;
  }

  // Returns a name, or another text of the record, that can't reorder what is around it.
  const isolated = (text) => element("bdi", {}, text ?? "");

  function show(page, hand, { tables, sheet, record, cardLink }) {
    const { bid, rows } = follow(sheet, record);
    const faces = page.querySelector("template").content;
    const face = (card) => faces.querySelector(`[data-card="${card}"]`)?.cloneNode(true) ?? card;
    let count = 0;
    const linked = (card) => cardLink(face(card), count += 1);
    const { bidder, partner, trump, called } = record.contract || {};
    const slots = {
      game: tables.titles[record.game], bidder, partner, note: record.note,
      bid: bid && own(tables.calls, record.contract.bid), trump: trump && face(trump), called: called && face(called),
    };
    for (const slot of hand.querySelectorAll("[data-slot]")) slot.replaceChildren(slots[slot.dataset.slot] || "");
    const conditions = {
      partner: bid && partner, alone: bid && !partner, called: bid && called, "not-called": bid && !called,
      passed: record.contract?.bid === "pass", tricks: rows.length, note: record.note,
    };
    for (const part of hand.querySelectorAll("[data-if]")) part.hidden = !conditions[part.dataset.if];
    hand.querySelector("[data-list=calls]").replaceChildren(...(record.auction || []).map(([seat, call, doubler]) =>
      element("li", {}, isolated(seat), " ", element("strong", {}, own(tables.calls, call) ?? call),
        ...(doubler ? [" ", isolated(doubler)] : []))));
    const body = hand.querySelector("[data-list=tricks]"), hasPoints = bid?.counts === "points";
    hand.querySelector("thead .figure").hidden = !hasPoints;
    body.replaceChildren(...rows.map((row, at) => trickRow(row, at + 1, body.dataset, linked, hasPoints)));
    hand.hidden = false;
    page.querySelector("details").open = false;
    body.querySelector("[aria-current]")?.focus();
  }

  // Returns a function that makes the face of a card a link to the step at which it is played.
  function linkOf(line, step) {
    return (face, count) => {
      const link = element("a", { href: soloLine.fragment(line, `card-${count}`) }, face);
      if (step === `card-${count}`) link.ariaCurrent = "step";
      return link;
    };
  }

  function trickRow(row, number, { leads, wins }, linked, hasPoints) {
    const cards = row.cards.flatMap((card, at) =>
      [at === row.best ? element("strong", { className: "best" }, linked(card)) : linked(card), " "]);
    const cell = (className, label, name) => {
      const made = element("td", { className }, isolated(name));
      made.dataset.label = label;
      return made;
    };
    return element("tr", {}, element("th", { scope: "row" }, String(number)), cell("leads", leads, row.leader),
      element("td", { className: "row-of-cards" }, ...cards), cell("wins", wins, row.winner),
      ...(hasPoints ? [element("td", { className: "figure" }, String(row.points ?? "–"))] : []),
      element("td", { className: "figure" }, element("strong", {}, String(row.side ?? "–"))));
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
