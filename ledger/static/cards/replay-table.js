/* Draws a card table as SVG in the size of its place, so that its text has the size of the page's: the seat at the bottom
   and all others around, each with its name and its hand, and the trick between them (replay.js says what lies where). */
const soloTable = (() => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";
  const STEP = 0.62, HEIGHT = 1.4, ROW = 1.16;  // in widths of a card: the next card, its height, the next row
  const LETTER = 0.64, LEAST_FONT = 9;  // the width of a letter in sizes of the font, and its smallest size in pixels
  const LEAST = 240;  // the width and height of the smallest table, in pixels
  const SUITS = {
    S: "M0-.95C1.3-.05 1 .6.5.6.25.6.1.45.08.35.1.6.2.85.35.95H-.35C-.2.85-.1.6-.08.35-.1.45-.25.6-.5.6-1 .6-1.3-.05 0-.95Z",
    H: "M0 .9C-1.3 0-1-.85-.45-.85-.15-.85 0-.6 0-.45 0-.6.15-.85.45-.85 1-.85 1.3 0 0 .9Z",
    D: "M0-1 .72 0 0 1-.72 0Z",
    C: "M0-.95a.42.42 0 1 1 0 .84.42.42 0 1 1 0-.84ZM-.5-.14a.42.42 0 1 1 0 .84.42.42 0 1 1 0-.84ZM.5-.14a.42.42 0 1 1"
      + " 0 .84.42.42 0 1 1 0-.84ZM-.1 0H.1C.1.5.2.85.35.95H-.35C-.2.85-.1.5-.1 0Z",
  };

  function shape(tag, attributes = {}, ...content) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...content);
    return made;
  }

  const number = (value) => Math.round(value * 100) / 100;
  const at = (x, y, angle = 0) => `translate(${number(x)} ${number(y)})${angle ? ` rotate(${number(angle)})` : ""}`;

  // Returns the best number of rows for cards in a box, with their width.
  function fit(width, height, count) {
    const fits = [1, 2].map((rows) => ({
      rows,
      unit: Math.min(width / (1 + (Math.ceil(count / rows) - 1) * STEP), height / (HEIGHT + 0.1 + (rows - 1) * ROW)),
    }));
    return fits[1].unit > 1.15 * fits[0].unit ? fits[1] : fits[0];
  }

  // Returns where everything lies on a table: `cells` and `spots` for the hands and the trick, clockwise from the bottom.
  // As many seats are at each side as leave the cards largest.
  function layoutOf(width, height, count, size) {
    const font = Math.max(12, Math.min(width / 34, height / 30)), label = 2.5 * font, gap = 0.5 * font;
    const own = Math.min((width - 3 * gap) / (1 + (size - 1) * STEP), (size > 6 ? 0.15 : 0.11) * height);
    const bottom = own * HEIGHT * 1.12 + label + gap;
    const others = count - 1;
    let best = null;
    for (let side = 0; side <= others / 2; side += 1) {
      const top = others - 2 * side, aside = side ? Math.min(0.3 * width, 9 * own) : 0;
      const topHeight = top ? (side ? Math.max(0.22 * height, label + 3 * font) : 0.32 * height) : gap;
      const middle = height - topHeight - bottom, inner = width - 2 * aside;
      const topFit = top ? fit(width / top - gap, topHeight - label - gap, size) : { unit: Infinity };
      const sideFit = side ? fit(aside - gap, middle / side - label - gap, size) : { unit: Infinity };
      const unit = Math.min(topFit.unit, sideFit.unit, own);
      const trick = Math.min(1.5 * unit, own, middle / (HEIGHT + 0.1) / (side + (top ? 2 : 1)), inner / Math.max(top, 2.2) / 1.1);
      const worth = Math.min(unit, 1.2 * trick, 0.3 * (width / top), 0.3 * (aside || width));  // names need room, too
      if (!best || worth > 1.05 * best.worth)
        best = { side, top, aside, topHeight, middle, inner, unit, trick, worth, rows: { top: topFit.rows, side: sideFit.rows } };
    }
    return { width, height, font, label, gap, own, bottom, ...best, ...placesOf({ width, height, label, gap, own, bottom, ...best }) };
  }

  function placesOf({ width, height, gap, own, bottom, side, top, aside, topHeight, middle, inner, unit, trick, rows }) {
    const floor = height - bottom, strip = trick * (HEIGHT + 0.1);
    const begin = topHeight + (top ? strip : 0), sideRoom = floor - strip - begin;
    const cells = [{ x: gap, y: floor, width: width - 2 * gap, height: bottom, unit: own, rows: 1, isOwn: true }];
    const spots = [{ x: width / 2, y: floor - strip / 2 }];
    const addSide = (place, isLeft) => {
      const y = topHeight + (place * middle) / side;
      cells.push({ x: isLeft ? gap / 2 : width - aside + gap / 2, y, width: aside - gap, height: middle / side, unit, rows: rows.side });
      const x = aside + 0.6 * trick + gap / 2;
      spots.push({ x: isLeft ? x : width - x, y: begin + ((place + 0.5) * sideRoom) / side });
    };
    for (let place = side - 1; place >= 0; place -= 1) addSide(place, true);
    for (let place = 0; place < top; place += 1) {
      const x = (place * width) / top;
      cells.push({ x: x + gap / 2, y: gap / 2, width: width / top - gap, height: topHeight, unit, rows: rows.top });
      const inward = side ? aside + ((place + 0.5) * inner) / top : x + width / top / 2;
      spots.push({ x: inward, y: topHeight + strip / 2 });
    }
    for (let place = 0; place < side; place += 1) addSide(place, false);
    // Cards in the middle stand beside the bottom seat's card if they would be too small above it.
    const beside = (inner - trick) / 2, isLow = sideRoom < strip;
    const centre = isLow ? { x: aside + beside / 2, y: floor - strip / 2, height: strip, width: beside - gap }
      : { x: width / 2, y: begin + sideRoom / 2, height: sideRoom, width: inner };
    return { cells, spots, centre };
  }

  // Returns a card: its face or its back, which may have a sign; that of an unknown card is a question mark.
  function cardShape({ card, isOpen, classes = "", sign = isOpen ? card : "" }, unit) {
    const height = unit * HEIGHT, outline = { x: number(-unit / 2), y: number(-height / 2), width: number(unit), height: number(height), rx: number(unit / 9) };
    if (!isOpen || card === "?") {
      const inset = unit / 9, inner = shape("rect", {
        x: number(inset - unit / 2), y: number(inset - height / 2), width: number(unit - 2 * inset), height: number(height - 2 * inset), rx: number(unit / 14),
      });
      const text = shape("text", { y: number(unit * 0.2), "font-size": number(unit * 0.55) }, sign);
      return shape("g", { class: `back ${classes}` }, shape("rect", outline), inner, text);
    }
    const colour = card[1] === "H" || card[1] === "D" ? "red" : "black", letter = soloCardText.rankOf(card);
    const left = -unit * 0.22, path = (x, y, size) => shape("path", { d: SUITS[card[1]], transform: `${at(x, y)} scale(${number(size)})` });
    const isWide = letter.length > 1;
    const rank = shape("text", {
      x: number(isWide ? -unit * 0.17 : left), y: number(-height / 2 + 0.5 * unit), "font-size": number(unit * (isWide ? 0.43 : 0.52)),
    }, letter);
    const suits = [path(left, -height / 2 + 0.8 * unit, unit * 0.2)];
    if (classes.includes("played")) suits.push(path(unit * 0.16, height / 2 - 0.36 * unit, unit * 0.26));
    return shape("g", { class: `face suit ${colour} suit-${card[1]} ${classes}`, "data-card": card }, shape("rect", outline), rank, ...suits);
  }

  // Returns cards as a fan of one or two rows, from the middle of the upper edge.
  function fan(cards, { x, y, width, unit, rows, isOwn }) {
    const perRow = Math.ceil(cards.length / rows), bend = (isOwn ? 16 : 8) / Math.max(perRow, 4);
    const shapes = cards.map((card, index) => {
      const row = Math.floor(index / perRow), count = Math.min(perRow, cards.length - row * perRow);
      const step = count > 1 ? Math.min(0.8 * unit, (width - unit) / (count - 1)) : 0;
      const off = index - row * perRow - (count - 1) / 2;
      const lift = (card.classes ?? "").includes("offered") ? -0.12 * unit : 0;
      const group = shape("g", { transform: at(x + off * step, y + unit * (HEIGHT / 2 + row * ROW) + (off * off * bend * step) / 140 + lift, off * bend) });
      group.append(cardShape(card, unit));
      return group;
    });
    return shape("g", { class: "fan" }, ...shapes);
  }

  // Returns a box of the page's text; it is cut off rather than drawn over others.
  function box({ x, y, width, height }, ...content) {
    const place = shape("foreignObject", { x: number(x), y: number(y), width: number(Math.max(width, 1)), height: number(height) });
    place.append(...content);
    return place;
  }

  function seatShape(seat, cell, layout) {
    const { element } = soloCardText, { font, label } = layout;
    const isNarrow = cell.width < 6 * font;
    const name = element("div", `seat ${seat.classes} ${isNarrow ? "narrow" : ""}`, element("bdi", "", seat.name), ...(seat.count ? [element("b", "", seat.count)] : []));
    name.dataset.seat = seat.seat;
    // The longest word of the name fits the place, if its letters can still be read.
    const longest = Math.max(...seat.name.split(/[\s-]/u).map((word) => word.length));
    const isMarked = seat.count && !isNarrow, room = cell.width - (isMarked ? 2 * font : 0);
    name.style.setProperty("--font", `${number(Math.min(font, Math.max(LEAST_FONT, room / (LETTER * longest))))}px`);
    const cardsHeight = cell.unit * (HEIGHT + (cell.rows - 1) * ROW);
    const top = cell.isOwn ? cell.y : cell.y + label + Math.max(0, (cell.height - label - cardsHeight) / 2 - font);
    const words = cell.isOwn ? cell.y + cell.height - label : top - label - 0.1 * font;
    const hand = fan(seat.cards, { ...cell, x: cell.x + cell.width / 2, y: top });
    const shapes = [hand, box({ x: cell.x, y: words, width: cell.width, height: label }, name)];
    if (seat.call) {
      const bubble = element("div", `bubble ${seat.call.isNewest ? "newest" : ""}`, element("span", "", seat.call.text));
      shapes.push(box({ x: cell.x, y: top + cardsHeight - 0.1 * cell.unit - label / 2, width: cell.width, height: 1.2 * label }, bubble));
    }
    return shape("g", {}, ...shapes);
  }

  function playedShape({ card, classes = "" }, spot, layout) {
    const { trick, width, height } = layout;
    const placed = shape("g", { transform: at(spot.x, spot.y, ((spot.x - width / 2) / width) * 10) }, cardShape({ card, isOpen: true, classes: `played ${classes}` }, trick));
    placed.firstChild.style.setProperty("--from-x", `${number((spot.x - width / 2) * 0.6)}px`);
    placed.firstChild.style.setProperty("--from-y", `${number((spot.y - height / 2) * 0.6)}px`);
    return placed;
  }

  // Draws a table: `seats` clockwise from the bottom, each with name, count, cards, and its card of the trick or its call;
  // `centre` are cards in the middle with their label.
  function draw(svg, { seats, centre, size }) {
    const { clientWidth, clientHeight } = svg.parentElement;
    if (!clientWidth || !clientHeight) return;
    // A place too small for cards and names shows a larger table, smaller.
    const scale = Math.max(1, LEAST / clientWidth, LEAST / clientHeight), width = scale * clientWidth, height = scale * clientHeight;
    const layout = layoutOf(width, height, seats.length, size);
    svg.setAttribute("viewBox", `0 0 ${number(width)} ${number(height)}`);
    svg.style.setProperty("--font", `${layout.font}px`);
    const { spots, cells } = layout;
    const shapes = [
      shape("ellipse", { class: "middle", cx: width / 2, cy: number(layout.topHeight + layout.middle / 2), rx: number(0.46 * layout.inner), ry: number(layout.middle / 2) }),
      ...seats.map((seat, place) => seatShape(seat, cells[place], layout)),
    ];
    for (const [place, seat] of seats.entries()) {
      if (seat.played) shapes.push(playedShape(seat.played, spots[place], layout));
    }
    if (centre.cards.length) {
      const { x, y, height: room, width: wide } = layout.centre, line = 1.4 * layout.font;
      const unit = Math.min(0.8 * layout.trick, wide / (1 + centre.cards.length * STEP), (room - line) / HEIGHT);
      const top = y - (unit * HEIGHT + line) / 2;
      shapes.push(fan(centre.cards, { x, y: top, width: wide, unit, rows: 1 }));
      const words = soloCardText.element("div", "seat aside", centre.label);
      shapes.push(box({ x: x - wide / 2, y: top + unit * HEIGHT + 2, width: wide, height: line }, words));
    }
    svg.replaceChildren(...shapes);
  }

  return { draw };
})();
