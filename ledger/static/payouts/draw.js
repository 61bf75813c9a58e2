/* Shows the payout of a hand as soon as it is complete, also offline: the hand is looked up in the table's payouts,
   and drawn into a copy of the blank payout on the page. What is not in the table, the server works out (hand.js). */
(() => {
  "use strict";

  const NOBODY = "<nobody>", ALONE = "<alone>", LONG = 10_000_000;
  const { lookUp, fill, number } = soloPayoutTable;
  const { blank } = soloHand;
  let address = null;  // of the loaded table
  let table = null;

  const element = (name, className, ...parts) => {
    const made = Object.assign(document.createElement(name), { className });
    made.append(...parts);
    return made;
  };
  const inBdi = (who) => element("bdi", "", who);

  async function load() {
    const wanted = blank()?.dataset.payouts ?? null;
    if (wanted === address) return table && use();
    [address, table] = [wanted, null];
    use();
    if (!wanted) return;
    try {
      const answer = await fetch(wanted);
      if (!answer.ok) throw new Error(answer.status);
      const loaded = await answer.json();
      if (wanted === address) table = loaded;
    } catch {
      if (wanted === address) address = table = null;
      return;
    }
    use();
  }

  function use() {
    soloAuction.use(table?.auction ?? null);
    if (table) soloHand.looksUp(show, leftOpen);
  }

  /* --- the hand and the state before it --- */

  // Returns the standings and pots before the hand, after those that wait to be sent; null if these are not known.
  function before(form) {
    const now = JSON.parse(blank().dataset.standings), waiting = JSON.parse(form.dataset.carried || "[]");
    if (waiting.includes(null)) return null;
    for (const { deltas, lent, pots } of waiting) {
      for (const [who, chips] of Object.entries(deltas)) now.balances[who] += chips + (lent[who] || 0);
      now.bank -= sum(lent);
      if (pots) now.pots = pots;
    }
    return now;
  }

  // Returns the result that entered cards show, or null if only the server can read them.
  const resultOf = (facts) => (typeof soloCardResult === "object" ? soloCardResult.read(soloHand.description(), facts) : null);
  const leftOpen = (facts) => resultOf(facts)?.open.join(" ");

  // Returns the state of a form as if the result of its cards had been entered without them, or null.
  function withResult({ facts: { cards, ...facts } }, { answers }) {
    const { active, lead, dealer } = facts;
    const state = soloQuestions.read(soloHand.description(), { active, lead, dealer }, { ...facts, ...answers });
    return state.questions.some(({ question, missing }) => missing && question.name !== "made") ? null : state;
  }

  // Returns the hand that a form's answers describe, or null if the server must work it out.
  function handOf(form, entered, now) {
    const result = entered.facts.cards ? resultOf(entered.facts) : { counts: {} };
    const state = result && entered.facts.cards ? withResult(entered, result) : entered;
    if (!result || !state || (now.has_cards && !result.tricks)) return null;  // the scorer must agree to replace recorded cards
    const { questions, facts } = state, { seats: players, again } = soloHand.description();
    const answers = { ...result.counts };
    for (const { question, answers: [value = ""] } of questions) {
      answers[question.name] = question.most && value ? String(soloQuestions.number(value)) : value;
    }
    for (const { question } of questions) {
      const other = questions.find((each) => each.question.name === question.instead);
      if (!other || !answers[other.question.name]) continue;
      const rest = String(question.most - answers[other.question.name]);
      if (answers[question.name] && answers[question.name] !== rest) return null;
      answers[question.name] = rest;
    }
    const [dealer] = facts.dealer, [lead] = facts.lead, [bidder] = facts.bidder;
    if (form.elements.begun) return null;  // the server compares the hand with those recorded since
    if (form.elements.line.value) return null;
    const isPass = bidder === NOBODY, [partner = ALONE] = facts.partner || [];
    const isBlind = form.querySelector("input[name=blind_round]:checked")?.value === "yes";
    if (isBlind && now.paid) return null;
    const hand = {
      players, dealer, active: facts.active, answers,
      idle: [...players.slice(players.indexOf(dealer) + 1), ...players.slice(0, players.indexOf(dealer) + 1)].filter((who) => !facts.active.includes(who)),
      bid: isPass ? "pass" : facts.bid?.[0],
      bidder: isPass ? null : bidder,
      partner: partner === ALONE ? null : partner,
      trump: (!isPass && facts.trump?.[0]) || "",
      doubled: facts.others.filter((who) => facts.doubled?.includes(who)),
      redoubled: facts.others.filter((who) => facts.redoubled?.includes(who)),
      pots: "frog" in now.pots ? now.pots : null,
      heartless: isBlind ? (again === lead ? now.heartless : 0) : null,
      tricks: result.tricks,
      claim: result.claim,
      namedPartner: entered.facts.partner?.[0] ?? "",
    };
    const auction = form.elements.auction?.value;
    return auction && !soloAuction.leadsTo(auction, hand) ? null : hand;
  }

  // Returns the answers that a payout depends on and the called card; the server compares them with what it has received.
  function answersOf({ bid, bidder, namedPartner, trump, doubled, redoubled, answers, tricks }) {
    const results = tricks ?? table.bids[bid].keys.map((key) => answers[key] ?? "");
    return [bid, bidder ?? "", namedPartner === ALONE ? "" : namedPartner, trump, answers.called ?? "", doubled, redoubled, results];
  }

  /* --- drawing --- */

  const signed = (value) => `${value > 0 ? "+" : ""}${number(table.lang, value)}`;
  const coloured = (value, text) => element("span", `amount ${value > 0 ? "up" : value < 0 ? "down" : ""}`, text);
  const amount = (value) => coloured(value, signed(value));
  const balance = (value) => coloured(value, number(table.lang, value));
  function inHand(chips) {
    if (chips >= 0) return [number(table.lang, chips)];
    return ["0 ", element("small", "down", table.texts.short_by.replace("{chips}", number(table.lang, -chips)))];
  }

  // Returns the chips that each paying player lacks, for the bank to lend; it lends none with a correction.
  function shortOf({ deltas }, { balances, from_stacks: fromStacks, paid }) {
    const short = {};
    for (const [who, chips] of Object.entries(deltas)) {
      const after = balances[who] + chips;
      if (fromStacks && !paid && chips < 0 && after < 0) short[who] = -after;
    }
    return short;
  }

  const sum = (chips) => Object.values(chips).reduce((all, each) => all + each, 0);

  // Replaces a part's content if its text changes, as drawing takes long.
  function draw(part, ...content) {
    const text = content.map((each) => each.textContent ?? each).join("");
    if (part.textContent !== text) part.replaceChildren(...content);
  }

  function drawRows(section, { deltas, pots }, now, lent) {
    for (const row of section.querySelectorAll("tbody tr")) {
      const cells = row.querySelectorAll("td"), gain = cells[0], then = cells[cells.length - 1];
      const who = row.querySelector("bdi")?.textContent, { of } = row.dataset;
      if (of === "bank" && !sum(lent)) row.remove();
      else if (of === "bank") {
        draw(gain, amount(-sum(lent)));
        draw(then, balance(now.bank - sum(lent)));
      } else if (of) {
        draw(gain, amount(pots[of] - now.pots[of]));
        draw(then, balance(pots[of]));
      } else {
        const chips = now.balances[who] + (deltas[who] || 0) - (now.paid?.[who] || 0) + (lent[who] || 0);
        row.classList.toggle("moved", Boolean(now.paid) && chips !== now.balances[who]);
        draw(gain, amount(deltas[who] || 0));
        draw(then, ...(now.from_stacks ? inHand(chips) : [balance(chips)]));
        if (Math.abs(chips) >= LONG) section.querySelector("table").classList.add("long");
      }
    }
  }

  function drawLoan(section, short, lends) {
    const fields = section.querySelector("#short");
    if (!fields) return;
    fields.hidden = !sum(short);
    if (fields.hidden) return fields.remove();
    fields.querySelector("p").replaceChildren(...Object.entries(short).flatMap(([who, chips]) => (
      fill(table.lang, table.counts.short, { n: chips, who: "\n" }).replace(/<\/?bdi>/g, "").split("\n")
        .flatMap((part, at) => (at ? [inBdi(who), part] : [part])).concat(" ")
    )));
    fields.querySelector("label span").textContent = fill(table.lang, table.counts.lends, { n: sum(short) });
    fields.querySelector("#lend").checked = lends;
  }

  function line(verdict, hand, lent) {
    const { texts, outcomes, counts, lang } = table;
    const quiet = (text) => element("span", "quiet", text);
    const side = [hand.bidder, hand.partner].filter(Boolean).map((who) => [who, verdict.deltas[who]]);
    const moves = side.some(([, chips]) => chips);
    const parts = [element("strong", "", outcomes[verdict.outcome])];
    if (verdict.amount || moves) {
      parts.push(...side.map(([who, chips]) => element("span", "move", inBdi(who), " ", amount(chips))));
    }
    if (verdict.amount) {
      const each = hand.doubled.length ? texts.before_doubling : texts.each;
      parts.push(quiet(each.replace("{amount}", number(lang, verdict.amount))));
    } else if (!moves) parts.push(quiet(verdict.pots ? texts.only_pots : texts.nothing));
    for (const part of ["ante", "pot"]) if (verdict[part]) parts.push(quiet(`${texts[part]} ${signed(verdict[part])}`));
    if (sum(lent)) parts.push(quiet(fill(lang, counts.lent, { n: sum(lent) })));
    return parts.flatMap((part) => [part, " "]);
  }

  // Shows the payout of a complete hand; returns whether it is in the table.
  function show(form, state) {
    if (!table) return false;
    const now = before(form), hand = now && handOf(form, state, now), verdict = hand && lookUp(table, hand);
    if (!verdict || JSON.stringify(now.recorded) === JSON.stringify(answersOf(hand))) return false;
    const lends = form.elements.lend?.checked ?? true;
    const short = shortOf(verdict, now), lent = lends ? short : {};
    const answer = form.querySelector("#answer"), drawn = answer.querySelector(":scope > [data-drawn]");
    const parts = `${sum(short) > 0} ${lends}`, isFocused = document.activeElement.id === "lend";
    const section = drawn?.dataset.drawn === parts ? drawn : blank().content.firstElementChild.cloneNode(true);
    section.dataset.drawn = parts;
    section.querySelector(".reasoning").replaceChildren(...verdict.says.map((said) => (
      element("li", "", ...said.map((part) => (part.who ? inBdi(part.who) : part)))
    )));
    drawRows(section, verdict, now, lent);
    drawLoan(section, short, lends);
    const turn = [verdict.next.dealer, verdict.next.lead];
    section.querySelectorAll("#next-turn bdi").forEach((at, place) => { at.textContent = turn[place]; });
    for (const part of answer.querySelectorAll(":scope > :not(.dock, input)")) if (part !== section) part.remove();
    section.hidden = false;
    answer.classList.remove("old");
    if (section !== drawn) answer.querySelector(".dock").before(section);
    if (isFocused) section.querySelector("#lend")?.focus();
    answer.querySelector("#sum").className = "sum";
    answer.querySelector("#sum").replaceChildren(...line(verdict, hand, lent));
    form.elements.shown.value = hand.players.map((who) => verdict.deltas[who]).join();
    form.elements.shown_hand.value = JSON.stringify(answersOf(hand));
    form.elements.shown_words.value = form.dataset.said;
    if (!now.paid) form.dataset.payout = JSON.stringify({ deltas: verdict.deltas, lent, pots: verdict.pots });
    return true;
  }

  // The server works out which chips to pay with, and shows the payout itself.
  document.addEventListener("toggle", ({ target }) => {
    if (target.id !== "in-chips" || !target.open || target.querySelector("ul")) return;
    document.addEventListener("htmx:after:swap", () => {
      const chips = document.getElementById("in-chips");
      if (chips) chips.open = true;
    }, { once: true });
    document.getElementById("watch").dispatchEvent(new Event("look"));
  }, true);

  document.addEventListener("htmx:after:swap", load);
  load();
})();
