/* The hand form. Each tap opens, closes and updates the questions without a request; only the payout is requested from
   the server. The page contains the description of the questions as data (see questions.js). */
const soloHand = (() => {
  "use strict";

  const UNSEEN = "unseen";
  const SEEN_AFTER = 800;  // so that a tap already under way doesn't save a form that has just changed
  const { read, holds, number, wordsLeft } = soloQuestions;
  const find = () => document.getElementById("hand");
  const all = (within, what) => [...within.querySelectorAll(what)];
  let byName = null;       // the form's inputs, until a part of it is replaced
  function inputs(form, name) {
    if (!byName) {
      byName = {};
      for (const each of all(form, "input, textarea")) (byName[each.name] ||= []).push(each);
    }
    return byName[name] || [];
  }
  // Sets a property only if it changes, as each set makes the browser compute styles again.
  const put = (part, property, value) => { if (part[property] !== value) part[property] = value; };
  const checked = (form, name) => inputs(form, name).filter((each) => each.checked).map((each) => each.value);
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  let description = null;  // the description of the questions
  let source = "";         // its JSON
  let opened = null;       // the question that was opened again
  let byPointer = sessionStorage.getItem("by-keys") !== "yes";  // whether the last input was a tap
  let now = null;          // the form's current state
  let leftOpen = "";       // the questions whose answers the cards don't show, by the server's last answer
  let answer = "none";     // the payout: shown or refused by the server, found in the table's payouts, or none yet
  let blank = null;        // the template of a payout, with the address of the table's payouts
  let lookUp = null;       // shows the payout of a complete hand if it is in the table's payouts
  let openBy = null;       // returns which questions entered cards leave open, or undefined if only the server can
  let timer = 0;
  let toldAt = -Infinity;  // when another scorer's hand was last announced

  function describe(form) {
    const text = form.querySelector("script[type='application/json']").textContent;
    if (text !== source) description = JSON.parse(source = text);
    return description;
  }

  /* --- questions --- */

  function answersIn(form) {
    const answers = {};
    for (const { name, options } of description.questions) {
      const values = options ? checked(form, name) : inputs(form, name).map((input) => input.value.trim());
      answers[name] = values.filter(Boolean);
    }
    return answers;
  }

  // Returns the option of an input; two options may have one value.
  function optionOf(form, question, input) {
    const equal = inputs(form, question.name).filter((other) => other.value === input.value);
    return question.options.filter(([value]) => value === input.value)[equal.indexOf(input)];
  }

  // Shows a question's offered and chosen answers.
  function fit(form, question) {
    const open = now.questions.find((each) => each.question === question);
    const block = form.querySelector(`[data-ask="${question.name}"]`);
    if (block) {
      put(block, "hidden", !open);
      if (block.matches("fieldset")) put(block, "disabled", !open);
      const more = block.closest(`[data-more="${question.name}"]`);
      if (more) put(more, "hidden", !open);
    }
    const places = block?.querySelector("[data-places]");
    const around = inputs(form, question.name).find((each) => each.value || !question.options)?.closest(".counts, .ask:not([data-ask])");
    if (around) {
      const isShut = !all(around, "[name]").some((each) => now.questions.some((one) => one.question.name === each.name));
      for (const property of ["hidden", "disabled"]) put(around, property, isShut);
    }
    for (const input of inputs(form, question.name)) {
      if (!question.options) put(input, "disabled", !open);
      if (!question.options || !input.value) continue;
      const option = optionOf(form, question, input);
      const isOffered = Boolean(open?.offered.includes(option));
      const tap = input.closest(".tap");
      put(input, "disabled", !isOffered);
      put(input, "checked", isOffered && open.answers.includes(option[0]));
      if (places && description.seats.includes(option[0])) tap.classList.toggle("off", !isOffered);
      else put(tap, "hidden", !isOffered);
    }
    if (places) stand(form, question, places);
    all(form, `[data-hint="${question.name}"]`).forEach((hint, at) => put(hint, "hidden", !holds(question.hints?.[at], now.facts)));
    // Moving an element takes the focus from it, so only elements out of place are moved.
    const far = block?.querySelector("[data-far]");
    const rows = (question.rows || []).map((near, at) => [block.querySelector(`[data-row="${at}"]`), holds(near, now.facts)]);
    for (const [row, isNear] of rows) if (!isNear && !far.contains(row)) far.append(row);
    rows.filter(([, isNear]) => isNear).reduceRight((next, [row]) => (row.nextElementSibling === next || next.before(row), row), far);
  }

  // An option that replaces a seat takes that seat's place.
  function stand(form, question, places) {
    for (const tap of all(places, ".tap")) if (description.seats.includes(tap.firstElementChild.value)) tap.hidden = false;
    question.options.forEach(([value, , , at]) => {
      if (!at) return;
      const own = inputs(form, question.name).find((each) => each.value === value).closest(".tap");
      const [who] = now.facts[at] || [];
      const place = all(places, ".tap").find((tap) => tap.firstElementChild.value === who);
      if (own.hidden || !place) return;
      if (own.nextElementSibling !== place) place.before(own);
      place.hidden = true;
    });
  }

  function sides(form) {
    for (const question of description.questions) {
      const other = description.questions.find((each) => each.instead === question.name)?.name || question.instead;
      if (!other || question.options) continue;
      const theirs = number(inputs(form, other)[0].value), [field] = inputs(form, question.name);
      put(field, "placeholder", theirs >= 0 && theirs <= question.most ? String(question.most - theirs) : "");
    }
  }

  /* --- one question after the other --- */

  // Returns the blocks of open questions in order; questions shown together are one block.
  function way(form) {
    const steps = [];
    for (const open of now.questions) {
      const input = inputs(form, open.question.name).find((each) => each.value || !open.question.options);
      const block = input?.closest("[data-label]");
      if (!block) continue;
      let step = steps.find((each) => each.block === block);
      if (!step) steps.push(step = { block, opens: [], needed: false });
      step.opens.push(open);
      step.needed ||= Boolean(open.question.needed);
    }
    for (const step of steps) {
      step.missing = step.opens.some((each) => each.missing);
      step.done = step.needed ? !step.missing : step.opens.some((each) => each.answers.length > 0);
    }
    return steps;
  }

  // Returns the next question: one that was opened, else the first that is neither answered nor skipped.
  function current(steps) {
    const again = steps.find((each) => each.block.id === opened);
    if (again) return again;
    const due = steps.filter((each) => !each.block.matches("[data-aside]"));
    const last = due.findLastIndex((each) => each.done);
    return due.find((each, at) => !each.done && (each.needed || (at > last && due.slice(at).some((later) => later.missing))));
  }

  function fold(form) {
    const steps = way(form), step = current(steps);
    for (const each of steps) each.block.classList.toggle("shut", each !== step);
    soloToolbars.draw(form, description.texts, steps, step);
    return step?.block;
  }

  // Scrolls a question into view and focuses its number field, or for keyboard users its chosen or first answer.
  function show(block) {
    const fields = all(block, byPointer ? "input.number:not(:disabled)" : "input:not(:disabled)").filter((each) => each.checkVisibility());
    const number = fields.find((each) => each.matches(".number"));
    const answer = byPointer ? null : fields.find((each) => each.checked) || fields[0];
    (number || answer || block).focus({ preventScroll: true });
    sight(block);
  }

  function sight(block) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    block.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
  }

  /* --- the payout --- */

  const isRefused = (form) => form.querySelector("#save").matches("[hidden], [disabled]");
  const unseen = (form) => form.elements.seen.value === UNSEEN;
  const reason = (form) => form.elements.reason;

  // Returns what the hand still lacks; a pasted line that the server could not fill in yet is a whole hand.
  function missing(form) {
    if (inputs(form, "cards")[0]?.value.includes("@") && !reason(form)) return [];
    const label = ({ question, answers: [text = ""] }) => fill(question.label, { left: wordsLeft(question, text) });
    const found = now.questions.filter((each) => each.missing).map(label);
    return reason(form) && !reason(form).value.trim() ? [...found, description.texts.reason] : found;
  }

  function dock(form) {
    const left = missing(form), save = form.querySelector("#save"), needs = form.querySelector("#needs");
    const same = form.querySelector("#same");
    if (same) same.hidden = unseen(form);
    form.querySelector("#show").hidden = true;
    const isShort = left.length > 0 || answer === "refused";
    save.hidden = isShort && (!save.type || Boolean(same && !same.hidden));  // a link can't be disabled
    save.disabled = isShort || performance.now() - toldAt < SEEN_AFTER;
    const { before = "" } = form.dataset, first = form.querySelector("#first");
    if (first) {
      first.hidden = isShort || !before;
      first.textContent = fill(first.dataset.words, { hand: before });
      save.hidden ||= !first.hidden;
    }
    if (needs) needs.hidden = Boolean(reason(form).value.trim()) || (unseen(form) && answer !== "found");
    if (!unseen(form) || answer === "found") return;
    const { still, coming, later, comma } = description.texts;
    const isOffline = !document.getElementById("offline").hidden;
    form.querySelector("#sum").textContent = left.length ? fill(still, { missing: left.join(comma) }) : isOffline ? later : coming;
    for (const part of all(form, "#answer > :not(.dock, input)")) part.hidden = left.length > 0;
    form.querySelector("#answer").classList.toggle("old", !left.length);
  }

  // Shows the payout once the hand is complete, from the table's payouts or by a request, which a change cancels. Saving
  // doesn't wait for it.
  function ask(form, wait) {
    const watch = document.getElementById("watch");
    watch.dispatchEvent(new CustomEvent("htmx:abort"));
    clearTimeout(timer);
    form.elements.seen.value = UNSEEN;
    for (const name of ["shown", "shown_hand", "shown_words"]) form.elements[name].value = "";
    delete form.dataset.payout;
    answer = lookUp && blank && !now.questions.some((each) => each.missing) && lookUp(form, now) ? "found" : "none";
    if (answer === "found") return;
    // The server explains an impossible number; a single digit may be the first of several.
    const isTyped = ({ question, answers: values }) => question.most && values.some((each) => each.length > 1);
    if (now.questions.every((each) => !each.missing || isTyped(each))) timer = setTimeout(() => form.matches(".htmx-request") || watch.dispatchEvent(new Event("look")), wait);
  }

  /* --- the whole form, after each tap --- */

  function update(form, changed) {
    describe(form);
    const table = soloTurn.settle(form, description, inputs, changed);
    const facts = { ...table, left_open: [] };
    const state = () => read(description, facts, answersIn(form));
    now = state();
    leftOpen = (now.facts.cards && openBy?.(now.facts)) ?? form.querySelector("#answer").dataset.leftOpen;
    facts.left_open = leftOpen.split(" ").filter(Boolean);
    if (leftOpen) now = state();
    description.questions.forEach((question) => fit(form, question));
    now = state();
    soloTurn.say(form, description, table);
    sides(form);
    return fold(form);
  }

  function start() {
    const form = find();
    byName = null;
    if (!form) return;
    // Morphing would confuse its elements with those of the same payout on the page.
    const template = document.getElementById("blank");
    if (template) (blank = template).remove();
    else if (reason(form)) blank = null;
    opened = form.querySelector(".ask:has(.wrong), .counts:has(.wrong)")?.id || null;
    const isTouched = matchMedia("(pointer: coarse)").matches;
    for (const field of all(form, ".pad ~ .field input, .counts input.number")) if (isTouched) field.inputMode = "none";
    update(form);
    answer = isRefused(form) ? "refused" : "shown";
    if (missing(form).length) form.elements.seen.value = UNSEEN;
    // Process taps made before the script was loaded.
    if (all(form, ".ask input, .counts input").some((each) => each.checked !== each.defaultChecked || each.value !== each.defaultValue)) ask(form, 0);
    dock(form);
  }

  function change(form, input) {
    const block = input.closest("[data-label]") || input.closest(".ask");
    if (!block && !input.closest("#who-deals, #more-cards")) {
      if (input.closest("#answer")) ask(form, 0);
      dock(form);
      return tell(form);
    }
    const isTyped = input.matches(".number, textarea");
    if (block && !isTyped) opened = byPointer && input.type === "radio" ? null : block.dataset.label ? block.id : opened;
    if (block && isTyped) opened = block.id;
    if (input.closest("#more-cards")) form.querySelector("#answer").dataset.leftOpen = "";  // until the next answer
    for (const wrong of all(block || form, ".wrong")) if (!wrong.closest(".dock")) wrong.remove();
    let next = update(form, input);
    // Keep a block with preselected answers open, so that they can be changed.
    const stays = block?.querySelector(".ask");
    if (!next && stays) {
      opened = block.id;
      next = fold(form);
    }
    ask(form, isTyped || stays ? 300 : 0);
    dock(form);
    tell(form);
    if (next && next !== block && block?.dataset.label) show(next);
    else if (next && (next !== block || !isTyped) && !input.matches("textarea")) sight(next);
  }

  document.addEventListener("pointerdown", () => { byPointer = true; }, true);
  addEventListener("keydown", () => { byPointer = false; }, true);
  for (const kind of ["change", "input"]) {
    document.addEventListener(kind, (event) => {
      const form = find(), input = event.target;
      if (!form?.contains(input) || !input.matches("input, textarea") || input.name === "replace") return;
      // Events from scripts repeat the request for a payout that did not arrive.
      if ((kind === "input") === input.matches("[type=text], textarea") || !event.isTrusted) change(form, input);
    });
  }
  document.addEventListener("click", (event) => {
    const form = find(), button = event.target.closest("[data-opens]"), link = event.target.closest(".sum a");
    const id = button?.dataset.opens || (link && document.getElementById(link.hash.slice(1))?.closest("[data-label]")?.id);
    if (!form || !id) return;
    opened = id;
    show(fold(form));
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const form = find();
    if (event.detail.ctx.sourceElement?.id !== "watch") return start();
    byName = null;
    if (!form) return;
    const before = leftOpen;
    update(form);  // the cards may leave other questions open now
    answer = isRefused(form) && !missing(form).length ? "refused" : "shown";
    if (leftOpen !== before && !missing(form).length) ask(form, 0);
    dock(form);
    const open = form.querySelector(".counts:focus-within, .ask:focus-within:has(.ask)");
    if (open) sight(open);  // the dock may have become higher
  });

  /* --- for the scripts that store and restore a hand --- */

  const tell = (form) => form.dispatchEvent(new CustomEvent("said", { bubbles: true }));

  // Updates the form after its fields were filled in.
  function again(form) {
    opened = null;
    update(form);
    ask(form, 0);
    dock(form);
  }

  // Looks up payouts and what cards leave open from now on.
  function looksUp(show, leftOpenBy) {
    [lookUp, openBy] = [show, leftOpenBy];
    const form = find();
    if (!form || !blank) return;
    form.dataset.looksUp = "";
    if (answer !== "none" || missing(form).length) return;
    ask(form, 0);
    dock(form);
  }

  // Moves the keyboard focus to the next question, or to the button that saves.
  function goOn(form) {
    opened = null;
    const next = update(form), save = form.querySelector("#save");
    if (next) show(next);
    else if (!save.hidden) save.focus();
  }

  // Updates the form after another scorer's hand was announced.
  function told(form, at) {
    toldAt = performance.now();
    setTimeout(() => { if (form.isConnected) dock(form); }, SEEN_AFTER);
    opened = at;
    const next = fold(form);
    if (next) sight(next);
    dock(form);
  }

  document.addEventListener("htmx:error", () => { if (find()) dock(find()); });

  start();
  return { blank: () => blank, looksUp, find, now: () => now, inputs, again, goOn, dock, isByKeys: () => !byPointer, told, ask, opened: () => opened, description: () => description };
})();
