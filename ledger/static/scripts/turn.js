/* The dealer, the lead and the players sitting out in the hand form: their inputs, the sentence about them and the badges
   of the seats. */
const soloTurn = (() => {
  "use strict";

  // Completes the inputs after a change of one, and returns who deals, leads and plays.
  function settle(form, description, inputs, changed) {
    const { seats, blind } = description, { seat } = soloQuestions;
    const checked = (name) => inputs(form, name).filter((each) => each.checked).map((each) => each.value);
    const check = (name, values) => {
      for (const each of inputs(form, name)) {
        const isChecked = values.includes(each.value);
        if (each.checked !== isChecked) each.checked = isChecked;  // each set makes the browser compute styles again
      }
    };
    let [dealer] = checked("dealer");
    if (changed?.name === "lead") dealer = seats[(seats.indexOf(changed.value) + seats.length - 1) % seats.length];
    const { active_of: dealerShown, lead_of: leadShown, blind_shown: blindShown } = form.elements;
    let named = checked("active");
    const usual = (who) => seat(description, who, null).active;
    const isUsual = !named.length || String([...named].sort()) === String([...usual(dealerShown.value)].sort());
    if (isUsual || (changed?.name === "lead" && !named.includes(changed.value))) named = usual(dealer);
    const table = seat(description, dealer, named);
    check("dealer", table.dealer);
    check("lead", table.lead);
    check("active", isUsual ? table.active : named);
    dealerShown.value = dealer;
    leadShown.value = table.lead[0];
    if (blindShown) {
      const goesOn = blind.includes(dealer) ? "yes" : "no";
      if (checked("blind_round")[0] === blindShown.value) check("blind_round", [goesOn]);
      blindShown.value = goesOn;
    }
    return table;
  }

  function say(form, description, table) {
    const { texts, again } = description;
    const under = form.querySelector("input[name=blind_round]:checked")?.value === "yes";
    const [dealer] = table.dealer, [lead] = table.lead;
    const idle = description.seats.filter((each) => !table.active.includes(each));
    const key = under ? (again === lead ? "again" : "under") : !idle.length ? "turn" : idle.length > 1 ? "idle" : "king";
    const line = form.querySelector("#who-deals > summary > span");
    const parts = texts[key].split(/\{(\w+)\}/);
    line.replaceChildren(...parts.map((part, at) => {
      if (at % 2 === 0) return part;
      const name = document.createElement("bdi");
      name.className = "who";
      name.textContent = { dealer, lead, idle: idle.join(texts.comma) }[part];
      return name;
    }));
    const sits = idle.includes(dealer) ? texts.deals_out : texts.deals;
    const badge = (who) => (under && who === lead ? texts.is_under : who === lead ? texts.leads : who === dealer ? sits
      : idle.includes(who) ? texts.out : "");
    for (const small of form.querySelectorAll("[data-badge]")) small.textContent = badge(small.dataset.badge);
  }

  return { settle, say };
})();
