/* Links to hands. On the page that replays a hand from a link (templates/replay.html): reads the line after # in the
   address, chooses the play sheet of its table, and shows the hand or what is wrong with the line. On the page of a hand:
   replays it from the step after #, and shares its link through the phone's share sheet if it has one. */
const soloLink = (() => {
  "use strict";

  const own = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);

  // Returns the play sheet of a record's table with its order of the cards, from the `tables` of all games
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

  // Returns the course of a line's hand; undefined if its table is unknown. Throws `LineError`.
  function courseOf(line) {
    const record = soloLine.read(line), sheet = sheetFor(soloReplay.data(), record);
    return sheet && soloCourse.courseOf(sheet, record);
  }

  /* --- the page that replays a link --- */

  // Shows one message about the line, or none.
  function complain(page, code, column) {
    for (const message of page.querySelectorAll("[data-wrong]")) {
      message.hidden = message.dataset.wrong !== code;
      for (const part of message.querySelectorAll("[data-column]")) part.textContent = column;
    }
    page.querySelector("textarea").setAttribute("aria-invalid", String(code !== ""));
  }

  let replay = null, replayed = "";  // what is replayed, and its line

  function draw() {
    const page = document.getElementById("replay");
    if (!page) return;
    const { line, step } = soloLine.split(location.hash);
    const hand = page.querySelector("#replayed");
    if (!hand.hidden && line === replayed) {
      replay.goToStep(step);
      replay.root.scrollIntoView({ block: "nearest" });
      return;
    }
    hand.hidden = true;
    complain(page, "", "");
    page.querySelector("details").open = true;
    if (!line) return;
    page.querySelector("textarea").value = line;
    try {
      const course = courseOf(line);
      if (course) show(page, hand, course, line, step);
      else complain(page, "unknown-table", "");
    } catch (error) {
      if (!(error instanceof soloLine.LineError)) throw error;
      const isCutOff = error.code === "line-cut";
      complain(page, isCutOff && !beginsAsLine(line) ? "no-line" : error.code, error.column);
    }
  }

  // Returns whether a text begins with the name of a game, as each line does.
  const beginsAsLine = (text) => Object.keys(soloReplay.data().games).some((game) => text.startsWith(game));

  function element(tag, properties = {}, ...content) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...content);
    return made;
  }

  // Returns a name, or another text of the record, that can't reorder what is around it.
  const isolated = (text) => element("bdi", {}, text ?? "");

  // Returns how the hand ended before its last card, in a sentence; "" if it was played out.
  function endingOf({ record, seats, partner }) {
    const { contract = {}, conceded, claimed, stopped } = record, { texts } = soloReplay.data();
    const side = [contract.bidder, partner].filter(Boolean), others = seats.filter((name) => !side.includes(name));
    const sentence = (text, by, n) =>
      soloCardText.fill(text, { who: soloReplay.namesIn(own({ bidder: side, opponents: others }, by) ?? [by]), n });
    if (conceded) return sentence(texts.gave_up, conceded);
    if (stopped) return sentence(texts.stopped, "bidder");
    if (!claimed) return "";
    const key = ["tricks", "points"].find((each) => each in claimed);
    return sentence(key ? texts[`claimed_${key}`] : texts.claimed, claimed.by, claimed[key]);
  }

  // Returns the sentence about the points of the widow or the discard, "" if there are none to count.
  function asideOf(course) {
    const state = course.play && soloCourse.stateAfter(course, course.plays.map(({ card }) => card));
    const points = soloCourse.pointsAside(course, state);
    return points ? soloCardText.fill(soloReplay.data().texts.aside, { n: points }) : "";
  }

  function show(page, hand, course, line, step) {
    const { record, rows, sheet, partner } = course, { titles, calls } = soloReplay.data();
    const aside = asideOf(course), ending = endingOf(course);
    const { bidder, trump, called } = record.contract || {};
    const bid = own(sheet.bids, record.contract?.bid);
    let count = 0;
    const linked = (card) => cardLink(line, card, count += 1);
    const slots = {
      game: titles[record.game], bidder, partner, note: record.note, aside, ending,
      bid: bid && own(calls, record.contract.bid), trump: trump && soloCardText.sign(trump), called: called && soloCardText.face(called),
    };
    for (const slot of hand.querySelectorAll("[data-slot]")) slot.replaceChildren(slots[slot.dataset.slot] || "");
    const conditions = {
      partner: bid && partner, alone: bid && !partner, called: bid && called, "not-called": bid && !called,
      passed: record.contract?.bid === "pass", tricks: rows.length, note: record.note, aside, ending,
    };
    for (const part of hand.querySelectorAll("[data-if]")) part.hidden = !conditions[part.dataset.if];
    hand.querySelector("[data-list=calls]").replaceChildren(...(record.auction || []).map(([seat, call, doubler]) =>
      element("li", {}, isolated(seat), " ", element("strong", {}, own(calls, call) ?? call),
        ...(doubler ? [" ", isolated(doubler)] : []))));
    const body = hand.querySelector("[data-list=tricks]"), hasPoints = bid?.counts === "points";
    hand.querySelector("thead .figure").hidden = !hasPoints;
    body.replaceChildren(...rows.map((row, at) => trickRow(row, at + 1, body.dataset, linked, hasPoints)));
    hand.hidden = false;
    page.querySelector("details").open = false;
    const onStep = (name) => {
      mark(body, name);
      keepAddress(soloLine.fragment(line, name));
    };
    replayed = line;
    replay = soloReplay.open(hand.querySelector(".replay-place"), course, { step, onStep });
    mark(body, step);
  }

  // Returns the face of a card as a link to the step at which it is played; an unknown card has a question mark.
  function cardLink(line, card, count) {
    const face = card === soloCourse.UNKNOWN ? element("span", {}, card) : soloCardText.face(card);
    const link = element("a", { href: soloLine.fragment(line, `card-${count}`) }, face);
    face.dataset.card = card;
    link.dataset.step = `card-${count}`;
    return link;
  }

  function mark(list, step) {
    for (const link of list.querySelectorAll("[data-step]")) link.ariaCurrent = link.dataset.step === step ? "step" : null;
  }

  // Lets the address be the link to what is seen; browsers refuse to change it many times a second.
  let settling = 0;
  function keepAddress(address) {
    clearTimeout(settling);
    settling = setTimeout(() => history.replaceState(history.state, "", address), 100);
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
    if (!line) complain(event.target.closest("#replay"), "no-line", "");
    else if (line === shown.line && step === shown.step) draw();
    else location.hash = soloLine.fragment(line, step);
  });

  /* --- the page of a hand --- */

  // Replays the hand; the same one again only changes the step.
  function drawSaved() {
    const place = document.querySelector(".replay-place[data-line]"), step = location.hash.slice(1);
    if (!place) return;
    const { line } = place.dataset;
    if (line === replayed && place.contains(replay.root)) return replay.goToStep(step);
    const course = courseOf(line);
    if (!course) return;
    replayed = line;
    replay = soloReplay.open(place, course, { step, onStep: (name) => keepAddress(name ? `#${name}` : location.pathname + location.search) });
  }

  document.addEventListener("click", async (event) => {
    const { share, title } = event.target.closest("[data-share]")?.dataset ?? {};
    if (!share) return;
    try {
      await navigator.share({ title, url: document.querySelector(share).value });
    } catch { /* whoever closed the share sheet can still copy the link */ }
  });

  function drawAll() {
    draw();
    drawSaved();
  }

  function start() {
    for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
    const address = document.querySelector("[data-player]")?.dataset.player, page = document.getElementById("replay");
    if (!address) return;
    if (soloReplay.data()) drawAll();
    else soloReplay.load(address).then(drawAll, () => page && complain(page, "not-loaded", ""));
  }

  addEventListener("hashchange", start);
  document.addEventListener("htmx:after:swap", start);
  start();

  return { sheetFor, courseOf };
})();
