/* Replays a hand on a drawn table, step by step or by itself, and lets the reader try other cards from any point. Nothing of it
   is stored or sent. Its page makes one with `open` and hears of each step. */
const soloReplay = (() => {
  "use strict";

  const { fill, filled, element, face, name, playInWords } = soloCardText;
  const EVERY = 1000;           // between two cards that are played by themselves
  const SWIPE = 36, TAP = 10;   // in pixels

  const texts = () => soloReplay.data().texts;
  const isolate = (text) => `\u2068${text}\u2069`;
  const namesIn = (names) => new Intl.ListFormat(document.documentElement.lang).format(names.map(isolate));
  const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  // Returns the names of all steps, as links have them; the first one, without a name, shows the deal.
  function stepsOf({ record, plays }) {
    const numbered = (kind, items) => items.map((_, at) => ({ kind, n: at + 1, name: `${kind}-${at + 1}` }));
    const exchange = record.exchange ? [{ kind: "exchange", n: 0, name: "exchange" }] : [];
    return [{ kind: "deal", n: 0, name: "" }, ...numbered("call", record.auction ?? []), ...exchange, ...numbered("card", plays)];
  }

  // Returns the steps at which the auction, the exchange or a trick is complete.
  function landmarksOf(steps, { plays }) {
    return [...steps.keys()].filter((at) => {
      const { kind, n } = steps[at], next = steps[at + 1];
      return !at || !next || (kind === "card" ? plays[n].trick !== plays[n - 1].trick : next.kind !== kind);
    });
  }

  class Replay {
    constructor(place, course, { step = "", isAlone = false, onStep = () => {} }) {
      this.course = course;
      this.steps = stepsOf(course);
      this.landmarks = landmarksOf(this.steps, course);
      this.sorted = soloCourse.sorter(course);
      Object.assign(this, { at: this.indexOf(step), viewer: -1, own: null, isTrying: false, isAlone, onStep, timer: 0 });
      place.replaceChildren(document.getElementById("replay-player").content.cloneNode(true));
      this.root = place.firstElementChild;
      this.svg = this.root.querySelector("[data-part=table] svg");
      this.part("play").hidden = !isAlone;
      this.part("viewer").append(...course.seats.map((seat, at) => new Option(seat, at)));
      this.part("idle").textContent = course.idle.length ? fill(texts().idle, { names: namesIn(course.idle) }) : "";
      this.part("slider").max = this.steps.length - 1;
      this.listen();
      new ResizeObserver(() => this.draw()).observe(this.svg.parentElement);
      this.show();
    }

    part(of) {
      return this.root.querySelector(`[data-part="${of}"]`);
    }

    indexOf(step) {
      return Math.max(0, this.steps.findIndex(({ name }) => name === step));
    }

    /* --- moving --- */

    goTo(at) {
      const next = Math.min(Math.max(at, 0), this.steps.length - 1);
      this.own = null;
      this.isTrying = false;
      if (next === this.at) return this.show();
      this.isNext = next === this.at + 1;
      this.at = next;
      this.show();
      this.onStep(this.steps[next].name);
    }

    goToStep(name) {
      if (this.indexOf(name) !== this.at) this.goTo(this.indexOf(name));
    }

    move(by) {
      if (this.isTrying) {
        if (by < 0) this.undo();
      } else this.goTo(this.at + by);
    }

    moveTrick(by) {
      const found = by > 0 ? this.landmarks.find((at) => at > this.at) : this.landmarks.findLast((at) => at < this.at);
      if (!this.isTrying) this.goTo(found ?? this.at);
    }

    get isOver() {
      return this.at === this.steps.length - 1;
    }

    // Plays by itself up to the end; a reader who wants no movement sees whole tricks.
    play() {
      this.stop();
      const isCalmNow = isCalm();
      this.timer = setInterval(() => {
        if (isCalmNow) this.moveTrick(1);
        else this.move(1);
        if (this.isOver) this.stop();
      }, isCalmNow ? 4 * EVERY : EVERY);
      this.showPlaying();
    }

    stop() {
      clearInterval(this.timer);
      this.timer = 0;
      this.showPlaying();
    }

    showPlaying() {
      this.part("play").classList.toggle("playing", this.timer > 0);
      this.part("play").ariaLabel = this.timer ? texts().pause : texts().play;
    }

    /* --- trying another card --- */

    // Returns the cards so far, those of the reader's own line included, and who played them.
    played() {
      const { course, own } = this, { kind, n } = this.steps[this.at];
      const recorded = course.plays.slice(0, kind === "card" ? n : 0);
      if (!own) return { plays: recorded, state: soloCourse.stateAfter(course, recorded.map((each) => each.card)) };
      const state = soloCourse.stateAfter(course, [...recorded.map((each) => each.card), ...own], true);
      return { plays: soloPlay.playsOf(course.play, state), state };
    }

    try() {
      this.isTrying = true;
      this.own = [];
      this.stop();
      this.show();
      this.part("choices").querySelector("button")?.focus();
    }

    choose(card) {
      this.own.push(card);
      this.isNext = true;
      this.show();
      (this.part("choices").querySelector("button") ?? this.button("undo")).focus();
    }

    undo() {
      if (!this.own.length) return this.leave();
      this.own.pop();
      this.show();
      if (this.part("own").contains(document.activeElement)) return;
      this.part("choices").querySelector("button")?.focus();
    }

    leave() {
      this.goTo(this.at);
      this.button("try").focus();
    }

    button(of) {
      return this.root.querySelector(`[data-do="${of}"]`);
    }

    /* --- showing --- */

    isOpen(seat) {
      const { play } = this.course, { kind } = this.steps[this.at];
      return this.viewer < 0 || this.isTrying || seat === this.viewer || (kind === "card" && play?.terms.spread && seat === play.bidder);
    }

    show() {
      this.draw();
      const { plays, state } = this.position, step = this.steps[this.at], slider = this.part("slider");
      const caption = this.own ? this.caption({ kind: "card", n: plays.length }) : this.caption(step);
      this.part("caption").textContent = caption;
      slider.value = this.at;
      slider.ariaValueText = caption;
      this.showSide();
      const isFirst = this.at === 0, choices = state && state.turn !== null ? [...state.legal, ...state.possible] : [];
      for (const of of ["back-trick", "back"]) this.button(of).ariaDisabled = String(isFirst);
      for (const of of ["next", "next-trick"]) this.button(of).ariaDisabled = String(this.isOver);
      this.button("try").ariaDisabled = String(!choices.length);
      this.part("steps").hidden = this.isTrying;
      this.part("own").hidden = !this.isTrying;
      if (this.isTrying) this.showChoices(choices, plays, state);
      this.part("live").textContent = this.sentence(step, plays, state);
      this.isNext = false;
    }

    caption({ kind, n }) {
      const { record, plays, seats, sheet } = this.course;
      const counts = { call: record.auction?.length, card: this.own ? sheet.size * seats.length : plays.length };
      return fill(texts()[kind], { n, of: counts[kind], trick: this.own ? Math.ceil(n / seats.length) || 1 : plays[n - 1]?.trick });
    }

    showSide() {
      const { state, plays } = this.position, { play, seats } = this.course;
      this.part("side").replaceChildren();
      if (!play || !state || !plays.length) return;
      const side = soloCourse.sideOf(this.course, plays.map((each) => each.card), state, (seat) => this.isOpen(seat));
      const who = element("bdi", "", namesIn(side.seats.map((seat) => seats[seat])));
      const key = side.goal ? play.terms.counts : `no_${play.terms.counts}`;
      this.part("side").replaceChildren(...filled(texts()[key], { who, n: side.count, goal: side.goal }));
    }

    showChoices(choices, plays, state) {
      const { seats } = this.course, trick = Math.floor((plays.length - this.own.length) / seats.length) + 1;
      this.part("whose").textContent = fill(texts().own, { trick });
      this.part("turn").textContent = state.turn === null ? "" : fill(texts().is_to_play, { who: isolate(seats[state.turn]) });
      this.part("choices").replaceChildren(...this.sorted(choices).map((card) => {
        const button = element("button", "secondary", face(card));
        Object.assign(button, { type: "button", ariaLabel: name(card) });
        button.dataset.choice = card;
        return button;
      }));
    }

    sentence({ kind, n }, plays, state) {
      const { record, seats, moves } = this.course, { calls } = soloReplay.data();
      const who = (seat) => isolate(seats[seat] ?? "?");
      if (kind === "call") {
        const [caller, call, doubler] = record.auction[n - 1];
        const values = { who: isolate(caller), call: Object.hasOwn(calls, call) ? calls[call] : call, doubler: isolate(doubler) };
        return fill(doubler ? texts().against : texts().calls, values);
      }
      if (kind === "exchange") return moves.map(({ card, from, to }) =>
        fill(texts().moves, { card: name(card), giver: seats[from] ? who(from) : texts().widow, taker: seats[to] ? who(to) : texts().discard })).join(" ");
      return plays.length ? playInWords(texts(), who, this.course.play, plays.at(-1), state) : "";
    }

    draw() {
      const { course, steps, at } = this, { kind, n } = steps[at], { seats, play } = course;
      this.position = this.played();
      const first = this.viewer >= 0 ? this.viewer : play?.bidder ?? 0;
      const order = [...seats.keys()].map((seat) => (first + seat) % seats.length);
      const before = kind === "deal" || kind === "call";
      const holders = before ? course.dealt : course.held;
      soloTable.draw(this.svg, {
        seats: order.map((seat) => this.seat(seat, holders[seat], kind === "card" || this.isTrying, n)),
        centre: this.centre(holders.at(-1), before),
        size: course.sheet.size,
      });
    }

    seat(seat, held, isPlayed, n) {
      const { course } = this, { plays, state } = this.position, { play } = course;
      const own = plays.filter((each) => each.seat === seat), left = held.filter((card) => !own.some((each) => each.card === card));
      const choices = this.isTrying && state?.turn === seat ? [...state.legal, ...state.possible] : [];
      const missing = Math.max(0, course.sheet.size - own.length - left.length), isOpen = this.isOpen(seat);
      const cards = [
        ...this.sorted(left).map((card) => ({ card, isOpen, classes: choices.includes(card) ? "offered" : this.isTrying ? "dim" : "" })),
        ...Array(missing).fill({ card: soloCourse.UNKNOWN, isOpen }),
      ];
      if (!isOpen && cards.length) cards.push({ ...cards.pop(), sign: String(cards.length + 1) });
      const trick = this.trick(), mine = trick.cards.find((each) => each.seat === seat);
      const isTurn = isPlayed || this.steps[this.at].kind === "exchange" ? state?.turn === seat : false;
      const side = state && play ? soloCourse.sideOf(course, plays.map((each) => each.card), state, (each) => this.isOpen(each)).seats : [];
      const counts = play?.terms.counts === "points" ? state?.points : state?.tricksWon;
      return {
        seat, name: course.seats[seat], cards,
        classes: [isTurn && "turn", side.includes(seat) && "bidding", trick.winner === seat && "won"].filter(Boolean).join(" "),
        count: isPlayed && counts?.[seat] ? String(counts[seat]) : "",
        played: mine && { card: mine.card, classes: [trick.winner === seat && "best", this.isNext && mine === plays.at(-1) && "fresh"].filter(Boolean).join(" ") },
        call: this.callOf(seat, n),
      };
    }

    // Returns the cards of the trick on the table and, once it is complete, its winner.
    trick() {
      const { plays, state } = this.position, last = plays.at(-1), trick = state?.tricks.at(-1);
      const isComplete = trick && trick.cards.length === this.course.seats.length;
      return { cards: plays.filter((each) => each.trick === last?.trick), winner: isComplete ? trick.winner : undefined };
    }

    // Returns the seat's last call so far, while there is nothing else to see on the table.
    callOf(seat) {
      const { record, seats } = this.course, { kind, n } = this.steps[this.at], { calls } = soloReplay.data();
      if (kind !== "call" || this.isTrying) return undefined;
      const found = record.auction.slice(0, n).map(([who, call], index) => ({ who, call, index })).findLast((each) => each.who === seats[seat]);
      return found && { text: Object.hasOwn(calls, found.call) ? calls[found.call] : found.call, isNewest: found.index === n - 1 };
    }

    // Returns the cards in the middle: those nobody is known to have played, else the widow or the discard.
    centre(aside, isBefore) {
      const { sheet, record, play } = this.course, unplaced = this.trick().cards.filter((each) => each.seat === undefined);
      if (unplaced.length) return { label: "", cards: unplaced.map(({ card }) => ({ card, isOpen: true })) };
      const isDiscard = !isBefore && Boolean(record.exchange?.took || record.exchange?.discarded);
      const isOpen = this.viewer < 0 || this.isTrying || this.isOver || (isDiscard && this.viewer === play?.bidder);
      const cards = [...this.sorted(aside), ...Array(Math.max(0, sheet.widow - aside.length)).fill(soloCourse.UNKNOWN)];
      return { label: isDiscard ? texts().discard : texts().widow, cards: cards.map((card) => ({ card, isOpen })) };
    }

    /* --- inputs --- */

    listen() {
      const DO = {
        "back-trick": () => this.moveTrick(-1), back: () => this.move(-1), next: () => this.move(1), "next-trick": () => this.moveTrick(1),
        play: () => (this.timer ? this.stop() : this.play()), try: () => this.try(), undo: () => this.undo(), leave: () => this.leave(),
      };
      this.root.addEventListener("click", (event) => {
        const button = event.target.closest("button"), { do: of, choice } = button?.dataset ?? {};
        if (choice) this.choose(choice);
        else if (of && button.ariaDisabled !== "true") {
          if (of !== "play") this.stop();
          DO[of]();
        }
      });
      this.part("slider").addEventListener("input", (event) => { this.stop(); this.goTo(Number(event.target.value)); });
      this.part("viewer").addEventListener("change", (event) => this.see(Number(event.target.value)));
      this.listenToTable();
    }

    // Shows the hand of one player only, or with -1 all hands.
    see(viewer) {
      this.viewer = viewer;
      this.part("viewer").value = String(viewer);
      this.show();
    }

    listenToTable() {
      const table = this.part("table");
      let start = null;
      table.addEventListener("pointerdown", (event) => { start = event.isPrimary && event.button === 0 ? event : null; });
      table.addEventListener("pointercancel", () => { start = null; });
      table.addEventListener("pointerup", (event) => {
        if (!start) return;
        const x = event.clientX - start.clientX, y = event.clientY - start.clientY;
        start = null;
        if (Math.abs(x) > SWIPE && Math.abs(x) > Math.abs(y)) this.touch(() => this.move(x < 0 ? 1 : -1));
        else if (Math.hypot(x, y) < TAP) this.touch(() => this.tap(event.target));
      });
    }

    touch(act) {
      this.stop();
      act();
    }

    // A tapped seat shows its player's view, an offered card is played, and any other place shows the next card.
    tap(target) {
      const seat = target.closest("[data-seat]")?.dataset.seat, card = target.closest(".offered")?.dataset.card;
      if (seat !== undefined && !this.isTrying) this.see(Number(seat) === this.viewer ? -1 : Number(seat));
      else if (card) this.choose(card);
      else if (!this.isTrying) this.move(1);
    }

    // Returns whether a key was one of the replay's. Outside of it only those to the left and right are.
    press(event) {
      const isWithin = this.root.contains(event.target), isTrick = event.shiftKey;
      const KEYS = {
        ArrowLeft: () => (isTrick ? this.moveTrick(-1) : this.move(-1)), ArrowRight: () => (isTrick ? this.moveTrick(1) : this.move(1)),
        ...(isWithin && { ArrowUp: () => this.moveTrick(-1), ArrowDown: () => this.moveTrick(1), Home: () => this.goTo(0), End: () => this.goTo(Infinity) }),
        ...(isWithin && this.isTrying && { Escape: () => this.leave() }),
      };
      if (!Object.hasOwn(KEYS, event.key) || event.altKey || event.ctrlKey || event.metaKey) return false;
      this.touch(KEYS[event.key]);
      return true;
    }
  }

  let shown = null;
  document.addEventListener("keydown", (event) => {
    const isText = event.target.matches?.("textarea, select, input:not([type=range])");
    if (!shown?.root.isConnected || isText || !shown.press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  // Returns the tables and sentences of the player, once it was loaded; else null.
  let source = null, loaded = null;
  function data() {
    const script = document.getElementById("replay-data");
    if (script && script !== source) loaded = JSON.parse((source = script).textContent);
    return script && loaded;
  }

  // Loads the player with all it needs, a file that browsers store for good; rejects if it can't be reached.
  async function load(address) {
    if (data()) return;
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(String(answer.status));
    const content = await answer.text();
    if (!data()) document.body.insertAdjacentHTML("beforeend", content);
  }

  return { data, load, namesIn, open: (...args) => (shown = new Replay(...args)) };
})();
